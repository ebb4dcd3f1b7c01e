"""The command `noughts`, and `python -m noughts`: it looks after Ctrl-C before it loads anything else.

Loading the commands takes some tenths of a second, and an exception in the middle of an import is shown with its whole
traceback. So until the command begins, and again once it is over, a signal ends the process at once: there is nothing
to tidy up then. In between it raises KeyboardInterrupt, and the command tidies up and says what it has kept.

SIGTERM, which service managers send, is treated as Ctrl-C. The exit code is 128 plus the number of the signal, as
shells have it: 130 after Ctrl-C, 143 after SIGTERM.
"""

import atexit
import os
import signal
import sys
from types import FrameType

__all__ = ["main"]

HEARD = (signal.SIGINT, signal.SIGTERM)


def main() -> None:
    """Run the command of this process's arguments, and exit."""
    _on_signals(_leave)
    received: list[int] = []
    atexit.register(_end, received)  # what is registered first is called last
    from noughts.cli.main import run_process  # noqa: PLC0415  nothing is loaded before the lines above

    def interrupt(number: int, _: FrameType | None) -> None:
        received.append(number)
        raise KeyboardInterrupt

    code = 0
    try:
        _on_signals(interrupt)
        code = run_process(sys.argv[1:])
    except KeyboardInterrupt:
        pass  # noted, and in no command's way: it came just before one or just after
    _on_signals(_leave)
    sys.exit(128 + received[-1] if received else code)


def _on_signals(handler: "signal._HANDLER") -> None:
    for number in HEARD:
        # A shell starts background commands, and nohup all of them, with signals ignored that are not meant for them.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def _leave(number: int, _: FrameType | None) -> None:
    os._exit(128 + number)


def _end(received: list[int]) -> None:
    """After a signal, end without taking the interpreter apart.

    A compiled loop may still run that did not end when told to (`noughts.solve.interrupt`), and it would crash without
    its code and its arrays. And where the interrupt had passed through `exec`, as dataclasses use it, Python would
    ignore the exit code and die of the signal.
    """
    if received:
        try:
            sys.stdout.flush()
        finally:
            os._exit(128 + received[-1])


if __name__ == "__main__":
    main()
