"""What is added to pages by where they lie, so that the pages themselves stay plain Markdown.

A page that has a folder (`folders` in conf.py: `games.md` has `games/`) holds the pages of that folder in the contents.

In `reference/` a heading that is the name of a module is followed, after the words that stand below it, by what the
module offers, from its docstrings: the names in its `__all__`, less those that stand
above it on the page.
"""

import re
from importlib import import_module
from pathlib import Path

from docutils import nodes
from sphinx.addnodes import desc_annotation
from sphinx.application import Sphinx

_HEADING = re.compile(r"^#+ `(noughts[a-z0-9_.]*)`$", re.MULTILINE)
_ATTRIBUTES = ("attribute", "data", "property")
_LONGEST = 100
"""Characters of a value that is worth showing."""


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
    here: list[object] = []
    whole = [first]
    for part in parts:
        whole.append(part)
        heading = _HEADING.match(part)
        if heading:
            module = import_module(heading[1])
            offered = {name: getattr(module, name) for name in getattr(module, "__all__", ())}
            whole.append(documented(heading[1], [name for name, one in offered.items() if _among(one, here)]))
            here += offered.values()
    return "".join(whole)


def _among(one: object, others: list[object]) -> bool:
    return any(one is other for other in others)


def documented(module: str, without: list[str]) -> str:
    """What autodoc is asked."""
    options = "   :members:\n   :undoc-members:\n"
    if without:
        options += f"   :exclude-members: {', '.join(without)}\n"
    return f"\n```{{eval-rst}}\n.. automodule:: {module}\n{options}```\n\n"


def plain(_app: Sphinx, what: str, _name: str, _object: object, _options: object, lines: list[str]) -> None:
    """Attributes have sentences, in which a colon is a colon: napoleon would take what stands before it for a type.

    It looks at the first line that is not empty; so that becomes a backslash, which hides itself and its line end.
    """
    if what in _ATTRIBUTES:
        lines.insert(0, "\\")


def shorten(_app: Sphinx, _domain: str, _kind: str, content: nodes.Element) -> None:
    """Long values, as those of whole catalogues, are not shown."""
    for annotation in list(content.parent.findall(desc_annotation)):
        text = annotation.astext()
        if text.lstrip().startswith("=") and len(text) > _LONGEST:
            annotation.parent.remove(annotation)


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx."""
    app.add_config_value("folders", {}, "env")
    app.connect("source-read", add)
    app.connect("autodoc-process-docstring", plain, priority=400)
    app.connect("object-description-transform", shorten)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
