"""A run of a chip as its address has it: one that the source shows, a game, or whatever is done at the pins.

    /silicon/referee2021?sample=case-1         a run that the source shows
    /silicon/chip1990?moves=b2.a1&begin=user   a game: the user's moves, and who begins
    /silicon/chip1990?pins=q1JKKUpV…           a stimulus: what every pin gets and when

A stimulus is a text of many lines, and every link of a page repeats the run. So addresses have it squeezed: deflated,
in the base64 that addresses need not escape. Whoever has the text sends it as `stimulus=…` and is led to that address.
What comes back from an address is unpacked within bounds, and read as carefully as any text.
"""

import binascii
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote, urlencode

from fastapi import Query

from noughts.games.layout import grid
from noughts.silicon.design import Design, Sample
from noughts.silicon.designs import DESIGNS
from noughts.silicon.kept import Recording, recording
from noughts.silicon.run import Run, UnknownSampleError, find_sample, sample_of
from noughts.web.problems import NotThereError
from noughts.web.sitting import BadAddressError

__all__ = ["MOST_SQUEEZED", "POINTS", "ChipRun", "address", "known", "read_run"]

POINTS = grid(3, 3, 3).points
MOST_SQUEEZED = 1_500
"""Characters of a squeezed stimulus: some hundreds of lines, and a page that repeats it stays small."""
MOST_UNPACKED = 20_000
MOST_SIGNALS = 26
"""In a waveform: more make a page that is too large."""


class ChipRun(NamedTuple):
    """A run of a chip as its URL has it."""

    name: str
    moves: tuple[str, ...] = ()
    begin: str = "user"
    sample: str = ""
    stimulus: str = ""
    """What is done at the pins, as a text."""
    signals: tuple[str, ...] = ()
    """What the waveform shows, if it is not what it usually does."""

    @property
    def design(self) -> Design:
        """The design that runs."""
        return DESIGNS[self.name]

    @property
    def run(self) -> Run:
        """What is done at the pins."""
        return Run(self.moves, user_first=self.begin == "user", sample=self.sample, stimulus=self.stimulus)

    @property
    def shows(self) -> Sample | None:
        """The sample that it is, if it is a run that the source shows."""
        return sample_of(self.design, self.run)

    @property
    def recording(self) -> Recording | None:
        """What came with the design, if this is a run that the source shows."""
        return recording(self.design, self.shows.name) if self.shows else None

    @property
    def waves(self) -> tuple[str, ...]:
        """The signals of the waveform."""
        return self.signals or self.design.story.waves

    @property
    def query(self) -> dict[str, str]:
        """What of it stands behind the question mark."""
        parts = {
            "moves": ".".join(self.moves),
            "begin": "" if self.begin == "user" else self.begin,
            "sample": self.sample,
            "pins": squeezed(self.stimulus) if self.stimulus else "",
            "signals": ".".join(self.signals),
        }
        return {name: value for name, value in parts.items() if value}

    def url(self, suffix: str = "", **numbers: int) -> str:
        """The address of its page, or of a file about it."""
        query: dict[str, str | int] = {**self.query, **numbers}
        return address(self.name) + suffix + (f"?{urlencode(query)}" if query else "")

    def other(self, **what: Any) -> "ChipRun":
        """Another run of the same design, with the same signals shown."""
        return ChipRun(self.name, signals=self.signals, **what)

    def then(self, move: str) -> "ChipRun":
        """With one more move."""
        return self.other(moves=(*self.moves, move), begin=self.begin)


def address(design: str) -> str:
    """The page of a design."""
    return f"/silicon/{quote(design, safe='')}"


def known(name: str) -> str:
    """The name, if a design has it."""
    if name not in DESIGNS:
        raise NotThereError(f"{name[:60]!r} is not a design: expected {', '.join(DESIGNS)}")
    return name


def read_run(
    name: str,
    moves: Annotated[str, Query(max_length=40)] = "",
    begin: Annotated[str, Query(max_length=10)] = "user",
    sample: Annotated[str, Query(max_length=40)] = "",
    pins: Annotated[str, Query(max_length=MOST_SQUEEZED)] = "",
    signals: Annotated[Sequence[str], Query(max_length=100)] = (),
) -> ChipRun:
    """The run of a URL, or an error that says what is wrong with it."""
    if begin not in ("user", "chip"):
        raise BadAddressError(f"begin={begin!r} is nobody: expected user or chip")
    words = tuple(word for word in moves.split(".") if word)
    for word in words:
        if word not in POINTS:
            raise BadAddressError(f"{word!r} is not a place: expected a1 to c3, with dots between, as b2.a1")
    if len(words) > len(POINTS):
        raise BadAddressError(f"{len(words)} moves are too many: expected at most {len(POINTS)}")
    if sample:
        try:
            find_sample(DESIGNS[known(name)], sample)
        except UnknownSampleError as error:
            raise NotThereError(str(error)) from None
    plays = bool(words) or begin != "user"
    given = [what for what, there in (("moves or begin", plays), ("sample", sample), ("pins", pins)) if there]
    if len(given) > 1:
        raise BadAddressError(f"{' and '.join(given)} do not go together: expected one of them")
    shown = tuple(dict.fromkeys(one for part in signals for one in part.split(".") if one))
    if len(shown) > MOST_SIGNALS:
        raise BadAddressError(f"{len(shown)} signals are too many: expected at most {MOST_SIGNALS}")
    return ChipRun(known(name), words, begin, sample, unsqueezed(pins) if pins else "", shown)


def squeezed(text: str) -> str:
    """A text as an address has it."""
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    word = urlsafe_b64encode(packer.compress(text.encode()) + packer.flush()).decode().rstrip("=")
    if len(word) > MOST_SQUEEZED:
        raise BadAddressError(
            f"what is done at the pins takes {len(word):,} characters in an address: expected at most "
            f"{MOST_SQUEEZED:,}; `noughts silicon trace --stimulus FILE` takes more"
        )
    return word


def unsqueezed(word: str) -> str:
    """The text that was squeezed."""
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        text = unpacker.decompress(urlsafe_b64decode(word + "=" * (-len(word) % 4)), MOST_UNPACKED).decode()
    except (ValueError, binascii.Error, zlib.error):
        text = ""
    if not text or not unpacker.eof:
        raise BadAddressError(f"pins={word[:40]!r} is no stimulus: expected what a page of this chip links to")
    return text
