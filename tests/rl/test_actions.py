"""Every move has one number, every number is a move of some position, and the planes show what the notation says."""

import copy
import pickle
from itertools import permutations
from random import Random

import numpy as np
import pytest

from catalogue_names import ACHI, EVERY, MORRIS
from noughts.games import Game, Move, Position, game
from noughts.games.points import members, point_set
from noughts.rl.actions import UnknownActionError, actions
from noughts.rl.observation import observe, sight
from noughts.solve import solve
from oracles.rules import oracle


def sampled(of: Game, plies: int, seed: int = 1) -> list[Position]:
    """The positions of games at random."""
    random = Random(seed)
    found, position = [], of.start()
    for _ in range(plies):
        found.append(position)
        moves = of.moves(position)
        position = of.after(position, random.choice(moves)) if moves else of.start()
    return found


@pytest.mark.parametrize("name", EVERY)
def test_every_legal_move_has_one_number_and_the_mask_shows_exactly_those(name: str) -> None:
    numbered = actions(game(name))
    assert len(set(numbered.moves)) == len(numbered)
    for position in sampled(numbered.game, 30 if len(numbered) > 1000 else 90):
        moves = numbered.game.moves(position)
        assert [numbered.move(numbered.number(move)) for move in moves] == moves
        mask = numbered.mask(position)
        assert mask.dtype == np.int8
        assert mask.shape == (len(numbered),)
        assert {numbered.moves[action] for action in np.flatnonzero(mask)} == set(moves)
        assert mask.sum() == len(moves)


@pytest.mark.parametrize("name", ["tictactoe", "arabian", "three-mens-morris", *ACHI[::7]])
def test_every_number_is_legal_in_some_position_of_a_solved_game(name: str) -> None:
    numbered = actions(game(name))
    used: set[int] = set()
    for position in solve(numbered.game).positions():
        used.update(numbered.legal(position), numbered.legal(position.swapped()) if name != "tictactoe" else ())
        if len(used) == len(numbered):
            return
    raise AssertionError(f"never legal: {sorted(set(range(len(numbered))) - used)}")


@pytest.mark.parametrize("name", MORRIS)
def test_every_capture_that_is_numbered_can_happen(name: str) -> None:
    """A line that lacks one stone, and the captured one with two others that make no mill: that move takes it."""
    morris = game(name)
    layout = morris.layout
    for move in Random(2).sample([move for move in actions(morris).moves if move.capture is not None], 300):
        assert move.to is not None
        assert move.capture is not None
        left = 0 if move.source is None else 1 << move.source
        line = next(one for one in layout.lines_through[move.to] if not one & (left | 1 << move.capture))
        own = line & ~(1 << move.to) | left
        free = members(layout.everywhere & ~(own | line | 1 << move.capture))
        other = next(
            taken for pair in permutations(free, 2) if not layout.has_row(taken := point_set((move.capture, *pair)))
        )
        hand = (1, 1) if move.source is None else (0, 0)
        assert move in morris.moves(Position((own, other), hand, 0))


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("tictactoe", 9),
        ("mnk:19,19,5", 361),
        ("qubic", 64),
        ("arabian", 9 + 9 * 8),
        ("three-mens-morris", 9 + 2 * (12 + 4)),
        ("achi:adjacency=orthogonal,blocked=passes", 9 + 2 * 12 + 1),
        # Two lines through every point. A stone that comes from elsewhere takes any of 22; one that leaves one of the
        # two lines (from 4 of the 23 points) can only close the other, and takes any stone that is not on that.
        ("nine-mens-morris", 24 + 24 * 23 + 24 * 23 + 24 * (19 * 22 + 4 * 20)),
    ],
)
def test_the_numbers_of_actions_are_those_that_counting_on_paper_gives(name: str, count: int) -> None:
    assert len(actions(game(name))) == count


def test_placing_games_number_their_moves_as_they_number_their_points() -> None:
    board = game("mnk:7,5,4")
    assert actions(board).names == board.layout.points


def test_a_copy_of_the_numbers_is_the_numbers_themselves() -> None:
    numbered = actions(game("nine-mens-morris"))
    assert copy.deepcopy(numbered) is numbered
    assert pickle.loads(pickle.dumps(numbered)) is numbered
    assert len(pickle.dumps(numbered)) < 200


def test_a_number_or_a_move_that_the_game_does_not_have_is_refused_in_one_line() -> None:
    numbered = actions(game("achi"))
    for wrong in (41, -1, 2.5, "4", None, np.array([4]), 10**30):
        with pytest.raises(UnknownActionError, match="is no action of achi: expected a number from 0 to 40"):
            numbered.move(wrong)  # type: ignore[arg-type]
    assert numbered.move(np.array(4)) == Move(4)
    with pytest.raises(UnknownActionError, match="'a1-c3' is no move of achi"):
        numbered.number(Move(8, 0))


@pytest.mark.parametrize("name", [*EVERY[:8], "arabian", "achi", *MORRIS])
def test_the_planes_show_the_stones_where_the_oracle_writes_them(name: str) -> None:
    of, judge = game(name), oracle(name)
    form = sight(of)
    grid = form.shape[:-1]
    for position in sampled(of, 12, seed=3):
        state = judge.read(of.write(position))
        for side, own in enumerate("XO"):
            seen = observe(of, position, side)
            assert seen.dtype == np.int8
            assert seen.shape == form.shape
            assert (seen <= form.highest).all()
            for plane, letter in enumerate((own, "XO".replace(own, ""))):
                expected = np.zeros(grid, np.int8)
                for point, stone in judge.stones(state).items():
                    level, column, row = (
                        (point[0], point[1], point[2:]) if len(grid) == 3 else ("1", point[0], point[1:])
                    )
                    place = (int(level) - 1, int(row) - 1, ord(column) - ord("a"))
                    expected[place[-len(grid) :]] = stone == letter
                assert (seen[..., plane] == expected).all()
            if not of.placing_only:
                assert (seen[..., 2] == state.hands[side]).all()
                assert (seen[..., 3] == state.hands[1 - side]).all()


def test_the_shapes_are_rows_columns_planes() -> None:
    shapes = {name: sight(game(name)).shape for name in ("tictactoe", "mnk:7,5,4", "qubic", "achi", *MORRIS[:3])}
    assert shapes == {
        "tictactoe": (3, 3, 2),
        "mnk:7,5,4": (5, 7, 2),
        "qubic": (4, 4, 4, 2),
        "achi": (3, 3, 4),
        "six-mens-morris": (5, 5, 4),
        "nine-mens-morris": (7, 7, 4),
        "seven-mens-morris": (5, 5, 4),
    }
