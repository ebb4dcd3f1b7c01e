"""Words for what rules and layouts have: numbers, the ways that rows run, where stones slide."""

from functools import reduce

from noughts.games import Game, Layout
from noughts.games.numbers import counted
from noughts.games.points import point_set
from noughts.games.rules import Blocked, Movement

__all__ = ["aim", "diagonal_runs", "directions", "length_of", "many", "moves", "spot", "straights", "way"]


def many(number: int) -> str:
    """So many stones."""
    return f"{counted(number)} stone{'s' * (number != 1)}"


def aim(game: Game) -> str:
    """What one plays for, in a sentence or two.

    Args:
        game: A game of the catalogue.
    """
    length = length_of(game)
    if game.rules.captures:
        shut = ", or cannot move" if game.rules.blocked is Blocked.LOSES else ""
        return (
            f"Close mills, {counted(length)} of your stones on a line: each captures a stone of the other. "
            f"You win when the other has {counted(game.rules.fewest - 1)} left{shut}."
        )
    return f"Be the first to have {many(length)} in a row."


def length_of(game: Game) -> int:
    """How many stones make a row."""
    return len(game.layout.lines[0])


def spot(game: Game) -> str:
    """What a point is called: people see squares where no lines are drawn."""
    return "point" if game.layout.edges else "square"


def moves(game: Game) -> str:
    """What stones do that move."""
    return "slide" if game.rules.movement is Movement.SLIDE else "jump"


def way(layout: Layout, line: tuple[int, ...]) -> str:
    """How a line runs: straight or diagonally on a board, upright, slanting or right through the levels of a cube."""
    first, last = layout.places[line[0]], layout.places[line[-1]]
    level, row, column = (a != b for a, b in zip(first, last, strict=True))
    if level:
        return ("upright", "slanting", "through")[row + column]
    return "diagonal" if row and column else "straight"


def straights(layout: Layout) -> str:
    """Which straight ways there are on a board."""
    places = [(layout.places[line[0]], layout.places[line[-1]]) for line in layout.lines]
    across = any(first.row == last.row and first.level == last.level for first, last in places)
    down = any(first.column == last.column and first.level == last.level for first, last in places)
    return "across or down" if across and down else "across" if across else "down"


def diagonal_runs(layout: Layout, length: int) -> list[int]:
    """What could be taken for a row but is none: diagonals of so many points, each next to the one before."""
    at = {place: point for point, place in enumerate(layout.places)}
    found = []
    for place in layout.places:
        for side in (1, -1):
            run = [place._replace(row=place.row + i, column=place.column + i * side) for i in range(length)]
            if all(one in at for one in run):
                found.append(point_set(at[one] for one in run))
    return [run for run in found if run not in layout.line_sets]


def directions(layout: Layout) -> str:
    """Where stones slide."""
    slanted = [edge for edge in layout.edges if way(layout, edge) == "diagonal"]
    places = set(layout.places)
    corners = sum(
        place._replace(row=place.row + 1, column=place.column + side) in places for place in places for side in (1, -1)
    )
    if not slanted:
        return "across or down the board, never diagonally"
    if len(slanted) == corners:
        return "in all eight directions"
    shared = reduce(set.intersection, (set(edge) for edge in slanted))
    if shared:
        return f"across or down the board, and diagonally only from {layout.points[min(shared)]} or to it"
    return "across, down, and diagonally where a line is drawn"
