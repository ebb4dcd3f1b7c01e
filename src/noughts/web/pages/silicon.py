"""The chips: a page that lists them, and a page for each, with a run that can be stepped through cycle by cycle.

    /silicon/chip1990                                  the run that the source shows
    /silicon/chip1990?moves=b2.a1&begin=user&cycle=17  a game: the user's moves, who begins, the cycle that is shown
    /silicon/chip1990?pins=q1JKKUpV…&signals=cp.led    what was done at the pins; the signals that the waveform shows
    /silicon/chip1990/pins                             its pins, and the package
    /silicon/chip1990/hand?pins=q1JKKUpV…&cycles=3     three cycles more: leads to the page with them
    /silicon/chip1990.sv                               the design in Verilog
    /silicon/chip1990.vcd?moves=b2.a1&first=0          some hundred cycles for a waveform viewer
    /silicon/chip1990.svg?moves=b2.a1&first=0          the same as a picture
    /silicon/chip1990/blocks.svg                       a diagram, or the package, as a file

The runs that the source shows come with the design as recordings (`noughts.silicon.kept`), so that the first visitor
of a fresh server waits for no compiler. Other runs are worked out beside the server (`chip_runs`); until one is there
the page says what is being done, and asks again.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import RedirectResponse, Response

from noughts.extras import need
from noughts.games import NoughtsError, Position, game
from noughts.insight.searching import find_how, reckon
from noughts.silicon.design import Design
from noughts.silicon.designs import DESIGNS
from noughts.silicon.kept import compared, measured, recording
from noughts.silicon.pictures.drawing import draw, standalone
from noughts.silicon.pictures.package import draw_package, package_file
from noughts.silicon.pictures.waveform import waveform
from noughts.silicon.pinout import pin_rows, tally
from noughts.silicon.stimulus import StimulusError
from noughts.silicon.trace import Outline, Trace
from noughts.web.asking.thinking import BusyError, StillThinkingError
from noughts.web.pages.chip_address import DRAWN, DUMPED, ChipRun, address, known, links, read_run
from noughts.web.pages.chip_hand import MOST_PASSING, Hand
from noughts.web.pages.chip_runs import (
    chip_dump,
    chip_outline,
    chip_ready,
    chip_stimulus,
    chip_stretch,
    chip_verilog,
    chip_widths,
    dump,
    read_stretch,
    read_text,
)
from noughts.web.pages.chip_scene import AROUND, Scene, still, thumbnail
from noughts.web.pages.watch import watch_url
from noughts.web.pages.watch_runs import MOST_STEPS
from noughts.web.problems import RETRY_AFTER, NotThereError
from noughts.web.rendering import page
from noughts.web.sitting import BadAddressError

__all__ = ["router"]

router = APIRouter(include_in_schema=False)

PAGE = 20
"""Cycles that are fetched together, so that steps need no new run."""
MOST_CYCLE = 100_000_000
SHORT = 80
"""Characters of a beginning that says too little."""
PACKAGE = "package"
"""The name of the picture of the package, beside those of diagrams."""
_SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Our pictures bring their style with them, and run nothing."""

Wanted = Annotated[ChipRun, Depends(read_run)]
"""The run that an address names."""
Text = Annotated[str, Query(max_length=12_000)]
Cycle = Annotated[int | None, Query(ge=0, le=MOST_CYCLE)]
First = Annotated[int, Query(ge=0, le=MOST_CYCLE)]
Passing = Annotated[int | None, Query(ge=1, le=MOST_PASSING)]
Do = Annotated[str, Query(max_length=10)]


@router.get("/silicon")
async def list_page(request: Request) -> Response:
    """All designs, those for tic-tac-toe first; those that differ in options under one picture."""
    families: dict[str, list[dict[str, Any]]] = {}
    for name, design in DESIGNS.items():
        told = {"name": name, "url": address(name), "story": design.story, "about": design.about}
        families.setdefault(name.partition(":")[0], []).append(told | {"game": game(design.game)})
    parts: dict[str, list[dict[str, Any]]] = {"Tic-tac-toe": [], "Other games": []}
    for first, *others in families.values():
        design = DESIGNS[first["name"]]
        card = {**first, "lead": _lead(design.story.words), "others": others}
        part = "Tic-tac-toe" if {"tictactoe"} == {one["game"].name for one in (first, *others)} else "Other games"
        parts[part].append({**card, "picture": thumbnail(design.drawings.blocks)})
    return page(request, "silicon.html", parts={title: designs for title, designs in parts.items() if designs})


@router.get("/silicon/{name}.sv")
async def verilog_file(request: Request, name: str) -> Response:
    """A design in Verilog."""
    text = read_text(await request.app.state.thinking.ask(chip_verilog, known(name)))
    return _file(text, "text/plain; charset=utf-8", name, "sv")


@router.get("/silicon/{name}.vcd")
async def dump_file(request: Request, run: Wanted, first: First = 0) -> Response:
    """Cycles of a run for a waveform viewer."""
    last = await _last_of(request, run, first, DUMPED)
    if run.recording and run.recording.covers(last):
        text = dump(run.recording.trace.window(first, last))
    else:
        text = read_text(await request.app.state.thinking.ask(chip_dump, run.name, run.run, first, last))
    return _file(text, "text/plain; charset=utf-8", run.name, "vcd")


@router.get("/silicon/{name}.svg")
async def waveform_file(request: Request, run: Wanted, first: First = 0) -> Response:
    """Cycles of a run as a picture."""
    last = await _last_of(request, run, first, DRAWN)
    trace = await _stretch(request, run, first, last)
    title = f"{run.name}, cycles {first} to {last}"
    return _file(waveform(trace, run.waves, title), "image/svg+xml", run.name, "svg")


@router.get("/silicon/{name}/{drawing}.svg")
async def diagram_file(request: Request, name: str, drawing: str) -> Response:
    """A diagram or the package as a file."""
    design = DESIGNS[known(name)]
    if drawing == PACKAGE:
        return _file(package_file(design, await _widths(request, design)), "image/svg+xml", f"{name} {drawing}", "svg")
    diagrams = {
        "blocks": design.drawings.blocks,
        **{machine.name: machine.diagram for machine in design.drawings.machines},
    }
    if drawing not in diagrams:
        expected = ", ".join([*diagrams, PACKAGE])
        raise NotThereError(f"{drawing[:60]!r} is not a diagram of {name}: expected {expected}")
    return _file(standalone(draw(diagrams[drawing])), "image/svg+xml", f"{name} {drawing}", "svg")


@router.get("/silicon/{name}/pins")
async def pins_page(request: Request, name: str) -> Response:
    """The pins of a design: a table, and the package."""
    design = DESIGNS[known(name)]
    widths = await _widths(request, design)
    rows, picture = pin_rows(design, widths), draw_package(design, widths)
    values: dict[str, Any] = {"name": name, "url": address(name), "story": design.story, "package": design.pinout}
    values["sites"] = any(row.site for row in rows)
    size = (round(picture.width), round(picture.height))
    return page(request, "silicon_pins.html", rows=rows, counts=tally(rows), size=size, **values)


@router.get("/silicon/{name}/hand")
async def go_on(request: Request, run: Wanted, cycles: Passing = None, do: Do = "") -> Response:
    """To the run at the pins that goes on where this one ends; without one, to one that begins with a reset."""
    hand = Hand(run.design, await _widths(request, run.design))
    text = run.stimulus
    if not text:
        plays = run.moves or run.sample or run.begin != "user"
        try:
            text = await _as_stimulus(request, run) if plays else hand.first()
        except (StillThinkingError, BusyError) as error:
            return _waiting(request, run, error)
    if cycles is not None:
        sent = {key: request.query_params.getlist(key) for key in request.query_params}
        text = hand.gone_on(text, hand.read(sent), cycles, reset=do == "reset")
    return RedirectResponse(run.other(stimulus=text).url(), 303)


@router.get("/silicon/{name}")
async def design_page(request: Request, run: Wanted, cycle: Cycle = None, stimulus: Text = "") -> Response:
    """A design, and one cycle of a run of it."""
    hand, wrong = Hand(run.design, await _widths(request, run.design)), ""
    if stimulus:
        try:
            return RedirectResponse(run.other(stimulus=hand.rewritten(stimulus)).url(), 303)
        except (StimulusError, BadAddressError) as error:
            wrong = str(error)
    fields = hand.fields(run.stimulus) if run.stimulus else []
    try:
        outline = await _outline(request, run)
        shown = _shown_first(run, outline) if cycle is None else cycle
        _check_cycle(outline, shown)
        near = shown // PAGE * PAGE
        first, last = max(0, near - AROUND), min(near + PAGE + AROUND, outline.cycles) - 1
        trace = await _stretch(request, run, first, last)
    except (StillThinkingError, BusyError) as error:
        return _waiting(request, run, error)
    values: dict[str, Any] = {
        **_told(run),
        **links(run, outline, shown),
        "scene": Scene(run.design, trace, shown, outline.cycles, run.waves),
        "outline": outline,
        "same": await _same_search(request, run),
        "fields": fields,
        "most": MOST_PASSING,
        "text": stimulus or run.stimulus,
        "wrong": wrong,
    }
    return page(request, "silicon_design.html", status=422 if wrong else 200, **values)


def _waiting(request: Request, run: ChipRun, error: NoughtsError) -> Response:
    """The page until the run is there, which asks again."""
    headers = {"Retry-After": RETRY_AFTER, "Refresh": RETRY_AFTER, "Cache-Control": "no-store"}
    values: dict[str, Any] = {**_told(run), "scene": None, "words": str(error), "still": still}
    return page(request, "silicon_design.html", status=503, headers=headers, **values)


def _told(run: ChipRun) -> dict[str, Any]:
    """What there is to say of a design before it runs."""
    design = run.design
    return {
        "run": run,
        "story": design.story,
        "lead": _lead(design.story.words),
        "figures": measured(design),
        "beside": DESIGNS.get(design.beside),
        "compared": compared(design, DESIGNS[design.beside]) if design.beside else [],
        "drawings": design.drawings,
        "example": _example(design.story.example),
    }


def _lead(words: str) -> str:
    """The beginning of a story: its first sentence, and more as long as that is short."""
    first, *rest = re.split(r"(?<=[.]) ", words)
    while rest and len(first) < SHORT:
        first = f"{first} {rest.pop(0)}"
    return first


def _example(text: str) -> str:
    """The page with the whole tree of a position by minimax, done; nothing for none."""
    if not text:
        return ""
    tictactoe, how = game("tictactoe"), find_how("minimax")
    position = tictactoe.read(text)
    counts = reckon(tictactoe, position, how, MOST_STEPS)
    return watch_url(tictactoe, position, how.name, counts.steps - 1 if counts else 0)


async def _same_search(request: Request, run: ChipRun) -> str:
    """The page that shows the search of the last reply as a tree; nothing where none is known.

    There X begins and the chip is O, whatever their marks are here.
    """
    if run.begin != "user" or not run.moves or not run.design.search or not run.game.placing_only:
        return ""
    before = run._replace(moves=run.moves[:-1])
    try:
        chip, user = (await _outline(request, before)).stones if before.moves else (0, 0)
    except (StillThinkingError, BusyError):
        return ""
    user |= 1 << run.game.layout.index[run.moves[-1]]
    hands = tuple(size - stones.bit_count() for size, stones in zip(run.game.rules.stones, (user, chip), strict=True))
    position = Position((user, chip), (hands[0], hands[1]), 1)
    return "" if run.game.over(position) else watch_url(run.game, position, run.design.search)


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
    need("amaranth", f"a run of {run.name}")
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


async def _widths(request: Request, design: Design) -> Mapping[str, int]:
    """The bits of every pin of a design: from a recording, or worked out."""
    for sample in design.samples:
        recorded = recording(design, sample.name)
        if recorded:
            return recorded.trace.widths
    widths: Mapping[str, int] = await request.app.state.thinking.ask(chip_widths, design.name)
    return widths


async def _as_stimulus(request: Request, run: ChipRun) -> str:
    """What is done at the pins in a run, as a text."""
    await _ready(request, run)
    return read_text(await request.app.state.thinking.ask(chip_stimulus, run.name, run.run))


def _shown_first(run: ChipRun, outline: Outline) -> int:
    """The beginning of the source's run, the last reply of a game, or the end of what was done at the pins."""
    if run.stimulus:
        return outline.cycles - 1
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
