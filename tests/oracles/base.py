"""What all oracles have in common: positions, their notation, and carrying out a move."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from functools import cache
from typing import NamedTuple

from .boards import Board

MOVE = re.compile(r"(?:(?P<origin>\d?[a-z]\d+)-)?(?P<target>\d?[a-z]\d+)(?:x(?P<captured>\d?[a-z]\d+))?")


class State(NamedTuple):
    """A position: the cells in the order they are written, whose turn it is, and the stones in hand.

    The hands are (X's, O's); in games where stones are only placed nobody counts them and they stay (0, 0).
    """

    cells: tuple[str, ...]
    turn: str
    hands: tuple[int, int]


def opponent(turn: str) -> str:
    """The side that is not to move."""
    return "o" if turn == "x" else "x"


class Oracle(ABC):
    """The rules of one game, told as slowly and plainly as possible."""

    def __init__(self, board: Board, stones_each: int) -> None:
        """`stones_each` is 0 for the games where stones are only placed until the board is full."""
        self.board = board
        self.names = board.names()
        self.places = {name: place for place, name in enumerate(self.names)}
        self.form = "|".join("/".join("{}" * len(row) for row in level) for level in board.levels)
        self.stones_each = stones_each
        self.placing_only = stones_each == 0

    @abstractmethod
    def over(self, state: State) -> str | None:
        """The end of the game: "loss" if the side to move has lost, "draw", or None if the game goes on."""

    @abstractmethod
    def moves(self, state: State) -> list[str]:
        """The legal moves, none if the game is over."""

    def start(self) -> State:
        """The board is empty, all stones are in hand, and X begins."""
        return State(tuple("." for _ in self.names), "x", (self.stones_each, self.stones_each))

    def stones(self, state: State) -> dict[str, str]:
        """What stands on each point, by name."""
        return dict(zip(self.names, state.cells, strict=True))

    def empty_points(self, state: State) -> list[str]:
        """The points where nothing stands."""
        return [name for name, stone in zip(self.names, state.cells, strict=True) if stone == "."]

    def in_hand(self, state: State) -> int:
        """How many stones the side to move has still to place."""
        return state.hands[0] if state.turn == "x" else state.hands[1]

    def play(self, state: State, move: str) -> State:
        """The position after a legal move.

        Only what the notation itself claims is checked (that the stone moved is one's own, the point moved
        to empty and the stone captured the opponent's), not whether the rules allow the move.
        """
        if move == "pass":
            return State(state.cells, opponent(state.turn), state.hands)
        origin, target, captured = parts_of(move)
        cells = list(state.cells)
        own, other = state.turn.upper(), opponent(state.turn).upper()
        if origin:
            self._exchange(cells, origin, own, ".")
        self._exchange(cells, target, ".", own)
        if captured:
            self._exchange(cells, captured, other, ".")
        hands = state.hands if origin else self._hands_after_placing(state)
        return State(tuple(cells), opponent(state.turn), hands)

    def _exchange(self, cells: list[str], point: str, before: str, after: str) -> None:
        """Change what stands on a point, which must be what the move says."""
        place = self.places.get(point)
        if place is None or cells[place] != before:
            raise ValueError(f"{before!r} does not stand on {point}")
        cells[place] = after

    def _hands_after_placing(self, state: State) -> tuple[int, int]:
        """The stone placed comes from the hand of the side to move."""
        if self.placing_only:
            return state.hands
        if self.in_hand(state) == 0:
            raise ValueError("no stone in hand")
        x, o = state.hands
        return (x - 1, o) if state.turn == "x" else (x, o - 1)

    def text(self, state: State) -> str:
        """The position notation: rows apart by "/", levels by "|", then the side to move and the hands."""
        text = self.form.format(*state.cells)
        if not self.placing_only:
            text += " " + state.turn
            if state.hands != (0, 0):
                text += f" {state.hands[0]},{state.hands[1]}"
        return text

    def read(self, text: str) -> State:
        """The position that is written as `text`; where no side to move is written the stones tell it."""
        written, *rest = text.split(" ")
        cells = tuple(written.replace("/", "").replace("|", ""))
        turn = rest[0] if rest else ("x" if cells.count("X") == cells.count("O") else "o")
        x, o = (int(number) for number in rest[1].split(",")) if len(rest) > 1 else (0, 0)
        state = State(cells, turn, (x, o))
        if len(cells) != len(self.names) or self.text(state) != text:
            raise ValueError(f"not a position of this game: {text!r}")
        return state


@cache
def parts_of(move: str) -> tuple[str | None, str, str | None]:
    """Where a stone comes from, unless from the hand, where it goes, and which it captures, if any."""
    parts = MOVE.fullmatch(move)
    if parts is None:
        raise ValueError(f"not a move: {move!r}")
    return parts["origin"], parts["target"], parts["captured"]
