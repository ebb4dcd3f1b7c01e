"""Pages from templates: Jinja with everything escaped, and what every page has."""

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from noughts import __version__
from noughts.games.picture import STYLE

__all__ = ["STATIC", "page", "router"]

STATIC = Path(str(files("noughts.web") / "static"))

router = APIRouter()
_CSS = STYLE.removeprefix("<style>").removesuffix("</style>").strip() + "\n"


@router.get("/static/boards.css", include_in_schema=False)
async def boards_css() -> Response:
    """Colours and strokes of boards, light and dark."""
    return Response(_CSS, media_type="text/css", headers={"Cache-Control": "public, max-age=300"})


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("noughts.web"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["path"] = lambda text: quote(str(text), safe=":,/.|")
    environment.globals["version"] = __version__
    return environment


def page(
    request: Request, template: str, *, status: int = 200, headers: dict[str, str] | None = None, **values: Any
) -> HTMLResponse:
    """A page, or a part of one that a script of ours has asked for by name."""
    made = _environment().get_template(template)
    part = request.headers.get("X-Noughts-Part")
    context = {"request_path": request.url.path, **values}
    if part and part in made.blocks:
        text = "".join(made.blocks[part](made.new_context(context)))
    else:
        text = made.render(context)
    return HTMLResponse(text, status, {"Cache-Control": "no-cache", "Vary": "X-Noughts-Part", **(headers or {})})
