"""What is said of Qubic positions is true: chains win, the book wins, and the rest is unknown."""

from random import Random

import numpy as np
import pytest

from noughts.games import Game, Move, Position
from noughts.games import game as find_game
from noughts.players import player
from noughts.solve import knowledge
from noughts.solve.at_once import winning_points
from noughts.solve.qubic.chains import find_win
from noughts.solve.qubic.check import completing, unfolded
from noughts.solve.qubic.dictionary import shipped_dictionary
from noughts.solve.qubic.known import BUDGET, book_move, chain, examine

pytestmark = pytest.mark.slow

GAME = find_game("qubic")


def replay(game: Game, position: Position, moves: tuple[int, ...]) -> bool:
    """Whether these moves win, whatever forced reply is made to each."""
    side = position.turn
    for move in moves:
        stops = winning_points(game, position, 1 - side)
        if stops and stops != 1 << move and not winning_points(game, position, side) >> move & 1:
            return False
        position = game.after(position, Move(move))
        if game.over(position) is not None:
            return True
        forced = winning_points(game, position, side)
        if forced.bit_count() > 1:
            return not winning_points(game, position, 1 - side)
        if not forced:
            return False
        position = game.after(position, Move(forced.bit_length() - 1))
    return False


def random_position(seed: int, plies: int) -> Position:
    random = Random(seed)
    position = GAME.start()
    for _ in range(plies):
        moves = [move for move in GAME.moves(position) if GAME.over(GAME.after(position, move)) is None]
        position = GAME.after(position, random.choice(moves))
    return position


def test_chains_win_when_replayed() -> None:
    found = 0
    for seed in range(200):
        position = random_position(seed, 14 + seed % 6)
        finding = examine(GAME, position)
        if finding.threats:
            found += 1
            assert finding.value.outcome == "win"
            assert replay(GAME, position, finding.threats)
    assert found > 50


def test_the_empty_board_is_won_and_known_to_be() -> None:
    answer = knowledge(GAME).ask(GAME.start())
    assert str(answer.value) == "win"
    assert answer.reason == "first player wins (proved)"
    assert book_move(GAME.start()) is not None
    assert answer.moves[0].value == answer.value
    assert len([rated for rated in answer.moves if rated.value == answer.value]) in (16, 48)


@pytest.mark.parametrize("seed", range(6))
def test_along_the_proof_every_position_is_known(seed: int) -> None:
    """The first player's side of the certificate, against a defender who blocks and otherwise plays at random."""
    random = Random(seed)
    position = GAME.start()
    perfect = player("perfect", seed)
    while GAME.over(position) is None:
        finding = examine(GAME, position)
        assert finding.value.outcome == ("win" if position.turn == 0 else "loss"), GAME.write(position)
        if position.turn == 0:
            position = GAME.after(position, perfect.choose(GAME, position).move)
        else:
            stops = winning_points(GAME, position, 0)
            moves = GAME.moves(position)
            wanted = [move for move in moves if move.to is not None and stops >> move.to & 1]
            position = GAME.after(position, random.choice(wanted or moves))
    assert position.turn == 1


def test_off_the_proof_the_unknown_is_called_unknown() -> None:
    """After a beginning that the certificate does not use, nothing is claimed."""
    position = GAME.play("1b1", "2c3")
    assert examine(GAME, position).value.outcome == "unknown"


def test_resisting_leaves_no_chain_if_it_can_be_helped() -> None:
    avoided = 0
    for seed in range(60):
        position = random_position(seed, 11 + seed % 4)
        if chain(position, position.turn) or winning_points(GAME, position, 1 - position.turn):
            continue
        best = GAME.after(position, knowledge(GAME).best(position)[0])
        every = [GAME.after(position, move) for move in GAME.moves(position)]
        can_avoid = any(chain(then, then.turn, 2_000) is None for then in every)
        assert (chain(best, best.turn, 2_000) is None) == can_avoid
        avoided += can_avoid
    assert avoided > 10


@pytest.mark.parametrize("opponent", ["random", "basic2", "basic3", "basicf", "perfect"])
def test_moving_first_perfect_always_wins(opponent: str) -> None:
    for seed in range(2 if opponent == "perfect" else 8):
        seats = player("perfect", seed), player(opponent, seed)
        position = GAME.start()
        while GAME.moves(position):
            position = GAME.after(position, seats[position.turn].choose(GAME, position).move)
        assert GAME.over(position) == "loss"
        assert position.turn == 1


def test_every_chain_that_the_certificate_leaves_out_is_found_within_the_budget() -> None:
    """Else `perfect` would not know what to do at the end of a line of the proof."""
    book = unfolded(shipped_dictionary())
    waiting, seen, leaves = [(0, 0)], set(), 0
    while waiting:
        x, o = waiting.pop()
        if completing(np.uint64(x), np.uint64(o)):
            continue
        stops = int(completing(np.uint64(o), np.uint64(x)))
        number, move = book.get((x, o), (None, stops.bit_length() - 1))
        if not stops and number is None:
            leaves += 1
            assert find_win(x, o, BUDGET), (x, o)
        elif (mark := (x, o) if stops else number) not in seen:
            seen.add(mark)
            after = x | (stops or 1 << move)
            waiting += [(after, o | 1 << cell) for cell in range(64) if not (after | o) >> cell & 1]
    assert leaves > 100_000
