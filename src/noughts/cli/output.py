"""Where output goes: answers to standard output, messages and progress to standard error, files to their places.

Whatever the streams are (a terminal of any width, a pipe, nothing at all, an encoding without ×) and wherever a path
leads, a command that uses these functions ends with its answer or with one line, and destroys nothing.
"""

import codecs
import errno
import json
import os
import shutil
import stat
import sys
import textwrap
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from secrets import token_hex
from threading import Event, Thread, Timer
from time import perf_counter
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from noughts.games import NoughtsError
from noughts.solve import Progress

__all__ = [
    "append_to_file",
    "check_writable",
    "clock",
    "console",
    "counted",
    "emit",
    "mend_streams",
    "note",
    "print_columns",
    "progress_bar",
    "progress_line",
    "speaks_unicode",
    "write_file",
    "write_folder",
]

PATIENCE = 0.3
"""Seconds of work before a progress bar appears."""
GAP = "  "
"""Between columns."""
FOLDED = 12
"""Characters that a cell takes at least in a table, of those that may be broken anywhere."""
LOOKALIKES = {"×": "x", "µ": "u", "–": "-", "—": "-", "−": "-", "·": ".", "→": "->", "’": "'"}
"""What to write for some characters where an encoding lacks them; others lose their accents, or become "?"."""
TRIAL = 65_536
"""Bytes written to learn whether a disk is full."""


def console() -> Console:
    """Standard output, with colours where it is a terminal that has them and NO_COLOR is not set."""
    return Console(highlight=False, soft_wrap=False)


def speaks_unicode(console: Console) -> bool:
    """Whether line drawings and dots can be written."""
    return console.encoding.lower().startswith("utf")


def mend_streams() -> None:
    """Make the standard streams of this process take what commands write, wherever they lead.

    A stream that was closed (`>&-`, `<&-`) is None in Python, and its number would go to the next file that is
    opened, a database perhaps, which would then receive what is printed. So the numbers are taken: nothing is read from
    a closed standard input, messages to a closed standard error are dropped, and whoever writes to a closed standard
    output gets an error, as from a full disk.

    A character that the encoding of the output lacks is written as one that looks like it.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            nothing = os.open(os.devnull, os.O_WRONLY if name == "stderr" else os.O_RDONLY)
            if nothing != number:
                os.dup2(nothing, number)
                os.close(nothing)
            setattr(sys, name, open(number, "r" if name == "stdin" else "w", closefd=False))  # noqa: SIM115
    codecs.register_error("lookalike", _lookalike)
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "lookalike"), (sys.stderr, "lookalike")):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)


def _lookalike(error: UnicodeError) -> tuple[str | bytes, int]:
    """What to write for characters that an encoding lacks."""
    assert isinstance(error, UnicodeEncodeError)
    character = error.object[error.start]
    if "\udc80" <= character <= "\udcff":
        return bytes([ord(character) - 0xDC00]), error.start + 1  # a byte of a file's name, as it was read
    plain = unicodedata.normalize("NFKD", LOOKALIKES.get(character, character)).encode("ascii", "ignore").decode()
    return plain or "?", error.start + 1


def counted(count: int, one: str, many: str | None = None) -> str:
    """A number of things in words: "1 game", "2 games", "3 plies"."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def print_columns(
    heads: Sequence[str],
    rows: Sequence[Sequence[str | Text]],
    *,
    name: str | None = None,
    right: Collection[str] = (),
    fold: Collection[str] = (),
) -> None:
    """Print rows below each other, as a table where the terminal has room for it.

    Where it has not, names would be broken in the middle: then each row becomes a few lines, its name and below it the
    other cells with their heads.

    Args:
        heads: of the columns.
        rows: cells, with a colour or without.
        name: the head of the column that names a row; the first, if not given.
        right: heads of columns with numbers.
        fold: heads of columns whose cells may be broken anywhere, as positions and paths.
    """
    out = console()
    cells = [[cell if isinstance(cell, Text) else Text(cell) for cell in row] for row in rows]
    least, wished = [], []
    for column, head in enumerate(heads):
        longest = max((len(word) for row in cells for word in row[column].plain.split()), default=0)
        least.append(max(min(longest, FOLDED) if head in fold else longest, *map(len, head.split()), 0))
        wished.append(max(least[-1], len(head), *(len(row[column]) for row in cells), 0))
    room = out.width - sum(least) - len(GAP) * (len(heads) - 1)
    if room >= 0:
        widths = least
        # Columns that are short of little get it first; what is left goes to those with whole sentences.
        for column in sorted(range(len(heads)), key=lambda column: wished[column] - least[column]):
            more = min(room, wished[column] - least[column])
            widths[column] += more
            room -= more
        for row in [[Text(head, "bold") for head in heads], *cells]:
            _print_row(out, row, widths, [head in right for head in heads])
        return
    named = 0 if name is None else heads.index(name)
    for row in cells:
        out.print(row[named], soft_wrap=True)
        for head, cell in zip(heads, row, strict=True):
            if cell.plain and head != heads[named]:
                words = _wrap(f"{head}: {cell.plain}" if head else cell.plain, out.width - 2, breaks=head in fold)
                for line in words:
                    out.print(Text(f"  {line}", cell.style), soft_wrap=True)


def _print_row(out: Console, row: Sequence[Text], widths: Sequence[int], right: Sequence[bool]) -> None:
    wrapped = [_wrap(cell.plain, width, breaks=True) for cell, width in zip(row, widths, strict=True)]
    for number in range(max(map(len, wrapped))):
        line = Text()
        for cell, lines, width, to_the_right in zip(row, wrapped, widths, right, strict=True):
            words = lines[number] if number < len(lines) else ""
            line.append(" " * (width - len(words)) * to_the_right).append(words, cell.style)
            line.append(" " * (width - len(words)) * (not to_the_right) + GAP)
        line.rstrip()
        out.print(line, soft_wrap=True)


def _wrap(text: str, width: int, *, breaks: bool) -> list[str]:
    return textwrap.wrap(text, max(1, width), break_long_words=breaks, break_on_hyphens=False) or [""]


def emit(answer: dict[str, Any] | list[Any]) -> None:
    """Write an answer for programs; with escapes, if the encoding of the output lacks a character."""
    text = json.dumps(answer, indent=2, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(answer, indent=2)
    sys.stdout.write(text + "\n")


def note(words: str) -> None:
    """A line for people that is no part of the answer; if nobody can receive it, it is dropped."""
    with suppress(OSError):
        print(words, file=sys.stderr)


def write_file(path: Path, content: str | bytes) -> None:
    """Write a whole file or none.

    A regular file is written beside its place and then renamed over it (an atomic rename): whoever reads sees the old
    file or the new one, and a full disk or Ctrl-C leaves the old one as it was. Symlinks are followed first, or the
    rename would replace the link. What is there and is no regular file (a device, a FIFO, /dev/stdout) is written into.

    Raises:
        NoughtsError: if it cannot be written; then nothing is left behind.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        there = _stat(path)
        own = _own_output(there)
        if own is not None or (there is not None and not stat.S_ISREG(there.st_mode)):
            sys.stdout.flush()  # in case they lead to the same place: what was printed before comes before
            with open(path if own is None else own, "wb", closefd=own is None) as file:
                file.write(data)
        else:
            _replace(path, data, there)
    except OSError as error:
        raise _refusal(path, error) from error


def append_to_file(path: Path, text: str) -> None:
    """Add to the end of a file, which is made if it is not there; what is added has left this process afterwards.

    Raises:
        NoughtsError: if it cannot be written.
    """
    try:
        with path.open("ab", buffering=0) as file:
            file.write(text.encode())
    except OSError as error:
        raise _refusal(path, error) from error


def write_folder(path: Path, files: Mapping[str, str | bytes]) -> None:
    """Write a new folder of files, whole or not at all: beside its place, and then renamed.

    A name with slashes is that of a file in a folder inside.

    Raises:
        NoughtsError: if something is there already, or it cannot be written; then nothing is left behind.
    """
    beside = path.resolve().with_name(f".noughts-{token_hex(8)}")
    check_new(path)
    try:
        beside.mkdir()
        for name, content in files.items():
            (beside / name).parent.mkdir(parents=True, exist_ok=True)
            with _beside(beside / name, content.encode() if isinstance(content, str) else content) as written:
                written.replace(beside / name)
        # Should somebody have made a folder there since, this fails unless it is empty.
        beside.replace(path)
    except OSError as error:
        raise _refusal(path, error) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def check_new(path: Path) -> None:
    """Refuse a path at which `write_folder` could not make a folder: called before work that takes long.

    Raises:
        NoughtsError: if something is there already, or one may not write there.
    """
    if path.is_symlink() or path.exists():
        raise _refusal(path, FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)))
    check_writable(path)


def check_writable(path: Path) -> None:
    """Refuse a path that `write_file` could not write to: called before work that takes long.

    A file is written beside the place and removed again: permissions alone tell nothing of a full disk, of a file
    system that is mounted for reading, or of root's.

    Raises:
        NoughtsError: if the path is empty, its folder is missing, or one may not write there.
    """
    try:
        there = _stat(path)
        if there is None or stat.S_ISREG(there.st_mode):
            if there is not None and not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            with _beside(path, bytes(TRIAL)):
                pass
        elif stat.S_ISDIR(there.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        elif not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise _refusal(path, error) from error


def _refusal(path: Path, error: OSError) -> NoughtsError:
    names: dict[type[OSError], str] = {IsADirectoryError: "a file", FileExistsError: "a new folder"}
    wanted = f"the name of {names[type(error)]}" if type(error) in names else "a place to write to"
    return NoughtsError(f"{str(path)!r} cannot be written: {error.strerror}; expected {wanted}")


def _stat(path: Path) -> os.stat_result | None:
    """What is at a path, behind all symlinks; None if nothing is."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _own_output(there: os.stat_result | None) -> int | None:
    """The descriptor of standard output or error, if a regular file was found that it leads to, perhaps as /dev/stdout.

    That file must not be replaced: what is printed would go to the old one.
    """
    for number in (1, 2):
        with suppress(OSError):  # it is closed
            if there and stat.S_ISREG(there.st_mode) and os.path.samestat(there, os.fstat(number)):
                return number
    return None


def _replace(path: Path, data: bytes, there: os.stat_result | None) -> None:
    with _beside(path, data) as beside:
        if there is not None:
            with suppress(OSError):  # only root may give files away; others keep their own
                os.chown(beside, there.st_uid, there.st_gid)
            beside.chmod(stat.S_IMODE(there.st_mode))
        beside.replace(path.resolve())


@contextmanager
def _beside(path: Path, data: bytes) -> Iterator[Path]:
    """A file in the folder of what a path leads to, on the disk, removed in the end if it is still there."""
    beside = path.resolve().with_name(f".noughts-{token_hex(8)}")
    try:
        with beside.open("xb") as file:
            file.write(data)
            file.flush()
            # Before the rename: else a power cut could leave the new name with nothing in it.
            os.fsync(file.fileno())
        yield beside
    finally:
        beside.unlink(missing_ok=True)


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
        appear.join()  # else the bar might appear just after it is stopped, and stay
        bar.stop()


@contextmanager
def clock(progress: Progress, seconds: int | None) -> Iterator[None]:
    """Meanwhile, progress is the time that has passed, of so many seconds; nothing if there is no limit."""
    over, began = Event(), perf_counter()

    def tick() -> None:
        while seconds and not over.wait(PATIENCE):
            progress(min(seconds, int(perf_counter() - began)), seconds)

    ticking = Thread(target=tick, daemon=True)
    ticking.start()
    try:
        yield
    finally:
        over.set()
        ticking.join()
