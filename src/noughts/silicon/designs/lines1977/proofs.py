"""What is proved of the machine of 76 lines, on every board there can be: its choice, part by part, and its board.

The definitions are those of the listing, in its numbers: a box is worth 1 if the user holds it and 5 if the machine
does, and a combination the sum of its boxes.

Not proved is the tournament as a whole: that what is more than more is more, over 64 boxes, a solver has to find out
anew, and it did not come to an end in minutes. The check and the tests compare it with the program instead.
"""

from amaranth.hdl import Cat, Const, Mux, Value

from noughts.silicon.designs.lines1977.circuit import Board, Combination, LastWin
from noughts.silicon.designs.lines1977.cube import BOXES
from noughts.silicon.formal import Harness, Property

__all__ = ["PROOFS"]


def _claim_combination(harness: Harness, combination: Combination) -> None:
    """Lines 192 to 290 of the listing; a box is held by one of the two at most."""
    sum_of: Value = Const(0, 6)
    for user, machine in zip(combination.user, combination.machine, strict=True):
        sum_of = (sum_of + Mux(user, 1, Mux(machine, 5, 0)))[:6]
    points = Mux((sum_of == 1) | (sum_of == 5), 1, Mux(sum_of == 2, 4, Mux(sum_of == 10, 2, 0)))
    possible = (combination.user & combination.machine) == 0
    for name, truth in (
        ("points", points),
        ("threat", sum_of == 3),
        ("wins", sum_of == 15),
        ("user_row", sum_of == 4),
        ("machine_row", sum_of == 20),
    ):
        harness.claim(
            f"{name} is what the listing makes of the sum", getattr(combination, name) == truth, when=possible
        )


def _claim_last_win(harness: Harness, last_win: LastWin) -> None:
    for number, last in enumerate(last_win.last):
        truth = last_win.wins[number] & (last_win.wins[number + 1 :] == 0)
        harness.claim(f"combination {number + 1} counts if and only if none behind it can be completed", last == truth)


def _claim_board(harness: Harness, board: Board) -> None:
    """A clock adds the user's stone or the machine's, and nothing else ever changes, whatever is chosen and judged."""
    stepped = harness.stepped
    machine, user = harness.past(board.machine), harness.past(board.user)
    play, place, mine, turn, over, choice = (
        harness.past(pin) for pin in (board.play, board.place, board.mine, board.turn, board.over, board.choice)
    )
    free = ~(machine | user)
    played = Cat(play & ~turn & ~over & free[point] & (place == point) for point in range(BOXES))
    replied = choice & (turn & ~over).replicate(BOXES)
    harness.claim(
        "the user's stones grow by a play on a free point while it waits, and by nothing else",
        board.user == user | played & (~mine).replicate(BOXES),
        when=stepped,
    )
    harness.claim(
        "the machine's stones grow by its choice, in its turn, and by those that are set up",
        board.machine == machine | replied | played & mine.replicate(BOXES),
        when=stepped,
    )
    harness.claim("the machine has the turn for one cycle", ~board.turn, when=stepped & turn)
    harness.claim(
        "a stone that is not set up quietly, and go, give it the turn; nothing else does",
        board.turn == (~turn & ~over & (harness.past(board.go) | played.any() & ~harness.past(board.quiet))),
        when=stepped,
    )


PROOFS = (
    Property(
        "lines1977-combination",
        "a combination of lines1977 gives the points, threats, wins and rows that the listing makes of its sum",
        make=Combination,
        claims=_claim_combination,
    ),
    Property(
        "lines1977-last-win",
        "of the combinations that lines1977 can complete, the last one of the list counts",
        make=LastWin,
        claims=_claim_last_win,
    ),
    Property(
        "lines1977-board",
        "lines1977 adds the user's stone with one clock and what it chooses with the next, and never changes a stone",
        make=Board,
        claims=_claim_board,
    ),
)
