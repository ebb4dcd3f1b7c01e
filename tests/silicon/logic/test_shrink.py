"""The search for small logic: what it finds does what it must, and the same search finds the same."""

from itertools import islice

import pytest

from noughts.silicon.logic.best import best
from noughts.silicon.logic.conditions import Case, conditions, of_cases
from noughts.silicon.logic.counts import counts
from noughts.silicon.logic.netlist import Gate, Netlist, NetlistError, Output, read_netlist, simulate
from noughts.silicon.logic.shrink import SHORTEST, Heat, NotRightError, Round, Runner, demand_of, shrink
from noughts.silicon.logic.specification import SPECIFICATIONS, specification
from noughts.silicon.logic.verify import verify
from oracles import logic as rules

pytestmark = pytest.mark.slow

MAJORITY = [Case(bits, 0b01 if bits.bit_count() >= 2 else 0b10) for bits in range(8)]
"""Three votes; the first output says yes, the second no."""
SEVEN_GATES = """
inputs a b c
ab = a & b
ac = a & c
bc = b & c
either = ab | ac
yes = either | bc
none = ~(a | b)
no = none | none
same = ~(yes | yes)
output yes = yes
output no = same
"""


def last(rounds: int, *arguments: object, **options: object) -> Round:
    *_, found = islice(shrink(*arguments, **options), rounds + 1)  # type: ignore[arg-type]
    return found


def met(sides: str, keeps_value: bool) -> int:
    """On how many boards a machine can be asked that has these sides and makes any move it may, by the oracle."""
    seen, waiting = set[str](), [(rules.START, side) for side in sides]
    while waiting:
        board, machine = waiting.pop()
        if rules.over(board) or board + machine in seen:
            continue
        seen.add(board + machine)
        after = [rules.put(board, place) for place in rules.empty(board)]
        if rules.to_move(board) == machine:
            worst = min(rules.worth(each) for each in after) if keeps_value else 0
            after = [each for each in after if rules.worth(each) <= worst]
        waiting += [(each, machine) for each in after]
    return len({each[:-1] for each in seen if rules.to_move(each[:-1]) == each[-1]})


def test_positions_are_those_in_which_the_machine_can_be_to_move() -> None:
    """All 4,520 in play, or those that moves lead to that never lose, or that keep the value."""
    numbers = {name: len(conditions(wanted).cases) for name, wanted in SPECIFICATIONS.items()}
    assert numbers == {"A": 4520, "A-any": 4520} | {
        prefix + letter: met(sides, keeps_value)
        for prefix, keeps_value in (("", False), ("E-", True))
        for letter, sides in (("B", "o"), ("C", "x"), ("D", "xo"))
    }


def test_a_gate_more_is_never_free() -> None:
    """Where it is as cold as can be, no change makes a circuit larger, whatever it saves elsewhere.

    A gate that takes the place of the only reader of another, and reads that one, is one gate more.
    """
    wanted = conditions(specification("E-C"))
    runner = Runner(wanted, demand_of(wanted), best("E-C"), 1)
    for _ in range(20):
        before = runner.gates
        runner.go_on(Heat(1e-6, 1000.0))
        assert runner.gates <= before


def test_majority_of_three_is_found_to_take_four_gates() -> None:
    """The smallest number of gates for it, by any of the sixteen functions (Knuth, 7.1.2)."""
    found = last(SHORTEST, of_cases("abc", ("yes", "no"), MAJORITY), read_netlist(SEVEN_GATES)).best
    assert len(found.gates) == 4
    votes = [sum((case.inputs >> bit & 1) << number for number, case in enumerate(MAJORITY)) for bit in range(3)]
    assert simulate(found, votes, 8) == [0b11101000, 0b00010111]


@pytest.mark.parametrize("name", ["C", "E-C", "B", "D"])
def test_what_is_found_does_what_it_must(name: str) -> None:
    """Whoever does A does all others, and needs less for them; checked by what shares nothing with the search."""
    wanted = specification(name)
    found = last(SHORTEST, conditions(wanted), best("A")).best
    assert len(found.gates) < len(best("A").gates) / 2
    assert found.unused == 0
    assert verify(found, wanted).holds


def test_for_the_machine_that_begins_no_search_goes_below_eight_gates() -> None:
    """Eight are proved to be the fewest: a search that found seven would have found something wrong."""
    found = last(4, conditions(specification("C")), best("C")).best
    assert len(found.gates) == 8
    assert verify(found, specification("C")).holds


def test_of_as_many_gates_the_fewest_levels_are_kept() -> None:
    """All four at once: three gates, in a row of three levels or as a tree of two."""
    cases = [Case(bits, 0b01 if bits == 0b1111 else 0b10) for bits in range(16)]
    row = "inputs a b c d\nx = a & b\ny = x & c\nz = y & d\noutput yes = z\noutput no = ~z"
    found = last(SHORTEST, of_cases("abcd", ("yes", "no"), cases), read_netlist(row)).best
    assert (len(found.gates), counts(found).depth) == (3, 2)


def test_another_move_is_found_though_both_outputs_have_to_change_at_once() -> None:
    """From "x if a and b, else y" to "always y": between the two, some position has no move or two."""
    cases = [Case(bits, 0b11) for bits in range(4)]
    begun = read_netlist("inputs a b\ng = a & b\noutput x = g\noutput y = ~g")
    assert last(2, of_cases("ab", "xy", cases), begun).best.gates == ()


def test_play_that_comes_back_to_a_position_is_followed_to_its_end() -> None:
    """Four positions in a ring, of which the first can be left for the fourth, where the other output is wanted."""
    cases = [Case(0, 0b01), Case(1, 0b01), Case(2, 0b11), Case(3, 0b10)]
    after = {(0, 0): [1], (1, 0): [2], (2, 0): [0], (2, 1): [3], (3, 1): [0]}
    wanted = of_cases("ab", "xy", cases, roots=[0], after=lambda *key: after.get(key, ()))
    # Round the ring by x alone no gate is needed; by way of the fourth position one is.
    ring = read_netlist("inputs a b\noutput x = 1\noutput y = 0")
    assert last(1, wanted, ring).best.gates == ()
    by_the_fourth = read_netlist("inputs a b\noutput x = ~b\noutput y = b")
    assert last(0, wanted, by_the_fourth).best.gates == ()
    with pytest.raises(NotRightError):
        last(0, wanted, read_netlist("inputs a b\ng = ~a & b\noutput x = ~g\noutput y = g"))


def test_the_same_search_finds_the_same_on_any_number_of_cores() -> None:
    wanted = conditions(specification("C"))
    one, other = (last(2, wanted, best("A"), seed=3, threads=threads) for threads in (1, 4))
    assert one == other
    assert last(2, wanted, best("A"), seed=4).best != one.best


def test_a_netlist_that_does_something_else_is_refused() -> None:
    with pytest.raises(NotRightError, match="does not do what is asked for"):
        last(1, conditions(specification("A")), best("C"))


def test_pins_may_be_left_out_and_stand_in_any_order_but_have_no_other_name() -> None:
    """Where all three vote yes, nobody says no; so nothing need."""
    cases = [Case(bits, 0b01) for bits in range(8) if bits.bit_count() == 3]
    wanted = of_cases("abc", ("yes", "no"), cases)
    begun = last(0, wanted, read_netlist("inputs c a\ng = a & c\noutput yes = g"))
    assert begun.number == 0
    assert (begun.best.inputs, begun.best.gates) == (("a", "b", "c"), (Gate(0, 2, 0b1000),))
    assert begun.best.outputs == (Output("yes", 3, False), Output("no", -1, False))
    with pytest.raises(NetlistError, match="'d' is no input here: expected a … c"):
        last(0, wanted, read_netlist("inputs d\noutput yes = d"))
    with pytest.raises(NetlistError, match="'maybe' is no output here: expected yes … no"):
        last(0, wanted, read_netlist("inputs a\noutput maybe = a"))


def test_several_moves_are_allowed_where_the_specification_says_so() -> None:
    """Both answers at once are no answer, unless any will do."""
    both = Netlist(("a",), (), tuple(read_netlist("inputs a\noutput x = 1\noutput y = 1").outputs))
    cases = [Case(0, 0b11), Case(1, 0b11)]
    assert last(1, of_cases("a", ("x", "y"), cases, several=True), both).best.gates == ()
    with pytest.raises(NotRightError):
        last(1, of_cases("a", ("x", "y"), cases), both)
