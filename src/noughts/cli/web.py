"""The command `noughts web`."""

import sys
from typing import Annotated

import typer

from noughts.cli.arguments import whole_number

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
) -> None:
    """Serve the pages and the API in a browser.

    For example: noughts web, noughts web --port 9000, noughts web --host 0.0.0.0 --name games.example
    """
    from noughts.web.server import serve  # noqa: PLC0415

    serve(host, port, workers, names=tuple(name or ()), proxy=proxy, ready=_say)


def _say(address: str) -> None:
    print(f"Noughts is at {address} – Ctrl-C ends it.", file=sys.stderr, flush=True)
