"""A board that one can build: a logic as packages of 74HC and as equations for GALs, in a folder to print.

There is no clock on it. Eighteen switches say where stones are, of the machine (*mine*) and of its opponent (*theirs*),
and nine lamps say at once where the machine would go: whoever plays against it also throws the switch of its stone.

The folder has the packages (`parts.csv`) and every joint, package by package and pin by pin (`wiring.csv`), a table to
plug from; a plan of the board (`board.svg`); what to measure when it does not work (`test.csv`: the level of
every net in a few positions, chosen so that every net is seen high and low, if it ever is); and `gal`, the equations of
the same logic for programmable chips, of which there are few.

What is written is what is checked: `read_board` and `gal.read_chips` make a netlist again from the files, from the
pins of the packages, and that is tried in every position like anybody's (`logic.verify`).
"""

import csv
import io
from collections import Counter
from collections.abc import Mapping
from functools import cache
from html import escape
from typing import NamedTuple

import numpy as np

from noughts.games import NoughtsError, Position, game
from noughts.games.picture import Picture
from noughts.silicon.flow.board.gal import GalError, equations, in_chips, read_chips, written
from noughts.silicon.flow.board.packages import GROUND, KINDS, SUPPLY, Board, on_packages
from noughts.silicon.logic.netlist import Netlist, read_netlist, simulate
from noughts.silicon.logic.specification import INPUTS, POINTS
from noughts.silicon.logic.verify import check_pins
from noughts.silicon.pictures.drawing import standalone

__all__ = ["BoardError", "Folder", "folder", "read_board"]

_SWITCHES, _LAMPS = "SW", "LED"
_TESTS = 12
"""The most positions to measure in."""


class BoardError(NoughtsError):
    """A table of joints that is not a board."""


class Folder(NamedTuple):
    """A board as files, and what it takes."""

    board: Board
    chips: int | None
    """GALs; None where the logic is too large for equations."""
    why_not: str
    """Why it is, where it is."""
    files: dict[str, str | bytes]


def folder(netlist: Netlist, name: str, about: str) -> Folder:
    """The files of a board.

    Args:
        netlist: A logic with the inputs and outputs of a board of tic-tac-toe.
        name: What it is called.
        about: What it does, in a sentence.

    Raises:
        NetlistError: If it has other inputs or outputs.
    """
    check_pins(netlist)
    board = on_packages(netlist)
    files: dict[str, str | bytes] = {"parts.csv": _parts(board), "wiring.csv": _wiring(board), "test.csv": _test(board)}
    files["board.svg"] = standalone(_plan(board))
    chips, why_not = None, ""
    try:
        made = in_chips(equations(netlist))
    except GalError as error:
        why_not = str(error)
    else:
        chips = len(made)
        files |= {f"gal/chip{at}.pld": written(chip, f"chip{at}") for at, chip in enumerate(made, 1)}
    page = _page(board, chips, name, about)
    _compare(netlist, read_board(str(files["parts.csv"]), str(files["wiring.csv"])), "the board")
    if chips:
        texts = [str(text) for file, text in files.items() if file.startswith("gal/")]
        _compare(netlist, read_chips(texts, netlist.inputs, [output.name for output in netlist.outputs]), "the GALs")
    return Folder(board, chips, why_not, {"README.md": page, **files})


def _compare(netlist: Netlist, made: Netlist, what: str) -> None:
    """See that what was read back from the files says the same in all positions in play."""
    positions = _positions()
    stones = _stones()
    found = []
    for logic in (netlist, made):
        words = [stones[name] for name in logic.inputs]
        levels = simulate(logic, words, len(positions))
        found.append({output.name: level for output, level in zip(logic.outputs, levels, strict=True)})
    for name, level in found[0].items():
        if found[1][name] != level:
            raise BoardError(f"{what}: output {name} is not that of the netlist: expected the same in every position")


def _table(*rows: tuple[object, ...]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _parts(board: Board) -> str:
    rows = ((f"U{at}", kind, KINDS[kind].about) for at, kind in enumerate(board.packages, 1))
    return _table(("part", "type", "what it is"), *rows)


def _joints(board: Board) -> list[tuple[str, str, int | str]]:
    """Every pin that is joined to something, by its net: switches first, lamps last, and inputs left over to ground."""
    joints: list[tuple[str, str, int | str]] = [(name, _SWITCHES, name) for name in board.inputs]
    used: set[tuple[int, int]] = set()
    for use in board.uses:
        kind, part = KINDS[board.packages[use.package]], f"U{use.package + 1}"
        used.add((use.package, use.gate))
        *ins, out = kind.gates[use.gate]
        joints += [(net, part, pin) for net, pin in zip((*use.inputs, use.output), (*ins, out), strict=True)]
    for package, name in enumerate(board.packages):
        part = f"U{package + 1}"
        joints += [(GROUND, part, 7), (SUPPLY, part, 14)]
        for gate, pins in enumerate(KINDS[name].gates):
            if (package, gate) not in used:
                # An input of CMOS that hangs in the air draws current, and may be anything.
                joints += [(GROUND, part, pin) for pin in pins[:-1]]
    joints += [(net, _LAMPS, name) for name, net in board.outputs]
    order = {net: at for at, net in enumerate(dict.fromkeys(net for net, _, _ in joints))}
    return sorted(joints, key=lambda joint: (joint[0] in (GROUND, SUPPLY), order[joint[0]]))


def _wiring(board: Board) -> str:
    return _table(("net", "part", "pin"), *_joints(board))


# Back from the tables: the packages and their pins alone say what it does.

_OPERATIONS = {"AND": "&", "NAND": "&", "OR": "|", "NOR": "|", "XOR": "^"}


def read_board(parts: str, wiring: str) -> Netlist:
    """The logic of a board, from the two tables.

    Args:
        parts: The packages.
        wiring: The joints.

    Raises:
        BoardError: If a net has two outputs or none, or a pin is joined twice.
    """
    kinds = {row["part"]: KINDS[row["type"]] for row in csv.DictReader(io.StringIO(parts))}
    at: dict[tuple[str, str], str] = {}
    for row in csv.DictReader(io.StringIO(wiring)):
        if (row["part"], row["pin"]) in at:
            raise BoardError(f"pin {row['pin']} of {row['part']} is joined twice: expected one net")
        at[row["part"], row["pin"]] = row["net"]
    inputs = [pin for part, pin in at if part == _SWITCHES]
    driven = [at[_SWITCHES, pin] for pin in inputs]
    lines = [f"inputs {' '.join(driven)}", f"low = {driven[0]} ^ {driven[0]}", "high = ~low"]
    levels = {GROUND: "low", SUPPLY: "high"}
    for part, kind in kinds.items():
        if (at.get((part, "7")), at.get((part, "14"))) != (GROUND, SUPPLY):
            raise BoardError(f"{part} has no supply: expected ground at pin 7 and the supply at 14")
        for number, (*pins, out) in enumerate(kind.gates):
            nets = [at.get((part, str(pin))) for pin in pins]
            if None in nets:
                raise BoardError(f"{part} has an input that hangs in the air: expected a net at pins {pins}")
            if (part, str(out)) not in at:
                continue
            if at[part, str(out)] in driven:
                raise BoardError(f"net {at[part, str(out)]!r} has two outputs: expected one")
            driven.append(at[part, str(out)])
            so_far, *rest = [levels.get(str(net), str(net)) for net in nets]
            for step, net in enumerate(rest):
                lines.append(f"{part}_{number}_{step} = {so_far} {_OPERATIONS[kind.does]} {net}")
                so_far = f"{part}_{number}_{step}"
            inverts = kind.does in ("NAND", "NOR", "NOT")
            lines.append(f"{driven[-1]} = {'~' if inverts else ''}{so_far}")
    lamps = {pin: net for (part, pin), net in at.items() if part == _LAMPS}
    for net in lamps.values():
        if net not in (*driven, GROUND, SUPPLY):
            raise BoardError(f"net {net!r} of a lamp has no output: expected one")
    lines += [f"output {name} = {levels.get(net, net)}" for name, net in lamps.items()]
    return read_netlist("\n".join(lines))


# What to measure.


@cache
def _positions() -> list[Position]:
    """All positions in play."""
    tictactoe = game("tictactoe")
    waiting, found = [tictactoe.start()], dict.fromkeys([tictactoe.start()])
    for position in waiting:
        for move in tictactoe.moves(position):
            after = tictactoe.after(position, move)
            if after not in found and tictactoe.over(after) is None:
                found[after] = None
                waiting.append(after)
    return list(found)


@cache
def _stones() -> dict[str, int]:
    """The level of every input in every position, position k at bit k."""
    levels = dict.fromkeys(INPUTS, 0)
    for at, position in enumerate(_positions()):
        stones = position.stones[position.turn] | position.stones[1 - position.turn] << len(POINTS)
        for bit, name in enumerate(INPUTS):
            levels[name] |= (stones >> bit & 1) << at
    return levels


def _levels(board: Board) -> dict[str, int]:
    """Every net's level in every position, position k at bit k."""
    ones = (1 << len(_positions())) - 1
    levels = {**_stones(), GROUND: 0, SUPPLY: ones}
    waiting = list(board.uses)
    while waiting:
        later = []
        for use in waiting:
            if all(net in levels for net in use.inputs):
                levels[use.output] = _gate(
                    KINDS[board.packages[use.package]].does, [levels[n] for n in use.inputs], ones
                )
            else:
                later.append(use)
        waiting = later
    return levels


def _gate(does: str, words: list[int], ones: int) -> int:
    result = words[0]
    for word in words[1:]:
        result = result & word if "AND" in does else result ^ word if does == "XOR" else result | word
    return ones ^ result if does in ("NAND", "NOR", "NOT") else result


def _test(board: Board) -> str:
    """Positions in which every net is seen at both levels, as far as it ever is; the most telling first."""
    levels = _levels(board)
    count = len(_positions())
    words = [[digit == "1" for digit in f"{levels[use.output]:0{count}b}"[::-1]] for use in board.uses]
    high = np.array(words, bool).reshape(len(words), count)
    unseen = np.ones((2, len(board.uses)), bool)
    chosen: list[int] = []
    while len(chosen) < _TESTS:
        gains = (high & unseen[1, :, None]).sum(0) + (~high & unseen[0, :, None]).sum(0)
        best = int(gains.argmax())
        if not gains[best]:
            break
        chosen.append(best)
        unseen[1] &= ~high[:, best]
        unseen[0] &= high[:, best]
    heads = [_switches(levels, at) for at in chosen]
    rows: list[tuple[object, ...]] = [
        (f"lamp {name}", "", *((levels[net] >> at & 1) for at in chosen)) for name, net in board.outputs
    ]
    for use in board.uses:
        pin = KINDS[board.packages[use.package]].gates[use.gate][-1]
        rows.append((f"U{use.package + 1} pin {pin}", use.output, *((levels[use.output] >> at & 1) for at in chosen)))
    return _table(("where", "net", *heads), *rows)


def _switches(levels: Mapping[str, int], at: int) -> str:
    """A position as switches: m for mine, t for theirs, row by row."""
    marks = ["m" if levels[f"mine_{p}"] >> at & 1 else "t" if levels[f"theirs_{p}"] >> at & 1 else "." for p in POINTS]
    return "/".join("".join(marks[row : row + 3]) for row in range(0, len(marks), 3))


# The plan of the board.

_ACROSS, _DOWN, _COLUMNS = 250, 190, 4


def _plan(board: Board) -> Picture:
    """Every package from above, with what each pin is joined to."""
    nets: Mapping[tuple[str, object], str] = {(part, pin): net for net, part, pin in _joints(board)}
    drawn = []
    for at, kind in enumerate(board.packages):
        x, y = at % _COLUMNS * _ACROSS, at // _COLUMNS * _DOWN
        part = f"U{at + 1}"
        drawn.append(
            f'<rect x="{x + 90}" y="{y + 22}" width="70" height="154" rx="4" fill="none" stroke="currentColor"/>'
            f'<path d="M {x + 118} {y + 22} a 7 7 0 0 0 14 0" fill="none" stroke="currentColor"/>'
            f'<text x="{x + 125}" y="{y + 14}" style="text-anchor:middle;font-size:13px">{part} {kind}</text>'
        )
        for pin in range(1, 15):
            left = pin <= 7
            row = y + 38 + 21 * (pin - 1 if left else 14 - pin)
            edge, side = (x + 90, -1) if left else (x + 160, 1)
            anchor, inner = ("end", "start") if left else ("start", "end")
            net = escape(nets.get((part, pin), ""))
            drawn.append(
                f'<path d="M {edge} {row} h {8 * side}" stroke="currentColor"/>'
                f'<text x="{edge - 4 * side}" y="{row + 4}" style="text-anchor:{inner};font-size:10px">{pin}</text>'
                f'<text x="{edge + 11 * side}" y="{row + 4}" style="text-anchor:{anchor};font-size:11px">{net}</text>'
            )
    rows = -(-len(board.packages) // _COLUMNS)
    return Picture("\n".join(drawn), _COLUMNS * _ACROSS, rows * _DOWN + 10)


def _page(board: Board, chips: int | None, name: str, about: str) -> str:
    """The page to print."""
    counts = Counter(board.packages)
    parts = [f"| {count} | {kind} | {KINDS[kind].about} |" for kind, count in sorted(counts.items())]
    gal = (
        f"Or {chips} GAL22V10 (ATF22V10), programmed with the files of `gal`; pins of one name are joined."
        if chips
        else "It is too large for equations of GALs."
    )
    return "\n".join(
        [
            f"# A board that plays tic-tac-toe: {name}",
            "",
            f"{about[:1].upper()}{about[1:]}. {len(board.packages)} packages, {len(board.uses)} gates in use, of which "
            f"{board.inverters} only invert. No clock, no program. {gal}",
            "",
            "## Parts",
            "",
            "| how many | type | what it is |",
            "|--:|---|---|",
            *parts,
            f"| {len(board.packages)} | 100 nF | between pins 7 and 14 of every package |",
            f"| {len(board.inputs)} | switch, and 10 kΩ to ground | an input is high while its switch is on |",
            f"| {len(board.outputs)} | lamp, and 1 kΩ | the machine's move |",
            "| 1 | 5 V, or three cells of 1.5 V | 74HC works from 2 to 6 V |",
            "",
            "## Build",
            "",
            "1. Plug the packages in the order of `board.svg`, notch to one side. Pin 7 is ground, 14 the supply.",
            "2. Join what `wiring.csv` names alike, one net after the other; tick it off. SW is a switch, LED a lamp.",
            "   An input that nothing needs is joined to ground: it must not hang in the air.",
            "3. Set the switches of a position of `test.csv` and compare the lamps, then the pins from U1 on. The "
            "first that differs is at the fault, or behind it.",
            "",
            "## Play",
            "",
            "`mine` are the machine's stones, `theirs` yours (m and t in `test.csv`). Throw the switch of your stone; "
            "the lamp that is lit is the machine's move: throw its switch too.",
            "",
        ]
    )
