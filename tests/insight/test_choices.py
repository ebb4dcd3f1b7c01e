"""Choices: moves alike are counted by Burnside's lemma, and the hardest come first by the oracle's values."""

from itertools import pairwise
from random import Random

import pytest

from noughts.games import Game, Outcome, Position
from noughts.games import game as find_game
from noughts.games.symmetry import apply, symmetries, turns_and_mirrors
from noughts.insight.choices import alike, choices
from noughts.insight.hardness import Hardness, hardness
from noughts.solve import UNKNOWN, knowledge
from oracles import oracle
from oracles import solve as sweep


def some_positions(game: Game, count: int) -> list[Position]:
    chance = Random(5)
    found = [game.start()]
    while len(found) < count:
        position = game.start()
        for _ in range(chance.randrange(8)):
            moves = game.moves(position)
            position = game.after(position, chance.choice(moves)) if moves else position
        found.append(position)
    return found


@pytest.mark.parametrize("name", ["tictactoe", "achi", "mnk:4,3,3", "square4", "nine-mens-morris", "mnk:15,15,5"])
def test_there_are_as_many_choices_as_burnsides_lemma_says(name: str) -> None:
    game = find_game(name)
    every = symmetries(game.layout) if len(game.layout) <= 64 else turns_and_mirrors(game.layout)
    for position in some_positions(game, 15 if len(game.layout) < 100 else 4):
        moves = game.moves(position)
        keeping = [one for one in every if all(apply(one, stones) == stones for stones in position.stones)]
        fixed = sum(all(point is None or one[point] == point for point in move) for one in keeping for move in moves)
        groups = alike(game, position, moves)
        assert len(groups) * len(keeping) == fixed
        assert sorted(map(str, moves)) == sorted(str(move) for group in groups for move in group)
        for group in groups:
            assert len({game.canonical(game.after(position, move)) for move in group}) == 1 or len(game.layout) > 64


@pytest.mark.parametrize(
    ("name", "count"),
    [("tictactoe", 8), ("mnk:4,3,3", 4), ("mnk:15,15,5", 8), ("nine-mens-morris", 8), ("achi", 8), ("qubic", 1)],
)
def test_paper_shows_so_many_turns_and_mirrors(name: str, count: int) -> None:
    layout = find_game(name).layout
    found = turns_and_mirrors(layout)
    assert len(found) == count
    assert found[0] == tuple(range(len(layout)))
    if len(layout) <= 64:
        assert set(found) <= set(symmetries(layout))


def test_hardness_counts_the_moves_that_keep_the_value() -> None:
    game, judge = find_game("three-mens-morris"), oracle("three-mens-morris")
    values = sweep(judge)
    seen = set()
    for state in Random(1).sample(sorted(values), 400):
        position = game.read(judge.text(state))
        found = hardness(game, position)
        value = values[state][0]
        if judge.over(state) or value == "loss":
            assert found is None
            continue
        then = {"win": "loss", "draw": "draw"}[value]
        moves = judge.moves(state)
        holding = sum(values[judge.play(state, move)][0] == then for move in moves)
        assert found is not None
        assert (found.holding, found.moves, found.outcome) == (holding, len(moves), value)
        seen.add((value, holding == len(moves)))
    assert len(seen) == 4


@pytest.mark.parametrize("name", ["tictactoe", "three-mens-morris", "nine-mens-morris"])
def test_the_best_come_first_and_of_equals_the_hardest(name: str) -> None:
    game = find_game(name)
    for position in some_positions(game, 25):
        if game.over(position) is not None:
            continue
        answer = knowledge(game).ask(position)
        found = choices(game, position, answer)
        ranks = [one.rated.value.preference() for one in found]
        assert ranks == sorted(ranks, reverse=True)
        assert ranks[0] == answer.value.preference()
        for one, following in pairwise(found):
            if (
                one.hardness
                and following.hardness
                and one.rated.value.preference() == following.rated.value.preference()
            ):
                assert one.hardness.share <= following.hardness.share


def test_an_answer_that_is_plain_to_see_is_not_hard() -> None:
    """After b2 a1, a threat leaves O one move that holds; but everybody sees it, as nobody need see the others."""
    game = find_game("tictactoe")
    position = game.play("b2", "a1")
    found = {game.write_move(one.rated.move): one for one in choices(game, position, knowledge(game).ask(position))}
    threat, quiet = found["b1"].hardness, found["c3"].hardness
    assert threat is not None
    assert quiet is not None
    assert (threat.holding, threat.plain) == (1, True)
    assert threat.share == 1
    assert not quiet.plain
    assert quiet.holding < quiet.moves
    assert next(iter(found)) == "c3", "the trap that beats beginners: O must answer in a corner"


def test_what_is_known_of_one_move_is_known_of_all_alike() -> None:
    game = find_game("qubic")
    found = choices(game, game.start(), knowledge(game).ask(game.start()))
    assert [(str(one.rated.value), len(one.alike)) for one in found] == [("win", 16), ("unknown", 48)]
    assert found[1].rated.value == UNKNOWN


@pytest.mark.parametrize(
    ("side", "counted", "words"),
    [
        (1, (1, 8, "draw"), "only 1 of O's 8 moves holds the draw"),
        (0, (5, 8, "draw"), "5 of X's 8 moves hold the draw"),
        (0, (8, 8, "win"), "any move of X's wins"),
        (1, (2, 9, "win"), "only 2 of O's 9 moves win"),
        (1, (1, 1, "draw"), "O has one move only"),
    ],
)
def test_hardness_in_words(side: int, counted: tuple[int, int, str], words: str) -> None:
    assert Hardness(counted[0], counted[1], Outcome(counted[2])).words(side) == words
