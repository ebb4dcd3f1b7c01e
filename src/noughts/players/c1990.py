"""The C program that the authors of the 1990 chip wrote first, to try their algorithm.

Peter M. Geiser and Ambros Marzetta, semester project, winter 1989/90, appendix F. Minimax with alpha-beta
cut-offs to the very end of the game, values from −1 to 1. Places are tried in order, row by row from the top
left. A place that makes three in a row, or fills the board, is taken at once; so is the first whose value
reaches `a`, the best the opponent would allow; otherwise the first of those with the highest value. Hence its
whole play is decided by the order of the places: it is correct, never loses, and does not hurry to win.

The search can be exchanged for a simpler one. `search=figure1` is the paper's figure 1, in which nothing but a win ends
a loop; `search=minimax` tries every place of every board. The moves are the same, since all of them keep the first of
the best: what a bound cuts off is never more than what is kept already. The number of stones tried is not.

(Figure 1 gives a board with three in a row the value +1 "as seen from the current player", who is then the one who did
not make the row: a lost sign, since the C program and the chip have −1 there. To the letter it would play for a loss.)

It takes it for granted that it has not lost. Where every move loses, the program says "no move found" and
stops; it never gets there in a game it has played from the start.
"""

from collections.abc import Callable
from typing import ClassVar

from noughts.games import Game, Move, Outcome, Position
from noughts.games.layout import grid
from noughts.players.player import Choice, NoMoveFoundError, Player

__all__ = ["C1990"]

_LAYOUT = grid(3, 3, 3)


class C1990(Player):
    """The 1990 program, move for move."""

    name = "c1990"
    about = "the C program of the 1990 chip: minimax with alpha-beta, never loses"
    title = "The C program"
    story = (
        "Written by Geiser and Marzetta to try out the search for their chip: minimax with alpha-beta, place by place."
    )
    strength = "never loses"
    machine = True
    year = 1990
    plays_only = ("tictactoe",)
    options: ClassVar[dict[str, str]] = {"search": "alpha-beta"}
    last_words: ClassVar[dict[Outcome, str]] = {
        Outcome.WIN: "I won.",
        Outcome.LOSS: "You won.",
        Outcome.DRAW: "It's a draw",
    }

    def __init__(self, seed: int | None = None, options: dict[str, str] | None = None) -> None:
        super().__init__(seed, options)
        self._enough = _HANDED_DOWN[self.word("search", tuple(_HANDED_DOWN))]

    def choose(self, game: Game, position: Position) -> Choice:
        """The program's move."""
        search = _Search(position.stones[position.turn], position.stones[1 - position.turn], self._enough)
        search.value(0, self._enough(-1))
        if search.chosen is None:
            raise NoMoveFoundError(
                f'c1990 says "no move found" at {game.write(position)!r}: it expects a position that it has not lost'
            )
        return Choice(Move(search.chosen), nodes=search.tried)


_HANDED_DOWN: dict[str, Callable[[int], int]] = {
    "alpha-beta": lambda best: -best,
    "figure1": lambda best: 1,  # noqa: ARG005
    "minimax": lambda best: 2,  # noqa: ARG005
}
"""What is enough for the opponent, from the best that a player has: in minimax it is more than there is."""


class _Search:
    """The procedure `rek2` with its global variables, and a count of the stones it tries."""

    def __init__(self, own: int, other: int, enough: Callable[[int], int]) -> None:
        self.board = [own, other]
        self.enough = enough
        self.chosen: int | None = None
        self.tried = 0

    def value(self, depth: int, a: int) -> int:
        """What the best move at this depth is worth to the opponent; the first worth `a` or more will do."""
        player = depth % 2
        best = -1
        for place in range(9):
            stone = 1 << place
            if (self.board[0] | self.board[1]) & stone:
                continue
            self.board[player] |= stone
            self.tried += 1
            worth = self._after(depth, player, best)
            self.board[player] ^= stone
            if worth >= a or worth > best:
                best = worth
                if depth == 0:
                    self.chosen = place
            if worth >= a:
                break
        return -best

    def _after(self, depth: int, player: int, best: int) -> int:
        """What the stone just set is worth to its player."""
        if _LAYOUT.has_row(self.board[player]):
            return 1
        if self.board[0] | self.board[1] == _LAYOUT.everywhere:
            return 0
        return self.value(depth + 1, self.enough(best))
