"""Somebody who has just learnt the rules."""

from noughts.players.graded import Graded

__all__ = ["Novice"]


class Novice(Graded):
    """Sees most wins, misses many threats, and otherwise guesses every other move."""

    name = "novice"
    sees_win = 0.75
    sees_threat = 0.6
    errs = 0.5
    about = f"takes {sees_win:.0%} of wins in one, parries {sees_threat:.0%} of threats, else errs at {errs:.0%}"
