"""What is known of a board, to be looked at: the value, every move best first, and why a move is good or bad."""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from noughts.games import NoughtsError
from noughts.games.picture import Note
from noughts.insight.reasons import why
from noughts.library.board import Board
from noughts.solve import UNKNOWN, USUAL, Answer, Effort, Rated, Value, knowledge
from noughts.solve.look import dot

__all__ = ["Analysis", "JudgedMove", "analyse", "value_notes"]


def analyse(board: Board, effort: Effort | None = None) -> "Analysis":
    """What is known of a board and of every move.

    Args:
        board: A board, as `noughts.board` makes it.
        effort: How long a search may take where nothing better is known: `Effort(1_000_000)` positions, or
            `Effort(seconds=5)`. Else it is a few tenths of a second, and the answer is the same every time.

    Raises:
        NoughtsError: If it is no board.

    Example:
        >>> import noughts
        >>> print(noughts.analyse(noughts.board("tictactoe", "XO./.X./..O")))
        x to move: win in 3
        a2  win in 3
        a3  win in 3
        c1  draw in 5
        c2  draw in 5
        b3  draw in 5
    """
    if not isinstance(board, Board):
        raise NoughtsError(f"{board!r} is not a board: expected one, as noughts.board('tictactoe') makes it")
    past = board.positions[:-1]
    return Analysis(board, knowledge(board.game).ask(board.position, past, effort=effort or USUAL))


@dataclass(frozen=True)
class JudgedMove:
    """A move, and what is known of it."""

    move: str
    value: Value
    """What it is worth to the player who makes it."""
    words: str
    """The same in words, as `win in 5`; where nothing is proved, how it looks, as `looks weaker`."""


@dataclass(frozen=True, repr=False)
class Analysis:
    """What is known of a board; `noughts.analyse` makes it."""

    board: Board
    answer: Answer
    """As `noughts.solve` gives it, with its source and how sure it is."""

    @property
    def value(self) -> Value:
        """What the board is worth to the player to move."""
        return self.answer.value

    @property
    def moves(self) -> list[JudgedMove]:
        """Every legal move, best first."""
        write = self.board.game.write_move
        return [JudgedMove(write(rated.move), rated.value, rated.words) for rated in self.answer.moves]

    def why(self, move: str) -> str:
        """Why a move is good or bad, in a sentence or two.

        Args:
            move: A legal move, as `b2`.

        Raises:
            IllegalMoveError: If the rules do not allow it here.
        """
        game, position = self.board.game, self.board.position
        return why(game, position, game.read_move(position, move), self.answer).words

    def notes(self) -> dict[int, Note]:
        """What a picture of the board says at each point."""
        return value_notes(self.answer.moves)

    def _repr_html_(self) -> str:
        """The board with what every move is worth, and a table of the moves, those of equal worth together."""
        groups: dict[str, list[str]] = {}
        for one in self.moves:
            groups.setdefault(one.words, []).append(one.move)
        left = ' style="text-align: left"'  # notebooks have columns of numbers in mind
        cells = ((escape(worth), escape(", ".join(moves))) for worth, moves in groups.items())
        rows = "".join(f"<tr><td{left}>{worth}</td><td{left}>{moves}</td></tr>" for worth, moves in cells)
        table = f"<table><tr><th{left}>value</th><th{left}>moves</th></tr>{rows}</table>" if rows else ""
        # As an image: the styles of an SVG that stands in the page itself hold for the whole notebook.
        picture = b64encode(self.board.svg(values=self).encode()).decode()
        image = f'<img src="data:image/svg+xml;base64,{picture}" alt="{escape(self.board.notation)}"/>'
        return f"<div>{image}<p>{escape(self._headline)}</p>{table}</div>"

    def __repr__(self) -> str:
        return f"<Analysis of {self.board!r}: {self.answer.words}>"

    def __str__(self) -> str:
        wide = max((len(one.move) for one in self.moves), default=0)
        return "\n".join([self._headline, *(f"{one.move:{wide}}  {one.words}" for one in self.moves)])

    @property
    def _headline(self) -> str:
        reason = f", {self.answer.reason}" if self.answer.reason else ""
        return self.board.outcome if self.board.over else f"{self.board.outcome}: {self.answer.words}{reason}"


def value_notes(moves: Sequence[Rated]) -> dict[int, Note]:
    """What to write on each point: the best that moving there is worth, as W3 or D5, or how it looks, as a dot.

    Args:
        moves: The moves, best first.
    """
    notes: dict[int, Note] = {}
    for rated in moves:
        if rated.move.to is not None and rated.move.to not in notes:
            plies = "" if rated.value.remoteness is None else rated.value.remoteness
            letter = "?" if rated.value == UNKNOWN else rated.value.outcome[0].upper()
            shown = Note(f"{letter}{plies}", rated.value.outcome) if rated.look is None else dot(rated.look)
            if shown is not None:
                notes[rated.move.to] = shown
    return notes
