"""What Explore asks beyond values: the line of best play, symmetric positions, Knuth's score and difficulty.

Like `noughts.web.questions` these are functions of plain values, since they may take long and run elsewhere.
"""

from typing import Any

from noughts.games import Game, Outcome, Position
from noughts.games import game as find_game
from noughts.games.symmetry import TooManySymmetriesError
from noughts.insight.knuth import hexadecimal, in_words, opinion
from noughts.solve import Rated, analyse
from noughts.solve.difficulty import MOST_CELLS
from noughts.web.questions import web_sized

__all__ = ["LONGEST_LINE", "aspects", "look_at"]

LONGEST_LINE = 60
MOST_IMAGES = 8
MOST_POINTS = 64
"""Of a board whose symmetries are looked for."""


@web_sized()
def aspects(game: str, position: str) -> dict[str, Any]:
    """Everything there is to say of a position besides its value and the values of its moves."""
    rules = find_game(game)
    return look_at(rules, rules.read(position))


def look_at(game: Game, position: Position) -> dict[str, Any]:
    """The same, of a game that is known to be small."""
    return {
        "line": _best_line(game, position),
        "images": _images(game, position),
        "knuth": _knuth(game, position),
    }


def _best_line(game: Game, position: Position) -> dict[str, Any]:
    """Best moves one after the other, to the end or as far as they are known.

    Where a position is lost for certain every move is as good as another, even if nothing is known of each of them.
    """
    plies: list[dict[str, str]] = []
    seen = {position}
    while len(plies) < LONGEST_LINE:
        found = analyse(game, position)
        if not found.moves:
            return {"plies": plies, "end": "over"}
        best = _best(found.moves)
        if best.value.outcome is Outcome.UNKNOWN and found.value.outcome is not Outcome.LOSS:
            return {"plies": plies, "end": "unknown"}
        position = best.position
        plies.append({"move": game.write_move(best.move), "position": game.write(position)})
        if position in seen:
            return {"plies": plies, "end": "again"}
        seen.add(position)
    return {"plies": plies, "end": "long"}


def _best(moves: list[Rated]) -> Rated:
    """The first of the best; a win in sight before one of unknown length, a loss of unknown length before one in sight.

    Where the length is unknown (at Qubic) it is more than the little that can be seen at a glance.
    """
    outcome = moves[0].value.outcome
    in_sight = outcome is Outcome.WIN
    alike = [rated for rated in moves if rated.value.outcome is outcome]
    return next((rated for rated in alike if (rated.value.remoteness is not None) is in_sight), moves[0])


def _images(game: Game, position: Position) -> dict[str, Any] | None:
    """The position through the symmetries of the board: how many differ, and some of them, the standard one first.

    None for boards so large that looking for their symmetries takes long, or that have too many to list.
    """
    if len(game.layout) > MOST_POINTS:
        return None
    try:
        symmetries = game.symmetries
    except TooManySymmetriesError:
        return None
    images = sorted(game.images(position))
    return {
        "symmetries": len(symmetries),
        "count": len(images),
        "shown": [game.write(image) for image in images[:MOST_IMAGES]],
    }


def _knuth(game: Game, position: Position) -> dict[str, Any] | None:
    """Score, difficulty and what they mean; None where they are not defined."""
    if not game.placing_only or len(game.layout) > MOST_CELLS:
        return None
    found = opinion(position, game)
    return {
        "score": found.appraisal.score,
        "difficulty": hexadecimal(found.appraisal),
        "words": in_words(found.appraisal, position.occupied.bit_count()),
        "followers": [game.write(follower) for follower in found.followers],
    }
