"""The layouts of chips: placed and routed cells, all at one scale.

    /silicon/layouts       the page: the picture, and what was measured
    /silicon/layouts.svg   the picture
    /silicon/chip1990.gds  a layout for a viewer, or a foundry

They come with the designs as files (`noughts.silicon.flow.layout`), so that nobody waits for the tools that made them.
"""

from functools import cache
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from noughts.silicon.designs import DESIGNS
from noughts.silicon.flow.layout import kept_layout, kept_layouts
from noughts.silicon.pictures.layout import draw_layouts, layouts_file
from noughts.web.pages.chip_address import address, known
from noughts.web.problems import NotThereError
from noughts.web.rendering import page

__all__ = ["router"]

router = APIRouter(include_in_schema=False)

_SVG_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    "Cache-Control": "no-cache",
}


# These are no coroutines: reading a layout takes some tenths of a second, in a thread beside the server's loop.


@router.get("/silicon/layouts")
def layouts_page(request: Request) -> Response:
    """All layouts that come with designs, and their figures."""
    return page(request, "silicon_layouts.html", size=_picture()[1], layouts=_told())


@router.get("/silicon/layouts.svg")
def layouts_picture() -> Response:
    """All layouts in one picture."""
    return Response(_picture()[0], media_type="image/svg+xml", headers=_SVG_HEADERS)


@router.get("/silicon/{name}.gds")
def layout_file(name: str) -> Response:
    """A layout as GDSII."""
    made = kept_layout(DESIGNS[known(name)])
    if made is None:
        there = ", ".join(kept_layouts())
        raise NotThereError(f"{name[:60]!r} comes without a layout: expected {there}")
    headers = {"Content-Disposition": f'attachment; filename="{made.name}.gds"', "Cache-Control": "no-cache"}
    return Response(made.gds, media_type="application/octet-stream", headers=headers)


@cache
def _picture() -> tuple[str, tuple[int, int]]:
    """The picture, and its size."""
    plans = [(made.title, made.plan()) for made in kept_layouts().values()]
    size = draw_layouts(plans)
    return layouts_file(plans), (round(size.width), round(size.height))


def _told() -> list[dict[str, Any]]:
    """What there is to say of every layout."""
    return [
        {
            "name": name,
            "url": address(name),
            "title": DESIGNS[name].story.title,
            "rows": made.rows(),
            "bytes": len(made.gds),
        }
        for name, made in kept_layouts().items()
    ]
