"""Whether a logic does what a specification asks: by trying it in every position, with the rules of the game alone.

Nothing here is shared with the search for small logics. The game is walked through from the empty board, move by move,
as `noughts.games` has its rules; the value of a position is worked out from those by the plain recursion (minimax),
each position once; and what the netlist says in them is simulated for all at once, a bit a position. For A and A-any
the walk goes along all moves of both sides; for a machine that follows its own moves, along all moves of its opponent
and its own.

A machine never loses if and only if no move of it leads to a position that the opponent can win: from such a one some
reply after another wins, whatever the machine says.

The first thing that is wrong ends the walk, and is told with the position in which it is wrong.
"""

from functools import cache, lru_cache
from typing import NamedTuple

from noughts.games import Move, NoughtsError, Outcome, Position, game
from noughts.silicon.logic.netlist import Netlist, NetlistError, quoted, simulate
from noughts.silicon.logic.specification import INPUTS, POINTS, Specification

__all__ = ["Verdict", "check_pins", "levels_of", "moves_of", "verify"]

_GAME = game("tictactoe")
_ENDS = {Outcome.LOSS: -1, Outcome.DRAW: 0}


class Verdict(NamedTuple):
    """What came of it."""

    specification: str
    holds: bool
    positions: int
    """In how many positions the logic was asked."""
    wins: int
    """Of all games that can be played against a machine that follows its own moves: those that it wins."""
    draws: int
    """Those that it draws; it loses none, or it would not hold."""
    counterexample: str | None
    """The first position in which it is wrong, what the logic says there, and what was expected."""


class _WrongError(NoughtsError):
    """Ends the walk."""


def verify(netlist: Netlist, asked: Specification) -> Verdict:
    """Ask a logic in every position that the specification speaks of.

    Args:
        netlist: The logic; inputs and outputs by their names, in any order. An input that it leaves out does not
            matter to it, an output that it leaves out is never raised.
        asked: What it must do.

    Raises:
        NetlistError: If it has other inputs or outputs than a board.
    """
    check_pins(netlist)
    walk = _Walk(netlist, asked)
    try:
        ended = [walk.games(_GAME.start(), side) for side in asked.turns or (0,)]
    except _WrongError as error:
        return Verdict(asked.name, False, walk.asked_in, 0, 0, str(error))
    wins, draws = (sum(counts) for counts in zip(*ended, strict=True))
    if asked.everywhere:
        wins = draws = 0
    return Verdict(asked.name, True, walk.asked_in, wins, draws, None)


class _Walk:
    """A walk through all games that the specification speaks of."""

    def __init__(self, netlist: Netlist, asked: Specification) -> None:
        self.says = _answers(netlist)
        self.asked = asked
        self.asked_in = 0
        self._known: dict[tuple[Position, int], tuple[int, int]] = {}

    def games(self, position: Position, side: int) -> tuple[int, int]:
        """How many games from here the machine wins and draws, if it has this side; each position is entered once."""
        if (position, side) not in self._known:
            over = _GAME.over(position)
            if over is not None:
                wins = int(over is Outcome.LOSS and position.turn != side)
                self._known[position, side] = (wins, int(over is Outcome.DRAW))
            else:
                ends = [self.games(_GAME.after(position, move), side) for move in self._moves(position, side)]
                self._known[position, side] = (sum(wins for wins, _ in ends), sum(draws for _, draws in ends))
        return self._known[position, side]

    def _moves(self, position: Position, side: int) -> list[Move]:
        """The moves that the walk goes along: those of the machine, looked at, or all."""
        moves = _GAME.moves(position)
        if not self.asked.everywhere and position.turn != side:
            return moves
        self.asked_in += 1
        raised = self.says[position]
        good = [move for move in moves if move.to is not None and self._may(position, move)]
        named = {POINTS[move.to]: move for move in good if move.to is not None}
        if not raised or set(raised) - set(named) or (self.asked.one_move and len(raised) > 1):
            says = f"raises {' and '.join(raised)}" if raised else "raises no output"
            how = "exactly one of" if self.asked.one_move else "one or more of"
            fitting = f"{how} {', '.join(named)}" if named else "not to get there, since every move loses"
            raise _WrongError(f"in {_GAME.write(position)} it {says}: expected {fitting}")
        return moves if self.asked.everywhere else [named[name] for name in raised]

    def _may(self, position: Position, move: Move) -> bool:
        """Whether the specification allows a legal move."""
        after = -value(_GAME.after(position, move))
        return after == value(position) if self.asked.keeps_value else after >= 0


@cache
def _in_play() -> tuple[Position, ...]:
    """All positions that moves lead to and in which the game goes on."""
    found = {_GAME.start(): None}
    for position in (waiting := [*found]):
        for move in _GAME.moves(position):
            after = _GAME.after(position, move)
            if after not in found and _GAME.over(after) is None:
                found[after] = None
                waiting.append(after)
    return tuple(found)


@cache
def _words() -> dict[str, int]:
    """For every input of a board its level in all positions in play, a bit each."""
    boards = [_stones(position) for position in reversed(_in_play())]
    return {name: int("".join(str(board >> at & 1) for board in boards), 2) for at, name in enumerate(INPUTS)}


@lru_cache(maxsize=8)
def _answers(netlist: Netlist) -> dict[Position, list[str]]:
    """The outputs that a logic raises in every position in play."""
    positions = _in_play()
    words = [_words()[name] for name in netlist.inputs]
    said: dict[Position, list[str]] = {position: [] for position in positions}
    for output, word in zip(netlist.outputs, simulate(netlist, words, len(positions)), strict=True):
        for position, level in zip(positions, reversed(f"{word:0{len(positions)}b}"), strict=True):
            if level == "1":
                said[position].append(output.name)
    return said


@cache
def value(position: Position) -> int:
    """What a position is worth to the side to move, by the rules: 1, 0 or -1.

    Args:
        position: Any position of tic-tac-toe.
    """
    over = _GAME.over(position)
    if over is not None:
        return _ENDS[over]
    return max(-value(_GAME.after(position, move)) for move in _GAME.moves(position))


def moves_of(netlist: Netlist, position: Position) -> list[str]:
    """The outputs that a logic raises in a position.

    Args:
        netlist: The logic.
        position: A position of tic-tac-toe.
    """
    levels = simulate(netlist, levels_of(netlist, position), 1)
    return [output.name for output, level in zip(netlist.outputs, levels, strict=True) if level]


def levels_of(netlist: Netlist, position: Position) -> list[int]:
    """The levels of a logic's inputs in a position.

    Args:
        netlist: The logic, whose inputs are those of a board.
        position: A position of tic-tac-toe.
    """
    stones = _stones(position)
    return [stones >> INPUTS.index(name) & 1 for name in netlist.inputs]


def _stones(position: Position) -> int:
    """The levels of all inputs of a board, as a set of their numbers."""
    mine, theirs = position.stones[position.turn], position.stones[1 - position.turn]
    return mine | theirs << len(POINTS)


def check_pins(netlist: Netlist) -> None:
    """Refuse a logic whose inputs and outputs are not those of a board.

    Args:
        netlist: The logic.

    Raises:
        NetlistError: If an input or an output has another name.
    """
    for what, names, expected in (
        ("input", netlist.inputs, INPUTS),
        ("output", [output.name for output in netlist.outputs], POINTS),
    ):
        for name in names:
            if name not in expected:
                raise NetlistError(f"{quoted(name)} is no {what} of a board: expected {expected[0]} … {expected[-1]}")
