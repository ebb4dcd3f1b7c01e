"""The chips: a page that lists them, and a page for each, with a run that can be stepped through cycle by cycle.

    /silicon/chip1990                                  the run that the source shows
    /silicon/chip1990?moves=b2.a1&begin=user&cycle=17  a game: the user's moves, who begins, the cycle that is shown
    /silicon/referee2021?sample=case-1                 one of several runs that the source shows
    /silicon/chip1990.sv                               the design in Verilog
    /silicon/chip1990.vcd?moves=b2.a1&first=0          some hundred cycles for a waveform viewer
    /silicon/chip1990.svg?moves=b2.a1&first=0          the same as a picture
    /silicon/chip1990/blocks.svg                       a diagram as a file

The run that the source shows comes with the design as a recording (`noughts.silicon.kept`), so that the first visitor
of a fresh server waits for no compiler. Other runs are worked out beside the server (`chip_runs`); until one is there
the page says what is being done, and asks again.
"""

import re
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from noughts.games import Position, game
from noughts.games.layout import grid
from noughts.silicon.design import Design, Sample
from noughts.silicon.designs import DESIGNS
from noughts.silicon.kept import Recording, measured, recording
from noughts.silicon.pictures.drawing import Diagram, draw, standalone
from noughts.silicon.pictures.waveform import waveform
from noughts.silicon.run import Run, UnknownSampleError, find_sample, sample_of
from noughts.silicon.tools import need_package
from noughts.silicon.trace import Outline, Trace
from noughts.web.asking.thinking import BusyError, StillThinkingError
from noughts.web.pages.chip_runs import (
    chip_dump,
    chip_outline,
    chip_ready,
    chip_stretch,
    chip_verilog,
    dump,
    read_stretch,
    read_text,
)
from noughts.web.pages.chip_scene import AROUND, Scene, still
from noughts.web.pages.watch import watch_url
from noughts.web.problems import RETRY_AFTER, NotThereError
from noughts.web.rendering import page
from noughts.web.sitting import BadAddressError

__all__ = ["router"]

router = APIRouter(include_in_schema=False)

POINTS = grid(3, 3, 3).points
PAGE = 20
"""Cycles that are fetched together, so that steps need no new run."""
DUMPED, DRAWN = 500, 100
"""Cycles of a file for a viewer, and of a picture."""
MOST_CYCLE = 100_000_000
SHORT = 80
"""Characters of a beginning that says too little."""
SEARCHES = {"chip1990": "c1990", "elements2021": "minimax", "elements2021:pruning=yes": "alpha-beta"}
"""The search that goes through the same tree as a chip."""
_SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Our pictures bring their style with them, and run nothing."""

Moves = Annotated[str, Query(max_length=40)]
Begin = Annotated[str, Query(max_length=10)]
Sampled = Annotated[str, Query(max_length=40)]
Cycle = Annotated[int | None, Query(ge=0, le=MOST_CYCLE)]
First = Annotated[int, Query(ge=0, le=MOST_CYCLE)]


class ChipRun(NamedTuple):
    """A run of a chip as its URL has it."""

    name: str
    moves: tuple[str, ...]
    begin: str
    sample: str = ""

    @property
    def design(self) -> Design:
        """The design that runs."""
        return DESIGNS[self.name]

    @property
    def run(self) -> Run:
        """What is done at the pins."""
        return Run(self.moves, user_first=self.begin == "user", sample=self.sample)

    @property
    def shows(self) -> Sample | None:
        """The sample that it is, if it is a run that the source shows."""
        return sample_of(self.design, self.run)

    @property
    def recording(self) -> Recording | None:
        """What came with the design, if this is a run that the source shows."""
        return recording(self.design, self.shows.name) if self.shows else None

    def url(self, suffix: str = "", **numbers: int) -> str:
        """The address of its page, or of a file about it."""
        query: dict[str, str | int] = {
            "moves": ".".join(self.moves),
            "begin": "" if self.begin == "user" else self.begin,
            "sample": self.sample,
            **numbers,
        }
        kept = {name: value for name, value in query.items() if value != ""}
        return address(self.name) + suffix + (f"?{urlencode(kept)}" if kept else "")

    def then(self, move: str) -> "ChipRun":
        """With one more move."""
        return self._replace(moves=(*self.moves, move), sample="")


def address(design: str) -> str:
    """The page of a design."""
    return f"/silicon/{quote(design, safe='')}"


def known(name: str) -> str:
    """The name, if a design has it."""
    if name not in DESIGNS:
        raise NotThereError(f"{name[:60]!r} is not a design: expected {', '.join(DESIGNS)}")
    return name


def read_run(name: str, moves: str, begin: str, sample: str = "") -> ChipRun:
    """The run of a URL."""
    if begin not in ("user", "chip"):
        raise BadAddressError(f"begin={begin!r} is nobody: expected user or chip")
    words = tuple(word for word in moves.split(".") if word)
    for word in words:
        if word not in POINTS:
            raise BadAddressError(f"{word!r} is not a place: expected a1 to c3, with dots between, as b2.a1")
    if len(words) > len(POINTS):
        raise BadAddressError(f"{len(words)} moves are too many: expected at most {len(POINTS)}")
    if sample:
        try:
            find_sample(DESIGNS[known(name)], sample)
        except UnknownSampleError as error:
            raise NotThereError(str(error)) from None
        if words or begin != "user":
            raise BadAddressError(f"sample={sample!r} does not go with moves or begin: expected one or the other")
    return ChipRun(known(name), words, begin, sample)


@router.get("/silicon")
async def list_page(request: Request) -> Response:
    """All designs, with a picture each."""
    designs = [
        {"name": name, "url": address(name), "story": design.story, "picture": still(_telling(design), "diagram small")}
        for name, design in DESIGNS.items()
    ]
    return page(request, "silicon.html", designs=designs)


def _telling(design: Design) -> Diagram:
    """The diagram that says most about a design: its blocks, or, of one with options, the states that they change."""
    drawings = design.drawings
    return drawings.machines[-1].diagram if ":" in design.name else drawings.blocks


@router.get("/silicon/{name}.sv")
async def verilog_file(request: Request, name: str) -> Response:
    """A design in Verilog."""
    text = read_text(await request.app.state.thinking.ask(chip_verilog, known(name)))
    return _file(text, "text/plain; charset=utf-8", name, "sv")


@router.get("/silicon/{name}.vcd")
async def dump_file(
    request: Request, name: str, moves: Moves = "", begin: Begin = "user", sample: Sampled = "", first: First = 0
) -> Response:
    """Cycles of a run for a waveform viewer."""
    run = read_run(name, moves, begin, sample)
    last = await _last_of(request, run, first, DUMPED)
    if run.recording and run.recording.covers(last):
        text = dump(run.recording.trace.window(first, last))
    else:
        text = read_text(await request.app.state.thinking.ask(chip_dump, run.name, run.run, first, last))
    return _file(text, "text/plain; charset=utf-8", name, "vcd")


@router.get("/silicon/{name}.svg")
async def waveform_file(
    request: Request, name: str, moves: Moves = "", begin: Begin = "user", sample: Sampled = "", first: First = 0
) -> Response:
    """Cycles of a run as a picture."""
    run = read_run(name, moves, begin, sample)
    last = await _last_of(request, run, first, DRAWN)
    trace = await _stretch(request, run, first, last)
    title = f"{name}, cycles {first} to {last}"
    return _file(waveform(trace, run.design.story.waves, title), "image/svg+xml", name, "svg")


@router.get("/silicon/{name}/{drawing}.svg")
async def diagram_file(name: str, drawing: str) -> Response:
    """A diagram as a file."""
    drawings = DESIGNS[known(name)].drawings
    diagrams = {"blocks": drawings.blocks, **{machine.name: machine.diagram for machine in drawings.machines}}
    if drawing not in diagrams:
        raise NotThereError(f"{drawing[:60]!r} is not a diagram of {name}: expected {', '.join(diagrams)}")
    return _file(standalone(draw(diagrams[drawing])), "image/svg+xml", f"{name} {drawing}", "svg")


@router.get("/silicon/{name}")
async def design_page(
    request: Request, name: str, moves: Moves = "", begin: Begin = "user", sample: Sampled = "", cycle: Cycle = None
) -> Response:
    """A design, and one cycle of a run of it."""
    run = read_run(name, moves, begin, sample)
    design = run.design
    fixed: dict[str, Any] = {
        "run": run,
        "story": design.story,
        "lead": _lead(design.story.words),
        "figures": measured(design),
        "drawings": design.drawings,
    }
    try:
        outline = await _outline(request, run)
        shown = _shown_first(run, outline) if cycle is None else cycle
        _check_cycle(outline, shown)
        near = shown // PAGE * PAGE
        first, last = max(0, near - AROUND), min(near + PAGE + AROUND, outline.cycles) - 1
        trace = await _stretch(request, run, first, last)
    except (StillThinkingError, BusyError) as error:
        headers = {"Retry-After": RETRY_AFTER, "Refresh": RETRY_AFTER, "Cache-Control": "no-store"}
        waiting: dict[str, Any] = {"scene": None, "words": str(error), "widths": {}, "still": still}
        return page(request, "silicon_design.html", status=503, headers=headers, **fixed, **waiting)
    values: dict[str, Any] = {
        "scene": Scene(design, trace, shown, outline.cycles),
        "outline": outline,
        "widths": trace.widths,
    }
    same = await _same_search(request, run)
    return page(request, "silicon_design.html", same=same, **fixed, **values, **_steps(run, outline, shown))


def _lead(words: str) -> str:
    """The beginning of a story: its first sentence, and more as long as that is short."""
    first, *rest = re.split(r"(?<=[.]) ", words)
    while rest and len(first) < SHORT:
        first = f"{first} {rest.pop(0)}"
    return first


async def _same_search(request: Request, run: ChipRun) -> str:
    """The page that shows the search of the last reply as a tree; nothing where none is known.

    There X begins and the chip is O, whatever their marks are here.
    """
    if run.begin != "user" or not run.moves or run.name not in SEARCHES:
        return ""
    before = run._replace(moves=run.moves[:-1])
    try:
        chip, user = (await _outline(request, before)).stones if before.moves else (0, 0)
    except (StillThinkingError, BusyError):
        return ""
    tictactoe = game("tictactoe")
    user |= 1 << POINTS.index(run.moves[-1])
    hands = tuple(size - stones.bit_count() for size, stones in zip(tictactoe.rules.stones, (user, chip), strict=True))
    position = Position((user, chip), (hands[0], hands[1]), 1)
    return "" if tictactoe.over(position) else watch_url(tictactoe, position, SEARCHES[run.name])


async def _outline(request: Request, run: ChipRun) -> Outline:
    """A run as a whole: recorded, or worked out by a chip that is compiled first."""
    if run.recording:
        return run.recording.outline
    await _ready(request, run)
    try:
        outline: Outline = await request.app.state.thinking.ask(chip_outline, run.name, run.run)
    except StillThinkingError:
        raise StillThinkingError("the chip is running") from None
    return outline


async def _ready(request: Request, run: ChipRun) -> None:
    """Wait until the chip is compiled."""
    need_package("amaranth", f"a run of {run.name}")
    try:
        await request.app.state.thinking.ask(chip_ready, run.name)
    except StillThinkingError:
        raise StillThinkingError(
            "the chip is being compiled into a program, once for all its runs, which takes some seconds"
        ) from None


async def _stretch(request: Request, run: ChipRun, first: int, last: int) -> Trace:
    """Cycles of a run of which there is an outline."""
    if run.recording and run.recording.covers(last):
        return run.recording.trace.window(first, last)
    await _ready(request, run)
    return read_stretch(await request.app.state.thinking.ask(chip_stretch, run.name, run.run, first, last))


def _shown_first(run: ChipRun, outline: Outline) -> int:
    """The beginning of the source's run, or the last reply of a game."""
    return 0 if run.shows or not outline.replies else outline.replies[-1][0]


def _check_cycle(outline: Outline, cycle: int) -> None:
    if cycle >= outline.cycles:
        raise BadAddressError(f"cycle {cycle} is behind the run: expected 0 to {outline.cycles - 1}")


async def _last_of(request: Request, run: ChipRun, first: int, most: int) -> int:
    """The last of at most so many cycles of a run."""
    outline = await _outline(request, run)
    _check_cycle(outline, first)
    return min(first + most, outline.cycles) - 1


def _file(text: str, media_type: str, name: str, ending: str) -> Response:
    stem = re.sub("[^a-z0-9]+", "_", name)
    headers = {"Content-Disposition": f'attachment; filename="{stem}.{ending}"', "Cache-Control": "no-cache"}
    if ending == "svg":
        headers |= {"Content-Security-Policy": _SVG_POLICY, "Content-Disposition": f'inline; filename="{stem}.svg"'}
    return Response(text, media_type=media_type, headers=headers)


def _steps(run: ChipRun, outline: Outline, cycle: int) -> dict[str, Any]:
    """Where the links of a page lead."""
    last = outline.cycles - 1
    later = [first for first, _ in outline.replies if first > cycle]
    steps = [
        ("first", "first", "first cycle", 0),
        ("back10", "−10", "ten cycles back", cycle - 10),
        ("back", "−1", "one cycle back", cycle - 1),
        ("on", "+1", "one cycle on", cycle + 1),
        ("on10", "+10", "ten cycles on", cycle + 10),
        ("last", "last", "last cycle", last),
        ("reply", f"next {_word(run)}", f"next {_word(run)}", later[0] if later else cycle),
        ("on100", "", "", cycle + 100),  # not shown: the script presses it
    ]
    return {
        "cycle": cycle,
        "steps": [
            {
                "key": key,
                "text": text,
                "label": label,
                "url": run.url(cycle=goal) if 0 <= goal <= last and goal != cycle else "",
            }
            for key, text, label, goal in steps
        ],
        "replies": _replies(run, outline, cycle),
        "places": _places(run, outline),
        "files": {
            "VCD": run.url(".vcd", first=cycle // DUMPED * DUMPED),
            "SVG": run.url(".svg", first=cycle // DRAWN * DRAWN),
        },
    }


def _word(run: ChipRun) -> str:
    """What a stretch of work is: at the referee somebody plays."""
    return "reply" if run.design.plays or not run.design.driver.presses else "play"


def _replies(run: ChipRun, outline: Outline, cycle: int) -> list[dict[str, Any]]:
    """Every stretch of work: from where to where on the line from 0 to 1, and the page of its first cycle."""
    found = []
    number = 0
    for first, last in outline.replies:
        beginning = first == 0
        number += not beginning
        found.append(
            {
                "name": "from the reset" if beginning else f"{_word(run)} {number}",
                "first": first,
                "last": last,
                "url": run.url(cycle=first),
                "here": first <= cycle <= last,
                "from": 100 * first / outline.cycles,
                "length": 100 * (last + 1 - first) / outline.cycles,
            }
        )
    return found


def _places(run: ChipRun, outline: Outline) -> list[dict[str, str]]:
    """The board of a game that the visitor plays: a stone, or the page on which the place is pressed."""
    presses = run.design.driver.presses
    chip, user = (0, 0) if run.shows and presses else outline.stones
    marks = (run.design.mark, "X" if run.design.mark == "O" else "O")
    places = []
    for place, point in enumerate(POINTS):
        stone = marks[0] if chip >> place & 1 else marks[1] if user >> place & 1 else ""
        free = presses and not stone and (run.shows or not outline.over)
        places.append({"point": point, "stone": stone, "url": run.then(point).url() if free else ""})
    return places
