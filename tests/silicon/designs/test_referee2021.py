"""The referee: the three matches of the slides, and every position of every game, whoever begins.

The walk through all positions runs on the compiled Verilog. The pins show every register, the nine positions and the
turn, so the games that lead to one position need not all be played: they meet there.
"""

import json
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import groupby, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from amaranth.sim import Simulator

from amaranth_bench import settled
from noughts.cli.main import run
from noughts.extras import MissingToolError
from noughts.silicon import kept
from noughts.silicon.design import Design
from noughts.silicon.designs.referee2021 import DESIGN, DESIGN_SLIDES
from noughts.silicon.designs.referee2021.referee import LineDetector, Referee, WinnerDetector
from noughts.silicon.simulate.check import WrongError, check
from noughts.silicon.simulate.compiled import Model, compiled
from noughts.silicon.verilog import verilog
from noughts.silicon.verilog.bench import bench

pytestmark = pytest.mark.slow

needs_a_compiler = pytest.mark.skipif(
    shutil.which("c++") is None and shutil.which("g++") is None, reason="needs a C++ compiler"
)
needs_icarus = pytest.mark.skipif(shutil.which("iverilog") is None, reason="needs Icarus Verilog")

ROWS = [{1, 2, 3}, {4, 5, 6}, {7, 8, 9}]
COLUMNS = [{1, 4, 7}, {2, 5, 8}, {3, 6, 9}]
DIAGONALS = [{1, 5, 9}, {3, 5, 7}]
NOBODY, PLAYER, COMPUTER = "00", "01", "10"
OTHER = {PLAYER: COMPUTER, COMPUTER: PLAYER}


@cache
def winner(board: tuple[str, ...]) -> str:
    """Whose line there is."""
    for side in (PLAYER, COMPUTER):
        stones = {position for position in range(1, 10) if board[position - 1] == side}
        if any(line <= stones for line in ROWS + COLUMNS + DIAGONALS):
            return side
    return NOBODY


class Game(NamedTuple):
    """A position as the rules see it: what stands where, and whose turn it is."""

    board: tuple[str, ...] = (NOBODY,) * 9
    turn: str = NOBODY

    def winner(self) -> str:
        return winner(self.board)

    def legal(self, side: str) -> set[int]:
        if self.winner() != NOBODY or self.turn == OTHER[side]:
            return set()
        return {position for position in range(1, 10) if self.board[position - 1] == NOBODY}

    def after(self, side: str, position: int) -> "Game":
        return Game((*self.board[: position - 1], side, *self.board[position:]), OTHER[side])

    def pins(self) -> dict[str, int]:
        """What the referee must show."""
        winner = self.winner()
        shown = {f"pos{position}": int(code, 2) for position, code in enumerate(self.board, start=1)}
        shown |= {"turn": int(self.turn, 2), "who": int(winner, 2), "winner": winner != NOBODY}
        return shown | {"no_space": NOBODY not in self.board}


OUTPUTS = list(Game().pins())


def shown(model: Model) -> dict[str, int]:
    return {name: model.get(name) for name in OUTPUTS}


@pytest.fixture
def model() -> Model:
    try:
        referee = compiled(DESIGN)
    except MissingToolError as missing:
        pytest.skip(str(missing))
    referee.reset()
    return referee


MATCHES = {
    "case I": ("P4 C1 P8 C5 P6 C9", "10 00 00  01 10 01  00 01 10", "10"),
    "case II": ("C4 P1 C6 P9 C8", "01 00 00  10 00 10  00 10 01", "00"),
    "case III": ("C4 P3 C8 P5 C9 P7", "00 00 01  10 01 00  01 10 10", "01"),
}
"""The printed boards and winners. The slides show the moves of the first match only. The other boards arise only if the
computer begins: in one it has a stone more, and in the other it has as many as the player whose last stone won."""


def stimulus(moves: str) -> Iterator[dict[str, int]]:
    """The levels of the slides' test bench, one after the other: reset, a side at a time, and at the end neither."""
    yield {"rst": 1, "pp": 0, "pc": 0, "player_position": 0, "computer_position": 0}
    yield {"rst": 0}
    for move in moves.split():
        side, position = move[0], int(move[1])
        yield {"pp": side == "P", "pc": side == "C", f"{'player' if side == 'P' else 'computer'}_position": position}
    yield {"pp": 0, "pc": 0}


@pytest.mark.parametrize("match", MATCHES)
def test_the_matches_of_the_slides(match: str, model: Model) -> None:
    moves, board, winner = MATCHES[match]
    for levels in stimulus(moves):
        for pin, level in levels.items():
            model.set(pin, level)
        model.clock(5)
    assert [f"{model.get(f'pos{position}'):02b}" for position in range(1, 10)] == board.split()
    assert f"{model.get('who'):02b}" == winner


@pytest.mark.parametrize("match", MATCHES)
def test_the_matches_of_the_slides_in_amaranths_simulator(match: str) -> None:
    moves, board, winner = MATCHES[match]
    referee = Referee()

    async def play(ctx: Any) -> None:
        for levels in stimulus(moves):
            for pin, level in levels.items():
                ctx.set(getattr(referee, pin), level)
            for clock in (0, 1) * 5:
                ctx.set(referee.clk, clock)
                await ctx.delay(1e-6)
        assert [f"{ctx.get(getattr(referee, f'pos{position}')):02b}" for position in range(1, 10)] == board.split()
        assert f"{ctx.get(referee.who):02b}" == winner

    simulator = Simulator(referee)
    simulator.add_testbench(play)
    simulator.run()


def play(model: Model, player: int | None, computer: int | None) -> bool:
    """Ask for a play, of both sides if both name a position, for one clock; whether it was called illegal before."""
    model.set("pp", player is not None)
    model.set("pc", computer is not None)
    if player is not None:
        model.set("player_position", player)
    if computer is not None:
        model.set("computer_position", computer)
    model.half(0)
    illegal = model.get("illegal_move") == 1
    model.half(1)
    return illegal


def plays(side: str, position: int) -> dict[str, int | None]:
    return {"player": position if side == PLAYER else None, "computer": position if side == COMPUTER else None}


INPUTS = ("clk", "pp", "pc", "player_position", "computer_position")
ALONE = list(product((PLAYER, COMPUTER), range(16)))
BOTH = 4


def tries() -> npt.NDArray[np.uint64]:
    """What is tried in a position: nobody plays, a side alone with every number, and some times both sides at once.

    As levels of INPUTS before the clock and after it, and once more, since a play may be held.
    """
    alone = [(1, 0, number, 0) if side == PLAYER else (0, 1, 0, number) for side, number in ALONE]
    rows = [(0, 0, 0, 0), *alone, *[(1, 1, 0, 0)] * BOTH]
    return np.array([[(clock, *row) for clock in (0, 1, 0, 1)] for row in rows], np.uint64)


def test_every_position_of_every_game(model: Model) -> None:
    """Legal moves are registered and held without harm; every other play is called illegal and changes nothing."""
    chance = np.random.default_rng(2021)
    levels = tries()
    states = {Game(): model.save()}
    waiting = [Game()]
    while waiting:
        game = waiting.pop()
        model.restore(states[game])
        assert shown(model) == game.pins()
        for some in (levels[:1], levels[-BOTH:]):
            some[:, :, 3:] = chance.integers(16, size=(len(some), 1, 2))
        seen, _ = model.tries(INPUTS, levels, ("illegal_move", *OUTPUTS))
        expected = np.empty_like(seen)
        expected[:] = (1, *game.pins().values())
        expected[0, :, 0] = 0  # nobody plays
        legal = {side: game.legal(side) for side in OTHER}
        for number, (side, position) in enumerate(ALONE, start=1):
            if position in legal[side]:
                after = game.after(side, position)
                expected[number, 0, 0] = 0
                expected[number, 1:] = (1, *after.pins().values())  # from the clock on the play is held
                if after not in states:
                    model.restore(states[game])
                    play(model, **plays(side, position))
                    states[after] = model.save()
                    waiting.append(after)
        assert np.array_equal(seen, expected), (game, levels[(seen != expected).any(axis=(1, 2))][:, 0])
    assert len(states) == 2 * 5478 - 1


def test_a_play_that_ends_is_no_longer_illegal(model: Model) -> None:
    assert not play(model, 5, None)
    assert play(model, 5, None)
    model.set("pp", 0)
    model.half(0)
    assert model.get("illegal_move") == 0


def test_a_reset_needs_no_clock_and_lets_either_side_begin(model: Model) -> None:
    for beginner in (PLAYER, COMPUTER):
        play(model, **plays(beginner, 5))
        assert shown(model) == Game().after(beginner, 5).pins()
        model.set("pp", 0)
        model.set("pc", 0)
        model.half(0)
        model.set("rst", 1)
        model.half(0)
        assert shown(model) == Game().pins()
        model.set("rst", 0)


def test_nothing_is_registered_during_a_reset(model: Model) -> None:
    model.set("rst", 1)
    play(model, 5, None)
    assert shown(model) == Game().pins()


def test_a_line_is_won_by_three_that_are_alike_and_not_empty() -> None:
    line = LineDetector()

    async def every_line(ctx: Any) -> None:
        for codes in product(range(4), repeat=3):
            for pin, code in zip((line.pos0, line.pos1, line.pos2), codes, strict=True):
                ctx.set(pin, code)
            won = codes[0] == codes[1] == codes[2] != 0
            assert (ctx.get(line.winner), ctx.get(line.who)) == ((1, codes[0]) if won else (0, 0))

    settled(line, every_line)


def test_the_winner_is_whoever_has_a_line_on_any_board() -> None:
    """On the 3^9 boards, reachable or not; if both sides have a line, both bits are high."""
    detector = WinnerDetector()

    async def every_board(ctx: Any) -> None:
        for board in product((NOBODY, PLAYER, COMPUTER), repeat=9):
            who = 0
            for side in (PLAYER, COMPUTER):
                stones = {position for position in range(1, 10) if board[position - 1] == side}
                if any(line <= stones for line in ROWS + COLUMNS + DIAGONALS):
                    who |= int(side, 2)
            for position, code in enumerate(board, start=1):
                ctx.set(getattr(detector, f"pos{position}"), int(code, 2))
            assert (ctx.get(detector.winner), ctx.get(detector.who)) == (who != 0, who), board

    settled(detector, every_board)


# The referee to the letter of the slides.


@needs_a_compiler
@pytest.mark.parametrize(
    ("named", "board"),
    [
        ({"player": 5, "computer": 5}, {5: COMPUTER}),
        ({"player": 1, "computer": 9}, {1: PLAYER, 9: COMPUTER}),
        ({"player": 0}, {}),
        ({"player": 12}, {}),
        ({"computer": 15}, {}),
    ],
)
def test_what_the_slides_do_where_the_rules_refuse(named: dict[str, int], board: dict[int, str]) -> None:
    """Both at once store both stones, on one place the computer's; numbers without a place do nothing."""
    slides, ours = compiled(DESIGN_SLIDES), compiled(DESIGN)
    for model in (slides, ours):
        model.reset()
    assert not play(slides, named.get("player"), named.get("computer"))
    assert {n: f"{slides.get(f'pos{n}'):02b}" for n in range(1, 10) if slides.get(f"pos{n}")} == board
    assert play(ours, named.get("player"), named.get("computer"))


@needs_a_compiler
def test_every_play_on_every_board_comes_out_as_the_slides_have_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["silicon", "check", DESIGN_SLIDES.name, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found.pop("boards"), found.pop("plays")) == (3**9, 3**9 * 64)
    assert set(found) == {"design", "gates", "seconds"}


@needs_a_compiler
def test_the_walk_over_all_boards_finds_what_is_wrong() -> None:
    """The referee that keeps the rules is none of the slides: it calls more plays illegal."""
    with pytest.raises(WrongError, match="illegal_move 1: expected 0"):
        check(replace(DESIGN_SLIDES, make=DESIGN.make, module_names={}, watch=DESIGN.watch, name="referee2021"))


@pytest.mark.parametrize("number", range(3))
def test_the_cases_print_what_the_test_bench_of_the_slides_prints(number: int) -> None:
    _, board, winner = list(MATCHES.values())[number]
    cells = board.split()
    matrix = "\n".join(f" {' '.join(cells[row : row + 3])} \n" for row in (0, 3, 6))
    match = ("first", "second", "third")[number]
    for chip in (DESIGN, DESIGN_SLIDES):
        recorded = kept.recording(chip, f"case-{number + 1}")
        assert recorded is not None
        said = "\n".join(line for _, line in recorded.outline.said)
        assert f"Below is 3X3 matrix generated after {match} match :\n\n{matrix}" in said
        assert said.endswith(f"Winner Decided is : {winner} \n")


def test_case_1_is_driven_as_the_printed_test_bench_drives_it() -> None:
    """Both sides name their positions when a round begins; the player is enabled for 50 ns, then the computer."""
    recorded = kept.recording(DESIGN_SLIDES, "case-1")
    assert recorded is not None
    trace = recorded.trace
    pins = ("rst", "pp", "pc", "player_position", "computer_position")
    levels = groupby(zip(*map(trace.column, pins), strict=True))
    assert [(level, len(list(alike)) * trace.step_ns) for level, alike in levels][1:] == [
        ((0, 0, 0, 0, 0), 100),
        *(((0, player, 1 - player, *named), 50) for named in ((4, 1), (8, 5), (6, 9)) for player in (1, 0)),
        ((0, 0, 0, 6, 9), 50),
    ]


@pytest.mark.parametrize("number", range(3))
def test_plays_without_a_pause_between_them_are_counted_apart(number: int) -> None:
    stones = list(MATCHES.values())[number][1].split()
    recorded = kept.recording(DESIGN_SLIDES, f"case-{number + 1}")
    assert recorded is not None
    plays = 9 - stones.count(NOBODY)
    assert recorded.outline.replies == tuple((first, first + 4) for first in range(20, 20 + 5 * plays, 5))


def in_icarus(text: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    (folder / "chip.sv").write_text(text)
    subprocess.run(["iverilog", "-g2012", "-o", "chip.vvp", "chip.sv"], cwd=folder, check=True)
    return subprocess.run(["vvp", "-n", "chip.vvp"], cwd=folder, capture_output=True, text=True, check=False)


@needs_icarus
@pytest.mark.parametrize("chip", [DESIGN, DESIGN_SLIDES], ids=["rules", "slides"])
def test_the_exported_test_bench_runs_in_icarus_and_prints_the_same(
    chip: Design, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["silicon", "verilog", chip.name, "--bench"]) == 0
    printed = ""
    for shown in chip.samples:
        known = kept.recording(chip, shown.name)
        assert known is not None
        printed += "".join(f"{line}\n" for _, line in known.outline.said)
        printed += f"{shown.name}: {len(known.trace.rows)} half cycles as recorded\n"
    assert in_icarus(capsys.readouterr().out, tmp_path).stdout == printed


@needs_icarus
def test_the_test_bench_finds_a_referee_that_errs(tmp_path: Path) -> None:
    known = kept.recording(DESIGN, "case-1")
    assert known is not None
    wrong = verilog(DESIGN).replace("assign illegal_move = ", "assign illegal_move = pp | ")
    assert wrong != verilog(DESIGN)
    done = in_icarus(wrong + bench(DESIGN, [(DESIGN.samples[0], known.trace)]), tmp_path)
    assert done.returncode != 0
    assert "half cycles are not as recorded" in done.stdout + done.stderr
