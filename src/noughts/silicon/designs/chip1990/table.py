"""The chip that the authors of 1990 chose not to build: a move-table instead of a search.

"Despite the limited number of possible combinations of this game, we have chosen not to implement a big move-table,
where each possible position could be looked up and thus the next move be obtained." Here it is, with the pins, the
keyboard and the board of their chip, and with its moves. What the search needs, the stack, the block *value* and the
registers i and m, is not there. The table is a circuit without a clock: board in, place out.

    keyboard ──► move ──index──► board ──► wins, full, validkey
                  ▲                │
                place ◄── table ◄──┘       fsm: five of the eight states

A reply takes two cycles: *userjustmoved* sets the stone where the table says, *rating* sees whether the game is over.

How large is it? There are 4,519 positions in which the chip can be to move and the game is not over, the empty board
not counted. Addressed by the 18 bits of the board, a memory of their moves would have 262,144 words of four bits;
19,683, if the board is first made a number to base 3. But no other board can be on the chip unless somebody sets one up
against the rules, so that it does not matter what the table says of it. A **decision tree** makes use of that: it asks
what is on one place, then on another, and as soon as one move is right for all positions that are left, that is the
answer. Which place to ask about is chosen as is usual for such trees (Quinlan's ID3): the one whose answer leaves the
least entropy of the moves. Tried and larger: a pattern for each board; and patterns only for boards where the move is
not the first free place, which the next-free chain finds.

The moves are those of the search by a theorem and not by running it: it takes the first place whose value is the value
of the position, by the game's solution (`noughts.solve`). In 632 of the positions the chip has lost, and its search
finds no move; the table then has the first free place. That the chips agree is tested.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from math import log2
from typing import NamedTuple

from amaranth.hdl import Array, Elaboratable, Module
from amaranth.lib.wiring import Component, In, Out

from noughts.games import Outcome, game
from noughts.silicon.designs.chip1990 import Choose
from noughts.silicon.designs.chip1990.circuit import INPUTS, OUTPUTS, Board, Keyboard, join_scan_paths
from noughts.silicon.designs.chip1990.controller import TableController
from noughts.silicon.parts import PLACES
from noughts.silicon.parts import Counter as FreeCounter
from noughts.solve import solve

__all__ = ["Entry", "MoveTable", "TableCore", "move_table"]


class Entry(NamedTuple):
    """A position in which the chip is to move, and its move."""

    board: tuple[int, ...]
    """What is on each place, as the board register has it: nothing (0), the chip's stone (1) or the user's (2)."""
    place: int
    lost: bool
    """Whether the search would find no move."""


@cache
def move_table() -> tuple[Entry, ...]:
    """Every position in which the chip can be to move, whoever has begun, but for the empty board."""
    tictactoe = game("tictactoe")
    solution = solve(tictactoe)
    entries = []
    for position in solution.positions():
        if not position.occupied or tictactoe.over(position) is not None:
            continue
        rated = solution.moves(position)
        best = min(one.move for one in rated if one.value.outcome is rated[0].value.outcome)
        assert best.to is not None
        chip, user = position.stones[position.turn], position.stones[1 - position.turn]
        board = tuple((chip >> place & 1) + 2 * (user >> place & 1) for place in range(PLACES))
        # Where all moves lose, the first of the best is the first of all, that is the first free place.
        entries.append(Entry(board, best.to, solution.value(position).outcome is Outcome.LOSS))
    return tuple(sorted(entries))


def _parted(entries: Sequence[Entry], place: int) -> list[tuple[int, list[Entry]]]:
    """The entries by what is on a place, the largest part last."""
    parts: dict[int, list[Entry]] = {}
    for entry in entries:
        parts.setdefault(entry.board[place], []).append(entry)
    return sorted(parts.items(), key=lambda part: (len(part[1]), part[0]))


def _entropy(entries: Sequence[Entry]) -> float:
    """How many bits it would take to say which move is right in each of these."""
    moves = Counter([entry.place for entry in entries])
    return -sum(count * log2(count / len(entries)) for count in moves.values())


class MoveTable(Component):
    """The chip's move, from the board."""

    board: In(2 * PLACES)
    place: Out(4)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        self._decide(m, move_table(), frozenset(range(PLACES)))
        return m

    def _decide(self, m: Module, entries: Sequence[Entry], places: frozenset[int]) -> None:
        """Ask about one more of these places, until one move is right for all entries."""
        if len({entry.place for entry in entries}) == 1:
            m.d.comb += self.place.eq(entries[0].place)
            return
        asked = min(sorted(places), key=lambda place: sum(_entropy(part) for _, part in _parted(entries, place)))
        # The part that is the largest needs no comparison: it is what is left.
        *cases, (_, rest) = _parted(entries, asked)
        with m.Switch(self.board.word_select(asked, 2)):
            for stone, part in cases:
                with m.Case(stone):
                    self._decide(m, part, places - {asked})
            with m.Default():
                self._decide(m, rest, places - {asked})


class TableMove(Component):
    """The block *move* without a search: `index` is the random place, the table's or the key, by `choose`."""

    choose: In(2)
    key: In(4)
    place: In(4)
    index: Out(4)
    scan: In(1)
    scanin: In(1)
    scanout: Out(1)

    def __init__(self) -> None:
        super().__init__()
        self.counter = FreeCounter()

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.submodules.counter = counter = self.counter
        m.d.comb += [
            self.index.eq(Array([counter.count, 0, self.place, self.key])[self.choose]),
            counter.scan.eq(self.scan),
            counter.scanin.eq(self.scanin),
            self.scanout.eq(counter.scanout),
        ]
        return m


class TableCore(Component):
    """The blocks that are left, and the table. No move is tried: the pins `i` show the table's, and `sp` is 0."""

    def __init__(self) -> None:
        super().__init__({**INPUTS, **OUTPUTS})
        self.keyboard = Keyboard()
        self.board = Board()
        self.move = TableMove()
        self.table = MoveTable()
        self.fsm = TableController()

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.submodules.keyboard = keyboard = self.keyboard
        m.submodules.board = board = self.board
        m.submodules.move = move = self.move
        m.submodules.table = table = self.table
        m.submodules.fsm = fsm = self.fsm

        m.d.comb += [
            keyboard.keyboardN.eq(self.keyboardN),
            move.choose.eq(fsm.choose),
            move.key.eq(keyboard.key),
            move.place.eq(table.place),
            board.index.eq(move.index),
            board.bykey.eq(fsm.choose == Choose.KEY),
            board.toggleN.eq(fsm.toggleN),
            board.pin.eq(self.pin),
            board.at.eq(keyboard.at),
            table.board.eq(board.board),
            *(getattr(fsm, name).eq(getattr(board, name)) for name in ("full", "wins", "validkey")),
            fsm.keypressed.eq(keyboard.keypressed),
            fsm.userbegins.eq(self.userbegins),
            self.led.eq(board.board),
            self.i.eq(table.place),
            *(getattr(self, name).eq(getattr(fsm, name)) for name in ("copyboard", "prompt", "fin", "win")),
        ]

        join_scan_paths(m, self, [keyboard, board, move, fsm])
        return m
