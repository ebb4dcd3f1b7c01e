"""What is added to pages by where they lie, so that the pages themselves stay plain Markdown.

A page that has a folder (`folders` in conf.py: `games.md` has `games/`) holds the pages of that folder in the contents.

In `reference/` a heading that is the name of a module is followed, after the words that stand below it, by what the
module offers, from its docstrings: the names in its `__all__`, less those that stand on the same page already.
"""

import ast
import re
from pathlib import Path

import noughts
from sphinx.application import Sphinx

SOURCE = Path(noughts.__file__).parent.parent
_HEADING = re.compile(r"^#+ `(noughts[a-z0-9_.]*)`$", re.MULTILINE)
_ATTRIBUTES = ("attribute", "data", "property")


def add(app: Sphinx, page: str, source: list[str]) -> None:
    """Add to a page what it gets by its place."""
    folder = app.config.folders.get(page)
    if folder and any((Path(app.srcdir) / folder).glob("*.md")):
        source[0] += f"\n\n```{{toctree}}\n:hidden:\n:glob:\n\n/{folder}/*\n```\n"
    if page.startswith("reference/"):
        source[0] = with_docstrings(source[0])


def with_docstrings(text: str) -> str:
    """A page of the reference, with what its modules offer."""
    first, *parts = re.split(r"^(?=#)", text, flags=re.MULTILINE)
    here: set[str] = set()
    whole = [first]
    for part in parts:
        whole.append(part)
        heading = _HEADING.match(part)
        if heading:
            offered = offers(heading[1])
            whole.append(documented(heading[1], offered & here))
            here |= offered
    return "".join(whole)


def offers(module: str) -> set[str]:
    """The names that a module offers: its `__all__`."""
    path = SOURCE.joinpath(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


def documented(module: str, without: set[str]) -> str:
    """What autodoc is asked."""
    options = "   :members:\n   :undoc-members:\n"
    if without:
        options += f"   :exclude-members: {', '.join(sorted(without))}\n"
    return f"\n```{{eval-rst}}\n.. automodule:: {module}\n{options}```\n\n"


def plain(_app: Sphinx, what: str, _name: str, _object: object, _options: object, lines: list[str]) -> None:
    """Attributes have sentences, in which a colon is a colon: napoleon would take what stands before it for a type.

    It looks at the first line alone, so that becomes an empty one.
    """
    if what in _ATTRIBUTES:
        lines.insert(0, "")


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx."""
    app.add_config_value("folders", {}, "env")
    app.connect("source-read", add)
    app.connect("autodoc-process-docstring", plain, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
