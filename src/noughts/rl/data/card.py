"""The card of a data set: what is in it, in words for people and as facts for programs.

It says nothing of when or where it was made: the same data set has the same card, byte for byte.
"""

import shlex
from typing import Any

import numpy as np

from noughts import __version__
from noughts.games.catalogue import knows
from noughts.rl.actions import actions
from noughts.rl.data.columns import (
    HELD_OUT,
    ILLEGAL,
    NO_ESTIMATE,
    NO_PLIES,
    UNKNOWN,
    Rows,
    all_symmetries,
    has_difficulty,
    symmetries_of,
)
from noughts.rl.data.listed import LONGEST
from noughts.rl.data.sets import NODES, DataSet

__all__ = ["Tally", "card", "command", "facts"]

MOST_NAMES = 128
"""Actions that are listed."""


class Tally:
    """How the rows of a data set come out, counted batch by batch."""

    def __init__(self) -> None:
        self.rows = self.wins = self.draws = self.losses = self.over = self.held_out = 0

    @property
    def unknown(self) -> int:
        """Rows whose value nobody knows."""
        return self.rows - self.wins - self.draws - self.losses

    @property
    def counts(self) -> dict[str, int]:
        """All of them by name, as metadata and `--json` have them."""
        return {
            "rows": self.rows,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "unknown": self.unknown,
            "over": self.over,
            "test": self.held_out,
        }

    def add(self, batch: Rows) -> None:
        """Count a batch.

        Args:
            batch: Columns by name, of equal length.
        """
        value = batch["value"]
        self.rows += len(value)
        self.wins, self.draws, self.losses = (
            before + int(np.count_nonzero(value == worth))
            for before, worth in ((self.wins, 1), (self.draws, 0), (self.losses, -1))
        )
        self.over += int(np.count_nonzero((batch["action_values"] == ILLEGAL).all(axis=1)))
        self.held_out += int(np.count_nonzero(batch["test"]))


def command(data: DataSet, name: str) -> str:
    """The command that makes the data set; in Python where the game is somebody's own, of which no command knows.

    Args:
        data: What is described.
        name: Of its file or folder.
    """
    if not knows(data.game):
        arguments = f"game, {data.sample}, seed={data.seed}, classes={data.classes}, nodes={data.nodes}"
        return f"noughts.rl.data.write(DataSet({arguments}), {name!r})"
    words = ["noughts", "data", data.game.name, "--out", name]
    words += [] if data.sample is None else ["--sample", str(data.sample)]
    words += ["--classes"] if data.classes else []
    words += ["--nodes", str(data.nodes)] if not data.whole and data.nodes != NODES else []
    return shlex.join([*words, "--seed", str(data.seed)])


def facts(data: DataSet, name: str, tally: Tally) -> dict[str, Any]:
    """What programs may want to know of a data set.

    Args:
        data: What is described.
        name: Of its file or folder.
        tally: What was counted while it was written.
    """
    return {
        "game": data.game.name,
        "whole": data.whole,
        "sample": data.sample,
        "classes": data.classes,
        "seed": data.seed,
        "nodes": None if data.whole else data.nodes,
        **tally.counts,
        "observation": list(next(column.shape for column in data.columns if column.name == "observation")),
        "symmetries": len(symmetries_of(data.game)),
        "version": __version__,
        "command": command(data, name),
    }


def card(data: DataSet, name: str, tally: Tally) -> str:
    """The card, in Markdown.

    Args:
        data: What is described.
        name: Of its file or folder.
        tally: What was counted while it was written.
    """
    tables = ", where the same tables are on disk" if data.game.rules.captures else ""
    parts = [
        f"# {_title(data, tally)}",
        f"{data.game.title}: {data.game.about}. {_drawn(data)} {_known(data)}",
        _counts(tally),
        "## Columns",
        _columns(data),
        _notation(data),
        _missing(data),
        "## Actions",
        _actions(data),
        "## Classes and the test",
        _classes(data, tally),
        "## How it was made",
        f"By Noughts {__version__}:\n\n    {command(data, name)}",
        f"The same command makes the same rows again{tables}.",
        _credit(data),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _title(data: DataSet, tally: Tally) -> str:
    what = "classes of positions" if data.classes else "positions"
    return f"{data.game.name}: {'all' if data.sample is None else 'a sample of'} {tally.rows:,} {what}"


def _drawn(data: DataSet) -> str:
    one = "class" if data.classes else "position"
    which = f"Each row is a {one} of it"
    which += ", shown by its leader" if data.classes else ""
    if not data.whole:
        return (
            f"{which}, from random play: a game of uniformly drawn moves, to its end or {LONGEST} plies, and one of "
            f"its positions, uniformly drawn; no {one} comes twice. This is no uniform sample of all that can occur."
        )
    listed = "every one that can occur" if data.game.placing_only else "every one that its stones and rows allow"
    if not data.game.placing_only:
        listed += "; once all stones are placed, X is to move, for the colours no longer matter"
    if data.sample is None:
        return f"{which}: {listed}."
    return f"{which}, drawn uniformly and without repetition from {listed}."


def _known(data: DataSet) -> str:
    if data.whole:
        return "All values are exact: the game is solved."
    return (
        "The game is not solved whole. A value is given where it is known, and `source` says from where: the rules, a "
        f"proof, a book, a table, endings, or a search of {data.nodes:,} positions a row. Elsewhere `exact` is "
        "false, the value is missing, and `estimate` and `best_actions` are what that search makes of the position."
    )


def _counts(tally: Tally) -> str:
    rows = [("rows", tally.rows), ("wins", tally.wins), ("draws", tally.draws), ("losses", tally.losses)]
    rows += [("value unknown", tally.unknown)] if tally.unknown else []
    rows += [("game over", tally.over), ("held out for the test", tally.held_out)]
    lines = "\n".join(f"| {name} | {count:,} |" for name, count in rows)
    return f"| for the player to move | |\n|---|---|\n{lines}"


def _columns(data: DataSet) -> str:
    lines = ["| column | type | what it is |", "|---|---|---|"]
    for column in data.columns:
        size = f"[{', '.join(map(str, column.shape))}]" if column.shape else ""
        lines.append(f"| `{column.name}` | {column.type}{size} | {column.about} |")
        if column.name == "optimal_actions":
            lines.append("| `optimal_moves` | list of str | the same in notation (in Parquet) |")
    return "\n".join(lines)


def _notation(data: DataSet) -> str:
    words = "Notation is the board row by row from the top, `X`, `O` or `.`, with `/` between rows"
    words += " and `|` between levels" if len(data.game.layout.rows) > 1 else ""
    words += "" if data.game.placing_only else ", then who is to move and, as `4,3`, what X and O have in hand"
    return f"{words}: `{data.game.write(data.game.start())}` is the start."


def _missing(data: DataSet) -> str:
    notes = [
        f"What is not there is null in Parquet; in Zarr {NO_PLIES} for a ply or a remoteness"
        + ("" if data.whole else f", {UNKNOWN} for a value, {NO_ESTIMATE} for an estimate")
        + f". An action that is not legal is worth {ILLEGAL} in both.",
        "In Parquet the observation is laid out flat; its shape is above.",
        "Where the game is over no action is legal: leave these rows out before `optimal_actions` or `best_actions` "
        "are divided by their sums.",
    ]
    if data.whole:
        notes.append("Rows are in the order of the solver: shuffle them.")
    else:
        notes.append("Where a value is known, that of some of the actions may not be.")
    if data.game.rules.captures:
        notes.append("A remoteness is given only where it counts to the end, not to the next capture.")
    elif not data.game.placing_only:
        notes.append("A draw has no remoteness.")
    return " ".join(notes)


def _actions(data: DataSet) -> str:
    numbered = actions(data.game)
    intro = f"There are {len(numbered):,}, numbered as in `noughts.rl.actions`"
    if len(numbered) > MOST_NAMES:
        return f"{intro}: `noughts.rl.actions.actions(noughts.games.game({data.game.name!r})).names` lists them."
    return f"{intro}, from 0: {' '.join(numbered.names)}."


def _classes(data: DataSet, tally: Tally) -> str:
    every = all_symmetries(data.game.layout)
    alike = f"one of the {len(every)} symmetries of the board" if every else "turning or mirroring the board"
    words = (
        f"Positions that {alike} maps to each other are one class; `leader` is its representative, `images` its size. "
        f"A hash of leader and seed holds one class in {HELD_OUT} out for the test (`test`; here {tally.held_out:,} of "
        f"{tally.rows:,} rows)"
    )
    if every:
        return f"{words}, so that no image of a learned position is tested."
    return (
        f"{words}. This board has so many more symmetries that they are not looked for: of two positions that are "
        "alike by one of those, one may be learned and the other tested."
    )


def _credit(data: DataSet) -> str:
    lines = ["## Licence", "MIT, as Noughts itself. Values are facts about the game."]
    if data.whole and has_difficulty(data.game):
        lines.append("Score and difficulty are defined in Donald E. Knuth's program TICTACTOE2.")
    return "\n\n".join([lines[0], " ".join(lines[1:])])
