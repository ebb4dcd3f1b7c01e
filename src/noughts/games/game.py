"""A game: a name, a layout and rules, and every question one can ask of the three together."""

from dataclasses import dataclass

from noughts.games import notation
from noughts.games.errors import IllegalMoveError, IllegalPositionError
from noughts.games.layout import Layout
from noughts.games.legality import check, misfit
from noughts.games.position import Move, Outcome, Position
from noughts.games.rules import Movement, Rules
from noughts.games.symmetry import Symmetry, apply, symmetries

__all__ = ["Game"]


@dataclass(frozen=True, eq=False)
class Game:
    """One entry of the catalogue, which makes each game once.

    Games are equal if they have the same name, in which all their options stand, the same board and the same rules. One
    of the catalogue's is pickled as its name, and unpickled as the one that is there.
    """

    name: str
    layout: Layout
    rules: Rules
    about: str
    """How it is played, in one line."""
    title: str
    """Its name for people."""

    @property
    def placing_only(self) -> bool:
        """Whether stones never move once placed, so that every game ends."""
        return self.rules.movement is Movement.NONE

    def start(self) -> Position:
        """The position before the first move."""
        return self.rules.start()

    def over(self, position: Position) -> Outcome | None:
        """How the game has ended for the player to move (`loss` or `draw`); None while it goes on.

        Args:
            position: A position of this game.
        """
        return self.rules.over(self.layout, position)

    def winning_rows(self, position: Position) -> tuple[int, ...]:
        """The rows that won, as sets of points; none while the game goes on, or if it ended in another way.

        Args:
            position: A position of the game.
        """
        if self.rules.captures or self.over(position) is not Outcome.LOSS:
            return ()
        return tuple(self.layout.rows_of(position.stones[1 - position.turn]))

    def moves(self, position: Position) -> list[Move]:
        """The legal moves, in the order of the points; none when the game is over.

        Args:
            position: A position of this game.
        """
        return self.rules.moves(self.layout, position)

    def after(self, position: Position, move: Move) -> Position:
        """The position after a legal move. Legality is not checked here: `read_move` does that.

        Args:
            position: A position of this game.
            move: One of its legal moves.
        """
        return self.rules.after(position, move)

    def check(self, position: Position) -> None:
        """Refuse a position that cannot be one of this game, since it has other points or other numbers of stones.

        Positions are plain values that know no game, and games of the same size can share them. This is quick; `read`
        and `noughts.board` go on to ask whether the position can occur.

        Args:
            position: Any position.

        Raises:
            IllegalPositionError: If it is a position of another game, or none.
        """
        if not isinstance(position, Position):
            raise IllegalPositionError(f"{position!r} is not a position: expected one, as Game.read or Board.position")
        wrong = misfit(self.layout, self.rules, position)
        if wrong:
            raise IllegalPositionError(f"a position of another game, not of {self.name}: {wrong}")

    def read(self, text: str) -> Position:
        """The position that this text notes; raises an error if it notes none that can occur.

        Args:
            text: The notation of a position, as `XO./.X./..O`.

        Raises:
            NotationError: If the text is not of the shape of a position.
            IllegalPositionError: If no game leads to it.
        """
        position = notation.read_position(self.layout, self.rules, text)
        check(self.layout, self.rules, position, text)
        return position

    def write(self, position: Position) -> str:
        """The notation of a position.

        Args:
            position: A position of this game.
        """
        return notation.write_position(self.layout, self.rules, position)

    def read_move(self, position: Position, text: str) -> Move:
        """The legal move that this text notes.

        Args:
            position: Where the move is to be made.
            text: The notation of a move, as `b2` or `a1-b2xc3`.

        Raises:
            NotationError: If the text is no move at all.
            IllegalMoveError: If the rules do not allow it here.
        """
        move = notation.read_move(self.layout, text)
        if not self.rules.allow(self.layout, position, move):
            raise IllegalMoveError(self._why_illegal(position, move, text, self.moves(position)))
        return move

    def write_move(self, move: Move) -> str:
        """The notation of a move.

        Args:
            move: A move of this game.
        """
        return notation.write_move(self.layout, move)

    def play(self, *moves: str) -> Position:
        """The position after these moves from the start, each checked.

        Args:
            *moves: The moves in their notation, X's first.

        Raises:
            NotationError: If a text is no move at all.
            IllegalMoveError: If the rules do not allow one.
        """
        position = self.start()
        for text in moves:
            position = self.after(position, self.read_move(position, text))
        return position

    def images(self, position: Position) -> set[Position]:
        """The position as seen through every symmetry of the board.

        Args:
            position: A position of this game.
        """
        x, o = position.stones
        return {position._replace(stones=(apply(symmetry, x), apply(symmetry, o))) for symmetry in self.symmetries}

    def canonical(self, position: Position) -> Position:
        """The representative of a position's class: the least of its images.

        Args:
            position: A position of this game.
        """
        return min(self.images(position))

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The symmetries of the board."""
        return symmetries(self.layout)

    def _why_illegal(self, position: Position, move: Move, text: str, legal: list[Move]) -> str:
        if not legal:
            return f"{text!r} cannot be played: the game is over at {self.write(position)!r}"
        if move.to is not None and position.occupied >> move.to & 1 and move.to != move.source:
            reason = f"{self.layout.points[move.to]} is occupied"
        elif any(move == other._replace(capture=None) for other in legal):
            reason = "it closes a mill, so it must capture"
        else:
            reason = "the rules do not allow it here"
        examples = ", ".join(self.write_move(other) for other in legal[:8])
        more = f" and {len(legal) - 8} more" if len(legal) > 8 else ""
        return f"{text!r} is not a legal move: {reason}; expected one of {examples}{more}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self is other or (self.name, self.rules, self.layout) == (other.name, other.rules, other.layout)

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[object, ...]:
        from noughts.games.catalogue import game, knows  # noqa: PLC0415  the catalogue is made of games

        if knows(self):
            return game, (self.name,)
        return Game, (self.name, self.layout, self.rules, self.about, self.title)

    def _repr_svg_(self) -> str:
        """A picture for notebooks: the board, with a few stones on it where the catalogue has some."""
        from noughts.games.catalogue import sample_of  # noqa: PLC0415  the catalogue is made of games
        from noughts.games.picture import draw_board, on_paper  # noqa: PLC0415  few who ask for rules want a picture

        return on_paper(draw_board(self, sample_of(self), title=self.title)).svg()

    def __repr__(self) -> str:
        return f"Game({self.name!r})"
