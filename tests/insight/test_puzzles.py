"""Puzzles: what they are, by the solver and by the oracles' rules; the sets that come with Noughts; one a day."""

import importlib.util
import json
from collections import Counter
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest

from noughts.games import KINDS, Game, Outcome, Position
from noughts.games import game as find_game
from noughts.insight.puzzles import (
    FILE,
    GRADES,
    THEMES,
    NoPuzzleError,
    Puzzle,
    games_with_puzzles,
    judge,
    puzzle_at,
    puzzle_of,
    puzzle_of_the_day,
    puzzles_of,
)
from noughts.solve import UNKNOWN, Surety, knowledge
from noughts.solve.difficulty import difficulties
from noughts.solve.morris.endings import shipped_endings
from noughts.solve.morris.numbering import numbering_of
from noughts.solve.morris.table import Lookup
from oracles import oracle

MAKER = Path(__file__).parents[2] / "docs" / "make_puzzles.py"
NAMES = list(json.loads(FILE.read_text()))


def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_puzzles", MAKER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def at(name: str, text: str) -> Puzzle | None:
    game = find_game(name)
    return puzzle_at(game, game.read(text))


@pytest.mark.parametrize(
    ("name", "text", "moves", "theme", "grade"),
    [
        ("tictactoe", "XX./OO./...", "c1", "win", 1),
        ("tictactoe", "X.X/.O./...", "b1", "block", 1),
        ("tictactoe", "X../.../...", "b2", "hold", 3),  # any other reply loses, none of them at once
        ("tictactoe", "O../.X./..X", "c1 a3", "stop-fork", 2),
        ("three-mens-morris", "X.X/.O./X.O o 0,1", "b1 a2", "hold", 2),  # one step, mirrored
        ("six-mens-morris", "XXX/OOO/.XXO/.../.O. x", "a1-a3", "open", 2),
        ("six-mens-morris", ".XX/O.X/XOO./OXO/... x", "c1-c2", "quiet", 5),
        ("nine-mens-morris", "X../.../.../XOX.../O../.O./... x 6,6", "a7xb4 a7xd6", "capture", 2),
    ],
)
def test_themes_and_grades(name: str, text: str, moves: str, theme: str, grade: int) -> None:
    found = at(name, text)
    assert found is not None
    assert " ".join(found.as_json()["solution"]) == moves
    assert (found.theme, found.grade) == (theme, grade)


@pytest.mark.parametrize(
    ("name", "text", "why_not"),
    [
        ("tictactoe", ".../.../...", "all moves draw"),
        ("tictactoe", "X.X/.O./X.O", "lost"),
        ("tictactoe", "XX./XO./.OO", "two moves win that no symmetry takes to one another"),
        ("tictactoe", "XOX/XXO/O.O", "there is only one move"),
    ],
)
def test_what_is_not_a_puzzle(name: str, text: str, why_not: str) -> None:
    assert at(name, text) is None, why_not


def test_where_a_move_is_not_proved_there_is_no_puzzle() -> None:
    game = find_game("tictactoe")
    here = game.read("XX./OO./...")
    known = knowledge(game).ask(here)
    assert puzzle_at(game, here, known) is not None
    doubtful = [*known.moves[:-1], known.moves[-1]._replace(value=UNKNOWN)]
    assert puzzle_at(game, here, known._replace(moves=doubtful)) is None


def test_a_slow_win_is_not_wrong() -> None:
    game = find_game("tictactoe")
    here = game.read("X.O/.X./..O")
    winning = [one for one in knowledge(game).ask(here).moves if one.value.outcome is Outcome.WIN]
    found = puzzle_at(game, here)
    assert (found is None) == (len(winning) > 1)


def test_every_game_of_which_enough_is_known_has_twenty_and_up_to_sixty() -> None:
    morris = {kind.base for kind in KINDS if find_game(kind.example).rules.captures}
    without = (morris - {"six-mens-morris", "nine-mens-morris"}) | {"tapatan", "nine-holes"}
    assert {kind.base for kind in KINDS} - without == {game.name.partition(":")[0] for game in games_with_puzzles()}
    for game in games_with_puzzles():
        assert 20 <= len(puzzles_of(game)) <= 60, game.name
        grades = [puzzle.grade for puzzle in puzzles_of(game)]
        assert grades == sorted(grades), "easy ones come first"
        assert len(set(grades)) >= 4, game.name
    assert any(puzzle.theme == "chain" for puzzle in puzzles_of(find_game("qubic")))
    nine = Counter(puzzle.theme for puzzle in puzzles_of(find_game("nine-mens-morris")))
    assert min(nine[theme] for theme in ("mill", "capture", "block", "quiet", "open", "force", "hold")) >= 2


@pytest.mark.parametrize("name", NAMES)
def test_every_puzzle_has_one_step_that_keeps_the_value_by_the_solver(name: str) -> None:
    game, rules = find_game(name), oracle(name)
    for puzzle in puzzles_of(game):
        text = game.write(puzzle.position)
        known = knowledge(game).ask(puzzle.position)
        assert known.surety >= Surety.EXACT
        assert all(one.value.outcome is not Outcome.UNKNOWN for one in known.moves), text
        assert sorted(game.write_move(one.move) for one in known.moves) == sorted(rules.moves(rules.read(text)))
        keeping = {one.move for one in known.moves if one.value.outcome is known.value.outcome}
        assert keeping == set(puzzle.solution), text
        assert known.value.outcome is puzzle.value is not Outcome.LOSS
        assert len({landing(game, puzzle.position, move.source, move.to) for move in keeping}) == 1, text
        again = puzzle_at(game, puzzle.position, known)
        assert again is not None
        assert again._replace(number=puzzle.number) == puzzle


def landing(game: Game, position: Position, source: int | None, to: int | None) -> Position:
    """Where a step leads before anything is captured, up to symmetry."""
    stones = list(position.stones)
    stones[position.turn] ^= (1 << (to or 0)) | (0 if source is None else 1 << source)
    return game.canonical(position._replace(stones=(stones[0], stones[1])))


@pytest.mark.parametrize("name", NAMES)
def test_no_two_are_alike(name: str) -> None:
    game = find_game(name)
    seen: set[Position] = set()
    for puzzle in puzzles_of(game):
        assert puzzle.position not in seen, game.write(puzzle.position)
        seen |= game.images(puzzle.position) | game.images(puzzle.position.swapped())


def test_at_tictactoe_the_first_grade_is_knuths_difficulty_of_zero() -> None:
    game = find_game("tictactoe")
    appraised = difficulties(game)
    for puzzle in puzzles_of(game):
        assert (puzzle.grade == 1) == (appraised.appraise(puzzle.position).digits[0] == 0)


@pytest.mark.parametrize("name", ["tictactoe", "three-mens-morris"])
def test_the_file_is_what_the_command_makes(name: str) -> None:
    assert maker().made(name) == json.loads(FILE.read_text())[name]


def test_the_command_makes_the_games_of_the_file() -> None:
    assert list(maker().GAMES) == NAMES


def test_an_ending_drawn_by_lot_has_the_number_it_was_drawn_with() -> None:
    game = find_game("six-mens-morris")
    endings = shipped_endings(game)
    assert endings is not None
    values, lookup, module = endings.read(4, 3), Lookup(endings, numbering_of(game.layout)), maker()
    for slot in range(0, len(values), 997):
        own, other = module.ending(game, 4, 3, slot).stones
        assert lookup.byte(own, other) == values[slot]


def test_each_day_has_a_puzzle_and_the_next_day_another() -> None:
    first = date(2026, 1, 1)
    days = [puzzle_of_the_day(first + timedelta(day)) for day in range(400)]
    assert days == [puzzle_of_the_day(first + timedelta(day)) for day in range(400)]
    for today, tomorrow in pairwise(days):
        assert today.game is not tomorrow.game
    assert {puzzle.game for puzzle in days[:20]} == set(games_with_puzzles())


def test_over_the_years_every_puzzle_comes_up_before_one_comes_again() -> None:
    games = games_with_puzzles()
    for which, game in enumerate(games):
        count = len(puzzles_of(game))
        first = date.fromordinal(len(games) * 70_000 + which)
        numbers = [puzzle_of_the_day(first + timedelta(turn * len(games))).number for turn in range(count)]
        assert sorted(numbers) == list(range(1, count + 1)), game.name


def test_a_number_that_does_not_exist_is_named_with_what_was_expected() -> None:
    with pytest.raises(NoPuzzleError, match=r"999 is not a puzzle of tictactoe: expected a number from 1 to [0-9]+"):
        puzzle_of(find_game("tictactoe"), 999)
    with pytest.raises(NoPuzzleError, match="there are no puzzles of 'mnk:3,3,2': expected one of tictactoe, "):
        puzzle_of(find_game("mnk:3,3,2"), 1)


def test_words_for_every_theme_and_grade() -> None:
    assert len(GRADES) == 5
    for game in games_with_puzzles():
        assert all(puzzle.theme in THEMES and 1 <= puzzle.grade <= 5 for puzzle in puzzles_of(game))


def test_a_wrong_move_is_judged_with_its_refutation() -> None:
    game = find_game("tictactoe")
    here = game.read("X../.../...")
    found = judge(game, here, game.read_move(here, "b1"))
    assert found.keeps is False
    assert found.words.startswith("It gives the draw away: X can force a win")
    assert found.reply is not None
    after = game.after(game.after(here, game.read_move(here, "b1")), found.reply)
    assert knowledge(game).ask(after).value.outcome is Outcome.LOSS


def test_a_right_move_is_judged_with_the_best_defence() -> None:
    game = find_game("tictactoe")
    here = game.read("XO./.X./..O")
    found = judge(game, here, game.read_move(here, "a2"))
    assert (found.keeps, found.plies, found.made) == (True, 2, False)
    assert found.reply is not None
    last = judge(game, game.read("XX./OO./..."), game.read_move(game.read("XX./OO./..."), "c1"))
    assert (last.keeps, last.reply, last.made) == (True, None, True)


@pytest.mark.parametrize("name", ["tictactoe", "achi", "three-mens-morris", "nine-mens-morris"])
def test_every_win_can_be_played_out_until_its_point_is_made(name: str) -> None:
    game = find_game(name)
    for puzzle in puzzles_of(game):
        position, plies = puzzle.position, 0
        while True:
            best = knowledge(game).ask(position).moves[0]
            found = judge(game, position, best.move)
            assert found.keeps
            plies += 1
            if found.made:
                break
            assert found.reply is not None
            position = game.after(game.after(position, best.move), found.reply)
            plies += 1
        if puzzle.won and puzzle.plies is not None:
            assert plies == puzzle.plies
