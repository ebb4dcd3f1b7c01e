"""The games in which placed stones move, solved backwards from their ends.

Stones that move can move for ever, so values cannot be computed from the end of the board down. Instead,
**retrograde analysis**: a finished position is lost for the player to move, at remoteness 0. Round after
round, every position with a move into a position just found lost is won one ply later; every position whose
moves all lead to won positions is lost one ply after the last of them was found. What no round reaches has
no way to be forced: both sides can go on for ever, a draw. Since a round finds exactly the positions of one
remoteness, remoteness is the number of the round.

Colours are exchanged so that X is to move in every position with empty hands: the rest of the game is the
same. While stones are placed the counts say who is to move, and nothing can be exchanged.
"""

from collections.abc import Iterator
from itertools import combinations
from time import perf_counter

from noughts.games import Game, Outcome, Position
from noughts.games.legality import fault
from noughts.games.points import point_set
from noughts.solve.solution import Progress, Solution, Subspace, tally
from noughts.solve.value import DRAWN, Value

__all__ = ["MovingSolution", "solve_moving"]


class MovingSolution(Solution):
    """A dictionary from positions to values."""

    def __init__(self, game: Game, values: dict[Position, Value], seconds: float) -> None:
        self.game = game
        self._values = values
        self.subspaces = tuple(self._subspaces(seconds))

    def value(self, position: Position) -> Value:
        """What a legal position is worth to the player to move."""
        self.game.check(position)
        return self._values[_as_x(position)]

    def positions(self) -> Iterator[Position]:
        """Every legal position, those with empty hands as X to move."""
        return iter(self._values)

    def _subspaces(self, seconds: float) -> Iterator[Subspace]:
        groups: dict[tuple[int, int], list[tuple[Value, int]]] = {}
        for position, value in self._values.items():
            own, other = (position.stones[side].bit_count() for side in (position.turn, 1 - position.turn))
            groups.setdefault((own, other), []).append((value, 1))
        for (own, other), values in groups.items():
            slots = len(list(_placements(len(self.game.layout), own, other)))
            share = seconds * len(values) / len(self._values)
            yield tally(f"{own}-{other}", slots, values, share)


def solve_moving(game: Game, progress: Progress | None = None) -> MovingSolution:
    """Solve a game with moving stones and no captures."""
    began = perf_counter()
    positions = list(_legal_positions(game))
    values: dict[Position, Value] = {}
    predecessors: dict[Position, list[Position]] = {position: [] for position in positions}
    open_moves: dict[Position, int] = {}
    found: list[Position] = []
    for position in positions:
        moves = game.moves(position)
        if not moves:
            if game.over(position) is Outcome.LOSS:
                values[position] = Value(Outcome.LOSS, 0)
                found.append(position)
            else:
                values[position] = DRAWN
            continue
        open_moves[position] = len(moves)
        for move in moves:
            predecessors[_as_x(game.after(position, move))].append(position)
    plies = 0
    while found:
        plies += 1
        found = _round(found, plies, values, predecessors, open_moves)
        if progress:
            progress(len(values), len(positions))
    solved = {position: values.get(position, DRAWN) for position in positions}
    return MovingSolution(game, solved, perf_counter() - began)


def _round(
    found: list[Position],
    plies: int,
    values: dict[Position, Value],
    predecessors: dict[Position, list[Position]],
    open_moves: dict[Position, int],
) -> list[Position]:
    """Decide what the positions found in the last round decide, one ply further from the end."""
    decided = []
    for position in found:
        lost = values[position].outcome is Outcome.LOSS
        for before in predecessors[position]:
            if before in values:
                continue
            open_moves[before] -= 1
            if lost or open_moves[before] == 0:
                values[before] = Value(Outcome.WIN if lost else Outcome.LOSS, plies)
                decided.append(before)
    return decided


def _as_x(position: Position) -> Position:
    """The position with X to move, where colours no longer matter."""
    return position.swapped() if position.turn == 1 and position.hand == (0, 0) else position


def _legal_positions(game: Game) -> Iterator[Position]:
    """Every legal position: first the placing phase, stone by stone, then all stones on the board."""
    total = game.rules.stones
    for placed in range(sum(total) + 1):
        x, o = (placed + 1) // 2, placed // 2
        hand = (total[0] - x, total[1] - o)
        turn = placed % 2 if placed < sum(total) else 0
        for stones in _placements(len(game.layout), x, o):
            position = Position(stones, hand, turn)
            if fault(game.layout, game.rules, position) is None:
                yield position


def _placements(points: int, first: int, second: int) -> Iterator[tuple[int, int]]:
    """All ways to put down so many stones of one side and so many of the other."""
    for own in combinations(range(points), first):
        rest = [point for point in range(points) if point not in own]
        for other in combinations(rest, second):
            yield point_set(own), point_set(other)
