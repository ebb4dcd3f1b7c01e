"""Players that never err on purpose: `perfect`, `expert`, and `knuth`, who makes you think.

`perfect` wins quickly and loses slowly; among equals it plays any, by the seed. At Qubic, whose positions are too many
to know, it plays the proof: moving first it follows the certificate and wins by a chain of threats; moving second it
takes a win that is offered, spoils the chains it sees, and otherwise holds out as long as it can. At six and nine men's
morris it plays by the tables, where they have been made.

`expert` plays every game: the best that is known where enough is known, and what the engine finds where not
(`noughts.solve.engine`). Where a table knows of nothing but draws it goes on pressing: the engine chooses among them.
It thinks as long as it is told to: `expert:seconds=2`, or `expert:nodes=1000000`, positions looked at, with which it
plays the same game every time.

`knuth` leaves the opponent the most difficult position: it plays Knuth's optimal moves (`noughts.solve.difficulty`). So
it wins as late as it can, when it can, and draws in the way that leaves the most ways to go wrong. Where several moves
are optimal the seed decides. `knuth:wins=early` hurries instead, and `knuth:digits=losing` counts only those wrong
moves that lose value.
"""

import re
from collections.abc import Sequence
from typing import ClassVar

from noughts.extras import need
from noughts.games import Game, Position
from noughts.games.playing import Playing
from noughts.players.player import CannotPlayError, Choice, Player, PlayerOptionError
from noughts.solve import Effort, Extent, knowledge
from noughts.solve.difficulty import DIGITS, MOST_CELLS, PLAIN_CELLS, WINS, Measure, difficulties

__all__ = ["Expert", "Knuth", "Perfect"]

MOST_SECONDS = 3600


class Perfect(Player):
    """Plays the best that is known."""

    name = "perfect"
    about = "never gives away value; wins fast, loses slowly; at qubic it plays the proof"
    title = "Perfect"
    story = "Knows what every move is worth. Wins as fast and loses as slowly as can be."
    plays = "solved games"

    def check(self, wanted: Game) -> None:
        """Only games of which enough is known."""
        missing = knowledge(wanted).missing
        if missing:
            raise CannotPlayError(f"perfect cannot play {wanted.name!r}: {missing}; another player can, as strong")
        if knowledge(wanted).extent is Extent.WINNER:
            need("numba", f"perfect at {wanted.name}")

    def choose(self, game: Game, position: Position, history: Sequence[Position] = ()) -> Choice:
        """One of the best moves."""
        return Choice(self.random.choice(knowledge(game).best(position, history)))

    def reply(self, playing: Playing) -> Choice:
        """One of the best moves; among equals one that repeats nothing."""
        return self.choose(playing.game, playing.position, playing.positions[:-1])


class Expert(Player):
    """Plays the best that is known, or that the engine finds."""

    name = "expert"
    about = "never errs on purpose: the best that is known, else what its search finds"
    title = "Expert"
    story = "Looks as far ahead as it can in the time it has, and never errs on purpose."
    strength = "very hard to beat"
    options: ClassVar[dict[str, str]] = {"nodes": "500000", "seconds": "no"}

    def __init__(self, seed: int | None = None, options: dict[str, str] | None = None) -> None:
        super().__init__(seed, options)
        seconds = self._seconds(self.chosen["seconds"])
        nodes = None if seconds is not None and "nodes" not in (options or {}) else self.number("nodes", 1, 10**9)
        self.effort = Effort(nodes, seconds)

    def _seconds(self, text: str) -> float | None:
        if text == "no":
            return None
        if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,3})?", text) or not 0 < float(text) <= MOST_SECONDS:
            raise PlayerOptionError(
                f"seconds={text!r} of {self.name}: expected a number up to {MOST_SECONDS}, as 0.2, or no"
            )
        return float(text)

    def check(self, wanted: Game) -> None:
        """Every game, with the engine; those that are solved without it."""
        super().check(wanted)
        if knowledge(wanted).extent is not Extent.EVERY_POSITION:
            need("numba", f"{self.name} at {wanted.name}")

    def choose(self, game: Game, position: Position, history: Sequence[Position] = ()) -> Choice:
        """The best move it finds."""
        best = knowledge(game).best(position, history, effort=self.effort, pressing=True)
        return Choice(self.random.choice(best))

    def reply(self, playing: Playing) -> Choice:
        """The same, with an eye on what would repeat."""
        return self.choose(playing.game, playing.position, playing.positions[:-1])


class Knuth(Player):
    """Plays by score and difficulty."""

    name = "knuth"
    about = "never gives away value, and leaves you the most difficult position"
    title = "Knuth’s program"
    story = "Plays by Donald Knuth’s scores: gives nothing away, and leaves you the position in which you can err most."
    machine = True
    year = 2006
    """Of the draft that it was written for; the program itself has none (docs/sources/knuth.md)."""
    plays = f"up to {MOST_CELLS} cells"
    options: ClassVar[dict[str, str]] = {"wins": "late", "digits": "nonoptimal"}

    def __init__(self, seed: int | None = None, options: dict[str, str] | None = None) -> None:
        super().__init__(seed, options)
        self.measure = Measure(self.word("wins", WINS), self.word("digits", DIGITS))

    def check(self, wanted: Game) -> None:
        """Only placing games of up to 16 cells."""
        if not wanted.placing_only or len(wanted.layout) > MOST_CELLS:
            raise CannotPlayError(
                f"knuth cannot play {wanted.name!r}: expected a placing game of at most {MOST_CELLS} cells"
            )
        if len(wanted.layout) > PLAIN_CELLS:
            need("numba", f"knuth at {wanted.name}")

    def choose(self, game: Game, position: Position) -> Choice:
        """One of the optimal moves."""
        return Choice(self.random.choice(difficulties(game, self.measure).optimal_moves(position)))
