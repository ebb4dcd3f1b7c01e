"""Version 2 of the 1977 program, which can be beaten and moved in 25 seconds or less.

It gives points only for some combinations, by its line 220: 60 to 76 in steps of 2. Attack counts as much as
defence: two boxes in a combination give 2, whoever holds them. Both can be changed, as the article suggests:

    basic2:from=41,to=76,step=1      other combinations
    basic2:harder=yes                two of the user's boxes give 4 (line 280 with A6↑A6)
"""

from typing import ClassVar

from noughts.players.basic1977 import EVERYWHERE, Basic1977, points

__all__ = ["Basic2"]


class Basic2(Basic1977):
    """Program A with the changes of program B."""

    name = "basic2"
    about = "the 1977 BASIC program, version 2: can be beaten; options from, to, step, harder"
    plays_only = ("qubic",)
    options: ClassVar[dict[str, str]] = {"from": "60", "to": "76", "step": "2", "harder": "no"}

    def __init__(self, seed: int | None = None, options: dict[str, str] | None = None) -> None:
        super().__init__(seed, options)
        first, last, step = (self.number(option, 1, 76) for option in ("from", "to", "step"))
        wanted = range(first, last + 1, step)
        self.decision = EVERYWHERE._replace(
            counted=tuple(number in wanted for number in range(1, 77)),
            points=points(two=4 if self.truth("harder") else 2),
            last_threat=True,
        )
