"""Playing at the keyboard from a test: `noughts play`, its standard input from a pipe."""

import io
import sys
from typing import NamedTuple

import pytest

from noughts.cli.main import run

__all__ = ["Played", "played"]


class Played(NamedTuple):
    """What came of a game."""

    returncode: int
    stdout: str
    stderr: str


def played(keys: str, *arguments: str, command: str = "play", encoding: str = "utf-8", **environment: str) -> Played:
    """Run `noughts play`, or another command that asks, on these keys, 80 columns wide unless told otherwise.

    In this process, since a process of its own would take half a second to start.
    """
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"COLUMNS": "80", **environment}.items():
            patch.setenv(name, value)
        streams = [io.TextIOWrapper(io.BytesIO(), encoding=encoding) for _ in range(3)]
        streams[0].buffer.write(keys.encode())
        streams[0].seek(0)
        for stream, name in zip(streams, ("stdin", "stdout", "stderr"), strict=True):
            patch.setattr(sys, name, stream)
        code = run([command, *arguments])
        for stream in streams[1:]:
            stream.flush()
        return Played(code, *(stream.buffer.getvalue().decode() for stream in streams[1:]))
