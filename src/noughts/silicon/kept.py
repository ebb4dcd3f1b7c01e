"""What comes with a design as files, since it takes too long to work out when somebody asks: figures and a recording.

    figures.json     what was measured: cycles, size and speed; by the names of the designs of the folder
    samples.json.gz  the runs that come with the design: each as a whole, and the first cycles signal by signal

`python -m noughts.silicon.kept` makes the recordings again, after a change of a design, and with `--figures` measures
everything again, which takes some minutes; a package named behind it, as noughts2026, is done alone. Tests compare the
recordings with what the simulator gives.
"""

import argparse
import gzip
import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from noughts.silicon.design import Design
from noughts.silicon.run import Run
from noughts.silicon.trace import Outline, Trace

if TYPE_CHECKING:
    from noughts.silicon.simulate.check import Checked

__all__ = ["Recording", "compared", "figures", "measured", "record", "recording"]

_FIGURES, _SAMPLES = "figures.json", "samples.json.gz"
_QUOTED = "source: "
"""Before figures that are not measured, but quoted."""


KEPT_CYCLES = 200
"""Of a recorded run, the cycles of which every signal is kept; the rest is run again if somebody looks there."""


class Recording(NamedTuple):
    """A run that comes with a design, recorded."""

    outline: Outline
    trace: Trace
    """Its first cycles."""

    def covers(self, last: int) -> bool:
        """Whether the trace goes so far."""
        return last < self.trace.cycles


def measured(design: Design) -> list[tuple[str, str]]:
    """The figures that come with a design: what was measured, and how much it is; none where there is no file."""
    kept = _read_figures(design).get(design.name, {})
    return [(figure, value if isinstance(value, str) else f"{value:,}") for figure, value in kept.items()]


def compared(design: Design, other: Design) -> list[tuple[str, str, str]]:
    """The figures of two designs that play, side by side: what, of this one, of the other.

    From cycles and clocks follow the slowest reply in nanoseconds, and for how many of them a millisecond has room.
    """
    both = [_read_figures(one).get(one.name, {}) for one in (design, other)]
    if not all(both):
        return []
    cycles = [max(value for figure, value in kept.items() if figure.endswith("slowest cycles")) for kept in both]
    rows: list[tuple[str, list[float]]] = [("slowest reply, cycles", cycles)]
    shared = [figure for figure in both[0] if figure in both[1] and "cycles" not in figure and "reply" not in figure]
    for figure in shared:
        values = [kept[figure] for kept in both]
        rows.append((figure, values))
        if figure.endswith(" MHz"):
            where = figure.removesuffix(" MHz")
            ns = [1000 * count / mhz for count, mhz in zip(cycles, values, strict=True)]
            rows += [
                (f"{where} slowest reply, ns", ns),
                (f"{where} replies in a millisecond", [1e6 / one for one in ns]),
            ]
    return [(figure, _rounded(own), _rounded(others)) for figure, (own, others) in rows]


def _rounded(value: float) -> str:
    """With one digit behind the point below a hundred, unless it is a whole number."""
    return f"{value:,.1f}" if value < 100 and value != int(value) else f"{value:,.0f}"


@cache
def _read_figures(design: Design) -> dict[str, Any]:
    file = design.folder / _FIGURES
    kept: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return kept


@cache
def recording(design: Design, sample: str) -> Recording | None:
    """The recording of a sample that comes with a design; None if there is none."""
    file = design.folder / _SAMPLES
    kept = json.loads(gzip.decompress(file.read_bytes())) if file.is_file() else {}
    found = kept.get(design.name, {}).get(sample)
    return None if found is None else _unpacked(design, found)


def record(design: Design, sample: str) -> Recording:
    """Run a sample of a design now."""
    from noughts.silicon.simulate.runs import outline, stretch  # noqa: PLC0415

    run = Run(sample=sample)
    whole = outline(design, run)
    return Recording(whole, stretch(design, run, 0, min(whole.cycles, KEPT_CYCLES) - 1))


def _packed(run: Recording) -> dict[str, Any]:
    """A recording as JSON; the names of values are the design's, and are not kept."""
    trace = run.trace
    return {"outline": run.outline, "widths": trace.widths, "rows": trace.rows, "undefined": trace.undefined}


def _unpacked(design: Design, kept: dict[str, Any]) -> Recording:
    cycles, replies, stones, over, simulator, said = kept["outline"]
    stretches, lines = (tuple((one, two) for one, two in pairs) for pairs in (replies, said))
    outline = Outline(cycles, stretches, tuple(stones), over, simulator, lines)
    rows, undefined = ([tuple(row) for row in kept[name]] for name in ("rows", "undefined"))
    names, widths = design.inside().names, kept["widths"]
    trace = Trace(design.name, design.half_ns, 0, widths, rows, names, undefined, design.first_ns)
    return Recording(outline, trace)


def _tried(found: "Checked") -> dict[str, int]:
    """What a design was made to do by `noughts silicon check`, and how its games ended."""
    games = "games at random" if found.seed is not None else "games"
    row = {games: 0 if found.endless else found.games, "states": found.states, "boards": found.boards}
    ends = {"won": found.wins, "drawn": found.draws, "lost": found.losses} if found.games else {}
    return {what: count for what, count in row.items() if count} | ends


def figures(design: Design) -> dict[str, Any]:
    """Measure a design: what it was tried with, its cycles, its size, its speed; and what its source reports."""
    from noughts.silicon.flow.gates import gates  # noqa: PLC0415
    from noughts.silicon.flow.timing import timing  # noqa: PLC0415
    from noughts.silicon.simulate.check import check  # noqa: PLC0415

    checked = check(design)
    row: dict[str, Any] = {"design": design.name, **_tried(checked)}
    slowest = None
    if design.plays:
        slowest = checked.slowest_cycles
        for who, user_first in (("user begins", True), ("chip begins", False)):
            most, mean = checked.cycles(user_first=user_first)
            row |= {f"{who}: slowest cycles": most, f"{who}: mean cycles": round(float(mean), 1)}
    made = gates(design)
    row |= {"flip-flops": made.flip_flops, "gates": made.two_input_gates, "depth": made.depth}
    row |= {"iCE40 LUTs": made.ice40_luts, "ECP5 LUTs": made.ecp5_luts}
    for name, fmax in timing(design).fmax_mhz.items():
        row[f"{name} MHz"] = None if fmax is None else round(fmax, 1)
        digits = 1 if slowest is None or fmax is None or slowest > fmax else 3
        row[f"{name} slowest reply µs"] = None if fmax is None or slowest is None else round(slowest / fmax, digits)
    return row | {f"{_QUOTED}{what}": words for what, words in design.reported.items()}


def _keep(designs: list[Design], *, with_figures: bool) -> None:
    """Write the files of one package, whose designs these are."""
    folder = Path(str(designs[0].folder))
    samples = {
        design.name: {sample.name: _packed(record(design, sample.name)) for sample in design.samples}
        for design in designs
    }
    # Without a time in its header, the same recording is the same file.
    (folder / _SAMPLES).write_bytes(gzip.compress(json.dumps(samples, separators=(",", ":")).encode(), mtime=0))
    if with_figures:
        rows = {design.name: figures(design) for design in designs}
        kept = {
            name: {
                figure: value
                for figure, value in row.items()
                if value is not None and figure != "design" and not figure.startswith(_QUOTED)
            }
            for name, row in rows.items()
        }
        (folder / _FIGURES).write_text(json.dumps(kept, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def main() -> None:
    """Make the files of all designs, or of some."""
    from noughts.silicon.designs import DESIGNS  # noqa: PLC0415

    parser = argparse.ArgumentParser(prog="python -m noughts.silicon.kept", description=main.__doc__)
    parser.add_argument("--figures", action="store_true", help="measure the designs as well")
    packages = {design.package.rpartition(".")[2]: design.package for design in DESIGNS.values()}
    parser.add_argument("package", nargs="*", help="as noughts2026; all, if none is named")
    asked = parser.parse_args()
    for word in asked.package:
        if word not in packages:
            parser.error(f"{word[:40]!r} is not a package of designs: expected {', '.join(packages)}")
    for word in asked.package or packages:
        _keep([design for design in DESIGNS.values() if design.package == packages[word]], with_figures=asked.figures)


if __name__ == "__main__":
    main()
