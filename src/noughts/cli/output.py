"""Where output goes: answers to standard output, messages and progress to standard error."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import Any

from rich.console import Console
from rich.markup import escape

from noughts.games import NoughtsError
from noughts.solve import Progress

__all__ = ["console", "emit", "note", "progress_bar", "progress_line", "speaks_unicode", "write_file"]

PATIENCE = 0.3
"""Seconds of work before a progress bar appears."""


def console() -> Console:
    """Standard output, with colours where it is a terminal that has them and NO_COLOR is not set."""
    return Console(highlight=False, soft_wrap=False)


def speaks_unicode(console: Console) -> bool:
    """Whether line drawings and dots can be written."""
    return console.encoding.lower().startswith("utf")


def emit(answer: dict[str, Any] | list[Any]) -> None:
    """Write an answer for programs."""
    sys.stdout.write(json.dumps(answer, indent=2, ensure_ascii=False) + "\n")


def note(words: str) -> None:
    """A line for people that is no part of the answer."""
    print(words, file=sys.stderr)


def write_file(path: Path, content: str | bytes) -> None:
    """Write a whole file or none: beside it first, then renamed."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(content.encode() if isinstance(content, str) else content)
        beside.replace(path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink()
        raise NoughtsError(f"{str(path)!r} cannot be written: {error.strerror}; expected a writable folder") from error


@contextmanager
def progress_line() -> Iterator[Callable[[str], None]]:
    """A line on standard error that changes, if that is a terminal: for work whose end cannot be foreseen."""
    err = Console(stderr=True)
    if not err.is_terminal:
        yield lambda _words: None
        return
    with err.status("starting") as status:
        yield lambda words: status.update(escape(words))


@contextmanager
def progress_bar(what: str) -> Iterator[Progress]:
    """A bar on standard error, if that is a terminal and the work takes long enough for one."""
    err = Console(stderr=True)
    if not err.is_terminal:
        yield lambda _done, _total: None
        return
    from rich import progress as rich_progress  # noqa: PLC0415  only now needed

    bar = rich_progress.Progress(
        rich_progress.TextColumn("{task.description}"),
        rich_progress.BarColumn(),
        rich_progress.TaskProgressColumn(),
        rich_progress.TimeRemainingColumn(),
        console=err,
        transient=True,
    )
    task = bar.add_task(what, total=None)
    appear = Timer(PATIENCE, bar.start)
    appear.daemon = True
    appear.start()
    try:
        yield lambda done, total: bar.update(task, completed=done, total=total)
    finally:
        appear.cancel()
        bar.stop()
