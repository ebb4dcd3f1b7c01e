"""Netlists in BLIF, the Berkeley Logic Interchange Format, as Yosys, ABC and many others write it.

    .model player
    .inputs mine_a1 theirs_b1
    .outputs a1
    .names mine_a1 theirs_b1 a1          a cover: the last name is 1 where one of the rows fits
    01 1
    .end

Read is logic alone: `.latch`, `.subckt` and `.gate` are refused. A cover that depends on two signals is one gate, one
that depends on one is another name, and on none a constant. A wider one, of at most eight inputs, is no gate of two
inputs: it becomes the ANDs of its rows and the OR of those, and is counted as these; `wide` says how many there were.
To have small numbers counted, let ABC make gates of two inputs first.

The text may come from anywhere, so it is bounded, and what is wrong in it is said with its line.
"""

from collections.abc import Callable, Iterator
from functools import reduce
from typing import NamedTuple

from noughts.silicon.logic.netlist import (
    MOST_GATES,
    MOST_PINS,
    Gate,
    Line,
    Netlist,
    NetlistError,
    Output,
    check_text,
    in_order,
    quoted,
    turned,
    undefined,
)

__all__ = ["Blif", "is_blif", "read_blif", "write_blif"]

MOST_WIDE = 8
"""The most inputs of a cover."""
_AND, _OR = 0b1000, 0b1110
_WHOLE = (".model", ".inputs", ".outputs", ".names", ".end")

_Level = tuple[int, bool]
"""A signal, or -1 for the constant 0, and whether it is inverted."""


class Blif(NamedTuple):
    """What a text says."""

    netlist: Netlist
    wide: int
    """How many covers depend on more than two signals, and so are several gates."""


class _Cover(NamedTuple):
    number: int
    """Of its line."""
    reads: tuple[str, ...]
    rows: tuple[str, ...]
    level: str
    """What the rows give: 1, or 0 where they are those that give 0."""


def is_blif(text: str) -> bool:
    """Whether a text looks like BLIF: its first word begins with a dot.

    Args:
        text: Any text.
    """
    first = next((words for _, words in _lines(text[:100_000])), ["#"])
    return first[0].startswith(".")


def write_blif(netlist: Netlist, name: str = "logic") -> str:
    """A netlist in BLIF.

    Args:
        netlist: The gates.
        name: Of the model.
    """
    # A dollar keeps the names of gates apart from those of inputs and outputs.
    names = [*netlist.inputs, *(f"$g{number}" for number, _ in enumerate(netlist.gates, 1))]
    lines = [f".model {name}", f".inputs {' '.join(netlist.inputs)}"]
    lines.append(f".outputs {' '.join(output.name for output in netlist.outputs)}")
    for gate, own in zip(netlist.gates, names[len(netlist.inputs) :], strict=True):
        lines.append(f".names {names[gate.a]} {names[gate.b]} {own}")
        lines += [f"{level & 1}{level >> 1} 1" for level in range(4) if gate.table >> level & 1]
    for output in netlist.outputs:
        if output.signal < 0:
            lines += [f".names {output.name}", *(["1"] if output.inverted else [])]
        elif names[output.signal] != output.name or output.inverted:
            lines += [f".names {names[output.signal]} {output.name}", f"{int(not output.inverted)} 1"]
    return "\n".join([*lines, ".end", ""])


def read_blif(text: str) -> Blif:
    """Read one model.

    Args:
        text: BLIF, as above.

    Raises:
        NetlistError: If anything in it is not as it must be; the line is named.
    """
    check_text(text)
    inputs: dict[str, int] = {}
    outputs: dict[str, int] = {}
    covers: dict[str, _Cover] = {}
    rows: list[tuple[int, list[str]]] = []
    cover: tuple[int, list[str]] | None = None

    def close() -> None:
        if cover is not None:
            _define(covers, inputs, cover, rows)
        rows.clear()

    for number, words in _lines(text):
        if not words[0].startswith("."):
            if cover is None:
                raise NetlistError(f"line {number}: {quoted(words[0])} is in no cover: expected .names before it")
            rows.append((number, words))
            continue
        close()
        cover = None
        if words[0] not in _WHOLE:
            what = "a register" if words[0] in (".latch", ".mlatch") else "not read here"
            raise NetlistError(f"line {number}: {quoted(words[0])} is {what}: expected logic alone, {' '.join(_WHOLE)}")
        if words[0] in (".inputs", ".outputs"):
            pins = inputs if words[0] == ".inputs" else outputs
            for name in words[1:]:
                if name in pins or (pins is inputs and name in covers):
                    raise NetlistError(f"line {number}: {quoted(name)} is defined twice: expected it once")
                pins[name] = number
        elif words[0] == ".names":
            cover = (number, words[1:])
        elif words[0] == ".end":
            break
    close()
    for what, count in (("inputs", len(inputs)), ("outputs", len(outputs))):
        if not 0 < count <= MOST_PINS:
            raise NetlistError(f"the netlist has {count:,} {what}: expected at least one, and at most {MOST_PINS:,}")
    return _built(inputs, outputs, covers)


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    r"""The lines with something in them, as words; a \ at the end joins the next to it."""
    begun = 0
    words: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.partition("#")[0].rstrip()
        begun = begun if words else number
        words += bare.removesuffix("\\").split()
        if not bare.endswith("\\") and words:
            yield begun, words
            words = []
    if words:
        yield begun, words


def _define(
    covers: dict[str, _Cover], inputs: dict[str, int], head: tuple[int, list[str]], rows: list[tuple[int, list[str]]]
) -> None:
    number, names = head
    if not names:
        raise NetlistError(f"line {number}: .names names nothing: expected its inputs and its output")
    *reads, name = names
    if name in covers or name in inputs:
        raise NetlistError(f"line {number}: {quoted(name)} is defined twice: expected one cover, and no input, of it")
    if len(reads) > MOST_WIDE:
        raise NetlistError(f"line {number}: {quoted(name)} has {len(reads)} inputs: expected at most {MOST_WIDE}")
    patterns, levels = [], set()
    for at, words in rows:
        pattern, level = ("", words[0]) if len(words) == 1 else (words[0], words[1])
        fits = len(words) == (2 if reads else 1) and len(pattern) == len(reads) and not set(pattern) - set("01-")
        if not fits or level not in ("0", "1"):
            raise NetlistError(
                f"line {at}: {quoted(' '.join(words))} is no row of {quoted(name)}: "
                f"expected {len(reads)} of 0, 1 and -, and 0 or 1"
            )
        patterns.append(pattern)
        levels.add(level)
    if len(levels) > 1:
        raise NetlistError(f"line {number}: {quoted(name)} has rows with 0 and rows with 1: expected one of them")
    if len(covers) >= MOST_GATES or len(patterns) > 1 << MOST_WIDE:
        raise NetlistError(f"line {number}: too many covers or rows: expected at most {MOST_GATES:,}, and 256 of each")
    covers[name] = _Cover(number, tuple(reads), tuple(patterns), levels.pop() if levels else "1")


def _built(inputs: dict[str, int], outputs: dict[str, int], covers: dict[str, _Cover]) -> Blif:
    known: dict[str, _Level] = {name: (number, False) for number, name in enumerate(inputs)}
    gates: list[Gate] = []
    wide = 0

    def gate(a: _Level, b: _Level, table: int) -> _Level:
        if len(gates) >= MOST_GATES:
            raise NetlistError(f"more than {MOST_GATES:,} gates: expected at most as many")
        gates.append(Gate(a[0], b[0], turned(table, a[1], b[1])))
        return len(inputs) + len(gates) - 1, False

    lines = {name: Line(cover.number, 0, cover.reads) for name, cover in covers.items()}
    for name in in_order(lines, known):
        cover = covers[name]
        read = [known[other] for other in cover.reads]
        support, table = _truth(cover, read)
        if len(support) > 2:
            wide += 1
            known[name] = _sum_of_products(cover, read, gate)
            continue
        if not support:
            known[name] = (-1, bool(table & 1))
        elif len(support) == 1:
            known[name] = (support[0], bool(table & 1))
        else:
            known[name] = gate((support[0], False), (support[1], False), table)
    for name, number in outputs.items():
        if name not in known:
            raise undefined(number, name)
    drawn = tuple(Output(name, *known[name]) for name in outputs)
    return Blif(Netlist(tuple(inputs), tuple(gates), drawn), wide)


def _truth(cover: _Cover, read: list[_Level]) -> tuple[list[int], int]:
    """The signals that a cover depends on, whatever it names, and what it gives: bit k where signal i is bit i of k.

    A word has a bit for every assignment of the signals that are read, so that a row is tried in all of them at once.
    """
    signals = list(dict.fromkeys(signal for signal, _ in read if signal >= 0))
    wide = 1 << len(signals)
    ones = (1 << wide) - 1
    # Signal i is 1 in every other run of 2^i assignments.
    words = {-1: 0} | {signal: ones // ((1 << (1 << at)) + 1) << (1 << at) for at, signal in enumerate(signals)}
    levels = [words[signal] ^ (ones if inverted else 0) for signal, inverted in read]
    gives = 0
    for row in cover.rows:
        fits = ones
        for want, level in zip(row, levels, strict=True):
            if want != "-":
                fits &= level if want == "1" else ~level
        gives |= fits
    if cover.level == "0":
        gives ^= ones
    places = [
        at for at, signal in enumerate(signals) if (gives & words[signal]) >> (1 << at) != gives & ~words[signal] & ones
    ]
    at_levels = [sum(1 << at for bit, at in enumerate(places) if k >> bit & 1) for k in range(1 << len(places))]
    return [signals[at] for at in places], sum((gives >> at & 1) << k for k, at in enumerate(at_levels))


def _sum_of_products(cover: _Cover, read: list[_Level], gate: Callable[[_Level, _Level, int], _Level]) -> _Level:
    """The OR of the ANDs of the rows, of gates of two inputs."""
    terms: list[_Level] = []
    for row in cover.rows:
        wanted = {
            (signal, inverted != (want == "0"))
            for (signal, inverted), want in zip(read, row, strict=True)
            if want != "-"
        }
        # A constant that is 1 changes nothing, one that is 0 makes the row never fit; so does a signal and its inverse.
        literals = sorted(wanted - {(-1, True)})
        if (-1, False) in wanted or any((signal, not inverted) in wanted for signal, inverted in literals):
            continue
        terms.append(reduce(lambda a, b: gate(a, b, _AND), literals))
    signal, inverted = reduce(lambda a, b: gate(a, b, _OR), terms)
    return signal, inverted != (cover.level == "0")
