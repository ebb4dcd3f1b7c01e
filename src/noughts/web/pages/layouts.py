"""The layouts of chips: placed and routed cells, all at one scale.

    /silicon/layouts       the page: the pictures, and what was measured
    /silicon/layouts.svg   the picture of the layouts in cells of osu035
    /silicon/tiles.svg     the picture of the tiles in cells of sky130, at a larger scale
    /silicon/chip1990.gds  a layout for a viewer, or a foundry
    /silicon/noughts2026.tile.gds  a tile

They come with the designs as files (`noughts.silicon.flow.layout`, `sky130`), so that nobody waits for the tools that
made them.
"""

from functools import cache
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from noughts.silicon.designs import DESIGNS
from noughts.silicon.flow.layout import Layout, kept_layout, kept_layouts
from noughts.silicon.flow.sky130 import kept_tile, kept_tiles
from noughts.silicon.pictures.layout import COARSE, FINE, draw_layouts, layouts_file
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
    return page(
        request,
        "silicon_layouts.html",
        size=_picture("layouts")[1],
        layouts=_told(kept_layouts()),
        tile_size=_picture("tiles")[1],
        tiles=_told(kept_tiles()),
    )


@router.get("/silicon/layouts.svg")
def layouts_picture() -> Response:
    """All layouts in one picture."""
    return Response(_picture("layouts")[0], media_type="image/svg+xml", headers=_SVG_HEADERS)


@router.get("/silicon/tiles.svg")
def tiles_picture() -> Response:
    """All tiles in one picture."""
    return Response(_picture("tiles")[0], media_type="image/svg+xml", headers=_SVG_HEADERS)


@router.get("/silicon/{name}.tile.gds")
def tile_file(name: str) -> Response:
    """A tile as GDSII."""
    return _gds(name, kept_tile(DESIGNS[known(name)]), kept_tiles())


@router.get("/silicon/{name}.gds")
def layout_file(name: str) -> Response:
    """A layout as GDSII."""
    return _gds(name, kept_layout(DESIGNS[known(name)]), kept_layouts())


def _gds(name: str, made: Layout | None, others: dict[str, Layout]) -> Response:
    if made is None:
        raise NotThereError(f"{name[:60]!r} comes without a layout: expected {', '.join(others)}")
    headers = {"Content-Disposition": f'attachment; filename="{made.name}.gds"', "Cache-Control": "no-cache"}
    return Response(made.gds, media_type="application/octet-stream", headers=headers)


@cache
def _picture(name: str) -> tuple[str, tuple[int, int]]:
    """A picture, and its size."""
    kept, scale = (kept_tiles(), FINE) if name == "tiles" else (kept_layouts(), COARSE)
    plans = [(made.title, made.plan()) for made in kept.values()]
    size = draw_layouts(plans, scale)
    return layouts_file(plans, scale), (round(size.width), round(size.height))


def _told(kept: dict[str, Layout]) -> list[dict[str, Any]]:
    """What there is to say of every layout."""
    return [
        {
            "name": name,
            "url": address(name),
            "title": DESIGNS[name].story.title,
            "rows": made.rows(),
            "bytes": len(made.gds),
        }
        for name, made in kept.items()
    ]
