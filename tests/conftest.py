"""What holds for all tests.

Examples that Hypothesis makes up are the same in every run, so that a change is judged by what it changes;
`pytest --hypothesis-profile=default` looks for others.

A job that a shell starts in the background ignores SIGINT, and so does all that it starts: many tests send one. Here
it means KeyboardInterrupt again, and in processes that tests start what it means by default.

Two dozen chips are compiled, and each reads Verilator's headers, which takes most of a second. So a compiler stands
first on the path that has them compiled once, as a precompiled header: 70 MB, too much for a user's cache, and deleted
at the end.

A file of tests is one worker's, and files are handed out in their order. Those that take longest come first, so that
in the end no worker is left alone with one of them (longest processing time first).

A worker holds half a million objects once it has collected the tests, and the circuits of Amaranth are made of many
small ones: looking for rubbish among them as often as Python does took a fifth of the time of tests of chips. So what
has been collected is never looked at again, and the rest seldom.
"""

import gc
import os
import shutil
import signal
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")

signal.signal(signal.SIGINT, signal.default_int_handler)

gc.disable()

_FOLDER = pytest.StashKey[str]()
_COMPILER = """#!/bin/sh
# The real compiler, told of the precompiled header where it compiles a chip. The first to come makes the header, by the
# flags before -o, which must be the same; whoever comes meanwhile does without.
here="{folder}"
case " $* " in *" -shared "*) ;; *) exec "{compiler}" "$@" ;; esac
if mkdir "$here/begun" 2> /dev/null; then
    flags= include=
    for word; do [ "$word" = -o ] && break; flags="$flags $word"; done
    for word; do case "$word" in -I*/include) include=$word ;; esac; done
    printf '#include "verilated.h"\\n#include "verilated_save.h"\\n' > "$here/headers.h"
    "{compiler}" $flags "$include" -x c++-header "$here/headers.h" -o "$here/made" 2> /dev/null &&
        mv "$here/made" "$here/headers.h.gch"
fi
[ -e "$here/headers.h.gch" ] || exec "{compiler}" "$@"
exec "{compiler}" -include "$here/headers.h" "$@"
"""


def pytest_configure(config: pytest.Config) -> None:
    """Put that compiler on the path, once for all workers, which inherit it."""
    compiler = shutil.which("c++")
    if hasattr(config, "workerinput") or compiler is None:
        return
    folder = config.stash[_FOLDER] = tempfile.mkdtemp(prefix="noughts-tests-")
    program = Path(folder) / "bin" / "c++"
    program.parent.mkdir()
    program.write_text(_COMPILER.format(folder=folder, compiler=compiler))
    program.chmod(0o755)
    os.environ["PATH"] = os.pathsep.join([str(program.parent), os.environ["PATH"]])


LONGEST = (
    "test_examples.py",
    "test_formal.py",
    "test_silicon_page.py",
    "test_server_process.py",
    "test_hostile.py",
    "test_morris_cluster.py",
    "test_every_page.py",
    "test_think.py",
    "test_site.py",
    "test_verilog.py",
    "test_elements2021.py",
    "test_runs.py",
    "test_qubic_prove.py",
    "test_browser_games.py",
    "test_gates.py",
    "test_links.py",
    "test_browser_pages.py",
    "test_browser_newcomer.py",
    "test_verify.py",
    "test_designs.py",
    "test_morris_check.py",
    "test_proofs.py",
    "test_adversity.py",
    "test_kept.py",
    "test_adding_a_chip.py",
    "test_history_records.py",
    "test_browser_chip.py",
    "test_timing.py",
    "test_qubic_known.py",
    "test_wheel.py",
    "test_console.py",
    "test_qubic_check.py",
    "test_values.py",
    "test_play_page.py",
    "test_fpga.py",
    "test_ladder.py",
    "test_tables.py",
    "test_browser_together.py",
    "test_tapeout.py",
    "test_browser_offline.py",
    "test_watch_page.py",
    "test_check.py",
    "test_browser_watch.py",
    "test_morris_placing.py",
    "test_scripts.py",
    "test_web_load.py",
)
"""The files of ten seconds and more, the longest first."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files first; all else stays in its order."""
    rank = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: rank.get(item.path.name, len(LONGEST)))


def pytest_collection_finish() -> None:
    """All that is there now stays until the end."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    gc.enable()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Workers have ended before."""
    if _FOLDER in config.stash:
        shutil.rmtree(config.stash[_FOLDER], ignore_errors=True)
