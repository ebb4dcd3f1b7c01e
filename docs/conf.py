"""The site: Sphinx with Furo over the Markdown of this folder. `make docs` builds it into build/site.

Every page reads well on a code host, too. What goes beyond Markdown:

    ```{board} tictactoe values      a board, drawn when the site is built; `values`: with the worth of every move
    XO.                              its rows, or a position as `noughts value` takes it (with side and hands, on one
    .X.                              line: `XX./OO./... x 1,1`), or moves from the start (`b2 a1 c1`), or nothing for
    ..O                              the empty board; a blank line is between the levels of a cube
    ```                              (`docs/extensions/board.py`)

    ```{explorer} tictactoe          the same, to play on (`docs/extensions/explorer.py`)

    [rules.py](../src/noughts/games/rules.py)
                                     a file of the repository, or a notebook: a page that shows it
                                     (`docs/extensions/source_links.py`)

A new page in `docs/games/`, `docs/machines/`, `docs/sources/` or `docs/reference/` appears in the contents by itself,
under the title that its first heading has; one in `docs/` itself is named in a toctree of `docs/index.md`. `# Title`
comes first, then one level at a time. Docstrings are in Google style; a word in single backticks is code, as in
Markdown. Warnings are errors: `make docs` stops, and `tests/test_site.py` fails.
"""

import gc
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "extensions"), str(HERE.parent / "src")]

from noughts import __version__  # noqa: E402

gc.disable()
"""A build is short: looking for rubbish in its many small nodes would take a fifth of the time."""

project = "Noughts"
author = "the authors of Noughts"
copyright = "the authors of Noughts"  # noqa: A001
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "board",
    "contents",
    "explorer",
    "http_api",
    "source_links",
]
folders = {"games": "games", "players": "machines", "reference": "reference", "sources": "sources"}
"""The pages that hold a folder of pages."""

myst_heading_anchors = 4
"""Headings of this depth have the anchors that a code host gives them."""
myst_enable_extensions = ["colon_fence", "deflist"]

default_role = "code"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
autodoc_member_order = "groupwise"
autodoc_typehints = "signature"
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = "Noughts"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["scrolling.js"]
html_copy_source = False
html_show_search_summary = False
"""For summaries the search would fetch pages, which browsers refuse where there is no server."""
html_show_sphinx = False
highlight_language = "none"
"""Of examples that do not say theirs, as drawings in docstrings."""
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
nitpick_ignore_regex = [("py:.*", r"(?!noughts).*"), ("py:.*", r"noughts\..*\.(backwards|drawing|layers|panel)\..*")]
"""Names of other libraries, whose documents are elsewhere, while the site needs nothing from elsewhere; and of modules
whose classes nobody makes who does not work on them."""
