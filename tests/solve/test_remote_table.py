"""Tables on a web server: a real one gives what the disk gives, a hostile one one line and never a value."""

import json
import os
import shutil
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any

import pytest
from numcodecs import zstd

from morris_six import SIX, any_placing, whole_six, write_table
from noughts.bench import remote
from noughts.bench.remote import nginx, program
from noughts.cli.main import run
from noughts.games import Game, Position, game
from noughts.solve import Extent, Source, knowledge, tables, web_folder
from noughts.solve.chunk_cache import ChunkCache, users_cache
from noughts.solve.layers.making import solve_layers
from noughts.solve.layers.numbering import Layers
from noughts.solve.layers.table import LayerTable, open_table
from noughts.solve.morris.table import Probe, Table
from noughts.solve.remote import RemoteTable, _unpacked
from noughts.solve.small import solving_at_most
from noughts.solve.solution import Rated
from noughts.solve.store import Store, TableError
from noughts.solve.tables import table_for
from noughts.solve.web_folder import WebFolder, WebFolderError

pytestmark = pytest.mark.slow

GAME = game("mnk:7,2,3")
GAME_FORM = Layers(GAME)
PATH = "mnk%3A7%2C2%2C3"
START = GAME.start()

Answer = tuple[int, dict[str, str], bytes]


@pytest.fixture(scope="module")
def tables_here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables")
    solve_layers(GAME, Store.create(folder / GAME.name, GAME))
    return folder


@pytest.fixture
def kept(tmp_path: Path) -> ChunkCache:
    return ChunkCache(tmp_path / "kept", 100_000_000)


@pytest.fixture(autouse=True)
def nothing_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nor is the game solved whole in memory, which comes before any table."""
    monkeypatch.setattr(tables, "_afar", {})
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    web_folder.web_folder.cache_clear()
    with solving_at_most(9):
        yield


class Site:
    """A web server in this process that serves a folder, or whatever it is told to say instead."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[str] = []
        self.instead: Callable[[str, bytes], Answer | None] = lambda _path, _content: None
        self.ended = Event()
        self.address = ""

    def answer(self, path: str) -> Answer:
        self.asked.append(path)
        file = self.folder / path.replace("%3A", ":").replace("%2C", ",").lstrip("/")
        content = file.read_bytes() if file.is_file() else b""
        usual = (200 if file.is_file() else 404, {"Content-Length": str(len(content))}, content)
        return self.instead(path, content) or usual


@pytest.fixture
def site(tables_here: Path) -> Iterator[Site]:
    """The server; what it is asked, it notes."""
    told = Site(tables_here)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            status, headers, content = told.answer(self.path)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            if "Content-Length" not in headers:
                self.close_connection = True
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    class Quiet(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """Clients that hang up are what is tested."""

    server = Quiet(("127.0.0.1", 0), Handler)
    thread = Thread(target=partial(server.serve_forever, 0.01), daemon=True)
    thread.start()
    told.address = f"http://127.0.0.1:{server.server_address[1]}"
    yield told
    told.ended.set()
    server.shutdown()
    server.server_close()
    thread.join()


def opened(address: str, kept: ChunkCache, of: Game = GAME) -> LayerTable:
    found = RemoteTable.open(WebFolder(address), of, kept)
    assert found is not None
    return LayerTable(found)


def some_positions(how_many: int) -> list[Position]:
    random, found = Random(4), []
    for _ in range(how_many):
        position = START
        for _ in range(random.randrange(12)):
            if GAME.over(position) is None:
                position = GAME.after(position, random.choice(GAME.moves(position)))
        found.append(position)
    return found


# A server as people have it


@pytest.mark.skipif(program() is None, reason="needs nginx: apt-get install nginx")
def test_nginx_gives_every_answer_of_the_disk(
    tables_here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = open_table(tables_here / GAME.name)
    with nginx(tables_here) as address:
        monkeypatch.setenv("NOUGHTS_TABLES", address)
        assert knowledge(GAME).extent is Extent.EVERY_POSITION
        for position in some_positions(200):
            found = table_for(GAME)
            assert found is not None
            assert found.probe(position) == here.probe(position)
            if GAME.over(position) is None:
                answer = knowledge(GAME).ask(position)
                assert (answer.source, answer.moves) == (Source.TABLE, here.moves(position))
        assert table_for(game("mnk:7,3,4")) is None
    # Chunks that are kept need no server; only the manifest does.
    kept = {path.name for path in (tmp_path / "cache" / "noughts" / "tables").iterdir()}
    named = {one for key in GAME_FORM.order() for one in here.source.entry(key).sums or ()}
    assert kept < named
    assert len(kept) > 10
    found = table_for(GAME)
    assert found is not None
    assert found.moves(START) == here.moves(START)


def test_stones_in_hand_are_told_by_a_whole_morris_table_on_a_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its subspaces have a plus in their names, which some servers take for a space unless it is quoted."""
    write_table(tmp_path / "served" / SIX.name, whole_six())
    probe, random = Probe(whole_six(), SIX), Random(5)
    with nginx(tmp_path / "served") as address:
        monkeypatch.setenv("NOUGHTS_TABLES", address)
        assert knowledge(SIX).extent is Extent.EVERY_POSITION
        for in_hand in (1, 2, 4, 7, 9, 12):
            position = any_placing(random, in_hand)
            answer = knowledge(SIX).ask(position)
            assert (answer.source, answer.value) == (Source.TABLE, probe.value(position))
            assert answer.moves == probe.moves(position)


def test_the_manifest_is_fetched_once_and_every_chunk_once(site: Site, kept: ChunkCache) -> None:
    for _ in range(2):
        table = opened(site.address, kept)
        for position in some_positions(50):
            table.probe(position)
    chunks = [path for path in site.asked if "/c." in path]
    assert len(chunks) == len(set(chunks)) > 5
    assert site.asked.count(f"/{PATH}/manifest.json") == 2
    assert not [path for path in site.asked if path.endswith("zarr.json")]


def test_a_table_that_the_server_lacks_is_asked_for_once_in_a_while(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOUGHTS_TABLES", site.address)
    for _ in range(3):
        assert table_for(game("mnk:7,3,4")) is None
    assert len(site.asked) == 1
    monkeypatch.setattr(tables, "monotonic", lambda: monotonic() + tables.ABSENT + 1)
    assert table_for(game("mnk:7,3,4")) is None
    assert len(site.asked) == 2


def test_a_table_on_the_disk_comes_first(
    site: Site, tables_here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOUGHTS_TABLES", site.address)
    own = tmp_path / "data" / "noughts" / "tables"
    assert tables.how_to_make(GAME).endswith(str(own / GAME.name))
    shutil.copytree(tables_here, own)
    found = table_for(GAME)
    assert found is not None
    assert found.probe(START) is not None
    assert site.asked == []


def test_redirects_are_followed_to_other_web_servers(site: Site, kept: ChunkCache) -> None:
    site.instead = lambda path, _: (
        None if path.startswith("/to") else (302, {"Location": f"/to{path}", "Content-Length": "0"}, b"")
    )
    (site.folder / "to").symlink_to(site.folder)
    try:
        assert opened(site.address, kept).probe(START) == open_table(site.folder / GAME.name).probe(START)
    finally:
        (site.folder / "to").unlink()


@pytest.mark.skipif(program() is None, reason="needs nginx: apt-get install nginx")
def test_the_measurement_reads_every_chunk_from_nginx(tables_here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "PROBES", 60)
    disk, afar, again = remote.measure(tables_here / GAME.name)
    assert (disk["table"], disk["chunks"]) == (GAME.name, 0)
    assert afar["chunks"] == again["chunks"] > 10
    assert 0 < again["thousandth ms"] <= 1000 * afar["all s"] + 5


@pytest.mark.skipif(program() is None, reason="needs nginx: apt-get install nginx")
def test_a_whole_morris_table_is_measured_with_stones_in_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_table(tmp_path / SIX.name, whole_six())
    hands = set()

    def noting(table: Table, position: Position) -> list[Rated]:
        hands.add(sum(position.hand))
        return moves(table, position)

    moves = Table.moves
    monkeypatch.setattr(Table, "moves", noting)
    monkeypatch.setattr(remote, "PROBES", 60)
    _, afar, _ = remote.measure(tmp_path / SIX.name)
    assert afar["chunks"] > 10
    assert {0, 1, 11} <= hands


# A server that is broken or lies


def flipped(content: bytes) -> bytes:
    return content[:-9] + bytes([content[-9] ^ 1]) + content[-8:]


def plain(content: bytes, **headers: str) -> Answer:
    return 200, {"Content-Length": str(len(content)), **headers}, content


LIES: dict[str, tuple[Callable[[bytes], Answer], str]] = {
    "wrong bytes": (lambda right: plain(flipped(right)), "has not the SHA-256 of the manifest"),
    "the bytes of nothing": (lambda _: plain(b""), "has not the SHA-256 of the manifest"),
    "cut short": (
        lambda right: (200, {"Content-Length": "500", "Connection": "close"}, right[:100]),
        "ends after .* of 500 bytes",
    ),
    "cut short, no length": (lambda right: (200, {}, right[:-1]), "has not the SHA-256"),
    "said to be huge": (lambda _: (200, {"Content-Length": str(1 << 40)}, b"x"), f"has {1 << 40} bytes, more than"),
    "huge, no length": (lambda _: (200, {}, bytes(3_000_000)), "has more than [0-9]+ bytes"),
    "packed": (lambda right: plain(right, **{"Content-Encoding": "gzip"}), "is packed"),
    "missing": (lambda _: (404, {"Content-Length": "0"}, b""), "is missing, which its manifest.json names"),
    "an error": (lambda _: (500, {"Content-Length": "0"}, b""), "status 500"),
    "to a file": (
        lambda _: (302, {"Location": "file:///etc/passwd", "Content-Length": "0"}, b""),
        "redirects to 'file:///etc/passwd', where http or https is allowed",
    ),
    "in circles": (lambda _: (302, {"Location": "?", "Content-Length": "0"}, b""), "more than 3 redirects"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_chunk_that_is_not_the_right_one_is_one_line_and_never_a_value(
    lie: str, site: Site, kept: ChunkCache
) -> None:
    say, words = LIES[lie]
    site.instead = lambda path, right: say(right) if "/c." in path else None
    table = opened(site.address, kept)
    with pytest.raises(WebFolderError, match=words) as said:
        table.probe(START)
    assert "\n" not in str(said.value)
    assert site.address in str(said.value)
    assert "expected" in str(said.value) or "manifest" in str(said.value)
    assert not kept.folder.exists()
    # Left alone for a moment: the same line, and no further question.
    asked = len(site.asked)
    with pytest.raises(WebFolderError) as again:
        table.probe(START)
    assert (str(again.value), len(site.asked)) == (str(said.value), asked)


def changed(path: tuple[str | int, ...], value: Any) -> Callable[[bytes], bytes]:
    def change(right: bytes) -> bytes:
        manifest = json.loads(right)
        inner = manifest
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = value
        return json.dumps(manifest).encode()

    return change


def without_sums(right: bytes) -> bytes:
    manifest = json.loads(right)
    del manifest["subspaces"][4]["chunks"]
    return json.dumps(manifest).encode()


MANIFESTS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "no JSON": (lambda _: b"<html>", "is not a manifest: expected JSON"),
    "too deep": (lambda _: b"[" * 200_000, "is not a manifest"),
    "a list": (lambda _: b"[]", "is not a manifest"),
    "of another game": (changed(("game",), "six-mens-morris"), "other rules than"),
    "of no game": (changed(("game",), "chess"), "names a game that is none"),
    "of a later format": (changed(("format",), 9), "has format 9: expected 1"),
    "without checksums": (without_sums, "no checksums of the chunks of .* to have run noughts solve"),
    "with none": (changed(("subspaces", 4, "chunks"), []), "checksums that are none: expected 1 SHA-256"),
    "with one too many": (changed(("subspaces", 0, "chunks"), ["0" * 64] * 9), "checksums that are none"),
    "with half a one": (changed(("subspaces", 0, "chunks"), ["0" * 32]), "checksums that are none"),
    "with a path": (changed(("subspaces", 0, "chunks"), ["../" * 21 + "x"]), "checksums that are none"),
    "with words for counts": (changed(("subspaces", 0, "wins"), "all"), "wins 'all': expected a number"),
    "too long": (lambda right: right + b" " * (33 << 20), "bytes, more than"),
}


@pytest.mark.parametrize("lie", MANIFESTS)
def test_a_manifest_is_read_as_what_a_stranger_sends(lie: str, site: Site, kept: ChunkCache) -> None:
    make, words = MANIFESTS[lie]
    site.instead = lambda path, right: plain(make(right)) if path.endswith("manifest.json") else None
    with pytest.raises(WebFolderError, match=words) as said:
        opened(site.address, kept)
    assert "\n" not in str(said.value)
    assert f"{site.address}/{PATH}/manifest.json" in str(said.value)


def test_the_same_game_may_be_another_object(site: Site, kept: ChunkCache) -> None:
    # The catalogue forgets boards of free size that were not asked for in a while, and makes them anew.
    equal = Game(GAME.name, GAME.layout, GAME.rules, GAME.about, GAME.title)
    table = RemoteTable.open(WebFolder(site.address), equal, kept)
    assert table is not None
    assert LayerTable(table).probe(equal.start()) is not None


def test_the_table_of_another_game_is_refused(site: Site, kept: ChunkCache, tables_here: Path) -> None:
    right = (tables_here / GAME.name / "manifest.json").read_bytes()
    site.instead = lambda path, _: plain(right) if path.endswith("manifest.json") else None
    with pytest.raises(WebFolderError, match=r"is of a table of mnk:7,2,3: expected one of mnk:7,3,4"):
        opened(site.address, kept, game("mnk:7,3,4"))


@pytest.mark.parametrize("slow", ["says nothing", "byte by byte", "head byte by byte"])
def test_a_slow_server_has_an_end(slow: str, site: Site, kept: ChunkCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_folder, "SECONDS", 0.3)
    with dripping(site.ended, slow) as address:
        began = monotonic()
        with pytest.raises(WebFolderError, match=r"cannot be read: (no whole answer within 0.3 s|timed out)"):
            opened(address, kept)
        assert monotonic() - began < 3


@contextmanager
def dripping(ended: Event, slow: str) -> Iterator[str]:
    """A server that answers a byte every twentieth of a second, or not at all."""
    words = b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 9_000
    if slow == "byte by byte":
        words = b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 9_000

    def serve(listening: socket.socket) -> None:
        taken = listening.accept()[0]
        with taken:
            for number in range(len(words)):
                if ended.wait(0.05):
                    return
                try:
                    taken.sendall(b"" if slow == "says nothing" else words[number : number + 1])
                except OSError:
                    return

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = Thread(target=serve, args=(listening,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            ended.set()
            thread.join()


def test_a_dead_server_is_one_line_of_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    monkeypatch.setenv("NOUGHTS_TABLES", address)
    assert knowledge(GAME).extent is Extent.SOME_POSITIONS
    assert run(["games"]) == 0
    capsys.readouterr()
    assert run(["value", GAME.name]) == 2
    where = f"'{address}/{PATH}/manifest.json'"
    said = f"noughts: {where} cannot be read: Connection refused; expected the manifest of a table\n"
    assert capsys.readouterr().err == said
    assert run(["play", GAME.name, "--o", "perfect"]) == 2
    assert f"perfect cannot play 'mnk:7,2,3': {where} cannot be read: Connection refused" in capsys.readouterr().err


def test_a_web_server_waits_for_no_other(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_TABLES", site.address)
    may_answer = Event()

    def late(_path: str, _content: bytes) -> None:
        may_answer.wait(5)

    site.instead = late
    with tables.nobody_waits():
        began = monotonic()
        for _ in range(10):
            assert knowledge(GAME).extent is Extent.SOME_POSITIONS
        assert monotonic() - began < 2
        may_answer.set()
        while knowledge(GAME).extent is not Extent.EVERY_POSITION:
            assert monotonic() - began < 10
            sleep(0.01)
    assert site.asked == [f"/{PATH}/manifest.json"]


def test_a_server_that_comes_back_is_asked_again(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_TABLES", site.address)
    site.instead = lambda path, right: plain(flipped(right)) if "/c." in path else None
    for _ in range(2):
        with pytest.raises(WebFolderError, match="has not the SHA-256"):
            knowledge(GAME).ask(START)
    site.instead = lambda _path, _right: None
    monkeypatch.setattr(web_folder, "monotonic", lambda: monotonic() + web_folder.QUIET + 1)
    answer = knowledge(GAME).ask(START)
    assert (answer.source, answer.value) == (Source.TABLE, open_table(site.folder / GAME.name).probe(START))
    assert site.asked.count(f"/{PATH}/manifest.json") == 2


@pytest.mark.parametrize(
    "address",
    ["ftp://a.example/t", "http://", "https://a:b@c.example", "http://a.example:99999", "http://a.example/?q"],
)
def test_what_is_no_address_of_tables_is_refused(
    address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NOUGHTS_TABLES", address)
    assert run(["value", GAME.name]) == 2
    said = capsys.readouterr().err
    assert said.endswith("is no place of tables: expected a folder, or http(s)://HOST/FOLDER\n")
    assert "a:b" not in said


def test_a_chunk_unpacks_into_its_bytes_and_no_others() -> None:
    for length in (1, 255, 256, 300, 65_791, 65_792, 1_000_000):
        content = zstd.compress(bytes(length), 3) + b"\0\0\0\0"
        assert _unpacked(content, length) == bytes(length)
        assert _unpacked(content, length - 1) is None
        assert _unpacked(content, length + 1) is None
        assert _unpacked(content[:-5], length) is None
        assert _unpacked(content[:-4] + content, length) is None
    assert _unpacked(b"", 0) is None
    assert _unpacked(b"no frame at all", 4) is None


def test_a_redirect_never_leads_out_of_the_web_nor_from_https_to_http() -> None:
    assert web_folder._led_on("https://a.example/t/x", "/y") == "https://a.example/y"
    assert web_folder._led_on("http://a.example/t/x", "https://b.example/y") == "https://b.example/y"
    for url, location in [
        ("https://a.example/x", "http://a.example/x"),
        ("http://a.example/x", "ftp://a.example/x"),
        ("http://a.example/x", "http://:80/x"),
        ("http://a.example/x", "http://me:word@a.example/x"),
    ]:
        with pytest.raises(web_folder._RefusedError, match=r"where .*https is allowed"):
            web_folder._led_on(url, location)


# What is kept on the disk


def test_a_damaged_file_of_the_cache_is_fetched_again(site: Site, kept: ChunkCache) -> None:
    right = opened(site.address, kept).probe(START)
    (file,) = kept.folder.iterdir()
    file.write_bytes(flipped(file.read_bytes()))
    assert opened(site.address, kept).probe(START) == right
    assert len([path for path in site.asked if "/c." in path]) == 2


def test_the_cache_is_bounded_and_forgets_what_was_used_longest_ago(tmp_path: Path) -> None:
    most = 64 * 4096
    kept = ChunkCache(tmp_path / "kept", most)
    pieces = {digest_of(content): content for content in (bytes([number]) * 4096 for number in range(200))}
    (tmp_path / "kept").mkdir()
    left_over = tmp_path / "kept" / ".abc.1.2"
    left_over.write_bytes(b"x")
    os.utime(left_over, ns=(0, 0))
    for number, (digest, content) in enumerate(pieces.items()):
        kept.put(digest, content)
        os.utime(tmp_path / "kept" / digest, ns=(number + 1, number + 1))
        assert sum(-(-path.stat().st_size // 4096) * 4096 for path in kept.folder.iterdir()) <= most
        if number == 40:
            first = next(iter(pieces))
            assert kept.get(first, 4096) == pieces[first]
    names = list(pieces)
    assert kept.get(names[-1], 4096) == pieces[names[-1]]
    assert kept.get(names[0], 4096) == pieces[names[0]]
    assert kept.get(names[1], 4096) is None
    assert not left_over.exists()
    kept.put(digest_of(bytes(most)), bytes(most))
    assert kept.get(digest_of(bytes(most)), most) is None


def digest_of(content: bytes) -> str:
    return sha256(content).hexdigest()


def test_where_nothing_can_be_kept_tables_are_read_all_the_same(site: Site, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    table = opened(site.address, ChunkCache(tmp_path / "file" / "kept", 1_000_000))
    assert table.probe(START) == open_table(site.folder / GAME.name).probe(START)


def test_the_bound_of_the_cache_is_said_in_megabytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NOUGHTS_TABLES_CACHE", "20")
    found = users_cache()
    assert (found.folder, found.most) == (tmp_path / "cache" / "noughts" / "tables", 20_000_000)
    monkeypatch.setenv("NOUGHTS_TABLES", "https://tables.example/noughts")
    assert run(["doctor", "--json"]) == 0
    (part,) = [part for part in json.loads(capsys.readouterr().out) if part["name"] == "tables"]
    assert part["found"] == f"https://tables.example/noughts (not asked now; kept in {found.folder}, up to 20 MB)"
    monkeypatch.setenv("NOUGHTS_TABLES_CACHE", "much")
    assert run(["doctor"]) == 2
    assert "NOUGHTS_TABLES_CACHE is 'much': expected how many megabytes" in capsys.readouterr().err


# Tables of earlier versions


def test_a_table_without_checksums_gets_them_from_the_command_that_made_it(tables_here: Path, tmp_path: Path) -> None:
    folder = tmp_path / GAME.name
    shutil.copytree(tables_here / GAME.name, folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    named = [row.pop("chunks") for row in manifest["subspaces"]]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert not Store.open(folder).has_sums
    chunk = folder / manifest["subspaces"][4]["name"] / "c.0.0"
    chunk.write_bytes(flipped(chunk.read_bytes()))
    assert run(["solve", GAME.name, "--out", str(folder)]) == 0
    found = Store.open(folder)
    again = [found.entry(key).sums for key in GAME_FORM.order()]
    expected = [tuple(sums) for sums in named]
    assert again == [*expected[:4], None, *expected[5:]], "what is damaged gets none"
    with pytest.raises(TableError, match="is damaged"):
        found.read(*GAME_FORM.order()[4])
