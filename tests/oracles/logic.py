"""Tic-tac-toe from the prose of its rules, for whoever judges a logic. Nothing of Noughts is used here.

Two sides take turns to put a stone on one of nine places. Whoever has three stones in a row, a column or a diagonal
has won; if all places are full and nobody has, it is a draw. A board is nine characters, row by row: x for the side
that began, o for the other, and . where it is empty.
"""

from collections.abc import Callable, Iterator
from functools import cache

START = "." * 9
ROWS = ["012", "345", "678", "036", "147", "258", "048", "246"]
Says = Callable[[str], set[int]]
"""The places that a logic names, asked about a board."""


def to_move(board: str) -> str:
    return "x" if board.count("x") == board.count("o") else "o"


@cache
def winner(board: str) -> str | None:
    for side in "xo":
        if any(all(board[int(place)] == side for place in row) for row in ROWS):
            return side
    return None


def over(board: str) -> bool:
    return winner(board) is not None or "." not in board


def empty(board: str) -> list[int]:
    return [place for place in range(9) if board[place] == "."]


def put(board: str, place: int) -> str:
    assert board[place] == "."
    return board[:place] + to_move(board) + board[place + 1 :]


@cache
def worth(board: str) -> int:
    """To the side to move: 1 if it can win, 0 if it can draw, -1 if it loses, all against the best play."""
    if winner(board):
        return -1
    return max((-worth(put(board, place)) for place in empty(board)), default=0)


@cache
def in_play() -> frozenset[str]:
    """All boards that legal moves lead to and on which the game is not over."""
    found, waiting = {START}, [START]
    while waiting:
        board = waiting.pop()
        after = {put(board, place) for place in empty(board)}
        new = {each for each in after if not over(each)} - found
        found |= new
        waiting += new
    return frozenset(found)


@cache
def keeps(board: str) -> set[int]:
    """The places that keep what the board is worth."""
    return {place for place in empty(board) if -worth(put(board, place)) == worth(board)}


def met(says: Says, side: str) -> Iterator[str]:
    """The boards in which a machine with this side is asked, and the ends of its games, against every reply."""
    waiting, seen = [START], {START}
    while waiting:
        board = waiting.pop()
        mine = to_move(board) == side
        if over(board) or mine:
            yield board
        if over(board):
            continue
        places = says(board) & set(empty(board)) if mine else empty(board)
        new = {put(board, place) for place in places} - seen
        seen |= new
        waiting += new


def does(says: Says, name: str) -> bool:
    """Whether a logic does what the specification of this name asks, as its prose has it."""
    if name == "A":
        return all(len(says(board)) == 1 and says(board) <= keeps(board) for board in in_play())
    if name == "A-any":
        return all(says(board) and says(board) <= keeps(board) for board in in_play())
    sides = {"B": "o", "C": "x", "D": "xo"}[name.removeprefix("E-")]
    for side in sides:
        for board in met(says, side):
            if over(board):
                if winner(board) not in (None, side):
                    return False
                continue
            allowed = keeps(board) if name.startswith("E-") else set(empty(board))
            if len(says(board)) != 1 or not says(board) <= allowed:
                return False
    return True
