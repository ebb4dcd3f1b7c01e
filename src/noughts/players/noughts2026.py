"""The one-cycle player of 2026: the moves of its chip, from the same netlist.

The chip (`noughts.silicon.designs.noughts2026`) has its moves as gates: a netlist that raises one of nine outputs in
every position in play. Here the same gates are asked in Python, so that whichever netlist comes with Noughts, player
and chip move alike.
"""

from functools import cache

from noughts.games import Game, Move, Position
from noughts.games.points import members
from noughts.players.player import Choice, Player
from noughts.silicon.logic.best import best
from noughts.silicon.logic.netlist import Netlist, simulate

__all__ = ["Noughts2026"]


class Noughts2026(Player):
    """The one-cycle player: a move by gates alone."""

    name = "noughts2026"
    about = "our own chip: no search, a move by gates alone, one clock after yours"
    title = "One cycle"
    story = "Our own chip of 2026. It does not search: a few gates know a good move in every position, at once."
    machine = True
    design = name
    year = 2026
    plays_only = ("tictactoe",)

    def choose(self, game: Game, position: Position) -> Choice:  # noqa: ARG002
        """The output that the netlist raises; the chip takes a cycle for it."""
        mine, theirs = position.stones[position.turn], position.stones[1 - position.turn]
        return Choice(Move(_place(best("A"), mine, theirs)), cycles=1)


@cache
def _place(logic: Netlist, mine: int, theirs: int) -> int:
    """Which place the logic names, by the stones of the side to move and of the other."""
    stones = [mine >> place & 1 for place in range(9)] + [theirs >> place & 1 for place in range(9)]
    raised = sum(level << place for place, level in enumerate(simulate(logic, stones, 1)))
    (place,) = members(raised)
    return place
