"""Pages from templates: Jinja with everything escaped; and the static files that pages load."""

import re
import sys
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from fastapi import Request
from fastapi.responses import HTMLResponse, Response
from jinja2 import Environment, FileSystemBytecodeCache, PackageLoader, StrictUndefined, select_autoescape
from jinja2 import __version__ as jinja_version
from jinja2.bccache import Bucket
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from noughts import __version__
from noughts.games.picture import STYLE as BOARD_STYLE
from noughts.insight.curve import CURVE_STYLE
from noughts.insight.lessons import lessons
from noughts.silicon.pictures.drawing import STYLE as DIAGRAM_STYLE
from noughts.silicon.pictures.netlist import NETLIST_STYLE
from noughts.silicon.pictures.panel import PANEL_STYLE
from noughts.silicon.pictures.waveform import STYLE as WAVE_STYLE
from noughts.web.caching import etag_of

__all__ = ["Files", "answer", "page", "part_of", "read_templates", "render", "static"]

STATIC = Path(str(files("noughts.web") / "static"))

SCRIPT = Path(str(files("noughts.web") / "script"))

MADE = {"boards.css": (BOARD_STYLE, CURVE_STYLE), "chips.css": (DIAGRAM_STYLE, PANEL_STYLE, WAVE_STYLE, NETLIST_STYLE)}
"""The styles that pictures carry with them; files here, since pages allow no style inside."""
JOINED = "noughts.js"
"""The one script of all pages: the files of the folder `script`, an idea each, which know of each other by events and
attributes alone. Each stands in a block of its own, so that their names do not meet. Lines of comments and indents are
for readers of the files and stay there, a third of all; so do those of styles."""
STYLES = frozenset(file.name for file in STATIC.glob("*.css"))
OWN_SCRIPTS = frozenset(file.name for file in STATIC.glob("*.js"))
"""Scripts that only one page loads."""
FOREVER = "public, max-age=31536000, immutable"
"""For an address that has the fingerprint of its content."""
CHECKED = "no-cache"
"""May be kept, but is asked for again every time, with an ETag; so mostly answered with 304."""


class Entry(NamedTuple):
    """A word of the menu that every page has at its top."""

    href: str
    name: str
    within: tuple[str, ...] = ()
    """The beginnings of the paths of all pages that belong to it."""


MENU = (
    Entry("/", "Play", ("/play",)),
    Entry("/learn", "Learn", ("/learn",)),
    Entry("/puzzles", "Puzzles", ("/puzzles",)),
    Entry("/together", "Together", ("/together",)),
    Entry("/explore/tictactoe", "Explore", ("/explore",)),
    Entry("/watch", "Watch", ("/watch",)),
    Entry("/silicon", "Chips", ("/silicon",)),
    Entry("/knuth", "Knuth", ("/knuth",)),
    Entry("/history", "History", ("/history", "/review")),
    Entry("/docs", "API", ("/docs",)),
)


class Files(StaticFiles):
    """The static files; kept forever by who asks with the fingerprint of what there is now."""

    def __init__(self) -> None:
        super().__init__(directory=STATIC)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, and how long it may be kept."""
        if path in (*MADE, *STYLES, *OWN_SCRIPTS, JOINED):
            kind = "text/javascript" if path.endswith(".js") else "text/css"
            response = Response(_content(path), media_type=kind, headers={"ETag": etag_of(_content(path))})
        else:
            response = await super().get_response(path, scope)
        if response.status_code in (200, 304):
            current = Request(scope).query_params.get("v") == _fingerprint(path)
            response.headers["Cache-Control"] = FOREVER if current else CHECKED
        return response


def static(name: str) -> str:
    """The address of a static file, with the fingerprint of its content: a changed file has another address."""
    return f"/static/{name}?v={_fingerprint(name)}"


@cache
def _content(name: str) -> bytes:
    if name in MADE:
        return ("".join(re.sub("</?style>", "", style) for style in MADE[name]).strip() + "\n").encode()
    if name == JOINED:
        return b"".join(b"{\n" + _bare(file.read_bytes()) + b"}\n" for file in sorted(SCRIPT.glob("*.js")))
    content = (STATIC / name).read_bytes()
    if name in OWN_SCRIPTS:
        return _bare(content)
    return _squeezed(content) if name in STYLES else content


def _bare(script: bytes) -> bytes:
    """A script without lines of comments and without indents."""
    return re.sub(rb"(?m)^\s*//.*\n|^\s+", b"", script)


def _squeezed(style: bytes) -> bytes:
    """A style without comments and needless spaces; one before a colon means something in a selector, and stays."""
    bare = re.sub(rb"/\*.*?\*/|\s*\n\s*", b" ", style, flags=re.DOTALL)
    return re.sub(rb" *([{};,]) *|(:) +", rb"\1\2", bare).strip() + b"\n"


@cache
def _fingerprint(name: str) -> str:
    return etag_of(_content(name)).strip('"')[:12]


class Compiled(FileSystemBytecodeCache):
    """Compiled templates, kept where Python keeps its compiled modules: compiling takes a fifth of a server's start.

    Jinja dates them by the text of the template; the options below and Jinja's version are part of their names. Where
    nothing can be written nothing is kept.
    """

    def __init__(self) -> None:
        options = etag_of(Path(__file__).read_bytes() + jinja_version.encode()).strip('"')[:12]
        super().__init__(str(Path(__file__).parent / "__pycache__"), f"{options}-%s.jinja")

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a compiled template."""
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                super().dump_bytecode(bucket)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("noughts.web"),
        bytecode_cache=Compiled(),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["path"] = lambda text: quote(str(text), safe=":,/.|")
    environment.globals["version"] = __version__
    environment.globals["static"] = static
    environment.globals["menu"] = MENU
    environment.globals["lessons"] = lessons
    return environment


def read_templates() -> None:
    """Have all templates compiled, so that no first visitor waits for that."""
    for name in _environment().list_templates():
        _environment().get_template(name)


def page(
    request: Request, template: str, *, status: int = 200, headers: dict[str, str] | None = None, **values: Any
) -> HTMLResponse:
    """A page, or a part of one that a script of ours has asked for by name."""
    text = render(template, part_of(request, template), request_path=request.url.path, **values)
    return answer(text, status, headers)


def part_of(request: Request, template: str) -> str | None:
    """The part of a page that is asked for; None for all of it."""
    part = request.headers.get("X-Noughts-Part")
    return part if part in _environment().get_template(template).blocks else None


def render(template: str, part: str | None, **values: Any) -> str:
    """The text of a page, or of a part of it."""
    made = _environment().get_template(template)
    return "".join(made.blocks[part](made.new_context(values))) if part else made.render(values)


def answer(text: str, status: int = 200, headers: dict[str, str] | None = None) -> HTMLResponse:
    """An answer with this text, which depends on the part that was asked for."""
    return HTMLResponse(text, status, {"Cache-Control": "no-cache", "Vary": "X-Noughts-Part", **(headers or {})})
