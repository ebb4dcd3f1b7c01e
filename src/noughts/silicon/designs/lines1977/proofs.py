"""What is proved of the machine of 76 lines, on every board there can be: its choice, part by part, and its board.

The definitions are those of the listing, in its numbers: a box is worth 1 if the user holds it and 5 if the machine
does, and a combination the sum of its boxes.
"""

from amaranth.hdl import Cat, Const, Mux, Value

from noughts.silicon.designs.lines1977.circuit import Better, Combination, LastWin, Lines
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


def _claim_better(harness: Harness, match: Better) -> None:
    """One match of the tournament. That the whole finds the first of the best follows, round by round.

    Asked of all 64 boxes at once, the solver has to find out anew that what is more than more is more, and did not
    come to an end in minutes; the tests compare the whole tournament with the listing instead.
    """
    harness.claim("the second goes on if and only if it is worth more", match.is_second == (match.second > match.first))
    harness.claim("the first goes on where both are worth the same", ~match.is_second, when=match.first == match.second)
    harness.claim("none of the two is worth more", (match.best >= match.first) & (match.best >= match.second))
    harness.claim("one of the two goes on", match.best == Mux(match.is_second, match.second, match.first))


def _claim_last_win(harness: Harness, last_win: LastWin) -> None:
    for number, last in enumerate(last_win.last):
        truth = last_win.wins[number] & (last_win.wins[number + 1 :] == 0)
        harness.claim(f"combination {number + 1} counts if and only if none behind it can be completed", last == truth)


def _claim_board(harness: Harness, chip: Lines) -> None:
    """A clock adds the user's stone or the machine's, and nothing else ever changes."""
    stepped = harness.stepped & harness.running
    machine, user = harness.past(chip.machine), harness.past(chip.user)
    play, place, mine, waiting, turn = (
        harness.past(pin) for pin in (chip.play, chip.place, chip.mine, chip.waiting, chip.turn)
    )
    new = (chip.machine ^ machine) | (chip.user ^ user)
    harness.claim("no point has two stones", (chip.machine & chip.user) == 0, when=harness.running)
    harness.claim("a stone stays", ((machine & ~chip.machine) | (user & ~chip.user)) == 0, when=stepped)
    harness.claim("at most one stone a clock", (new & (new - 1)) == 0, when=stepped)
    harness.claim(
        "the user's stones grow by a play while it waits", chip.user == user, when=stepped & ~(play & waiting & ~mine)
    )
    harness.claim(
        "a stone of the user's is on the point at place", (new == 0) | new.bit_select(place, 1), when=stepped & ~turn
    )
    harness.claim("the machine has the turn for one cycle", ~chip.turn, when=stepped & turn)
    harness.claim(
        "it moves in it, unless the game is over",
        chip.machine != machine,
        when=stepped & turn & ~harness.past(chip.over),
    )


PROOFS = (
    Property(
        "lines1977-combination",
        "a combination of lines1977 gives the points, threats, wins and rows that the listing makes of its sum",
        make=Combination,
        claims=_claim_combination,
    ),
    Property(
        "lines1977-match",
        "in a match of the tournament of lines1977 the box that is worth more goes on, and of equals the first",
        make=Better,
        claims=_claim_better,
    ),
    Property(
        "lines1977-last-win",
        "of the combinations that lines1977 can complete, the last one of the list counts",
        make=LastWin,
        claims=_claim_last_win,
    ),
    Property(
        "lines1977-board",
        "lines1977 adds at most one stone a clock, never changes one, and answers in one cycle unless the game is over",
        make=Lines,
        claims=_claim_board,
        clock="clk",
        reset="rst",
    ),
)
