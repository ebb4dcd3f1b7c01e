"""A notebook as a page: its words, its code, and what it showed when it was last run.

Notebooks are kept with their output, and `tests/test_scripts.py` runs them again; so nothing is run here. A picture is
taken before a text that says the same, as a notebook does.
"""

import json
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

RICHEST_FIRST = ("image/svg+xml", "text/html", "text/plain")


def page(path: Path, highlight: Callable[[str, str], str]) -> str:
    """All cells of a notebook.

    Args:
        path: The notebook.
        highlight: Gives code in a language colours.
    """
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return "".join(cell(one, highlight) for one in cells)


def cell(one: dict[str, Any], highlight: Callable[[str, str], str]) -> str:
    """A cell, and what came of it."""
    source = "".join(one["source"])
    if one["cell_type"] == "markdown":
        return MarkdownIt().render(source)
    return highlight(source, "python") + "".join(output(shown) for shown in one["outputs"])


def output(shown: dict[str, Any]) -> str:
    """What a cell printed or showed."""
    if "text" in shown:
        return f"<pre>{escape(''.join(shown['text']))}</pre>"
    kind = next(kind for kind in RICHEST_FIRST if kind in shown["data"])
    text = "".join(shown["data"][kind])
    return f"<pre>{escape(text)}</pre>" if kind == "text/plain" else f'<div class="shown">{text}</div>'
