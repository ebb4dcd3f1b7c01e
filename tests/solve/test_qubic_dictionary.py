"""Dictionary files: what is written is read back, and what is wrong is named with its line."""

import gzip
import re
from pathlib import Path
from random import Random
from tempfile import NamedTemporaryFile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.games import game
from noughts.games.symmetry import apply
from noughts.solve.qubic import dictionary
from noughts.solve.qubic.dictionary import (
    Dictionary,
    DictionaryError,
    Entry,
    read_dictionary,
    shipped_dictionary,
    write_dictionary,
)
from published_dictionary import line_of, published

SMALL = Dictionary((Entry(0, 0, 21), Entry(1, 1 << 63, 5), Entry(0b101, 0b1010, 60)), ("made by hand",))


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    file = tmp_path / "small.txt.gz"
    file.write_bytes(write_dictionary(SMALL))
    assert read_dictionary(file).entries == SMALL.entries
    assert write_dictionary(SMALL) == write_dictionary(SMALL)


def test_the_plain_format(tmp_path: Path) -> None:
    """Comments, then positions as runs of stones and counts of empty cells, and a move."""
    file = tmp_path / "plain.txt"
    file.write_text("The dictionary of 1980\n# another comment\n\n64 21\nx62o 5\nxoxo60 60\n")
    assert read_dictionary(file).entries == SMALL.entries


def test_a_dictionary_is_read_as_patashniks_circulates(tmp_path: Path) -> None:
    shipped = shipped_dictionary()
    text = published(shipped.entries)
    assert re.search("\n [0-9]+\n", text), "the empty board is a blank and a move"
    file = tmp_path / "dictionary.txt"
    for content in (text, text.replace("\n", "\r\n"), text + "\n"):
        file.write_bytes(content.encode())
        assert read_dictionary(file).entries == shipped.entries


def test_entries_that_say_the_same_are_one(tmp_path: Path) -> None:
    """A line again, a board written otherwise, an image, and a move that a symmetry of the board turns."""
    random = Random(1)
    entries = random.sample(shipped_dictionary().entries, 50)
    lines = [line_of(entry) for entry in entries]
    for entry in entries[:20]:
        symmetry = random.choice(game("qubic").symmetries)
        image = Entry(apply(symmetry, entry.x), apply(symmetry, entry.o), symmetry[entry.move])
        lines += [line_of(entry), line_of(image)]
    file = tmp_path / "twice.txt"
    file.write_text("\n".join(lines))
    assert read_dictionary(file).entries == tuple(entries)
    file.write_text(" 0\n64 63\n 21\n")
    assert read_dictionary(file).entries == (Entry(0, 0, 0),), (
        "a corner is a corner, and the inner cells are alike to it"
    )


@pytest.mark.parametrize("seed", range(5))
def test_a_contradiction_is_found_whichever_image_it_is_of(tmp_path: Path, seed: int) -> None:
    random, symmetries = Random(seed), game("qubic").symmetries
    entries = random.sample([entry for entry in shipped_dictionary().entries if entry.x.bit_count() > 3], 30)
    at = random.randrange(30)
    wrong = entries[at]
    fixed = [s for s in symmetries if (apply(s, wrong.x), apply(s, wrong.o)) == (wrong.x, wrong.o)]
    same = {s[wrong.move] for s in fixed}
    other = random.choice([c for c in range(64) if not (wrong.x | wrong.o) >> c & 1 and c not in same])
    turned = random.choice(symmetries)
    entries.append(Entry(apply(turned, wrong.x), apply(turned, wrong.o), turned[other]))
    file = tmp_path / "wrong.txt"
    file.write_text("prose\n" + "\n".join(map(line_of, entries)))
    with pytest.raises(DictionaryError, match=f"lines {at + 2} and 32 name different moves"):
        read_dictionary(file)


def test_a_file_may_not_be_longer_than_it_may_unpack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dictionary, "LARGEST_FILE", 1 << 20)
    file = tmp_path / "long.txt"
    text = b"64 21\n" + b"#" * (1 << 20)
    file.write_bytes(text)
    with pytest.raises(DictionaryError, match="is too long: expected at most 1 MiB"):
        read_dictionary(file)
    file.write_bytes(text[: 1 << 20])
    assert read_dictionary(file).entries == (Entry(0, 0, 21),)
    file.write_bytes(gzip.compress(text))
    with pytest.raises(DictionaryError, match="too long"):
        read_dictionary(file)


GARBAGE = st.one_of(
    st.binary(max_size=200),
    st.lists(st.text("xo0123456789 \t-_#\n", max_size=20), max_size=8).map(lambda lines: "\n".join(lines).encode()),
    st.lists(
        st.sampled_from([" 0", "64 21", "x62o 5", "xo 7", "\txo 7", "", "# c", "x\u00b2o 3", "\0"]), max_size=9
    ).map(lambda lines: "\n".join(lines).encode()),
)


@settings(deadline=None)
@given(GARBAGE, st.booleans())
def test_of_garbage_comes_a_dictionary_or_one_line_that_says_what_is_wrong(content: bytes, packed: bool) -> None:
    with NamedTemporaryFile() as file:
        file.write(gzip.compress(content) if packed else content)
        file.flush()
        complaint, found = None, None
        try:
            found = read_dictionary(Path(file.name))
        except DictionaryError as error:
            complaint = str(error)
    if found is None:
        assert complaint is not None
        assert file.name in complaint
        assert "expected" in complaint or "as '64 0'" in complaint
        assert len(complaint.splitlines()) == 1
        return
    assert found.entries
    for x, o, move in found.entries:
        assert x.bit_count() == o.bit_count()
        assert not x & o
        assert not (x | o) >> move & 1


def test_the_certificate_shipped_is_smaller_than_patashniks() -> None:
    shipped = shipped_dictionary()
    assert len(shipped.entries) <= 2_929
    assert any("noughts prove qubic" in comment for comment in shipped.comments)
    assert len(write_dictionary(shipped)) < 1_000_000


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has no moves"),
        ("nothing but words\n", "has no moves"),
        ("64 21\nx62o\n", "line 2: 'x62o' is not a position and a move"),
        ("64 21\nx62o 5 6\n", "line 2: 'x62o 5 6' is not a position and a move"),
        ("64 21\nhello 5\n", "line 2: 'hello 5' is not a position and a move"),
        ("# c\n64 21\nx63o 5\n", "line 3: 'x63o' has more than 64 cells"),
        ("64 21\n\tx62o 5\n", "line 2: '\\tx62o 5' is not a position and a move"),
        ("64 21\nx62o 5\nx62o 6\n", "lines 2 and 3 name different moves in one position"),
        ("64 21\n\nx62o 5\no62x 6\n", "lines 3 and 4 name different moves in one position or images of it"),
        (" 0\n# the same board\n64 1\n", "lines 1 and 3 name different moves"),
        ("64 21\nx99999999999999999999o 5\n", "has more than 64 cells"),
        ("64 21\nxx62 5\n", "line 2: 2 x and 0 o, expected as many"),
        ("64 64\n", "line 1: '64' is not a move, expected a number from 0 to 63"),
        ("64 -1\n", "line 1: '-1' is not a move"),
        ("xo62 1\n", "line 1: cell 1 is taken"),
        ("# strategic moves: 2\n64 21\n", "has 1 moves: expected 2"),
        ("64 2\u00b9\n", "is not a move, expected a number"),
    ],
)
def test_wrong_files_are_named_with_their_line(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "wrong.txt"
    file.write_text(text)
    with pytest.raises(DictionaryError) as caught:
        read_dictionary(file)
    assert words in str(caught.value)
    assert str(file) in str(caught.value)


def test_a_damaged_or_shortened_file_is_noticed(tmp_path: Path) -> None:
    whole = write_dictionary(shipped_dictionary())
    file = tmp_path / "proof.txt.gz"
    for content in (whole[:-9], whole[: len(whole) // 2], whole + b"x", whole[:5000] + b"\x00" + whole[5001:]):
        file.write_bytes(content)
        with pytest.raises(DictionaryError, match=r"damaged|cut short|has"):
            read_dictionary(file)
    file.write_bytes(gzip.compress(b"64 21\n"))
    assert read_dictionary(file).entries == (Entry(0, 0, 21),)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(DictionaryError, match="cannot be read"):
            read_dictionary(path)
