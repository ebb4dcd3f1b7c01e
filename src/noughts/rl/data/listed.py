"""Positions one by one: those of the small games with moving stones, and those of games too large to solve.

What a row tells is what `knowledge(game).ask` answers. A small game is solved, and the answer is exact. A large one is
answered from the best source there is: the rules, a proof, a book, a table, or a search, which may look at so many
positions for every row and no more. The row says which it was and whether the value is exact.

**Positions of random play.** Of a game that is too large nobody has a list of positions to draw from. So a game is
played with moves drawn uniformly, to its end or to `LONGEST` plies, and one of its positions is drawn uniformly, the
start and the end among them. This is done again, and positions that came before are left out, until there are as many
as asked for. It is no uniform sample of all positions: openings are more frequent than in one.
"""

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game, NoughtsError, Outcome, Position
from noughts.games.symmetry import apply
from noughts.rl.actions import actions
from noughts.rl.data.columns import ILLEGAL, NO_ESTIMATE, NO_PLIES, UNKNOWN, Rows, as_first, symmetries_of
from noughts.rl.observation import observe
from noughts.solve import TO_CAPTURE, USUAL, Answer, Effort, Progress, Rated, Surety, knowledge, solve

__all__ = ["LONGEST", "Listed", "listed", "played"]

LONGEST = 200
"""Plies after which a random game is given up."""
PATIENCE = 10_000
"""Games in a row that may bring nothing new."""

_NUMBERS = {Outcome.WIN: 1, Outcome.DRAW: 0, Outcome.LOSS: -1, Outcome.UNKNOWN: UNKNOWN}


class Listed:
    """Positions in a list, of which `knowledge` is asked."""

    def __init__(
        self, game: Game, rows: Sequence[tuple[Position, int]], effort: Effort | None, asked: Progress | None = None
    ) -> None:
        """Positions with their plies. `effort` is the search's, None where the game is solved; `asked` counts."""
        self.game, self.count = game, len(rows)
        self._rows, self._effort, self._asked = rows, effort, asked
        self._symmetries = symmetries_of(game)

    def portions(self) -> Iterator[NDArray[np.int64]]:
        """The places of all positions in the list."""
        yield np.arange(self.count)

    def leading(self, places: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of these positions are the leaders of their classes."""
        positions = [self._rows[place][0] for place in places]
        return np.array([min(_images(self._symmetries, position)) == position for position in positions], bool)

    def batch(self, places: NDArray[np.int64]) -> Rows:
        """The columns of these positions."""
        positions, plies = zip(*(self._rows[place] for place in places), strict=True)
        numbers = actions(self.game)
        answers = [self._ask(position, place) for position, place in zip(positions, places.tolist(), strict=True)]
        values = np.full((len(positions), len(numbers)), ILLEGAL, np.int8)
        best = np.zeros((len(positions), len(numbers)), np.int8)
        for row, answer in enumerate(answers):
            for rated in answer.moves:
                values[row, numbers.number(rated.move)] = _NUMBERS[rated.value.outcome]
            for rated in _best(answer):
                best[row, numbers.number(rated.move)] = 1
        images = [_images(self._symmetries, as_first(self.game, position)) for position in positions]
        found: Rows = {
            "position": np.array([self.game.write(position) for position in positions], np.str_),
            "ply": np.array(plies, np.int16),
            "turn": np.array([position.turn for position in positions], np.int8),
            "observation": np.array([observe(self.game, position, position.turn) for position in positions]),
            "value": np.array([_NUMBERS[answer.value.outcome] for answer in answers], np.int8),
            "remoteness": np.array([_plies(answer) for answer in answers], np.int16),
            "action_values": values,
            "best_actions": best,
            "leader": np.array([self.game.write(min(some)) for some in images], np.str_),
            "images": np.array([len(some) for some in images], np.int16),
        }
        if self._effort is None:
            return found
        estimates = [NO_ESTIMATE if answer.estimate is None else answer.estimate for answer in answers]
        return {
            **found,
            "exact": np.array([answer.surety >= Surety.EXACT for answer in answers], bool),
            "source": np.array([str(answer.source) for answer in answers], np.str_),
            "estimate": np.array(estimates, np.int32),
        }

    def _ask(self, position: Position, place: int) -> Answer:
        answer = knowledge(self.game).ask(position, effort=self._effort or USUAL)
        if self._asked:
            self._asked(place + 1, self.count)
        return answer


def listed(game: Game, progress: Progress | None = None) -> Listed:
    """All positions of a small game with moving stones, as its solution lists them."""
    total = sum(game.rules.stones)
    # Once all stones are placed, a position does not tell how long they have been moving.
    rows = [
        (position, NO_PLIES if position.hand == (0, 0) else total - sum(position.hand))
        for position in solve(game, progress).positions()
    ]
    return Listed(game, rows, None)


def played(
    game: Game, count: int, seed: int, effort: Effort, progress: Progress | None = None, *, leaders: bool
) -> Listed:
    """So many different positions from seeded random play; if `leaders`, that of each one's class.

    Raises:
        NoughtsError: if random play does not find as many.
    """
    random, found = Random(seed), dict[Position, int]()
    symmetries = symmetries_of(game)
    idle = 0
    while len(found) < count:
        line = [game.start()]
        while len(line) <= LONGEST and (moves := game.moves(line[-1])):
            line.append(game.after(line[-1], random.choice(moves)))
        ply = random.randrange(len(line))
        position = min(_images(symmetries, as_first(game, line[ply]))) if leaders else line[ply]
        idle = idle + 1 if position in found else 0
        found.setdefault(position, ply)
        if progress:
            progress(len(found), count)
        if idle > PATIENCE:
            what = "classes" if leaders else "positions"
            raise NoughtsError(
                f"{count} {what} of {game.name} are too many: random play finds hardly more than {len(found)}; "
                f"expected a sample of at most that"
            )
    return Listed(game, list(found.items()), effort, progress)


def _best(answer: Answer) -> list[Rated]:
    """The best moves: by what is known of the first, else by what the search makes of it.

    That the value is known does not mean that a move is: a proof may say that a game is drawn, and no more.
    """
    if not answer.moves:
        return []
    first = answer.moves[0]
    if first.value.outcome is Outcome.UNKNOWN:
        return [one for one in answer.moves if one.rank == first.rank]
    return [one for one in answer.moves if one.value.preference() == first.value.preference()]


def _plies(answer: Answer) -> int:
    """The remoteness; none where plies are counted to the next capture."""
    if answer.value.remoteness is None or TO_CAPTURE in answer.reason:
        return NO_PLIES
    return answer.value.remoteness


def _images(symmetries: Sequence[tuple[int, ...]], position: Position) -> set[Position]:
    x, o = position.stones
    return {position._replace(stones=(apply(symmetry, x), apply(symmetry, o))) for symmetry in symmetries}
