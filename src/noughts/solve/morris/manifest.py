"""The manifest of a table: what a folder of subspaces says that it holds.

`manifest.json` names the game, its rules and every subspace that is there, with its counts and the SHA-256 of its
bytes. It is not believed before all that it says fits together, and a new one takes the place of the old one in one
step.
"""

import json
import os
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

from noughts import __version__
from noughts.games import Game, Layout, NoughtsError, UnknownGameError
from noughts.games import game as find_game
from noughts.games.symmetry import symmetries
from noughts.solve.morris.retrograde import Key, keys_of, order
from noughts.solve.solution import Subspace

__all__ = [
    "MANIFEST",
    "Entry",
    "TableError",
    "check_game",
    "force",
    "keys_upto",
    "name_of",
    "read_manifest",
    "shape_of",
    "slots_of",
    "write_manifest",
]

FORMAT = 1
"""What the manifest's `format` says; it changes when older tables can no longer be read."""
MANIFEST = "manifest.json"


class TableError(NoughtsError):
    """A folder that is no table, or not the one that is needed, or damaged; or no room for one."""


class Entry(NamedTuple):
    """What the manifest says of one subspace."""

    row: Subspace
    bytes_on_disk: int
    sha256: str


def name_of(key: Key) -> str:
    """A subspace as people write it."""
    return f"{key[0]}-{key[1]}"


def keys_upto(most: int) -> list[Key]:
    """The subspaces with at most so many stones a side, in the order in which they are solved."""
    return [key for pair in order(most) for key in keys_of(pair)]


def shape_of(game: Game, key: Key) -> tuple[int, int]:
    """How many blocks a subspace has, and how many bytes a block."""
    mover, other = key
    return _classes(game.layout, mover), comb(len(game.layout) - mover, other)


@cache
def _classes(layout: Layout, stones: int) -> int:
    """How many sets of so many stones there are up to symmetry: as many as a symmetry keeps on average.

    A symmetry keeps the sets that are made of whole cycles of it. To count them takes no time; to list them, a while.
    """
    kept = 0
    for symmetry in symmetries(layout):
        ways = [1] + [0] * stones
        left = set(range(len(layout)))
        while left:
            length, point = 0, min(left)
            while point in left:
                left.remove(point)
                length, point = length + 1, symmetry[point]
            for size in range(stones, length - 1, -1):
                ways[size] += ways[size - length]
        kept += ways[stones]
    return kept // len(symmetries(layout))


def slots_of(game: Game, key: Key) -> int:
    """How many bytes a subspace has."""
    blocks, size = shape_of(game, key)
    return blocks * size


def check_game(game: Game) -> None:
    if not game.rules.captures:
        raise TableError(f"{game.name!r} has no tables: expected six-mens-morris or nine-mens-morris")


def read_manifest(folder: Path) -> tuple[Game, dict[Key, Entry]]:
    """The game of the table in a folder, and what is there of it."""
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text())
    except OSError as error:
        reason = error.strerror if folder.exists() else "there is no such folder"
        raise TableError(f"{str(folder)!r} is no table: {reason}; expected a folder with {MANIFEST}") from error
    except ValueError as error:
        raise TableError(f"{str(path)!r} is not a manifest: expected JSON") from error
    return _understand(manifest, str(path))


def write_manifest(folder: Path, game: Game, entries: dict[Key, Entry]) -> None:
    """A new manifest, instead of the old one in one step."""
    ordered = [key for key in keys_upto(game.rules.stones[0]) if key in entries]
    manifest = {
        "format": FORMAT,
        "noughts": __version__,
        "game": game.name,
        "rules": _rules_of(game),
        "most": max((max(key) for key in ordered), default=0),
        "subspaces": [
            {**entries[key].row._asdict(), "bytes": entries[key].bytes_on_disk, "sha256": entries[key].sha256}
            for key in ordered
        ],
    }
    beside = folder / f".{MANIFEST}.{os.getpid()}"
    try:
        beside.write_text(json.dumps(manifest, indent=1) + "\n")
        force(beside)
        beside.replace(folder / MANIFEST)
        force(folder)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _understand(manifest: Any, where: str) -> tuple[Game, dict[Key, Entry]]:
    """The game and what is there of it, if all that the manifest says fits together."""
    if not isinstance(manifest, dict) or "format" not in manifest:
        raise TableError(f"{where!r} is not a manifest: expected the fields of a table of Noughts")
    if manifest["format"] != FORMAT:
        raise TableError(f"{where!r} has format {manifest['format']!r}: expected {FORMAT}")
    try:
        game = find_game(str(manifest["game"]))
        check_game(game)
        if manifest["rules"] != _rules_of(game):
            raise TableError(f"{where!r} has other rules than {game.name}: expected {json.dumps(_rules_of(game))}")
        entries = [_read_entry(game, dict(said), where) for said in manifest["subspaces"]]
    except UnknownGameError as error:
        raise TableError(f"{where!r} names a game that is none: {error}") from error
    except KeyError as error:
        raise TableError(f"{where!r} lacks the field {error}") from error
    except (TypeError, AttributeError) as error:
        raise TableError(f"{where!r} is not a manifest: expected a list of subspaces with their counts") from error
    return game, dict(entries)


def _read_entry(game: Game, said: dict[str, Any], where: str) -> tuple[Key, Entry]:
    names = {name_of(key): key for key in keys_upto(game.rules.stones[0])}
    if said["name"] not in names:
        raise TableError(f"{where!r} names {said['name']!r}, which is no subspace of {game.name}")
    key = names[said["name"]]
    row = Subspace(**{field: said[field] for field in Subspace._fields})
    if row.slots != slots_of(game, key):
        raise TableError(f"{where!r} gives {row.name} {row.slots!r} slots: expected {slots_of(game, key)}")
    if row.positions != row.wins + row.losses + row.draws:
        raise TableError(f"{where!r} gives {row.name} {row.positions!r} positions: expected wins + losses + draws")
    return key, Entry(row, int(said["bytes"]), str(said["sha256"]))


def _rules_of(game: Game) -> dict[str, Any]:
    """The rules as JSON gives them back."""
    rules: dict[str, Any] = json.loads(json.dumps(asdict(game.rules)))
    return rules


def force(path: Path) -> None:
    """Wait until a file or folder is on the disk."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
