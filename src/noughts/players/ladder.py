"""The ladder: dice, and eight levels of opponents who err as people do, each a little less than the one below.

A level is a **skill** between 0 and 1, a different one in every game, such that each level has about the same lead over
the one below it whatever is played (`skills.json`, made and measured by `noughts.bench.ladder`). One curve turns a
skill into mistakes (`habits`). A person who plays badly still sees most rows that are one move away, and most that
threaten; what a weak player lacks is the look further ahead. So a level, in this order:

1. sees a row that it can fill with this move, or overlooks it;
2. sees a row that the opponent could fill with the next one, or overlooks it;
3. errs if it has overlooked something, and now and then without a reason. Then it plays anything: a row that it saw, or
   something against the threat that it saw, or else any move at all, by luck the right one. On large boards it does not
   stray: an error is a point within two steps of a stone;
4. otherwise plays the best move, as far as it can tell: by the solution of the game where that is small, by a search of
   so many positions where not (`noughts.solve.engine`). On large boards the first stone comes to the middle.

A row wins, or captures in the morris games. Nothing else is asked, no table that may be here and not there: a level is
equally strong on every machine.
"""

import json
from abc import abstractmethod
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import ClassVar, NamedTuple

from noughts.extras import need
from noughts.games import Game, Move, Position
from noughts.games import game as find_game
from noughts.games.playing import Playing
from noughts.games.points import members, point_set
from noughts.players.player import Choice, Player
from noughts.solve import knowledge
from noughts.solve.at_once import fills_row, row_points
from noughts.solve.small import solvable

__all__ = [
    "LEVELS",
    "RUNGS",
    "SKILLS",
    "Casual",
    "Graded",
    "Habits",
    "Level",
    "Novice",
    "RandomPlayer",
    "Strong",
    "habits",
    "measured_games",
    "relative",
    "skills",
]

RUNGS = 8
SKILLS = resources.files("noughts.players").joinpath("skills.json")
"""By game: the skills of the levels, and what they took from their neighbours when they were measured."""
FEWEST_NODES, MOST_NODES = 20, 20_000
SMALL = 12
"""On boards of up to so many points, a level that does not err plays by the solution: so its skill was measured."""
LARGE = 25
"""On boards of more points than this, where stones are only placed, errors stay near the stones."""
REACH = 2
"""Steps from a stone, in any direction, within which they stay."""

Spot = tuple[float, ...]
"""Where on a board, as places are drawn; not always on a point."""


class RandomPlayer(Player):
    """Any legal move, all equally likely: the weakest player that follows the rules, and a yardstick."""

    name = "random"
    about = "any legal move, all equally likely"
    title = "Dice"
    story = "Plays any legal move, all equally likely: the weakest player that knows the rules."
    strength = "easy to beat"

    def choose(self, game: Game, position: Position) -> Choice:
        """One of the legal moves."""
        return Choice(self.random.choice(game.moves(position)))


class Habits(NamedTuple):
    """How a player of some skill errs."""

    sees_row: float
    """How often it sees that it can fill a row."""
    sees_threat: float
    """How often it sees that the opponent is about to."""
    errs: float
    """How often it errs though it has overlooked nothing."""
    nodes: int
    """Positions that it looks at, on average, where it asks the engine."""


def habits(skill: float) -> Habits:
    """The one curve for all games: what a skill between 0 and 1 means.

    The less skill is lacking, the less often anything is overlooked; own rows are what one learns to see first.
    """
    lacking = 1 - skill
    return Habits(
        sees_row=1 - 0.6 * lacking**3,
        sees_threat=1 - 0.75 * lacking**2,
        errs=0.8 * lacking**2,
        nodes=round(FEWEST_NODES * (MOST_NODES / FEWEST_NODES) ** skill),
    )


class Graded(Player):
    """Plays well, except as the habits of its skill have it."""

    @abstractmethod
    def skill(self, game: Game) -> float:
        """How well it plays a game, from 0 to 1."""

    def check(self, wanted: Game) -> None:
        """Every game, with the engine; small ones without it."""
        super().check(wanted)
        if not _at_once(wanted):
            need("numba", f"{self.name} at {wanted.name}")

    def choose(self, game: Game, position: Position, history: Sequence[Position] = ()) -> Choice:
        """The best move it knows, unless it overlooks something or errs."""
        moves = game.moves(position)
        if len(moves) == 1:
            return Choice(moves[0])
        own = habits(self.skill(game))
        moves, overlooked = self._noticed(game, position, moves, own)
        if overlooked or self.random.random() < own.errs:
            return Choice(self.random.choice(_at_hand(game, position, moves)))
        return Choice(self._best(game, position, history, own.nodes))

    def reply(self, playing: Playing) -> Choice:
        """The same, with an eye on what would repeat."""
        return self.choose(playing.game, playing.position, playing.positions[:-1])

    def _noticed(self, game: Game, position: Position, moves: list[Move], own: Habits) -> tuple[list[Move], bool]:
        """The moves among which it errs, if it does, and whether it has overlooked something."""
        overlooked = False
        if row_points(game, position, position.turn):
            if self.random.random() < own.sees_row:
                return [move for move in moves if fills_row(game, position, move)], False
            overlooked = True
        threats = row_points(game, position, 1 - position.turn)
        if threats:
            parries = [move for move in moves if _parries(game, position, move, threats)]
            if parries and self.random.random() >= own.sees_threat:
                return moves, True
            moves = parries or moves
        return moves, overlooked

    def _best(self, game: Game, position: Position, history: Sequence[Position], nodes: int) -> Move:
        if _at_once(game):
            return self.random.choice(knowledge(game).best(position, history))
        if not position.occupied and _large(game):
            return Move(self.random.choice(members(_around(game, _middle(game), 1))))
        # Not always as many, since the engine answers the same question in the same way: else games would repeat.
        varied = round(nodes * 2 ** self.random.uniform(-1, 1))
        need("numba", f"{self.name} at {game.name}")
        from noughts.solve.engine import think  # noqa: PLC0415  loads the compiler

        return think(game, position, history, nodes=varied).moves[0].move


def _at_once(game: Game) -> bool:
    """Whether a level knows the solution of the game."""
    return solvable(game) and len(game.layout) <= SMALL


def _parries(game: Game, position: Position, move: Move, threats: int) -> bool:
    """Whether the opponent, who could fill a row on these points now, cannot after this move."""
    if game.placing_only:
        return move.to is not None and threats == 1 << move.to
    return not row_points(game, game.after(position, move), 1 - position.turn)


def _at_hand(game: Game, position: Position, moves: list[Move]) -> list[Move]:
    """Those of the moves that somebody would think of who looks where the stones are."""
    if not _large(game):
        return moves
    near = 0
    occupied: list[Spot] = [game.layout.places[point] for point in members(position.occupied)]
    for spot in occupied or [_middle(game)]:
        near |= _around(game, spot, REACH)
    return [move for move in moves if move.to is not None and near >> move.to & 1] or moves


def _large(game: Game) -> bool:
    return game.placing_only and len(game.layout) > LARGE


def _middle(game: Game) -> Spot:
    """Where the middle of a board is drawn, which need not be a point."""
    return tuple(max(one) / 2 for one in zip(*game.layout.places, strict=True))


@lru_cache(maxsize=4096)
def _around(game: Game, spot: Spot, reach: int) -> int:
    """The points of a board within so many steps of a spot, in any direction."""
    return point_set(
        point
        for point, other in enumerate(game.layout.places)
        if all(abs(here - there) <= reach for here, there in zip(spot, other, strict=True))
    )


def measured_games() -> list[str]:
    """The games at which the levels were measured."""
    return list(_measured())


def skills(game: Game) -> tuple[float, ...]:
    """The skills of the levels at a game: those measured, or those of its nearest relative."""
    return _measured()[relative(game)]


@cache
def _measured() -> dict[str, tuple[float, ...]]:
    """The skills of the levels at the games at which they were measured."""
    return {name: tuple(found["skills"]) for name, found in json.loads(SKILLS.read_text("utf-8")).items()}


@lru_cache(maxsize=64)
def relative(game: Game) -> str:
    """The measured game most like this one, itself if it is measured: by movement, by length of row, by size."""
    if game.name in _measured():
        return game.name
    return min(_measured(), key=lambda name: _unlikeness(game, find_game(name)))


def _unlikeness(one: Game, other: Game) -> tuple[int, ...]:
    """The lesser, the more two games have in common; what comes first counts first."""
    lengths = [len(game.layout.lines[0]) if game.layout.lines else 0 for game in (one, other)]
    sizes = [game.layout.on_lines.bit_count() for game in (one, other)]
    stones = [game.rules.stones[0] for game in (one, other)]
    return (
        one.rules.movement is not other.rules.movement,
        one.rules.captures is not other.rules.captures,
        abs(lengths[0] - lengths[1]),
        abs(sizes[0] - sizes[1]),
        abs(stones[0] - stones[1]),
    )


class Level(Graded):
    """A rung of the ladder, from 1 to 8."""

    rung: ClassVar[int]

    def __init_subclass__(cls) -> None:
        """The rung says all there is to say about a level."""
        super().__init_subclass__()
        cls.about = f"rung {cls.rung} of {RUNGS} of the ladder: errs as a person does"

    def skill(self, game: Game) -> float:
        """The skill of this level at a game.

        Args:
            game: A game of the catalogue.
        """
        return skills(game)[self.rung - 1]


_TOLD = (
    ("easy to beat", "Has just been told the rules: plays almost anything, and misses most rows."),
    ("easy to beat", "Sees some rows, and guesses most other moves."),
    ("easy to beat", "Sees most rows, and guesses every other move."),
    ("can be beaten", "Fills its rows, stops most of yours, and thinks a little ahead."),
    ("can be beaten", "Seldom misses a row, and errs now and then."),
    ("hard to beat", "Misses little, and looks a few moves ahead."),
    ("hard to beat", "Errs rarely, and looks further ahead."),
    ("very hard to beat", "The top of the ladder: hardly ever errs."),
)
"""Of each level: how hard it is to beat, and its story."""


def _level(number: int) -> type[Level]:
    class Rung(Level):
        rung = number
        name = f"level{number}"
        title = f"Level {number}"
        strength, story = _TOLD[number - 1]

    return Rung


LEVELS = tuple(_level(number) for number in range(1, RUNGS + 1))
"""From the lowest to the highest."""


class Novice(Level):
    """The second rung."""

    rung = 2
    name = "novice"
    title = "Novice"
    story = "Has just learnt the rules. Sees some rows, and guesses most other moves."
    strength = "easy to beat"


class Casual(Level):
    """The fourth rung."""

    rung = 4
    name = "casual"
    title = "Casual"
    story = "Plays now and then. Fills its rows, stops most of yours, and thinks a little ahead."
    strength = "can be beaten"


class Strong(Level):
    """The sixth rung."""

    rung = 6
    name = "strong"
    title = "Strong"
    story = "Has played a lot. Misses little, and looks a few moves ahead."
    strength = "hard to beat"
