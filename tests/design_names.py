"""The designs that the tests run over.

Whatever has a design run costs a compiler some seconds for each. So such a test runs over one design of every package,
and over two more that are circuits of their own; what is true of the others alone is tested beside them, as that of the
chips that the paper of 1990 weighs in `silicon/designs/test_chip1990_variants.py`, and of the elements in the report's
time in `silicon/simulate/test_check.py`. The searches of 2026 are the blocks of chip1990, which is run: what they do
elsewhere is tested in `silicon/designs/test_search2026.py`.
"""

from noughts.silicon.designs import DESIGNS

LARGE = ("lines1977", "threats2026")
"""The machines of 4×4×4, on which a compiler works for a quarter of a minute: tested with less, beside them."""
_FIRST = {known.package: name for name, known in reversed(DESIGNS.items())}
_OF_THEIR_OWN = ("elements2021:pruning=yes", "referee2021:slides=yes")
_ELSEWHERE = tuple(name for name in DESIGNS if name.startswith("search2026:") or name in LARGE)
RUN = [name for name in DESIGNS if (name in _FIRST.values() or name in _OF_THEIR_OWN) and name not in _ELSEWHERE]
"""The designs that are run, compiled and synthesised wherever a test goes over all of them."""
MADE = [name for name in DESIGNS if name != "chip1990:search=table"]
"""The designs that are made, if not run: the table with its thousands of entries takes a second alone to be made."""
