"""The measurements of the engine: what they count is so, and the engine is ahead of those it is measured against."""

import pytest

from noughts.bench.engine import (
    Size,
    duel,
    engine_player,
    exact_outcomes,
    judge,
    measure,
    met,
    part_names,
    pattern_bot,
    tally,
)
from noughts.games import Game, Move, NoughtsError, Outcome, Position
from noughts.games import game as find_game
from noughts.games.playing import Playing

pytestmark = pytest.mark.slow


def test_the_pattern_bot_completes_its_rows_and_stops_others() -> None:
    game = find_game("mnk:6,6,4")
    playing = Playing.begin(game, game.play("c3", "a1", "c4", "a2", "c2", "e5"))
    assert game.write_move(pattern_bot(1)(playing)) in {"c1", "c5"}
    playing = Playing.begin(game, game.play("c3", "a1", "c4", "f2", "c2", "c1"))
    assert game.write_move(pattern_bot(1)(playing)) == "c5"


def test_at_fifteen_by_fifteen_the_engine_beats_the_pattern_bot() -> None:
    games = [duel("mnk:15,15,5", engine_player(None, 20_000), pattern_bot, number) for number in range(4)]
    assert tally(games).points >= 3


def test_points_go_to_the_winner_whatever_the_colour() -> None:
    one, other = engine_player(None, 1_000), engine_player(None, 2_000)
    games = [duel("mnk:5,5,3", one, other, number) for number in range(4)]  # whoever begins wins
    again = [duel("mnk:5,5,3", other, one, number) for number in range(4)]
    assert [game.wins for game in games] == [1, 0, 1, 0]
    assert tally(games).points + tally(again).points == 4
    assert tally(games).moves[0] == sum(game.moves[0] for game in games)


@pytest.mark.parametrize("name", ["tictactoe", "achi"])
def test_small_games_are_played_without_a_mistake(name: str) -> None:
    game = find_game(name)
    found = judge(game, met(game, engine_player(None, 20_000)(0), 40, seed=1))
    assert found.positions.total() >= 40
    assert found.contested.total() > 0
    assert (found.skipped, found.blunders.total()) == (0, 0)


def test_mistakes_are_counted_by_phase_and_kind() -> None:
    game = find_game("tictactoe")
    moves = [
        ("", "a1"),  # nothing to go wrong: every first move draws
        ("b2", "a1"),  # only corners draw
        ("b2", "b1"),
        ("b2", "a2"),
        ("b2 b1 a1", "c3"),  # nothing to go wrong any more: lost, whatever O plays
        ("b2 b1 a1 c2", "c3"),  # wins
        ("b2 b1 a1 c2", "c1"),  # wins, too: c3 and a3 are open
        ("b2 b1", "b3"),  # gives a won game away
    ]
    found = judge(game, [(_at(game, before), game.read_move(_at(game, before), move)) for before, move in moves])
    assert found.positions == {"placing": 8}
    assert found.contested == {"placing": 6}
    assert found.blunders == {("placing", "draw to loss"): 2, ("placing", "win to draw"): 1}
    assert found.examples["placing", "draw to loss"] == ".../.X./... b1"


def _at(game: Game, moves: str) -> Position:
    return game.play(*moves.split())


def test_a_player_that_errs_on_purpose_is_caught_each_time() -> None:
    game, errors = find_game("achi"), 0

    def choose(playing: Playing) -> Move:
        nonlocal errors
        values = exact_outcomes(game, playing.position)
        worst = min(values, key=lambda move: ["loss", "draw", "win"].index(values[move]))
        errors += len(set(values.values())) > 1
        return worst

    found = judge(game, met(game, choose, 60, seed=1))
    assert found.blunders.total() == found.contested.total() == errors > 0
    assert found.positions.total() >= 60


def test_positions_that_nobody_knows_are_skipped_and_counted() -> None:
    game = find_game("tictactoe")

    def outcomes(game: Game, position: Position) -> dict[Move, Outcome]:
        known = exact_outcomes(game, position)
        return known if position.occupied.bit_count() % 2 else dict.fromkeys(known, Outcome.UNKNOWN)

    moves = met(game, engine_player(None, 100)(0), 30, seed=1)
    found = judge(game, moves, outcomes)
    assert found.skipped == sum(position.occupied.bit_count() % 2 == 0 for position, _ in moves) > 0
    assert found.skipped + found.positions.total() == len(moves)


def test_games_in_other_processes_are_judged_here() -> None:
    asked = set()

    def outcomes(game: Game, position: Position) -> dict[Move, Outcome]:
        asked.add(position)  # a function that cannot be sent elsewhere
        return exact_outcomes(game, position)

    done = []
    rows = list(
        measure(
            Size(speeds=1, positions=30, games=1, holdings=1),
            lambda now, total: done.append((now, total)),
            ["kept:three-mens-morris", "pattern"],
            outcomes,
            processes=1,
        )
    )
    assert len(asked) > 10
    assert [row["what"] for row in rows if row["game"] == "mnk:15,15,5"] == ["points of 1 against the pattern bot"]
    assert rows[0]["what"] == "kept, % of all moves"
    assert rows[0]["figure"] == 100
    assert done == [(0, 2), (1, 2), (2, 2)]


def test_a_part_that_there_is_none_of_is_named() -> None:
    with pytest.raises(NoughtsError, match="'kept:chess' is nothing that can be measured here: expected speed, "):
        list(measure(parts=["kept:chess"]))
    assert {"speed", "qubic", "kept:mnk:5,4,4", "peer10:nine-mens-morris"} <= set(part_names())


def test_where_nothing_is_known_there_is_nothing_to_compare_with() -> None:
    (row,) = measure(parts=["kept:nine-mens-morris"])
    assert row["figure"] is None
    assert row["notes"].startswith("there is no whole table of it here; expected noughts solve nine-mens-morris")
