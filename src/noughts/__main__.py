"""The command `noughts`, and `python -m noughts`: it looks after Ctrl-C before it loads anything else.

Loading the commands takes some tenths of a second, and an exception in the middle of an import is shown with its whole
traceback. So until the command begins, and again once it is over, a signal ends the process at once: there is nothing
to tidy up then. In between it raises KeyboardInterrupt, and the command tidies up and says what it has kept.

SIGTERM, which service managers send, is treated as Ctrl-C. The exit code is 128 plus the number of the signal, as
shells have it: 130 after Ctrl-C, 143 after SIGTERM.
"""

# The module inside `signal`, which is part of the interpreter: the outer one takes some milliseconds to load.
import _signal  # type: ignore[import-not-found]
import atexit
import os
import sys

TYPE_CHECKING = False  # that of `typing`, which takes as long; checkers of types know the name
if TYPE_CHECKING:
    from signal import _HANDLER
    from types import FrameType

__all__ = ["main"]

HEARD = (_signal.SIGINT, _signal.SIGTERM)
AGAIN = 0.02
"""Seconds until a signal is sent again that could not be handled."""


def main() -> None:
    """Run the command of this process's arguments, and exit."""
    _on_signals(_leave)
    received: list[int] = []
    codes = [1]  # of an exception that nobody handles
    atexit.register(_end, codes)  # what is registered first is called last
    from noughts.cli.main import run_process  # noqa: PLC0415  nothing is loaded before the lines above

    def interrupt(number: int, _: "FrameType | None") -> None:
        received.append(number)
        raise KeyboardInterrupt

    def unraisable(found: "sys.UnraisableHookArgs") -> None:
        """Python calls this with an exception that it can raise nowhere, as in a destructor; usually it is shown.

        Ctrl-C that strikes there would be lost: it is sent again, when other code runs. After Ctrl-C, destructors of
        things that were half made have nothing to say.
        """
        if issubclass(found.exc_type, KeyboardInterrupt):
            _send_later(received[-1])
        elif not received:
            sys.__unraisablehook__(found)

    sys.unraisablehook = unraisable
    try:
        _on_signals(interrupt)
        codes.append(run_process(sys.argv[1:]))
    except KeyboardInterrupt:
        pass  # it came just before the command, or just after
    except Exception:
        # Where Ctrl-C struck in a callback, whoever had called it missed what it should have done, and says so. The
        # compiler does: it finds no code that it has just made.
        if not received:
            raise
    finally:
        _on_signals(_leave)
    if received:
        codes.append(128 + received[-1])
    sys.exit(codes[-1])


def _on_signals(handler: "_HANDLER") -> None:
    for number in HEARD:
        # A shell starts background commands, and nohup all of them, with signals ignored that are not meant for them.
        if _signal.getsignal(number) != _signal.SIG_IGN:
            _signal.signal(number, handler)


def _leave(number: int, _: "FrameType | None") -> None:
    os._exit(128 + number)


def _send_later(number: int) -> None:
    import threading  # noqa: PLC0415  almost never needed

    timer = threading.Timer(AGAIN, os.kill, (os.getpid(), number))
    timer.daemon = True
    timer.start()


def _end(codes: list[int]) -> None:
    """End the process when all is done, without taking the interpreter apart.

    That takes a tenth of a second once the compiler is loaded, and for that long Ctrl-C would go unheard. A compiled
    loop that was interrupted and did not end (`noughts.solve.interrupt`) would crash without its code and its arrays.
    And where an interrupt had passed through `exec`, as dataclasses use it, Python would die of the signal instead of
    returning the exit code.
    """
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    finally:
        os._exit(codes[-1])


if __name__ == "__main__":
    main()
