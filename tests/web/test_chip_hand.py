"""What is done at the pins of a chip from a page: the form, the text, and the address that has both."""

import re
from base64 import urlsafe_b64encode
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from zlib import MAX_WBITS, compressobj

import pytest

from design_names import MADE
from noughts.silicon.designs import DESIGNS
from noughts.silicon.kept import recording
from noughts.silicon.stimulus import MOST_CYCLES, StimulusError
from noughts.web.pages.chip_address import MOST_SQUEEZED, ChipRun, read_run
from noughts.web.pages.chip_hand import MOST_PASSING, Field, Hand
from noughts.web.sitting import BadAddressError

APPENDIX_E = (Path(str(DESIGNS["chip1990"].folder)) / "appendix-e.txt").read_text()


def hand_of(name: str) -> Hand:
    """A hand at the pins of a design, whose widths a recording knows."""
    recorded = recording(DESIGNS[name], DESIGNS[name].samples[0].name)
    assert recorded is not None
    return Hand(DESIGNS[name], recorded.trace.widths)


def lines(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def shown(hand: Hand, text: str) -> dict[str, Field]:
    return {field.name: field for field in hand.fields(text)}


def sent(fields: dict[str, Field], **changed: list[str]) -> dict[str, list[str]]:
    """What a browser sends of a form: the boxes that are ticked, and the numbers; some of them changed by hand."""
    values = {
        field.key: [str(tick.bit) for tick in field.ticks if tick.on] if field.ticks else [str(field.value)]
        for field in fields.values()
    }
    return {key: value for key, value in (values | {f"at-{name}": to for name, to in changed.items()}).items() if value}


def test_a_hand_begins_with_a_cycle_of_reset() -> None:
    text = hand_of("chip1990").first()
    assert lines(text)[:2] == [["0", "counters", "0"], ["100", "resetN", "0"]]
    assert lines(text)[-2:] == [["300", "resetN", "1"], ["400", "end"]]
    assert lines(hand_of("referee2021").first())[0] == ["100", "rst", "1"]


@pytest.mark.parametrize("name", MADE)
def test_the_form_has_every_input_but_the_clock(name: str) -> None:
    hand, design = hand_of(name), DESIGNS[name]
    fields = shown(hand, hand.first())
    assert list(fields) == [pin for pin in design.story.groups[0].signals if pin != design.clock]
    assert all(field.about and field.key == f"at-{pin}" for pin, field in fields.items())


@pytest.mark.parametrize("name", MADE)
def test_a_form_that_nobody_touched_changes_no_level(name: str) -> None:
    hand = hand_of(name)
    text = hand.first()
    further = hand.gone_on(text, hand.read(sent(shown(hand, text))), 5)
    assert lines(further)[:-1] == lines(text)[:-1]
    step = DESIGNS[name].half_ns
    assert int(lines(further)[-1][0]) == int(lines(text)[-1][0]) + 10 * step


def test_what_a_counter_held_at_first_is_kept() -> None:
    hand = hand_of("chip1990")
    for text in (hand.first(), hand.first().replace("0    counters    0\n", "")):
        further = hand.gone_on(text, hand.read(sent(shown(hand, text))), 1)
        assert ("counters" in further) is ("counters" in text)
    assert "counters" not in text


def test_a_ticked_key_is_low_and_a_ticked_pin_high() -> None:
    hand = hand_of("chip1990")
    text = hand.first()
    fields = shown(hand, text)
    assert fields["keyboardN"].is_low
    assert fields["keyboardN"].columns == 3
    assert not any(tick.on for tick in fields["keyboardN"].ticks)
    held = hand.gone_on(text, hand.read(sent(fields, keyboardN=["4"], pin=["0"])), 1)
    assert lines(held)[-3:] == [["500", "keyboardN", "111101111"], ["500", "pin", "1"], ["600", "end"]]
    after = shown(hand, held)
    assert [tick.bit for tick in after["keyboardN"].ticks if tick.on] == [4]
    released = hand.gone_on(held, hand.read(sent(after, keyboardN=[])), 2)
    assert lines(released)[-2:] == [["700", "keyboardN", "111111111"], ["1000", "end"]]


def test_a_reset_lasts_a_cycle_and_what_is_held_stays_held() -> None:
    """So a position can be set up, as the paper has it: a key is down when the reset ends."""
    hand = hand_of("chip1990")
    text = hand.gone_on(hand.first(), hand.read(sent(shown(hand, hand.first()), keyboardN=["2"])), 1, reset=True)
    assert lines(text)[-4:-2] == [["500", "resetN", "0"], ["500", "keyboardN", "111111011"]]
    assert lines(text)[-2:] == [["700", "resetN", "1"], ["800", "end"]]


def test_numbers_are_numbers_and_switches_boxes() -> None:
    hand = hand_of("referee2021")
    text = hand.gone_on(hand.first(), hand.read({"at-pp": ["0"], "at-player_position": ["5"]}), 1)
    assert ["500", "player_position", "0101"] in lines(text)
    board = shown(hand_of("elements2021"), hand_of("elements2021").first())["SW"]
    assert [tick.bit for tick in board.ticks] == list(range(17, -1, -1)), "as they stand on the board"


@pytest.mark.parametrize(
    ("name", "fields", "words"),
    [
        ("chip1990", {"at-keyboardN": ["9"]}, "'9' is not a line of keyboardN: expected 0 to 8"),
        ("chip1990", {"at-pin": ["1"]}, "'1' is not a line of pin: expected 0 to 0"),
        ("chip1990", {"at-pin": ["x" * 900]}, "x' is not a line of pin"),
        ("referee2021", {"at-player_position": ["16"]}, "'16' is not a level of player_position: expected 0 to 15"),
        ("referee2021", {"at-player_position": ["-1"]}, "'-1' is not a level"),
        ("referee2021", {"at-player_position": ["٣"]}, "is not a level"),
    ],
)
def test_a_field_without_meaning_is_refused(name: str, fields: dict[str, list[str]], words: str) -> None:
    with pytest.raises(BadAddressError, match=re.escape(words)):
        hand_of(name).read(fields)


def test_there_is_an_end_to_cycles() -> None:
    hand = hand_of("chip1990")
    levels = hand.read(sent(shown(hand, hand.first())))
    for cycles in (0, -1, MOST_PASSING + 1):
        with pytest.raises(BadAddressError, match="cycles cannot pass: expected 1 to 1,000,000"):
            hand.gone_on(hand.first(), levels, cycles)
    text = hand.first()
    for _ in range(MOST_CYCLES // MOST_PASSING - 1):
        text = hand.gone_on(text, levels, MOST_PASSING)
    with pytest.raises(StimulusError, match="is not a time: expected nanoseconds, at most"):
        hand.rewritten(hand.gone_on(text, levels, MOST_PASSING))


def test_two_texts_that_do_the_same_have_one_address() -> None:
    hand = hand_of("chip1990")
    once = hand.rewritten(APPENDIX_E)
    assert "#" not in once
    assert hand.rewritten(once) == once == hand.rewritten(APPENDIX_E.replace("\n", "\r\n"))


def test_an_address_gives_back_the_text_that_it_was_made_of() -> None:
    text = hand_of("chip1990").rewritten(APPENDIX_E)
    url = ChipRun("chip1990", stimulus=text, signals=("cp", "led")).url(cycle=7)
    query = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
    assert query.pop("cycle") == "7"
    signals = query.pop("signals")
    found = read_run("chip1990", **query, signals=[signals])
    assert found.run.stimulus == text
    assert found.signals == ("cp", "led")
    assert re.fullmatch(r"[A-Za-z0-9_-]+", query["pins"]), "nothing in it is escaped"


def test_a_whole_scan_pattern_fits_into_an_address() -> None:
    """97 registers, a bit a cycle, and the bit changes in every one of them."""
    hand = hand_of("chip1990")
    text = hand.first()
    for bit in range(97):
        levels = hand.read(sent(shown(hand, text), scan=["0"], scanin=["0"] if bit % 2 else []))
        text = hand.gone_on(text, levels, 1)
    assert text.count("scanin") > 90
    assert ChipRun("chip1990", stimulus=text).url()


def bomb(size: int) -> str:
    packer = compressobj(9, wbits=-MAX_WBITS)
    return urlsafe_b64encode(packer.compress(b" " * size) + packer.flush()).decode().rstrip("=")


@pytest.mark.parametrize("pins", ["x", "=", "äöü", "AAAA", "!" * 40, bomb(1_000_000), bomb(20_001)], ids=len)
def test_what_is_no_squeezed_stimulus_is_refused_without_being_unpacked(pins: str) -> None:
    assert len(pins) <= MOST_SQUEEZED
    with pytest.raises(BadAddressError, match="is no stimulus: expected what a page of this chip links to"):
        read_run("chip1990", pins=pins)


def test_a_stimulus_too_long_for_an_address_is_refused_with_another_way() -> None:
    hand = hand_of("chip1990")
    noise = "\n".join(f"{100 + 200 * cycle} keyboardN {pow(5, cycle, 509):09b}" for cycle in range(900))
    text = hand.rewritten(f"{noise}\n200000 end")
    with pytest.raises(BadAddressError, match=r"expected at most 1,500; `noughts silicon trace --stimulus FILE`"):
        ChipRun("chip1990", stimulus=text).url()


def test_a_run_is_one_thing() -> None:
    pins = ChipRun("chip1990", stimulus=hand_of("chip1990").first()).query["pins"]
    for query in ({"moves": "b2"}, {"begin": "chip"}, {"sample": "appendix-e"}):
        with pytest.raises(BadAddressError, match="do not go together: expected one of them"):
            read_run("chip1990", pins=pins, **query)
