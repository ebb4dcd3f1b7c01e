"""Tables for others to read from (`noughts web --tables`): the files of this user's tables, and nothing else.

Whoever sets `NOUGHTS_TABLES` to the address of these pages reads chunk by chunk what it needs (`noughts.solve.remote`),
and compares every chunk with the manifest. What is sent are the manifests, and the chunks that they name: the path of a
file is put together from names that stand in a manifest, never from what was asked for.
"""

import json
from functools import lru_cache
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse

from noughts.games import game as find_game
from noughts.solve.tables import has_tables, table_folder
from noughts.web.problems import NotThereError

__all__ = ["router"]

router = APIRouter()
MANIFEST = "manifest.json"


@router.get("/tables/{game}/manifest.json", include_in_schema=False)
def manifest(request: Request, game: str) -> FileResponse:
    """What a table holds."""
    return FileResponse(_manifest_of(request, game), headers={"Cache-Control": "no-cache"})


@router.get("/tables/{game}/{subspace}/{chunk}", include_in_schema=False)
def chunk(request: Request, game: str, subspace: str, chunk: str) -> FileResponse:
    """A chunk of a subspace, as it lies on the disk."""
    path = _manifest_of(request, game)
    found = _chunks(path, path.stat().st_mtime_ns).get(f"{subspace}/{chunk}")
    if found is None:
        raise NotThereError(f"{subspace!r} has no file {chunk!r} in the table of {game}: expected one of its manifest")
    request.app.state.chunks.pay()
    return FileResponse(found, media_type="application/octet-stream", headers={"Cache-Control": "no-cache"})


def _manifest_of(request: Request, name: str) -> Path:
    """The manifest of a game's table, if tables are offered and it is there."""
    game = find_game(name)
    path = table_folder(game) / MANIFEST
    if not (request.app.state.settings.tables and has_tables(game) and game.name == name and path.is_file()):
        raise NotThereError(f"there is no table of {name!r} to be read here: expected one that this server offers")
    return path


@lru_cache(16)
def _chunks(path: Path, _changed: int) -> dict[str, Path]:
    """The chunks that a manifest names, by how they are asked for."""
    found = {}
    for row in json.loads(path.read_text("utf-8"))["subspaces"]:
        for number in range(len(row.get("chunks", ()))):
            file = f"{row['name']}/c.{number}.0"
            found[file] = path.parent / file
    return found
