"""A book that is damaged, or that says what does not follow, is found out."""

import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from morris_six import SIX, six
from noughts.solve.morris import openings
from noughts.solve.morris.openings import check_book, make_book

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("plies", [0, 5, 11])
def test_a_right_book_passes(tmp_path: Path, plies: int) -> None:
    book = make_book(SIX, six().read, plies, tmp_path / "book")
    told: list[int] = []
    compared, wrong = check_book(book, six(), lambda done, _total: told.append(done))
    assert wrong is None
    assert 5 * plies < compared <= 10 * (plies + 1)
    assert told == [*range(plies + 1)]


@pytest.mark.parametrize(
    ("spoilt", "message"),
    [
        (lambda values: bytes(2 if value == 1 else value for value in values), "is win in the book, expected draw"),
        (lambda values: bytes(0 if value == 1 else value for value in values), "is loss in the book, expected draw"),
    ],
)
def test_values_that_do_not_follow_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoilt: Callable[[bytes], bytes], message: str
) -> None:
    monkeypatch.setattr(openings, "_pack", lambda outcomes: [zlib.compress(spoilt(outcomes.tobytes()))])
    book = make_book(SIX, six().read, 0, tmp_path / "book")
    compared, wrong = check_book(book, six())
    assert compared == 1
    assert wrong is not None
    assert wrong.endswith(message)


def test_a_flipped_bit_is_found(tmp_path: Path) -> None:
    path = tmp_path / "book"
    book = make_book(SIX, six().read, 6, path)
    content = bytearray(path.read_bytes())
    content[-20] ^= 4
    path.write_bytes(content)
    compared, wrong = check_book(book, six())
    assert compared == 0
    assert wrong is not None
    assert "is damaged" in wrong
