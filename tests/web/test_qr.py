"""A QR code is the one that another program draws, and its bytes are those of the text."""

import pytest

from noughts.web.qr import MOST_BYTES, SIZE, modules, qr_code

ADDRESS = "https://games.example/together/"
FULL = (ADDRESS + 4 * "oAbCdEfGhIjKlMnOpQrStU_-")[:MOST_BYTES]
DRAWN = """
1fc44c047f 104b6e2b41 175220325d 174464745d 1746ee265d 1043b7f341 1fd555557f 001bb8a900 1df71303c4
193833f84d 0440591d71 012dfcec99 06729b08c1 040f1d59c5 1bf4c480bb 143b8adbaa 1fe413f1c1 12373f39c5
1245d511db 1083cede32 0bd89bbb63 18ad1d19c1 0c540c89bb 0f38a9fb42 1a7c1130c3 061b3fb949 10c10d58cf
0a88ddff92 1040b9b9f0 00111d9317 1fd080c75f 1056bb8913 175c3131f0 174b0fb133 175981d71f 105edfcf52
1fd4a1bb9b
"""
"""The rows of the code of this text as segno 1.6 draws it (version 5, L, mask 0), each as a number in hexadecimal."""


def test_a_code_is_what_another_program_draws() -> None:
    rows = [int("".join(str(int(module)) for module in row), 2) for row in modules(FULL)]
    assert rows == [int(row, 16) for row in DRAWN.split()]


def reserved(row: int, column: int) -> bool:
    """Whether a place is part of a pattern, by the picture in the standard."""
    corner = (row < 9 and (column < 9 or column > SIZE - 9)) or (row > SIZE - 9 and column < 9)
    return corner or 6 in (row, column) or (28 <= row <= 32 and 28 <= column <= 32)


def codewords(square: list[list[bool]]) -> bytes:
    """The bytes, read as a telephone does: two columns at a time, up and down, past the patterns and the mask."""
    bits, upwards = "", True
    right = SIZE - 1
    while right > 0:
        right -= right == 6
        for row in reversed(range(SIZE)) if upwards else range(SIZE):
            for column in (right, right - 1):
                if not reserved(row, column):
                    bits += str(int(square[row][column] != ((row + column) % 2 == 0)))
        right, upwards = right - 2, not upwards
    return bytes(int(bits[place : place + 8], 2) for place in range(0, 8 * 134, 8))


@pytest.mark.parametrize("text", ["a", ADDRESS, FULL, "https://münchen.example/"])
def test_the_bytes_are_those_of_the_text_and_their_check(text: str) -> None:
    found, said = codewords(modules(text)), text.encode()
    header = int.from_bytes(found[: len(said) + 2])
    assert header == (0b0100 << 8 | len(said)) << 8 * len(said) + 4 | int.from_bytes(said) << 4
    assert found[len(said) + 2 : 108] == (b"\xec\x11" * 54)[: 106 - len(said)]
    root = 1
    for _ in range(26):
        value = 0
        for byte in found:
            value = product(value, root) ^ byte
        assert value == 0, "every root of the generator is one of the whole"
        root = product(root, 2)


def product(a: int, b: int) -> int:
    """Of two bytes as polynomials, by x⁸ + x⁴ + x³ + x² + 1."""
    whole = 0
    for place in range(8):
        whole ^= (a << place) * (b >> place & 1)
    for place in range(14, 7, -1):
        whole ^= (0x11D << place - 8) * (whole >> place & 1)
    return whole


def test_the_picture_has_every_dark_module_and_nothing_of_the_text() -> None:
    drawn = str(qr_code(FULL, "a <code>"))
    dark = sum(map(sum, modules(FULL)))
    runs = [run.partition("v")[0].rpartition("h")[2] for run in drawn.rpartition(' d="')[2].split("M")[1:]]
    assert sum(int(run) for run in runs) == dark
    assert "a &lt;code&gt;" in drawn
    assert qr_code(FULL + "x", "too long") == ""
