"""The designs that the tests run over."""

from noughts.silicon.designs import DESIGNS

VARIANTS = [name for name in DESIGNS if name.startswith("chip1990:") or name.endswith(":timing=reported")]
"""The chips that the paper of 1990 weighs, of the kind of chip1990, its pins, its driver and most of its blocks; and
the elements of 2021 with registers between them, in the report's time.

Each costs a compiler some seconds. So whatever has a design run is tested with the others, and what is true of these
alone in `silicon/designs/test_chip1990_variants.py`, and of the elements in `silicon/simulate/test_check.py`.
"""
RUN = [name for name in DESIGNS if name not in VARIANTS]
"""The designs that are run, compiled and synthesised wherever a test goes over all of them."""
MADE = [name for name in DESIGNS if name != "chip1990:search=table"]
"""The designs that are made, if not run: the table with its thousands of entries takes a second alone to be made."""
