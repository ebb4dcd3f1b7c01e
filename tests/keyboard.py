"""Playing at the keyboard from a test: a process with its standard input in a pipe."""

import os
import subprocess
import sys

__all__ = ["played"]


def played(keys: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `noughts play` on these keys, in a terminal of 80 columns unless told otherwise."""
    return subprocess.run(
        [sys.executable, "-m", "noughts", "play", *arguments],
        input=keys,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "COLUMNS": "80", **environment},
    )
