"""The files of tables for others to read from: what the manifests name, only if they are offered, and nothing else."""

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from time import sleep

import pytest
import uvicorn
from sites import Client, settings_in

from noughts.games import game
from noughts.solve.chunk_cache import ChunkCache
from noughts.solve.layers.making import solve_layers
from noughts.solve.layers.table import LayerTable, open_table
from noughts.solve.remote import RemoteTable
from noughts.solve.store import Store
from noughts.solve.web_folder import WebFolder
from noughts.web.app import create_app
from noughts.web.asking.questions import analysis
from noughts.web.limits import CHUNKS

pytestmark = pytest.mark.slow

GAME = game("mnk:4,3,3")


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with one table, and files beside it that are nobody's business."""
    folder = tmp_path_factory.mktemp("offered") / "tables"
    solve_layers(GAME, Store.create(folder / GAME.name, GAME))
    (folder / "secret").write_text("secret")
    (folder / GAME.name / "secret").write_text("secret")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NOUGHTS_TABLES", str(folder))
        yield folder


@pytest.fixture(scope="module")
def client(tables: Path) -> Iterator[Client]:
    with Client(create_app(settings_in(tables.parent, tables=True, bounded=True))) as found:
        yield found


def test_the_manifest_and_the_chunks_are_sent_as_they_are(client: Client, tables: Path) -> None:
    folder = tables / GAME.name
    manifest = client.get("/tables/mnk%3A4%2C3%2C3/manifest.json")
    assert (manifest.status_code, manifest.content) == (200, (folder / "manifest.json").read_bytes())
    for row in json.loads(manifest.content)["subspaces"]:
        for number in range(len(row["chunks"])):
            answer = client.get(f"/tables/mnk:4,3,3/{row['name']}/c.{number}.0")
            assert (answer.status_code, answer.content) == (
                200,
                (folder / row["name"] / f"c.{number}.0").read_bytes(),
            )


def test_a_damaged_table_is_our_mistake_and_names_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    rules = game("mnk:6,3,3")
    monkeypatch.setenv("NOUGHTS_TABLES", str(tmp_path / "tables"))
    solve_layers(rules, Store.create(tmp_path / "tables" / rules.name, rules))
    for chunk in (tmp_path / "tables" / rules.name).glob("*/c.*"):
        chunk.write_bytes(chunk.read_bytes()[:-1] + b"!")
    app = create_app(settings_in(tmp_path))
    # Here and not in a thinker, which may have been started by another test, with other tables.
    app.add_api_route("/asked", lambda: analysis(rules.name, rules.write(rules.start())))
    app.add_api_route("/api/v1/asked", lambda: analysis(rules.name, rules.write(rules.start())))
    with Client(app) as client:
        for path in ("/asked", "/api/v1/asked"):
            answer = client.get(path)
            assert answer.status_code == 500
            assert "a table here is damaged" in answer.text.lower()
            assert str(tmp_path) not in answer.text
    assert f"subspace 0-0 of '{tmp_path}/tables/mnk:6,3,3' is damaged" in caplog.text


@pytest.mark.parametrize(
    "path",
    [
        "mnk:4,3,3/secret",
        "mnk:4,3,3/3-3/c.1.0",
        "mnk:4,3,3/3-3/c.00.0",
        "mnk:4,3,3/3-3/zarr.json",
        "mnk:4,3,3/3-9/c.0.0",
        "mnk:4,3,3/./secret",
        "mnk:4,3,3/%2e%2e/secret",
        "mnk:4,3,3/..%2Fsecret/c.0.0",
        "mnk:4,3,3/3-3/..%2F..%2Fsecret",
        "..%2Ftables%2Fmnk:4,3,3/manifest.json",
        "mnk:4,3,3%2F/manifest.json",
        "mnk:4,3,4/manifest.json",
        "tictactoe/manifest.json",
        "chess/manifest.json",
    ],
)
def test_nothing_else_is_sent(path: str, client: Client) -> None:
    answer = client.get(f"/tables/{path}")
    assert answer.status_code == 404


def test_tables_are_offered_only_if_that_was_said(tables: Path, tmp_path: Path) -> None:
    assert tables.is_dir()
    with Client(create_app(settings_in(tmp_path))) as client:
        assert client.get("/tables/mnk:4,3,3/manifest.json").status_code == 404
        assert client.get("/tables/mnk:4,3,3/3-3/c.0.0").status_code == 404


def test_an_address_may_fetch_so_many_chunks(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client.app.state.chunks, "_bucket", CHUNKS._replace(size=3, refill=0.01))  # type: ignore[attr-defined]
    codes = [client.get("/tables/mnk:4,3,3/3-3/c.0.0").status_code for _ in range(5)]
    assert codes == [200, 200, 200, 429, 429]


def test_another_noughts_reads_from_it(tables: Path, tmp_path: Path) -> None:
    app = create_app(settings_in(tmp_path, tables=True, bounded=True))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not server.started and thread.is_alive():
            sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        folder = WebFolder(f"http://127.0.0.1:{port}/tables")
        source = RemoteTable.open(folder, GAME, ChunkCache(tmp_path / "kept", 1_000_000_000))
        assert source is not None
        afar, here = LayerTable(source), open_table(tables / GAME.name)
        position = GAME.start()
        while GAME.over(position) is None:
            assert afar.moves(position) == here.moves(position)
            position = here.moves(position)[0].position
        assert RemoteTable.open(folder, game("mnk:5,5,4"), ChunkCache(tmp_path / "kept", 0)) is None
    finally:
        server.should_exit = True
        thread.join()
