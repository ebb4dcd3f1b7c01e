"""Puzzles: positions in which one move, and only one, keeps what the position is worth.

**What a puzzle is.** With best play a position is a win, a draw or a loss for the player to move. A move *keeps the
value* of a won position if it still wins, that of a drawn one if it still draws; lost positions have nothing to keep. A
move consists of its *step*, that is where a stone is placed, or from where it goes to where, and of the stone it
captures, if it closes a mill. A position is a puzzle if the moves that keep its value are all the same step, up to
symmetries of the board that leave the position as it is, and if some other move does not keep it. Where a mill may
capture several stones, those are right whose capture keeps the value.

All of this has to be exact: a position is taken only if the value of every one of its moves is proved. A win that is
slower than it must be is still a win, so nobody is told that a winning move is wrong.

**Plies.** How deep a puzzle is. Of a win: the plies until it is there, or, where a table counts to captures
(`noughts.solve.morris`), until the next capture; at most so many where the exact number is not known. Of a draw: the
plies that the most stubborn of the plausible wrong moves takes to lose, where that is known.

**Plausible wrong moves.** What makes a puzzle deceptive: steps that give the value away although they fill a row (and
capture), or threaten to fill one that could not be filled before, or stop the opponent from filling one.

**Themes**, the first that applies to the right move:

    win        it ends the game
    capture    it closes a mill, and only some of the captures keep the value
    mill       it closes a mill
    block      the opponent could have filled a row next, and no longer can
    stop-fork  it holds the draw, and the opponent, who could have made a fork next, cannot or has to answer a threat
    hold       it holds the draw otherwise
    fork       it wins, and threatens to fill a row in two places at once
    chain      it wins, and begins a chain of threats that is known to win (at Qubic)
    open       it wins, and moves a stone out of a mill, which may be closed again
    force      it wins, and threatens to fill a row
    quiet      it wins otherwise

A fork is told only where stones never move.

**Grades**, from 1 to 5. At sight (1) are puzzles whose right move ends the game, and those in which after any wrong
move the opponent ends it (so that Knuth's difficulty is 0: a *no-brainer*); where mills capture also those in which it
closes or stops a mill and no wrong move is plausible. Every other puzzle begins at 2 and goes up by one for each of
these: it takes five plies or more; it takes nine or more; three or more wrong moves are plausible; the right move is
not, that is, it neither fills a row, nor threatens to, nor stops one. More than 5 is 5.

**No two alike.** Two puzzles of a game are alike if a symmetry of the board takes one to the other, the sides being
exchanged or not (`likeness`).

The sets that come with Noughts are made by docs/make_puzzles.py; the file has what is said here of each of them, so
nothing has to be solved to show one. Each day has a puzzle, the same for everybody.
"""

import json
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from noughts.games import SIDES, Game, Move, NoughtsError, Outcome, Position
from noughts.games import game as find_game
from noughts.games.points import members
from noughts.games.symmetry import TooManySymmetriesError, apply
from noughts.insight.reasons import why
from noughts.solve import Answer, Rated, knowledge
from noughts.solve.at_once import fills_row, row_points, winning_points, wins_at_once
from noughts.solve.knowledge import TO_CAPTURE
from noughts.solve.value import Value

__all__ = [
    "GRADES",
    "THEMES",
    "Judgement",
    "NoPuzzleError",
    "Puzzle",
    "Theme",
    "games_with_puzzles",
    "judge",
    "likeness",
    "puzzle_at",
    "puzzle_of",
    "puzzle_of_the_day",
    "puzzles_of",
]

FILE = Path(__file__).with_name("puzzles.json")
GRADES = ("at sight", "easy", "medium", "hard", "very hard")
"""The grades in words, from 1 on."""
Theme = Literal["win", "capture", "mill", "block", "stop-fork", "hold", "fork", "chain", "open", "force", "quiet"]
THEMES: dict[Theme, str] = {
    "win": "Win at once",
    "capture": "The right capture",
    "mill": "Close the mill",
    "block": "Block",
    "stop-fork": "Stop the fork",
    "hold": "Hold the draw",
    "fork": "Make a fork",
    "chain": "Start the chain",
    "open": "Open the mill",
    "force": "Threaten and win",
    "quiet": "The quiet move",
}
"""The themes and their names for people."""
DEEP, DEEPER = 5, 9
"""Plies from which on a puzzle is a grade harder, and two."""
DECEPTIVE = 3
"""Plausible wrong moves from which on it is."""

Step = tuple[int | None, int | None]
"""Where a stone comes from, None for the hand, and where it goes."""


class NoPuzzleError(NoughtsError):
    """A puzzle that does not exist."""


class Puzzle(NamedTuple):
    """A position with one move that keeps its value, and what there is to say of it."""

    game: Game
    number: int
    """Among the puzzles of its game, from 1; the easy ones come first."""
    position: Position
    solution: tuple[Move, ...]
    """The moves that keep the value."""
    value: Outcome
    """What is to be kept: a win or a draw."""
    plies: int | None
    theme: Theme
    grade: int

    @property
    def won(self) -> bool:
        """Whether there is a win to be found."""
        return self.value is Outcome.WIN

    @property
    def task(self) -> str:
        """What is to be done, as a sentence."""
        side = SIDES[self.position.turn].upper()
        if not self.won:
            return f"{side} to move and hold the draw."
        return f"{side} to move and win{_within(self.game, self.position, self.plies)}."

    def as_json(self) -> dict[str, Any]:
        """As the file, the command and the API write it."""
        return {
            "game": self.game.name,
            "number": self.number,
            "position": self.game.write(self.position),
            "value": self.value.value,
            "plies": self.plies,
            "theme": self.theme,
            "grade": self.grade,
            "solution": [self.game.write_move(move) for move in self.solution],
        }


def _within(game: Game, position: Position, plies: int | None) -> str:
    """How many moves of the winner a win takes, counted to the next capture where tables do."""
    if plies is None:
        return ""
    moves = (plies + 1) // 2
    if game.rules.captures and position.hand == (0, 0):
        return "" if moves == 1 else f"; the next capture within {moves} moves"
    return " at once" if moves == 1 else f" within {moves} moves"


def puzzle_at(game: Game, position: Position, answer: Answer | None = None) -> Puzzle | None:
    """The puzzle that a position makes, without a number (0); None if it makes none, or none that is proved.

    `answer` is what is known of the position, if it was asked already.

    Args:
        game: The game that is played.
        position: A legal position.
        answer: What is known of the position; asked here if left out.
    """
    known = knowledge(game).ask(position) if answer is None else answer
    worth = known.value.outcome
    if worth not in (Outcome.WIN, Outcome.DRAW) or any(one.value.outcome is Outcome.UNKNOWN for one in known.moves):
        return None
    right = [one for one in known.moves if one.value.outcome is worth]
    wrong = [one for one in known.moves if one.value.outcome is not worth]
    steps = {_step(one.move) for one in right}
    if not wrong or not steps <= _alike(game, position, next(iter(steps))):
        return None
    plausible = [one for one in wrong if _looks_good(game, position, one)]
    best = right[0]
    plies = _plies(known, best, plausible)
    theme = _theme(game, position, known, best, {_step(one.move) for one in wrong})
    misleading = len({_step(one.move) for one in plausible} - steps)
    grade = 1 if _at_sight(game, position, best, wrong, misleading) else _grade(game, position, best, plies, misleading)
    return Puzzle(game, 0, position, tuple(one.move for one in right), worth, plies, theme, grade)


def likeness(game: Game, position: Position) -> Position:
    """The same for positions that a symmetry, or an exchange of the sides, takes to one another, and only for them.

    Args:
        game: The game that is played.
        position: A position of it.
    """
    return min(_canonical(game, position), _canonical(game, position.swapped()))


def _canonical(game: Game, position: Position) -> Position:
    try:
        return game.canonical(position)
    except TooManySymmetriesError:
        return position


def _step(move: Move) -> Step:
    return move.source, move.to


def _alike(game: Game, position: Position, step: Step) -> set[Step]:
    """Where the symmetries that leave a position as it is take a step."""
    x, o = position.stones
    found = set()
    for symmetry in game.symmetries:
        if apply(symmetry, x) == x and apply(symmetry, o) == o:
            source, to = (None if point is None else symmetry[point] for point in step)
            found.add((source, to))
    return found


def _looks_good(game: Game, position: Position, one: Rated) -> bool:
    """Whether a move fills a row, threatens one that was not threatened, or stops one of the opponent."""
    side = position.turn
    mine = row_points(game, one.position, side) & ~row_points(game, position, side)
    return fills_row(game, position, one.move) or bool(mine) or _stops_row(game, position, one)


def _stops_row(game: Game, position: Position, one: Rated) -> bool:
    """Whether the opponent could have filled a row, and can no longer."""
    other = 1 - position.turn
    return bool(row_points(game, position, other)) and not row_points(game, one.position, other)


def _plies(known: Answer, best: Rated, plausible: list[Rated]) -> int | None:
    if best.value.outcome is Outcome.WIN:
        return next((plies for plies in (best.value.remoteness, best.at_most, known.at_most) if plies), None)
    losing = [one.value.remoteness for one in plausible if one.value.remoteness is not None]
    return max(losing, default=None)


def _theme(game: Game, position: Position, known: Answer, best: Rated, wrong: set[Step]) -> Theme:
    """The first that applies to the right move."""
    side, move, after = position.turn, best.move, best.position
    threats = row_points(game, after, side).bit_count()
    own_mills = game.layout.rows_of(position.stones[side]) if game.rules.captures else []
    drawn = best.value.outcome is Outcome.DRAW
    applies: dict[Theme, bool] = {
        "win": game.over(after) is Outcome.LOSS,
        "capture": move.capture is not None and _step(move) in wrong,
        "mill": move.capture is not None,
        "block": _stops_row(game, position, best),
        "stop-fork": drawn and _stops_fork(game, position, after, threats > 0),
        "hold": drawn,
        "fork": threats > 1 and game.placing_only,
        "chain": threats > 0 and len(known.threats) > 1,
        "open": move.source is not None and any(mill >> move.source & 1 for mill in own_mills),
        "force": threats > 0,
        "quiet": True,
    }
    return next(theme for theme in THEMES if applies[theme])


def _stops_fork(game: Game, position: Position, after: Position, threatening: bool) -> bool:
    other = 1 - position.turn
    if not game.placing_only or not _can_fork(game, position, other):
        return False
    return threatening or not _can_fork(game, after, other)


def _can_fork(game: Game, position: Position, side: int) -> bool:
    """Whether a stone of this side would complete a line in two places next."""
    for point in members(game.layout.everywhere & ~position.occupied):
        stones = (position.stones[0] | (1 << point) * (side == 0), position.stones[1] | (1 << point) * (side == 1))
        if winning_points(game, position._replace(stones=stones), side).bit_count() > 1:
            return True
    return False


def _at_sight(game: Game, position: Position, best: Rated, wrong: list[Rated], misleading: int) -> bool:
    if game.over(best.position) is Outcome.LOSS or all(wins_at_once(game, one.position) for one in wrong):
        return True
    rows = best.move.capture is not None or _stops_row(game, position, best)
    return game.rules.captures and rows and not misleading


def _grade(game: Game, position: Position, best: Rated, plies: int | None, misleading: int) -> int:
    """The grade of a puzzle that is not seen at sight."""
    depth, plain = plies or 0, _looks_good(game, position, best)
    return min(5, 2 + (depth >= DEEP) + (depth >= DEEPER) + (misleading >= DECEPTIVE) + (not plain))


# The sets that come with Noughts.


@cache
def _sets() -> dict[str, list[list[Any]]]:
    """By the name of a game, the rows of its puzzles."""
    found: dict[str, list[list[Any]]] = json.loads(FILE.read_text())
    return found


def games_with_puzzles() -> tuple[Game, ...]:
    """The games of which there are puzzles, in the order of the catalogue."""
    return tuple(find_game(name) for name in _sets())


@cache
def puzzles_of(game: Game) -> tuple[Puzzle, ...]:
    """The puzzles of a game that come with Noughts, easy ones first; none where there are none.

    Args:
        game: A game of the catalogue.
    """
    return tuple(_read(game, number, *row) for number, row in enumerate(_sets().get(game.name, ()), 1))


def _read(
    game: Game, number: int, position: str, moves: str, value: str, plies: int | None, theme: Theme, grade: int
) -> Puzzle:
    here = game.read(position)
    solution = tuple(game.read_move(here, move) for move in moves.split())
    return Puzzle(game, number, here, solution, Outcome(value), plies, theme, grade)


def puzzle_of(game: Game, number: int) -> Puzzle:
    """The puzzle of a game with this number.

    Args:
        game: A game of the catalogue.
        number: Its number, from 1 on.

    Raises:
        NoPuzzleError: If the game has no puzzle of this number; it says which there are.
    """
    found = puzzles_of(game)
    if not found:
        names = ", ".join(one.name for one in games_with_puzzles())
        raise NoPuzzleError(f"there are no puzzles of {game.name!r}: expected one of {names}")
    if not 1 <= number <= len(found):
        raise NoPuzzleError(f"{number} is not a puzzle of {game.name}: expected a number from 1 to {len(found)}")
    return found[number - 1]


def puzzle_of_the_day(day: date) -> Puzzle:
    """The puzzle of a day: the games take turns, and so do the puzzles of each.

    The steps from one puzzle of a game to the next are large, so that easy and hard ones alternate, and have no divisor
    in common with the number of puzzles, so that all come up before one comes again.

    Args:
        day: Any day.
    """
    games = games_with_puzzles()
    turn, which = divmod(day.toordinal(), len(games))
    found = puzzles_of(games[which])
    return found[turn * _stride(len(found)) % len(found)]


def _stride(count: int) -> int:
    """About three eighths of a number, and coprime to it."""
    return next(step for step in range(max(1, 3 * count // 8), count + 1) if _coprime(step, count))


def _coprime(a: int, b: int) -> bool:
    while b:
        a, b = b, a % b
    return a == 1


# Playing them.


class Judgement(NamedTuple):
    """What a move is worth, and the answer to it."""

    keeps: bool | None
    """Whether it keeps what the position was worth; None where that is not known."""
    value: Value
    words: str
    """Why, as a sentence."""
    reply: Move | None
    """The opponent's best answer: the refutation of a wrong move, the best defence against a right one; None if the
    game is over."""
    plies: int | None
    """Until the win is there, or the next capture, counted from the reply on; None where that is not known."""
    made: bool
    """Whether there is nothing more to show: the game is over; a mill was closed and counts as the point of a win; a
    draw is held; or nothing is known of how long the win takes."""


def judge(game: Game, position: Position, move: Move) -> Judgement:
    """What a legal move is worth in a position that is not over.

    Args:
        game: The game that is played.
        position: The position of the puzzle.
        move: A legal move.
    """
    known = knowledge(game).ask(position)
    mine = next(one for one in known.moves if one.move == move)
    worth, got = known.value.outcome, mine.value.outcome
    keeps = None if got is Outcome.UNKNOWN else got is worth
    over = game.over(mine.position) is not None
    answer = None if over else knowledge(game).ask(mine.position)
    plies = None if answer is None else answer.value.remoteness or answer.at_most
    counts_captures = answer is not None and answer.reason.endswith(TO_CAPTURE)
    made = worth is not Outcome.WIN or plies is None or (counts_captures and move.capture is not None)
    reply = None if answer is None else answer.moves[0].move
    return Judgement(keeps, mine.value, why(game, position, move, known).words, reply, plies, made)
