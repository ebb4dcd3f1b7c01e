"""The engine's record of a position says what the rules say, after every move and after taking it back."""

from random import Random

import numpy as np
import pytest

from catalogue_names import EVERY
from noughts.games import Game, Outcome, Position
from noughts.games import game as find_game
from noughts.games.symmetry import apply
from noughts.solve.engine.state import (
    DRAWN,
    GOES_ON,
    LOST,
    MOST_MOVES,
    TYPE,
    canonical,
    do,
    end_of,
    generate,
    new_state,
    pack,
    seen_as,
    undo,
    unpack,
)

pytestmark = pytest.mark.slow

ENDS = {None: GOES_ON, Outcome.LOSS: LOST, Outcome.DRAW: DRAWN}


def differing(one: np.ndarray, other: np.ndarray) -> list[str]:
    return [name for name in TYPE.names or () if not np.array_equal(one[name], other[name])]


@pytest.mark.parametrize("name", [*EVERY, "mnk:2,2,2", "mnk:1,1,1", "mnk:4,3,1", "mnk:19,19,19"])
def test_moves_and_ends_are_those_of_the_rules(name: str) -> None:
    game, random = find_game(name), Random(name)
    moves = np.zeros(MOST_MOVES, np.int64)
    for _ in range(3):
        position, ply = game.start(), 0
        state = new_state(game, position)
        while game.over(position) is None and ply < 80:
            ply += 1
            assert end_of(state[0]) == GOES_ON
            legal = game.moves(position)
            count = generate(state[0], moves)
            assert sorted(map(pack, legal)) == sorted(moves[:count].tolist()), game.write(position)
            move = random.choice(legal)
            assert unpack(pack(move)) == move
            before = state.copy()
            do(state[0], pack(move))
            undo(state[0], pack(move))
            assert not differing(before, state)
            do(state[0], pack(move))
            position = game.after(position, move)
            assert not differing(new_state(game, position), state), "not what the position alone gives"
        assert end_of(state[0]) == ENDS[game.over(position)]


def threats_by_hand(game: Game, position: Position, side: int) -> tuple[int, int, int]:
    """The points that fill a line, their sum, and the points that leave one to fill: by looking at every line."""
    own, other = position.stones[side], position.stones[1 - side]
    fills: set[int] = set()
    fours: set[int] = set()
    for line in game.layout.lines:
        mine = [point for point in line if own >> point & 1]
        if any(other >> point & 1 for point in line):
            continue
        left = [point for point in line if point not in mine]
        if len(left) == 1:
            fills.update(left)
        if len(left) == 2:
            fours.update(left)
    return len(fills), sum(fills), len(fours)


@pytest.mark.parametrize("name", ["tictactoe", "qubic", "mnk:9,9,5", "mnk:6,5,4"])
def test_threats_are_counted_right(name: str) -> None:
    game, random = find_game(name), Random(name)
    seen = 0
    for _ in range(5):
        position = game.start()
        while game.over(position) is None:
            record = new_state(game, position)[0]
            for side in (0, 1):
                expected = threats_by_hand(game, position, side)
                assert (record["wins"][side], record["win_sum"][side], record["fours"][side]) == expected
                seen += expected[0]
            position = game.after(position, random.choice(game.moves(position)))
    assert seen


@pytest.mark.parametrize("name", ["tictactoe", "square4", "mnk:7,3,3", "achi", "nine-mens-morris"])
def test_positions_that_are_alike_have_one_key(name: str) -> None:
    game, random = find_game(name), Random(name)
    keys: dict[int, Position] = {}
    position = game.start()
    for _ in range(12):
        if game.over(position) is not None:
            break
        state = new_state(game, position)[0]
        key = int(state["keys"][canonical(state)])
        assert key not in keys, "two classes with one key"
        keys[key] = position
        for number in range(int(state["symmetries"])):
            symmetry = tuple(int(point) for point in state["images"][number, : len(game.layout)])
            x, o = (apply(symmetry, stones) for stones in position.stones)
            other = new_state(game, position._replace(stones=(x, o)))[0]
            assert int(other["keys"][canonical(other)]) == key
            for move in game.moves(position):
                image = seen_as(state, number, pack(move))
                assert unpack(seen_as(state, int(state["inverse"][number]), image)) == move
        position = game.after(position, random.choice(game.moves(position)))
    assert len(keys) > 3
