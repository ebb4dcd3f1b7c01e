"""The page `http-api.md` is followed by every part of the HTTP API, from the API's own description.

The description is what programs read at `/openapi.json`, and what the server shows to people at `/docs`; here it
becomes a section for every endpoint. The answers shown are those of the application itself, which is asked while the
site is built, with an empty database and no server around it; long ones are cut.
"""

import asyncio
import json
import logging
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import unquote

from fastapi import FastAPI
from sphinx.application import Sphinx

from noughts.web.api_schema import Endpoint, Row, read_description
from noughts.web.app import Settings, create_app

PAGE = "http-api"
MOST_ITEMS = 2
"""Of a list that are shown."""
MOST_TEXT = 60
"""Characters of a text that are shown."""


def add(_app: Sphinx, page: str, source: list[str]) -> None:
    """Add the endpoints to their page."""
    if page == PAGE:
        with TemporaryDirectory() as folder:
            api = create_app(Settings(database_url=f"sqlite:///{Path(folder) / 'games.db'}", patience=60))
            endpoints = read_description(api.openapi())
            answers = asyncio.run(ask(api, [one.examples[0] for one in endpoints if one.examples]))
        source[0] += "".join(section(endpoint, answers) for endpoint in endpoints) + statuses(endpoints)


async def ask(app: FastAPI, addresses: list[str]) -> dict[str, Any]:
    """What the application answers; None where it has nothing to say."""
    async with app.router.lifespan_context(app):
        return {address: await answer(app, address) for address in addresses}


async def answer(app: FastAPI, address: str) -> Any:
    """The answer at one address, as a server would ask for it (ASGI)."""
    path, _, query = address.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(b"host", b"127.0.0.1:8000")],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8000),
    }
    parts: list[bytes] = []
    status: list[int] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        status.append(message.get("status", 0))
        parts.append(message.get("body", b""))

    await app(scope, receive, send)
    return json.loads(b"".join(parts)) if status[0] == 200 else None


def section(endpoint: Endpoint, answers: dict[str, Any]) -> str:
    """One endpoint, as Markdown."""
    lines = [f"\n\n## {endpoint.title}\n\n`GET {endpoint.path}`\n"]
    lines += [f"\n{words}\n" for words in endpoint.words]
    if endpoint.parameters:
        lines.append(table("parameter", endpoint.parameters))
    lines.append(table("answer", endpoint.fields))
    for address in endpoint.examples[:1]:
        shown = answers[address]
        if shown is not None:
            lines.append(f"\n```text\n$ curl -s 'http://127.0.0.1:8000{address}'\n{pretty(shown)}\n```\n")
    others = ", ".join(f"`{address}`" for address in endpoint.examples[1:])
    lines.append(f"\nAlso: {others}.\n" if others else "")
    codes = ", ".join(code for code, _ in sorted(endpoint.statuses))
    lines.append(f"\n[Other statuses](#statuses): {codes}.\n")
    return "".join(lines)


def statuses(endpoints: list[Endpoint]) -> str:
    """What the statuses of all answers mean."""
    meanings = sorted({status for endpoint in endpoints for status in endpoint.statuses})
    rows = [f"| {code} | {_cell(words)} |" for code, words in meanings]
    return "\n".join(["\n\n## Statuses\n", "| status | meaning |", "|---|---|", *rows, ""])


def table(heading: str, rows: list[Row]) -> str:
    """Parameters, or fields of an answer."""
    lines = [f"| {heading} | kind | meaning |", "|---|---|---|"]
    lines += [
        f"| `{row.name}` | {_cell(row.kind)}{', needed' if row.needed and heading == 'parameter' else ''} | "
        f"{_cell(row.words)} |"
        for row in rows
    ]
    return "\n" + "\n".join(lines) + "\n"


def pretty(answer: Any) -> str:
    """An answer to be read: cut where it is long, and short lists in one line."""
    text = json.dumps(cut(answer), indent=2, ensure_ascii=False).replace('"…"', "…")
    return re.sub(r"\[\s+([^\[\]{}]*?)\s+\]", lambda found: f"[{' '.join(found[1].split())}]", text)


def cut(value: Any) -> Any:
    """The same, with the first few of every list and the beginning of every text."""
    if isinstance(value, dict):
        return {name: cut(inside) for name, inside in value.items()}
    if isinstance(value, list):
        return [cut(inside) for inside in value[:MOST_ITEMS]] + ["…"] * (len(value) > MOST_ITEMS)
    if isinstance(value, str) and len(value) > MOST_TEXT:
        return value[:MOST_TEXT] + "…"
    return value


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx."""
    # Some library of the chips makes the whole process talkative, and a new database has steps to tell of.
    logging.getLogger("alembic").setLevel(logging.WARNING)
    app.connect("source-read", add)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
