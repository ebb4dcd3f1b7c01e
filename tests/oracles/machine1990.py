"""The tic-tac-toe machine of 1990 as a recursive function.

The search of the C program (appendix F.2 of the report) keeps its variables in registers and on a stack of
its own; here each call has its own variables and returns the value.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

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


# The other searches that the report speaks of, from its figure 1 and the prose of its chapter 3.5 alone. In both a
# place is tried by setting a stone (a cycle of *setboardi*) and looking whether that decides the game (one of
# *rating*). A stone that does not is followed by the search of what is left, and by a cycle of *returned*.


class Found(NamedTuple):
    """What a search finds: a place if one is better than -1, its value, the stones tried, and the clock cycles."""

    place: int | None
    value: int
    tried: int
    cycles: int


@cache
def figure1(cells: str, player: str) -> Found:
    """The algorithm of figure 1: a win ends the loop, and nothing else does.

    A stone that makes a row is such a win, so that the machine has seen it after *rating*, and goes back at once; as
    it does on a full board, which has no other place.
    """
    best = Found(None, -1, 0, 0)
    for place in _free(cells):
        after, over = _with_stone(cells, place, player)
        if over is not None:
            return Found(place, over, best.tried + 1, best.cycles + 2)
        below = figure1(after, _other(player))
        best = _keep(best, place, -below.value, 1 + below.tried, 3 + below.cycles)
        if best.value == 1:
            return best
    return best


@cache
def minimax(cells: str, player: str) -> Found:
    """Every place of every board that is not decided; a stone that decides the game is compared like any other."""
    best = Found(None, -1, 0, 0)
    for place in _free(cells):
        after, over = _with_stone(cells, place, player)
        below = Found(None, 0, 0, 0) if over is not None else minimax(after, _other(player))
        worth = -below.value if over is None else over
        best = _keep(best, place, worth, 1 + below.tried, 3 + below.cycles)
    return best


def reply_cycles(cells: str, player: str, search: str) -> int:
    """The cycles of a whole reply: one of *userjustmoved*, the search, and what comes behind it.

    By figure 1 a stone that wins stays where it is. Any other, and every one of minimax, is set in one more cycle of
    *doingbestmove*; and minimax sees only in a further cycle that its stone has ended the game.
    """
    found = {"figure1": figure1, "minimax": minimax}[search](cells, player)
    assert found.place is not None
    over = _with_stone(cells, found.place, player)[1]
    stays = search == "figure1" and (found.value == 1 or over is not None)
    seen_late = search == "minimax" and over is not None
    return 1 + found.cycles + (not stays) + seen_late


def figure1_to_the_letter(cells: str, player: str) -> tuple[int | None, int]:
    """The place and value by figure 1 as it is printed: three in one row are +1 for whoever is to move then."""
    if _has_row(cells, "X") or _has_row(cells, "O"):
        return None, 1
    if not _free(cells):
        return None, 0
    best, found = -1, None
    for place in _free(cells):
        r = -figure1_to_the_letter(cells[:place] + player + cells[place + 1 :], _other(player))[1]
        if r == 1:
            return place, 1
        if r > best:
            best, found = r, place
    return found, best


def _keep(best: Found, place: int, worth: int, tried: int, cycles: int) -> Found:
    """The better of the best so far and one more place, with the work of both."""
    work = best.tried + tried, best.cycles + cycles
    return Found(place, worth, *work) if worth > best.value else Found(best.place, best.value, *work)


def _with_stone(cells: str, place: int, player: str) -> tuple[str, int | None]:
    """The board with one more stone, and what that is worth to its player if it decides the game."""
    after = cells[:place] + player + cells[place + 1 :]
    return after, 1 if _has_row(after, player) else 0 if "." not in after else None


def _free(cells: str) -> list[int]:
    return [place for place, cell in enumerate(cells) if cell == "."]


def _has_row(cells: str, player: str) -> bool:
    return any(all(cells[int(place)] == player for place in row) for row in ROWS_OF_THREE)


def _other(player: str) -> str:
    return "O" if player == "X" else "X"
