"""Data sets to learn from: the positions of a game with all that is known of them, as arrays, Parquet or Zarr.

    DataSet("achi").batches()       the columns as NumPy arrays, a bounded number of rows at a time
    write(DataSet("achi"), path)    the same as a file `.parquet` or a folder `.zarr`, with a card in words beside it

What the columns are stands in `noughts.rl.data.columns`.
"""

from noughts.rl.data.card import Tally
from noughts.rl.data.columns import ILLEGAL, NO_PLIES, UNKNOWN, Column, Rows
from noughts.rl.data.files import Written, write
from noughts.rl.data.sets import DataSet

__all__ = ["ILLEGAL", "NO_PLIES", "UNKNOWN", "Column", "DataSet", "Rows", "Tally", "Written", "write"]
