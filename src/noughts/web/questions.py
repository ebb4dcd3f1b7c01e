"""What is asked of Noughts on the web, as functions of plain values: they run in the server or in a process beside it.

The answers are plain values too, ready for JSON and for a template.

**What the web may cost.** On a command line somebody may wait for a game of 20 cells to be solved, 12 seconds and a
gigabyte; one of many visitors may not. Here only games of up to `MOST_CELLS` cells are solved, which takes a second or
two and less than 300 MB. While a question is answered, larger ones count as not solvable, for everybody who takes part:
positions are then looked at a few plies ahead, as in any game too large to solve, and are `unknown` where that does
not see the end; `perfect` does not play them; the graded players look ahead.
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from enum import Enum
from functools import lru_cache
from time import perf_counter
from typing import Any

from noughts.games import IllegalPositionError, NoughtsError
from noughts.games import game as find_game
from noughts.games.playing import Playing
from noughts.insight.reasons import why
from noughts.players import player
from noughts.solve import analyse, solve
from noughts.solve.answers import solving_at_most

__all__ = ["MOST_CELLS", "Effort", "analysis", "effort", "reasons", "reply", "warm_up", "web_sized"]

MOST_CELLS = 16
"""Of a placing game that the web solves; the moving games that are solvable at all are small."""
QUICK_POINTS = 12
"""Of a game whose questions are all quick: the largest of them is solved in a quarter of a second."""
AT_HAND = "tictactoe"
"""The game that is solved in milliseconds, and asked about most."""


class Effort(Enum):
    """How much work a question is."""

    NONE = "less than a millisecond"
    QUICK = "a fraction of a second"
    LONG = "seconds, or who knows"


@contextmanager
def web_sized() -> Iterator[None]:
    """Meanwhile, games larger than the web affords count as not solvable."""
    with solving_at_most(MOST_CELLS):
        yield


@web_sized()
def analysis(game: str, position: str) -> dict[str, Any]:
    """What a position is worth, and every move, best first."""
    rules = find_game(game)
    here = rules.read(position)
    found = analyse(rules, here)
    moves = [
        {
            "move": rules.write_move(rated.move),
            "value": rated.value.outcome.value,
            "remoteness": rated.value.remoteness,
            "position": rules.write(rated.position),
        }
        for rated in found.moves
    ]
    return {
        "game": rules.name,
        "position": rules.write(here),
        "value": found.value.outcome.value,
        "remoteness": found.value.remoteness,
        "reason": found.reason,
        "threats": [rules.layout.points[point] for point in found.threats],
        "moves": moves,
    }


@web_sized()
def reasons(game: str, position: str, move: str) -> dict[str, Any]:
    """Why a move is good or bad."""
    rules = find_game(game)
    here = rules.read(position)
    chosen = rules.read_move(here, move)
    reason = why(rules, here, chosen)
    answer = {"game": rules.name, "position": rules.write(here), "move": rules.write_move(chosen)}
    return answer | {"kind": reason.kind, "words": reason.words}


@web_sized()
def reply(game: str, name: str, start: str, moves: tuple[str, ...], seed: int) -> dict[str, Any]:
    """The move of a player after these moves from a position, and what it cost."""
    rules = find_game(game)
    playing = Playing.begin(rules, rules.read(start))
    for text in moves:
        playing = playing.then(rules.read_move(playing.position, text))
    if not rules.moves(playing.position):
        text = rules.write(playing.position)
        raise IllegalPositionError(f"{text!r} is over: expected a position with a move to make")
    who = player(name, seed)
    who.check(rules)
    began = perf_counter()
    choice = who.choose(rules, playing.position)
    after = rules.after(playing.position, choice.move)
    return {
        "game": rules.name,
        "position": rules.write(playing.position),
        "player": name,
        "move": rules.write_move(choice.move),
        "result_position": rules.write(after),
        "nodes": choice.nodes,
        "cycles": choice.cycles,
        "remark": choice.remark,
        "seconds": round(perf_counter() - began, 6),
    }


def warm_up() -> None:
    """Have ready what is asked most; the first question after this finds it."""
    solve(find_game(AT_HAND))


def effort(question: Callable[..., Any], arguments: tuple[Hashable, ...]) -> Effort:
    """How much work a question is, judged by the game it is about, which comes first in its arguments."""
    about = arguments[0] if arguments else None
    if about == AT_HAND and question in (analysis, reasons):
        return Effort.NONE
    points = _points(about) if isinstance(about, str) else 0
    return Effort.QUICK if 1 <= points <= QUICK_POINTS else Effort.LONG


@lru_cache(1_000)
def _points(game: str) -> int:
    """The points of a game's board; 0 if there is no such game."""
    try:
        return len(find_game(game).layout)
    except NoughtsError:
        return 0
