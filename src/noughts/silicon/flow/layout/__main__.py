"""Make the layouts that come with designs again: `python -m noughts.silicon.flow.layout [DESIGN…]`."""

import argparse
from pathlib import Path

from noughts.silicon.design import Design
from noughts.silicon.designs import DESIGNS, UnknownDesignError, design
from noughts.silicon.flow.layout import KEPT, layout, packed, run_of
from noughts.silicon.flow.layout.play import play

__all__ = ["asked_for", "main"]


def asked_for(program: str, about: str | None, kept: str) -> list[tuple[Design, Path]]:
    """The designs that the command line names, or else those that have such a file already; and where it belongs.

    Args:
        program: What the command is called.
        about: What it does.
        kept: The name of the file, in the design's folder.
    """
    parser = argparse.ArgumentParser(prog=program, description=about)
    parser.add_argument("designs", nargs="*", metavar="DESIGN", help="else those that have the file already")
    try:
        named = [design(name) for name in parser.parse_args().designs]
    except UnknownDesignError as error:
        parser.error(str(error))
    files = {known: Path(str(known.folder)) / kept for known in DESIGNS.values()}
    return [(known, files[known]) for known in named] or [
        (known, file) for known, file in files.items() if ":" not in known.name and file.exists()
    ]


def main() -> None:
    """Lay designs out and write the files that come with them."""
    for asked, file in asked_for("python -m noughts.silicon.flow.layout", main.__doc__, KEPT):
        made = layout(asked, run=run_of(asked), say=print)
        if asked.plays:
            print("playing every game with what was drawn")
            found = play(asked, made)
            played = {"games": found.games, "wins": found.wins, "draws": found.draws, "losses": found.losses}
            made = made._replace(figures={**made.figures, "played": played})
        file.write_bytes(packed(made))
        print(f"{file}: {file.stat().st_size:,} bytes, {'clean' if made.clean else 'NOT CLEAN'}")


if __name__ == "__main__":
    main()
