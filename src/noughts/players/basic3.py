"""Version 3 of the 1977 program, "almost unbeatable" in the words of its author.

One user's box in a combination gives 1 point, two give 4; one machine's box 1, two 2. So it defends rather
than attacks, since the user is always a move ahead. It took about three minutes for its first move.
"""

from noughts.players.basic1977 import EVERYWHERE, Basic1977

__all__ = ["Basic3"]


class Basic3(Basic1977):
    """Program A."""

    name = "basic3"
    about = 'the 1977 BASIC program, version 3: "almost unbeatable"'
    plays_only = ("qubic",)
    decision = EVERYWHERE
