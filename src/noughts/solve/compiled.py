"""How the parts of a compiled loop are compiled.

With every function that Numba compiles it makes two more, through which Python and C may call it. Where the arguments
are named tuples of many arrays, those two take the compiler longer than the function itself. A function that only
compiled ones call needs neither; if Python called it, the process would crash.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

__all__ = ["ALONE", "part"]

Function = TypeVar("Function", bound=Callable[..., Any])

ALONE: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options of `njit` for functions that only compiled ones call."""


def part(function: Function) -> Function:
    """Compile a function that only compiled functions call, and keep its machine code."""
    compiled: Function = njit(cache=True, **ALONE)(function)
    return compiled
