"""Somebody who plays now and then."""

from noughts.players.graded import Graded

__all__ = ["Casual"]


class Casual(Graded):
    """Rarely misses what is one move away, and errs in one move of five."""

    name = "casual"
    sees_win = 0.95
    sees_threat = 0.9
    errs = 0.2
    about = f"takes {sees_win:.0%} of wins in one, parries {sees_threat:.0%} of threats, else errs at {errs:.0%}"
