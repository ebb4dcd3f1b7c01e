"""The proof that the first player wins at Qubic, as a dictionary of strategic moves.

Many positions need no thought from X: he completes four; he stops O from doing so; he wins by a chain of
threats, which `chains` finds. In all others the dictionary must name a move, a strategic move, and
against every answer of O's it must go on winning in the same way. So a proof is a graph of positions with X
to move, one for each class of positions alike under the symmetries of the board, and the whole proof is a
choice of one option in every position that the choices before it lead to. An option is a move of X's with
the positions it leaves open (`replies.open_replies`); one that leaves none open is a win.

`prove` finds a proof by proof-number search (Allis, van der Meulen, van den Herik 1994). A position's proof
number says how many open positions must at least be won to prove it: the least number over its options, for
an option the sum over its positions. The disproof number says the same of refuting it: a sum, and the least.
The search always works on the open position that matters most to both. In a position only a few options are
looked at: the moves that make the most of X's lines, and moves that force O's answer. An option that leaves
far more open than its rivals do is passed over.

`shrink` makes a proof smaller. It keeps all the options ever looked at, and lets `anneal` choose among those
that are proved, minding that positions met twice are paid for once. Then it adds to them: for positions of
the dictionary that cost much it looks at moves passed over so far, and proves what these leave open.
"""

import gc
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from operator import attrgetter
from random import Random

import numpy as np
from numpy.typing import NDArray

from noughts.games import game
from noughts.games.points import members, point_set
from noughts.solve.interrupt import interruptible
from noughts.solve.qubic.anneal import Choices, anneal, begin, own_costs, seed_chance, weigh
from noughts.solve.qubic.replies import Memory, new_memory, open_replies
from noughts.solve.qubic.symmetry import Key

__all__ = ["InterruptedShrinkError", "Proof", "prove", "shrink"]

Progress = Callable[[str], None]

_BOARD = game("qubic").layout
_ON_LINE = np.array([[line >> cell & 1 for line in _BOARD.line_sets] for cell in range(64)], np.int16)
_OWN_LINES, _OTHER_LINES = np.array([1, 6, 20, 0], np.int16), np.array([0, 1, 16, 0], np.int16)
"""What a line without stones of the other is worth, by the stones on it: X's to extend, O's to block."""
_QUIET, _FORCING = 8, 4
"""How many moves that do not threaten, and how many that do, the search looks at in a position."""
_SLACK, _SPARE = 1.5, 4
"""An option may leave open this many times what the best leaves, and this many more."""
_MOST_OPEN = 400
_NEVER = 10**9
"""The proof number of what cannot be proved, and the disproof number of what is proved."""
_ROUND_SECONDS = 10.0
_PROMISING, _EFFORT = 4, 40
"""How many options are tried in a position at a time, and how many expansions each strategic move may cost."""
_STEPS, _HEATS = 2_000_000, (0.7, 1.2, 2.0)
"""A second of annealing; cooler than this it stays where it is, hotter it only wanders."""


@dataclass(frozen=True)
class Proof:
    """A dictionary of strategic moves, complete from the empty board, and what it took to find it."""

    strategic: dict[Key, int]
    """X's move in each canonical position that asks for one."""
    nodes: int
    """The threats tried."""
    seconds: float


class InterruptedShrinkError(KeyboardInterrupt):
    """Ctrl-C while a proof was being made smaller, and the smallest there was by then."""

    def __init__(self, proof: Proof) -> None:
        super().__init__()
        self.proof = proof


@dataclass(eq=False, slots=True)
class _Position:
    """A position with X to move in which X needs a strategic move."""

    x: int
    o: int
    proof: int = 1
    disproof: int = 1
    options: list["_Option"] | None = None
    """None until the position is looked at for the first time."""
    most_allowed: int = 0
    """All options were looked at that leave at most so many positions open."""
    parents: list["_Option"] = field(default_factory=list)
    """The options that leave it open."""


@dataclass(eq=False, slots=True)
class _Option:
    """A move of X's, and the positions it leaves open."""

    position: _Position
    """Where it can be made."""
    move: int
    children: list[_Position]
    proof: int
    """The sum over the children; kept up to date by `_settle`."""
    disproof: int
    """The least of the children; kept up to date as well."""
    effort: int = 0
    """How many expansions were spent in vain on each of the positions, at most."""

    @property
    def proved(self) -> bool:
        return self.proof == 0


class _Graph:
    """All positions met so far."""

    def __init__(self) -> None:
        self.memory: Memory = new_memory()
        self.positions: dict[Key, _Position] = {}
        self.root = self.position(0, 0)
        self._found = np.empty((_MOST_OPEN, 2), np.uint64)

    def position(self, x: int, o: int) -> _Position:
        key = x, o
        known = self.positions.get(key)
        if known is None:
            known = self.positions[key] = _Position(x, o)
        return known

    def look_at(self, position: _Position, move: int, most: int) -> int | None:
        """Add the option of this move; how many positions it leaves open, None if it loses or if too many."""
        x = np.uint64(position.x | 1 << move)
        found = self._found[: min(most, _MOST_OPEN) + 1]
        count = open_replies(x, np.uint64(position.o), self.memory, found)
        if count < 0:
            return None
        children = [self.position(x, o) for x, o in found[:count].tolist()]
        option = _Option(position, move, children, sum(child.proof for child in children), _least_disproof(children))
        for child in children:
            child.parents.append(option)
        assert position.options is not None
        position.options.append(option)
        return count

    def expand(self, position: _Position) -> None:
        """Look at a position for the first time."""
        position.options = []
        quiet, forcing = _candidates(position.x, position.o)
        most = _MOST_OPEN
        for move in quiet[:_QUIET]:
            count = self.look_at(position, move, most)
            if count is not None:
                most = min(most, int(count * _SLACK) + _SPARE)
            if count == 0:
                return
        for move in forcing[:_FORCING]:
            self.look_at(position, move, _MOST_OPEN)

    def restore(self, strategic: dict[Key, int]) -> None:
        """Add the positions and moves of a dictionary."""
        entries = [self.position(*key) for key in strategic]
        for position in sorted(entries, key=lambda position: -position.x.bit_count()):
            if position.options is None:
                position.options = []
            move = strategic[position.x, position.o]
            if all(option.move != move for option in position.options):
                self.look_at(position, move, _MOST_OPEN)
            _settle(position)

    def solve(self, root: _Position, expansions: int) -> bool:
        """Proof-number search for a proof of this position, within so many expansions."""
        while root.proof and root.disproof and expansions:
            position = root
            while position.options is not None:
                position = _most_proving(position)
            self.expand(position)
            _settle(position)
            expansions -= 1
        return root.proof == 0


def _candidates(x: int, o: int) -> tuple[list[int], list[int]]:
    """The moves of X's that do not threaten, and those that do, the most promising first."""
    stones = np.frombuffer(x.to_bytes(8, "little") + o.to_bytes(8, "little"), np.uint8)
    cells = np.unpackbits(stones, bitorder="little").reshape(2, -1)
    own, other = cells @ _ON_LINE
    worth = _ON_LINE @ np.where(other == 0, _OWN_LINES[own], np.where(own == 0, _OTHER_LINES[other], 0))
    threats = (_ON_LINE @ ((own == 2) & (other == 0))).tolist()
    empty = (cells[0] | cells[1] == 0).tolist()
    best_first = [cell for cell in np.argsort(-worth, kind="stable").tolist() if empty[cell]]
    return [cell for cell in best_first if not threats[cell]], [cell for cell in best_first if threats[cell]]


def _least_disproof(children: list[_Position]) -> int:
    return min([child.disproof for child in children], default=_NEVER)


def _most_proving(position: _Position) -> _Position:
    """The position to work on next below this one."""
    assert position.options is not None
    option = min(position.options, key=attrgetter("proof"))
    # The least disproof number is not that of a proved position: that has the largest there is.
    return next(child for child in option.children if child.disproof == option.disproof)


def _settle(position: _Position) -> None:
    """Renew the numbers of a position, and of all that depend on it."""
    waiting = [position]
    while waiting:
        position = waiting.pop()
        proof, disproof = _NEVER, 0
        for option in position.options or ():
            proof = min(proof, option.proof)
            disproof += option.disproof
        disproof = min(disproof, _NEVER)
        more, before = proof - position.proof, position.disproof
        if more or disproof != before:
            position.proof, position.disproof = proof, disproof
            for option in position.parents:
                option.proof += more
                if disproof < option.disproof:
                    option.disproof = disproof
                elif before == option.disproof:
                    option.disproof = _least_disproof(option.children)
                waiting.append(option.position)


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """Stop Python's collector of cycles: the graph is all cycles, all in use, and a fifth of the time went into it."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def prove(progress: Progress | None = None) -> Proof:
    """Prove that X wins from the empty board."""
    graph, started = _Graph(), time.perf_counter()
    with _nothing_collected():
        while not graph.solve(graph.root, 1000) and graph.root.disproof:
            if progress:
                root = graph.root
                progress(f"{len(graph.positions):,} positions, proof number {root.proof}, {root.disproof}")
    assert graph.root.proof == 0, "the moves looked at are too few for a proof"
    strategic = _Selection(graph, {}).dictionary()
    return Proof(strategic, int(graph.memory.nodes[0]), time.perf_counter() - started)


class _Selection:
    """The proved positions of a graph, numbered for `anneal`, with one option chosen in each."""

    def __init__(self, graph: _Graph, preferred: dict[Key, int]) -> None:
        self.positions = _proved_from(graph.root)
        number = {id(position): at for at, position in enumerate(self.positions)}
        first_option, first_child, children = [0], [0], []
        self.moves: list[int] = []
        wanted: list[tuple[int, int]] = []
        for at, position in enumerate(self.positions):
            move = preferred.get((position.x, position.o))
            for option in position.options or ():
                if option.proved:
                    if option.move == move:
                        wanted.append((at, len(self.moves)))
                    self.moves.append(option.move)
                    children += [number[id(child)] for child in option.children]
                    first_child.append(len(children))
            first_option.append(len(self.moves))
        count = len(self.positions)
        self.choices = Choices(
            np.array(first_option), np.array(first_child), np.array(children, np.int64), np.ones(count)
        )
        self.chosen = np.zeros(count, np.int64)
        stones = np.array([position.x.bit_count() for position in self.positions])
        weigh(self.choices, np.argsort(-stones, kind="stable"), self.chosen)
        for at, number_of_option in wanted:
            self.chosen[at] = number_of_option
        self.used = np.zeros(count, np.int64)
        self.size = begin(self.choices, self.used, self.chosen)

    def anneal(self, steps: int, heat: float) -> None:
        """Let chance make the choices better."""
        self.size = interruptible(anneal, self.choices, self.used, self.chosen, steps, heat)

    def costs(self) -> NDArray[np.int64]:
        """What each position in use costs: what is there for its sake alone, or all it leads to if that is more."""
        alone = own_costs(self.choices, self.used, self.chosen)
        leads_to = np.diff(self.choices.first_child)[self.chosen]
        return np.where(self.used > 0, np.maximum(alone, leads_to), 0)

    def preferred(self) -> dict[Key, int]:
        """The move chosen in every position, in use or not."""
        return {(p.x, p.o): self.moves[self.chosen[at]] for at, p in enumerate(self.positions)}

    def dictionary(self) -> dict[Key, int]:
        """The strategic moves: those of the positions in use."""
        return {(p.x, p.o): self.moves[self.chosen[at]] for at, p in enumerate(self.positions) if self.used[at]}


def _proved_from(root: _Position) -> list[_Position]:
    """The proved positions that proved options lead to, the root first."""
    found, seen = [root], {id(root)}
    for position in found:
        for option in position.options or ():
            if option.proved:
                for child in option.children:
                    if id(child) not in seen:
                        seen.add(id(child))
                        found.append(child)
    return found


def shrink(
    proof: Proof,
    seconds: float,
    seed: int = 0,
    progress: Progress | None = None,
    others: Iterable[Proof] = (),
) -> Proof:
    """A proof with at most as many strategic moves, the best found in about so many seconds.

    Moves may be borrowed from other proofs.

    Raises InterruptedShrinkError, with the best proof so far, on Ctrl-C.
    """
    started = time.perf_counter()
    random = Random(seed)
    seed_chance(seed)
    graph = _Graph()
    best = proof

    def chosen_by(selection: _Selection) -> Proof:
        nodes = proof.nodes + int(graph.memory.nodes[0])
        return Proof(selection.dictionary(), nodes, proof.seconds + time.perf_counter() - started)

    try:
        for given in (proof, *others):
            graph.restore(given.strategic)
        selection = _Selection(graph, proof.strategic)
        selection.anneal(_STEPS, _HEATS[1])
        best = chosen_by(selection)
        while (left := started + seconds - time.perf_counter()) > 0:
            _enrich(graph, selection, random, time.perf_counter() + min(left, _ROUND_SECONDS))
            selection = _Selection(graph, selection.preferred())
            selection.anneal(_STEPS, random.choice(_HEATS))
            best = chosen_by(selection)
            if progress:
                progress(
                    f"{selection.size:,} strategic moves, chosen among {len(selection.moves):,} "
                    f"in {len(selection.positions):,} positions"
                )
    except KeyboardInterrupt:
        raise InterruptedShrinkError(best) from None
    return best


def _enrich(graph: _Graph, selection: _Selection, random: Random, until: float) -> None:
    """Look at more moves in positions of the dictionary that cost much, and prove what looks cheaper."""
    costs = selection.costs()
    weights = {
        id(position): 0.0 if used else weight
        for position, used, weight in zip(selection.positions, selection.used, selection.choices.weight, strict=True)
    }
    costly = np.flatnonzero(costs).tolist()
    random.shuffle(costly)
    for at in costly:
        position, cost = selection.positions[at], int(costs[at])
        _widen(graph, position, 2 * cost + 8)
        for option in _promising(position, weights, cost)[:_PROMISING]:
            if time.perf_counter() > until:
                break
            _prove_option(graph, option)
        _settle(position)
        if time.perf_counter() > until:
            return


def _widen(graph: _Graph, position: _Position, most: int) -> None:
    """Look at every move of a position that was not looked at with so many open replies allowed."""
    if position.most_allowed >= most:
        return
    position.most_allowed = most
    assert position.options is not None
    known = point_set(option.move for option in position.options)
    for move in members(_BOARD.everywhere & ~(position.x | position.o | known)):
        graph.look_at(position, move, most)


def _promising(position: _Position, weights: dict[int, float], cost: int) -> list[_Option]:
    """The unproved options that may cost less than the present one and are worth more effort, best first."""
    found = []
    for option in position.options or ():
        if option.effort < _EFFORT * cost and not option.proved:
            least = sum(weights.get(id(child), 1.0 if child.disproof else _NEVER) for child in option.children)
            if least <= cost:
                found.append((least + option.effort / _EFFORT, option))
    return [option for _, option in sorted(found, key=lambda pair: pair[0])]


def _prove_option(graph: _Graph, option: _Option) -> None:
    """Try to prove all that an option leaves open, with more effort than last time."""
    option.effort = 4 * option.effort or 16
    for child in option.children:
        if child.proof:
            if not graph.solve(child, option.effort):
                return
            _widen(graph, child, _SPARE)
            _settle(child)
