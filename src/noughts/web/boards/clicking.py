"""A move made click by click, on a board whose points are links; any page that lets people move can use it.

Every point of the board leads somewhere, if only to a word on what is wrong. A move is written from left to right,
`a1-b2xc3`, and clicked in the same order: the stone, where it goes, what it captures. So the legal moves that begin
with what was clicked already, the *part*, decide what may be clicked next. As soon as only one move is left, it is
played. Where the links lead is the page's business: it says which address has a move more, which has a part of one, and
which explains a click that leads nowhere.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from noughts.games import SIDES, Game, Move, Position
from noughts.games.points import point_set
from noughts.web.boards.linked import Click, Marks

__all__ = ["Choices", "Clicking", "choices_of"]

_POINT = re.compile("[0-9]?[a-z][0-9]+")

Choices = dict[str, tuple[str, ...]]
"""By the name of the point to click next, the moves that a click on it may lead to."""


def choices_of(game: Game, position: Position, part: str = "") -> Choices:
    """What may be clicked next, after this part of a move."""
    found: dict[str, list[str]] = {}
    for move in game.moves(position):
        text = game.write_move(move)
        following = _POINT.match(text, len(part)) if text.startswith(part) else None
        if following:
            found.setdefault(following[0], []).append(text)
    return {name: tuple(moves) for name, moves in found.items()}


@dataclass(frozen=True)
class Clicking:
    """A position, the part of a move that was clicked, and where clicks lead."""

    game: Game
    position: Position
    part: str
    """The beginning of a legal move, up to its `-` or `x`; empty before the first click."""
    after: Callable[[str], str]
    """The address with one more move."""
    picking: Callable[[str], str]
    """The address with this part of a move."""
    trying: Callable[[str], str]
    """The address that says why a click on the point of this name leads nowhere."""
    closed: bool = False
    """Whether no move is to be made here now, so that every click leads nowhere."""

    @property
    def shown(self) -> Position:
        """The position to show: with the stone where the part of the move has put it, if it has."""
        if not self.part.endswith("x"):
            return self.position
        source, _, to = self.part.rstrip("x").rpartition("-")
        index = self.game.layout.index
        return self.game.after(self.position, Move(index[to], index[source] if source else None))

    def choices(self) -> Choices:
        """What may be clicked next."""
        return {} if self.closed else choices_of(self.game, self.position, self.part)

    def clicks(self) -> list[Click]:
        """What a click on each point means, in the order of the points."""
        points = range(len(self.game.layout))
        if self.closed:
            return [self._wrong(point) for point in points]
        now, first = self.choices(), replace(self, part="").choices()
        return [self._click(point, now, first) for point in points]

    def marks(self) -> Marks:
        """What to point out while the move is made: what was clicked, and what may be."""
        index, capturing = self.game.layout.index, self.part.endswith("x")
        turn = self.position.turn
        following = point_set(index[name] for name in self.choices())
        if not self.part:  # of all points on which a stone can be placed, none stands out
            following &= self.position.stones[turn]
        return Marks(
            picked=point_set(index[name] for name in re.split("[-x]", self.part) if name),
            open=0 if capturing else following,
            target=following if capturing else 0,
        )

    def what_is_wrong(self, name: str) -> str:
        """Why a click on the point of this name leads nowhere; empty if it leads on."""
        point = self.game.layout.index[name]
        return self._why(point) if self.clicks()[point].kind == "wrong" else ""

    def _click(self, point: int, now: Choices, first: Choices) -> Click:
        name, holder = self.game.layout.points[point], self._holder(point)
        if name in now and len(now[name]) == 1:
            move = now[name][0]
            return Click(point, "play", self.after(move), f"{name}, {holder}: {self._deed(move)}", now[name])
        if name in now:
            part = now[name][0][: len(self.part) + len(name) + 1]
            does = "pick it" if part.endswith("-") else f"{self._verb} here, then capture"
            return Click(point, "pick", self.picking(part), f"{name}, {holder}: {does}", now[name])
        if name in re.split("[-x]", self.part):
            return Click(point, "back", self.picking(""), f"{name}, {holder}: put it back")
        if self.part.endswith("-") and name in first:
            return replace(self, part="")._click(point, first, first)
        return self._wrong(point)

    def _wrong(self, point: int) -> Click:
        name = self.game.layout.points[point]
        return Click(point, "wrong", self.trying(name), f"{name}, {self._holder(point)}")

    def _holder(self, point: int) -> str:
        """Who stands there."""
        x, o = self.shown.stones
        return "X" if x >> point & 1 else "O" if o >> point & 1 else "empty"

    @property
    def _verb(self) -> str:
        return "move" if self.part else "play"

    def _deed(self, move: str) -> str:
        """What happens when this move is played by the next click."""
        rest = move[len(self.part) :]
        if self.part.endswith("x"):
            return "capture it"
        if "-" in rest:
            return f"move it to {rest.partition('-')[2].replace('x', ' and capture ')}"
        capture = rest.partition("x")[2]
        return f"{self._verb} here" + (f" and capture {capture}" if capture else "")

    def _why(self, point: int) -> str:
        """The reason, for a person who is to move."""
        position, name = self.position, self.game.layout.points[point]
        own, other = (bool(position.stones[side] >> point & 1) for side in (position.turn, 1 - position.turn))
        you, them = SIDES[position.turn].upper(), SIDES[1 - position.turn].upper()
        if not choices_of(self.game, position):
            return "You have no move here but to pass."
        if self.part.endswith("x"):
            if other:
                return f"{name} stands in a mill, and {them} has stones that do not: capture one of those."
            return f"You closed a mill: capture one of the stones of {them}, not {name}."
        if self.part:
            return self._why_not_there(name, own or other)
        if not self.game.rules.can_step(position, position.turn):
            return f"{name} is occupied: place your stone on an empty point."
        if own:
            return f"{name} cannot move: no point beside it is empty."
        if other and position.hand[position.turn]:
            return f"{name} belongs to {them}: place a stone on an empty point, or pick one of yours, {you}."
        if other:
            return f"{name} belongs to {them}: pick one of your own stones, {you}."
        return f"{name} is empty: first pick the stone of yours that should move."

    def _why_not_there(self, name: str, occupied: bool) -> str:
        """Why the stone that was picked cannot go there."""
        source, free = self.part.rstrip("-"), list(self.choices())
        either = free[0] if len(free) == 1 else f"{', '.join(free[:-1])} or {free[-1]}"
        where = "occupied" if occupied else f"not beside {source}"
        return f"{name} is {where}: {source if occupied else 'it'} can move to {either}."
