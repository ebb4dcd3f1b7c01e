"""The memory of the first GPU, for whoever solves or checks there."""

import warnings
from typing import Any

import numba.cuda
import numpy as np

from noughts.games import NoughtsError

__all__ = ["Memory", "NoGpuError"]

cuda: Any = numba.cuda

# What is small keeps few threads busy; nobody can do anything about it.
warnings.filterwarnings("ignore", message=r".*Grid size \d+ will likely result in GPU under-utilization")


class NoGpuError(NoughtsError):
    """No GPU that can be used."""


class Memory:
    """The memory of the first GPU."""

    def __init__(self) -> None:
        if not cuda.is_available():
            raise NoGpuError("no GPU was found: expected an NVIDIA GPU with its driver, or --device cpu")
        self._loaded: dict[int, tuple[Any, Any]] = {}

    def free_bytes(self) -> int:
        """How much of it is free."""
        free: int = cuda.current_context().get_memory_info()[0]
        return free

    def load(self, values: Any) -> Any:
        """Tuples of arrays and numbers: arrays that stay the same, as those of a board, are loaded once."""
        if isinstance(values, tuple):
            return type(values)(*(self.load(value) for value in values))
        if not isinstance(values, np.ndarray):
            return values
        if id(values) not in self._loaded:
            self._loaded[id(values)] = (values, cuda.to_device(np.ascontiguousarray(values)))
        return self._loaded[id(values)][1]
