"""What is proved of the search of 1990 on another board: what is proved of it on its own, and that it keeps its depth.

The claims are those of `chip1990.proofs`, about blocks with other numbers: a stone a cycle, room on the stack, and a
search that takes back every stone that it has tried. New is the *horizon*: however deep the stack is, there are never
more words on it than one less than the plies that are looked at.
"""

from noughts.games import game
from noughts.silicon.designs.chip1990.proofs import claim_board, claim_search
from noughts.silicon.designs.search2026 import Searched
from noughts.silicon.designs.search2026.circuit import SearchCore
from noughts.silicon.formal import Harness, Property

__all__ = ["proofs_of"]


def proofs_of(searched: Searched) -> tuple[Property, ...]:
    """What is proved of the search of a game.

    Args:
        searched: The game, and how deep it is searched.
    """

    def claims(harness: Harness, core: SearchCore) -> None:
        harness.claim("the search keeps its depth", core.sp < searched.depth, when=harness.running)
        claim_board(harness, core)
        claim_search(harness, core)

    short = searched.game.replace(":", "-").replace(",", "-")
    return (
        Property(
            f"search2026-{short}",
            f"a search of {searched.game} keeps its depth and its stack, and takes back every trial stone",
            make=lambda: SearchCore(game(searched.game).layout, searched.depth),
            claims=claims,
        ),
    )
