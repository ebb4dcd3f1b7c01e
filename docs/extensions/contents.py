"""What is added to pages by where they lie, so that the pages themselves stay plain Markdown.

A page that has a folder (`folders` in conf.py: `games.md` has `games/`) holds the pages of that folder in the contents,
in the order in which it links to them; those that it does not name come last.

In `reference/` a heading that is the name of a module is followed, after the words that stand below it, by what the
module offers, from its docstrings: the names in its `__all__`, less those that stand above it on the page, and less the
classes of other rooms.
"""

import re
import sys
from importlib import import_module
from inspect import isroutine
from pathlib import Path
from types import ModuleType
from typing import Any

from docutils import nodes
from sphinx.addnodes import desc_annotation, desc_signature
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer

_HEADING = re.compile(r"^#+ `(noughts[a-z0-9_.]*)`$", re.MULTILINE)
_ATTRIBUTES = ("attribute", "data", "property")
_LONGEST = 100
"""Characters of a value that is worth showing."""


def add(app: Sphinx, page: str, source: list[str]) -> None:
    """Add to a page what it gets by its place."""
    folder = app.config.folders.get(page)
    if folder:
        there = sorted(f"{folder}/{one.stem}" for one in (Path(app.srcdir) / folder).glob("*.md"))
        linked = re.findall(rf"\]\(({folder}/[\w-]+)\.md", source[0])
        listed = "\n".join(f"/{name}" for name in dict.fromkeys([*(name for name in linked if name in there), *there]))
        source[0] += f"\n\n```{{toctree}}\n:hidden:\n\n{listed}\n```\n"
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
            told = [name for name, one in offered.items() if _among(one, here) or _of_another_room(one, heading[1])]
            whole.append(documented(heading[1], told))
            whole += [constant(heading[1], name) for name in offered if _is_passed_over(heading[1], name)]
            here += offered.values()
    return "".join(whole)


def _among(one: object, others: list[object]) -> bool:
    return any(one is other for other in others)


def _of_another_room(one: object, module: str) -> bool:
    """The package itself offers what is in its room `library`, and some of the other rooms'."""
    here = ".".join(module.split(".")[:2]) if module != "noughts" else "noughts.library"
    return isinstance(one, type) and not f"{one.__module__}.".startswith(f"{here}.")


def documented(module: str, without: list[str]) -> str:
    """What autodoc is asked."""
    options = "   :members:\n   :undoc-members:\n"
    if without:
        options += f"   :exclude-members: {', '.join(without)}\n"
    return f"\n```{{eval-rst}}\n.. automodule:: {module}\n{options}```\n\n"


def _is_passed_over(module: str, name: str) -> bool:
    """Autodoc passes over constants without words; those that a package has from its modules have none there."""
    one = getattr(import_module(module), name)
    is_constant = not isinstance(one, type | ModuleType) and not isroutine(one) and not hasattr(one, "__wrapped__")
    return is_constant and not name.startswith("_") and not _words(module, name)


def _words(module: str, name: str) -> list[str]:
    """What stands beside a constant."""
    found: list[str] = ModuleAnalyzer.for_module(module).find_attr_docs().get(("", name), [])
    return found


def constant(module: str, name: str) -> str:
    """A constant, with the words that stand beside it in the module of the package that it comes from, if any do."""
    inside = sorted(other for other in sys.modules if other.startswith(f"{module}."))
    words: list[str] = next(filter(None, (_words(other, name) for other in inside)), [])
    shown = repr(getattr(import_module(module), name))
    value = f"   :value: {shown}\n" if len(shown) < _LONGEST else ""
    lines = "\n".join(f"   {line}" for line in words)
    return f"\n```{{eval-rst}}\n.. py:data:: {name}\n   :module: {module}\n{value}\n{lines}\n```\n\n"


def _begins_a_picture(lines: list[str], number: int) -> bool:
    """What is indented after an empty line shall look as it is written: a table, a drawing, a piece of code."""
    before = [line for line in lines[:number] if line.strip()]
    in_section = any(re.fullmatch(r"(Args|Returns|Yields|Raises):", line) for line in before)
    stands_free = number > 1 and lines[number].startswith("    ") and not lines[number - 1].strip()
    return stands_free and not in_section and bool(before) and not before[-1].startswith((" ", "- "))


def plain(_app: Sphinx, what: str, _name: str, _object: object, _options: object, lines: list[str]) -> None:
    """Attributes and what is returned have sentences: napoleon would take what stands before a colon for a type.

    It looks at the first line of them; so that becomes a backslash, which hides itself and its line end.
    """
    if what in _ATTRIBUTES:
        lines.insert(0, "\\")
    for number, line in reversed(list(enumerate(lines))):
        if _begins_a_picture(lines, number):
            lines[number:number] = ["::", ""]
        if line.strip() in ("Returns:", "Yields:"):
            lines.insert(number + 1, f"{line[: len(line) - len(line.lstrip())]}    \\")


def shorten(_app: Sphinx, _domain: str, kind: str, content: nodes.Element) -> None:
    """Long values, as those of whole catalogues, are not shown, and the contents of a page list no fields of classes.

    There are two thousand, and the contents are made anew for every page.
    """
    for signature in content.parent.findall(desc_signature):
        if kind in ("attribute", "property"):
            signature["_toc_name"] = ""
    for annotation in list(content.parent.findall(desc_annotation)):
        text = annotation.astext()
        if text.lstrip().startswith("=") and len(text) > _LONGEST:
            annotation.parent.remove(annotation)


def level(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], _tree: object) -> None:
    """The headings within the contents say their level, as readers that speak want to know."""
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx."""
    app.add_config_value("folders", {}, "env")
    app.connect("source-read", add)
    app.connect("autodoc-process-docstring", plain, priority=400)
    app.connect("object-description-transform", shorten)
    app.connect("html-page-context", level, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
