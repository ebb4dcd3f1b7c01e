"""Knuth's TICTACTOE2 straight from its definitions: how good and how difficult each tic-tac-toe position is.

A position is its nine cells in reading order, "X", "O" or " "; X begins, so the stones tell whose turn it is.
A win is worth the number of the move that completes it, and a late one more than an early one: Knuth would
not humiliate his opponent. Of equally good moves the player prefers the one after which it is harder for the
opponent to keep alert. Only `bit_code`, which says who speaks for a class of symmetric positions, knows how
Knuth numbers the cells.

Two things may be otherwise than with Knuth: `early` wins may be better, so that the winner hurries and the loser
holds out; and only those moves may be counted as mistakes that are `losing` something, a win or a draw.

The last part reads the file in which TICTACTOE1 hands over its graph in the format of the Stanford GraphBase.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from typing import NamedTuple

Position = tuple[str, ...]

START: Position = (" ",) * 9
ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

MID_LEFT, BOTTOM_MID, MID_RIGHT, TOP_MID = 3, 7, 5, 1
BOTTOM_LEFT, BOTTOM_RIGHT, TOP_RIGHT, TOP_LEFT = 6, 8, 2, 0
CENTRE = 4
PAIRS = (MID_LEFT, BOTTOM_MID, MID_RIGHT, TOP_MID, BOTTOM_LEFT, BOTTOM_RIGHT, TOP_RIGHT, TOP_LEFT, CENTRE)


def rank(position: Position) -> int:
    """The number of moves made."""
    return 9 - position.count(" ")


def turn(position: Position) -> str:
    """The player to move: X if both have moved equally often."""
    return "X" if rank(position) % 2 == 0 else "O"


def won(position: Position) -> bool:
    """Whether somebody has three in a row; it is the player who has just moved."""
    return any(position[a] == position[b] == position[c] != " " for a, b, c in ROWS)


@cache
def successors(position: Position) -> frozenset[Position]:
    """The positions one move later, none if the game is over."""
    if won(position):
        return frozenset()
    empty = [cell for cell in range(9) if position[cell] == " "]
    return frozenset((*position[:cell], turn(position), *position[cell + 1 :]) for cell in empty)


@cache
def positions() -> dict[Position, int]:
    """Every position that occurs in some game, with its rank."""
    found: dict[Position, int] = {}
    layer = {START}
    while layer:
        found.update({position: rank(position) for position in layer})
        layer = {later for position in layer for later in successors(position)}
    return found


@cache
def no_brainer(position: Position) -> int:
    """+1 if some move wins at once; otherwise -1 if after some move the opponent could win at once; otherwise 0."""
    if any(won(later) for later in successors(position)):
        return 1
    if any(no_brainer(later) == 1 for later in successors(position)):
        return -1
    return 0


@cache
def score(position: Position, early: bool = False) -> int:
    """What the position is worth to the player to move.

    +6 is a win at move six, -9 a loss at move nine, 0 a draw. A finished game is lost at its last move or
    drawn. Otherwise the player moves to where the score, which is then the opponent's, is least.

    If early wins are better, he moves to where the opponent has lost, as early as can be; else to where it is a draw;
    else to where the opponent wins as late as can be.
    """
    if won(position):
        return -rank(position)
    scores = [score(later, early) for later in successors(position)] or [0]
    if not early:
        return -min(scores)
    lost, drawn = [one for one in scores if one < 0], [one for one in scores if one == 0]
    return -max(lost or drawn or scores)


def outcome(position: Position) -> int:
    """1 if the player to move can force a win, -1 if the opponent can, else 0."""
    return (score(position) > 0) - (score(position) < 0)


@cache
def difficulty(position: Position, early: bool = False, losing: bool = False) -> tuple[int, ...]:
    """Eight digits: how many moves are not optimal here, after an optimal move, after another one, and so on.

    After the game the digits are 0. A position where the opponent threatens to win, or where the optimal
    move wins at once, is not difficult: its own digit is 0 however many moves there are.

    Or the digits count how many moves give something away.
    """
    if not successors(position):
        return (0,) * 8
    best = followers(position, early, losing)
    wins_at_once = any(won(later) for later in best)
    easy = no_brainer(position) < 0 or wins_at_once
    wrong = {later for later in successors(position) if outcome(later) != -outcome(position)}
    mistakes = 0 if easy else len(wrong if losing else successors(position) - best)
    follower = next(iter(best))
    return (mistakes, *difficulty(follower, early, losing)[:7])


def challenge(position: Position, early: bool = False, losing: bool = False) -> tuple[int, ...]:
    """What is compared to tell which of two equally good positions is the harder to be in; larger is harder.

    It is harder to face many mistakes oneself and harder if the opponent faces few; so the digits are
    compared from the left, and every second one, being the opponent's, is complemented.
    """
    digits = difficulty(position, early, losing)
    return tuple(15 - digit if place % 2 else digit for place, digit in enumerate(digits))


@cache
def followers(position: Position, early: bool = False, losing: bool = False) -> frozenset[Position]:
    """The positions optimal moves lead to: of those with the best score the hardest for the opponent."""
    good = [later for later in successors(position) if score(later, early) == -score(position, early)]
    hardest = max((challenge(later, early, losing) for later in good), default=())
    return frozenset(later for later in good if challenge(later, early, losing) == hardest)


def expected_wins(
    chosen: Callable[[Position], frozenset[Position]], side: str, chance: Fraction, blind: bool = False
) -> Fraction:
    """How often this side wins that moves to any of the chosen positions, against an opponent who errs.

    With this chance he moves anywhere, but never, unless he is blind, where somebody can fill a row at once. When he
    does not err he takes a quickest win, else any draw, else a slowest loss.
    """

    @cache
    def wins(position: Position) -> Fraction:
        if not successors(position):
            return Fraction(won(position) and turn(position) != side)
        if turn(position) == side:
            return mean(chosen(position))
        good = mean(later for later in successors(position) if score(later, True) == -score(position, True))
        if no_brainer(position) and not blind:
            return good
        return (1 - chance) * good + chance * mean(successors(position))

    def mean(positions: Iterable[Position]) -> Fraction:
        found = [wins(position) for position in positions]
        return sum(found, Fraction(0)) / len(found)

    return wins(START)


def digits(position: Position) -> str:
    """The difficulty as Knuth prints it."""
    return "".join(f"{digit:x}" for digit in difficulty(position))


def images(position: Position) -> Iterator[Position]:
    """The position under the eight symmetries of the square: transposed or not, each axis reversed or not."""
    for transposed in (False, True):
        for rows in ((0, 1, 2), (2, 1, 0)):
            for columns in ((0, 1, 2), (2, 1, 0)):
                places = [(row, column) for row in rows for column in columns]
                yield tuple(position[3 * column + row if transposed else 3 * row + column] for row, column in places)


def bit_code(position: Position) -> int:
    """Knuth's number of the position: the p-th of `PAIRS` counts 2 * 4**p if X stands there, 4**p if O does."""
    worth = {" ": 0, "O": 1, "X": 2}
    return sum(worth[position[cell]] * 4**pair for pair, cell in enumerate(PAIRS))


def leader(position: Position) -> Position:
    """Of all symmetric positions the one with the smallest bit code."""
    return min(images(position), key=bit_code)


def size(position: Position) -> int:
    """How many different positions are symmetric to this one, itself included."""
    return len(set(images(position)))


@cache
def classes() -> list[Position]:
    """The leaders of all classes of symmetric positions, by rank and then by bit code."""
    leaders = {leader(position) for position in positions()}
    return sorted(leaders, key=lambda position: (rank(position), bit_code(position)))


def name(position: Position) -> str:
    """The rows "abc/def/ghi", with the stones of the player to move written X and the opponent's O."""
    swapped = {" ": " ", "X": "O", "O": "X"}
    cells = "".join(position if turn(position) == "X" else [swapped[cell] for cell in position])
    return f"{cells[:3]}/{cells[3:6]}/{cells[6:]}"


CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_^~&@,;.:?!%#$+-*/|\\<=>()[]{}`'\" \n"
SPARE_VERTICES = 4
ARCS_PER_BLOCK = 102
LONGEST_LINE = 79

NUMBER = r"(0|[1-9][0-9]*)"
HEADER = re.compile(rf"\* GraphBase graph \(util_types ZIIVVIZZZZZZZZ,{NUMBER}V,{NUMBER}A\)")
IDENTIFIER = re.compile(rf'"tictactoe",{NUMBER},{NUMBER}')
POINTER = r"(0|[VA](?:0|[1-9][0-9]*))"
VERTEX = re.compile(rf'"([XO ]{{3}}/[XO ]{{3}}/[XO ]{{3}})",{POINTER},{NUMBER},([01]),{POINTER},{POINTER},{NUMBER}')
ARC = re.compile(rf"{POINTER},{POINTER},1")
CHECKSUM = re.compile(rf"\* Checksum {NUMBER}")


class GraphVertex(NamedTuple):
    """A vertex of a GraphBase file; `arcs`, `head` and `link` say by number which vertices are meant."""

    name: str
    arcs: tuple[int, ...]
    bitcode: int
    winner: int
    head: int | None
    link: int | None
    rank: int


def graphbase_checksum(lines: list[str]) -> int:
    """The checksum of a GraphBase file, given its lines with or without their newlines.

    Lines beginning with "*" do not count. From 0 on, each character of the others, the newline included,
    makes a into (2a + code) mod (2^30 - 83), its code being its place in `CHARACTERS`, or else 127.
    """
    total = 0
    for line in lines:
        if not line.startswith("*"):
            for character in line.removesuffix("\n") + "\n":
                code = CHARACTERS.index(character) if character in CHARACTERS else 127
                total = (2 * total + code) % (2**30 - 83)
    return total


def parse_gb(text: str) -> list[GraphVertex]:
    """The vertices of a tic-tac-toe graph written in the GraphBase format, without the spare ones.

    Any deviation from the format is a ValueError that says where: in the syntax of a line, in the number of
    vertices and arcs, in the padding, in the lists of arcs or in the checksum.
    """
    if not text.endswith("\n"):
        raise ValueError("the file must end with a newline")
    lines = text[:-1].split("\n")
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            raise ValueError(f"line {number}: {len(line)} characters, but at most {LONGEST_LINE} are allowed")
    at = _Lines(lines)
    vertex_slots, arc_slots = (int(field) for field in at.match(HEADER, "the header of a tic-tac-toe graph"))
    vertex_count, arc_count = (int(field) for field in at.match(IDENTIFIER, "the identifier and two counts"))
    _expect(vertex_slots, vertex_count + SPARE_VERTICES, "vertices in the header")
    _expect(arc_slots, -(-arc_count // ARCS_PER_BLOCK) * ARCS_PER_BLOCK, "arcs in the header")
    at.exactly("* Vertices")
    records = [at.match(VERTEX, "a vertex") for _ in range(vertex_count)]
    for _ in range(SPARE_VERTICES):
        at.exactly('"",0,0,0,0,0,0')
    at.exactly("* Arcs")
    pairs = [at.match(ARC, "an arc of length 1") for _ in range(arc_count)]
    for _ in range(arc_slots - arc_count):
        at.exactly("0,0,0")
    (checksum,) = at.match(CHECKSUM, "the checksum")
    at.end()
    arcs = [(_pointed(tip, "V", vertex_count), _pointed(later, "A", arc_count)) for tip, later in pairs]
    unused = set(range(arc_count))
    vertices = []
    for label, first, bitcode, winner, head, link, made in records:
        tips = tuple(_arc_list(_pointed(first, "A", arc_count), arcs, unused))
        vertices.append(
            GraphVertex(
                name=label,
                arcs=tips,
                bitcode=int(bitcode),
                winner=int(winner),
                head=_pointed(head, "V", vertex_count),
                link=_pointed(link, "V", vertex_count),
                rank=int(made),
            )
        )
    if unused:
        raise ValueError(f"arc A{min(unused)} belongs to no vertex")
    _expect(int(checksum), graphbase_checksum(lines), "as the checksum")
    return vertices


class _Lines:
    """The lines of a file, to be read one after the other."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._read = 0

    def _next(self, expected: str) -> str:
        if self._read == len(self._lines):
            raise ValueError(f"the file ends where there should be {expected}")
        self._read += 1
        return self._lines[self._read - 1]

    def match(self, pattern: re.Pattern[str], expected: str) -> tuple[str, ...]:
        """The fields of the next line, which must have the form of the pattern."""
        line = self._next(expected)
        found = pattern.fullmatch(line)
        if found is None:
            raise ValueError(f"line {self._read}: expected {expected}, not {line!r}")
        return found.groups()

    def exactly(self, expected: str) -> None:
        """The next line must be this one."""
        line = self._next(repr(expected))
        if line != expected:
            raise ValueError(f"line {self._read}: expected {expected!r}, not {line!r}")

    def end(self) -> None:
        """There must be no further line."""
        if self._read < len(self._lines):
            raise ValueError(f"line {self._read + 1}: expected the end, not {self._lines[self._read]!r}")


def _expect(found: int, expected: int, what: str) -> None:
    """Complain about a wrong number."""
    if found != expected:
        raise ValueError(f"expected {expected} {what}, not {found}")


def _pointed(pointer: str, kind: str, count: int) -> int | None:
    """The number of the vertex (kind "V") or arc (kind "A") a pointer stands for; 0 stands for none."""
    if pointer == "0":
        return None
    if not pointer.startswith(kind) or int(pointer[1:]) >= count:
        raise ValueError(f"expected 0 or {kind}0 to {kind}{count - 1}, not {pointer!r}")
    return int(pointer[1:])


def _arc_list(first: int | None, arcs: list[tuple[int | None, int | None]], unused: set[int]) -> Iterator[int]:
    """The tips of a list of arcs, which are no longer unused then."""
    arc = first
    while arc is not None:
        if arc not in unused:
            raise ValueError(f"arc A{arc} is in two places")
        unused.remove(arc)
        tip, later = arcs[arc]
        if tip is None:
            raise ValueError(f"arc A{arc} leads nowhere")
        yield tip
        arc = later
