"""The checker: the shipped certificate is complete, and any gap or wrong move is found."""

import gzip
import json
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

from noughts.cli.main import run
from noughts.games import game as find_game
from noughts.solve.interrupt import never
from noughts.solve.qubic.check import DEEPEST, REFUTED, check, unfolded, wins_by_threats
from noughts.solve.qubic.dictionary import Dictionary, Entry, shipped_dictionary, write_dictionary
from published_dictionary import published

pytestmark = pytest.mark.slow

SHIPPED = shipped_dictionary()


def test_the_shipped_certificate_is_complete_also_as_patashniks_circulates(tmp_path: Path) -> None:
    """The command reads it in that format; the test of dictionaries sees that the entries are the same."""
    file = tmp_path / "dictionary.txt"
    file.write_text(published(SHIPPED.entries))
    command = [sys.executable, "-m", "noughts", "check", str(file), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert (found["file"], found["complete"]) == (str(file), True)
    assert found["strategic"] == len(SHIPPED.entries) <= 2_929
    assert found["positions"] > 100_000


@pytest.mark.parametrize("seed", range(2))
def test_without_one_entry_there_is_a_hole(seed: int) -> None:
    gone = Random(seed).choice(SHIPPED.entries)
    rest = Dictionary(tuple(entry for entry in SHIPPED.entries if entry != gone))
    verdict = check(rest)
    assert verdict.hole is not None
    hole = find_game("qubic").read(verdict.hole)
    assert hole.stones in unfolded(Dictionary((gone,)))


@pytest.mark.parametrize("seed", range(2))
def test_with_one_entry_changed_there_is_a_hole(seed: int) -> None:
    """A stone far from everything instead of the move that matters."""
    game = find_game("qubic")
    wrong = Random(seed).choice([entry for entry in SHIPPED.entries if entry.x.bit_count() > 3])
    lines = [line for line in game.layout.line_sets if line & wrong.x and not line & wrong.o]
    cells = [cell for cell in range(64) if not (wrong.x | wrong.o) >> cell & 1]
    idle = min(cells, key=lambda cell: sum(line >> cell & 1 for line in lines))
    changed = tuple(entry._replace(move=idle) if entry == wrong else entry for entry in SHIPPED.entries)
    assert check(Dictionary(changed)).hole is not None


def test_an_empty_board_alone_proves_nothing() -> None:
    verdict = check(Dictionary((Entry(0, 0, 0),)))
    assert verdict.hole is not None
    assert verdict.strategic == 1


def plain_wins_by_threats(x: int, o: int, lines: tuple[int, ...]) -> bool:
    """The same question, asked in the simplest way."""
    if any((x & line).bit_count() == 3 and not o & line for line in lines):
        return True
    stops = {line & ~o for line in lines if (o & line).bit_count() == 3 and not x & line}
    for line in lines:
        if (x & line).bit_count() == 2 and not o & line:
            first = line & ~x & -(line & ~x)
            second = line & ~x & ~first
            for mine, forced in ((first, second), (second, first)):
                if stops <= {mine} and plain_wins_by_threats(x | mine, o | forced, lines):
                    return True
    return False


def test_chains_of_threats() -> None:
    game, random = find_game("qubic"), Random(1)
    lines = game.layout.line_sets
    refuted, last = np.zeros((REFUTED, 2), np.uint64), np.zeros(DEEPEST, np.uint64)
    seen = {True: 0, False: 0}
    while min(seen.values()) < 60:
        cells = random.sample(range(64), random.choice([12, 14, 16]))
        half = len(cells) // 2
        x, o = sum(1 << cell for cell in cells[:half]), sum(1 << cell for cell in cells[half:])
        if any(x & line == line or o & line == line for line in lines):
            continue
        expected = plain_wins_by_threats(x, o, lines)
        assert wins_by_threats(never(), np.uint64(x), np.uint64(o), refuted, last) == expected
        seen[expected] += 1


def test_what_the_command_says_of_a_gap_and_of_a_wrong_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = tmp_path / "plain.txt"
    lines = gzip.decompress(write_dictionary(SHIPPED)).decode().splitlines()
    plain.write_text("\n".join(["A dictionary", *lines[3:-1]]))
    assert run(["check", str(plain), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["complete"] is False
    assert found["hole"].count("|") == 3
    plain.write_text("64 21\nx62o five\n")
    assert run(["check", str(plain)]) == 2
    assert "line 2" in capsys.readouterr().err
