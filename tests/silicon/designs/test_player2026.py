"""The one-cycle players: what their gates choose, against the solutions of their games; and one of them at its pins."""

import pytest

from noughts.games import Outcome, Position, game
from noughts.silicon.designs.player2026 import GAMES, player
from noughts.silicon.designs.player2026.policy import Leaf, Node, changes, kept_logic, netlist_of, tree_of
from noughts.silicon.logic.netlist import simulate
from noughts.silicon.simulate.interpreted import Interpreted
from noughts.solve import solve


@pytest.mark.parametrize("name", GAMES)
def test_the_logic_keeps_the_value_wherever_it_leads_and_every_win_comes_nearer(name: str) -> None:
    """Walked with the netlist alone: the machine begins or the user does, who may do anything."""
    played, logic = game(name), kept_logic(game(name))
    solution, points = solve(played), len(played.layout)
    known: set[Position] = set()
    waiting = {played.start()} | {played.after(played.start(), move) for move in played.moves(played.start())}
    lost = 0
    while waiting:
        layer = sorted(waiting - known)
        known |= waiting
        # All positions of a layer go through the gates at once, a bit each.
        boards = [position.stones[position.turn] | position.stones[1 - position.turn] << points for position in layer]
        words = [sum((board >> bit & 1) << number for number, board in enumerate(boards)) for bit in range(2 * points)]
        out = simulate(logic, words, len(layer))
        waiting = set()
        for number, position in enumerate(layer):
            chosen = sum((word >> number & 1) << point for point, word in enumerate(out))
            moves = {changes(move): move for move in played.moves(position)}
            assert chosen in moves, played.write(position)
            after = played.after(position, moves[chosen])
            value, kept = solution.value(position), solution.value(after).before()
            assert kept.outcome is value.outcome, played.write(position)
            # The value of a win has its remoteness with it: the move is one of the quickest, so that it falls.
            assert value.outcome is not Outcome.WIN or kept == value, played.write(position)
            lost += value.outcome is Outcome.LOSS
            replies = (played.after(after, move) for move in played.moves(after))
            waiting |= {reply for reply in replies if played.over(reply) is None and reply not in known}
    assert len(known) > 300
    assert (lost == 0) == (solution.value(played.start()).outcome is Outcome.DRAW)


def test_a_tree_asks_no_more_than_it_must() -> None:
    one, two, either = frozenset({1}), frozenset({2}), frozenset({1, 2})
    assert tree_of({0b00: either, 0b01: one, 0b11: one}, 2) == Leaf(one)
    assert tree_of({0b00: either, 0b01: one, 0b10: two}, 2) == Node(0, Leaf(two), Leaf(one))


def test_the_gates_of_a_tree_do_what_the_tree_does() -> None:
    """Two leaves and a subtree that two nodes share, for all 256 boards of a row of four."""
    played = game("mnk:4,1,2")
    shared = Node(3, Leaf(frozenset({1})), Leaf(frozenset({2})))
    tree = Node(0, Node(1, shared, Leaf(frozenset({12}))), Node(2, Leaf(frozenset({4})), shared))
    logic = netlist_of(tree, played)
    words = [sum((board >> bit & 1) << board for board in range(256)) for bit in range(8)]
    out = simulate(logic, words, 256)
    for board in range(256):
        a, b, c, d = (board >> bit & 1 for bit in range(4))
        asked = (4 if not c else 2 if d else 1) if a else 12 if b else 2 if d else 1
        assert sum((word >> board & 1) << point for point, word in enumerate(out)) == asked
    assert len(logic.gates) < 16


def test_the_answer_is_there_one_clock_after_the_move() -> None:
    chip = player("mnk:4,3,3")
    pins = Interpreted(chip)
    driver = chip.driver(pins)
    driver.begin(user_first=True)
    assert driver.stones() == (0, 0)
    assert driver.press(0) == 1
    machine, user = driver.stones()
    assert user == 1
    assert machine.bit_count() == 1
