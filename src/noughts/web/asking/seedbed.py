"""What the process loads that thinkers are forked from, and nobody else: all that they need, and the game asked most.

It ends when its server and all thinkers have ended, also if they were killed, and takes with it the file of its socket,
which a server that was killed leaves behind.
"""

import atexit
from contextlib import suppress
from multiprocessing import forkserver
from pathlib import Path

import noughts.web.asking.thinker  # noqa: F401
from noughts.web.asking.questions import warm_up

__all__: list[str] = []

warm_up()


@atexit.register  # thinkers themselves end without it
def _tidy_up() -> None:
    address = getattr(forkserver._forkserver, "_forkserver_address", None)
    if isinstance(address, str):
        with suppress(OSError):  # a server that could has done it
            Path(address).unlink()
            Path(address).parent.rmdir()
