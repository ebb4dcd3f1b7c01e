"""Puzzles at the keyboard, driven through a pipe."""

import json
from datetime import UTC, datetime

import pytest

from keyboard import Played, played
from noughts.games import game as find_game
from noughts.insight.puzzles import THEMES, Puzzle, puzzle_of, puzzle_of_the_day, puzzles_of

GAME = find_game("tictactoe")
FORK = next(one for one in puzzles_of(GAME) if one.theme == "fork" and len(one.solution) == 1)
RIGHT = GAME.write_move(FORK.solution[0])
WRONG = next(GAME.write_move(move) for move in GAME.moves(FORK.position) if move not in FORK.solution)


def puzzled(keys: str, *arguments: str, **environment: str) -> Played:
    return played(keys, *arguments, command="puzzle", **environment)


def test_a_wrong_move_is_refuted_on_the_board_and_a_right_one_leads_on_to_the_win() -> None:
    done = puzzled(f"{WRONG}\n{RIGHT}\nmoves\nquit\n", "tictactoe", "--number", str(FORK.number))
    assert done.returncode == 0
    assert done.stderr == ""
    assert f"puzzle {FORK.number} of {len(puzzles_of(GAME))}" in done.stdout
    assert FORK.task in done.stdout
    assert f"Not {WRONG}. It gives the win away" in done.stdout
    assert f"Right: {RIGHT}. It makes a fork" in done.stdout
    boards = done.stdout.count("┌───┬───┬───┐")
    assert boards == 4, "the position, the refutation, the position again, the position after the answer"
    assert done.stdout.endswith("Goodbye.\n")


def test_hints_the_solution_and_the_next_puzzle() -> None:
    done = puzzled("hint\nhint\nsolution\ny\nnext\nhelp\nb9\n", "tictactoe", "--number", str(FORK.number))
    assert done.stdout.count("Hint: make a fork.") == 2
    assert f"It begins at {RIGHT}." in done.stdout
    assert f"Solution: {RIGHT}. It makes a fork" in done.stdout
    for number in (1, 2):
        assert f"puzzle {FORK.number + number} of" in done.stdout
    assert "give up, and see it" in done.stdout
    assert "'b9' is not a point of this board" in done.stdout
    assert done.returncode == 0


def test_one_move_holds_a_draw_and_that_is_all() -> None:
    draw = next(one for one in puzzles_of(GAME) if not one.won)
    done = puzzled(f"{GAME.write_move(draw.solution[0])}\nn\n", "tictactoe", "--number", str(draw.number))
    assert "Solved." in done.stdout
    assert "Next puzzle? (y/n) n" in done.stdout


def parsed(done: Played) -> Puzzle:
    found = json.loads(done.stdout)
    return puzzle_of(find_game(found["game"]), found["number"])


def test_for_programs_one_puzzle_as_json() -> None:
    assert parsed(puzzled("", "tictactoe", "--number", "3", "--json")) == puzzles_of(GAME)[2]
    quiet = parsed(puzzled("", "--theme", "quiet", "--json"))
    assert quiet.theme == "quiet"
    before = puzzle_of_the_day(datetime.now(UTC).date())
    found = [parsed(puzzled("", *words, "--json")) for words in ((), ("--today",))]
    assert found[0] in (before, puzzle_of_the_day(datetime.now(UTC).date()))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("tictactoe", "--number", "99"), "99 is not a puzzle of tictactoe: expected a number from 1 to"),
        (("tictactoe", "--number", "0"), "'0' is not a whole number from 1 to"),
        (("mnk:3,3,2",), "there are no puzzles of 'mnk:3,3,2': expected one of tictactoe"),
        (("--theme", "sacrifice"), f"'sacrifice' is not a theme: expected one of {', '.join(THEMES)}"),
        (("achi", "--theme", "chain"), "achi has no puzzles of the theme 'chain': expected one of win"),
        (("achi", "--today"), "--today does not go with a game"),
        (("--number", "3"), "--number 3 needs a game"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(arguments: tuple[str, ...], words: str) -> None:
    done = puzzled("", *arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
