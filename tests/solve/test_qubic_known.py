"""What is said of Qubic positions is true: chains win, the book wins, and the rest is unknown."""

from random import Random

import pytest

from noughts.games import Game, Move, Position, game
from noughts.games.points import members
from noughts.players import player
from noughts.solve import knowledge
from noughts.solve.qubic.check import unfolded
from noughts.solve.qubic.dictionary import shipped_dictionary
from noughts.solve.qubic.known import book_move, chain, examine, resist
from noughts.solve.search import winning_points

RULES = game("qubic")


def replay(rules: Game, position: Position, moves: tuple[int, ...]) -> bool:
    """Whether these moves win, whatever forced reply is made to each."""
    side = position.turn
    for move in moves:
        stops = winning_points(rules, position, 1 - side)
        if stops and stops != 1 << move and not winning_points(rules, position, side) >> move & 1:
            return False
        position = rules.after(position, Move(move))
        if rules.over(position) is not None:
            return True
        forced = winning_points(rules, position, side)
        if forced.bit_count() > 1:
            return not winning_points(rules, position, 1 - side)
        if not forced:
            return False
        position = rules.after(position, Move(forced.bit_length() - 1))
    return False


def random_position(seed: int, plies: int) -> Position:
    random = Random(seed)
    position = RULES.start()
    for _ in range(plies):
        moves = [move for move in RULES.moves(position) if RULES.over(RULES.after(position, move)) is None]
        position = RULES.after(position, random.choice(moves))
    return position


def test_chains_win_when_replayed() -> None:
    found = 0
    for seed in range(200):
        position = random_position(seed, 14 + seed % 6)
        finding = examine(RULES, position)
        if finding.threats:
            found += 1
            assert finding.value.outcome == "win"
            assert replay(RULES, position, finding.threats)
    assert found > 50


def test_the_empty_board_is_won_and_known_to_be() -> None:
    answer = knowledge(RULES).ask(RULES.start())
    assert str(answer.value) == "win"
    assert answer.reason == "first player wins (proved)"
    assert book_move(RULES.start()) is not None
    assert answer.moves[0].value == answer.value
    assert len([rated for rated in answer.moves if rated.value == answer.value]) in (16, 48)


@pytest.mark.parametrize("seed", range(6))
def test_along_the_proof_every_position_is_known(seed: int) -> None:
    """The first player's side of the certificate, against a defender who blocks and otherwise plays at random."""
    random = Random(seed)
    position = RULES.start()
    perfect = player("perfect", seed)
    while RULES.over(position) is None:
        finding = examine(RULES, position)
        assert finding.value.outcome == ("win" if position.turn == 0 else "loss"), RULES.write(position)
        if position.turn == 0:
            position = RULES.after(position, perfect.choose(RULES, position).move)
        else:
            stops = winning_points(RULES, position, 0)
            moves = RULES.moves(position)
            wanted = [move for move in moves if move.to is not None and stops >> move.to & 1]
            position = RULES.after(position, random.choice(wanted or moves))
    assert position.turn == 1


def test_off_the_proof_the_unknown_is_called_unknown() -> None:
    """After a beginning that the certificate does not use, nothing is claimed."""
    position = RULES.play("1b1", "2c3")
    assert examine(RULES, position).value.outcome == "unknown"


def test_resisting_leaves_no_chain_if_it_can_be_helped() -> None:
    avoided = 0
    for seed in range(120):
        position = random_position(seed, 11 + seed % 4)
        if chain(position, position.turn) or winning_points(RULES, position, 1 - position.turn):
            continue
        cells = resist(RULES, position)
        best = RULES.after(position, Move(cells[0]))
        every = [RULES.after(position, move) for move in RULES.moves(position)]
        can_avoid = any(chain(then, then.turn, 2_000) is None for then in every)
        assert (chain(best, best.turn, 2_000) is None) == can_avoid
        avoided += can_avoid
    assert avoided > 20


@pytest.mark.parametrize("opponent", ["random", "basic2", "basic3", "basicf", "perfect"])
def test_moving_first_perfect_always_wins(opponent: str) -> None:
    for seed in range(8):
        seats = player("perfect", seed), player(opponent, seed)
        position = RULES.start()
        while RULES.moves(position):
            position = RULES.after(position, seats[position.turn].choose(RULES, position).move)
        assert RULES.over(position) == "loss"
        assert position.turn == 1


def test_every_chain_that_the_certificate_leaves_out_is_found_within_the_budget() -> None:
    """Else `perfect` would not know what to do at the end of a line of the proof."""
    book = unfolded(shipped_dictionary())
    waiting, seen, leaves = [RULES.start()], set(), 0
    while waiting:
        position = waiting.pop()
        if winning_points(RULES, position, 0):
            continue
        stops = winning_points(RULES, position, 1)
        number, move = book.get(position.stones, (None, stops.bit_length() - 1))
        if not stops and number is None:
            leaves += 1
            assert chain(position, 0), RULES.write(position)
        elif (mark := position.stones if stops else number) not in seen:
            seen.add(mark)
            after = RULES.after(position, Move(stops.bit_length() - 1 if stops else move))
            waiting += [RULES.after(after, Move(cell)) for cell in members(RULES.layout.everywhere & ~after.occupied)]
    assert leaves > 100_000
