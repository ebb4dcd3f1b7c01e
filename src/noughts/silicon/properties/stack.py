"""The stack gives back what was put on it.

Three claims make a stack: a push puts the word on top; only a push changes words, and only the one at the pointer; a
push and a pop leave the pointer and the word on top as they were. The pointer knows nothing of an end: that a chip
never pushes too often is for the chip to show.
"""

from amaranth.hdl import Cat

from noughts.silicon.formal import Harness, Property
from noughts.silicon.parts import Stack
from noughts.silicon.properties.scan import claim_scan_path

__all__ = ["STACK"]


def _claims(harness: Harness, stack: Stack) -> None:
    width = len(stack.sp)
    push = stack.push & ~stack.scan
    pop = stack.pop & ~stack.push & ~stack.scan
    pushed, popped, kept = (harness.past(did) for did in (push, pop, ~(push | pop | stack.scan)))
    sp, top = harness.past(stack.sp), harness.past(stack.top)
    step = harness.stepped

    harness.claim("a push raises the pointer by one", stack.sp == (sp + 1)[:width], when=step & pushed)
    harness.claim("a pop lowers the pointer by one", stack.sp == (sp - 1)[:width], when=step & popped)
    harness.claim("else the pointer stays", stack.sp == sp, when=step & kept)
    harness.claim("a push puts the word on top", stack.top == harness.past(stack.word), when=step & pushed)
    for level, word in enumerate(stack.words):
        untouched = step & (popped | kept | pushed & (sp != level))
        harness.claim(f"word {level} changes by a push at it alone", word == harness.past(word), when=untouched)

    there_and_back = step & popped & harness.past(step & pushed)
    harness.claim("a pop after a push brings the pointer back", stack.sp == harness.past(sp), when=there_and_back)
    harness.claim("a pop after a push brings the top back", stack.top == harness.past(top), when=there_and_back)
    claim_scan_path(harness, stack, Cat(stack.sp, *stack.words))


STACK = Property(
    name="stack",
    statement="a pop gives back what the push before it put on, and nothing else on the stack ever changes",
    make=Stack,
    claims=_claims,
    depth=2,
)
