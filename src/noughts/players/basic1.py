"""Version 1 of the 1977 program: 4×4, on the first of its four boards, with a quick reply.

Only the combinations 1 to 10 and the boxes 1 to 16 count. The user may still name another board; then, the
article warns, the turn is lost. `square4:boards=4` is that game; the machine plays plain `square4` as well.
"""

from noughts.players.basic1977 import EVERYWHERE, FIRST_BOARD, Basic1977

__all__ = ["Basic1"]


class Basic1(Basic1977):
    """Program A with the changes of program C."""

    name = "basic1"
    about = "the 1977 BASIC program, version 1: the flat 4×4 board"
    plays_only = ("square4:boards=4", "square4")
    decision = EVERYWHERE._replace(boxes=FIRST_BOARD, lines=10)
