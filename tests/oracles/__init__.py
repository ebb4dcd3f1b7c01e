"""Slow, plain implementations of the rules that the fast ones are compared with."""

from .base import Oracle, State
from .rules import oracle, perft
from .values import solve

__all__ = ["Oracle", "State", "oracle", "perft", "solve"]
