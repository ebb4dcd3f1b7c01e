"""Draw the block diagrams of the chips for their pages: `python docs/make_machines.py`.

One for every folder of designs, that of its first: machines/NAME.svg, which is what `/silicon/NAME/blocks.svg` shows.
And the search of the C program of 1990 on a board with three empty squares: machines/c1990.svg, what
`noughts watch tictactoe XOX/OOX/... --how c1990 --svg FILE` draws.
"""

from pathlib import Path

from noughts.cli.main import run
from noughts.silicon.designs import DESIGNS, PACKAGES
from noughts.silicon.pictures.drawing import draw, standalone

MACHINES = Path(__file__).parent / "machines"
SEARCH = ["watch", "tictactoe", "XOX/OOX/...", "--how", "c1990", "--svg"]


def blocks(name: str) -> str:
    """The block diagram of the first design of a folder, as a file."""
    first = next(design for design in DESIGNS.values() if design.name.partition(":")[0] == name)
    return standalone(draw(first.drawings.blocks))


if __name__ == "__main__":
    for name in PACKAGES:
        (MACHINES / f"{name}.svg").write_text(blocks(name), encoding="utf-8")
    assert run([*SEARCH, str(MACHINES / "c1990.svg")]) == 0
