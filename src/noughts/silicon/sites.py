"""Where the switches, keys, lamps and the clock of the DE2-115 are on the package of its FPGA, an EP4CE115F29C7.

They were compared in three public projects for this board, which agree in every one.
"""

__all__ = ["RED", "SITES", "SWITCHES"]

SWITCHES = (
    *("AB28", "AC28", "AC27", "AD27", "AB27", "AC26", "AD26", "AB26", "AC25"),
    *("AB25", "AC24", "AB24", "AB23", "AA24", "AA23", "AA22", "Y24", "Y23"),
)
RED = (
    *("G19", "F19", "E19", "F21", "F18", "E18", "J19", "H19", "J17"),
    *("G17", "J15", "H16", "J16", "H17", "F15", "G15", "G16", "H15"),
)
GREEN = ("E21", "E22", "E25", "E24", "H21", "G20", "G22", "G21", "F17")
KEYS = ("M23", "M21", "N21", "R24")

SITES: dict[str, tuple[str, ...]] = {
    "CLOCK_50": ("Y2",),
    **{f"KEY{number}": (site,) for number, site in enumerate(KEYS)},
    "SW": SWITCHES,
    "LEDR": RED,
    **{f"LEDG{number}": (site,) for number, site in enumerate(GREEN)},
}
"""Where each pin of the board is on the FPGA's package, bit 0 first."""
