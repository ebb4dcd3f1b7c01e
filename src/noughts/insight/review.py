"""The review of a game: what it was worth ply by ply, what was given away, why, and what would have been better.

A review asks of every position what it is worth (`noughts.solve.knowledge`), and compares the move that was made with
the best one. **Worth** is told to the player who makes the move, and counted from before it, so that "a win in 5 became
a draw" compares like with like. Where positions repeat, the positions before count: a move into one that comes up for
the third time is a draw.

**Marks.** Where both values are exact:

- `?`, a *mistake*: a win became a draw, or a draw a loss;
- `??`, a *blunder*: a win became a loss, or the opponent now wins with the very next move;
- `!`, the *only move*: every other one would have given something away, and it was neither a win at once nor a stop of
  one, which everybody sees.

A slower win or a quicker loss gives nothing away, so it has no mark. Where a value is not known:

- a move that is proved to lose is a mistake, unless the player was behind already and so perhaps lost;
- a move from what is proved to what is not known is `?!`, *doubtful*, if another one is proved to keep it: it left what
  was certain, and may have given something away. It counts as no mistake;
- where nothing is proved before or after, the engine's estimates are compared by their heights on the curve. A drop of
  a quarter, an eighth of the points to be had, is a mistake, one of a half a blunder. Among positions that are as good
  as won or lost the curve is flat, so there it takes more. And it counts only if two searches see it: the one before
  the move, which compares it with the best move at the same depth, and another from the position after it, which
  looks a ply further. A search that is wrong about a move, because it cannot see the refutation or because odd and even
  depths differ, is wrong in one of the two, seldom in both. Smaller drops are what two searches differ by anyway. All
  this is called an estimate wherever it is told.

**The curve** has a height from -1 to 1 for every position: 1, 0 and -1 for what is proved, and for an estimate of so
many **leads** (`noughts.solve.look`) the hyperbolic tangent that is 0.4 at one lead, since a lead is worth 70 % of the
points: 0.7 won less 0.3 lost. Estimates never reach 1.

What is proved of a position holds for the move that led to it and for the one that follows, whichever search found
it: a review hands it on to both (`settled`), so that no curve falls back from a proof to an estimate of one position.

The **turning point** is the last mistake of the side that lost, if there is one the last that it made before it was
behind; in a draw, or a game that is not over, the last mistake of all.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from math import atanh, tanh
from typing import Any, NamedTuple

from noughts.games import SIDES, Game, Move, Outcome, Position
from noughts.games.playing import REPETITIONS, Playing
from noughts.insight.reasons import why
from noughts.solve import TO_CAPTURE, UNKNOWN, USUAL, Answer, Effort, Rated, Source, Value, knowledge
from noughts.solve.at_once import wins_at_once
from noughts.solve.look import Lead, lead, leads

__all__ = [
    "LONGEST_LINE",
    "Mark",
    "Ply",
    "Review",
    "Tally",
    "Worth",
    "as_json",
    "look_at",
    "looks",
    "often",
    "ordinal",
    "ply_json",
    "review",
    "settled",
]

LONGEST_LINE = 7
"""Plies of what would have been better."""
STEEP = atanh(0.4)
A_MISTAKE, A_BLUNDER = 0.25, 0.5
"""Heights that are given away, where nothing is proved."""
HIGHEST = 0.95
"""Of an estimate on the curve."""
POINTS = {Outcome.LOSS: 0, Outcome.DRAW: 1, Outcome.WIN: 2}
"""Half points that a game with this outcome is worth."""
HEIGHT = {Outcome.LOSS: -1.0, Outcome.DRAW: 0.0, Outcome.WIN: 1.0}


class Mark(StrEnum):
    """What is to be said of a move in one sign."""

    NONE = ""
    ONLY = "!"
    DOUBTFUL = "?!"
    MISTAKE = "?"
    BLUNDER = "??"

    @property
    def words(self) -> str:
        """The same in words."""
        return _WORDS[self]

    @property
    def wrong(self) -> bool:
        """Whether something was given away."""
        return self in (Mark.MISTAKE, Mark.BLUNDER)


_WORDS = {
    Mark.NONE: "",
    Mark.ONLY: "the only move",
    Mark.DOUBTFUL: "doubtful",
    Mark.MISTAKE: "a mistake",
    Mark.BLUNDER: "a blunder",
}


class Worth(NamedTuple):
    """What a position or a move is worth to the player who is to move."""

    value: Outcome
    remoteness: int | None
    """Plies to the end; None where they are not known, or count to a capture only."""
    estimate: int | None
    """What the engine makes of it, where the value is unknown."""
    height: float
    """On the curve, from -1 to 1."""
    words: str
    """As "a win in 5"; of an estimate "ahead", "about even" or "behind"."""

    @property
    def exact(self) -> bool:
        """Whether it is proved."""
        return self.value is not Outcome.UNKNOWN


class Ply(NamedTuple):
    """One move of a game, beside what would have been best."""

    number: int
    """1 for the first move of the game."""
    side: int
    move: str
    position: str
    """Before the move."""
    before: Worth
    after: Worth
    """What the move that was made is worth; counted from before it, as all here."""
    mark: Mark
    gave: str
    """What was given away, as "a win in 5 became a draw"; empty where nothing was."""
    why: str
    """The reason for or against the move."""
    best: str
    line: tuple[str, ...]
    """The best move and how it might go on, where another was made; empty where nothing was given away."""
    because: str
    """Why the best move is good, where another was made."""
    depth: int | None
    """Plies that a search looked ahead, where nothing is proved."""
    punished: bool
    """Whether the opponent can win with the very next move."""
    proved: bool
    """Whether the best move is proved to keep what the position is worth."""
    only: bool
    """Whether every other move would have given something away, and that was not plain to see."""

    @property
    def estimated(self) -> bool:
        """Whether the mark rests on an estimate."""
        return not (self.before.exact and self.after.exact)


class Tally(NamedTuple):
    """How one side has played, as far as its moves were looked at."""

    moves: int
    looked: int
    mistakes: int
    blunders: int
    doubtful: int
    only: int

    @property
    def kept(self) -> int:
        """Moves that gave nothing away."""
        return self.looked - self.mistakes - self.blunders


class Review(NamedTuple):
    """A game and what there is to say of its moves; None for those that were not looked at yet."""

    playing: Playing
    plies: tuple[Ply | None, ...]

    @property
    def looked(self) -> int:
        """Moves that were looked at."""
        return sum(ply is not None for ply in self.plies)

    @property
    def wrong(self) -> list[Ply]:
        """The mistakes and blunders, in order."""
        return [ply for ply in self.plies if ply is not None and ply.mark.wrong]

    @property
    def turning(self) -> Ply | None:
        """The last mistake of the side that lost, or of both; None where there was none."""
        result = self.playing.result
        lost = None if result is None or result.winner is None else 1 - result.winner
        found = [ply for ply in reversed(self.wrong) if lost in (None, ply.side)]
        fresh = found if lost is None else [ply for ply in found if ply.before.words != Lead.BEHIND]
        return next(iter(fresh or found), None)

    @property
    def estimated(self) -> bool:
        """Whether any of it is an estimate."""
        return any(ply is not None and ply.estimated for ply in self.plies)

    @property
    def moves(self) -> list[str]:
        """The moves, as they are written."""
        return [self.playing.game.write_move(move) for move in self.playing.moves]

    def tally(self, side: int) -> Tally:
        """How a side has played.

        Args:
            side: 0 for X, 1 for O.
        """
        mine = [
            ply
            for ply, position in zip(self.plies, self.playing.positions, strict=False)
            if position.turn == side  # the last position has no ply
        ]
        marks = Counter(ply.mark for ply in mine if ply is not None)
        counts = (marks[mark] for mark in (Mark.MISTAKE, Mark.BLUNDER, Mark.DOUBTFUL, Mark.ONLY))
        return Tally(len(mine), sum(ply is not None for ply in mine), *counts)

    def heights(self, side: int = 0) -> list[float | None]:
        """The curve for a side: a height for every position, None where it is not known yet.

        Args:
            side: 0 for X, 1 for O.
        """
        found = [None if ply is None else _seen(ply.before.height, ply.side, side) for ply in self.plies]
        result, last = self.playing.result, self.plies[-1] if self.plies else None
        if result is not None:
            found.append(HEIGHT[result.outcome(side)])
        else:
            found.append(None if last is None else _seen(last.after.height, last.side, side))
        return found

    def standing(self, number: int) -> Worth | None:
        """What the position after so many plies is worth to the side to move; None if it is not known yet.

        Args:
            number: Plies from the start; 0 for the start itself.
        """
        if number < len(self.plies):
            ply = self.plies[number]
            return None if ply is None else ply.before
        last = self.plies[-1] if self.plies else None
        return None if last is None else _flipped(last.after, -1)

    def own_number(self, ply: Ply) -> int:
        """Which of its side's moves a ply is: 1 for the first.

        Args:
            ply: A ply of this game.
        """
        return sum(position.turn == ply.side for position in self.playing.positions[: ply.number])

    def told(self, you: int | None = None) -> list[str]:
        """What came of it, in a sentence or three; said to one of the sides, if it is a person's.

        Args:
            you: The side of the person who is spoken to, 0 for X, 1 for O; None if nobody is.
        """
        turning = self.turning
        if turning is None:
            return [_faultless(self, you)] if self.plies and self.looked == len(self.plies) else []
        whose = f"{_whose(turning.side, you)} {ordinal(self.own_number(turning))} move"
        guess = "By the engine's estimate " if turning.estimated else ""
        whose = whose.replace("Your", "your") if guess else whose
        error = "blunder" if turning.mark is Mark.BLUNDER else "mistake"
        what = "the turning point" if len(self.wrong) > 1 else f"the one {error} of the game"
        sentences = [f"{guess}{whose} was {what}: {turning.gave}."]
        sentences += [f"Better was {turning.best}."] * (turning.best != turning.move)
        if self.playing.result is not None and turning is self.wrong[-1] and 3 * turning.number <= len(self.plies):
            sentences.append("So it was decided in the opening.")
        return sentences


def review(playing: Playing, effort: Effort = USUAL) -> Review:
    """The review of a game, all of it.

    Args:
        playing: A game, finished or not.
        effort: How long the engine may search for every ply, where nothing better is known.
    """
    return Review(playing, settled(looks(playing, effort)))


def looks(playing: Playing, effort: Effort = USUAL) -> Iterator[Ply]:
    """The plies of a review one after the other, each as soon as it is there.

    Args:
        playing: A game, finished or not.
        effort: How long the engine may search for every ply, where nothing better is known.
    """
    for number, move in enumerate(playing.moves):
        history = playing.positions[:number]
        yield look_at(playing.game, playing.positions[number], move, history, effort)._replace(number=number + 1)


def often(playing: Playing) -> list[tuple[Position, ...]]:
    """For every ply, the positions that its move may not lead to without a draw: all that matters of the history.

    Args:
        playing: A game, finished or not.
    """
    found: list[tuple[Position, ...]] = []
    counts, twice = Counter[Position](), tuple[Position, ...]()
    for position in playing.positions[:-1]:
        found.append(twice)
        counts[position] += 1
        if counts[position] + 1 == REPETITIONS and not playing.game.placing_only:
            twice = tuple(sorted((*twice, position)))
    return found


def settled(plies: Iterable[Ply | None]) -> tuple[Ply | None, ...]:
    """The plies of a game, where what is proved of one is handed on to its neighbours.

    Args:
        plies: The plies in their order; None for one that nobody has looked at yet.
    """
    found = list(plies)
    for number in range(1, len(found)):
        earlier, later = found[number - 1], found[number]
        if earlier is None or later is None or earlier.after.exact is later.before.exact:
            continue
        if earlier.after.exact:
            found[number] = _judged(later._replace(before=_flipped(earlier.after, -1)))
        else:
            found[number - 1] = _judged(earlier._replace(after=_flipped(later.before, 1)))
    return tuple(found)


def look_at(
    game: Game, position: Position, move: Move, history: Sequence[Position] = (), effort: Effort = USUAL
) -> Ply:
    """What there is to say of a legal move, made after these positions; its number in the game is for others to say.

    Args:
        game: The game that is played.
        position: Where the move is made.
        move: A legal move.
        history: The positions of the game before this one.
        effort: How long the engine may search, where nothing better is known.
    """
    answer = knowledge(game).ask(position, history, effort=effort)
    mine = next(rated for rated in answer.moves if rated.move == move)
    best = answer.moves[0]
    before = _worth(game, answer, answer.value, answer.at_most, best.estimate)
    after = _worth(game, answer, mine.value, mine.at_most, mine.estimate)
    reason = why(game, position, move, answer).words
    if mine.value == UNKNOWN and (before.exact or before.height - after.height >= A_MISTAKE):
        opinion = _second_opinion(game, mine, (*history, position), effort)
        reason = _too(opinion, position.turn) if opinion.exact else reason
        after = opinion
    ply = _judged(
        Ply(
            number=1,
            side=position.turn,
            move=game.write_move(move),
            position=game.write(position),
            before=before,
            after=after,
            mark=Mark.NONE,
            gave="",
            why=reason,
            best=game.write_move(best.move),
            line=(),
            because="",
            depth=answer.depth if UNKNOWN in (answer.value, mine.value) else None,
            punished=bool(wins_at_once(game, mine.position)),
            proved=best.value.outcome is answer.value.outcome and before.exact,
            only=_only(game, position, answer, mine),
        )
    )
    if not ply.gave or best.move == move:
        return ply
    line = tuple(_line(game, answer, (*history, position), effort))
    return ply._replace(line=line, because=why(game, position, best.move, answer).words)


def _worth(game: Game, answer: Answer, value: Value, at_most: int | None, estimate: int | None) -> Worth:
    if value.outcome is Outcome.UNKNOWN:
        guess = estimate or 0
        return Worth(value.outcome, None, guess, _height(game, guess), str(lead(game, guess)))
    plies = None if answer.reason.endswith(TO_CAPTURE) else value.remoteness
    words = f"a {value.outcome}"
    if value.outcome is not Outcome.DRAW and plies is not None:
        words += f" in {plies}"
    elif value.outcome is not Outcome.DRAW and value.remoteness is None and at_most is not None:
        words += f" in at most {at_most}"
    return Worth(value.outcome, plies, None, HEIGHT[value.outcome], words)


def _height(game: Game, estimate: int) -> float:
    """Where an estimate stands on the curve."""
    height = tanh(STEEP * leads(game, estimate))
    return round(max(-HIGHEST, min(HIGHEST, height)), 4)


def _second_opinion(game: Game, mine: Rated, history: Sequence[Position], effort: Effort) -> Worth:
    """What a search from the position after the move says of it, for the player who made it.

    Of two estimates the better one counts: so something was given away only if both say so.
    """
    answer = knowledge(game).ask(mine.position, history, effort=effort)
    if answer.value != UNKNOWN:
        at_most = None if answer.at_most is None else answer.at_most + 1
        return _worth(game, answer, answer.value.before(), at_most, None)
    estimates = [one for one in (mine.estimate, answer.estimate and -answer.estimate) if one is not None]
    return _worth(game, answer, UNKNOWN, None, max(estimates, default=None))


def _judged(ply: Ply) -> Ply:
    """The ply with its mark, and what was given away in words; where a position is lost, every move loses."""
    if ply.before.value is Outcome.LOSS and not ply.after.exact:
        ply = ply._replace(after=Worth(Outcome.LOSS, None, None, HEIGHT[Outcome.LOSS], "a loss"))
    mark = _mark(ply)
    told = mark.wrong or mark is Mark.DOUBTFUL
    return ply._replace(mark=mark, gave=_gave(ply.before, ply.after) if told else "")


def _mark(ply: Ply) -> Mark:
    before, after = ply.before, ply.after
    if before.exact and after.exact:
        lost = POINTS[before.value] - POINTS[after.value]
        if lost > 0:
            return Mark.BLUNDER if lost == 2 or ply.punished else Mark.MISTAKE
        return Mark.ONLY if ply.only else Mark.NONE
    if before.exact:
        return Mark.DOUBTFUL if ply.proved else Mark.NONE
    if after.exact:
        if after.value is not Outcome.LOSS or before.words == Lead.BEHIND:
            return Mark.NONE
        return Mark.BLUNDER if ply.punished else Mark.MISTAKE
    if before.height - after.height < A_MISTAKE:
        return Mark.NONE
    return Mark.BLUNDER if before.height - after.height >= A_BLUNDER else Mark.MISTAKE


def _only(game: Game, position: Position, answer: Answer, mine: Rated) -> bool:
    """Whether every other move would have given something away, and that was not plain to see."""
    others = [rated.value.outcome for rated in answer.moves if rated.move != mine.move]
    kept = mine.value.outcome
    if not others or kept is Outcome.LOSS or any(one is Outcome.UNKNOWN for one in others) or kept in others:
        return False
    at_once = game.over(mine.position) is not None
    return not at_once and not wins_at_once(game, position._replace(turn=1 - position.turn))


def _gave(before: Worth, after: Worth) -> str:
    if before.exact and after.exact:
        return f"{before.words} became {after.words}"
    if before.exact:
        return f"{before.words} was certain, and what this leads to is not known"
    if after.exact:
        return f"it was {before.words}, and this is {after.words}"
    if before.words != after.words:
        return f"{before.words} became {after.words}"
    return {
        Lead.AHEAD: "much of the lead was lost",
        Lead.EVEN: "it stays about even, but is worse than it was",
        Lead.BEHIND: "it fell further behind",
    }[Lead(before.words)]


def _line(game: Game, answer: Answer, history: Sequence[Position], effort: Effort) -> Iterator[str]:
    """The best move and the best moves after it, as far as they are looked up rather than searched for, and few."""
    past = list(history)
    for _ in range(LONGEST_LINE):
        if not answer.moves:
            return
        best = answer.moves[0]
        yield game.write_move(best.move)
        if best.value == UNKNOWN or answer.source is Source.SEARCH:
            return
        answer = knowledge(game).ask(best.position, past, effort=effort)
        past.append(best.position)


def _flipped(worth: Worth, plies: int) -> Worth:
    """What something is worth to the other player, so many plies further from the end."""
    if not worth.exact:
        other = {Lead.AHEAD: Lead.BEHIND, Lead.BEHIND: Lead.AHEAD}.get(Lead(worth.words), Lead.EVEN)
        guess = None if worth.estimate is None else -worth.estimate
        return Worth(worth.value, None, guess, _seen(worth.height, 0, 1), str(other))
    outcome = Value(worth.value).before().outcome
    left = None if worth.remoteness is None else worth.remoteness + plies
    words = f"a {outcome}" + (f" in {left}" if left is not None and outcome is not Outcome.DRAW else "")
    return Worth(outcome, left, None, HEIGHT[outcome], words)


def _seen(height: float, of: int, by: int) -> float:
    """A height for one side, as another sees it; never -0.0."""
    return height if of == by or not height else -height


def _too(worth: Worth, side: int) -> str:
    """Why a move is as it is that was proved by a look from behind it."""
    other = SIDES[1 - side].upper()
    return {
        Outcome.WIN: "It wins, too.",
        Outcome.DRAW: "It holds the draw, too.",
        Outcome.LOSS: f"It loses: {other} can force a win.",
    }[worth.value]


def _whose(side: int, you: int | None) -> str:
    return "Your" if side == you else f"{SIDES[side].upper()}'s"


def _faultless(found: Review, you: int | None) -> str:
    """What is said of a game in which no mistake was found."""
    result = found.playing.result
    if found.estimated:
        return "No clear mistake was found, as far as the engine's estimates tell."
    if result is None:
        return "Nobody has given anything away."
    if result.winner is None:
        return "Nobody gave anything away: with best play it is a draw, and so it was."
    won = "you won" if result.winner == you else f"{SIDES[result.winner].upper()} won"
    return f"Nobody gave anything away: {won} what was a win from the start."


def ordinal(number: int) -> str:
    """A number as in "the 2nd move".

    Args:
        number: Any number from 1 on.
    """
    if 10 <= number % 100 <= 20:
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def as_json(found: Review) -> dict[str, Any]:
    """A review for programs; values are for the player who moves, heights of the curve for X.

    Args:
        found: The review of a game.
    """
    game, result = found.playing.game, found.playing.result
    turning = found.turning
    return {
        "game": game.name,
        "start": game.write(found.playing.positions[0]),
        "moves": found.moves,
        "result": None if result is None else "draw" if result.winner is None else SIDES[result.winner],
        "curve": found.heights(),
        "turning_point": None if turning is None else turning.number,
        "estimated": found.estimated,
        "sides": {SIDES[side]: _tally_json(found.tally(side)) for side in (0, 1)},
        "plies": [ply_json(ply) for ply in found.plies if ply is not None],
    }


def _tally_json(tally: Tally) -> dict[str, int]:
    return {"moves": tally.moves, "kept": tally.kept, "mistakes": tally.mistakes, "blunders": tally.blunders}


def ply_json(ply: Ply) -> dict[str, Any]:
    """One ply for programs.

    Args:
        ply: A ply of a review.
    """
    return {
        "ply": ply.number,
        "side": SIDES[ply.side],
        "move": ply.move,
        "position": ply.position,
        "before": _worth_json(ply.before),
        "after": _worth_json(ply.after),
        "mark": str(ply.mark),
        "gave": ply.gave,
        "why": ply.why,
        "best": ply.best,
        "line": list(ply.line),
        "estimated": ply.estimated,
        "depth": ply.depth,
    }


def _worth_json(worth: Worth) -> dict[str, Any]:
    return {"value": str(worth.value), "remoteness": worth.remoteness, "estimate": worth.estimate}
