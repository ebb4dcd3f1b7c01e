"""GDSII, the file that a foundry takes: a sequence of records, each with its length, its kind and its data.

A library holds structures; a structure holds shapes on numbered layers and references to other structures. Here only
what is asked of a layout is read: which structures refer to which, how often, and where. Times of day are taken out, so
that the same layout is the same file.
"""

import struct
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from noughts.games import NoughtsError

__all__ = ["GdsError", "Structure", "records", "structures", "without_dates"]

_BGNLIB, _UNITS, _BGNSTR, _STRNAME, _ENDSTR = 0x0102, 0x0305, 0x0502, 0x0606, 0x0700
_BOUNDARY, _SREF, _SNAME, _LAYER, _ENDLIB = 0x0800, 0x0A00, 0x1206, 0x0D02, 0x0400


class GdsError(NoughtsError):
    """Bytes that are no GDSII."""


class Structure(NamedTuple):
    """A cell of the file."""

    refers: Counter[str]
    """How often it refers to which other."""
    shapes: Counter[int]
    """How many polygons it has on which layer."""


def records(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Where every record begins, its kind and its data, up to the end of the library.

    Raises:
        GdsError: If a record's length is wrong or the end is missing.
    """
    at = 0
    while at + 4 <= len(data):
        length, kind = struct.unpack_from(">HH", data, at)
        if length < 4 or at + length > len(data):
            raise GdsError(f"byte {at} begins a record of {length} bytes: expected 4 to {len(data) - at}")
        yield at, kind, data[at + 4 : at + length]
        at += length
        if kind == _ENDLIB:
            return
    raise GdsError(f"the library does not end within {len(data):,} bytes: expected GDSII")


def structures(data: bytes) -> dict[str, Structure]:
    """The structures of a library by name."""
    found: dict[str, Structure] = {}
    name = ""
    shape = False
    for _, kind, body in records(data):
        if kind == _STRNAME:
            name = body.rstrip(b"\0").decode("ascii")
            found[name] = Structure(Counter(), Counter())
        elif kind == _SNAME:
            found[name].refers[body.rstrip(b"\0").decode("ascii")] += 1
        elif kind == _BOUNDARY:
            shape = True
        elif kind == _LAYER and shape:
            found[name].shapes[struct.unpack(">h", body)[0]] += 1
            shape = False
    return found


def without_dates(data: bytes) -> bytes:
    """The same library, as if made at no time at all."""
    plain = bytearray(data)
    for at, kind, body in records(data):
        if kind in (_BGNLIB, _BGNSTR):
            plain[at + 4 : at + 4 + len(body)] = bytes(len(body))
    return bytes(plain)
