"""How a move looks of which nothing is proved: its estimate beside that of the best one, in a word or two.

An estimate is the engine's, in units of its own: where stones are only placed, a line that lacks one stone is worth
256; at the morris games it is 200 times the logarithm of the odds (`noughts.solve.engine.patterns`). These numbers say
little to people, so they are measured by what a **lead** is worth: about 70 % of the points. In games of the engine
against itself (`docs/measure_leads.py`), the side that was ahead by 128 went on to score 74 % at 15×15, 72 % at Qubic
and 63 % at 9×9, where many games are drawn; at six and nine men's morris 320 scored 76 % and 67 %.

So less than a lead is about even; a move that gives away less than a quarter of a lead looks as good as the best, one
that gives away a whole lead looks bad. None of this is a value: a value is proved. On a board it is a dot instead of a
letter, the larger the better the move looks, and no dot where it looks bad.
"""

from enum import StrEnum

from noughts.games import Game
from noughts.games.picture import Note

__all__ = ["Lead", "Look", "dot", "lead", "leads", "look"]

_LINES, _ODDS = 128, 320


class Look(StrEnum):
    """How a move looks beside the best."""

    BEST = "best"
    GOOD = "as good"
    WEAKER = "weaker"
    BAD = "bad"


class Lead(StrEnum):
    """How things stand for the player to move, as far as an estimate can tell."""

    AHEAD = "ahead"
    EVEN = "about even"
    BEHIND = "behind"


def look(game: Game, estimate: int, best: int) -> Look:
    """How a move looks that is estimated at so much, where the best is estimated at so much."""
    given_away = best - estimate
    if 4 * given_away < _lead_of(game):
        return Look.GOOD
    return Look.WEAKER if given_away < _lead_of(game) else Look.BAD


def lead(game: Game, estimate: int) -> Lead:
    """How things stand where the best move is estimated at so much."""
    if abs(estimate) < _lead_of(game):
        return Lead.EVEN
    return Lead.AHEAD if estimate > 0 else Lead.BEHIND


def leads(game: Game, estimate: int) -> float:
    """An estimate counted in leads: 1 where the side to move is ahead by just so much that it counts."""
    return estimate / _lead_of(game)


_RADIUS = {Look.BEST: 13, Look.GOOD: 9, Look.WEAKER: 5}


def dot(look: Look | None) -> Note | None:
    """What stands for it on a board."""
    return None if look not in _RADIUS else Note("", "unknown", _RADIUS[look])


def _lead_of(game: Game) -> int:
    return _LINES if game.placing_only else _ODDS
