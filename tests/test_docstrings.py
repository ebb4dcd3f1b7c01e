"""Every parameter of every public function and method is documented, and none that is not there.

Public is what the modules offer that have a heading in docs/reference.
"""

import inspect
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

REFERENCE = Path(__file__).parent.parent / "docs" / "reference"
MODULES = [
    heading
    for page in sorted(REFERENCE.glob("*.md"))
    for heading in re.findall(r"^#+ `(noughts[a-z0-9_.]*)`$", page.read_text(), re.MULTILINE)
]


def functions(module: str) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The functions that a module offers, and the methods of the classes that it offers.

    Less those of Amaranth's protocol; and a function that is a field's usual value is no method.
    """
    package = import_module(module)
    for name in getattr(package, "__all__", ()):
        one = getattr(package, name)
        if inspect.isclass(one):
            for own, method in vars(one).items():
                plain = getattr(method, "__func__", method)
                if inspect.isfunction(plain) and plain.__name__ == own != "elaborate" and not own.startswith("_"):
                    yield f"{name}.{own}", plain
        elif inspect.isfunction(inspect.unwrap(one)):
            yield name, inspect.unwrap(one)


def parameters(function: Callable[..., Any]) -> set[str]:
    return {name for name in inspect.signature(function).parameters if name not in ("self", "cls") and name[0] != "_"}


def documented(function: Callable[..., Any]) -> set[str]:
    """The parameters in the section `Args:` of a docstring, by the indentation of a field."""
    after = (inspect.getdoc(function) or "").partition("Args:\n")[2]
    section = re.split(r"^\S", after, maxsplit=1, flags=re.MULTILINE)[0]
    return set(re.findall(r"^    \*{0,2}([a-z_0-9]+):", section, re.MULTILINE))


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES)
def test_every_parameter_is_documented(module: str) -> None:
    wrong = {
        name: parameters(function) ^ documented(function)
        for name, function in functions(module)
        if parameters(function) != documented(function)
    }
    assert not wrong


def test_a_missing_parameter_is_noticed_and_so_is_one_too_many() -> None:
    def told(first: int, *rest: int) -> None:
        """Something.

        Args:
            first: A number.
            *rest: More of them: as many
                as you like.

        Returns:
            other: Nothing.
        """

    assert documented(told) == parameters(told) == {"first", "rest"}
    assert "noughts.games" in MODULES
    assert {"Game.play", "game"} <= {name for name, _ in functions("noughts.games")}
