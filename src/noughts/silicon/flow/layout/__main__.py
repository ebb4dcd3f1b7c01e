"""Make the layouts that come with designs again: `python -m noughts.silicon.flow.layout [DESIGN…]`."""

import argparse
from pathlib import Path

from noughts.silicon.designs import DESIGNS
from noughts.silicon.flow.layout import KEPT, layout, packed, run_of
from noughts.silicon.flow.layout.play import play


def main() -> None:
    """Lay designs out and write the files that come with them."""
    parser = argparse.ArgumentParser(prog="python -m noughts.silicon.flow.layout", description=main.__doc__)
    parser.add_argument("designs", nargs="*", metavar="DESIGN", help="else those that have a layout already")
    wanted = parser.parse_args().designs
    for name, design in DESIGNS.items():
        file = Path(str(design.folder)) / KEPT
        if name in wanted or (not wanted and ":" not in name and file.exists()):
            made = layout(design, run=run_of(design), say=print)
            if design.plays:
                print("playing every game with what was drawn")
                found = play(design, made)
                played = {"games": found.games, "wins": found.wins, "draws": found.draws, "losses": found.losses}
                made = made._replace(figures={**made.figures, "played": played})
            file.write_bytes(packed(made))
            print(f"{file}: {file.stat().st_size:,} bytes, {'clean' if made.clean else 'NOT CLEAN'}")


if __name__ == "__main__":
    main()
