"""The diagrams as drawings: nothing overlaps, every arrow ends at its boxes, everything can be found by its name."""

import re
from itertools import combinations, pairwise
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from noughts.silicon.designs import DESIGNS
from noughts.silicon.pictures.drawing import Arrow, Box, Diagram, draw, label_lines, standalone

DIAGRAMS = {
    f"{name} {what}": diagram
    for name, drawings in ((known.name, known.drawings) for known in DESIGNS.values())
    for what, diagram in (
        ("blocks", drawings.blocks),
        *((machine.name, machine.diagram) for machine in drawings.machines),
    )
}
every_diagram = pytest.mark.parametrize("diagram", DIAGRAMS.values(), ids=DIAGRAMS)

LETTER = 6.9
"""A letter of a label in the widest of the usual fonts; those of titles are larger and bold."""
TITLE_LETTER = 8.7


class Area(NamedTuple):
    """A rectangle of paper, and what is on it."""

    what: str
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "Area") -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def within(self, other: "Area") -> bool:
        return (
            other.left <= self.left
            and self.right <= other.right
            and other.top <= self.top
            and self.bottom <= other.bottom
        )


def area(box: Box) -> Area:
    return Area(box.name, box.x - box.width / 2, box.y - box.height / 2, box.x + box.width / 2, box.y + box.height / 2)


def label(diagram: Diagram, arrow: Arrow) -> list[Area]:
    found = []
    for text, x, y, anchor in label_lines(diagram, arrow):
        width = LETTER * len(text)
        left = x - {"start": 0, "middle": 0.5, "end": 1}[anchor] * width
        found.append(Area(f"{arrow.name} {text!r}", left, y - 9, left + width, y + 3))
    return found


def stretches(diagram: Diagram, arrow: Arrow) -> list[Area]:
    return [
        Area(arrow.name, min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))
        for (x1, y1), (x2, y2) in pairwise(diagram.way(arrow))
    ]


def solid(diagram: Diagram) -> list[Box]:
    return [box for box in diagram.boxes if box.kind != "frame"]


@every_diagram
def test_nothing_has_the_name_of_another(diagram: Diagram) -> None:
    for names in ([box.name for box in diagram.boxes], [arrow.name for arrow in diagram.arrows]):
        assert len(set(names)) == len(names)


@every_diagram
def test_arrows_run_level_or_upright_and_meet_boxes_head_on(diagram: Diagram) -> None:
    for arrow in diagram.arrows:
        way = diagram.way(arrow)
        assert all((x1 == x2) != (y1 == y2) for (x1, y1), (x2, y2) in pairwise(way)), arrow.name
        for box, where, end, beyond in (
            (diagram.box(arrow.source), arrow.leave, way[0], way[1]),
            (diagram.box(arrow.target), arrow.enter, way[-1], way[-2]),
        ):
            here = area(box)
            outwards = {
                "left": end[0] == here.left and beyond[0] < end[0] and here.top < end[1] < here.bottom,
                "right": end[0] == here.right and beyond[0] > end[0] and here.top < end[1] < here.bottom,
                "top": end[1] == here.top and beyond[1] < end[1] and here.left < end[0] < here.right,
                "bottom": end[1] == here.bottom and beyond[1] > end[1] and here.left < end[0] < here.right,
            }
            assert outwards[where.rstrip("+-0123456789")], (arrow.name, where)


@every_diagram
def test_no_arrow_runs_through_a_box(diagram: Diagram) -> None:
    for arrow in diagram.arrows:
        for stretch in stretches(diagram, arrow):
            for box in solid(diagram):
                assert not stretch.overlaps(area(box)), (arrow.name, box.name)


@every_diagram
def test_arrows_cross_at_right_angles_or_not_at_all(diagram: Diagram) -> None:
    for one, other in combinations(diagram.arrows, 2):
        for here in stretches(diagram, one):
            for there in stretches(diagram, other):
                upright = here.left == here.right
                if upright == (there.left == there.right):
                    near = here._replace(
                        left=here.left - 4, top=here.top - 4, right=here.right + 4, bottom=here.bottom + 4
                    )
                    assert not near.overlaps(there), (one.name, other.name)


@every_diagram
def test_every_label_has_its_own_room(diagram: Diagram) -> None:
    paper = Area("paper", 0, 0, diagram.width, diagram.height)
    labels = [found for arrow in diagram.arrows for found in label(diagram, arrow)]
    lines = [stretch for arrow in diagram.arrows for stretch in stretches(diagram, arrow)]
    boxes = [area(box) for box in solid(diagram)]
    for found in labels:
        assert found.within(paper), found
        for other in (*lines, *boxes, *(one for one in labels if one is not found)):
            assert not found.overlaps(other), (found, other)


@every_diagram
def test_boxes_stand_apart_and_hold_their_titles(diagram: Diagram) -> None:
    paper = Area("paper", 0, 0, diagram.width, diagram.height)
    for one, other in combinations(solid(diagram), 2):
        assert not area(one).overlaps(area(other)), (one.name, other.name)
    for box in diagram.boxes:
        assert area(box).within(paper)
        letter = LETTER if box.kind == "pin" else TITLE_LETTER
        longest = max(len(line) for line in (box.title or box.name).split("\n"))
        assert longest * letter <= box.width - 6, box.name


@every_diagram
def test_the_picture_is_an_svg_in_which_everything_has_its_name(diagram: Diagram) -> None:
    lit = {diagram.boxes[0].name, diagram.arrows[0].name}
    root = ElementTree.fromstring(standalone(draw(diagram, lit, {diagram.boxes[0].name: "a note <&>"})))
    groups = [group for group in root.iter("{http://www.w3.org/2000/svg}g") if group.get("data-name")]
    assert {group.get("data-name") for group in groups} == {
        *(box.name for box in diagram.boxes),
        *(arrow.name for arrow in diagram.arrows),
    }
    assert {group.get("data-name") for group in groups if "chip-lit" in group.get("class", "").split()} == lit
    assert "a note <&>" in "".join(root.itertext())


def test_a_title_on_two_lines_spells_the_name_of_its_module() -> None:
    for drawings in (known.drawings for known in DESIGNS.values()):
        for box in drawings.blocks.boxes:
            if "\n" in box.title:
                assert re.sub(r"[\n -]", "", box.title) == box.name.replace("_", "")
