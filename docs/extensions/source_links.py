"""Links to files of the repository lead somewhere on the site, too.

The pages link to the code they speak of, `../src/noughts/games/rules.py`, as a code host wants it. Here such a link
leads to a page that shows the file, or the notebook with what it showed; a link to a folder, to what it holds first,
its `__init__.py`; and a link to a document above this folder, to the page that includes it. What is no text stays a
file to download.
"""

from pathlib import Path
from typing import Any

import notebooks
from docutils import nodes
from sphinx.addnodes import download_reference, pending_xref
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform

ROOT = Path(__file__).resolve().parents[2]
PAGES = {"README.md": "index", "CHANGELOG.md": "changelog", "CONTRIBUTING.md": "contributing"}
"""Where the documents above this folder are on the site."""
LEXERS = {".py": "python", ".json": "json", ".md": "markdown", ".toml": "toml", ".txt": "text", ".v": "verilog"}
"""What is shown, and how; the licence has no suffix, and a notebook is more than its text."""
NOTEBOOK = ".ipynb"
KIND = "repository-file"


class SourceLinks(SphinxTransform):
    """Finds the links to files that are no pages, before Sphinx takes them for files to download."""

    default_priority = 500

    def apply(self, **_: Any) -> None:
        """Make references of our own kind of them."""
        here = Path(self.env.doc2path(self.env.docname)).parent
        for link in [*self.document.findall(download_reference), *self.document.findall(pending_xref)]:
            if link.get("reftype") != "myst":
                continue
            target = link["reftarget"] + (".md" if link["refdomain"] == "doc" else "")
            # A page is named from the top of docs/, anything else from where the link stands.
            path = ((Path(self.env.srcdir) if link["refdomain"] == "doc" else here) / target).resolve()
            page = page_of(path)
            if page is not None:
                link.replace_self(
                    pending_xref(
                        "", *link.children, refdomain="", reftype=KIND, reftarget=page, refdoc=self.env.docname
                    )
                )


def page_of(path: Path) -> str | None:
    """The page that shows a file of the repository; none for what is already a page, or is no text."""
    if path.is_dir():
        path /= "__init__.py"
    if not path.is_relative_to(ROOT) or not path.is_file():
        return None
    name = path.relative_to(ROOT).as_posix()
    if name in PAGES:
        return PAGES[name]
    is_page = path.suffix == ".md" and name.startswith("docs/")
    is_text = path.suffix in (*LEXERS, NOTEBOOK) or name == "LICENSE"
    return f"code/{name}" if is_text and not is_page else None


def resolve(app: Sphinx, _env: BuildEnvironment, link: pending_xref, contents: nodes.Element) -> nodes.Element | None:
    """A reference of our own kind, now that it is known from which page it leads where."""
    if link.get("reftype") != KIND:
        return None
    if link["reftarget"].startswith("code/"):
        shown(app).add(link["reftarget"])
    address = app.builder.get_relative_uri(link["refdoc"], link["reftarget"])
    return nodes.reference("", "", contents, refuri=address, internal=True)


def shown(app: Sphinx) -> set[str]:
    """The files that some page links to."""
    found: set[str] = app.builder.__dict__.setdefault("shown_files", set())
    return found


PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{name} - Noughts</title>
<link rel="stylesheet" href="{top}_static/pygments.css">
<link rel="stylesheet" href="{top}_static/site.css">
<script src="{top}_static/scrolling.js"></script>
</head>
<body class="code" data-theme="auto">
<script>document.body.dataset.theme = localStorage.getItem("theme") || "auto"</script>
<header><a href="{top}index.html">Noughts</a></header>
<main><h1>{name}</h1>
{code}</main>
</body>
</html>
"""
"""Without the theme's contents at the side: a third of all the time to build the site would go into them. Light or dark
is as the theme keeps it."""


def write_pages(app: Sphinx, failed: Exception | None) -> None:
    """A page for each file that some page links to."""
    if failed is not None or not isinstance(app.builder, StandaloneHTMLBuilder):
        return
    for page in sorted(shown(app)):
        name = page.removeprefix("code/")
        path = ROOT / name
        highlight = app.builder.highlighter.highlight_block
        if path.suffix == NOTEBOOK:
            code = notebooks.page(path, highlight)
        else:
            code = highlight(path.read_text(), LEXERS.get(path.suffix, "text"))
        written = Path(app.outdir) / f"{page}.html"
        written.parent.mkdir(parents=True, exist_ok=True)
        written.write_text(PAGE.format(name=name, top="../" * page.count("/"), code=code))


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx."""
    app.add_transform(SourceLinks)
    app.connect("missing-reference", resolve)
    app.connect("build-finished", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
