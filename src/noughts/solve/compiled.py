"""How the parts of a compiled loop are compiled.

With every function that Numba compiles it makes two more, through which Python and C may call it. Where the arguments
are named tuples of many arrays, those two take the compiler longer than the function itself. A function that only
compiled ones call needs neither; if Python called it, the process would crash.

References to arrays are counted in compiled code, too: a few for every array of a named tuple, wherever it is handed
on. A function that makes no arrays can do without, if all that it calls can: the arrays belong to whoever calls the
outermost one. The search for small logic takes a third of the time so, and compiling it half. Assigning an array to a
part of another makes one, where the two might overlap; a loop does not.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

__all__ = ["ALONE", "part", "uncounted", "uncounted_part"]

Function = TypeVar("Function", bound=Callable[..., Any])

ALONE: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options of `njit` for functions that only compiled ones call."""

_UNCOUNTED: dict[str, Any] = {"_nrt": False}


def part(function: Function) -> Function:
    """Compile a function that only compiled functions call, and keep its machine code."""
    compiled: Function = njit(cache=True, **ALONE)(function)
    return compiled


def uncounted(function: Function) -> Function:
    """Compile a function that makes no arrays, for threads of Python's, and keep its machine code."""
    compiled: Function = njit(cache=True, nogil=True, **_UNCOUNTED)(function)
    return compiled


def uncounted_part(function: Function) -> Function:
    """Compile a function that makes no arrays and that only compiled functions call, and keep its machine code."""
    compiled: Function = njit(cache=True, **ALONE, **_UNCOUNTED)(function)
    return compiled
