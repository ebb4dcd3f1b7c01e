"""Policies of tic-tac-toe judged by plain recursion over boards as strings of nine characters.

Written from the prose: a win counts 1, a draw 0, a loss -1; a policy says how likely which of the empty cells is taken;
a best response takes the cell after which it can expect most. Nothing is shared with the code that is judged, not even
the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
EMPTY = "." * 9

Policy = Callable[[str], dict[int, float]]
"""From a board to the probabilities of the cells; X is to move if there are as many O as X."""


def to_move(board: str) -> str:
    """Whose turn it is."""
    return "X" if board.count("X") == board.count("O") else "O"


def winner(board: str) -> str | None:
    """Who has three in a row, if anybody has."""
    return next((board[a] for a, b, c in LINES if board[a] != "." and board[a] == board[b] == board[c]), None)


def over(board: str) -> bool:
    """Whether nobody can move any more."""
    return winner(board) is not None or "." not in board


def put(board: str, cell: int) -> str:
    """The board with one more stone on it."""
    return board[:cell] + to_move(board) + board[cell + 1 :]


def after(board: str) -> dict[int, str]:
    """The boards one stone later, by cell."""
    return {cell: put(board, cell) for cell in range(9) if board[cell] == "."}


def best_response(policy: Policy, side: str) -> float:
    """The most that a side can expect against a policy."""

    @cache
    def expected(board: str) -> float:
        if over(board):
            return {None: 0, side: 1}.get(winner(board), -1)
        if to_move(board) == side:
            return max(expected(then) for then in after(board).values())
        return sum(likely * expected(put(board, cell)) for cell, likely in policy(board).items())

    return expected(EMPTY)


def reached(policy: Policy, side: str) -> set[str]:
    """The boards that are not over and can come up if the policy has this side and the other plays anything."""
    found: set[str] = set()

    def visit(board: str) -> None:
        if over(board) or board in found:
            return
        found.add(board)
        cells = policy(board) if to_move(board) == side else dict.fromkeys(after(board), 1.0)
        for cell, likely in cells.items():
            if likely > 0:
                visit(put(board, cell))

    visit(EMPTY)
    return found


def outcomes(x: Policy, o: Policy) -> tuple[float, float, float]:
    """How likely X wins, nobody does, and O does."""

    @cache
    def expected(board: str) -> tuple[float, float, float]:
        if over(board):
            won = winner(board)
            return float(won == "X"), float(won is None), float(won == "O")
        policy = x if to_move(board) == "X" else o
        parts = [(likely, expected(put(board, cell))) for cell, likely in policy(board).items()]
        first, second, third = (sum(likely * part[which] for likely, part in parts) for which in range(3))
        return first, second, third

    return expected(EMPTY)


@cache
def value(board: str) -> int:
    """What a board is worth to the side to move if both play perfectly."""
    if over(board):
        return -1 if winner(board) else 0
    return max(-value(then) for then in after(board).values())


def boards() -> Iterator[str]:
    """Every board that can occur and is not over, once."""
    seen = {EMPTY}
    waiting = [EMPTY]
    while waiting:
        board = waiting.pop()
        yield board
        fresh = {then for then in after(board).values() if not over(then)} - seen
        seen |= fresh
        waiting += fresh


def mistakes(policy: Policy) -> float:
    """How likely a policy takes a cell that gives value away, on average over all boards."""
    chances = [
        sum(likely for cell, likely in policy(board).items() if -value(put(board, cell)) < value(board))
        for board in boards()
    ]
    return sum(chances) / len(chances)


def mistakes_in_games(policy: Policy, opponent: Policy) -> float:
    """The share of mistakes among a policy's moves, over games in which it is X and games in which it is O."""

    def played(board: str, side: str, likely: float) -> tuple[float, float]:
        """How many moves the policy can be expected to make from here on, and how many mistakes."""
        if over(board):
            return 0, 0
        own = to_move(board) == side
        moves, wrong = (likely, 0.0) if own else (0.0, 0.0)
        for cell, chance in (policy if own else opponent)(board).items():
            if own and -value(put(board, cell)) < value(board):
                wrong += likely * chance
            later = played(put(board, cell), side, likely * chance)
            moves, wrong = moves + later[0], wrong + later[1]
        return moves, wrong

    totals = [played(EMPTY, side, 1) for side in "XO"]
    return sum(total[1] for total in totals) / sum(total[0] for total in totals)
