"""Version 3 of the 1977 program with program F, "the ultimate unbeatable game".

A combination with machine's boxes gives one point less than in version 3, so that the machine defends even
more. The author had not tried it: he had not beaten version 3 yet.
"""

from noughts.players.basic1977 import EVERYWHERE, Basic1977, points

__all__ = ["BasicF"]


class BasicF(Basic1977):
    """Program A with the line of program F."""

    name = "basicf"
    about = 'the 1977 BASIC program, version 3 with program F: "the ultimate unbeatable game"'
    plays_only = ("qubic",)
    decision = EVERYWHERE._replace(points=points(five=0, ten=1))
