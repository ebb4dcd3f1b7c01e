"""Dictionary files: what is written is read back, and what is wrong is named with its line."""

import gzip
from pathlib import Path

import pytest

from noughts.solve.qubic.dictionary import (
    Dictionary,
    DictionaryError,
    Entry,
    read_dictionary,
    shipped_dictionary,
    write_dictionary,
)

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
        ("# c\n64 21\nx61o 5\n", "line 3: 'x61o' has 63 cells, expected 64"),
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
