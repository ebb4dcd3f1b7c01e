"""Plays at the pads of the tile, as a person with the switches, the display and the lamps would.

Every game that the user can play is played, with the user and with the machine beginning, as long as CYCLES clock
cycles last: all games of a chip that answers at once, a part of those of one that searches. After every move display,
dot and all lamps must be right; the machine's moves must be legal, must keep the value of the position where the
board is small enough to work that out here, and must never lose. What the rules are stands in tile.json. With
EVERY in the environment it fails unless every game was played.

`make` runs it with Icarus Verilog; the Makefile says what else there is.
"""

import json
import os
from functools import cache
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer

TILE = json.loads(Path(__file__).with_name("tile.json").read_text())
LINES = [frozenset(line) for line in TILE["lines"]]
PLACES = range(1, TILE["places"] + 1)
ROWS = TILE["lamps"]
GLYPHS = {segments: glyph for glyph, segments in TILE["glyphs"].items()}
CYCLES = int(os.environ.get("CYCLES", TILE["cycles"]))
PERIOD = 100
PRESS, NEW, MACHINE_BEGINS, LOOK = 0x10, 0x20, 0x40, 0x80


# The rules, on sets of places: those of the side to move first.


def has_row(stones):
    return any(line <= stones for line in LINES)


@cache
def value(mine, theirs):
    """1 if the side to move wins, 0 for a draw, -1 if it loses."""
    if has_row(theirs):
        return -1
    free = [place for place in PLACES if place not in mine | theirs]
    return max((-value(theirs, mine | {place}) for place in free), default=0)


class Board:
    """The demo board: switches, display, lamps."""

    def __init__(self, dut):
        self.dut = dut
        self.used = 0
        self.switches = 0

    async def cycles(self, count):
        self.used += count
        await Timer(PERIOD * count, unit="ns")

    async def set(self, switches):
        self.switches = switches
        self.dut.ui_in.value = switches
        await self.cycles(TILE["press"])

    async def new_game(self, user_begins):
        who = 0 if user_begins else MACHINE_BEGINS
        await self.set(NEW | who)
        await self.set(who)
        await self.answer()

    async def press(self, place):
        await self.set(place)
        await self.set(place | PRESS)
        await self.set(place)
        await self.answer()

    async def answer(self):
        """Wait until the dot asks for a move or the game is over."""
        for _ in range(TILE["patience"]):
            if self.dot() or self.glyph() in "L=U":
                return
            await self.cycles(1)
        raise AssertionError(f"no answer after {TILE['patience']} cycles")

    def glyph(self):
        return GLYPHS[int(self.dut.uo_out.value) & 0x7F]

    def dot(self):
        return int(self.dut.uo_out.value) >> 7

    async def look(self, place):
        """What the display shows of a place; of place 0, the machine's last move."""
        kept = self.switches
        await self.set(LOOK | place)
        shown = self.glyph()
        await self.set(kept)
        return shown

    async def lamps(self):
        """The places that are lit in the machine's colour, and in the user's, once every row has had its turn."""
        lit = set(), set()
        for _ in range(2 * len(ROWS)):
            await self.cycles(TILE["phase"])
            drives, levels = int(self.dut.uio_oe.value), int(self.dut.uio_out.value)
            for row, places in enumerate(ROWS):
                for number, place in enumerate(places):
                    column = len(ROWS) + number
                    # Current flows through a lamp from a pad that is driven high to one that is driven low.
                    if drives >> row & drives >> column & 1 and (levels >> row ^ levels >> column) & 1:
                        lit[levels >> column & 1].add(place)
        return frozenset(lit[0]), frozenset(lit[1])


@cocotb.test()
async def every_game(dut):
    cocotb.start_soon(Clock(dut.clk, PERIOD, unit="ns").start())
    dut.ena.value, dut.ui_in.value, dut.uio_in.value, dut.rst_n.value = 1, 0, 0, 0
    board = Board(dut)
    # From here on switches change, and are looked at, when the clock falls.
    await FallingEdge(dut.clk)
    await board.cycles(10)
    dut.rst_n.value = 1
    results = {"L": 0, "=": 0, "U": 0}
    every = True
    for user_begins in (True, False):
        # A game is a list of positions and of the user's moves in them; the next one differs in the last that can.
        game = None
        while game is None or (game := following(game)):
            if board.used > CYCLES:
                every = False
                break
            game, ended = await play(board, user_begins, game or [])
            results[ended] += 1
    dut._log.info("the user lost %d games, drew %d and won %d; %d cycles", *results.values(), board.used)
    dut._log.info("every game was played" if every else "the cycles were used up before every game was played")
    assert results["L"] + results["="] > 0
    assert results["U"] == 0
    assert every or "EVERY" not in os.environ


def following(game):
    """The beginning of the next game: its last move is a new one, those before it are the same."""
    while game:
        machine, user, move = game.pop()
        free = [place for place in PLACES if place > move and place not in machine | user]
        if free:
            return [*game, (machine, user, free[0])]
    return []


async def play(board, user_begins, game):
    """A game to its end, from its beginning on; what is new in it is looked at."""
    await board.new_game(user_begins)
    game = list(game)
    for _, _, move in game[:-1]:
        await board.press(move)
    if game:
        machine, user, move = game[-1]
    else:
        machine, user, ended = await look(board, frozenset(), frozenset(), not user_begins)
        move = next(place for place in PLACES if place not in machine | user)
        game.append((machine, user, move))
    while True:
        await board.press(move)
        machine, user, ended = await look(board, machine, user | {move}, True)
        if ended:
            return game, ended
        move = next(place for place in PLACES if place not in machine | user)
        game.append((machine, user, move))


async def look(board, machine, user, moves):
    """Look at a position that is new; what the stones of machine and user are, and how the game ended if it did."""
    lost = has_row(user)
    before = machine | user
    if not lost and len(before) < len(PLACES) and board.dot() and user:
        # A stone that is pressed on changes nothing.
        await board.press(min(user))
    now, theirs = await board.lamps()
    assert theirs == user, f"the lamps show {sorted(theirs)} of the user, expected {sorted(user)}"
    assert machine <= now
    new = sorted(now - machine)
    if moves and not lost and len(before) < len(PLACES):
        assert len(new) == 1, f"the machine's moves are {new} on {sorted(machine)}, {sorted(user)}: expected one"
        (move,) = new
        assert move not in before, f"{move} is not free"
        if len(PLACES) <= 9:
            kept = -value(user, machine | {move}) == value(machine, user)
            assert kept, f"{move} gives value away on {sorted(machine)}, {sorted(user)}"
        assert await board.look(0) == f"{move:X}"
        machine |= {move}
    else:
        assert not new
    over = has_row(machine) or lost or len(machine | user) == len(PLACES)
    assert board.dot() == (not over)
    if not over:
        return machine, user, ""
    ended = "L" if has_row(machine) else "U" if lost else "="
    assert board.glyph() == ended, f"the display shows {board.glyph()!r}: expected {ended!r}"
    place = PLACES[sum(machine) % len(PLACES)]
    stone = "o" if place in machine else "H" if place in user else "-"
    assert await board.look(place) == stone, f"the display shows something else than {stone!r} of place {place}"
    return machine, user, ended
