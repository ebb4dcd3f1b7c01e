"""Proofs of logics: the solver agrees with trying, finds what is wrong, and eight gates are the fewest for C."""

import pytest

from noughts.extras import MissingToolError
from noughts.silicon.logic.best import best_text, known
from noughts.silicon.logic.fewest import GATELESS, fewest_gates, without_gate
from noughts.silicon.logic.netlist import Gate, Netlist, Output, read_netlist
from noughts.silicon.logic.proof import Formulas, Proved, Values, claims, prove_logic, wrong_with
from noughts.silicon.logic.specification import INPUTS, POINTS, specification
from oracles.logic import START, empty, in_play, over, put, to_move, winner, worth


def proved(netlist: Netlist, name: str) -> Proved:
    try:
        return prove_logic(netlist, specification(name))
    except MissingToolError as missing:
        pytest.skip(str(missing))


def test_every_record_has_a_proof_and_so_has_the_smallest_number() -> None:
    assert list(claims()) == [*(f"logic-{name}" for name in known()), "logic-C-fewest"]


def test_the_pairing_strategy_is_proved() -> None:
    found = proved(read_netlist(best_text("C")), "C")
    assert (found.holds, found.counterexample) == (True, None)


def test_a_pairing_strategy_without_one_of_its_pairs_is_refuted_with_a_position() -> None:
    broken = read_netlist(best_text("C").replace("output a1 = g1", "output a1 = 0"))
    found = proved(broken, "C")
    assert not found.holds
    assert found.counterexample is not None
    assert found.counterexample.endswith("it raises no output")


def test_the_formulas_for_values_are_right_in_every_fourth_position_of_six_stones() -> None:
    """One question to the solver: is there one with another value than the prose of the rules gives?"""
    formulas = Formulas()
    mine, theirs = ([formulas.given() for _ in range(9)] for _ in range(2))
    wins, loses = Values(formulas, mine, theirs, 6).node(0, 0)
    boards = [board for board in sorted(in_play()) if board.count(".") == 3][::4]
    assert {worth(board) for board in boards} == {-1, 0, 1}

    def differs(board: str, value: int) -> str:
        """That this is the board, and that it is not worth so much."""
        levels = {term: board[at] == "x" for at, term in enumerate(mine)}
        levels |= {term: board[at] == "o" for at, term in enumerate(theirs)}
        worths = {wins: value == 1, loses: value == -1}
        here, so = (
            " ".join(f"(= {term} {str(level).lower()})" for term, level in of.items()) for of in (levels, worths)
        )
        return f"(and {here} (not (and {so})))"

    try:
        assert formulas.refuted(f"(or {' '.join(differs(board, worth(board)) for board in boards)})", ()) is None
        assert formulas.refuted(differs(boards[0], worth(boards[0]) - 1), ()) is not None
    except MissingToolError as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize(("name", "stones", "right"), [("A", 8, True), ("A-any", 7, False)])
def test_playing_on_all_empty_points_is_right_where_one_is_left_and_not_where_two_are(
    name: str, stones: int, right: bool
) -> None:
    gates = tuple(Gate(at, at + 9, 0b0001) for at in range(9))
    netlist = Netlist(INPUTS, gates, tuple(Output(point, 18 + at, False) for at, point in enumerate(POINTS)))
    try:
        assert (wrong_with(netlist, specification(name), stones) is None) == right
    except MissingToolError as missing:
        pytest.skip(str(missing))


def test_whoever_begins_and_never_loses_plays_on_every_point() -> None:
    """By the prose of the rules, without the search that the bound is made by."""
    for spared in range(9):
        known: dict[str, bool] = {}

        def never_loses(board: str, spared: int = spared, known: dict[str, bool] = known) -> bool:
            if board not in known:
                if over(board):
                    known[board] = winner(board) != "o"
                elif to_move(board) == "x":
                    known[board] = any(never_loses(put(board, at)) for at in empty(board) if at != spared)
                else:
                    known[board] = all(never_loses(put(board, at)) for at in empty(board))
            return known[board]

        assert not never_loses(START)


def test_the_first_move_alone_needs_no_gate_and_so_eight_outputs_do() -> None:
    assert [without_gate(point, 0) for point in POINTS] == [(f"~mine_{point}",) for point in POINTS]
    assert fewest_gates(0) == 8
    assert len(GATELESS) == 38 == len(set(GATELESS))


def test_a_machine_that_moves_second_needs_a_gate_for_every_point() -> None:
    assert [without_gate(point, 1) for point in POINTS] == [()] * 9
    assert fewest_gates(1) == 9
