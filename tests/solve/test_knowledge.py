"""One question, and the best source there is answers it; what is said is what the source says."""

import sys
from pathlib import Path
from random import Random
from threading import Barrier, Thread

import pytest

from morris_six import SIX, any_placed, any_placing, six, write_table
from noughts.games import Game, Move, Outcome, Position
from noughts.games import game as find_game
from noughts.players import player
from noughts.solve import UNKNOWN, Extent, Rated, Solution, Source, Surety, Value, knowledge, small, solve
from noughts.solve.engine import rate as rate_moves
from noughts.solve.small import solving_at_most
from noughts.solve.store import Store
from noughts.solve.tables import how_to_make, table_for

NINE = find_game("nine-mens-morris")


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the whole table of six men's morris."""
    folder = tmp_path_factory.mktemp("tables")
    write_table(folder / SIX.name)
    return folder


@pytest.mark.parametrize(
    ("name", "source", "surety", "extent"),
    [
        ("tictactoe", Source.SOLUTION, Surety.DISTANCE, Extent.EVERY_POSITION),
        ("arabian", Source.SOLUTION, Surety.EXACT, Extent.EVERY_POSITION),
        ("qubic", Source.PROOF, Surety.EXACT, Extent.WINNER),
        ("nine-mens-morris", Source.BOOK, Surety.EXACT, Extent.SOME_POSITIONS),
        ("six-mens-morris", Source.BOOK, Surety.EXACT, Extent.SOME_POSITIONS),
        ("lasker-morris:flying=no", Source.SEARCH, Surety.ESTIMATE, Extent.SOME_POSITIONS),
        ("mnk:6,6,5", Source.SEARCH, Surety.ESTIMATE, Extent.SOME_POSITIONS),
    ],
)
def test_who_answers_for_the_start(name: str, source: Source, surety: Surety, extent: Extent) -> None:
    game = find_game(name)
    known = knowledge(game)
    answer = known.ask(game.start())
    assert (answer.source, answer.surety, known.extent) == (source, surety, extent)
    assert sorted(one.move for one in answer.moves) == sorted(game.moves(game.start()))
    assert bool(answer.depth) is (source is Source.SEARCH)
    assert bool(known.missing) is (extent is Extent.SOME_POSITIONS)


@pytest.mark.parametrize("name", ["tictactoe", "achi", "qubic", "six-mens-morris", "mnk:6,6,4"])
def test_a_game_that_is_over_is_judged_by_the_rules(name: str) -> None:
    game, random = find_game(name), Random(name)
    for _ in range(3):
        position = game.start()
        while (end := game.over(position)) is None:
            position = game.after(position, random.choice(game.moves(position)))
        answer = knowledge(game).ask(position)
        assert (answer.value.outcome, answer.moves, answer.source) == (end, [], Source.RULES)


@pytest.mark.slow
def test_a_table_comes_before_search(tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_TABLES", str(tables))
    table = table_for(SIX)
    assert table is not None
    assert knowledge(SIX).extent is Extent.EVERY_POSITION
    assert knowledge(SIX).missing == ""
    random = Random(5)
    for _ in range(10):
        position = any_placed(random, 4, 5)
        answer = knowledge(SIX).ask(position)
        assert (answer.source, answer.value) == (Source.TABLE, table.probe(position))
        assert answer.reason.startswith("from the table")


@pytest.mark.slow
def test_levels_play_alike_with_tables_and_without(tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(7)
    positions = [any_placed(random, 4, 4) for _ in range(30)]
    going_on = [position for position in positions if SIX.over(position) is None]
    without = [player("level2", number).choose(SIX, position) for number, position in enumerate(going_on)]
    monkeypatch.setenv("NOUGHTS_TABLES", str(tables))
    table = table_for(SIX)
    assert table is not None
    assert [player("level2", number).choose(SIX, position) for number, position in enumerate(going_on)] == without
    known = [table.moves(position) for position in going_on]
    worth = [{one.move: one.value for one in moves}[choice.move] for moves, choice in zip(known, without, strict=True)]
    assert worth != [moves[0].value for moves in known], "the table knows better here and there"


@pytest.mark.slow
def test_a_part_of_a_table_answers_for_its_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_TABLES", str(tmp_path))
    store = Store.create(tmp_path / SIX.name, SIX)
    for one in six().solved:
        if max(one.key) <= 4:
            store.write(one)
    assert knowledge(SIX).extent is Extent.SOME_POSITIONS
    assert how_to_make(SIX) in knowledge(SIX).missing
    random = Random(6)
    assert knowledge(SIX).ask(any_placed(random, 4, 4)).source is Source.TABLE
    assert knowledge(SIX).ask(any_placed(random, 5, 5)).source is Source.ENDINGS
    beyond = knowledge(SIX).ask(any_placing(random, 2))
    assert (beyond.source, beyond.value) == (Source.SEARCH, UNKNOWN)
    assert how_to_make(SIX) in beyond.reason


class Forgetful:
    """A table that does not tell the value of a position, but knows that the move which looks best loses."""

    whole = complete = True

    def __init__(self, worst: Move) -> None:
        self.worst = worst

    def probe(self, _position: Position) -> None:
        return None

    def moves(self, position: Position) -> list[Rated]:
        lost = Value(Outcome.LOSS, 4)
        return [
            Rated(move, lost if move == self.worst else UNKNOWN, SIX.after(position, move))
            for move in SIX.moves(position)
        ]


def test_what_a_table_knows_of_some_moves_is_not_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    position = SIX.play("a1", "c1")
    worst = rate_moves(SIX, position).moves[0].move
    monkeypatch.setattr(sys.modules["noughts.solve.knowledge"], "table_for", lambda _game: Forgetful(worst))
    monkeypatch.setattr(sys.modules["noughts.solve.knowledge"], "book_value", lambda _game, _position: None)
    answer = knowledge(SIX).ask(position)
    assert (answer.source, answer.value) == (Source.SEARCH, UNKNOWN)
    assert answer.reason.endswith("; too many stones are in hand to search down to the table")
    assert answer.moves[-1].move == worst
    assert str(answer.moves[-1].value) == "loss in 4"
    assert worst not in knowledge(SIX).best(position)


def test_what_the_web_does_not_afford_is_searched() -> None:
    game = find_game("mnk:4,3,3")
    assert knowledge(game).ask(game.start()).source is Source.SOLUTION
    with solving_at_most(9):
        assert knowledge(game).ask(game.start()).source is Source.SEARCH
        assert knowledge(game).extent is Extent.SOME_POSITIONS
        assert how_to_make(game) in knowledge(game).missing
    assert "expected a smaller game" in knowledge(find_game("mnk:6,6,4")).missing


@pytest.mark.parametrize(("name", "plies"), [("tictactoe", 6), ("achi", 6), ("mnk:4,4,3", 4)])
def test_the_best_moves_are_those_that_nothing_beats(name: str, plies: int) -> None:
    game, random = find_game(name), Random(name)
    position = game.start()
    for _ in range(plies):
        answer = knowledge(game).ask(position)
        best = knowledge(game).best(position)
        ranks = {one.move: one.rank for one in answer.moves}
        assert set(best) == {move for move, rank in ranks.items() if rank == max(ranks.values())}
        others = [move for move in ranks if move not in best]
        if others:
            most = max(ranks[move] for move in others)
            second = knowledge(game).best(position, among=others)
            assert set(second) == {move for move in others if ranks[move] == most}
        position = game.after(position, random.choice(best))
        if game.over(position) is not None:
            break


def test_at_qubic_any_cells_have_a_best_among_them() -> None:
    game, random = find_game("qubic"), Random(1)
    position = game.play("1a1", "4d1", "1b1", "4d2")
    moves = game.moves(position)
    for size in (1, 2, 5, len(moves)):
        some = random.sample(moves, size)
        assert knowledge(game).best(position, among=some)[0] in some


def three_times(position: Position, game: Game) -> tuple[Position, ...]:
    """A game that has been at the position a best move leads to twice already."""
    best = knowledge(game).best(position)[0]
    after = game.after(position, best)
    return (after, position, after)


def test_a_third_time_is_a_draw_whatever_the_solution_says() -> None:
    game = find_game("arabian")
    random, won = Random(3), 0
    while won < 20:
        position = random.choice(_positions(game))
        if game.over(position) is not None or solve(game).value(position).outcome is not Outcome.WIN:
            continue
        if solve(game).value(position).remoteness == 1:
            continue
        won += 1
        history = three_times(position, game)
        told = {one.position: one.value for one in knowledge(game).ask(position, history).moves}
        assert told[history[0]].outcome is Outcome.DRAW
        once = {one.position: one.value for one in knowledge(game).ask(position, history[1:]).moves}
        assert once[history[0]] == solve(game).value(position)


def _positions(game: Game) -> list[Position]:
    return list(solve(game).positions())[-2000:]


def test_among_equals_a_move_that_repeats_nothing_comes_first() -> None:
    game = find_game("arabian")
    random, tried = Random(4), 0
    while tried < 20:
        position = random.choice(_positions(game))
        if game.over(position) is not None:
            continue
        best = knowledge(game).best(position)
        if len(best) < 2:
            continue
        tried += 1
        seen = game.after(position, best[0])
        assert best[0] not in knowledge(game).best(position, (seen,))
        everything = tuple(game.after(position, move) for move in best)
        assert knowledge(game).best(position, everything) == best


def test_search_counts_a_repetition_as_a_draw_to_whoever_is_ahead_and_to_whoever_is_behind() -> None:
    ahead = NINE.read("X.X/X../.X./.X..O./XXO/.OX/.OX x")
    plain = rate_moves(NINE, ahead, nodes=5_000)
    assert plain.value == UNKNOWN
    assert (plain.moves[0].estimate or 0) > 0
    seen = plain.moves[0].position
    minded = rate_moves(NINE, ahead, (seen,), nodes=5_000)
    assert next(one.estimate for one in minded.moves if one.position == seen) == 0
    assert minded.moves[0].position != seen
    replies = rate_moves(NINE, seen, nodes=5_000)
    again = rate_moves(NINE, seen, (replies.moves[-1].position,), nodes=5_000)
    assert again.moves[0].position == replies.moves[-1].position


def test_many_who_ask_for_one_solution_at_once_get_the_same_one() -> None:
    game = find_game("mnk:2,5,4")
    solved: list[Solution] = []
    together = Barrier(8)

    def ask() -> None:
        together.wait()
        solved.append(solve(game))

    threads = [Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(one) for one in solved}) == 1


def test_the_solutions_used_latest_are_kept() -> None:
    first, second = solve(find_game("mnk:2,1,2")), solve(find_game("mnk:3,1,2"))
    for cells in range(4, 3 + small.MOST_KEPT):
        assert solve(find_game("mnk:2,1,2")) is first
        solve(find_game(f"mnk:{cells},1,2"))
    assert solve(find_game("mnk:3,1,2")) is not second


def test_as_far_as_the_book_goes_no_server_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_TABLES", "http://127.0.0.1:9/")
    assert knowledge(SIX).ask(SIX.start()).source is Source.BOOK
