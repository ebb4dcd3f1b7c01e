"""The command `noughts web`."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Annotated

import typer

from noughts.cli.arguments import whole_number
from noughts.extras import need

__all__ = ["web"]


def web(
    host: Annotated[str, typer.Option(help="Where to listen; 0.0.0.0 lets everybody in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(parser=whole_number(1, 65535), help="The port.")] = 8000,
    workers: Annotated[int, typer.Option(parser=whole_number(1, 64), help="How many processes serve.")] = 1,
    name: Annotated[
        list[str] | None, typer.Option(help="A name by which visitors know the server; may be given several times.")
    ] = None,
    proxy: Annotated[
        str | None, typer.Option(help="The address of a proxy that is believed when it says for whom it asks.")
    ] = None,
    tables: Annotated[bool, typer.Option("--tables", help="Let others read your tables from here.")] = False,
) -> None:
    """Serve the pages and the API in a browser.

    For example: noughts web, noughts web --port 9000, noughts web --host 0.0.0.0 --name games.example
    """
    need("uvicorn", "noughts web")
    from noughts.web.server import serve  # noqa: PLC0415

    with ExitStack() as stack:

        def ready(address: str) -> None:
            print(f"Noughts is at {address} – Ctrl-C ends it.", file=sys.stderr, flush=True)
            with suppress(OSError):  # no room for another process: the first who needs the engine will wait
                stack.enter_context(_compiling_engine())

        serve(host, port, workers, names=tuple(name or ()), proxy=proxy, tables=tables, ready=ready)


@contextmanager
def _compiling_engine() -> Iterator[None]:
    """Have the engine compiled beside the server, where it has never run: else the first to need it waits ten seconds.

    In a session of its own, so that Ctrl-C ends the server and does not make the compiler complain.
    """
    command = [sys.executable, "-c", "import os; os.nice(10); import noughts.solve.engine"]
    silent = subprocess.DEVNULL
    compiler = subprocess.Popen(command, stdin=silent, stdout=silent, stderr=silent, start_new_session=True)
    try:
        yield
    finally:
        compiler.kill()
        compiler.wait()
