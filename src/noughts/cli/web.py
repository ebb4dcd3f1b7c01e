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
) -> None:
    """Serve the pages and the API in a browser.

    For example: noughts web, noughts web --port 9000
    """
    from noughts.web.server import serve  # noqa: PLC0415

    print(f"Noughts is at http://{host}:{port} – Ctrl-C ends it.", file=sys.stderr)
    serve(host, port, workers)
