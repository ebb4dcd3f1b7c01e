"""What a click on a point means: every point of the board leads somewhere, if only to a word on what is wrong.

A move is written from left to right, `a1-b2xc3`, and clicked in the same order: the stone, where it goes, what it
captures. So the legal moves that begin with what was clicked already decide what may be clicked next. As soon as only
one move is left, it is played.
"""

import re
from dataclasses import replace
from typing import NamedTuple

from noughts.games import SIDES, Move, Position
from noughts.web.table import BadAddressError, Table

__all__ = ["Click", "choices", "clicks", "shown", "what_is_wrong"]

_POINT = re.compile("[0-9]?[a-z][0-9]+")


class Click(NamedTuple):
    """A point as a link."""

    point: int
    kind: str
    """`play` or `pick` for a click that leads on, `back` for one that takes the part back, `wrong` for all others."""
    href: str
    label: str
    """What stands there and what a click does, for those who hear the page."""
    moves: tuple[str, ...] = ()
    """The legal moves it may lead to."""


def choices(table: Table, part: str = "") -> dict[str, tuple[str, ...]]:
    """By the name of the point to click next, the legal moves that begin with this part."""
    found: dict[str, list[str]] = {}
    if not table.over and not table.full:
        for move in table.game.moves(table.playing.position):
            text = table.game.write_move(move)
            following = _POINT.match(text, len(part)) if text.startswith(part) else None
            if following:
                found.setdefault(following[0], []).append(text)
    return {name: tuple(moves) for name, moves in found.items()}


def clicks(table: Table) -> list[Click]:
    """What a click on each point means, in the order of the points."""
    if table.machine_to_move:
        return [_wrong(table, point) for point in range(len(table.game.layout))]
    now, first = choices(table, table.part), choices(table)
    return [_click(table, point, now, first) for point in range(len(table.game.layout))]


def shown(table: Table) -> Position:
    """The position to show: with the stone where the part of the move has put it, if it has."""
    if not table.part.endswith("x"):
        return table.playing.position
    source, _, to = table.part.rstrip("x").rpartition("-")
    index = table.game.layout.index
    return table.game.after(table.playing.position, Move(index[to], index[source] if source else None))


def what_is_wrong(table: Table, name: str) -> str:
    """Why a click on this point leads nowhere; empty if it does lead on."""
    if name not in table.game.layout.index:
        raise BadAddressError(f"try={name[:20]!r} is not a point of this board: expected one, as b2")
    if table.over:
        return "The game is over. Take a move back, or begin a new game."
    if table.full:
        return "The game can go no further: its address is full."
    if table.machine_to_move:
        return f"It is the turn of {table.turn_name}."
    if clicks(table)[table.game.layout.index[name]].kind != "wrong":
        return ""
    return _why(table, name)


def _click(table: Table, point: int, now: dict[str, tuple[str, ...]], first: dict[str, tuple[str, ...]]) -> Click:
    name = table.game.layout.points[point]
    holder = _holder(table, point)
    if name in now and len(now[name]) == 1:
        move = now[name][0]
        return Click(point, "play", table.url_after(move), f"{name}, {holder}: {_deed(table, move)}", now[name])
    if name in now:
        part = now[name][0][: len(table.part) + len(name) + 1]
        does = "pick it" if part.endswith("-") else f"{_verb(table)} here, then capture"
        return Click(point, "pick", table.url(part=part), f"{name}, {holder}: {does}", now[name])
    if name in re.split("[-x]", table.part):
        return Click(point, "back", table.url(part=""), f"{name}, {holder}: put it back")
    if table.part.endswith("-") and name in first:
        return _click(replace(table, part=""), point, first, first)
    return _wrong(table, point)


def _wrong(table: Table, point: int) -> Click:
    name = table.game.layout.points[point]
    return Click(point, "wrong", table.url(**{"try": name}), f"{name}, {_holder(table, point)}")


def _holder(table: Table, point: int) -> str:
    """Who stands there."""
    x, o = shown(table).stones
    return "X" if x >> point & 1 else "O" if o >> point & 1 else "empty"


def _verb(table: Table) -> str:
    return "move" if table.part else "play"


def _deed(table: Table, move: str) -> str:
    """What happens when this move is played by the next click."""
    rest = move[len(table.part) :]
    if table.part.endswith("x"):
        return "capture it"
    if "-" in rest:
        return f"move it to {rest.partition('-')[2].replace('x', ' and capture ')}"
    capture = rest.partition("x")[2]
    return f"{_verb(table)} here" + (f" and capture {capture}" if capture else "")


def _why(table: Table, name: str) -> str:
    """The reason, for a person who is to move."""
    position, point = table.playing.position, table.game.layout.index[name]
    own, other = (bool(position.stones[side] >> point & 1) for side in (position.turn, 1 - position.turn))
    you, them = SIDES[position.turn].upper(), SIDES[1 - position.turn].upper()
    if not choices(table):
        return "You have no move here but to pass."
    if table.part.endswith("x"):
        if other:
            return f"{name} stands in a mill, and {them} has stones that do not: capture one of those."
        return f"You closed a mill: capture one of the stones of {them}, not {name}."
    if position.hand[position.turn] or table.game.placing_only:
        return f"{name} is occupied: place your stone on an empty point."
    if table.part:
        return _why_not_there(table, name, own or other)
    if own:
        return f"{name} cannot move: no point beside it is empty."
    if other:
        return f"{name} belongs to {them}: pick one of your own stones, {you}."
    return f"{name} is empty: first pick the stone of yours that should move."


def _why_not_there(table: Table, name: str, occupied: bool) -> str:
    """Why the stone that was picked cannot go there."""
    source = table.part.rstrip("-")
    free = choices(table, table.part)
    if occupied:
        return f"{name} is occupied: {source} can move to {_either(list(free))}."
    return f"{name} is not beside {source}: it can move to {_either(list(free))}."


def _either(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
