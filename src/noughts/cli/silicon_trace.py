"""The command `noughts silicon trace`: a chip runs, and is shown half cycle by half cycle.

What is done at its pins comes from the user's moves, from a run that comes with the chip, or from a file that says what
every pin gets and when.
"""

import sys
from io import StringIO
from pathlib import Path
from typing import Annotated, Any

import typer

from noughts.cli.arguments import DesignName, Json, find_design, named_path, output_file, whole_number
from noughts.cli.output import emit, note, print_columns, progress_line, write_file
from noughts.games import NoughtsError

__all__ = ["signals", "trace"]

MOST_TRACED = 100_000_000
"""Cycles of a run: more than any chip here takes for a dozen games."""
MOST_BY_AMARANTH = 300_000
"""The same in Amaranth's simulator: a minute or two."""
SHOWN_CYCLES = 200
"""How much of a run is shown unless a stretch is asked for."""
MOST_SHOWN = 200_000
"""Cycles of a stretch: all of it is held in memory, 4 KB a cycle with the elements of 2021."""


def trace(
    design: DesignName,
    moves: Annotated[
        list[str] | None, typer.Argument(metavar="[MOVES]", help="The user's moves, as b2 a1; else the source's run.")
    ] = None,
    sample: Annotated[str, typer.Option(metavar="NAME", help="One of the runs that come with the chip.")] = "",
    stimulus: Annotated[
        Path | None,
        typer.Option(parser=named_path, metavar="FILE", help="What every pin gets and when, as docs/silicon.md says."),
    ] = None,
    begin: Annotated[str, typer.Option(help="Who begins: user or chip.")] = "user",
    start: Annotated[int, typer.Option(parser=whole_number(0, 7), help="With --begin chip: its random start.")] = 0,
    cycles: Annotated[str | None, typer.Option(metavar="A:B", help="Which cycles to keep, as 100:160.")] = None,
    signals: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="Which signals to show, as cp,led, or all; `silicon signals` lists them."),
    ] = None,
    codes: Annotated[bool, typer.Option("--codes", help="Numbers instead of names, of states and others.")] = False,
    form: Annotated[
        str, typer.Option("--as", metavar="FORM", help="table, or printed: as the simulator of 1990 printed it.")
    ] = "table",
    simulator: Annotated[
        str,
        typer.Option(help="verilog, gates, or amaranth, which needs no compiler but knows no undefined values."),
    ] = "verilog",
    vcd: Annotated[
        Path | None, typer.Option(parser=output_file, metavar="FILE", help="Write a VCD file, for a waveform viewer.")
    ] = None,
    svg: Annotated[Path | None, typer.Option(parser=output_file, metavar="FILE", help="Draw the waveform.")] = None,
    write_stimulus: Annotated[
        Path | None,
        typer.Option(parser=output_file, metavar="FILE", help="Write what is done at the pins, for --stimulus."),
    ] = None,
    json: Json = False,
) -> None:
    """Run a chip and show it half cycle by half cycle: as a table, a VCD file, a picture.

    What nothing has defined yet is u, as in the paper of 1990: bit by bit where bits are printed, else digit by digit.
    Where the chip begins at random, by a counter that nobody resets, --start says what that counter holds.

    For example: noughts silicon trace chip1990 --svg appendix-e.svg, noughts silicon trace chip1990 b2 a3 --cycles
    0:40, noughts silicon trace chip1990 b2 --write-stimulus my.txt, noughts silicon trace chip1990 --stimulus my.txt
    """
    chip = find_design(design)
    first, last = _stretch(cycles)
    for option, word, words in (("begin", begin, ("user", "chip")), ("as", form, ("table", "printed"))):
        if word not in words:
            raise NoughtsError(f"--{option} {word[:60]!r} is not known: expected {' or '.join(words)}")
    _check_apart({"vcd": vcd, "svg": svg, "write-stimulus": write_stimulus})
    from noughts.silicon.run import Run, perform  # noqa: PLC0415

    shown = _signals(chip, signals, form)
    run = Run(tuple(moves or ()), begin == "user", start, sample, "" if stimulus is None else _content(stimulus))
    _check(chip, run)
    counted, recorder = _recorder(chip, run, simulator, first, last)
    with progress_line() as say:
        say(f"running {chip.name}")
        perform(chip, recorder, run)
    if first >= recorder.cycles:
        raise NoughtsError(f"--cycles {cycles!r} is behind the run: expected cycles up to {recorder.cycles - 1}")
    recorded = recorder.trace()._replace(names=_names(chip))
    rows = (recorded.coded() if codes else recorded).table(shown)
    files = _write(chip, run, recorder, shown, vcd, svg, write_stimulus)
    if json:
        answer = {"design": chip.name, "cycles": recorder.cycles, "first_cycle": first, "rows": rows}
        emit({**answer, "undefined": recorded.undefined is not None, "said": counted.said})
        return
    for file in files:
        print(file)
    if not files:
        _print_rows(rows) if form == "table" else _print_as_printed(recorded, shown, chip.clock)
        for _, line in counted.said:
            print(line)
    if files == [write_stimulus]:
        return
    if recorded.undefined is None and simulator != "amaranth":
        note("so late in a run undefined values are not followed: every bit is shown as 0 or 1")
    if cycles is None and recorder.cycles > recorded.cycles:
        note(f"cycles {first} to {first + recorded.cycles - 1} of {recorder.cycles:,}; --cycles A:B shows others")


def _print_as_printed(recorded: Any, shown: list[str], clock: str) -> None:
    from noughts.silicon.trace import as_printed  # noqa: PLC0415

    for line in as_printed(recorded, shown, clock):
        print(line)


def _signals(chip: Any, asked: str | None, form: str) -> list[str]:
    """The signals that were asked for, or those that are usually shown."""
    from noughts.silicon.trace import UnknownSignalError  # noqa: PLC0415

    known = list(chip.inside().pins(watch=True))
    if asked is None:
        return list((form == "printed" and chip.printed) or chip.shown or known)
    shown = known if asked == "all" else list(dict.fromkeys(asked.split(",")))
    for name in shown:
        if name not in known:
            raise UnknownSignalError(
                f"{name[:60]!r} is not a signal of {chip.name}: expected names as {','.join(known[:2])} or all; "
                f"noughts silicon signals {chip.name} lists them"
            )
    return shown


def _names(chip: Any) -> dict[str, dict[int, str]]:
    """Names of values, but those that only pages have: for what a source prints as numbers."""
    printed = chip.pins(watch=True)
    return {**{name: names for name, names in chip.inside().names.items() if name not in printed}, **chip.names}


def signals(design: DesignName, json: Json = False) -> None:
    """List what a trace can show of a chip: its pins, its registers, and what goes on between its blocks.

    For example: noughts silicon signals chip1990
    """
    chip = find_design(design)
    names, outside = _names(chip), chip.pins()
    rows = [
        {
            "signal": name,
            "bits": pin.width,
            "kind": "inside" if name not in outside else "input" if pin.is_input else "output",
            "about": chip.story.about(name),
            "values": {str(value): word for value, word in names.get(name, {}).items()},
        }
        for name, pin in chip.inside().pins(watch=True).items()
    ]
    if json:
        emit({"design": chip.name, "signals": rows})
        return
    print_columns(
        ("signal", "bits", "kind", "about"),
        [[row["signal"], str(row["bits"]), row["kind"], row["about"]] for row in rows],
    )


def _write(
    chip: Any,
    run: Any,
    recorder: Any,
    shown: list[str],
    vcd: Path | None,
    svg: Path | None,
    stimulus: Path | None,
) -> list[Path]:
    """Write the files that were asked for; which ones."""
    from noughts.silicon.pictures.waveform import waveform  # noqa: PLC0415
    from noughts.silicon.run import counters_known  # noqa: PLC0415
    from noughts.silicon.stimulus import write_stimulus  # noqa: PLC0415
    from noughts.silicon.trace import write_vcd  # noqa: PLC0415

    if vcd:
        dump = StringIO()
        write_vcd(recorder.trace(), dump)
        write_file(vcd, dump.getvalue())
    if svg:
        write_file(svg, waveform(recorder.trace(), shown))
    if stimulus:
        done = recorder.stimulus._replace(counters=bool(chip.counters) and counters_known(chip, run))
        write_file(stimulus, write_stimulus(chip, done, [f"{chip.name}: {_words(run)}"]))
    return [file for file in (vcd, svg, stimulus) if file]


def _content(file: Path) -> str:
    """The text of a file, or of standard input; not much more of it than could be read."""
    from noughts.silicon.stimulus import MOST_TEXT  # noqa: PLC0415

    if str(file) == "-":
        return sys.stdin.read(MOST_TEXT + 1) or "#"
    try:
        with file.open(encoding="utf-8", errors="replace") as opened:
            return opened.read(MOST_TEXT + 1) or "#"
    except OSError as error:
        raise NoughtsError(f"{str(file)!r} cannot be read: {error.strerror}; expected a stimulus") from error


def _check_apart(files: dict[str, Path | None]) -> None:
    """Raise an error if two options name the same file, of which the second would replace the first."""
    named: dict[Path, str] = {}
    for option, file in files.items():
        if file is not None and (file.is_file() or not file.exists()):
            first = named.setdefault(file.resolve(), option)
            if first != option:
                raise NoughtsError(f"--{first} and --{option} are both {str(file)!r}: expected a file each")


def _check(chip: Any, run: Any) -> None:
    """All that can be wrong with a run before it begins."""
    from noughts.silicon.run import read_move, sample_of  # noqa: PLC0415
    from noughts.silicon.stimulus import read_stimulus  # noqa: PLC0415

    moved = run.moves or not run.user_first
    if run.start and run.user_first:
        raise NoughtsError(f"--start {run.start} is where the chip begins: expected --begin chip beside it")
    if run.start and not chip.counters:
        raise NoughtsError(f"--start {run.start} is for chips that begin at random: expected none for {chip.name}")
    if run.sample and moved:
        raise NoughtsError(f"--sample {run.sample!r} does not go with moves or --begin: expected one or the other")
    if run.stimulus:
        if moved or run.sample:
            raise NoughtsError("--stimulus says all that is done: expected no moves, --sample or --begin beside it")
        read_stimulus(chip, run.stimulus)
    sample_of(chip, run)
    for move in run.moves:
        read_move(chip, move)


def _words(run: Any) -> str:
    """What a run is, for the top of its stimulus."""
    if run.stimulus:
        return "a stimulus"
    if run.moves or not run.user_first:
        moves = " ".join(run.moves)
        return f"the user's moves {moves}" if run.user_first else f"the chip begins; the user's moves {moves}".rstrip()
    return f"the sample {run.sample}" if run.sample else "the first sample"


def _stretch(text: str | None) -> tuple[int, int]:
    """The first and the last cycle of A:B."""
    if text is None:
        return 0, SHOWN_CYCLES - 1
    first, _, last = text.partition(":")
    # The length first: int refuses thousands of digits with an error of its own.
    if not (len(text) < 20 and first.isdecimal() and last.isdecimal() and int(first) <= int(last)):
        raise NoughtsError(f"--cycles {text[:60]!r} is no stretch: expected two numbers, as 100:160")
    if int(last) - int(first) >= MOST_SHOWN:
        raise NoughtsError(f"--cycles {text!r} is too long: expected at most {MOST_SHOWN:,} cycles")
    return int(first), int(last)


def _recorder(chip: Any, run: Any, simulator: str, first: int, last: int) -> tuple[Any, Any]:
    """The chip in this simulator with somebody who counts, and before them one who writes a stretch of the run down."""
    from noughts.silicon.run import counters_known, sample_of  # noqa: PLC0415
    from noughts.silicon.simulate.compiled import compiled  # noqa: PLC0415
    from noughts.silicon.simulate.interpreted import Interpreted  # noqa: PLC0415
    from noughts.silicon.simulate.undefined import three_valued  # noqa: PLC0415
    from noughts.silicon.simulate.watched import Counted, Recorder  # noqa: PLC0415

    if simulator not in ("verilog", "gates", "amaranth"):
        raise NoughtsError(f"{simulator!r} is not a simulator: expected verilog, gates or amaranth")
    inside, shown, known = chip.inside(), sample_of(chip, run), counters_known(chip, run)
    interpreted = simulator == "amaranth"
    with progress_line() as say:
        say(f"compiling {chip.name}")
        pins = Interpreted(inside) if interpreted else compiled(inside, gates=simulator == "gates", watch=True)
        most = MOST_BY_AMARANTH if interpreted else MOST_TRACED
        counted = Counted(pins, chip.driver, most, shown.messages if shown else ())
        beside = None if interpreted else lambda: three_valued(inside, counters=known)
        return counted, Recorder(counted, first, last, beside=beside)


def _print_rows(rows: list[dict[str, str]]) -> None:
    """A table as wide as it needs to be, for a pager or a file."""
    if not rows:
        return
    widths = {name: max(len(name), *(len(row[name]) for row in rows)) for name in rows[0]}
    for row in [dict(zip(widths, widths, strict=True)), *rows]:
        print("  ".join(f"{row[name]:>{width}}" for name, width in widths.items()))
