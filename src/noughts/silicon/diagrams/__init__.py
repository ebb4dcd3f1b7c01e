"""The designs drawn: their blocks, and the states of their controllers.

`drawing` is the language, `conditions` what stands at its arrows; a file a design says what there is and where it
stands; `panel` is the front of a chip, with its keys and lamps. Nothing here needs Amaranth.
"""

from noughts.silicon.diagrams import chip1990, elements2021, referee2021
from noughts.silicon.diagrams.drawing import Arrow, Box, Diagram, draw, standalone
from noughts.silicon.diagrams.machine import Drawings, Machine

__all__ = ["DRAWINGS", "Arrow", "Box", "Diagram", "Drawings", "Machine", "draw", "standalone"]

DRAWINGS = {
    "chip1990": chip1990.DRAWINGS,
    "elements2021": elements2021.drawings(pruning=False),
    "elements2021:pruning=yes": elements2021.drawings(pruning=True),
    "referee2021": referee2021.DRAWINGS,
}
"""By the designs' names."""
