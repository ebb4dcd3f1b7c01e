"""A logic as packages of the family 74HC, with as few packages as we can.

A package of this family has several gates of one kind: four of two inputs, three of three, two of four, six inverters
(`KINDS`, with the pins that all makers give them). A netlist has gates of any function of two inputs, and asks for
signals and for their inverses alike. So there is a choice:

- A gate like AND, whose inputs may be inverted, can be bought as AND, as NAND, or, with its inputs the other way
  round, as NOR or OR (De Morgan). Each wants its inputs in one *polarity* and gives its output in one.
- A gate like XOR takes any polarities, and its output has theirs.
- A gate like AND that only another such gate reads is joined with it: one gate of three or four inputs.
- A signal that is wanted in the polarity that it does not have costs an inverter. A NAND, NOR or XOR that is left over
  in a package is one for nothing: the inputs of the first two are joined, one of an XOR's is high.

What every gate is bought as is searched for by annealing: the number of packages, counted exactly with what is left
over, is what is made small. The search is seeded, so the same netlist gives the same board.
"""

import math
from collections import Counter
from random import Random
from typing import NamedTuple

from noughts.silicon.logic.netlist import Netlist

__all__ = ["GROUND", "KINDS", "SUPPLY", "Board", "Kind", "Use", "on_packages"]

GROUND, SUPPLY = "GND", "VCC"


class Kind(NamedTuple):
    """A package: what its gates do, and at which pins they are, inputs first. Of 14 pins 7 is ground, 14 supply."""

    name: str
    does: str
    about: str
    gates: tuple[tuple[int, ...], ...]

    @property
    def arity(self) -> int:
        """How many inputs a gate has."""
        return len(self.gates[0]) - 1

    @property
    def can_invert(self) -> bool:
        """Whether a gate that is left over can be an inverter."""
        return self.does in ("NAND", "NOR", "XOR", "NOT")


_TWO = ((1, 2, 3), (4, 5, 6), (9, 10, 8), (12, 13, 11))
_THREE = ((1, 2, 13, 12), (3, 4, 5, 6), (9, 10, 11, 8))
_FOUR = ((1, 2, 4, 5, 6), (9, 10, 12, 13, 8))

KINDS = {
    kind.name: kind
    for kind in (
        Kind("74HC00", "NAND", "four NAND of two inputs", _TWO),
        Kind("74HC02", "NOR", "four NOR of two inputs", ((2, 3, 1), (5, 6, 4), (8, 9, 10), (11, 12, 13))),
        Kind("74HC04", "NOT", "six inverters", ((1, 2), (3, 4), (5, 6), (9, 8), (11, 10), (13, 12))),
        Kind("74HC08", "AND", "four AND of two inputs", _TWO),
        Kind("74HC10", "NAND", "three NAND of three inputs", _THREE),
        Kind("74HC11", "AND", "three AND of three inputs", _THREE),
        Kind("74HC20", "NAND", "two NAND of four inputs", _FOUR),
        Kind("74HC21", "AND", "two AND of four inputs", _FOUR),
        Kind("74HC27", "NOR", "three NOR of three inputs", _THREE),
        Kind("74HC32", "OR", "four OR of two inputs", _TWO),
        Kind("74HC86", "XOR", "four XOR of two inputs", _TWO),
        Kind("74HC4002", "NOR", "two NOR of four inputs", ((2, 3, 4, 5, 1), (9, 10, 11, 12, 13))),
        Kind("74HC4075", "OR", "three OR of three inputs", ((1, 2, 8, 9), (3, 4, 5, 6), (11, 12, 13, 10))),
    )
}
"""The packages, by name. Inverter and gate of two inputs are the common ones."""
_BY_GATE = {(kind.does, kind.arity): kind for kind in KINDS.values()}
_MOST = 4
"""Inputs of the largest gate."""
_STEPS = 400
"""Steps of the search for every gate."""


class Use(NamedTuple):
    """A gate in use: in which package, which of its gates, and the nets at its inputs and its output."""

    package: int
    gate: int
    inputs: tuple[str, ...]
    output: str


class Board(NamedTuple):
    """Packages and what is joined."""

    inputs: tuple[str, ...]
    outputs: tuple[tuple[str, str], ...]
    """What comes out: its name, and the net."""
    packages: tuple[str, ...]
    """The kind of each."""
    uses: tuple[Use, ...]
    inverters: int
    """Gates in use that only invert, those that were left over among them."""


_Literal = tuple[int, bool]
"""A signal, and whether it is inverted."""


class _Node(NamedTuple):
    """A gate of any number of inputs: AND of its literals, or XOR."""

    is_and: bool
    reads: tuple[_Literal, ...]


def on_packages(netlist: Netlist, seed: int = 1) -> Board:
    """A logic on packages.

    Args:
        netlist: The logic.
        seed: Of its chance.
    """
    nodes, outputs = _joined(*_nodes(netlist))
    search = _Search(len(netlist.inputs), nodes, outputs, Random(seed))
    search.run(_STEPS * len(nodes))
    return _built(netlist, nodes, outputs, search)


# The netlist as gates like AND or XOR between literals.


def _nodes(netlist: Netlist) -> tuple[dict[int, _Node], list[tuple[str, _Literal | bool]]]:
    """The gates that some output needs; what does not depend on two signals is no gate, but another name."""
    known: dict[int, _Literal | bool] = {number: (number, False) for number in range(len(netlist.inputs))}
    nodes: dict[int, _Node] = {}
    for number, gate in enumerate(netlist.gates, len(netlist.inputs)):
        if number in netlist.used:
            known[number] = _node(number, gate.table, known[gate.a], known[gate.b], nodes)
    outputs: list[tuple[str, _Literal | bool]] = []
    for name, signal, inverted in netlist.outputs:
        found = False if signal < 0 else known[signal]
        outputs.append((name, _inverse(found) if inverted else found))
    return nodes, outputs


def _inverse(literal: _Literal | bool) -> _Literal | bool:
    return not literal if isinstance(literal, bool) else (literal[0], not literal[1])


def _node(number: int, table: int, a: _Literal | bool, b: _Literal | bool, nodes: dict[int, _Node]) -> _Literal | bool:
    """What a gate is: a new node or its inverse, or something that was there before."""
    if isinstance(a, bool):
        low = (table >> int(a) & 1, table >> int(a) + 2 & 1)  # its output for b = 0 and for b = 1
        return _of_one(low, b)
    if isinstance(b, bool):
        return _of_one((table >> 2 * b & 1, table >> 2 * b + 1 & 1), a)
    if a[0] == b[0]:
        other = a[1] != b[1]
        return _of_one((table >> (2 if other else 0) & 1, table >> (1 if other else 3) & 1), a)
    ones = table.bit_count()
    if table in (0b1010, 0b0101):
        return _of_one((table & 1, table >> 1 & 1), a)
    if table in (0b1100, 0b0011):
        return _of_one((table & 1, table >> 2 & 1), b)
    if ones in (0, 4):
        return ones == 4
    if ones == 2:
        nodes[number] = _Node(False, ((a[0], False), (b[0], False)))
        return number, (a[1] != b[1]) != (table == 0b1001)
    # The one assignment that differs from the other three.
    level = (table if ones == 1 else table ^ 15).bit_length() - 1
    reads = ((a[0], a[1] == bool(level & 1)), (b[0], b[1] == bool(level & 2)))
    nodes[number] = _Node(True, reads)
    return number, ones == 3


def _of_one(levels: tuple[int, int], literal: _Literal | bool) -> _Literal | bool:
    """What depends on one signal alone, from its outputs for 0 and 1."""
    if levels[0] == levels[1]:
        return bool(levels[0])
    if isinstance(literal, bool):
        return bool(levels[literal])
    return literal if levels[1] else (literal[0], not literal[1])


def _joined(
    nodes: dict[int, _Node], outputs: list[tuple[str, _Literal | bool]]
) -> tuple[dict[int, _Node], list[tuple[str, _Literal | bool]]]:
    """Gates like AND, with those that only they read put into them, as long as there are gates of so many inputs."""
    readers = Counter(signal for node in nodes.values() for signal, _ in node.reads)
    readers.update(found[0] for _, found in outputs if not isinstance(found, bool))
    joined = dict(nodes)
    for number in nodes:
        node = joined[number]
        if not node.is_and:
            continue
        reads = list(node.reads)
        for literal in node.reads:
            inner = joined.get(literal[0])
            fits = inner is not None and inner.is_and and not literal[1] and readers[literal[0]] == 1
            if fits and inner is not None and len(reads) - 1 + len(inner.reads) <= _MOST:
                reads[reads.index(literal) : reads.index(literal) + 1] = inner.reads
                del joined[literal[0]]
        joined[number] = _Node(True, tuple(reads))
    return joined, outputs


# What every gate is bought as.

_Choice = tuple[str, tuple[bool, ...], bool]
"""The gate, whether each input is wanted inverted, and whether the output comes out inverted."""


def _choices(node: _Node) -> list[_Choice]:
    if not node.is_and:
        return [("XOR", (x, y), x != y) for x in (False, True) for y in (False, True)]
    plain = tuple(inverted for _, inverted in node.reads)
    turned = tuple(not inverted for _, inverted in node.reads)
    all_ways = [("AND", plain, False), ("NAND", plain, True), ("NOR", turned, False), ("OR", turned, True)]
    return [choice for choice in all_ways if (choice[0], len(node.reads)) in _BY_GATE]


class _Search:
    """Annealing over the choices of all gates."""

    def __init__(
        self, inputs: int, nodes: dict[int, _Node], outputs: list[tuple[str, _Literal | bool]], random: Random
    ) -> None:
        self.nodes = nodes
        self.random = random
        self.choices = {number: _choices(node) for number, node in nodes.items()}
        self.chosen = {number: choices[0] for number, choices in self.choices.items()}
        self.inverted = dict.fromkeys(range(inputs), False)
        self.wanted: Counter[_Literal] = Counter()
        self.bought: Counter[tuple[str, int]] = Counter()
        for number in nodes:
            self._buy(number, 1)
        for _, found in outputs:
            if not isinstance(found, bool):
                self.wanted[found] += 1

    def _buy(self, number: int, count: int) -> None:
        does, wants, self.inverted[number] = self.chosen[number]
        reads = self.nodes[number].reads
        self.bought[does, len(reads)] += count
        for (signal, _), inverted in zip(reads, wants, strict=True):
            self.wanted[signal, inverted] += count

    def inverters(self) -> list[int]:
        """The signals that are wanted in the polarity that they do not have."""
        return [signal for signal, inverted in self.inverted.items() if self.wanted[signal, not inverted] > 0]

    def packages(self, inverters: int) -> tuple[int, int]:
        """How many packages, and how many inverters do not go into gates that are left over."""
        total, spare = 0, 0
        for gate, count in self.bought.items():
            if count:
                kind = _BY_GATE[gate]
                needed = -(-count // len(kind.gates))
                total += needed
                spare += (needed * len(kind.gates) - count) * kind.can_invert
        left = max(0, inverters - spare)
        return total - (-left // 6), left

    def cost(self, inverters: int) -> float:
        """Packages, and a little for what fills them, so that the search sees where it is going."""
        filled = sum(count / len(_BY_GATE[gate].gates) for gate, count in self.bought.items())
        return self.packages(inverters)[0] + 0.5 * filled + inverters / 12

    def run(self, steps: int) -> None:
        """Change one gate at a time; what is worse is taken now and then, less and less often."""
        movable = [number for number, choices in self.choices.items() if len(choices) > 1]
        count = len(self.inverters())
        now = self.cost(count)
        best, kept = now, dict(self.chosen)
        for step in range(steps if movable else 0):
            number = self.random.choice(movable)
            before, inverted = self.chosen[number], self.inverted[number]
            near = {number, *(signal for signal, _ in self.nodes[number].reads)}
            old = self._among(near)
            self._buy(number, -1)
            self.chosen[number] = self.random.choice(self.choices[number])
            self._buy(number, 1)
            new_count = count + self._among(near) - old
            then = self.cost(new_count)
            heat = 0.6 * (1 - step / steps) + 1e-3
            if then <= now or self.random.random() < math.exp((now - then) / heat):
                now, count = then, new_count
                if now < best - 1e-9:
                    best, kept = now, dict(self.chosen)
            else:
                self._buy(number, -1)
                self.chosen[number], self.inverted[number] = before, inverted
                self._buy(number, 1)
        for number in movable:
            self._buy(number, -1)
            self.chosen[number] = kept[number]
            self._buy(number, 1)

    def _among(self, signals: set[int]) -> int:
        return sum(self.wanted[signal, not self.inverted[signal]] > 0 for signal in signals)


# The packages, filled.


def _built(
    netlist: Netlist, nodes: dict[int, _Node], outputs: list[tuple[str, _Literal | bool]], search: _Search
) -> Board:
    """Packages in the order of their kinds, gates in the order of the netlist, inverters where there is room."""
    numbers = {number: at for at, number in enumerate(nodes, 1)}

    def net(signal: int, inverted: bool) -> str:
        name = netlist.inputs[signal] if signal < len(netlist.inputs) else f"n{numbers[signal]}"
        return f"not_{name}" if inverted else name

    wanted: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for number, node in nodes.items():
        does, wants, inverted = search.chosen[number]
        nets = tuple(net(signal, way) for (signal, _), way in zip(node.reads, wants, strict=True))
        wanted.setdefault(_BY_GATE[does, len(nets)].name, []).append((nets, net(number, inverted)))
    turns = [(net(s, search.inverted[s]), net(s, not search.inverted[s])) for s in search.inverters()]
    inverters = len(turns)
    for name in sorted(wanted):
        kind = KINDS[name]
        spare = -len(wanted[name]) % len(kind.gates) if kind.can_invert else 0
        for source, result in turns[:spare]:
            nets = (source, SUPPLY) if kind.does == "XOR" else (source,) * kind.arity
            wanted[name].append((nets, result))
        turns = turns[spare:]
    if turns:
        wanted["74HC04"] = [((source,), result) for source, result in turns]
    packages: list[str] = []
    uses: list[Use] = []
    for name in sorted(wanted, key=lambda name: int(name.removeprefix("74HC"))):
        slots = len(KINDS[name].gates)
        for at, (nets, result) in enumerate(wanted[name]):
            if at % slots == 0:
                packages.append(name)
            uses.append(Use(len(packages) - 1, at % slots, nets, result))
    levels = {False: GROUND, True: SUPPLY}
    named = tuple((name, levels[found] if isinstance(found, bool) else net(*found)) for name, found in outputs)
    return Board(netlist.inputs, named, tuple(packages), tuple(uses), inverters)
