"""The tic-tac-toe machine of 1990 as a recursive function.

The search of the C program (appendix F.2 of the report) keeps its variables in registers and on a stack of
its own; here each call has its own variables and returns the value.
"""

from __future__ import annotations

ROWS_OF_THREE = ("012", "345", "678", "036", "147", "258", "048", "246")


def reply(cells: str, player: str) -> tuple[int, int]:
    """The place (0 to 8, row by row) where the machine puts a stone of `player`, and the stones it tried.

    `cells` is nine characters "X", "O" or "."; `player` is "X" or "O". A stone counts as tried each time the
    search puts it on its board, the one that is played in the end included. LookupError if every move loses
    or there is none.
    """
    search = Search(list(cells))
    search.value(player.upper(), 1, ground=True)
    if search.chosen is None:
        raise LookupError("no move found")
    return search.chosen, search.tried


class Search:
    """One search: the board it works on, how many stones it has tried, and the move it has chosen."""

    def __init__(self, board: list[str]) -> None:
        """Start from a board of nine cells."""
        if len(board) != 9 or not set(board) <= set("XO."):
            raise ValueError("a board has nine cells X, O or .")
        self.board = board
        self.tried = 0
        self.chosen: int | None = None

    def value(self, player: str, a: int, ground: bool) -> int:
        """Find a move of `player` that is best or worth at least `a`; return its value for the opponent.

        A move that makes three in a row, or fills the board, ends the search of this position at once. On
        the ground, where the move is wanted, it is noted each time a better one is found.
        """
        best = -1
        for place in range(9):
            if self.board[place] != ".":
                continue
            self.board[place] = player
            self.tried += 1
            r = self._value_of_stone_just_set(player, best)
            ends = self._wins(player) or "." not in self.board
            self.board[place] = "."
            if ground and (ends or r >= a or r > best):
                self.chosen = place
            if ends or r >= a:
                return -r
            best = max(best, r)
        return -best

    def _value_of_stone_just_set(self, player: str, best: int) -> int:
        """What the move just tried is worth to `player`: 1 with three in a row, 0 on a full board."""
        if self._wins(player):
            return 1
        if "." not in self.board:
            return 0
        return self.value("O" if player == "X" else "X", -best, ground=False)

    def _wins(self, player: str) -> bool:
        """Whether `player` has three in a row."""
        return any(all(self.board[int(place)] == player for place in row) for row in ROWS_OF_THREE)
