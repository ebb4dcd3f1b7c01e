"""What a page shows of one cycle of a run: the chip's front, its blocks, its states, its registers, its waves.

A cycle has two halves. In the first the clock is low, and inputs change; in the second it is high, and registers have
changed. The pictures show the second half; an arrow between states is lit if it was taken at the rising edge between.
The blocks of the referee are lit as in the first half: what it says of a move counts before the clock.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from markupsafe import Markup

from noughts.games import game
from noughts.games.picture import Picture
from noughts.silicon.design import Design, Table
from noughts.silicon.pictures.drawing import Box, Diagram, Machine, draw, holds
from noughts.silicon.pictures.panel import draw_panel, either, in_words
from noughts.silicon.pictures.waveform import waveform
from noughts.silicon.trace import UNDEFINED, Trace

__all__ = ["AROUND", "WAVES", "Scene", "inline", "still", "thumbnail"]

WAVES = 13
"""Cycles that the waveform shows, with the present one in the middle where the run is long enough."""
AROUND = WAVES - 1
"""Cycles on either side of the present one that a scene may need."""


class Scene:
    """One cycle, looked at through a trace that holds it and what is around it."""

    def __init__(self, design: Design, trace: Trace, cycle: int, cycles: int, shown: Sequence[str]) -> None:
        """Of a run of so many cycles; `shown` are the signals of the waveform."""
        self.design, self.trace, self.cycle, self.cycles, self.shown = design, trace, cycle, cycles, shown
        self.story, self.drawings = design.story, design.drawings
        row = 2 * cycle - trace.start
        self.low, self.high = (trace.moment(row + half) for half in (0, 1))

    def panel(self) -> Markup:
        """The front of the chip."""
        panel = either(self.design.panel(self.high), self.design.panel(self.high.ones()))
        layout = game(self.design.game).layout
        return inline(draw_panel(panel, layout), f"The front of the chip: {in_words(panel, layout)}", "panel")

    def blocks(self) -> Markup:
        """The block diagram, with what is at work lit."""
        diagram = self.drawings.blocks
        lit = {box.name for box in diagram.boxes if box.works and self._holds(box.works)}
        lit |= {arrow.name for arrow in diagram.arrows if arrow.when and self._holds(arrow.when)}
        notes = {box.name: "\n".join(self._notes(box)) for box in diagram.boxes}
        at_work = ", ".join(box.title or box.name for box in diagram.boxes if box.name in lit).replace("\n", " ")
        return inline(draw(diagram, lit, notes), f"{diagram.title}; at work: {at_work or 'none'}", "diagram")

    def machines(self) -> list[dict[str, Any]]:
        """Every diagram of states, with the present state lit."""
        return [self._machine(machine) for machine in self.drawings.machines]

    def doing(self) -> str:
        """What the chip is doing, in plain words, if its design has such."""
        if self.design.doing is None:
            return ""
        state = self.high.text(self.drawings.machines[0].signals[0])
        return "Nobody can say: its state is undefined." if state == UNDEFINED else self.design.doing(state, self.high)

    def told(self) -> list[tuple[str, str]]:
        """The state of every controller, and what is done in it."""
        found = []
        machines = self.drawings.machines
        alike = len(machines) > 1 and len({machine.diagram for machine in machines}) == 1
        for machine in machines:
            signal = self._at_work(machine)
            if signal:
                state = self.high.text(signal)
                if state == UNDEFINED:
                    continue
                about = next((one.about for one in machine.diagram.boxes if one.name == state), "")
                number = signal.rpartition("_")[2]
                whose = f"{machine.name}, " if alike else "" if len(machine.signals) == 1 else f"element {number}, "
                found.append((whose + state, about))
        return found

    def groups(self) -> list[dict[str, Any]]:
        """All signals but those of the tables, in both halves of the cycle."""
        return [
            {"title": group.title, "rows": [self._row(name, about) for name, about in group.signals.items()]}
            for group in self.story.groups
        ]

    def table(self) -> Table | None:
        """What the design has many of, if it has: the words on a stack, or elements."""
        return self.design.table(self.high) if self.design.table else None

    def waves(self) -> dict[str, Any]:
        """The waveform around the cycle, with the cycle marked; the names apart, so that they can stay in sight."""
        first = max(0, min(self.cycle - WAVES // 2, self.cycles - WAVES))
        window = self.trace.window(first, min(first + WAVES, self.cycles) - 1)
        label = f"Waveform of cycles {first} to {first + window.cycles - 1}"
        picture = _waves(waveform(window, self.shown), self.cycle - first)
        return {"names": self.shown, "picture": inline(picture, label, "waves")}

    def signals(self) -> list[tuple[str, list[str]]]:
        """All that the waveform can show, by groups; those of the table have none and come last."""
        groups = [(group.title, [*group.signals]) for group in self.story.groups]
        told = {name for _, names in groups for name in names}
        rest = [name for name in self.trace.widths if name not in told]
        return [*groups, ("More inside", rest)] if rest else groups

    def _holds(self, condition: str) -> bool:
        return holds(condition, self.low if self.drawings.acts_first else self.high, self.trace.names)

    def _notes(self, box: Box) -> Iterator[str]:
        """The signals inside a box; a state stands for itself."""
        states = {signal for machine in self.drawings.machines for signal in machine.signals}
        for name in box.shows:
            text = self.high.text(name)
            yield text if name in states else f"{name} {text}"

    def _machine(self, machine: Machine) -> dict[str, Any]:
        before, after = ({name: half.text(name) for name in machine.signals} for half in (self.low, self.high))
        at_work = self._at_work(machine)
        notes: dict[str, str] = {}
        if len(machine.signals) > 1:
            for name in reversed(machine.signals):
                notes[after[name]] = f"{notes.get(after[name], '')} {name.rpartition('_')[2]}".strip()
        lit = {after[at_work], f"{before[at_work]}→{after[at_work]}"} if at_work else set()
        return {
            "name": machine.name,
            "about": machine.about,
            "state": after[at_work] if at_work else "",
            "picture": inline(
                draw(machine.diagram, lit, notes),
                f"{machine.diagram.title}; now {after[at_work] if at_work else 'all ready'}",
                "diagram",
            ),
        }

    def _at_work(self, machine: Machine) -> str:
        """The signal of the controller at work, of those that wait for one another the lowest; empty if none is."""
        if len(machine.signals) == 1:
            return machine.signals[0]
        return next((name for name in machine.signals if self.high[name]), "")

    def _row(self, name: str, about: str) -> dict[str, Any]:
        texts, numbers = (
            [show(name) for show in shows]
            for shows in ((self.low.text, self.high.text), (self.low.number, self.high.number))
        )
        return {"name": name, "about": about, "texts": texts, "numbers": numbers, "changed": numbers[0] != numbers[1]}


def _waves(svg: str, number: int) -> Picture:
    """A waveform without its style and without the names at its left, one of its cycles marked, counted from the left.

    There is a line in the middle of every cycle, at its rising edge, and no run is shorter than two cycles. What the
    pointer would find is shorter than in a file, a third of the whole: a wave says nothing that is not seen, a band its
    value alone.
    """
    found = re.fullmatch(r'<svg [^>]*viewBox="0 0 ([\d.]+) ([\d.]+)"[^>]*>(.*)</svg>\s*', svg, re.DOTALL)
    assert found is not None
    width, height = float(found[1]), float(found[2])
    body = re.sub(r"<style>.*?</style>\s*", "", found[3], flags=re.DOTALL)
    body = re.sub(r'<rect class="wave-low".*?</rect>\n', "", body)
    body = re.sub(r'(<rect class="wave-high"[^>]*)>.*?</rect>', r"\1/>", body)
    body = re.sub(r", \d+ to \d+ ns, cycles? [^<]*</title>", "</title>", body)
    edges = [float(x) for x in re.findall(r'<line class="wave-edge" x1="([\d.]+)"', body)]
    half = (edges[1] - edges[0]) / 2
    left = edges[0] - half - 4
    place = f'x="{edges[number] - half:g}" y="8" width="{2 * half:g}" height="{height - 12:g}"'
    mark = f'<rect class="wave-now" {place} rx="4"/>'
    return Picture(f'<g transform="translate({-left:g} 0)">\n{mark}\n{body}</g>', width - left, height)


def inline(picture: Picture, label: str, kind: str) -> Markup:
    """A picture that we drew, as an element of a page, in its own size unless that is too wide."""
    return Markup(
        '<svg class="{}" viewBox="0 0 {:g} {:g}" width="{:g}" height="{:g}" role="img" aria-label="{}">{}</svg>'
    ).format(kind, picture.width, picture.height, picture.width, picture.height, label, Markup(picture.body))


def still(diagram: Diagram, kind: str = "diagram") -> Markup:
    """A diagram with nothing lit."""
    return inline(draw(diagram), diagram.title, kind)


def thumbnail(diagram: Diagram) -> Markup:
    """A small diagram for a list of many: nothing lit, and nothing that only the pointer finds or no eye can read."""
    picture = draw(diagram)
    body = re.sub(r'<title>.*?</title>\n?|<text class="chip-label.*?</text>\n?| data-name="[^"]*"', "", picture.body)
    return inline(picture._replace(body=body), diagram.title, "diagram small")
