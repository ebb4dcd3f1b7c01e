"""What moves do, by the oracle's slow reading of the rules: the same kinds for move after move of every game."""

import re
from collections import Counter
from random import Random

import pytest

from noughts.games import Game, Move, Outcome, Position
from noughts.games import game as find_game
from noughts.insight.mills import allows_mill
from noughts.insight.reasons import deeds
from noughts.insight.rows import chain_from
from oracles import State, oracle
from oracles.base import parts_of
from oracles.deeds import closings, deeds_of, in_a_mill, other_to_move
from oracles.morris import MorrisGame

SWEPT = {
    "tictactoe": (150, {"blocks", "fork", "chain", "stops-fork", "threat"}),
    "mnk:4,4,3": (60, {"blocks", "fork", "chain", "stops-fork", "threat"}),
    "mnk:6,4,4": (20, {"blocks", "fork", "chain", "stops-fork", "threat", "open"}),
    "qubic": (3, {"blocks", "fork"}),
    "arabian": (60, {"blocks", "fork", "threat"}),
    "achi": (100, {"blocks", "fork", "threat", "shuts-in", "crossing"}),
    "achi:blocked=passes": (200, {"no-move", "shuts-in"}),
    "achi:blocked=draws": (200, {"no-move", "shuts-in"}),
    "three-mens-morris": (60, {"blocks", "threat", "shuts-in", "crossing"}),
    "six-mens-morris": (40, {"closes-mill", "two-mills", "blocks-mill", "opens-mill", "threatens-mill", "shuts-in"}),
    "nine-mens-morris": (40, {"closes-mill", "double-mill", "two-mills", "blocks-mill", "opens-mill", "shuts-in"}),
    "lasker-morris": (10, {"closes-mill", "two-mills", "blocks-mill", "opens-mill"}),
    "seven-mens-morris:flying=no": (10, {"closes-mill", "two-mills", "blocks-mill", "opens-mill", "crossing"}),
}
"""How many positions are visited of each game, and what is sure to be met there."""


def visited(game: Game, count: int) -> list[Position]:
    """Positions of random games that go on; every other move is one that closes a row, if there is one."""
    chance = Random(14)
    found: list[Position] = []
    while len(found) < count:
        position = game.start()
        for _ in range(chance.randrange(3 * len(game.layout))):
            moves = game.moves(position)
            taking = [move for move in moves if move.capture is not None]
            after = game.after(position, chance.choice(taking if taking and chance.random() < 0.5 else moves))
            if game.over(after) is not None:
                break
            position = after
        found.append(position)
    return found


@pytest.mark.parametrize("name", SWEPT)
def test_what_is_told_is_what_the_rules_say(name: str) -> None:
    game, judge = find_game(name), oracle(name)
    count, expected = SWEPT[name]
    met: Counter[str] = Counter()
    for position in visited(game, count):
        text = game.write(position)
        for move in game.moves(position):
            if move.to is None or game.over(game.after(position, move)) is Outcome.LOSS:
                continue
            told = {deed.kind for deed in deeds(game, position, move)}
            assert told == deeds_of(judge, judge.read(text), game.write_move(move)), (text, game.write_move(move))
            met.update(told)
    assert set(met) >= expected


def test_the_words_about_mills_name_the_right_points() -> None:
    game, judge = find_game("nine-mens-morris"), oracle("nine-mens-morris")
    assert isinstance(judge, MorrisGame)
    met: Counter[str] = Counter()
    for position in visited(game, 60):
        state = judge.read(game.write(position))
        for move in game.moves(position)[::3]:
            if game.over(game.after(position, move)) is not None:
                continue
            after = judge.play(state, game.write_move(move))
            ready = closable(judge, other_to_move(after))
            origin, _, captured = parts_of(game.write_move(move))
            for kind, words, _ in deeds(game, position, move):
                if kind in ("two-mills", "threatens-mill"):
                    assert set(re.findall(r"\b[a-g][1-7]\b", words)) == ready
                if kind == "opens-mill":
                    steps_in = any(parts_of(one)[1] == origin for one in judge.moves(after))
                    assert ("again next turn" in words) == (origin in ready)
                    assert ("unless" in words) == (origin in ready and steps_in)
                    met["unless"] += "unless" in words
                if kind == "closes-mill":
                    assert captured is not None
                    before, then = (closable(judge, other_to_move(state)), closable(judge, after))
                    stopped = before - then - {parts_of(game.write_move(move))[1]}
                    milled = in_a_mill(judge, state, captured)
                    assert ("out of" in words) == milled
                    told = re.search(r"no longer close a mill on ([a-g1-7, or]+)", words)
                    assert set(re.findall(r"[a-g][1-7]", told[1]) if told else []) == (set() if milled else stopped)
                    three = after.cells.count(after.turn.upper()) == 3 and judge.in_hand(after) == 0
                    assert ("flies" in words) == (three and state.cells.count(after.turn.upper()) > 3)
                    met["stopped"] += bool(stopped)
                    met["flies"] += "flies" in words
                met[kind] += 1
    assert min(met[kind] for kind in ("unless", "stopped", "flies", "two-mills", "opens-mill", "closes-mill")) > 0, met


def closable(judge: MorrisGame, state: State) -> set[str]:
    """The points on which the side to move can close a mill."""
    return {point for _, point in closings(judge, state)}


def test_that_a_mill_can_be_closed_next_is_told_exactly_where_it_can() -> None:
    game, judge = find_game("nine-mens-morris"), oracle("nine-mens-morris")
    told = 0
    for position in visited(game, 100):
        found = allows_mill(game, position)
        points = sorted({target for _, target in closings(judge, judge.read(game.write(position)))})  # type: ignore[arg-type]
        assert (found is not None) == bool(points)
        if found:
            told += 1
            assert sorted(found.words.partition(" mill on ")[2].replace(" or ", ", ").split(", ")) == points
    assert told > 10


def test_a_chain_is_told_move_by_move_each_answer_forced() -> None:
    game = find_game("qubic")
    position = game.read("XX../X.../..../....|..../.X../..../....|..O./..../.O../....|..../.O../..../...O")
    chain = chain_from(game, position, game.read_move(position, "1d1"))
    assert len(chain) % 2 == 1
    assert len(chain) > 3
    judge, state = oracle("qubic"), oracle("qubic").read(game.write(position))
    for number, move in enumerate(chain):
        if number % 2:
            saving = [one for one in judge.moves(state) if not _wins(judge, judge.play(state, one))]
            assert saving == [game.write_move(move)], "every other answer loses at once"
        state = judge.play(state, game.write_move(move))
    assert all(_wins(judge, judge.play(state, one)) for one in judge.moves(state)), "and in the end there is none"


def _wins(judge: object, state: object) -> bool:
    return any(judge.over(judge.play(state, move)) == "loss" for move in judge.moves(state))  # type: ignore[attr-defined]


def test_a_chain_that_is_known_is_not_searched_for(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("qubic")
    position = game.read("XX../X.../..../....|..../.X../..../....|..O./..../.O../....|..../.O../..../...O")
    move = game.read_move(position, "1d1")
    chain = chain_from(game, position, move)
    monkeypatch.setattr("noughts.insight.rows.MOST_THREATS", len(chain) // 2 + 1)
    assert chain_from(game, position, move, tuple(one.to for one in chain[::2] if one.to is not None)) == chain


NINE = "nine-mens-morris"


@pytest.mark.parametrize(
    ("name", "text", "move", "words"),
    [
        (NINE, "OO./.../.../....X./XO./.X./..X o 5,6", "g1xc5", "closes the mill a1–d1–g1 and takes c5"),
        (
            NINE,
            "..O/.../.../XX...O/.../.../OX. x 6,6",
            "c4xg1",
            "closes the mill a4–b4–c4 and takes g1; O can no longer close a mill on g7",
        ),
        (
            NINE,
            ".O./.O./OOO/X...OX/.XO/XX./.XX o",
            "e3-e4",
            "makes a double mill: the stone on d3 swings between d1–d2–d3 and e3–e4–e5, closing one of them every turn",
        ),
        ("six-mens-morris", ".XX/..O/X.X./OO./O.X o 1,2", "a1", "blocks the mill a1–c1–e1 of X"),
        ("six-mens-morris", "XXO/XXX/O.OO/.X./O.. x", "b2-b3", "opens the mill b2–c2–d2, to close it again next turn"),
    ],
)
def test_the_words(name: str, text: str, move: str, words: str) -> None:
    game = find_game(name)
    position = game.read(text)
    assert next(deeds(game, position, game.read_move(position, move))).words == words


def test_an_open_three_is_called_by_its_name() -> None:
    game = find_game("mnk:15,15,5")
    position = game.play("h8", "a1", "i8", "a2")
    told = [deed.words for deed in deeds(game, position, game.read_move(position, "j8"))]
    assert told == ["makes an open three: if O lets it be, a stone on g8 leaves two ways to win"]
    assert not list(deeds(game, position, Move(game.layout.index["o15"])))
