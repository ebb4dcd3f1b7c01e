"""The commands `noughts silicon …`: the chips, their Verilog, runs, games, gates, timing, bitstreams and proofs."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer

from noughts.cli.arguments import (
    DesignName,
    Json,
    complete_design,
    decimal,
    find_design,
    output_file,
    output_place,
    whole_number,
)
from noughts.cli.output import (
    check_new,
    check_writable,
    counted,
    emit,
    note,
    print_columns,
    progress_bar,
    progress_line,
    write_file,
    write_folder,
)
from noughts.cli.silicon_layout import layout
from noughts.cli.silicon_logic import check_netlist, is_netlist
from noughts.cli.silicon_shrink import shrink
from noughts.cli.silicon_trace import signals, trace
from noughts.cli.tapeout import board, tapeout
from noughts.extras import need
from noughts.games import NoughtsError
from noughts.games import game as find_game
from noughts.silicon.flow.timing import PERIODS_NS, REPORTED_PERIOD_NS

__all__ = ["app"]

app = typer.Typer(
    help="The chips: historic designs and our own, simulated, checked, measured and built.",
    rich_markup_mode=None,
    add_completion=False,
)

Gates = Annotated[bool, typer.Option("--gates", help="The synthesised gates instead of the Verilog.")]


@app.command("list")
def list_designs(json: Json = False) -> None:
    """List the designs.

    For example: noughts silicon list
    """
    from noughts.silicon.designs import DESIGNS  # noqa: PLC0415

    rows = [{"design": known.name, "year": known.year, "about": known.about} for known in DESIGNS.values()]
    if json:
        emit(rows)
        return
    print_columns(("design", "year", "about"), [[str(cell) for cell in row.values()] for row in rows])


@app.command()
def pins(
    design: DesignName,
    svg: Annotated[Path | None, typer.Option(parser=output_file, metavar="FILE", help="Draw the package.")] = None,
    json: Json = False,
) -> None:
    """List the pins of a chip: number in the package where it is known, name, direction, and what each is.

    For example: noughts silicon pins chip1990, noughts silicon pins referee2021 --svg referee2021.svg
    """
    chip = find_design(design)
    from noughts.silicon.pictures.package import package_file  # noqa: PLC0415
    from noughts.silicon.pinout import pin_rows, tally  # noqa: PLC0415

    widths = {name: pin.width for name, pin in chip.pins().items()}
    rows = pin_rows(chip, widths)
    if svg:
        write_file(svg, package_file(chip, widths))
    counts = tally(rows)
    if json:
        package = chip.pinout.about if chip.pinout else None
        emit({"design": chip.name, "package": package, "counts": counts, "pins": [row._asdict() for row in rows]})
    elif svg:
        print(svg)
    else:
        _say_pins(chip, rows, counts)


def _say_pins(chip: Any, rows: Any, counts: dict[str, int]) -> None:
    """The table, with the columns that it needs; above it, how many there are of what."""
    signals = f"{counts['in']} inputs and {counts['out']} outputs"
    if not chip.pinout:
        print(f"{chip.name}: {signals}")
        has_sites = any(row.site for row in rows)
        third = "FPGA pin" if has_sites else "bits"
        cells = [[row.name, row.direction, row.site if has_sites else str(row.bits), row.about] for row in rows]
        print_columns(("name", "way", third, "what it is"), cells, right=("bits",))
        return
    used = counts["in"] + counts["out"] + counts["power"]
    print(f"{chip.name}: {chip.pinout.about}; {used} used: {signals}, {counts['power']} of power")
    cells = []
    for row in rows:
        reading = f"our choice: {row.reading}" if row.ours else row.reading
        way = "" if row.direction == "none" else row.direction
        cells.append([str(row.number), row.name, way, f"{row.about} ({reading})" if reading else row.about])
    print_columns(("pin", "name", "way", "what it is"), cells, right=("pin",))


@app.command()
def verilog(
    design: DesignName,
    gates: Gates = False,
    bench: Annotated[
        bool, typer.Option("--bench", help="With a test bench: the runs that the source shows, long ones in part.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(parser=output_file, metavar="FILE", help="Write a file instead of standard output.")
    ] = None,
) -> None:
    """Write a design as Verilog; with --bench, also a test bench, for simulators of SystemVerilog.

    For example: noughts silicon verilog chip1990 --out chip1990.sv, noughts silicon verilog referee2021 --bench
    """
    chip = find_design(design)
    from noughts.silicon.flow.gates import netlist  # noqa: PLC0415
    from noughts.silicon.kept import recording  # noqa: PLC0415
    from noughts.silicon.verilog import verilog as as_verilog  # noqa: PLC0415
    from noughts.silicon.verilog.bench import bench as as_bench  # noqa: PLC0415

    text = (netlist if gates else as_verilog)(chip)
    if bench:
        recorded = ((shown, recording(chip, shown.name)) for shown in chip.samples)
        text += as_bench(chip, [(shown, known.trace) for shown, known in recorded if known])
    if out is None:
        print(text, end="")
        return
    write_file(out, text)
    print(out)


app.command()(trace)
app.command("signals")(signals)
app.command()(shrink)
app.command()(tapeout)
app.command()(board)


@app.command()
def check(
    design: Annotated[
        str,
        typer.Argument(
            metavar="DESIGN|FILE",
            help="A design, as chip1990; or a netlist: a file, - for standard input, or logic-A, one of ours.",
            autocompletion=complete_design,
        ),
    ],
    gates: Gates = False,
    games: Annotated[
        int | None, typer.Option(parser=whole_number(1, 1_000_000), help="Play so many games at random instead.")
    ] = None,
    seed: Annotated[int, typer.Option(parser=whole_number(0, 2**32 - 1), help="Of games at random.")] = 0,
    spec: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Of a netlist: what it must do, as A or E-D; else all are tried.")
    ] = None,
    mapped: Annotated[bool, typer.Option("--mapped", help="Of a netlist: count LUTs and cells, too.")] = False,
    svg: Annotated[
        Path | None, typer.Option(parser=output_file, metavar="FILE", help="Of a netlist: draw its gates.")
    ] = None,
    json: Json = False,
) -> None:
    """Play every game that can be played with a chip, on a compiled simulation.

    Where games may go on for ever, the chip is brought to every state that it has; where these are too many, games are
    played at random. A netlist of gates is tried in every position, and counted. Where the game can be solved, every
    reply is held to the value of the position: the exit code is 1 if one gives value away, not if a lost game is lost.

    For example: noughts silicon check chip1990, noughts silicon check chip1990 --gates, noughts silicon check chip1990
    --games 100 --seed 7, noughts silicon check logic-C, noughts silicon check my.blif --spec A
    """
    if is_netlist(design):
        if gates or games is not None:
            raise NoughtsError(f"{design[:60]!r} is a netlist: expected neither --gates nor --games")
        check_netlist(design, spec, mapped=mapped, svg=svg, json=json)
        return
    if spec is not None or mapped or svg:
        raise NoughtsError(
            f"{design[:60]!r} is not the file of a netlist: expected one with --spec, --mapped and --svg"
        )
    chip = find_design(design)
    from noughts.silicon.simulate.check import check as check_games  # noqa: PLC0415
    from noughts.silicon.simulate.check import given_away  # noqa: PLC0415
    from noughts.silicon.simulate.compiled import compiled  # noqa: PLC0415

    if games is not None and chip.check:
        raise NoughtsError(f"{chip.name} has a check of its own: expected no --games")
    _with_line(f"compiling {chip.name}", lambda: compiled(chip, gates=gates))
    began = perf_counter()
    with progress_bar(f"playing {chip.name}") as progress:
        found = check_games(chip, gates=gates, progress=progress, games=games, seed=seed)
    answer = {"design": chip.name, "gates": gates}
    answer |= _games_checked(chip, found) if found.games else {}
    answer |= {"boards": found.boards, "plays": found.plays} if found.boards else {}
    # A chip with a check of its own is held to something else, as to the program of 1977.
    given = [] if chip.check else given_away(chip, found)
    if not chip.check:
        answer["given_away"] = None if given is None else len(given)
    answer["seconds"] = round(perf_counter() - began, 2)
    if json:
        emit(answer)
    elif chip.check_words:
        print("\n".join(chip.check_words(found)))
    else:
        _say_checked(answer, _given_words(chip, given, found.losses))
    if found.losses if given is None else given:
        raise typer.Exit(1)


def _games_checked(chip: Any, found: Any) -> dict[str, Any]:
    """What was found by playing games, with a chip that plays itself or does not."""
    answer: dict[str, Any] = {"games": found.games, "losses": found.losses, "wins": found.wins, "draws": found.draws}
    answer |= {"positions": found.positions, "slowest_cycles": found.slowest_cycles}
    answer |= {"states": found.states} if found.states else {}
    answer |= {"endless": True} if found.endless else {}
    answer |= {"seed": found.seed} if found.seed is not None else {}
    points = find_game(chip.game).layout.points
    answer["openings"] = [
        {"opening": points[place], "reply": points[reply.place], "cycles": reply.cycles}
        for place, reply in (found.openings if chip.plays else {}).items()
        if place is not None
    ]
    for who, user_first in (("user_first", True), ("chip_first", False)):
        slowest, mean = found.cycles(user_first=user_first)
        answer[who] = {"slowest_cycles": slowest, "mean_cycles": round(mean, 1)}
    if found.lengths:
        answer["game_cycles"] = {"shortest": min(found.lengths), "longest": max(found.lengths)}
    return answer


def _say_checked(answer: dict[str, Any], given: str) -> None:
    results = [f"{answer[result]:,}" for result in ("wins", "draws", "losses")]
    if "endless" in answer:
        print(f"{answer['design']}: every state that a user can bring it to, {answer['states']:,}")
        print(f"it moves in {answer['positions']:,} positions; games can go on for ever")
        print("or end: in {} positions that it wins, {} draws, {} loses".format(*results))
    else:
        which = "every one a user can play" if "seed" not in answer else f"played at random, seed {answer['seed']}"
        print(f"{answer['design']}: {answer['games']:,} games, {which}")
        print("it wins {}, draws {}, loses {}".format(*results))
    if given:
        print(given)
    for words, key in (("the user begins", "user_first"), ("it begins", "chip_first")):
        cycles = answer[key]
        print(f"{words}: slowest reply {counted(cycles['slowest_cycles'], 'cycle')}, mean {cycles['mean_cycles']:,}")
    for row in answer["openings"]:
        print(f"  {row['opening']}  answered by {row['reply']} after {counted(row['cycles'], 'cycle')}")


def _given_words(chip: Any, given: list[Any] | None, losses: int) -> str:
    """Whether a game that was lost was lost by the chip; nothing where none was."""
    if given:
        first = min(given, key=lambda reply: reply.position.occupied.bit_count())
        game = find_game(chip.game)
        where = f"in {game.write(first.position)} it plays {game.write_move(first.move)}"
        gives = "gives" if len(given) == 1 else "give"
        return f"{counted(len(given), 'reply', 'replies')} of it {gives} value away: {where}"
    return "every reply keeps the value: what it loses is lost before it moves" if losses and given == [] else ""


@app.command()
def gates(design: DesignName, json: Json = False) -> None:
    """Synthesise a design and count: cells by type, flip-flops, gates, depth, LUTs.

    For example: noughts silicon gates chip1990
    """
    chip = find_design(design)
    from noughts.silicon.flow.gates import gates as count_gates  # noqa: PLC0415

    found = _with_line(f"synthesising {chip.name}", lambda: count_gates(chip))
    if json:
        emit(found._asdict())
        return
    for name, count in found.cells.items():
        print(f"  {name:<8} {count:>6,}")
    print(f"{found.flip_flops:,} flip-flops, {found.two_input_gates:,} gates of two inputs, depth {found.depth}")
    print(f"the longest way: {' → '.join(found.longest_way)}")
    print(f"iCE40: {found.ice40_luts:,} LUTs, {found.ice40_block_rams} block RAMs")
    print(f"ECP5: {found.ecp5_luts:,} LUTs, {found.ecp5_block_rams} block RAMs")


@app.command()
def timing(
    design: DesignName,
    period: Annotated[
        float,
        typer.Option(
            parser=decimal(*PERIODS_NS), metavar="NS", help="The clock period at which to say what is to spare, in ns."
        ),
    ] = REPORTED_PERIOD_NS,
    json: Json = False,
) -> None:
    """Place and route a design, and say how fast its clock can go and how long its slowest reply takes.

    Setup and hold slack are those of the worst ways from register to register at a clock period, 15 ns unless another
    is asked for: the one with which the report of 2021 gets its slack of 1.131 ns. On the FPGAs that is after place and
    route; in osu035, cells of 0.35 µm, before layout: wires take no time, and the clock comes to all registers at once.

    For example: noughts silicon timing chip1990, noughts silicon timing elements2021 --period 20
    """
    chip = find_design(design)
    from noughts.silicon.flow.timing import timing as measure  # noqa: PLC0415
    from noughts.silicon.simulate.check import check as check_games  # noqa: PLC0415

    found = _with_line(f"placing and routing {chip.name}", lambda: measure(chip, period))
    slowest = None
    if chip.plays:
        with progress_bar(f"playing {chip.name}") as progress:
            slowest = check_games(chip, progress=progress).slowest_cycles
    microseconds = {
        name: None if fmax is None or slowest is None else round(slowest / fmax, 1 if slowest > fmax else 4)
        for name, fmax in found.fmax_mhz.items()
    }
    if json:
        rounded = {name: None if fmax is None else round(fmax, 2) for name, fmax in found.fmax_mhz.items()}
        slack = {
            name: {kind: None if time is None else round(time, 3) for kind, time in slack._asdict().items()}
            for name, slack in found.slack_ns.items()
        }
        answer = {"design": chip.name, "fmax_mhz": rounded, "slowest_cycles": slowest}
        answer |= {"slowest_reply_us": microseconds, "period_ns": found.period_ns, "slack_ns": slack}
        emit({**answer, "skipped": found.skipped})
        return
    for name, fmax in found.fmax_mhz.items():
        if fmax is not None:
            reply = ""
            if slowest is not None:
                time = f"{microseconds[name]:,} µs" if slowest > fmax else f"{1000 * slowest / fmax:.1f} ns"
                reply = f", slowest reply ({counted(slowest, 'cycle')}) in {time}"
            print(f"{name}: {fmax:.1f} MHz{reply}")
    print(f"To spare at a clock period of {found.period_ns:g} ns, from register to register:")
    for name, (setup, hold) in found.slack_ns.items():
        if setup is not None:
            print(f"  {name}: setup slack {setup:.3f} ns{'' if hold is None else f', hold slack {hold:.3f} ns'}")
    for skipped in found.skipped:
        note(f"skipped: {skipped}")


@app.command()
def fpga(
    design: DesignName,
    board: Annotated[str, typer.Option(metavar="BOARD", help="icebreaker, ulx3s or de2-115.")] = "icebreaker",
    out: Annotated[
        Path | None,
        typer.Option(parser=output_place, metavar="PATH", help="The bitstream or folder; else named after the two."),
    ] = None,
    json: Json = False,
) -> None:
    """Build a bitstream: the design and a serial console through which a person plays.

    For the de2-115, which has switches and lamps to play at, it is a folder with a project that Quartus can open.

    For example: noughts silicon fpga chip1990, noughts silicon fpga elements2021 --board de2-115
    """
    chip = find_design(design)
    from noughts.silicon.flow import de2_115  # noqa: PLC0415
    from noughts.silicon.flow.fpga import bitstream  # noqa: PLC0415

    target = out or Path(f"{chip.identifier}-{board}")
    if board == de2_115.NAME:
        check_new(target)
        made = de2_115.project(chip)
        write_folder(target, made.files)
        answer = {"design": chip.name, "board": board, "folder": str(target), "files": list(made.files)}
        _say_project({**answer, "top": made.top, "device": de2_115.DEVICE, "clock_mhz": de2_115.CLOCK_MHZ}, json)
        return
    check_writable(target)
    built = _with_line(f"building {chip.name} for {board}", lambda: bitstream(chip, board))
    file = out or target.with_name(target.name + built.suffix)
    write_file(file, built.data)
    if json:
        answer = {"design": chip.name, "board": board, "file": str(file), "bytes": len(built.data)}
        emit({**answer, "luts": built.luts, "fmax_mhz": round(built.fmax_mhz, 2), "clock_mhz": built.clock_mhz})
        return
    print(
        f"{file}: {len(built.data):,} bytes, {built.luts:,} LUTs, {built.fmax_mhz:.1f} MHz at {built.clock_mhz:g} MHz"
    )


def _say_project(answer: dict[str, Any], json: bool) -> None:
    if json:
        emit(answer)
        return
    print(f"{answer['folder']}: {', '.join(answer['files'])}")
    print(f"{answer['top']} on a {answer['device']} at {answer['clock_mhz']} MHz; README.md says how to go on")


app.command()(layout)


@app.command()
def prove(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME|DESIGN]", help="A property, or a design: all that is proved of it; else everything."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Prove what is promised of the parts and the chips, for all inputs and all times.

    For example: noughts silicon prove, noughts silicon prove win, noughts silicon prove logic-C,
    noughts silicon prove noughts2026
    """
    need("amaranth", "silicon prove")
    from noughts.silicon.formal import prove as prove_property  # noqa: PLC0415
    from noughts.silicon.logic.proof import Claim  # noqa: PLC0415

    wanted = _claims(name)
    rows: list[dict[str, Any]] = []
    try:
        for claimed in wanted:
            work = claimed.prove if isinstance(claimed, Claim) else partial(prove_property, claimed)
            proof = _with_line(f"proving {claimed.name}", work)
            rows.append(proof._asdict() | {"statement": claimed.statement})
            if not json:
                word = "proved" if proof.holds else "FALSE"
                print(f"{word}  {claimed.name}: {claimed.statement} ({proof.seconds:.1f} s)")
    except KeyboardInterrupt:
        if not rows:
            raise
    if json:
        emit(rows)
    if len(rows) < len(wanted):
        note(f"interrupted after {len(rows)} of {len(wanted)} properties")
        raise typer.Exit(130)
    if not all(row["holds"] for row in rows):
        raise typer.Exit(1)


def _claims(name: str | None) -> list[Any]:
    """All that is proved; or the one property of this name; or those of the design."""
    from noughts.silicon.designs import DESIGNS  # noqa: PLC0415
    from noughts.silicon.logic.proof import claims  # noqa: PLC0415
    from noughts.silicon.proofs import properties  # noqa: PLC0415

    known: dict[str, Any] = {**properties(), **claims()}
    if name in DESIGNS:
        wanted: list[Any] = list(DESIGNS[name].proofs())
        if not wanted:
            proved = ", ".join(other for other, design in DESIGNS.items() if design.proofs())
            raise NoughtsError(f"nothing is proved of {name}: expected a property, or one of {proved}")
        return wanted
    wanted = [claimed for claimed in known.values() if name is None or claimed.name.casefold() == name.casefold()]
    if name and not wanted:
        family = name.partition(":")[0]
        if any(other.partition(":")[0] == family for other in DESIGNS):
            find_design(name)
        raise NoughtsError(f"{name!r} is not a property: expected {', '.join(known)}, or a design")
    return wanted


def _with_line(words: str, work: Callable[[], Any]) -> Any:
    """Do the work with a line on the terminal that says what it is."""
    with progress_line() as say:
        say(words)
        return work()
