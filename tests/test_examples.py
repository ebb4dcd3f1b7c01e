"""Every example in README.md and docs/ is run: console blocks as in a shell, Python blocks as doctests.

In a console block a line that begins with `$ ` is a command; what follows is its whole output, standard error
included. `…` stands for anything, as for a time; alone on a line, for any number of lines. Commands of `noughts` are
run in this process, since a start takes longer than most of them, and a shell has what they are piped into; where
something else comes first, or another program writes to the terminal, a shell has the whole line.
"""

import doctest
import os
import re
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from typer.main import get_command

from noughts.bench import BENCHES
from noughts.cli.main import app, run
from noughts.silicon.designs import DESIGNS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
OTHER_PROGRAMS = ("silicon gates", "silicon fpga", "silicon prove")
"""Commands of `noughts` that run others."""
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def examples() -> dict[str, list[tuple[str, str]]]:
    """Every command in the documents, and the pages that show its output, which is run once for all of them."""
    found: dict[str, list[tuple[str, str]]] = {}
    for page in PAGES:
        for block in re.findall(r"```console\n(.*?)```", page.read_text(), re.DOTALL):
            for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = example.partition("\n")
                found.setdefault(command, []).append((page.name, output))
    return found


def pattern(output: str) -> str:
    lines = [line.rstrip() for line in output.rstrip("\n").split("\n")]
    parts = [r"(.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + r"\n" for line in lines]
    return "".join(parts)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """`noughts web` as the documents start it, on a port that is free."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "NOUGHTS_DATABASE_URL": f"sqlite:///{tmp_path_factory.mktemp('web')}/games.db"}
    command = [sys.executable, "-m", "noughts", "web", "--port", str(port)]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    for _ in range(600):
        try:
            urlopen(f"http://127.0.0.1:{port}/api/v1/games").close()
            break
        except OSError:
            time.sleep(0.1)
    yield f"127.0.0.1:{port}"
    process.terminate()
    process.wait(30)


def output_here(command: str) -> str:
    """What a command of `noughts` writes, run in this process."""
    seen = StringIO()
    with redirect_stdout(seen), redirect_stderr(seen):
        run(shlex.split(command)[1:])
    return seen.getvalue()


def answer_of(command: str) -> str:
    """What a line in a shell writes that asks the server; as it says, one asks again while it is still thinking."""
    for _ in range(30):
        written = output_of(command)
        if '"status":503' not in written:
            break
        time.sleep(1)
    return written


def output_of(command: str, text: str = "") -> str:
    """What a line in a shell writes."""
    shell = ["bash", "-c", command]
    return subprocess.run(
        shell, input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    ).stdout


@pytest.mark.parametrize("command", examples())
def test_console_examples(
    command: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = examples()[command]
    asks = "127.0.0.1:8000" in command
    if asks:
        command = command.replace("127.0.0.1:8000", request.getfixturevalue("server"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("PYTHONUTF8", "1")
    if command.startswith("noughts ") and not command.startswith(tuple(f"noughts {rest}" for rest in OTHER_PROGRAMS)):
        first, pipe, rest = command.partition(" | ")
        written = "".join(output_here(one) for one in first.split(" && "))
        written = output_of(rest, written) if pipe else written
    else:
        written = answer_of(command) if asks else output_of(command)
    seen = "".join(line.rstrip() + "\n" for line in written.rstrip("\n").split("\n"))
    for page, output in shown:
        assert re.fullmatch(pattern(output), seen), f"{page}: {command}\n{seen}"


def test_there_are_examples() -> None:
    assert len(examples()) > 5


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples(page: Path) -> None:
    results = doctest.testfile(str(page), module_relative=False)
    assert results.failed == 0
    assert results.attempted > 0 or page.name != "README.md"


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("openings", []), ("classes", ["--picture", "classes", "--moves", "3"]), ("ranks", ["--picture", "ranks"])],
)
def test_the_pictures_in_the_docs_are_what_their_commands_draw(name: str, arguments: list[str], tmp_path: Path) -> None:
    assert run(["knuth", "plot", str(tmp_path / "drawn.svg"), *arguments]) == 0
    assert (tmp_path / "drawn.svg").read_text() == (ROOT / "docs" / f"{name}.svg").read_text()


NAMED = sorted(
    {
        command
        for page in [*(ROOT / "docs" / "sources").glob("*.md"), ROOT / "docs" / "claims.md"]
        for command in re.findall(r"`(noughts [^`\n…]+)`", page.read_text())
    }
)
"""The commands that stand in the sentences about the sources."""


def test_commands_that_are_named_beside_the_sources_are_there() -> None:
    """With every option, and with every design, property and measurement that is named after them."""
    from noughts.silicon.proofs import properties  # noqa: PLC0415

    assert len(NAMED) > 50
    things = {"silicon": set(DESIGNS), "prove": set(properties()), "bench": set(BENCHES)}
    for command in NAMED:
        here: Any = get_command(app)
        words = shlex.split(command)[1:]
        while words and words[0] in getattr(here, "commands", {}):
            here = here.commands[words.pop(0)]
        assert not hasattr(here, "commands") or not words, command
        options = {name for option in here.params for name in (*option.opts, *option.secondary_opts)}
        assert {word for word in words if word.startswith("--")} <= options, command
        kind = here.name if here.name in things else command.split()[1]
        if kind in things and words and not words[0].startswith("-"):
            assert words[0] in things[kind], command
