"""Draw the layouts and tiles that come with designs, with their figures in tapeout.md: python docs/make_layouts.py."""

import re
from pathlib import Path

from noughts.silicon.flow.layout import kept_layouts
from noughts.silicon.flow.sky130 import kept_tiles
from noughts.silicon.pictures.layout import COARSE, FINE, layouts_file

DOCS = Path(__file__).parent
SORTS = {"layouts": (kept_layouts, COARSE), "tiles": (kept_tiles, FINE)}
"""By the name of the picture and of the table: what is drawn, and how large."""


def picture(name: str) -> str:
    """All of a sort at one scale."""
    kept, scale = SORTS[name]
    return layouts_file([(made.title, made.plan()) for made in kept().values()], scale)


def table(name: str) -> str:
    """A column a layout."""
    made = SORTS[name][0]()
    columns = [dict(one.rows()) for one in made.values()]
    lines = [f"| |{'|'.join(f' `{name}` ' for name in made)}|", "|---|" + "--:|" * len(made)]
    lines += [f"| {label} | {' | '.join(column[label] for column in columns)} |" for label in columns[0]]
    return "\n".join(lines)


def rewritten(text: str) -> str:
    """The page with the tables of today."""
    for name in SORTS:
        pattern = f"(<!-- {name}: made by docs/make_layouts.py -->\n).*?(<!-- end of {name} -->)"
        text = re.sub(pattern, rf"\g<1>{table(name)}\n\g<2>", text, flags=re.DOTALL)
    return text


def main() -> None:
    """Write all of it."""
    for name in SORTS:
        (DOCS / f"{name}.svg").write_text(picture(name), encoding="utf-8")
    page = DOCS / "tapeout.md"
    page.write_text(rewritten(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
