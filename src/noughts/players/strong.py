"""Somebody who has played a lot."""

from noughts.players.graded import Graded

__all__ = ["Strong"]


class Strong(Graded):
    """Misses nothing that is one move away, and errs in one move of twenty."""

    name = "strong"
    sees_win = 1.0
    sees_threat = 1.0
    errs = 0.05
    about = f"takes {sees_win:.0%} of wins in one, parries {sees_threat:.0%} of threats, else errs at {errs:.0%}"
