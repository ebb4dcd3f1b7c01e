"""Make the puzzles that come with Noughts: python docs/make_puzzles.py [--missing] [GAME …]

Every game has its candidates, always the same: all positions of a small game; positions of games between players who
err, where there are too many to list; of the morris games endings with few stones, drawn by lot from the file of the
endings, and at nine men's morris openings that the book knows. Those that make a puzzle (`noughts.insight.puzzles`) and
are not alike are sorted by grade; of each grade some are taken, themes in turn, and easy ones get the low numbers.
Positions that were found to be surprising (make_surprising.py) come on top, if they are proved.

The file is written after each game, so whoever stops goes on with --missing. Games that are named are made again, all
others stay as they are.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, zip_longest
from math import comb
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import numpy as np

from noughts.games import KINDS, Game, Position
from noughts.games import game as find_game
from noughts.games.playing import Playing
from noughts.insight.puzzles import FILE, Puzzle, likeness, puzzle_at
from noughts.players import player
from noughts.solve import solve
from noughts.solve.at_once import row_points
from noughts.solve.morris.endings import shipped_endings
from noughts.solve.morris.numbering import numbering_of
from noughts.solve.morris.subspaces import DRAW

GAMES = tuple(
    name
    for kind in KINDS
    for name in (("mnk:4,3,3", kind.example) if kind.sizes else (kind.example,))
    if kind.base not in ("tapatan", "nine-holes")
    and (not find_game(name).rules.captures or shipped_endings(find_game(name)))
)
"""All games of the catalogue of which enough is known to prove a puzzle, and of boards of free size two.

Tapatan's would be those of three men's morris, and nine holes make 14."""
OF_A_GRADE = (6, 10, 10, 10, 8)
"""How many puzzles of each grade a game gets, if there are so many."""
MORRIS, MORE = "nine-mens-morris", (8, 13, 13, 13, 13)
"""The game that gets more."""
PLAYED = {
    "square4": (6, 12, 40_000, 1.0),
    "mnk:4,3,3": (3, 8, 3_000, 0.25),
    "mnk:5,5,4": (6, 15, 4_000, 0.25),
    "qubic": (12, 34, 16_000, 0.25),
    "nine-mens-morris": (5, 8, 3_000, 0.25),
}
"""Of games whose candidates are played: fewest and most plies, how many games, and how often a move is any."""
SURPRISING = {"mnk:5,5,4": Path(__file__).with_name("surprising.json")}
"""Of games with surprising positions, the file that has them."""
ROW_AT_HAND = 0.03
"""How many of the positions of Qubic with a row at hand are looked at."""
ENDINGS = 700
"""Decided endings with so many stones each that are drawn by lot, and as many of all endings."""


def candidates(game: Game, random: Random) -> Iterator[Position]:
    """The positions that are looked at."""
    if game.rules.captures:
        yield from drawn_by_lot(game, random)
    if game.name in PLAYED:
        yield from played(game, random)
    elif not game.rules.captures:
        yield from (position for position in sorted(solve(game).positions()) if game.over(position) is None)


def surprising(game: Game) -> list[Position]:
    """The positions that stand in the documents."""
    if game.name not in SURPRISING:
        return []
    return [game.read(one["position"]) for one in json.loads(SURPRISING[game.name].read_text("utf-8"))]


def played(game: Game, random: Random) -> Iterator[Position]:
    """The last positions of games between players who err, none of which is over."""
    fewest, most, games, errs = PLAYED[game.name]
    for _ in range(games):
        playing, plies = Playing.begin(game), random.randint(fewest, most)
        casual = player("casual", random.randrange(1 << 32))
        while len(playing.moves) < plies and playing.result is None:
            erring = random.random() < errs
            moves = game.moves(playing.position)
            playing = playing.then(random.choice(moves) if erring else casual.reply(playing).move)
        if playing.result is None and (game.name != "qubic" or promising(game, playing.position, random)):
            yield playing.position


def promising(game: Game, position: Position, random: Random) -> bool:
    """Whether all moves of a position of Qubic may be proved, which takes long to find out: both sides have a chain.

    Where a row is at hand the puzzle is an easy one; of those few are needed.
    """
    from noughts.solve.qubic.known import QUICK, chain  # noqa: PLC0415  loads the compiler

    if any(row_points(game, position, side) for side in (0, 1)):
        return random.random() < ROW_AT_HAND
    return all(chain(position, side, QUICK) for side in (position.turn, 1 - position.turn))


def drawn_by_lot(game: Game, random: Random) -> Iterator[Position]:
    """Endings with three to five stones a side: of every kind some that are decided, and some of all."""
    endings = shipped_endings(game)
    assert endings is not None
    for mover in (3, 4, 5):
        for other in (3, 4, 5):
            values = endings.read(mover, other)
            decided = np.flatnonzero(values != DRAW)
            chosen = random.sample(range(len(decided)), min(ENDINGS, len(decided)))
            slots = [int(decided[one]) for one in chosen] + random.sample(range(len(values)), ENDINGS)
            for slot in slots:
                position = ending(game, mover, other, slot)
                if game.over(position) is None:
                    yield position


def ending(game: Game, mover: int, other: int, slot: int) -> Position:
    """The placed position with this number, X to move: a class of the mover's stones, and a colex rank beside them."""
    number, rank = divmod(slot, comb(len(game.layout) - mover, other))
    own = numbering_of(game.layout).representatives(mover)[number]
    free = [point for point in range(len(game.layout)) if not own >> point & 1]
    theirs = 0
    for left in range(other, 0, -1):
        place = max(at for at in range(len(free)) if comb(at, left) <= rank)
        rank -= comb(place, left)
        theirs |= 1 << free[place]
    return Position((own, theirs), (0, 0), 0)


def unlike(game: Game, positions: Iterable[Position]) -> Iterator[Puzzle]:
    """The puzzles among the positions, no two of them alike."""
    seen = set()
    for position in positions:
        like = likeness(game, position)
        if like in seen:
            continue
        seen.add(like)
        puzzle = puzzle_at(game, position)
        if puzzle is not None:
            yield puzzle


def chosen(puzzles: Iterable[Puzzle], random: Random, of_a_grade: tuple[int, ...]) -> list[Puzzle]:
    """Some of every grade, easy ones first; themes take turns, and within a theme the numbers of stones."""
    found = list(puzzles)
    taken: list[Puzzle] = []
    for grade, most in enumerate(of_a_grade, 1):
        graded = [puzzle for puzzle in found if puzzle.grade == grade]
        random.shuffle(graded)
        themes = [in_turn(groups(theme, stones)) for theme in groups(graded, lambda puzzle: puzzle.theme)]
        taken += sorted(in_turn(themes)[:most], key=lambda one: (one.plies or 0, one.position))
    return taken


def groups(puzzles: list[Puzzle], key: Callable[[Puzzle], Any]) -> list[list[Puzzle]]:
    """The puzzles by a key, the least first."""
    return [list(some) for _, some in groupby(sorted(puzzles, key=key), key)]


def in_turn(rows: list[list[Puzzle]]) -> list[Puzzle]:
    """The first of every row, then the second of every row, and so on."""
    return [one for column in zip_longest(*rows) for one in column if one is not None]


def stones(puzzle: Puzzle) -> tuple[int, ...]:
    """How many stones there are, where they are captured."""
    return tuple(one.bit_count() for one in puzzle.position.stones) if puzzle.game.rules.captures else ()


def made(name: str) -> list[list[object]]:
    """The rows of a game's puzzles, as the file has them."""
    game, random = find_game(name), Random(f"puzzles of {name}")
    most = MORE if name == MORRIS else OF_A_GRADE
    taken = chosen(unlike(game, candidates(game, random)), random, most)
    seen = {likeness(game, one.position) for one in taken}
    taken += [one for one in unlike(game, surprising(game)) if likeness(game, one.position) not in seen]
    return [row(puzzle) for puzzle in sorted(taken, key=lambda one: (one.grade, one.plies or 0, one.position))]


def row(puzzle: Puzzle) -> list[object]:
    """A puzzle as the file has it."""
    fields = puzzle.as_json()
    return [
        fields["position"],
        " ".join(fields["solution"]),
        *(fields[key] for key in ("value", "plies", "theme", "grade")),
    ]


def written() -> dict[str, list[list[object]]]:
    """The sets that are in the file."""
    found: dict[str, list[list[object]]] = json.loads(FILE.read_text()) if FILE.exists() else {}
    return found


def write(sets: dict[str, list[list[object]]]) -> None:
    """The file, a puzzle a line."""
    parts = []
    for name in GAMES:
        if name in sets:
            lines = ",\n".join(json.dumps(one) for one in sets[name])
            parts.append(f"{json.dumps(name)}: [\n{lines}\n]")
    FILE.write_text("{\n" + ",\n".join(parts) + "\n}\n")


def main(words: list[str]) -> None:
    """Make the puzzles of the games that are named, or of all."""
    sets = written()
    names = [word for word in words if word != "--missing"] or list(GAMES)
    for name in names:
        if "--missing" in words and name in sets:
            continue
        began = perf_counter()
        rows = made(name)
        sets = written() | {name: rows}
        write(sets)
        grades = [sum(one[-1] == grade for one in rows) for grade in range(1, 6)]
        print(f"{name}: {len(rows)} puzzles, by grade {grades}, {perf_counter() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
