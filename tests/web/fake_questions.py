"""Questions that are slow, quick, wrong or fatal; apart, so that a thinker loads nothing else with them."""

import os
import signal
from pathlib import Path
from time import sleep
from typing import Any

from noughts.games import IllegalPositionError


def slowly(seconds: float, answer: str) -> dict[str, Any]:
    sleep(seconds)
    return {"answer": answer, "pid": os.getpid()}


def quickly(answer: str) -> dict[str, Any]:
    return {"answer": answer, "pid": os.getpid()}


def at_once(answer: str) -> dict[str, Any]:
    return {"answer": answer, "pid": os.getpid()}


def at_length(size: int) -> str:
    return "x" * size


def wrongly(text: str) -> None:
    raise IllegalPositionError(f"{text!r} is not a legal position")


def badly(text: str) -> None:
    raise ZeroDivisionError(text)


def fatally() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fatally_once(file: str) -> int:
    if not Path(file).exists():
        Path(file).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return os.getpid()


def fails_to_start() -> None:
    raise SystemExit
