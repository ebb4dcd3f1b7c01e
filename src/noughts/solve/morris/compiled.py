"""How the work on tables is compiled for the processor: for many threads at once, and without counting references.

Nothing that is compiled so makes arrays. Numba counts references to arrays all the same, a dozen at every call that it
does not inline, in counters that all cores share; without that the solver is twice as fast.
"""

from collections.abc import Callable
from typing import Any

from numba import njit

__all__ = ["compiled"]

compiled: Callable[[Any], Any] = njit(nogil=True, _nrt=False)  # type: ignore[call-overload]
