"""Whether a logic does what a specification asks: against the prose of the rules, for right logics and broken ones."""

import random
from collections.abc import Callable
from functools import cache

import pytest

from noughts.silicon.logic.best import best, best_text, known
from noughts.silicon.logic.netlist import Gate, Netlist, NetlistError, Output, read_netlist, simulate
from noughts.silicon.logic.specification import INPUTS, POINTS, SPECIFICATIONS, UnknownSpecificationError, specification
from noughts.silicon.logic.verify import verify
from oracles.logic import Says, does, in_play, to_move


@cache
def words() -> dict[str, int]:
    """For every input of a board its level in all positions in play at once, a bit each."""
    levels = dict.fromkeys(INPUTS, 0)
    for at, board in enumerate(sorted(in_play())):
        for place, stone in enumerate(board):
            if stone != ".":
                name = f"{'mine' if stone == to_move(board) else 'theirs'}_{'abc'[place % 3]}{place // 3 + 1}"
                levels[name] |= 1 << at
    return levels


def says(netlist: Netlist) -> Says:
    """What a netlist says in all positions in play."""
    said: dict[str, set[int]] = {board: set() for board in sorted(in_play())}
    levels = simulate(netlist, [words()[name] for name in netlist.inputs], len(said))
    for output, word in zip(netlist.outputs, levels, strict=True):
        for board, level in zip(said, reversed(f"{word:0{len(said)}b}"), strict=True):
            if level == "1":
                said[board].add("abc".index(output.name[0]) + 3 * int(output.name[1]) - 3)
    return said.__getitem__


def test_there_are_4520_positions_in_play() -> None:
    assert len(in_play()) == 4520


@pytest.mark.parametrize("name", known())
def test_a_record_does_what_its_specification_asks_by_the_prose_of_the_rules(name: str) -> None:
    assert does(says(best(name)), name)


@pytest.mark.parametrize("name", known())
def test_all_gates_of_a_record_are_used_and_its_pins_are_those_of_the_board(name: str) -> None:
    netlist = best(name)
    assert netlist.unused == 0
    assert netlist.inputs == INPUTS
    assert tuple(output.name for output in netlist.outputs) == POINTS


@pytest.mark.parametrize("name", known())
def test_the_comments_of_a_record_say_who_made_it_when_and_how_and_how_many_gates_it_has(name: str) -> None:
    comments = " ".join(line.removeprefix("#") for line in best_text(name).splitlines() if line.startswith("#"))
    assert f"{len(best(name).gates)} gates" in comments
    assert "Noughts, 202" in comments
    assert "How made" in comments


def test_the_verdicts_are_those_of_the_prose_for_records_and_for_records_with_one_gate_changed() -> None:
    draw = random.Random(0)
    seen = set()
    for name in known():
        netlist = best(name)
        for change in (0, 15):
            at = draw.randrange(len(netlist.gates))
            changed = netlist.gates[at]._replace(table=netlist.gates[at].table ^ change)
            variant = Netlist(netlist.inputs, (*netlist.gates[:at], changed, *netlist.gates[at + 1 :]), netlist.outputs)
            said = says(variant)
            for asked in SPECIFICATIONS.values():
                verdict = verify(variant, asked)
                assert verdict.holds == does(said, asked.name), (name, at, changed)
                assert (verdict.counterexample is None) == verdict.holds
                seen.add(verdict.holds)
    assert seen == {True, False}


def test_c_is_asked_in_169_positions_and_wins_168_of_264_games() -> None:
    verdict = verify(best("C"), specification("C"))
    assert (verdict.holds, verdict.positions, verdict.wins, verdict.draws) == (True, 169, 168, 96)


@pytest.mark.parametrize(
    ("change", "counterexample"),
    [
        (lambda text: text.replace("= g1", "= 0"), "in .O./.X./... it raises no output: expected exactly one of"),
        (lambda text: text.replace("= g1", "= g2"), "in O../.X./... it raises a1 and b1: expected exactly one of"),
        (lambda text: text.replace("= ~mine_b2", "= 1"), "in O../.X./... it raises b1 and b2: expected exactly one of"),
    ],
)
def test_a_counterexample_is_a_position_and_what_the_logic_says_there(
    change: Callable[[str], str], counterexample: str
) -> None:
    verdict = verify(read_netlist(change(best_text("C"))), specification("C"))
    assert verdict.counterexample is not None
    assert verdict.counterexample.startswith(counterexample)


def test_inputs_may_be_left_out_and_stand_in_any_order() -> None:
    netlist = best("C")
    order = [name for name in reversed(netlist.inputs) if "b2" not in name] + ["mine_b2"]
    number = {netlist.inputs.index(name): at for at, name in enumerate(order)}
    number |= {18 + at: len(order) + at for at in range(len(netlist.gates))}
    gates = tuple(Gate(number[gate.a], number[gate.b], gate.table) for gate in netlist.gates)
    outputs = tuple(Output(output.name, number[output.signal], output.inverted) for output in netlist.outputs)
    assert verify(Netlist(tuple(order), gates, outputs), specification("C")).holds


def test_other_pins_than_those_of_a_board_are_refused() -> None:
    with pytest.raises(NetlistError, match="'mine_d1' is no input of a board: expected mine_a1 … theirs_c3"):
        verify(read_netlist("inputs mine_d1\noutput a1 = 0"), specification("A"))
    with pytest.raises(NetlistError, match="'d1' is no output of a board: expected a1 … c3"):
        verify(read_netlist("inputs mine_a1\noutput d1 = 0"), specification("A"))


def test_names_of_specifications_are_found_with_and_without_capitals() -> None:
    assert specification("a-ANY").name == "A-any"
    with pytest.raises(UnknownSpecificationError, match=r"'F' is not a specification: expected A, A-any, B, C, D, E-B"):
        specification("F")
