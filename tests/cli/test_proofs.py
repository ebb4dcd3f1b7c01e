"""The commands about proofs: what cannot be written is refused before the work, and what was found is not lost."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from threading import enumerate as enumerate_threads
from time import monotonic, sleep

import pytest

from noughts.cli import proofs
from noughts.cli.main import run
from noughts.solve.qubic import prove
from noughts.solve.qubic.dictionary import read_dictionary, shipped_dictionary, write_dictionary
from noughts.solve.qubic.symmetry import by_canonical

pytestmark = pytest.mark.slow

PROVE = ["prove", "qubic"]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The certificate that comes with Noughts, as a file."""
    file = tmp_path_factory.mktemp("proofs") / "shipped.txt.gz"
    file.write_bytes(write_dictionary(shipped_dictionary()))
    return file


@pytest.mark.parametrize("place", ["none/proof.gz", ""])
def test_a_place_that_cannot_be_written_is_refused_before_the_work(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    began = monotonic()
    assert run([*PROVE, "--out", place]) == 2
    assert monotonic() - began < 2
    assert repr(place) in capsys.readouterr().err


def test_a_disk_that_is_full_in_the_end_does_not_cost_the_proof(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], certificate: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run([*PROVE, "--start", str(certificate), "--out", "/dev/full"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    kept = next(tmp_path.iterdir())
    assert f"the proof is in {str(kept)!r} instead" in said.err
    assert len(said.err.splitlines()) == 1
    assert set(read_dictionary(kept).entries) == set(shipped_dictionary().entries)


@contextmanager
def pressed_after_a_round() -> Iterator[Callable[[str], None]]:
    """A line of progress whose reader presses Ctrl-C as soon as it says something."""

    def press(_words: str) -> None:
        raise KeyboardInterrupt

    yield press


@pytest.mark.parametrize("kept", [True, False])
def test_ctrl_c_keeps_the_best_proof_so_far(
    kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], certificate: Path
) -> None:
    monkeypatch.setattr(proofs, "progress_line", pressed_after_a_round)
    monkeypatch.setattr(prove, "_ROUND_SECONDS", 0.1)
    monkeypatch.setattr(prove, "_STEPS", 100_000)
    out = tmp_path / "smaller.txt.gz"
    shrink = [*PROVE, "--start", str(certificate), "--shrink", "3600"]
    assert run([*shrink, "--out", str(out)] if kept else shrink) == 130
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("interrupted: the best proof so far, 1,6")
    if not kept:
        assert said.err.endswith("is not kept: expected --out FILE\n")
        return
    found = read_dictionary(out)
    assert said.err.endswith(f" {len(found.entries):,} strategic moves, is in {str(out)!r}\n")
    assert len(found.entries) <= len(shipped_dictionary().entries)
    assert any("(interrupted)" in line for line in found.comments)


def test_ctrl_c_is_heard_while_a_proof_is_being_annealed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A billion steps, which take many minutes."""

    def press() -> None:
        while all(thread.name != "kernel" for thread in enumerate_threads()):
            sleep(0.05)
        sleep(0.5)
        pressed.append(monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    pressed: list[float] = []
    monkeypatch.setattr(prove, "_STEPS", 10**9)
    proof = prove.Proof(by_canonical(shipped_dictionary().entries), 0, 0.0)
    Thread(target=press, daemon=True).start()
    with pytest.raises(prove.InterruptedShrinkError) as caught:
        prove.shrink(proof, 3600)
    assert monotonic() - pressed[0] < 3
    assert len(caught.value.proof.strategic) == len(proof.strategic), "nothing better was finished"


def wait_for_a_loop(process: subprocess.Popen[str]) -> None:
    """Wait until a process runs a compiled loop in a thread of its own (`solve/interrupt.py`); NumPy must have none."""
    while process.poll() is None and len(list(Path(f"/proc/{process.pid}/task").iterdir())) < 2:
        sleep(0.02)
    sleep(0.2)


@pytest.mark.parametrize("command", [PROVE, ["check"], ["solve", "mnk:5,4,4"]])
def test_ctrl_c_ends_long_work_at_once(command: list[str]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "noughts", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    if command == PROVE:
        sleep(2)  # it calls its kernels ten thousand times, none of them for long
    else:
        wait_for_a_loop(process)
    process.send_signal(signal.SIGINT)
    pressed = monotonic()
    answer, said = process.communicate(timeout=30)
    assert (process.returncode, answer, said) == (130, "", "")
    assert monotonic() - pressed < 2, "a second, and what a busy machine takes"
