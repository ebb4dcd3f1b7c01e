"""Chains of threats at Qubic, against a plain search that follows the definition word for word."""

from functools import cache
from random import Random

import pytest

from noughts.games import game
from noughts.games.points import members
from noughts.solve.qubic.chains import BudgetSpentError, ThreatWin, find_win

LINES = game("qubic").layout.line_sets
CELLS = range(64)


def completing(stones: int, others: int) -> set[int]:
    """The empty cells on which these stones become four in a line."""
    return {
        (line & ~stones).bit_length() - 1 for line in LINES if not line & others and (line & stones).bit_count() == 3
    }


@cache
def chain_exists(attacker: int, defender: int) -> bool:
    """Whether the attacker, to move, wins by an unbroken chain of threats."""
    if completing(attacker, defender):
        return True
    must = completing(defender, attacker)
    empty = set(members(~(attacker | defender) & (1 << 64) - 1))
    for cell in empty if not must else must if len(must) == 1 else set():
        after = attacker | 1 << cell
        threatened = completing(after, defender)
        if len(threatened) > 1:
            return True
        if len(threatened) == 1 and chain_exists(after, defender | 1 << threatened.pop()):
            return True
    return False


def random_position(random: Random, stones: int) -> tuple[int, int]:
    """The stones of the player to move and the other's, after random moves that take and stop fours."""
    while True:
        mover, other = 0, 0
        for _ in range(stones):
            if completing(mover, other):
                break
            must = sorted(completing(other, mover))
            free = [cell for cell in CELLS if not (mover | other) >> cell & 1]
            mover, other = other, mover | 1 << random.choice(must or free)
        else:
            return mover, other


POSITIONS = [random_position(Random(1000 * stones + k), stones) for stones in range(8, 21) for k in range(30)]


def replay(attacker: int, defender: int, moves: tuple[int, ...]) -> None:
    """Play a chain out, asserting that it is one."""
    for at, move in enumerate(moves):
        assert not (attacker | defender) >> move & 1
        wins, must = completing(attacker, defender), completing(defender, attacker)
        assert move in wins or not must or must == {move}
        attacker |= 1 << move
        threatened = completing(attacker, defender)
        if at == len(moves) - 1:
            assert move in wins or len(threatened) > 1
        else:
            assert not wins
            assert len(threatened) == 1
            defender |= 1 << threatened.pop()


def test_it_finds_a_chain_exactly_where_there_is_one() -> None:
    found = 0
    for attacker, defender in POSITIONS:
        win = find_win(attacker, defender)
        assert (win is not None) == chain_exists(attacker, defender), (attacker, defender)
        found += win is not None
    assert 50 < found < len(POSITIONS) - 50


def test_its_chains_are_chains() -> None:
    long = 0
    for attacker, defender in POSITIONS:
        win = find_win(attacker, defender)
        if win is not None:
            replay(attacker, defender, win.moves)
            long += len(win.moves) > 3
    assert long > 10


def test_another_stone_of_the_defenders_never_helps_the_attacker() -> None:
    """So the proof need not search for chains after any reply, if there is none even without it.

    Unless that stone is the fourth in a line: such a position is over.
    """
    tried = 0
    for attacker, defender in POSITIONS:
        if not completing(defender, attacker) and find_win(attacker, defender) is None:
            for cell in members(~(attacker | defender) & (1 << 64) - 1):
                assert find_win(attacker, defender | 1 << cell) is None
                tried += 1
    assert tried > 5000


def test_a_refutation_found_once_does_not_mislead_later_searches() -> None:
    first = [find_win(*position) for position in POSITIONS]
    again = [find_win(*position) for position in POSITIONS]
    assert [win and win.moves for win in first] == [win and win.moves for win in again]


def test_four_at_once_needs_no_search() -> None:
    assert find_win(0b0111, 0b0111 << 16) == ThreatWin((3,), 0)


def test_a_defender_with_two_fours_at_hand_cannot_be_attacked() -> None:
    assert find_win(0b0011 << 32, 0b0111 | 0b0111 << 16) is None


def test_running_out_of_budget_is_neither_won_nor_refuted() -> None:
    attacker, defender = next(position for position in POSITIONS if (win := find_win(*position)) and len(win.moves) > 4)
    with pytest.raises(BudgetSpentError, match="2 threats"):
        find_win(attacker, defender, budget=2)
