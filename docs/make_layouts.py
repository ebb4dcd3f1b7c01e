"""Draw the layouts that come with designs, and write their figures into tapeout.md: python docs/make_layouts.py."""

import re
from pathlib import Path

from noughts.silicon.flow.layout import kept_layouts
from noughts.silicon.pictures.layout import layouts_file

DOCS = Path(__file__).parent
_MARKS = "<!-- layouts: made by docs/make_layouts.py -->", "<!-- end of layouts -->"


def picture() -> str:
    """All of them at one scale."""
    return layouts_file([(made.title, made.plan()) for made in kept_layouts().values()])


def table() -> str:
    """A column a layout."""
    made = kept_layouts()
    columns = [dict(one.rows()) for one in made.values()]
    lines = [f"| |{'|'.join(f' `{name}` ' for name in made)}|", "|---|" + "--:|" * len(made)]
    lines += [f"| {label} | {' | '.join(column[label] for column in columns)} |" for label in columns[0]]
    return "\n".join(lines)


def rewritten(text: str) -> str:
    """The page with the table of today."""
    begin, end = map(re.escape, _MARKS)
    return re.sub(f"({begin}\n).*?({end})", lambda found: f"{found[1]}{table()}\n{found[2]}", text, flags=re.DOTALL)


def main() -> None:
    """Write both."""
    (DOCS / "layouts.svg").write_text(picture(), encoding="utf-8")
    page = DOCS / "tapeout.md"
    page.write_text(rewritten(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
