"""Conditions on signals, as they stand at the arrows of a diagram: `(wins | full) & ~ground`, `phase == judge`.

A name is true while the signal is not 0; `==` and `!=` compare a signal with a number, or with the name of a value. So
what a picture says can be asked of a running chip, and checked.
"""

import ast
from collections.abc import Mapping
from functools import cache

__all__ = ["Names", "Values", "holds", "pretty", "signals_of"]

Values = Mapping[str, int]
"""Signals by name."""
Names = Mapping[str, Mapping[int, str]]
"""For signals whose values have names: value to name."""


def holds(condition: str, values: Values, names: Names) -> bool:
    """Whether a condition is true of these values."""
    return _true(_tree(condition), values, names)


def pretty(condition: str) -> str:
    """A condition as it is printed."""
    return condition.replace("~", "¬").replace("==", "=").replace("!=", "≠")


def signals_of(condition: str) -> set[str]:
    """The signals that a condition speaks of."""
    tree = _tree(condition)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return names - {
        side.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        for side in node.comparators
        if isinstance(side, ast.Name)
    }


@cache
def _tree(condition: str) -> ast.expr:
    return ast.parse(condition, mode="eval").body


def _true(node: ast.expr, values: Values, names: Names) -> bool:
    match node:
        case ast.Name(id=name):
            return values[name] != 0
        case ast.UnaryOp(op=ast.Invert(), operand=inner):
            return not _true(inner, values, names)
        case ast.BinOp(left=left, op=ast.BitAnd(), right=right):
            return _true(left, values, names) and _true(right, values, names)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _true(left, values, names) or _true(right, values, names)
        case ast.Compare(left=ast.Name(id=name), ops=[operation], comparators=[side]):
            held = names[name][values[name]] if isinstance(side, ast.Name) else values[name]
            wanted = side.id if isinstance(side, ast.Name) else ast.literal_eval(side)
            return (held == wanted) == isinstance(operation, ast.Eq)
    raise ValueError(f"{ast.unparse(node)!r} is no condition: expected names, &, |, ~, == and !=")
