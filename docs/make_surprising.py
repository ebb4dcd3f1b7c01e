"""Find the most surprising positions of mnk:5,5,4 in its table: python docs/make_surprising.py TABLE (some minutes).

TABLE is the folder that `noughts solve mnk:5,5,4 --out TABLE` has filled. What is found goes into `surprising.json`, as
a table into solving.md, and as boards into `surprising.svg`. Those that are proved without a table are puzzles as well
(make_puzzles.py).

Where O is to move, X's set stays and with it the number of the block: which place each of O's moves leads to is the
same in every block of a layer. So layers with O to move are searched whole, by NumPy. X's moves lead to other blocks;
they are looked up one by one, for the few positions that come into question. The largest two layers in memory at a time
take 6 GB.
"""

import json
import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.games import SIDES, Outcome, Position
from noughts.games import game as find_game
from noughts.games.picture import Note, Picture, above, beside, draw_board, scaled
from noughts.games.points import members
from noughts.solve.at_once import winning_points
from noughts.solve.layers.numbering import classes_of, stones_of
from noughts.solve.layers.table import LayerTable
from noughts.solve.morris.numbering import combinations
from noughts.solve.store import Store
from noughts.solve.subspaces import DRAW

HERE = Path(__file__).parent
FILE, PAGE = HERE / "surprising.json", HERE / "solving.md"
GAME = find_game("mnk:5,5,4")
POINTS = len(GAME.layout)
AT_ONCE = 1 << 24
"""Bytes of a layer that are looked at together."""
WRONG = 5
"""Wrong moves from which on there are many."""
ACROSS = 3
"""Boards in a row of the picture."""
SCALE = 0.62
BEGIN, END = "<!-- surprising positions of mnk:5,5,4 -->", "<!-- end -->"

Slots = NDArray[np.int64]
Record = dict[str, Any]


class Layer(NamedTuple):
    """All positions with so many stones."""

    store: Store
    stones: int

    @property
    def bytes(self) -> NDArray[np.uint8]:
        return _read(self.store, self.stones)

    @property
    def size(self) -> int:
        """Bytes of a block."""
        x, o = stones_of(self.stones)
        return comb(POINTS - x, o)

    def position(self, slot: int) -> Position:
        """The position of a byte."""
        x, o = stones_of(self.stones)
        block, place = divmod(slot, self.size)
        own = int(classes_of(GAME.layout, x).sets[block])
        free = [point for point in range(POINTS) if not own >> point & 1]
        other = sum(1 << free[one] for one in members(int(combinations(POINTS - x, o)[place])))
        hand = (GAME.rules.stones[0] - x, GAME.rules.stones[1] - o)
        return Position((own, other), hand, self.stones % 2)


@lru_cache(2)
def _read(store: Store, stones: int) -> NDArray[np.uint8]:
    return store.read(stones // 2, (stones + 1) // 2)


class Sharp(NamedTuple):
    """Of a layer, where one move keeps the value and all others lose: those after which the losses are farthest."""

    stones: int
    plies: int
    """After which the nearest of the losses is there."""
    position: Position
    """The first of them."""


def sharpest(layer: Layer, won: bool) -> Sharp | None:
    """Of O's wins, none at once, or of O's draws: where one move keeps the value and all others lose, none at once.

    A byte after a move is odd where X wins. Most positions are out after two or three moves, and are looked at no more.
    """
    values, after, leads = layer.bytes, Layer(layer.store, layer.stones + 1), _leads(layer.stones)
    others, found = after.bytes, []
    for first in range(0, len(values), AT_ONCE):
        part = values[first : first + AT_ONCE]
        slots = np.flatnonzero((part % 2 == 1) & (part > 1) & (part != DRAW) if won else part == DRAW) + first
        nearest, kept = np.full(len(slots), DRAW, np.uint8), np.zeros(len(slots), np.uint8)
        for move in range(leads.shape[1]):
            value = others[slots // layer.size * after.size + leads[slots % layer.size, move]]
            lost = (value % 2 == 1) & (value != DRAW)
            kept += ~lost
            nearest = np.where(lost, np.minimum(nearest, value), nearest)
            # A loss in two plies: X had a row to fill.
            still = (nearest > 1) & (kept <= 1)
            slots, nearest, kept = slots[still], nearest[still], kept[still]
        found.append((slots, nearest))
    slots, nearest = (np.concatenate(column) for column in zip(*found, strict=True))
    if not len(slots):
        return None
    best = nearest.max()
    return Sharp(layer.stones, int(best) + 1, layer.position(int(slots[nearest == best][0])))


def _leads(stones: int) -> Slots:
    """By the place of O's word in its block, the places that a stone on each free point leads to."""
    x, o = stones_of(stones)
    words, after = combinations(POINTS - x, o), combinations(POINTS - x, o + 1)
    points = np.arange(POINTS - x, dtype=np.uint32)
    free = np.nonzero((words[:, None] >> points & 1) == 0)[1].reshape(len(words), -1)
    return np.searchsorted(after, words[:, None] | np.uint32(1) << free.astype(np.uint32))


def hardest_win(layer: Layer, plies: int, table: LayerTable) -> Position:
    """Of the wins in so many plies, one that fewest moves keep and most lose."""

    def ease(slot: int) -> tuple[int, int, int]:
        ends = [one.value.outcome for one in table.moves(layer.position(slot))]
        return ends.count(Outcome.WIN), -ends.count(Outcome.LOSS), -slot

    return layer.position(min(np.flatnonzero(layer.bytes == plies).tolist(), key=ease))


def latest_quiet_win(table: LayerTable, store: Store, alone: bool) -> Position:
    """On the fewest free points a win of X's with the last stone of all that begins without a threat.

    Nobody has a row to fill before the first stone, nor X after it; still O is lost then. So these positions are looked
    for, and one of X's stones is taken back. `alone`: no other move wins.
    """
    for stones in range(POINTS - 4, 0, -2):
        layer = Layer(store, stones)
        for slot in np.flatnonzero(layer.bytes == POINTS - stones).tolist():
            after = layer.position(slot)
            if winning_points(GAME, after, 0):
                continue
            for before in _taken_back(after):
                if winning_points(GAME, before, 0) or winning_points(GAME, before, 1):
                    continue
                ends = [str(one.value) for one in table.moves(before)]
                if ends[0] == f"win in {POINTS - stones + 1}" and not (alone and ends[1].startswith("win")):
                    return before
    raise AssertionError("no win is quiet")


def _taken_back(position: Position) -> Iterator[Position]:
    """The positions before a stone of X's was placed."""
    (x, o), (hand, other) = position.stones, position.hand
    for point in members(x):
        yield Position((x & ~(1 << point), o), (hand + 1, other), 0)


def found(store: Store) -> dict[str, Position]:
    """What is surprising, and where it is so, in the order of the stones."""
    table = LayerTable(store)
    wins = {sum(key): store.entry(key).row.deepest_win or 0 for key in store.form.order()}
    longest = min(stones for stones, plies in wins.items() if plies == max(wins.values()))
    last = min(stones for stones, plies in wins.items() if plies and stones + plies == POINTS)
    odd = [Layer(store, stones) for stones in range(1, POINTS, 2)]
    drawn, won = ([one for layer in odd if (one := sharpest(layer, kind))] for kind in (False, True))
    many = [one for one in drawn if POINTS - one.stones > WRONG]
    draw, win = (max(some, key=lambda one: (one.plies, one.stones)) for some in (drawn, won))
    chosen = {
        "one move draws, all others lose: the earliest": drawn[0].position,
        "the longest win: the earliest": hardest_win(Layer(store, longest), wins[longest], table),
        "one move wins, all others lose: the earliest": won[0].position,
        "a win with the last stone of all: the earliest": hardest_win(Layer(store, last), wins[last], table),
        "one move draws, all others lose: the slowest losses": draw.position,
        "one move wins, all others lose: the slowest losses": win.position,
        "one move wins, with the last stone of all and no threat: the latest": latest_quiet_win(table, store, True),
        "all moves win, with the last stone of all and no threat: the latest": latest_quiet_win(table, store, False),
        "one move draws, five or more others lose: the latest": many[-1].position,
        "one move draws, all others lose: the latest": drawn[-1].position,
    }
    return dict(sorted(chosen.items(), key=lambda one: one[1].occupied.bit_count()))


def record(table: LayerTable, why: str, position: Position) -> Record:
    """A position as the file has it: its value and that of every move, and a win played out."""
    value, written = table.probe(position), GAME.write(position)
    assert value is not None
    moves = {GAME.write_move(one.move): str(one.value) for one in table.moves(position)}
    line = []
    while value.outcome is Outcome.WIN and GAME.over(position) is None:
        best = table.moves(position)[0]
        line.append(GAME.write_move(best.move))
        position = best.position
    return {"why": why, "position": written, "value": str(value), "moves": moves, "line": line}


def rows(records: list[Record]) -> str:
    """The table of the page."""
    text = "| | | position | worth | by | the other moves |\n|--:|---|---|---|---|---|\n"
    for number, one in enumerate(records, 1):
        value = one["value"].split()[0]
        worth = value if value == "draw" else one["value"]
        right = [f"`{move}`" for move, end in one["moves"].items() if end.startswith(value)]
        drawn, lost = ([end for end in one["moves"].values() if end.startswith(kind)] for kind in ("draw", "loss"))
        others = [f"{len(drawn)} draw"] if drawn and value == "win" else []
        if lost:
            nearest = min(int(end.split()[-1]) for end in lost)
            others.append(f"{len(lost)} lose, the first in {nearest} plies")
        text += (
            f"| {number} | {one['why']} | `{one['position']}` | {worth} | {', '.join(right)} | {'; '.join(others)} |\n"
        )
    return text


def picture(records: list[Record]) -> Picture:
    """The boards, with what every move is worth."""
    boards = []
    for number, one in enumerate(records, 1):
        position = GAME.read(one["position"])
        notes = {}
        for move, end in one["moves"].items():
            kind, plies = end.split(" in ")
            notes[GAME.layout.index[move]] = Note("D" if kind == "draw" else kind[0].upper() + plies, kind)
        title = f"{number}: {SIDES[position.turn].upper()} to move"
        boards.append(scaled(draw_board(GAME, position, notes=notes, title=title), SCALE))
    return above(*(beside(*boards[first : first + ACROSS]) for first in range(0, len(boards), ACROSS)))


def put(page: str, table: str) -> str:
    """The page with another table between its two comments."""
    text, many = re.subn(rf"({BEGIN}\n).*?({END})", lambda match: f"{match[1]}\n{table}\n{match[2]}", page, flags=re.S)
    assert many == 1, f"{PAGE}: expected {BEGIN} once"
    return text


def main(folder: Path) -> None:
    """Write all three files."""
    store = Store.open(folder)
    records = [record(LayerTable(store), why, position) for why, position in found(store).items()]
    lines = ",\n".join(json.dumps(one) for one in records)
    FILE.write_text(f"[\n{lines}\n]\n", "utf-8")
    (HERE / "surprising.svg").write_text(picture(records).svg())
    PAGE.write_text(put(PAGE.read_text("utf-8"), rows(records)), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
