"""A logic in programmable chips, GAL22V10 or ATF22V10: equations as sums of products, and how many chips they take.

Such a chip has 22 pins for signals: twelve are inputs, ten may be outputs or inputs. An output is a sum of at most 8 to
16 products of any pins and their inverses, outputs of the same chip among them, or the inverse of such a sum.

A gate of two inputs would waste an output. So gates are put into those that read them (*collapsed*), the cheapest
first, as long as every sum stays within `MOST_TERMS` products of at most `MOST_READ` signals. Sums are made from the
truth table by the procedure of Minato and Morreale, which leaves no product that could be left out. Then the outputs
are put into chips: for one chip, for two and so on, in many orders that a seeded chance gives, each where it adds
fewest pins.

The files are as GALasm and its successors read them: the pins by name, 1 to 12 and 13 to 24, and equations in which `*`
is AND, `+` OR and `/` NOT. Chips are joined by name. Names have at most eight letters there, so `mine_a1` is `m_a1`
and `theirs_a1` is `t_a1`.
"""

import re
from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from noughts.games import NoughtsError
from noughts.silicon.logic.netlist import Netlist, read_netlist

__all__ = ["CAPACITIES", "GalError", "Sum", "equations", "in_chips", "read_chips", "written"]

CAPACITIES = {23: 8, 22: 10, 21: 12, 20: 14, 19: 16, 18: 16, 17: 14, 16: 12, 15: 10, 14: 8}
"""How many products the output at a pin may have."""
_INPUT_PINS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13)
_SIGNALS = len(_INPUT_PINS) + len(CAPACITIES)
MOST_TERMS = 12
"""Products of a sum: more would fit in few places."""
MOST_READ = 11
"""Signals that a sum may read."""
MOST_GATES = 400
"""Gates of the largest netlist that is tried."""
_ORDERS = 300
"""In how many orders outputs are put into chips before one more chip is tried."""

_Cube = tuple[tuple[int, bool], ...]


class GalError(NoughtsError):
    """A logic that is too large for such chips, or a file that is not one of theirs."""


class Sum(NamedTuple):
    """An output: the sum of products of signals, or its inverse."""

    name: str
    inverted: bool
    products: tuple[tuple[tuple[str, bool], ...], ...]
    """Each a product of signals, some of them inverted."""

    @property
    def reads(self) -> frozenset[str]:
        """The signals in it."""
        return frozenset(name for product in self.products for name, _ in product)


# Truth tables: bit k of an integer is the value for assignment k, in which variable v is bit v of k.


def _variable(number: int, count: int) -> int:
    block = ((1 << (1 << number)) - 1) << (1 << number)
    word, width = block, 2 << number
    while width < 1 << count:
        word |= word << width
        width *= 2
    return word


def _products(low: int, high: int, count: int) -> tuple[list[_Cube], int]:
    """Products whose sum is at least `low` and at most `high`, none of them idle; and that sum, as a table."""
    full = (1 << (1 << count)) - 1
    if not low:
        return [], 0
    if high == full:
        return [()], full
    top, half = count - 1, 1 << (count - 1)
    mask = (1 << half) - 1
    low0, low1, high0, high1 = low & mask, low >> half, high & mask, high >> half
    with0, sum0 = _products(low0 & ~high1, high0, top)
    with1, sum1 = _products(low1 & ~high0, high1, top)
    rest = low0 & ~sum0 | low1 & ~sum1
    without, sum_both = _products(rest, high0 & high1, top)
    made = [(*cube, (top, True)) for cube in with0] + [(*cube, (top, False)) for cube in with1] + without
    return made, (sum0 | sum_both) | (sum1 | sum_both) << half


class _Function(NamedTuple):
    reads: tuple[int, ...]
    table: int

    def sums(self) -> tuple[bool, list[_Cube]]:
        """The shorter of the two sums, that of the function and that of its inverse."""
        count = len(self.reads)
        full = (1 << (1 << count)) - 1
        plain, _ = _products(self.table, self.table, count)
        turned, _ = _products(full ^ self.table, full ^ self.table, count)
        return (True, turned) if len(turned) < len(plain) else (False, plain)


def _put_into(outer: _Function, signal: int, inner: _Function) -> _Function | None:
    """A function with another in the place of a signal that it reads; None if it reads too much then."""
    reads = tuple(sorted({*outer.reads, *inner.reads} - {signal}))
    if len(reads) > MOST_READ:
        return None
    count = len(reads)
    full = (1 << (1 << count)) - 1
    words = {read: _variable(at, count) for at, read in enumerate(reads)}

    def value(function: _Function) -> int:
        table = 0
        cubes, _ = _products(function.table, function.table, len(function.reads))
        for cube in cubes:
            word = full
            for at, inverted in cube:
                level = words[function.reads[at]]
                word &= full ^ level if inverted else level
            table |= word
        return table

    words[signal] = value(inner)
    return _Function(reads, value(outer))


def equations(netlist: Netlist) -> list[Sum]:
    """The outputs of a logic, and what they need beside, as sums of products.

    Args:
        netlist: The logic.

    Raises:
        GalError: If it is too large to be tried.
    """
    if len(netlist.gates) > MOST_GATES:
        raise GalError(f"the netlist has {len(netlist.gates):,} gates: expected at most {MOST_GATES} for equations")
    functions: dict[int, _Function] = {}
    for number, gate in enumerate(netlist.gates, len(netlist.inputs)):
        if number in netlist.used:
            if gate.a == gate.b:
                functions[number] = _Function((gate.a,), gate.table & 1 | gate.table >> 2 & 2)
            elif gate.a < gate.b:
                functions[number] = _Function((gate.a, gate.b), gate.table)
            else:
                table = gate.table & 9 | (gate.table & 2) << 1 | (gate.table & 4) >> 1
                functions[number] = _Function((gate.b, gate.a), table)
    kept = {signal for _, signal, _ in netlist.outputs}
    _collapse(functions, kept)
    names = dict(enumerate(netlist.inputs))
    made: list[Sum] = []
    for name, signal, inverted in netlist.outputs:
        if signal in functions and signal not in names:
            # The first output of a signal is that signal; others read it.
            turned, cubes = functions[signal].sums()
            if not inverted:
                names[signal] = name
                made.append(Sum(name, turned, _named(functions[signal], cubes)))
    names |= {number: f"n{at}" for at, number in enumerate((n for n in functions if n not in names), 1)}
    own = {total.name for total in made}
    made += [
        Sum(names[number], turned, _named(function, cubes))
        for number, function in functions.items()
        if names[number] not in own
        for turned, cubes in [function.sums()]
    ]
    for name, signal, inverted in netlist.outputs:
        if name not in own:
            products = () if signal < 0 else (((str(signal), False),),)
            made.append(Sum(name, inverted, products))
    return [
        Sum(total.name, total.inverted, tuple(tuple((names[int(read)], turned) for read, turned in product)
            for product in total.products))
        for total in made
    ]  # fmt: skip


def _named(function: _Function, cubes: Iterable[_Cube]) -> tuple[tuple[tuple[str, bool], ...], ...]:
    """Products of signals, which are still numbers as text."""
    return tuple(tuple((str(function.reads[at]), inverted) for at, inverted in cube) for cube in cubes)


def _collapse(functions: dict[int, _Function], kept: set[int]) -> None:
    """Put gates into those that read them, as long as one can; that which adds fewest products first."""
    terms = {number: len(function.sums()[1]) for number, function in functions.items()}
    tried: dict[int, tuple[int, dict[int, _Function]] | None] = {}
    while True:
        for number in functions:
            if number not in kept and number not in tried:
                tried[number] = _without(number, functions, terms)
        ready = [(found[0], number) for number, found in tried.items() if found]
        if not ready:
            return
        _, number = min(ready)
        found = tried[number]
        assert found is not None
        touched = {number, *found[1], *functions[number].reads}
        functions.update(found[1])
        del functions[number], terms[number]
        for changed in found[1]:
            terms[changed] = len(functions[changed].sums()[1])
            touched |= set(functions[changed].reads)
        tried = {each: known for each, known in tried.items() if each not in touched}


def _without(
    number: int, functions: dict[int, _Function], terms: dict[int, int]
) -> tuple[int, dict[int, _Function]] | None:
    """What all who read a gate become without it, and how many products that adds."""
    changed: dict[int, _Function] = {}
    added = -terms[number]
    for reader, function in functions.items():
        if number in function.reads:
            found = _put_into(function, number, functions[number])
            if found is None:
                return None
            more = len(found.sums()[1])
            if more > MOST_TERMS:
                return None
            changed[reader] = found
            added += more - terms[reader]
    return added, changed


# Outputs into chips.


def in_chips(sums: Sequence[Sum], seed: int = 1) -> list[list[Sum]]:
    """The outputs of every chip, as few chips as are found.

    Args:
        sums: All outputs, which may read each other.
        seed: Of the orders that are tried.

    Raises:
        GalError: If one of them fits in no chip.
    """
    for total in sums:
        if not _fits([total]):
            raise GalError(f"output {total.name!r} has {len(total.products)} products: expected at most 16")
    random = Random(seed)
    for count in range(1, len(sums) + 1):
        if len(sums) > count * len(CAPACITIES):
            continue
        for _ in range(_ORDERS):
            order = list(sums)
            random.shuffle(order)
            order.sort(key=lambda total: -len(total.reads) - 4 * random.random())
            if (chips := _packed(order, count)) is not None:
                return chips
    raise AssertionError("one chip an output is enough")


def _packed(order: Sequence[Sum], count: int) -> list[list[Sum]] | None:
    chips: list[list[Sum]] = [[] for _ in range(count)]
    for total in order:
        room = [chip for chip in chips if _fits([*chip, total])]
        if not room:
            return None
        min(room, key=lambda chip: _pins([*chip, total]) - _pins(chip)).append(total)
    return [chip for chip in chips if chip]


def _outside(chip: Sequence[Sum]) -> frozenset[str]:
    """What a chip reads of others."""
    reads: frozenset[str] = frozenset().union(*(total.reads for total in chip))
    return reads - {total.name for total in chip}


def _pins(chip: Sequence[Sum]) -> int:
    return len(chip) + len(_outside(chip))


def _fits(chip: Sequence[Sum]) -> bool:
    terms = sorted((len(total.products) for total in chip), reverse=True)
    room = sorted(CAPACITIES.values(), reverse=True)
    return len(chip) <= len(room) and _pins(chip) <= _SIGNALS and all(a <= b for a, b in zip(terms, room, strict=False))


# The files.


def _short(name: str) -> str:
    for long, short in (("mine_", "m_"), ("theirs_", "t_")):
        if name.startswith(long):
            return short + name.removeprefix(long)
    return name


def _shortened(total: Sum) -> Sum:
    products = tuple(tuple((_short(read), inverted) for read, inverted in product) for product in total.products)
    return total._replace(products=products)


def written(chip: Sequence[Sum], name: str) -> str:
    """One chip as a file.

    Args:
        chip: Its outputs.
        name: What it is called; the first eight letters are burnt into it.
    """
    chip = [_shortened(total) for total in chip]
    pins: dict[int, str] = {12: "GND", 24: "VCC"}
    room = sorted(CAPACITIES, key=lambda pin: (-CAPACITIES[pin], pin))
    largest = sorted(chip, key=lambda total: -len(total.products))
    pins |= {pin: total.name for total, pin in zip(largest, room, strict=False)}
    free = [*_INPUT_PINS, *(pin for pin in sorted(CAPACITIES) if pin not in pins)]
    pins |= {pin: signal for signal, pin in zip(sorted(_outside(chip)), free, strict=False)}
    rows = [" ".join(f"{pins.get(pin, 'NC'):<9}" for pin in range(first, first + 12)).rstrip() for first in (1, 13)]
    lines = ["GAL22V10", name[:8], "", *rows, ""]
    for total in chip:
        left = f"/{total.name}" if total.inverted else total.name
        products = [
            " * ".join(f"{'/' * inverted}{read}" for read, inverted in product) or "VCC" for product in total.products
        ]
        lines += [f"{left} = " + "\n    + ".join(products or ["GND"]), ""]
    return "\n".join(
        [*lines, "DESCRIPTION", f"{name}: made by Noughts; chips are joined where pins have one name.", ""]
    )


def read_chips(texts: Iterable[str], inputs: Sequence[str], outputs: Sequence[str]) -> Netlist:
    """The logic that files of chips make together, joined by the names of their pins.

    Args:
        texts: The files.
        inputs: The signals that come from outside.
        outputs: Those that are looked at.

    Raises:
        GalError: If a pin has two names, a signal comes from two chips, or a sum is too long for its pin.
    """
    lines = [f"inputs {' '.join(inputs)}", f"GND = {inputs[0]} ^ {inputs[0]}", "VCC = ~GND"]
    lines += [f"{_short(name)} = {name}" for name in inputs if _short(name) != name]
    driven: dict[str, str] = {}
    for text in texts:
        _read_chip(text, lines, driven)
    lines += [f"output {name} = {driven[name]}" for name in outputs if name in driven]
    return read_netlist("\n".join(lines))


def _read_chip(text: str, lines: list[str], driven: dict[str, str]) -> None:
    head, _, body = text.partition("\n\n")
    if not head.startswith("GAL22V10"):
        raise GalError(f"{head[:20]!r} is not the head of a file of equations: expected GAL22V10")
    rows, _, body = body.partition("\n\n")
    names = rows.split()
    if len(names) != 24:
        raise GalError(f"{len(names)} pins: expected 24")
    pins = {name: number for number, name in enumerate(names, 1) if name != "NC"}
    for left, right in re.findall(r"^(/?\w+) = (.*?)\n\n", body, re.DOTALL | re.MULTILINE):
        name = left.lstrip("/")
        products = [product.split("*") for product in right.split("+")]
        if pins.get(name) not in CAPACITIES or len(products) > CAPACITIES[pins[name]]:
            raise GalError(
                f"{name!r} has {len(products)} products at pin {pins.get(name)}: expected fewer, or an output"
            )
        if name in driven:
            raise GalError(f"{name!r} comes from two chips: expected one")
        driven[name] = f"{'~' if left.startswith('/') else ''}w_{name}"
        _lines_of(name, products, pins, lines, left.startswith("/"))


def _lines_of(name: str, products: list[list[str]], pins: dict[str, int], lines: list[str], inverted: bool) -> None:
    """The lines of a netlist for one sum; a sum of nothing is 0, a product of nothing 1."""
    sums = []
    for number, product in enumerate(products):
        words = [word.strip() for word in product]
        signals = [word.lstrip("/") for word in words]
        if any(signal not in pins for signal in signals):
            raise GalError(f"{name!r} reads {signals}, of which some are at no pin: expected names of pins")
        literals = [f"{'~' * word.startswith('/')}{signal}" for word, signal in zip(words, signals, strict=True)]
        sums.append(_chain(literals, "&", f"p{number}_{name}", lines))
    total = _chain(sums, "|", f"s_{name}", lines)
    lines.append(f"w_{name} = {total}")
    if name not in pins:
        raise GalError(f"{name!r} is at no pin")
    lines.append(f"{name} = {'~' if inverted else ''}w_{name}")


def _chain(terms: list[str], operator: str, name: str, lines: list[str]) -> str:
    """Gates of two inputs in a row."""
    so_far = terms[0]
    for number, term in enumerate(terms[1:]):
        lines.append(f"{name}_{number} = {so_far} {operator} {term}")
        so_far = f"{name}_{number}"
    return so_far
