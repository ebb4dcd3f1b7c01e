"""A walk through a game, as Explore's URL has it: `/explore/achi/X../.../...%20o%203,4?moves=b2.a1`.

It begins at the position in the path, the start of the game if there is none, and makes the moves of the query. So
there is a step back, and every step of the way is a link. Only the last `MOST_STEPS` moves are kept: the walk then
begins later, and addresses stay short. The other words of the query:

    move            the move whose reason is asked for
    part            the beginning of a move that takes several clicks, as on the page of a game
    try             a point that was clicked though it leads nowhere
    play            the point that a button of a large board sends; the answer is another address
    view, rotate    four boards or a cube, and how far it is rotated
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from noughts.games import Game, Position
from noughts.games.playing import Playing
from noughts.web.boards.linked import ROTATION
from noughts.web.sitting import BadAddressError, explore_url, usual_view

__all__ = ["LONGEST_POSITION", "MOST_STEPS", "Walk", "read_walk"]

MOST_STEPS = 12
LONGEST_POSITION = 500
LONGEST_WORD = 200
"""Characters of any other word of the query: as many as `MOST_STEPS` moves take at most."""


@dataclass(frozen=True)
class Walk:
    """Where a walk began, the moves since then, and how it is looked at."""

    game: Game
    playing: Playing
    move: str | None = None
    part: str = ""
    view: str = ""
    rotation: int = ROTATION

    @property
    def position(self) -> Position:
        """Where it has come to."""
        return self.playing.position

    @property
    def cube(self) -> bool:
        """Whether the board is seen as a cube."""
        return (self.view or usual_view(self.game)) == "cube"

    @cached_property
    def moves(self) -> tuple[str, ...]:
        """The moves since it began, as they are written."""
        return tuple(self.game.write_move(move) for move in self.playing.moves)

    def url(self, **words: str) -> str:
        """Its address, with these words of the query besides."""
        return self._address(self.moves, self.move, {"part": self.part, **words})

    def _address(self, moves: tuple[str, ...], asked: str | None, words: Mapping[str, str]) -> str:
        """The address with these moves, of which all but the last are those of the walk."""
        kept = moves[-MOST_STEPS:]
        query = {
            "moves": ".".join(kept),
            **words,
            "view": self.view,
            "rotate": str(self.rotation) if self.cube and self.rotation != ROTATION else "",
        }
        start = self._written(len(moves) - len(kept))
        return explore_url(self.game.name, start, asked, {key: text for key, text in query.items() if text})

    def _written(self, number: int) -> str:
        """One of its positions; nearly always the first, of which a page has hundreds of addresses."""
        return self._first if number == 0 else self.game.write(self.playing.positions[number])

    @cached_property
    def _first(self) -> str:
        return self.game.write(self.playing.positions[0])

    def then(self, *moves: str) -> "Walk":
        """The walk with so many legal moves more."""
        playing = self.playing
        for text in moves:
            playing = playing.then(self.game.read_move(playing.position, text))
        return replace(self, playing=playing, part="", move=None)

    def after(self, move: str) -> str:
        """The address after one more move, which is legal."""
        return self._address((*self.moves, move), None, {})

    def back(self, steps: int = 1) -> "Walk":
        """The walk as it was so many moves ago."""
        return replace(self, playing=self.playing.back(steps), part="", move=None)

    def seen_as(self, view: str) -> "Walk":
        """The same as `boards` or as a `cube`."""
        return replace(self, view="" if view == usual_view(self.game) else view, rotation=ROTATION)


def read_walk(game: Game, position: str | None, query: Mapping[str, str]) -> Walk:
    """The walk of an address; raises an error that says what is wrong with it."""
    for key, text in query.items():
        if key != "position" and len(text) > LONGEST_WORD:
            raise BadAddressError(
                f"{key[:20]}={text[:20]!r}… has {len(text):,} characters: expected at most {LONGEST_WORD}"
            )
    playing = Playing.begin(game, None if position is None else game.read(position))
    for text in query.get("moves", "").split("."):
        if text:
            playing = playing.then(game.read_move(playing.position, text))
    rotate = query.get("rotate", "")
    if rotate and not (rotate.isascii() and rotate.isdigit()):
        raise BadAddressError(f"rotate={rotate[:20]!r} is not understood: expected degrees from 0 to 359")
    wanted = query.get("view")
    view = wanted if wanted in ("boards", "cube") and len(game.layout.rows) > 1 else usual_view(game)
    walk = Walk(game, playing, rotation=int(rotate) % 360 if rotate else ROTATION).seen_as(view)
    walk = replace(walk, rotation=int(rotate) % 360 if rotate and walk.cube else ROTATION)
    part, move = query.get("part", ""), query.get("move")
    if part and not any(game.write_move(one).startswith(part) for one in game.moves(walk.position)):
        raise BadAddressError(f"part={part[:20]!r} begins no legal move: expected the beginning of one")
    if part and not part.endswith(("-", "x")):
        raise BadAddressError(f"part={part[:20]!r} is not understood: expected a stone to slide, as a1-")
    asked = game.write_move(game.read_move(walk.position, move)) if move else None
    return replace(walk, part=part, move=asked)
