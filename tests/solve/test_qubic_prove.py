"""The proof that X wins Qubic, and a smaller one made of it, walked through reply by reply."""

from random import Random

import pytest

from noughts.games import game
from noughts.games.symmetry import apply
from noughts.solve.qubic.check import check
from noughts.solve.qubic.dictionary import Dictionary, Entry
from noughts.solve.qubic.prove import Proof, prove, shrink
from noughts.solve.qubic.symmetry import canonical_key

pytestmark = pytest.mark.slow

QUBIC = game("qubic")
PATASHNIK = 2929
"""The strategic moves of the first proof, of 1980."""
STRATEGIC = 2311
"""Those of ours, as docs/qubic.md has it. What the search looks at first decides it, not how fast it looks."""


def entries_reached(proof: Proof) -> int:
    """Let the checker, which shares nothing with the prover, walk through every reply; how many entries it took."""
    verdict = check(Dictionary(tuple(Entry(x, o, move) for (x, o), move in proof.strategic.items())))
    assert verdict.hole is None, f"X does not know what to do in {verdict.hole}"
    return verdict.strategic


def test_the_canonical_image_is_the_least() -> None:
    random = Random(1)
    for _ in range(20):
        cells = random.sample(range(64), 9)
        x, o = sum(1 << cell for cell in cells[:5]), sum(1 << cell for cell in cells[5:])
        least = min((apply(symmetry, x), apply(symmetry, o)) for symmetry in QUBIC.symmetries)
        assert canonical_key(x, o)[0] == least


def test_x_wins_against_every_reply_and_a_smaller_proof_is_still_a_proof() -> None:
    """One test, since proving takes long. Half a second of shrinking is enough, unless the machine is busy."""
    proof = smaller = prove()
    assert entries_reached(proof) == len(proof.strategic) == STRATEGIC < PATASHNIK
    for seconds in (0.5, 1, 2, 4, 8, 16, 32):
        smaller = shrink(smaller, seconds=seconds, seed=1)
        if len(smaller.strategic) < len(proof.strategic):
            break
    assert entries_reached(smaller) == len(smaller.strategic) < len(proof.strategic)
