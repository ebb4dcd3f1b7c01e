"""The next-free chain finds the first empty place behind the one it starts from.

What is claimed says nothing of a chain: a place is a *candidate* if it is empty and behind place i, or anywhere if i is
not used; the answer is a candidate, and no candidate comes before it. An i that is no place is nowhere asked about.
"""

from amaranth.hdl import Cat

from noughts.silicon.formal import Harness, Property
from noughts.silicon.parts import PLACES, NextFree

__all__ = ["NEXT_FREE"]


def _claims(harness: Harness, chain: NextFree) -> None:
    asked = ~chain.usei | (chain.i < PLACES)
    candidates = Cat(
        (chain.board.word_select(place, 2) == 0) & (~chain.usei | (chain.i < place)) for place in range(PLACES)
    )
    harness.claim("last is high if and only if no empty place is left", chain.last == (candidates == 0), when=asked)
    for place in range(PLACES):
        found = asked & ~chain.last & (chain.place == place)
        harness.claim(f"place {place} is answered only if it is empty and behind i", candidates[place], when=found)
        harness.claim(f"place {place} is answered only if it is the first", candidates[:place] == 0, when=found)
    harness.claim("the answer is a place", chain.place < PLACES)
    harness.claim("the answer is 0 if no empty place is left", chain.place == 0, when=asked & chain.last)


NEXT_FREE = Property(
    name="next-free",
    statement="the next-free chain gives the first empty place behind i, or of all; last means that there is none",
    make=NextFree,
    claims=_claims,
)
