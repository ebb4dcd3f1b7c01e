"""Long compiled loops that Ctrl-C ends at once.

Python notes a signal when it arrives and calls its handler later: in the main thread, between two bytecodes. A compiled
loop has no bytecodes, so that Ctrl-C, or the SIGTERM of a service manager, would wait until the loop is over. Hence
`interruptible` runs the loop in a thread of its own while the main thread waits for it, and a signal ends the wait.
This asks two things of the loop, a function compiled with `nogil=True`:

- It does not hold the GIL, the interpreter's lock, without which the main thread could not run the handler.
- It asks `stopped(stop)` every few thousand steps, and if so returns, no matter what. A thread cannot be killed: else
  the loop would go on in the background, and take a core from whatever the user does next.

A call costs 0.1 ms, most of it for starting a thread: kernels of microseconds are better called directly. This module
loads the compiler.
"""

import threading
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
from numba import njit, typeof, types
from numba.extending import intrinsic
from numpy.typing import NDArray

__all__ = ["Stop", "interruptible", "never", "stopped", "within"]

Stop = NDArray[np.uint8]
"""One element: not 0 once the loop is to end."""

GRACE = 0.5
"""Seconds that an interrupted loop has to end, before the caller goes on without it."""

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def never() -> Stop:
    """A flag for those who call a kernel directly, and wait for its end."""
    return np.zeros(1, np.uint8)


def interruptible(
    kernel: Callable[Concatenate[Stop, Parameters], Result], *arguments: Parameters.args, **names: Parameters.kwargs
) -> Result:
    """What `kernel(stop, *arguments)` returns or raises, while Ctrl-C is heard.

    In any other thread than the main one, the kernel is just called: no signal handler runs there.

    Raises:
        KeyboardInterrupt, or what else the handler of a signal raises: the kernel is told to stop, and given a moment
        to do so. A kernel with parallel loops must not be called again while it runs; one that asks often enough has
        ended by then.
    """
    return within(None, kernel, *arguments, **names)


def within(
    seconds: float | None,
    kernel: Callable[Concatenate[Stop, Parameters], Result],
    *arguments: Parameters.args,
    **names: Parameters.kwargs,
) -> Result:
    """The same; after so many seconds the kernel is told to stop, and returns what it has by then.

    What the compiler needs comes on top, the first time that a kernel is called.
    """
    stop = never()
    if threading.current_thread() is not threading.main_thread():
        return _called(seconds, stop, kernel, *arguments, **names)
    if hasattr(kernel, "compile"):
        # Compile here. Python gets to handle signals between the compiler's passes; a thread that was left behind
        # inside LLVM may bring the whole process down when it ends.
        kernel.compile(tuple(map(typeof, (stop, *arguments))))
    outcome: list[Result] = []
    problem: list[BaseException] = []
    done = threading.Event()

    def work() -> None:
        try:
            outcome.append(kernel(stop, *arguments, **names))
        except BaseException as error:  # raised again below, where the caller is
            problem.append(error)
        finally:
            done.set()

    # A daemon: should it not end in time, the interpreter does not wait for it when it exits.
    threading.Thread(target=work, name="kernel", daemon=True).start()
    try:
        if not done.wait(seconds):
            stop[0] = 1
            done.wait()
    except BaseException:
        stop[0] = 1
        done.wait(GRACE)
        raise
    if problem:
        raise problem[0]
    return outcome[0]


def _called(
    seconds: float | None,
    stop: Stop,
    kernel: Callable[Concatenate[Stop, Parameters], Result],
    *arguments: Parameters.args,
    **names: Parameters.kwargs,
) -> Result:
    """What the kernel returns, called in this thread, and stopped by a timer where time is limited."""
    if seconds is None:
        return kernel(stop, *arguments, **names)

    def end() -> None:
        stop[0] = 1

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        return kernel(stop, *arguments, **names)
    finally:
        timer.cancel()


@intrinsic
def _load(_typing: Any, array: Any) -> Any:
    """An atomic load: the compiler may move an ordinary one out of the loop, which then never sees a change."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        flag = context.make_array(signature.args[0])(context, builder, arguments[0])
        return builder.load_atomic(flag.data, "monotonic", 1)

    return types.uint8(array), generate


@njit(cache=True)
def stopped(stop: Stop) -> bool:
    """Whether the loop is to end: for kernels."""
    return bool(_load(stop))  # type: ignore[call-arg]  # its first argument is the compiler's own
