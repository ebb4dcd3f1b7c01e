"""The commands about proofs: prove one, check one."""

import re
from pathlib import Path
from secrets import token_hex
from tempfile import gettempdir
from typing import TYPE_CHECKING, Annotated

import typer

from noughts import __version__
from noughts.cli.arguments import GameName, Json, named_path, output_file, whole_number
from noughts.cli.output import emit, note, progress_bar, progress_line, write_file
from noughts.cli.solve import check_table, is_table
from noughts.extras import need
from noughts.games import NoughtsError
from noughts.games import game as find_game

if TYPE_CHECKING:
    from noughts.solve.qubic.prove import Proof

__all__ = ["check", "prove"]


def prove(
    name: GameName,
    out: Annotated[
        Path | None, typer.Option(parser=output_file, metavar="FILE", help="Write the certificate here.")
    ] = None,
    start: Annotated[
        list[Path] | None,
        typer.Option(
            parser=named_path,
            metavar="FILE",
            help="Begin with this certificate; given again, borrow moves from others.",
        ),
    ] = None,
    shrink: Annotated[
        int, typer.Option(parser=whole_number(0, 86_400), help="Seconds to spend on a smaller proof.")
    ] = 0,
    seed: Annotated[int, typer.Option(parser=whole_number(0, 2**31), help="Seed of the shrinking.")] = 0,
    json: Json = False,
) -> None:
    """Prove that the first player wins Qubic.

    For example: noughts prove qubic --shrink 600 --out proof.txt.gz, then noughts check proof.txt.gz
    """
    game = find_game(name)
    if game.name != "qubic":
        raise NoughtsError(f"{name!r} has no proof to look for: expected qubic; others are solved whole")
    need("numba", "a proof of qubic")
    from noughts.solve.qubic import prove as prover  # noqa: PLC0415  loads the compiler

    origins = [line for file in start or [] for line in _history(file)]
    stopped = False
    with progress_line() as progress:
        proofs = [_read_proof(file) for file in start or []] or [prover.prove(progress)]
        proof = proofs[0]
        if shrink:
            try:
                proof = prover.shrink(proof, shrink, seed, progress, proofs[1:])
            except prover.InterruptedShrinkError as interrupted:
                proof, stopped = interrupted.proof, True
    if out is not None:
        words = ["noughts prove qubic", *(f"--start {file.name}" for file in start or [])]
        words += [f"--shrink {shrink} --seed {seed}"] if shrink else []
        _save(proof, out, f"{' '.join(words)}{' (interrupted)' if stopped else ''}", origins)
    if stopped:
        where = "is not kept: expected --out FILE" if out is None else f"is in {str(out)!r}"
        note(f"interrupted: the best proof so far, {len(proof.strategic):,} strategic moves, {where}")
        raise typer.Exit(130)
    if json:
        answer = {"game": game.name, "proved": True, "strategic": len(proof.strategic), "nodes": proof.nodes}
        emit({**answer, "seconds": round(proof.seconds, 3)})
        return
    print(f"qubic: the first player wins; {len(proof.strategic):,} strategic moves, {proof.seconds:.1f} s")


def _save(proof: "Proof", out: Path, command: str, origins: list[str]) -> None:
    """Write a proof where it is wanted or, if that has become impossible meanwhile, wherever it can be kept."""
    from noughts.solve.qubic.dictionary import Dictionary, Entry, write_dictionary  # noqa: PLC0415

    made_by = f"qubic: the first player wins; noughts {__version__}; made by: {command}"
    entries = tuple(Entry(x, o, move) for (x, o), move in sorted(proof.strategic.items()))
    content = write_dictionary(Dictionary(entries, (made_by, *origins)))
    try:
        write_file(out, content)
    except NoughtsError as error:
        for folder in (Path.cwd(), Path(gettempdir())):
            elsewhere = folder / f"qubic-proof-{token_hex(4)}.txt.gz"
            try:
                write_file(elsewhere, content)
            except NoughtsError:
                continue
            raise NoughtsError(f"{error}; the proof is in {str(elsewhere)!r} instead") from error
        raise


def _history(start: Path) -> list[str]:
    """How a certificate came to be, as far as it says."""
    from noughts.solve.qubic.dictionary import read_dictionary  # noqa: PLC0415

    comments = [line.lstrip("# ") for line in read_dictionary(start).comments]
    return [f"{start.name}: {line}" for line in comments if "made by" in line]


def _read_proof(file: Path) -> "Proof":
    """A certificate as a proof; every position is replaced by its canonical image."""
    from noughts.solve.qubic.dictionary import read_dictionary  # noqa: PLC0415
    from noughts.solve.qubic.prove import Proof  # noqa: PLC0415
    from noughts.solve.qubic.symmetry import by_canonical  # noqa: PLC0415

    return Proof(by_canonical(read_dictionary(file).entries), 0, 0.0)


def _there(path: Path) -> Path:
    """What is to be checked: a file or folder of this disk; of a table, its folder."""
    if re.match("[a-z]+:/", str(path)):
        address = str(path).replace(":/", "://", 1)
        expected = "expected a folder of this disk; what comes from there is compared chunk by chunk as it is read"
        raise NoughtsError(f"{address!r} is an address: {expected}")
    if not path.exists():
        raise NoughtsError(f"{str(path)!r} is not there: expected a certificate, or the folder of a table")
    return path.parent if path.name == "manifest.json" else path


def check(
    file: Annotated[
        Path | None, typer.Argument(parser=named_path, metavar="[FILE]", help="A certificate; else the one shipped.")
    ] = None,
    sample: Annotated[
        int | None, typer.Option(parser=whole_number(1, 10**9), help="Of a table, so many values a subspace.")
    ] = None,
    device: Annotated[str, typer.Option(help="Of a table: cpu or gpu.")] = "cpu",
    json: Json = False,
) -> None:
    """Check a proof that the first player wins Qubic, move by move; or a table, every value from its successors.

    Reads certificates made by noughts prove, and plain dictionaries: lines of a position and a move. The exit code
    is 1 if the proof has a hole, or a value of the table is wrong.

    For example: noughts check proof.txt.gz, noughts check tables/nine-mens-morris --sample 100000
    """
    file = None if file is None else _there(file)
    if file is not None and is_table(file):
        check_table(file, sample, json, device)
        return
    if sample is not None:
        raise NoughtsError(f"--sample {sample} is for tables: expected the folder of one")
    if device != "cpu":
        raise NoughtsError(f"--device {device!r} is for tables: expected the folder of one")
    need("numba", "checking a proof")
    from noughts.solve.qubic import check as checker  # noqa: PLC0415  loads the compiler
    from noughts.solve.qubic.dictionary import read_dictionary, shipped_dictionary  # noqa: PLC0415

    dictionary = shipped_dictionary() if file is None else read_dictionary(file)
    with progress_bar("checking") as progress:
        verdict = checker.check(dictionary, progress)
    name = None if file is None else str(file)
    complete = verdict.hole is None
    if json:
        found = {"strategic": verdict.strategic, "positions": verdict.positions} if complete else {"hole": verdict.hole}
        emit({"file": name, "complete": complete, **found})
    elif complete:
        print(f"complete: {verdict.strategic:,} strategic moves, {verdict.positions:,} positions")
    else:
        print(f"incomplete: the first player has no move at {verdict.hole}")
    if not complete:
        raise typer.Exit(1)
