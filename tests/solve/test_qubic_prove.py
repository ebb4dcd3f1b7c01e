"""The proof that X wins Qubic, walked through reply by reply as its definition says."""

from functools import cache
from random import Random

from noughts.games import game
from noughts.games.points import members
from noughts.games.symmetry import apply
from noughts.solve.qubic.chains import find_win
from noughts.solve.qubic.prove import Proof, prove, shrink
from noughts.solve.qubic.symmetry import canonical_key

QUBIC = game("qubic")
PATASHNIK = 2929
"""The strategic moves of the first proof, of 1980."""

the_proof = cache(prove)


def completing(stones: int, others: int) -> int:
    found = 0
    for line in QUBIC.layout.line_sets:
        if not line & others:
            missing = line & ~stones
            if not missing & (missing - 1):
                found |= missing
    return found


def entries_reached(proof: Proof) -> int:
    """Walk through every reply of O's, asserting that X always knows what to do; how many entries it took."""
    waiting, seen, reached = [(0, 0)], set(), 0
    while waiting:
        x, o = key = canonical_key(*waiting.pop())[0]
        if key in seen or completing(x, o):
            continue
        seen.add(key)
        must = completing(o, x)
        if must:
            assert must.bit_count() == 1, f"X has lost {key}"
            x |= must
        elif key in proof.strategic:
            reached += 1
            assert not (x | o) >> proof.strategic[key] & 1
            x |= 1 << proof.strategic[key]
        else:
            assert find_win(x, o), f"X does not know what to do in {key}"
            continue
        assert x | o != QUBIC.layout.everywhere
        waiting.extend((x, o | 1 << reply) for reply in members(QUBIC.layout.everywhere & ~(x | o)))
    return reached


def test_the_canonical_image_is_the_least() -> None:
    random = Random(1)
    for _ in range(20):
        cells = random.sample(range(64), 9)
        x, o = sum(1 << cell for cell in cells[:5]), sum(1 << cell for cell in cells[5:])
        least = min((apply(symmetry, x), apply(symmetry, o)) for symmetry in QUBIC.symmetries)
        assert canonical_key(x, o)[0] == least


def test_x_wins_against_every_reply() -> None:
    proof = the_proof()
    assert entries_reached(proof) == len(proof.strategic) <= PATASHNIK


def test_a_smaller_proof_is_still_a_proof() -> None:
    proof = the_proof()
    smaller = shrink(proof, seconds=15, seed=1)
    assert entries_reached(smaller) == len(smaller.strategic) < len(proof.strategic)
