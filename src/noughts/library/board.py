"""A board: a value that knows its game, the moves that led to it, and everything one asks of it first.

    board = noughts.board("tictactoe")
    board = board.play("b2", "a1")
    board.moves, board.turn, board.winner
    board.value(), board.best()
    print(board)

A board never changes: `play` and `undo` give another board. So it can be a key of a dictionary, sent to another
process, and kept while a search goes on from it; and a cell of a notebook that is run twice does the same twice. Every
move is checked. Two boards are equal if they are of the same game, began alike, and have had the same moves; those that
were reached in different ways and look alike have equal `position`s.

Below it lie the functions of `noughts.games` and `noughts.solve`, with positions and moves that are plain values:
quicker in a loop over millions of them, and nothing is checked there that was checked before.
"""

from collections.abc import Iterable
from functools import reduce
from typing import TYPE_CHECKING, Self

from noughts.games import (
    SIDES,
    Game,
    IllegalMoveError,
    IllegalPositionError,
    Move,
    NoughtsError,
    Position,
    UnknownPointError,
)
from noughts.games import game as find_game
from noughts.games.catalogue import knows
from noughts.games.legality import fault
from noughts.games.playing import Playing, Result
from noughts.games.points import members, point_set
from noughts.games.record import read_line, write_line

if TYPE_CHECKING:
    from noughts.library.analysis import Analysis
    from noughts.players import Player
    from noughts.solve import Effort, Value

__all__ = ["Board", "board"]


def board(
    game: Game | str = "tictactoe", start: Position | str | None = None, moves: str | Iterable[str | Move] = ()
) -> "Board":
    """A board with a game on it.

    Args:
        game: The name of a game, as `noughts games` lists them, or the game itself.
        start: Where it begins, if not at the start: a position, or its notation, as `XO./.X./..O`.
        moves: Moves that have been played since, as a list or with spaces between: `b2 a1`.

    Raises:
        UnknownGameError: If no game has this name.
        IllegalPositionError: If the game has no such position.
        IllegalMoveError: If the rules do not allow one of the moves.

    Example:
        >>> import noughts
        >>> print(noughts.board("tictactoe", moves="b2 a1"))
             a   b   c
           ┌───┬───┬───┐
         1 │ O │   │   │
           ├───┼───┼───┤
         2 │   │ X │   │
           ├───┼───┼───┤
         3 │   │   │   │
           └───┴───┴───┘
        x to move
    """
    rules = find_game(game)
    if isinstance(start, Position):
        rules.check(start)
        wrong = fault(rules.layout, rules.rules, start)
        if wrong:
            raise IllegalPositionError(f"{rules.write(start)!r} is not a legal position: {wrong}")
    elif start is not None:
        start = rules.read(start)
    return Board(Playing.begin(rules, start)).play(*(moves.split() if isinstance(moves, str) else moves))


class Board:
    """A game on a board, as `noughts.board` sets it up; see there. It never changes."""

    __slots__ = ("_playing",)
    _playing: Playing

    def __init__(self, playing: Playing) -> None:
        if not isinstance(playing, Playing):
            raise NoughtsError(
                f"{playing!r} is not a game in progress: noughts.board(…) makes boards of names and moves"
            )
        object.__setattr__(self, "_playing", playing)

    # What is there

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._playing.game

    @property
    def playing(self) -> Playing:
        """The game in progress, as the rooms below take it: `noughts.insight.review.review(board.playing)`."""
        return self._playing

    @property
    def position(self) -> Position:
        """What stands where, and whose turn it is: a plain value, equal for all boards that look alike."""
        return self._playing.position

    @property
    def positions(self) -> tuple[Position, ...]:
        """All positions since the beginning, the present one last."""
        return self._playing.positions

    @property
    def boards(self) -> list[Self]:
        """The board at every one of these positions, this one last: the game, to be looked through."""
        return [self.undo(plies) for plies in range(len(self), -1, -1)]

    @property
    def notation(self) -> str:
        """The position as text, as `XO./.X./..O`."""
        return self.game.write(self.position)

    @property
    def history(self) -> list[str]:
        """The moves that were played, in order."""
        return [self.game.write_move(move) for move in self._playing.moves]

    @property
    def turn(self) -> str:
        """Who is to move: `x`, who always begins, or `o`."""
        return SIDES[self.position.turn]

    @property
    def stones(self) -> dict[str, str]:
        """Who stands where: `{"b2": "x", "a1": "o"}`, in the order of the points."""
        x, o = self.position.stones
        return {point: SIDES[o >> i & 1] for i, point in enumerate(self.game.layout.points) if (x | o) >> i & 1}

    def __getitem__(self, point: str) -> str | None:
        """What stands on a point: `x`, `o`, or None; `board["b2"]`."""
        layout = self.game.layout
        if point not in layout.index:
            expected = f"{layout.points[0]} to {layout.points[-1]}"
            raise UnknownPointError(f"{point!r} is not a point of {self.game.name}: expected {expected}")
        bit = 1 << layout.index[point]
        return next((SIDES[side] for side in (0, 1) if self.position.stones[side] & bit), None)

    def __len__(self) -> int:
        """How many moves have been played."""
        return len(self._playing.moves)

    def __bool__(self) -> bool:
        """A board is something, even before the first move."""
        return True

    # What can be done

    @property
    def moves(self) -> list[str]:
        """The legal moves; none when the game is over."""
        return [] if self.over else [self.game.write_move(move) for move in self.game.moves(self.position)]

    def play(self, *moves: str | Move) -> Self:
        """The board after these moves.

        Args:
            moves: Each as text, as `b2`, `a1-b2` or `a1-b2xc3`.

        Raises:
            NotationError: If a text is no move.
            IllegalMoveError: If the rules do not allow a move here, or the game is over.
        """
        if not moves:
            return self
        texts = [self.game.write_move(move) if isinstance(move, Move) else move for move in moves]
        if len(texts) > 1:
            return type(self)(self._playing.replay(texts))
        if self.over:
            raise IllegalMoveError(f"{texts[0]!r} cannot be played: the game is over, {self.outcome}")
        return type(self)(self._playing.then(self.game.read_move(self.position, texts[0])))

    def undo(self, plies: int = 1) -> Self:
        """The board before the last moves, at most back to its beginning.

        Args:
            plies: How many moves to take back.

        Raises:
            IllegalMoveError: If the number is negative.
        """
        if plies < 0:
            raise IllegalMoveError(f"plies to take back are {plies}: expected 0 or more")
        return type(self)(self._playing.back(plies))

    def reply(self, player: "Player | str" = "perfect", seed: int | None = None) -> Self:
        """The board after a move of one of the players.

        Args:
            player: Its name, as `noughts players` lists them, or the player itself.
            seed: Decides what a player that is given by name does at random.

        Raises:
            UnknownPlayerError: If no player has this name.
            CannotPlayError: If the player does not play this game.
            IllegalMoveError: If the game is over.
        """
        return self.play(self.choose(player, seed))

    def choose(self, player: "Player | str" = "perfect", seed: int | None = None) -> str:
        """The move that one of the players would make; arguments and errors as for `reply`.

        Args:
            player: A player of the catalogue by its name, or one that was made before.
            seed: Decides what a player by name does at random.
        """
        from noughts.players import Player  # noqa: PLC0415  few boards are shown to players
        from noughts.players import player as find_player  # noqa: PLC0415

        if self.over:
            raise IllegalMoveError(f"no move can be chosen: the game is over, {self.outcome}")
        mover = player if isinstance(player, Player) else find_player(player, seed)
        mover.check(self.game)
        return self.game.write_move(mover.reply(self._playing).move)

    # How it ends

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._playing.result is not None

    @property
    def result(self) -> Result | None:
        """How the game ended, and why; None while it goes on."""
        return self._playing.result

    @property
    def winner(self) -> str | None:
        """`x` or `o`; None if nobody has won, or not yet."""
        result = self._playing.result
        return None if result is None or result.winner is None else SIDES[result.winner]

    @property
    def row(self) -> list[str]:
        """The points of the row that won, or of several that the last stone made at once; else none."""
        points = reduce(int.__or__, self.game.winning_rows(self.position), 0)
        return [self.game.layout.points[point] for point in members(points)]

    @property
    def outcome(self) -> str:
        """How things stand, in words: `x to move`, `o wins: a row`, `a draw: no move is left`."""
        result = self._playing.result
        if result is None:
            return f"{self.turn} to move"
        return f"{f'{self.winner} wins' if self.winner else 'a draw'}: {result.reason}"

    # What it is worth

    def value(self, effort: "Effort | None" = None) -> "Value":
        """What the board is worth to the player to move: `win in 5`, `draw in 9`, `unknown`.

        Args:
            effort: How long a search may take where nothing better is known; else a few tenths of a second.
        """
        return self.analyse(effort).value

    def best(self, effort: "Effort | None" = None) -> list[str]:
        """The best moves: all that are worth the same where that is known, else the one that a search prefers.

        Args:
            effort: As for `value`.
        """
        from noughts.solve import USUAL, knowledge  # noqa: PLC0415  most boards are only played on

        if self.over:
            return []
        found = knowledge(self.game).best(self.position, self._playing.positions[:-1], effort=effort or USUAL)
        return [self.game.write_move(move) for move in found]

    def analyse(self, effort: "Effort | None" = None) -> "Analysis":
        """What is known of the board and of every move: see `noughts.analyse`.

        Args:
            effort: How long the engine may search where nothing better is known.
        """
        from noughts.library.analysis import analyse  # noqa: PLC0415  most boards are only played on

        return analyse(self, effort)

    # As text and as a picture

    def write(self) -> str:
        """The game as a line: `tictactoe: b2 a1`."""
        return write_line(self._playing)

    @classmethod
    def read(cls, text: str, game: Game | None = None) -> Self:
        """The board that a line notes, as `write` makes it.

        Args:
            text: A game, a colon, and moves: `tictactoe: b2 a1`.
            game: A game of your own, to which the catalogue does not have the rules: lines with its name are of it.

        Raises:
            NoughtsError: If there is no such game, or a move is against the rules; the message names it.
        """
        return cls(read_line(text, game))

    def text(self, *, width: int = 80, unicode: bool = True) -> str:
        """The board and how things stand, as text; that of `print(board)` unless told otherwise.

        Args:
            width: How many characters fit on a line.
            unicode: Whether line drawings can be shown; else everything is ASCII.
        """
        from noughts.games.text import as_text  # noqa: PLC0415  pictures are asked for as often

        hand = self.position.hand if not self.game.placing_only else (0, 0)
        held = f"; in hand: x {hand[0]}, o {hand[1]}" if any(hand) else ""
        return f"{as_text(self.game, self.position, width=width, unicode=unicode)}\n{self.outcome}{held}"

    def svg(self, *, values: "bool | Analysis" = False) -> str:
        """The board as an SVG picture, in which the last move stands out, and at the end the row that won.

        Args:
            values: Whether every move shows what it is worth: `W3`, a win in three; or an analysis of this board, whose
                values are shown.
        """
        from noughts.games.picture import above, draw_board, on_paper, words  # noqa: PLC0415  text is asked for more often

        found = self.analyse() if values is True else values
        notes = found.notes() if found else None
        drawn = draw_board(self.game, self.position, notes=notes, title=self.game.title, marked=self._marked)
        return on_paper(above(drawn, words(self.outcome, drawn.width))).svg()

    def _repr_svg_(self) -> str:
        return self.svg()

    @property
    def _marked(self) -> int:
        """The points that stand out in a picture: those of the row that won, or of the last move."""
        rows, moves = self.game.winning_rows(self.position), self._playing.moves
        last = [point for point in moves[-1][:2] if point is not None] if moves else []
        return reduce(int.__or__, rows) if rows else point_set(last)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        game = repr(self.game.name) if knows(self.game) else repr(self.game)
        start = self._playing.positions[0]
        began = "" if start == self.game.start() else f", {self.game.write(start)!r}"
        moves = f", moves={' '.join(self.history)!r}" if len(self) else ""
        return f"noughts.board({game}{began}{moves})"

    # As a value

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, Board) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[Game, Position, tuple[Move, ...]]:
        return self.game, self._playing.positions[0], self._playing.moves

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), self.game, self._playing.positions[0], self.history)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a board never changes, not even its {name}: play and undo give another one")

    def __delattr__(self, name: str) -> None:
        self.__setattr__(name, None)


def _again(kind: type[Board], game: Game, start: Position, moves: list[str]) -> Board:
    """A board that was pickled: every move is checked once more."""
    return kind(board(game, start, moves).playing)
