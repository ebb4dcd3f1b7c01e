"""The tools that the flow stands on, and what to say when one is missing."""

import shutil
from importlib.util import find_spec

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
    """Where a program is; `package` says what to install if it is nowhere."""
    found = shutil.which(name)
    if found is None:
        raise MissingToolError(f"{purpose} needs {name}, which is not installed: expected it from {package}")
    return found
