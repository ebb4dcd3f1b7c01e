"""The nine elements: every search against a plain minimax, in moves and cycles, and whole games by the pins.

The oracle is written from the prose of the design: a board is nine characters, "X" the AI's, "O" the human's, "."
empty, in the order of places.
"""

import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from amaranth.hdl import ClockDomain, ClockSignal, Elaboratable, Module, ResetSignal
from amaranth.lib.wiring import Component, In, Out
from amaranth.sim import Simulator

from noughts.extras import MissingToolError
from noughts.silicon import kept
from noughts.silicon.circuit import Circuit
from noughts.silicon.design import Design
from noughts.silicon.designs.elements2021 import DESIGN, DESIGN_PRUNING, DESIGN_REPORTED, Phase, State
from noughts.silicon.designs.elements2021.driver import ElementsDriver
from noughts.silicon.designs.elements2021.elements import Chain
from noughts.silicon.simulate.compiled import Model, compiled

pytestmark = pytest.mark.slow

ROWS = ["012", "345", "678", "036", "147", "258", "048", "246"]
OTHER = {"X": "O", "O": "X"}
WIN = {"X": 1, "O": -1}
EMPTY = "." * 9
ALL_ON = (1 << 18) - 1


def with_stone(board: str, place: int, side: str) -> str:
    return board[:place] + side + board[place + 1 :]


def has_row(board: str, side: str) -> bool:
    return any(all(board[int(place)] == side for place in row) for row in ROWS)


def is_over(board: str) -> bool:
    return "." not in board or has_row(board, "X") or has_row(board, "O")


def empty_cells(board: str) -> list[int]:
    return [place for place in range(9) if board[place] == "."]


def is_better(side: str, worth: int, than: int) -> bool:
    return worth > than if side == "X" else worth < than


@cache
def search(board: str, side: str) -> tuple[int, int, int]:
    """Score, first best move and cycles of a search that tries every cell."""
    rated, cycles = [], 3
    for place in empty_cells(board):
        after = with_stone(board, place, side)
        if has_row(after, side):
            worth, cost = WIN[side], 2
        elif "." not in after:
            worth, cost = 0, 2
        else:
            worth, _, below = search(after, OTHER[side])
            cost = 3 + below
        rated.append((worth, place))
        cycles += cost
    best = (max if side == "X" else min)(worth for worth, _ in rated)
    return best, next(place for worth, place in rated if worth == best), cycles


@cache
def pruned(board: str, side: str, score: int, limit: int) -> tuple[int, int]:
    """Score and cycles of a search that ends when the score has reached the limit."""
    cycles = 3
    for place in empty_cells(board):
        if score == limit or is_better(side, score, limit):
            break
        after = with_stone(board, place, side)
        if has_row(after, side):
            worth, cost = WIN[side], 2
        elif "." not in after:
            worth, cost = 0, 2
        else:
            worth, below = pruned(after, OTHER[side], limit, score)
            cost = 3 + below
        cycles += cost
        if is_better(side, worth, score):
            score = worth
    return score, cycles


def pruned_cycles(board: str, side: str) -> int:
    return pruned(board, side, -WIN[side], WIN[side])[1]


@cache
def reported_cycles(board: str, side: str) -> int:
    """The cycles of a search in the report's time: 4 with one empty cell, else 5 and those of the cells."""
    if board.count(".") == 1:
        return 4
    afters = [with_stone(board, place, side) for place in empty_cells(board)]
    return 5 + sum(2 if has_row(after, side) else 3 + reported_cycles(after, OTHER[side]) for after in afters)


def positions() -> Iterator[tuple[str, str]]:
    """Every board that is not over, with the side to move, that comes up when the AI or the human begins."""
    seen = {(EMPTY, "X"), (EMPTY, "O")}
    waiting = sorted(seen)
    while waiting:
        board, side = waiting.pop()
        yield board, side
        for place in empty_cells(board):
            after = with_stone(board, place, side)
            if not is_over(after) and (after, OTHER[side]) not in seen:
                seen.add((after, OTHER[side]))
                waiting.append((after, OTHER[side]))


def as_bits(board: str) -> int:
    return sum({"X": 1, "O": 2, ".": 0}[cell] << 2 * place for place, cell in enumerate(board))


DOWN = ("check_next", "current_board", "turn")


class ChainOnPins(Component):  # type: ignore[misc]
    """The chain alone, with a clock and a reset."""

    def __init__(self, *, pruning: bool) -> None:
        downs = {"cp": In(1), "reset": In(1), "empty": In(4), "check_next": In(1), "current_board": In(18)}
        ups = {"score": Out(2), "best_move_i": Out(2), "best_move_j": Out(2), "done_out": Out(1)}
        super().__init__({**downs, "turn": In(1), **ups})
        self.chain: Any = Chain(pruning=pruning)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.domains.sync = ClockDomain(async_reset=True, local=True)
        m.submodules.chain = chain = self.chain
        m.d.comb += [ClockSignal().eq(self.cp), ResetSignal().eq(self.reset), chain.empty.eq(self.empty)]
        m.d.comb += [getattr(chain.parent, name).eq(getattr(self, name)) for name in DOWN]
        m.d.comb += [
            getattr(self, name).eq(getattr(chain.parent, name))
            for name in ("score", "best_move_i", "best_move_j", "done_out")
        ]
        return m


def chain_design(*, pruning: bool) -> Circuit:
    return Circuit(
        name="chain",
        year=2021,
        about="",
        make=lambda: ChainOnPins(pruning=pruning),
        clock="cp",
        reset="reset",
        reset_level=1,
    )


def model_of(design: Circuit, *, watch: bool = False) -> Model:
    try:
        return compiled(design, watch=watch)
    except MissingToolError as error:
        pytest.skip(str(error))


def ask(chain: Model, board: str, side: str) -> tuple[int, int, int]:
    """Score, move and cycles of a search, the cycle of being asked and that of being done included."""
    levels = {"current_board": as_bits(board), "turn": int(side == "O"), "empty": board.count("."), "check_next": 1}
    for pin, level in levels.items():
        chain.set(pin, level)
    chain.clock()
    chain.set("check_next", 0)
    chain.set("current_board", 0)
    cycles = 2 + chain.run_until("done_out", 1, 3_000_000)
    score = {0: 0, 1: 1, 3: -1}[chain.get("score")]
    move = 3 * chain.get("best_move_i") + chain.get("best_move_j")
    chain.clock()
    assert not chain.get("done_out")
    return score, move, cycles


def test_every_search_finds_the_score_and_the_first_best_move_in_the_cycles_that_the_prose_says() -> None:
    chain = model_of(chain_design(pruning=False))
    chain.reset()
    seen = 0
    for board, side in positions():
        # With the human to begin the longest searches are those of the AI with X and O exchanged, and half of the time.
        if board.count(".") >= 7 and side == ("O" if board.count(".") % 2 else "X"):
            continue
        seen += 1
        assert ask(chain, board, side) == search(board, side), (board, side)
    # All positions of the game less those in which it is over, for two beginners; less 1, 9 and 72 of the second.
    assert seen == 2 * (5478 - 958) - 82


def test_with_pruning_every_search_finds_the_same_and_never_later() -> None:
    chain = model_of(chain_design(pruning=True))
    chain.reset()
    sooner = 0
    for board, side in positions():
        score, move, cycles = search(board, side)
        fewer = pruned_cycles(board, side)
        assert ask(chain, board, side) == (score, move, fewer), (board, side)
        assert fewer <= cycles, (board, side)
        sooner += fewer < cycles
    assert sooner > 4000


@pytest.mark.parametrize(("pruning", "reported"), [(False, False), (True, False), (False, True)])
def test_amaranths_own_simulator_says_the_same(pruning: bool, reported: bool) -> None:
    chain: Any = Chain(pruning=pruning, reported=reported)

    async def few_cells(ctx: Any) -> None:
        for board, side in list(positions())[::20]:
            if board.count(".") > 3:
                continue
            ctx.set(chain.empty, board.count("."))
            ctx.set(chain.parent.current_board, as_bits(board))
            ctx.set(chain.parent.turn, side == "O")
            ctx.set(chain.parent.check_next, 1)
            cycles = 1
            while not ctx.get(chain.parent.done_out):
                await ctx.tick()
                ctx.set(chain.parent.check_next, 0)
                cycles += 1
            found = (
                ctx.get(chain.parent.score),
                3 * ctx.get(chain.parent.best_move_i) + ctx.get(chain.parent.best_move_j),
            )
            score, move, all_cycles = search(board, side)
            assert found == (score, move), (board, side)
            other = pruned_cycles(board, side) if pruning else reported_cycles(board, side)
            assert cycles == (other if pruning or reported else all_cycles), (board, side)
            await ctx.tick()

    simulator = Simulator(chain)
    simulator.add_clock(1e-6)
    simulator.add_testbench(few_cells)
    simulator.run()


# By the pins.


class Table:
    """A human at the board, who knows what the AI must do, and when."""

    def __init__(self, *, pruning: bool) -> None:
        self.model = model_of(DESIGN_PRUNING if pruning else DESIGN)
        self.pruning = pruning
        self.board = EMPTY
        self.switches = 0

    def switch(self, switches: int) -> None:
        self.switches = switches
        self.model.set("SW", switches)

    def begin(self, *, human: bool) -> None:
        """Press KEY0, and let the AI make its move if it begins."""
        self.switch(human << 17)
        self.model.reset()
        self.board = EMPTY
        assert self.lamps() == (0, 0, 0)
        assert self.shown() == EMPTY
        cycles = 2 if human else self.think() + 3
        assert self.model.run_until("LEDG0", 1, 3_000_000) == cycles
        assert self.shown() == self.board

    def now(self) -> tuple[str, int, bytes]:
        """What `back_to` goes back to."""
        return self.board, self.switches, self.model.save()

    def back_to(self, moment: tuple[str, int, bytes]) -> None:
        """Go on from an earlier moment, switches included."""
        self.board, self.switches, state = moment
        self.model.restore(state)

    def think(self) -> int:
        """Note the AI's move, and return its cycles."""
        _, move, cycles = search(self.board, "X")
        if self.pruning:
            cycles = pruned_cycles(self.board, "X")
        self.board = with_stone(self.board, move, "X")
        return cycles

    def move(self, place: int) -> None:
        """The human's move and the AI's reply, cycle by cycle as the prose says."""
        self.switch(self.switches | 1 << 8 - place)
        self.watch_move(place)

    def watch_move(self, place: int) -> None:
        """What happens when the switches have just been set so that this is the human's move."""
        self.model.clock()
        assert self.lamps() == (1, 0, 0)
        self.board = with_stone(self.board, place, "O")
        cycles = 1 if is_over(self.board) else self.think() + 2
        assert self.model.run_until("LEDG0", 0, 1) == 1
        ended = is_over(self.board)
        assert self.model.run_until("LEDG2" if ended else "LEDG0", 1, 3_000_000) == cycles
        assert self.lamps() == (not ended, has_row(self.board, "X"), ended)
        assert self.shown() == self.board

    def play(self, choose: Callable[[list[int]], int]) -> str:
        """The rest of the game, with a human who chooses among the empty cells."""
        while not is_over(self.board):
            self.move(choose(empty_cells(self.board)))
        return self.board

    def best_move(self, cells: list[int]) -> int:
        """For a human who makes no mistakes."""
        move = search(self.board, "O")[1]
        assert move in cells
        return move

    def lamps(self) -> tuple[int, int, int]:
        return self.model.get("LEDG0"), self.model.get("LEDG1"), self.model.get("LEDG2")

    def shown(self) -> str:
        """The board by the red LEDs, SW8's pair first: both on, the odd one off, the even one off."""
        lights = self.model.get("LEDR")
        return "".join({3: ".", 1: "X", 2: "O"}[lights >> 2 * switch & 3] for switch in reversed(range(9)))

    def history(self, address: int) -> str:
        self.model.set("SW", self.switches & 0x203FF | 1 << 16 | address << 10)
        self.model.clock(2)
        word = self.shown()
        self.model.set("SW", self.switches)
        self.model.clock(2)
        return word


@pytest.mark.parametrize("human_begins", [True, False])
@pytest.mark.parametrize("pruning", [False, True])
def test_games_go_as_minimax_says_cycle_by_cycle(pruning: bool, human_begins: bool) -> None:
    table = Table(pruning=pruning)
    humans: list[Callable[[list[int]], int]]
    humans = [min, max, random.Random(1).choice, random.Random(2).choice, table.best_move]
    results = set()
    for number, choose in enumerate(humans):
        # Two games begin with a reset, the second when another one is over. The others go on from there, since the AI's
        # first search takes two million cycles.
        if number < 2:
            table.begin(human=human_begins)
            begun = table.now()
        else:
            table.back_to(begun)
        results.add(has_row(table.play(choose), "X"))
    assert results == {True, False}  # LEDG1 has been seen on and off at the end of a game


def test_the_ai_begins_in_the_first_corner() -> None:
    table = Table(pruning=False)
    table.begin(human=False)
    assert table.model.get("LEDR") == ALL_ON & ~(1 << 17)


def test_a_stone_of_the_human_puts_out_the_even_led_of_its_switch() -> None:
    for place in range(9):
        table = Table(pruning=True)
        table.begin(human=True)
        table.model.set("SW", 1 << 17 | 1 << place)
        table.model.clock(2)
        assert table.model.get("LEDR") == ALL_ON & ~(1 << 2 * place)


def test_switches_at_occupied_places_do_nothing() -> None:
    table = Table(pruning=True)
    table.begin(human=False)
    table.move(4)
    occupied = sum(1 << 8 - place for place in range(9) if table.board[place] != ".")
    for switches in (occupied, 0, occupied):
        table.switch(switches)
        table.model.clock(50)
        assert table.lamps() == (1, 0, 0)
        assert table.shown() == table.board
    table.move(empty_cells(table.board)[0])


def test_of_several_switches_the_first_empty_place_is_the_move() -> None:
    table = Table(pruning=True)
    table.begin(human=True)
    table.switch(0b111_111_111)
    while not is_over(table.board):
        table.board = with_stone(table.board, empty_cells(table.board)[0], "O")
        if not is_over(table.board):
            table.think()
    table.model.run_until("LEDG2", 1, 3_000_000)
    assert table.shown() == table.board


def test_switches_during_the_search_and_after_the_game_do_nothing() -> None:
    table = Table(pruning=True)
    table.begin(human=True)
    table.switch(1 << 17 | 1)
    table.model.clock(20)
    table.model.set("SW", 0b111_111_110)
    table.model.clock(20)
    table.model.set("SW", 1)
    table.board = with_stone(EMPTY, 8, "O")
    table.think()
    table.model.run_until("LEDG0", 1, 3_000_000)
    assert table.shown() == table.board
    final = table.play(min)
    lamps = table.lamps()
    for switches in (0, 0b111_111_111, 1 << 17):
        table.switch(switches)
        table.model.clock(50)
        assert (table.shown(), table.lamps()) == (final, lamps)


def test_key0_ends_a_game_at_any_moment_without_a_clock() -> None:
    table = Table(pruning=True)
    table.begin(human=True)
    table.switch(1 << 17 | 1)
    table.model.clock(500)
    table.model.set("KEY0", 0)
    table.model.half(0)
    assert table.model.get("LEDR") == ALL_ON
    table.begin(human=True)
    table.play(max)


def test_every_finished_game_is_in_the_history_once_and_a_new_game_leaves_it_there() -> None:
    table = Table(pruning=True)
    games: list[str] = []
    for seed in range(40):
        table.begin(human=seed % 5 > 0)
        games.append(table.play(random.Random(seed).choice))
        table.model.clock(20)
        if seed % 8 == 0 or seed > 29:
            last = {number % 32: game for number, game in enumerate(games)}
            assert [table.history(address) for address in range(32)] == [last.get(k, EMPTY) for k in range(32)]
            assert table.shown() == games[-1]
    assert len(set(games)) > 10


def test_a_game_that_is_not_finished_is_not_in_the_history() -> None:
    table = Table(pruning=True)
    table.begin(human=True)
    table.move(4)
    table.begin(human=True)
    assert table.history(0) == EMPTY
    final = table.play(min)
    assert [table.history(address) for address in (0, 1)] == [final, EMPTY]
    table.model.set("KEY0", 0)
    assert table.history(0) == final


def test_the_history_can_be_read_during_a_game() -> None:
    table = Table(pruning=True)
    table.begin(human=True)
    finished = table.play(max)
    table.begin(human=True)
    table.move(0)
    assert table.history(0) == finished
    assert table.shown() == table.board
    table.play(min)


@pytest.mark.parametrize("design", [DESIGN, DESIGN_PRUNING], ids=lambda design: design.name)
def test_a_search_begins_at_the_element_of_the_empty_cells_and_goes_down_one_by_one(design: Circuit) -> None:
    model = model_of(design, watch=True)
    model.set("SW", 1 << 17 | 1)
    model.reset()
    model.run_until("LEDG0", 1, 3)
    model.run_until("LEDG0", 0, 1)
    model.run_until("LEDG0", 1, 3_000_000)
    for cells in (6, 4):
        switch = next(k for k in range(9) if model.get("LEDR") >> 2 * k & 3 == 3)
        model.set("SW", 1 << switch)
        model.run_until("phase", Phase.ask, 4)
        assert sum(not model.get("board") >> 2 * place & 3 for place in range(9)) == cells
        while model.get("phase") != Phase.judge:
            states = [State(model.get(f"state_out_{k}")) for k in range(1, 10)]
            deepest = next((k for k in range(9) if states[k] != State.ready), cells)
            assert all(state == State.fetch_wait for state in states[deepest + 1 : cells])
            assert all(state == State.ready for state in states[cells:])
            model.clock()
        assert states[cells - 1] == State.complete
        model.run_until("LEDG0", 1, 1, or_pin="LEDG2")


# The two games of figure 8. What the simulator gives is what is recorded (`test_kept`).


def edges_of_wins(cycles_of: Callable[[str], int]) -> list[int]:
    """The rising edges, counted from 0, at which LEDG1 comes on: by the prose, with the moves of the sample.

    Four cycles of reset; LEDG0 with the (C + 3)rd edge after it; two edges to a stone of the human; C + 2 cycles to the
    next LEDG0, or to LEDG1; and a cycle more before the next reset.
    """
    edges, edge = [], -1
    for humans in ("87", "6237"):
        edge += 4
        board = with_stone(EMPTY, 0, "X")
        edge += cycles_of(EMPTY) + 3
        for place in humans:
            board = with_stone(board, int(place), "O")
            edge += 2 + cycles_of(board) + 2
            board = with_stone(board, search(board, "X")[1], "X")
        assert has_row(board, "X")
        edges.append(edge)
        edge += 1
    return edges


@pytest.mark.parametrize(
    ("design", "cycles_of"),
    [
        (DESIGN, lambda board: search(board, "X")[2]),
        (DESIGN_PRUNING, lambda board: pruned_cycles(board, "X")),
        (DESIGN_REPORTED, lambda board: reported_cycles(board, "X")),
    ],
    ids=lambda given: given.name if isinstance(given, Design) else "",
)
def test_two_games_end_when_the_prose_says(design: Design, cycles_of: Callable[[str], int]) -> None:
    recorded = kept.recording(design, "two-games")
    assert recorded is not None
    said = recorded.outline.said
    assert [time for time, _ in said] == [20 * edge + 10 for edge in edges_of_wins(cycles_of)]
    assert all("** Note: Win" in line and f"Time: {time} ns" in line for time, line in said)
    waits = [last - first for first, last in recorded.outline.replies]
    longest = sorted(waits)[-2:]
    assert longest == [waits[0], waits[3]], "as in figure 8, the first move of either game takes longest by far"
    assert min(longest) > 30 * sum(wait for wait in waits if wait not in longest)


def test_in_the_reports_time_they_end_when_the_report_says() -> None:
    recorded = kept.recording(DESIGN_REPORTED, "two-games")
    assert recorded is not None
    assert [time for time, _ in recorded.outline.said] == [50_433_110, 100_833_550]


def test_the_drivers_history_is_that_of_the_lamps_and_leaves_the_game_alone() -> None:
    table = Table(pruning=True)
    driver = ElementsDriver(table.model)
    assert driver.history() == []
    finals = []
    for seed in range(3):
        table.begin(human=True)
        finals.append(table.play(random.Random(seed).choice))
        assert [table.history(address) for address in range(seed + 1)] == finals
    table.begin(human=True)
    table.move(4)
    stones = [tuple(sum((cell == side) << place for place, cell in enumerate(one)) for side in "XO") for one in finals]
    assert driver.history() == stones
    assert table.model.get("SW") == table.switches
    assert table.shown() == table.board
    table.play(min)
    assert len(driver.history()) == 4


def test_in_the_reports_time_the_states_follow_as_they_are_drawn() -> None:
    """On the chain alone, in Amaranth's simulator, from boards with three empty cells."""
    chain: Any = Chain(reported=True)
    seen: set[tuple[str, str]] = set()

    async def searches(ctx: Any) -> None:
        for board, side in [one for one in positions() if one[0].count(".") == 3][::90]:
            ctx.set(chain.empty, 3)
            ctx.set(chain.parent.current_board, as_bits(board))
            ctx.set(chain.parent.turn, side == "O")
            ctx.set(chain.parent.check_next, 1)
            states = [State.ready] * 3
            done = False
            while not done:
                done = bool(ctx.get(chain.parent.done_out))
                await ctx.tick()
                ctx.set(chain.parent.check_next, 0)
                after = [State(ctx.get(chain.elements[number].state_out)) for number in range(3)]
                seen.update((one.name, other.name) for one, other in zip(states, after, strict=True))
                states = after
            assert states == [State.ready] * 3

    simulator = Simulator(chain)
    simulator.add_clock(1e-6)
    simulator.add_testbench(searches)
    simulator.run()
    drawn = DESIGN_REPORTED.drawings.machines[-1].diagram
    assert seen == {(arrow.source, arrow.target) for arrow in drawn.arrows}
