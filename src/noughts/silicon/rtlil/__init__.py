"""RTLIL, the language between Amaranth and Yosys: read into values, and tidied for people to read.

`source` reads it, `walk` finds who reads and who drives what, `tidy` and `processes` turn what Amaranth writes into
modules that a person could have written.
"""

from noughts.silicon.rtlil.source import RtlilError, read_rtlil
from noughts.silicon.rtlil.tidy import tidy

__all__ = ["RtlilError", "read_rtlil", "tidy"]
