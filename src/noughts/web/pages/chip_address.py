"""A run of a chip as its address has it, and the addresses that its page links to.

A run is one that the source shows, a game, or whatever is done at the pins.

    /silicon/referee2021?sample=case-1         a run that the source shows
    /silicon/chip1990?moves=b2.a1&begin=user   a game: the user's moves, and who begins
    /silicon/chip1990?pins=q1JKKUpV…           a stimulus: what every pin gets and when

Moves are those of the game that the chip is made for; where stones move they have two points, as a1-b2.

A stimulus is a text of many lines, and every link of a page repeats the run. So addresses have it squeezed: deflated,
in the base64 that addresses need not escape. Whoever has the text sends it as `stimulus=…` and is led to that address.
What comes back from an address is unpacked within bounds, and read as carefully as any text.
"""

import binascii
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote, urlencode

from fastapi import Query

from noughts.games import Game, Position
from noughts.games import game as find_game
from noughts.silicon.design import Design, Sample
from noughts.silicon.designs import DESIGNS
from noughts.silicon.kept import Recording, recording
from noughts.silicon.run import NotAMoveError, Run, UnknownSampleError, find_sample, read_move, sample_of
from noughts.silicon.trace import Outline
from noughts.web.problems import NotThereError
from noughts.web.sitting import BadAddressError

__all__ = ["DRAWN", "DUMPED", "MOST_SQUEEZED", "ChipRun", "address", "known", "links", "read_run"]

MOST_MOVES = 64
"""Of the user, in one run."""
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
    def game(self) -> Game:
        """The game whose board it is made for."""
        return find_game(self.design.game)

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
    moves: Annotated[str, Query(max_length=6 * MOST_MOVES)] = "",
    begin: Annotated[str, Query(max_length=10)] = "user",
    sample: Annotated[str, Query(max_length=40)] = "",
    pins: Annotated[str, Query(max_length=MOST_SQUEEZED)] = "",
    signals: Annotated[Sequence[str], Query(max_length=100)] = (),
) -> ChipRun:
    """The run of a URL, or an error that says what is wrong with it."""
    if begin not in ("user", "chip"):
        raise BadAddressError(f"begin={begin!r} is nobody: expected user or chip")
    words = tuple(word for word in moves.split(".") if word)
    _check_moves(DESIGNS[known(name)], words)
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


def _check_moves(design: Design, words: tuple[str, ...]) -> None:
    """Refuse what is no move on the board of a design, or is too much."""
    made_for = find_game(design.game)
    points, dots = made_for.layout.points, "with dots between"
    for word in words:
        try:
            right = made_for.write_move(read_move(design, word)) == word
        except NotAMoveError:
            right = False
        if not right and made_for.placing_only:
            example = f"{points[len(points) // 2]}.{points[0]}"
            expected = f"{points[0]} to {points[-1]}, {dots}, as {example}"
            raise BadAddressError(f"{word[:40]!r} is not a place: expected {expected}")
        if not right:
            expected = f"points as {points[0]}, or two as {points[0]}-{points[1]}, {dots}"
            raise BadAddressError(f"{word[:40]!r} is not a move: expected {expected}")
    most = len(points) if made_for.placing_only else MOST_MOVES
    if len(words) > most:
        raise BadAddressError(f"{len(words)} moves are too many: expected at most {most}")


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


# What a page of a run links to.

DUMPED, DRAWN = 500, 100
"""Cycles of a file for a viewer, and of a picture."""
MOST_REPLIES = 10
"""Links to stretches of work, each of which repeats the run."""


def links(run: ChipRun, outline: Outline, cycle: int) -> dict[str, Any]:
    """Where the links of a page lead that shows a cycle of a run."""
    last = outline.cycles - 1
    later = [first for first, _ in outline.replies if first > cycle]
    steps = [
        ("first", "first", "first cycle", 0),
        ("back10", "−10", "ten cycles back", cycle - 10),
        ("back", "−1", "one cycle back", cycle - 1),
        ("on", "+1", "one cycle on", cycle + 1),
        ("on10", "+10", "ten cycles on", cycle + 10),
        ("last", "last", "last cycle", last),
        ("reply", f"next {_word(run)}", f"next {_word(run)}", later[0] if later else cycle),
        ("on100", "", "", cycle + 100),  # not shown: the script presses it
    ]
    return {
        "cycle": cycle,
        "steps": [
            {
                "key": key,
                "text": text,
                "label": label,
                "url": run.url(cycle=goal) if 0 <= goal <= last and goal != cycle else "",
            }
            for key, text, label, goal in steps
        ],
        "replies": _replies(run, outline, cycle),
        "timeline": _timeline(outline),
        "printed": _printed(run, outline),
        "boards": _boards(run, outline),
        "moving": _moving(run, outline),
        "files": {
            "VCD": run.url(".vcd", first=cycle // DUMPED * DUMPED),
            "SVG": run.url(".svg", first=cycle // DRAWN * DRAWN),
        },
    }


def _word(run: ChipRun) -> str:
    """What a stretch of work is: at the referee somebody plays."""
    return "reply" if run.design.plays or not run.design.driver.presses else "play"


def _replies(run: ChipRun, outline: Outline, cycle: int) -> list[dict[str, Any]]:
    """The stretches of work around a cycle, and the page of the first cycle of each."""
    begins = bool(outline.replies) and outline.replies[0][0] == 0
    names = {
        stretch: f"{_word(run)} {number}" if number or not begins else "from the reset"
        for number, stretch in enumerate(outline.replies, 0 if begins else 1)
    }
    near = sorted(outline.replies, key=lambda stretch: abs(stretch[0] - cycle))[:MOST_REPLIES]
    return [
        {"name": names[stretch], "first": stretch[0], "last": stretch[1], "url": run.url(cycle=stretch[0])}
        | {"here": stretch[0] <= cycle <= stretch[1]}
        for stretch in sorted(near)
    ]


def _timeline(outline: Outline) -> str:
    """All stretches of work on a line from 0 to 100, as a path of SVG."""
    scale = 100 / outline.cycles
    return "".join(
        f"M{first * scale:.3f} 0h{(last + 1 - first) * scale:.3f}v10H{first * scale:.3f}z"
        for first, last in outline.replies
    )


def _printed(run: ChipRun, outline: Outline) -> list[dict[str, Any]]:
    """What the source's test bench prints: all lines of a moment, and the page of its cycle."""
    moments = groupby(outline.said, key=itemgetter(0))
    return [
        {
            "time": time,
            "text": "".join(text for _, text in lines).rstrip("\n"),
            "url": run.url(cycle=min((time - run.design.time_ns(0)) // (2 * run.design.half_ns), outline.cycles - 1)),
        }
        for time, lines in moments
    ]


def _boards(run: ChipRun, outline: Outline) -> list[list[list[dict[str, str] | None]]]:
    """The board of a game that the visitor plays, level by level, row by row, with None where there is no point.

    A point has a stone, or the address of the page on which it is pressed.
    """
    presses = run.design.driver.presses
    plays = not run.shows and not run.stimulus
    chip, user = outline.stones if plays or not presses else (0, 0)
    marks = (run.design.mark, "X" if run.design.mark == "O" else "O")
    position = _position(run, chip, user)
    places: dict[tuple[int, ...], dict[str, str]] = {}
    layout = run.game.layout
    for number, point in enumerate(layout.points):
        stone = marks[0] if chip >> number & 1 else marks[1] if user >> number & 1 else ""
        free = presses and not stone and (not plays or not outline.over) and position.hand[position.turn]
        places[layout.places[number]] = {"point": point, "stone": stone, "url": run.then(point).url() if free else ""}
    levels, rows, columns = (range(1 + max(place[part] for place in layout.places)) for part in range(3))
    return [[[places.get((level, row, column)) for column in columns] for row in rows] for level in levels]


def _position(run: ChipRun, chip: int, user: int) -> Position:
    """These stones, the user to move; at a chip that does not play, whoever's turn it is.

    Nothing is ever taken off the boards of our chips.
    """
    side = 0 if run.begin == "user" else 1
    stones = (user, chip) if side == 0 else (chip, user)
    x, o = (count - held.bit_count() for count, held in zip(run.game.rules.stones, stones, strict=True))
    return Position(stones, (x, o), side if run.design.plays else len(run.moves) % 2)


def _moving(run: ChipRun, outline: Outline) -> list[dict[str, str]]:
    """Where all stones are placed: the moves of the user, and the page on which each is made."""
    if run.shows or run.stimulus or outline.over or run.game.placing_only or not run.design.driver.presses:
        return []
    position = _position(run, *outline.stones)
    found = [run.game.write_move(move) for move in run.game.moves(position) if move.source is not None]
    return [{"move": move, "url": run.then(move).url()} for move in found]
