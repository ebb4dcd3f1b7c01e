"""`noughts bench tables`: how long an answer takes from a table on a web server, beside the same from the disk.

The server is nginx, started here on a free port of loopback and ended afterwards, with a folder of tables as its files:
so what is measured is asking, comparing checksums, unpacking and keeping, without the way there and back, which is one
round trip a chunk. The table is that of six men's morris, the whole of it, made first; the user's own are measured too,
if they are on this disk and their manifests have the checksums of chunks.

An answer is all moves of a position that random play reaches; in a morris game about half of them while stones are
placed. The *first* opens the table as well, so it has the manifest to fetch; the best of five is told. The *thousandth*
is the median of the last fifty, by which time much of the table has been read. Then once more by a reader that
remembers nothing but has the chunks kept on the disk.
"""

import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any

from noughts.extras import MissingToolError
from noughts.games import Game, Position
from noughts.games import game as find_game
from noughts.games.points import point_set
from noughts.solve.chunk_cache import ChunkCache
from noughts.solve.layers.table import LayerTable
from noughts.solve.morris.making import solve_into
from noughts.solve.morris.subspaces import FEWEST
from noughts.solve.morris.table import Table as MorrisTable
from noughts.solve.remote import RemoteTable
from noughts.solve.solution import Progress
from noughts.solve.store import MANIFEST, Reader, Store
from noughts.solve.tables import Table, tables_folder
from noughts.solve.web_folder import WebFolder

__all__ = ["bench_tables", "measure", "nginx", "program"]

PROBES = 1_000
FIRSTS = 5
"""Times that a table is opened and asked once; the best is told."""
LATEST = 50
"""Of which the median is taken."""
START = 10.0
"""Seconds within which nginx has to answer."""
CONFIGURATION = """daemon off;
master_process off;
pid "{own}/pid";
error_log "{own}/errors";
events {{ worker_connections 64; }}
http {{
    access_log "{own}/asked" combined;
    client_body_temp_path "{own}/body";
    proxy_temp_path "{own}/proxy";
    fastcgi_temp_path "{own}/fastcgi";
    uwsgi_temp_path "{own}/uwsgi";
    scgi_temp_path "{own}/scgi";
    server {{ listen 127.0.0.1:{port}; root "{root}"; }}
}}
"""

Row = dict[str, Any]


def program() -> str | None:
    """Where nginx is; Debian puts it where only root looks."""
    return shutil.which("nginx", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"]))


@contextmanager
def nginx(root: Path) -> Iterator[str]:
    """A web server with the files of a folder, on loopback; its address."""
    found = program()
    if found is None:
        raise MissingToolError("a web server with tables needs nginx, which is not installed: expected Debian's nginx")
    with TemporaryDirectory() as own, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        told = Path(own) / "nginx.conf"
        told.write_text(CONFIGURATION.format(own=own, port=port, root=root))
        server = subprocess.Popen([found, "-e", f"{own}/errors", "-c", str(told)], stdin=subprocess.DEVNULL)
        try:
            _wait_for(server, port, Path(own) / "errors")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait()


def _wait_for(server: "subprocess.Popen[bytes]", port: int, errors: Path) -> None:
    """Until it answers; it is not taken for there because somebody else has the port."""
    until = perf_counter() + START
    while perf_counter() < until and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            sleep(0.01)
        else:
            return
    said = errors.read_text().strip() if errors.exists() else ""
    raise MissingToolError(f"nginx does not start: {said.splitlines()[-1] if said else 'it says nothing'}")


def bench_tables(progress: Progress) -> Iterator[Row]:
    """The first and the thousandth answer of a table on the disk, on a server, and on one whose chunks are kept."""
    with TemporaryDirectory() as name:
        six = find_game("six-mens-morris")
        solve_into(Store.create(Path(name) / six.name, six))
        folders = [Path(name) / six.name, *_of_the_user(six)]
        for number, folder in enumerate(folders):
            progress(number, len(folders))
            yield from measure(folder)


def _of_the_user(but: Game) -> list[Path]:
    """Tables on this disk whose chunks have checksums."""
    found = []
    for manifest in sorted(tables_folder().glob(f"*/{MANIFEST}")):
        store = Store.open(manifest.parent)
        if store.game is not but and store.has_sums:
            found.append(manifest.parent)
    return found


def measure(folder: Path) -> Iterator[Row]:
    """The rows of one table, which lies in a folder of tables."""
    store = Store.open(folder)
    game, positions = store.game, _positions(_table(store), store.game)
    with nginx(folder.parent) as address, TemporaryDirectory() as own:
        kept = Path(own) / "kept"

        def afar(cache: Path) -> Reader:
            found = RemoteTable.open(WebFolder(address), game, ChunkCache(cache, 1 << 40))
            assert found is not None, f"nginx has no table of {game.name}"
            return found

        ways: dict[str, tuple[Callable[[Path], Reader], bool]] = {
            "from the disk": (lambda _: Store.open(folder), False),
            "from nginx": (afar, False),
            "from nginx, chunks kept": (afar, True),
        }
        for number, (way, (opened, keeps)) in enumerate(ways.items()):
            caches = [kept if keeps else Path(own) / f"{number}.{time}" for time in range(FIRSTS)]
            firsts = []
            for cache in caches:
                began = perf_counter()
                firsts += _seconds(_table(opened(cache)), positions[:1], began)
            times = _seconds(_table(opened(kept)), positions, perf_counter())
            files = list(kept.glob("*"))
            yield {
                "table": game.name,
                "answers": way,
                "first ms": _milliseconds(min(firsts)),
                "thousandth ms": _milliseconds(sorted(times[-LATEST:])[LATEST // 2]),
                "all s": round(sum(times), 2),
                "chunks": len(files),
                "MB": round(sum(file.stat().st_size for file in files) / 1e6, 1),
            }


def _seconds(table: Table, positions: list[Position], began: float) -> list[float]:
    """How long each answer takes, the first from when it was begun."""
    times = []
    for position in positions:
        table.moves(position)
        times.append(perf_counter() - began)
        began = perf_counter()
    return times


def _table(source: Reader) -> Table:
    if source.game.rules.captures:
        return MorrisTable(source, source.game, tuple(source.rows()))
    return LayerTable(source)


def _positions(table: Table, game: Game) -> list[Position]:
    """Random positions that are not over.

    They are played at random from the start, in the morris games for up to twice as many plies as it takes to place all
    stones. A morris table with empty hands alone is asked only for those: there the stones are put down by lot.
    """
    random = Random(1)
    most = 2 * sum(game.rules.stones) if game.rules.captures else len(game.layout)
    positions: list[Position] = []
    while len(positions) < PROBES:
        position = game.start()
        if table.whole or not game.rules.captures:
            for _ in range(random.randrange(most)):
                if game.over(position) is None:
                    position = game.after(position, random.choice(game.moves(position)))
        else:
            own, other = (random.randint(FEWEST, all_of_a_side) for all_of_a_side in game.rules.stones)
            places = random.sample(range(len(game.layout)), own + other)
            position = Position((point_set(places[:own]), point_set(places[own:])), (0, 0), 0)
        if game.over(position) is None:
            positions.append(position)
    return positions


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 3)
