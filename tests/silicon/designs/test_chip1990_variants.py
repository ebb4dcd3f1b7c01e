"""The chips that the paper of 1990 weighs: figure 1, full minimax, a table of moves; against the prose, reply by reply.

A compiled chip is dear, so only minimax, whose controller is another one, plays every game here; figure 1 differs from
the chip by one register, and the table by a circuit of which every entry is looked up.
"""

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from amaranth.sim import Simulator

from amaranth_bench import clocked
from noughts.games import Position, game
from noughts.silicon import kept
from noughts.silicon.designs import DESIGNS, design
from noughts.silicon.designs.chip1990 import State
from noughts.silicon.designs.chip1990.controller import MinimaxController, TableController, Turns
from noughts.silicon.designs.chip1990.driver import ChipDriver
from noughts.silicon.designs.chip1990.table import MoveTable, move_table
from noughts.silicon.pictures.drawing import holds
from noughts.silicon.simulate.check import Checked, check
from noughts.silicon.simulate.interpreted import Interpreted
from noughts.silicon.verilog import verilog
from oracles.machine1990 import figure1, minimax, reply_cycles
from verilog_checks import lint

pytestmark = pytest.mark.slow

RULES = game("tictactoe")


def cells(position: Position) -> str:
    """Nine letters."""
    return RULES.write(position).replace("/", "")


@pytest.fixture(scope="module")
def checked() -> Checked:
    return check(design("chip1990:search=minimax"))


def test_minimax_never_loses_and_every_reply_and_its_cycles_are_those_of_the_prose(checked: Checked) -> None:
    assert (checked.wins, checked.draws, checked.losses) == (1_666, 289, 0)
    compared = 0
    for reply in checked.replies:
        if not reply.position.occupied:
            continue
        who = "XO"[reply.position.turn]
        expected = minimax(cells(reply.position), who).place, reply_cycles(cells(reply.position), who, "minimax")
        assert (reply.place, reply.cycles) == expected, RULES.write(reply.position)
        compared += 1
    assert compared > 2_000


def test_the_slowest_opening_of_minimax_takes_191714_cycles(checked: Checked) -> None:
    assert checked.slowest_cycles == 191_714
    assert checked.openings[0].cycles == 179_114


SHORT = ["XOX.O....", "O.X..X.O.", "X..OXO...", ".X.OX.O.."]
"""Boards with the user to move as X, in which a game is not far from its end."""


def test_from_positions_set_up_by_hand_the_pins_of_figure_1_give_its_prose() -> None:
    """In Amaranth's simulator; the user plays on each free place in turn."""
    driver = ChipDriver(Interpreted(design("chip1990:search=figure1")))
    compared = 0
    for board in SHORT:
        user, own = (sum(1 << place for place in range(9) if board[place] == stone) for stone in "XO")
        for place in (place for place in range(9) if board[place] == "."):
            after = board[:place] + "X" + board[place + 1 :]
            expected = figure1(after, "O").place
            if RULES.over(RULES.read("/".join(after[row : row + 3] for row in (0, 3, 6)))) or expected is None:
                continue
            driver.set_up(own, user)
            assert driver.press(place) == reply_cycles(after, "O", "figure1"), after
            assert driver.stones() == (own | 1 << expected, user | 1 << place)
            compared += 1
    assert compared > 8


def test_the_table_has_every_position_with_the_move_of_figure_1() -> None:
    """The circuit, looked up board by board: 4,519 positions, in 632 of which every move loses."""
    entries = move_table()
    assert (len(entries), sum(entry.lost for entry in entries)) == (4_519, 632)
    table, wrong = MoveTable(), []

    async def bench(ctx: Any) -> None:
        for entry in entries:
            ctx.set(table.board, sum(stone << 2 * place for place, stone in enumerate(entry.board)))
            board = "".join(".OX"[stone] for stone in entry.board)
            expected = figure1(board, "O").place
            if ctx.get(table.place) != (board.index(".") if expected is None else expected):
                wrong.append(board)
            assert entry.lost is (expected is None)

    simulator = Simulator(table)
    simulator.add_testbench(bench)
    simulator.run()
    assert wrong == []


INPUTS = {
    "minimax": ("full", "ground", "lasti", "keypressed", "validkey", "wins"),
    "table": ("full", "keypressed", "validkey", "wins"),
}
CONTROLLERS: dict[str, type[Turns]] = {"minimax": MinimaxController, "table": TableController}


@pytest.mark.parametrize("search", INPUTS)
def test_the_conditions_at_the_arrows_are_those_of_the_controller(search: str) -> None:
    """For all inputs in all states exactly one arrow may be taken, and it leads where the controller goes."""
    (machine,) = DESIGNS[f"chip1990:search={search}"].drawings.machines
    controller = CONTROLLERS[search]()
    wrong = []

    async def bench(ctx: Any, _: Any) -> None:
        for state in controller.states:
            for inputs in product((0, 1), repeat=len(INPUTS[search])):
                values = dict(zip(INPUTS[search], inputs, strict=True))
                ctx.set(controller.statereg, state)
                for name, level in values.items():
                    ctx.set(getattr(controller, name), level)
                await ctx.tick()
                after = State(ctx.get(controller.statereg)).name
                arrows = [arrow for arrow in machine.diagram.arrows if arrow.source == state.name]
                taken = [arrow.target for arrow in arrows if not arrow.when or holds(arrow.when, values, {})]
                if taken != [after]:
                    wrong.append((state.name, values, taken, after))

    clocked(controller, bench)
    assert wrong == []


def test_linters_are_silent(tmp_path: Any) -> None:
    chip = design("chip1990:search=minimax")
    assert lint(verilog(chip), tmp_path, f"{chip.identifier}.sv") == ""


def test_the_docs_compare_the_chips_by_the_figures_that_come_with_them() -> None:
    """The table of docs/claims.md."""
    claims = (Path(__file__).parents[3] / "docs" / "claims.md").read_text()
    for name in (name for name in DESIGNS if name.partition(":")[0] == "chip1990"):
        figures = dict(kept.measured(design(name)))
        cells = [figures[figure] for figure in ("flip-flops", "gates", "iCE40 LUTs", "ECP5 LUTs")]
        assert f"| `{name}` | {' | '.join(cells)} | " in claims
        assert f"{figures['user begins: slowest cycles']} |" in claims


@pytest.mark.parametrize(("name", "times"), [("figure1", "three"), ("minimax", "thirteen")])
def test_how_much_longer_the_slowest_reply_takes_is_told(name: str, times: str) -> None:
    """48,475 and 191,714 cycles for 15,007."""
    slowest = {
        each: int(dict(kept.measured(design(each)))["user begins: slowest cycles"].replace(",", ""))
        for each in ("chip1990", f"chip1990:search={name}")
    }
    ratio = round(slowest[f"chip1990:search={name}"] / slowest["chip1990"])
    assert f"the slowest takes {times} times as long" in design(f"chip1990:search={name}").story.words
    assert {"three": 3, "thirteen": 13}[times] == ratio


@pytest.mark.parametrize("name", [name for name in DESIGNS if name.partition(":")[0] == "chip1990"])
def test_what_is_usually_shown_and_printed_is_there(name: str) -> None:
    chip = design(name)
    assert {*chip.shown, *chip.printed} <= chip.pins(watch=True).keys()


def test_what_minimax_does_is_told_in_plain_words() -> None:
    """Its last cycle but one is in *waiting*, where nobody is asked any more."""
    chip = design("chip1990:search=minimax")
    recording = kept.recording(chip, "same-game")
    assert recording is not None
    assert chip.doing is not None
    trace = recording.trace
    rows = [dict(zip(trace.widths, row, strict=True)) for row in trace.rows]
    told = [chip.doing(State(row["statereg"]).name, row) for row in rows]
    (seen,) = {number // 2 for number, words in enumerate(told, 1) if words == "It sees that the game is over."}
    assert State(rows[2 * seen]["statereg"]) is State.waiting
    assert told[-1] == "The game is over."
    assert any(words.endswith("is a loss for X.") for words in told)
    assert not any("that will do" in words for words in told)
