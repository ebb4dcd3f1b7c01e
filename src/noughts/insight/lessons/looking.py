"""Positions for lessons, looked for rather than typed in.

The stones that matter stand first, all but one of a line, say; the others come in the order of a shuffle that is always
the same. The first position is taken that can occur (`noughts.games.legality`), in which the game goes on, some move
does the task and, where the task is a choice, another does not. What no position shows, as being shut in where stones
jump, has no lesson.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, islice
from random import Random

from noughts.games import Game, Layout, Move, Position
from noughts.games.legality import fault
from noughts.games.points import members, point_set
from noughts.games.rules import Movement
from noughts.insight.lessons.lesson import Deed, rows_made

__all__ = ["Sought", "but_one", "full_board", "late", "placed", "rows_at_hand", "shut_in", "threatened"]

TRIES = 3000
"""Positions that are looked at for one lesson."""
SOME = 12
"""Ways in which X's stones are added before O's are changed; a few times as many are tried before the next line."""

Stones = tuple[int, int]
"""So many of X and of O."""


@dataclass(frozen=True)
class Sought:
    """What a position must have: hands, stones on the board, a move that does the task."""

    game: Game
    hand: Stones
    count: Stones
    done: Deed
    good: Callable[[Position], bool] = lambda _: True
    choice: bool = True
    """Whether another move must not do the task."""
    tries: int = TRIES
    """Positions that are looked at, at most."""
    shuffle: int = 0
    """Which order things are tried in: another for every lesson, lest their boards look alike."""

    def first(self, owns: Iterable[int], others: Iterable[int] = (0,), *, preferred: int = 0) -> Position | None:
        """The first position with one of these sets of X's stones and one of these of O's, or None.

        O's further stones come to the points `preferred` first.
        """
        tried = islice(self._positions(list(owns), list(others), preferred), self.tries)
        return next((position for position in tried if self.fits(position)), None)

    def fits(self, position: Position) -> bool:
        """Whether a position has all that is sought; its stones are not counted again."""
        game = self.game
        if fault(game.layout, game.rules, position) or game.over(position) is not None:
            return False
        for side, stones in enumerate(position.stones):
            # A row would have ended the game, and every mill has captured a stone.
            lost = game.rules.stones[1 - side] - position.stones[1 - side].bit_count() - position.hand[1 - side]
            if len(game.layout.rows_of(stones)) > (lost if game.rules.captures else 0):
                return False
        moves = game.moves(position)
        right = sum(self.done(position, move) for move in moves)
        return right > 0 and (not self.choice or right < len(moves)) and self.good(position)

    def _positions(self, owns: list[int], others: list[int], preferred: int) -> Iterator[Position]:
        points, order = list(range(len(self.game.layout))), Random(self.shuffle)
        for one in (points, owns, others):
            order.shuffle(one)
        points.sort(key=lambda point: not preferred >> point & 1)
        cores = [(own, other) for own in owns for other in others if not own & other]
        # A few of each before all of one: what is missing is mostly a matter of the stones that stand first.
        for few in (4, 5 * SOME, TRIES):
            for own, other in cores:
                yield from islice(self._filled(points, own, other), few)

    def _filled(self, points: list[int], own: int, other: int) -> Iterator[Position]:
        mine, theirs = (count - core.bit_count() for count, core in zip(self.count, (own, other), strict=True))
        if mine < 0 or theirs < 0:
            return
        free = [point for point in points if not (own | other) >> point & 1]
        for added in combinations(free, theirs):
            left = [point for point in reversed(free) if point not in added]
            for more in islice(combinations(left, mine), SOME):
                yield Position((own | point_set(more), other | point_set(added)), self.hand, 0)


def placed(game: Game, number: int) -> Stones:
    """What is in hand after each has placed so many stones."""
    return game.rules.stones[0] - number, game.rules.stones[1] - number


def late(game: Game) -> Stones:
    """The stones on the board once all are placed; where some are captured, so few that one sees them all."""
    x, o = game.rules.stones
    if not game.rules.captures:
        return x, o
    few = max(game.rules.flying, game.rules.fewest) + 2
    return min(x, few), min(o - 1, few)  # a stone of O's is gone, so that a mill of X's may stand


def but_one(lines: Iterable[tuple[int, ...]]) -> list[int]:
    """Every line without one of its points."""
    return list(dict.fromkeys(point_set(line) & ~(1 << point) for line in lines for point in line))


def rows_at_hand(game: Game, position: Position) -> list[Move]:
    """The moves that fill a row."""
    return [move for move in game.moves(position) if rows_made(game, position, move)]


def threatened(game: Game, position: Position) -> bool:
    """Whether the other could fill a row or close a mill, were it to move."""
    turned = position._replace(turn=1 - position.turn)
    return game.over(turned) is not None or bool(rows_at_hand(game, turned))


def shut_in(game: Game, done: Deed, *, oneself: bool) -> Position | None:
    """A position in which X can shut O in; or one in which X is shut in.

    Stones cannot move if all points around them are the other's. So those sets of stones come first that have the
    fewest points around them. Best is a position in which no row is at hand, which would distract from the task.
    """
    layout, rules = game.layout, game.rules
    if rules.movement is not Movement.SLIDE:
        return None
    inner, outer = (0, 1) if oneself else (1, 0)
    few = max(rules.flying + 1, rules.fewest) if rules.captures else rules.stones[inner]
    prisons = []
    for chosen in combinations(range(len(layout)), few):
        inside = point_set(chosen)
        around = reduce(int.__or__, (layout.neighbours[point] for point in chosen)) & ~inside
        if around.bit_count() <= rules.stones[outer]:
            prisons.append((around.bit_count(), inside, around))
    sought = Sought(game, (0, 0), (0, 0), done, choice=not oneself)
    found = None
    for _, inside, around in sorted(prisons)[:TRIES]:
        for stones in _guards(game, inside, around, rules.stones[outer], oneself):
            position = Position((inside, stones) if oneself else (stones, inside), (0, 0), 0)
            if sought.fits(position):
                if not rows_at_hand(game, position):
                    return position
                found = found or position
    return found


def _guards(game: Game, inside: int, around: int, number: int, oneself: bool) -> Iterator[int]:
    """Where the stones outside stand: all around, or, a move before, with one of them still on its way."""
    layout = game.layout
    outside = layout.everywhere & ~inside & ~around
    on_their_way = (
        around & ~(1 << gap) | 1 << source
        for gap in members(around)
        for source in members(layout.neighbours[gap] & outside)
    )
    for guards in (around,) if oneself else on_their_way:
        spare = 0 if game.rules.captures else number - guards.bit_count()
        for more in combinations(members(layout.everywhere & ~inside & ~guards), max(0, spare)):
            yield guards | point_set(more)


def full_board(game: Game) -> Position | None:
    """A full board without a row, or None if none is found.

    It begins with pairs of stones, shifted from row to row, in which no three stand in a line on a flat board. As long
    as there is a row, one of its stones changes places with one of the other side's.
    """
    layout, chance = game.layout, Random(2)
    for shift in range(4):
        x = _pairs(layout, shift)
        while x.bit_count() != game.rules.stones[0]:
            too_many = x.bit_count() > game.rules.stones[0]
            x ^= 1 << chance.choice(members(x if too_many else layout.everywhere & ~x))
        for _ in range(200):
            o = layout.everywhere & ~x
            rows = layout.rows_of(x) + layout.rows_of(o)
            if not rows:
                return Position((x, o), (0, 0), sum(game.rules.stones) % 2)
            if not o:
                break
            one = chance.choice(members(rows[0]))
            x ^= 1 << one | 1 << chance.choice(members(o if x >> one & 1 else x))
    return None


def _pairs(layout: Layout, shift: int) -> int:
    return point_set(
        point
        for point, place in enumerate(layout.places)
        if (place.column + 2 * place.row + place.level // 2 * 2 + shift) % 4 < 2
    )
