"""What `import noughts` offers is there, loads lazily, has types, and is documented."""

import subprocess
import sys
from pathlib import Path
from typing import assert_type
from xml.etree import ElementTree

import pytest

import noughts


def test_everything_that_is_promised_is_there() -> None:
    for name in noughts.__all__:
        assert getattr(noughts, name) is not None
        assert name in dir(noughts)
    with pytest.raises(AttributeError, match="module 'noughts' has no attribute 'bord': expected one of"):
        noughts.bord  # type: ignore[attr-defined]  # noqa: B018


def run(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_solve_can_be_called_whoever_has_imported_the_package_before() -> None:
    """And stays the package that it is."""
    asked = "print(noughts.solve('tictactoe'), noughts.solve.knowledge, noughts.solve.solve)"
    for before in ("", "from noughts.solve import knowledge", "noughts.board().value()"):
        assert run(f"import noughts\n{before}\n{asked}").startswith("<Solution of tictactoe: 5,478 positions")


def test_a_board_is_there_before_numpy_and_the_compiler() -> None:
    asked = "print(noughts.board('qubic').play('1a1'))\nprint({'numpy', 'numba', 'rich'} & {*sys.modules})"
    assert run(f"import noughts, sys\n{asked}").endswith("set()\n")


def test_a_solution_shows_itself_as_a_table() -> None:
    solution = noughts.solve("three-mens-morris")
    table = ElementTree.fromstring(solution._repr_html_())
    caption = table.find("caption")
    assert caption is not None
    assert caption.text == "Three men’s morris: win in 9 for the first player"
    rows = [[cell.text for cell in row] for row in table.iter("tr")]
    assert rows[0][:5] == ["stones", "positions", "wins", "draws", "losses"]
    assert sum(int(row[1] or 0) for row in rows[1:]) == sum(one.positions for one in solution.subspaces)


def test_what_one_types_first_shows_something() -> None:
    board = noughts.board()
    assert [repr(one) for one in (board, board.value(), noughts.game("achi"), noughts.player("casual"))] == [
        "noughts.board('tictactoe')", "<Value: draw in 9>", "Game('achi')", "<Player casual>",
    ]  # fmt: skip


def test_the_rooms_are_there_without_being_imported() -> None:
    for room in ("arena", "games", "insight", "players", "rl", "silicon", "solve"):
        assert f"noughts.{room}`" in (noughts.__doc__ or "").replace("\n", " ")
        assert room in dir(noughts)
    assert run("import noughts\nprint(noughts.games.NAMES[0], noughts.rl.__name__)") == "tictactoe noughts.rl\n"


def test_types_are_told_to_whoever_imports() -> None:
    """`mypy --strict` reads this: what is not so, or is not told, is an error there."""
    assert (Path(noughts.__file__).parent / "py.typed").exists()
    board = assert_type(noughts.board("tictactoe"), noughts.Board)
    assert_type(board.play("b2").best(), list[str])
    assert_type(board.winner, str | None)
    solution = assert_type(noughts.solve(noughts.game("achi")), noughts.Solution)
    assert_type(solution.value(noughts.game("achi").start()).remoteness, int | None)
    assert_type(noughts.player("casual", 3), noughts.Player)
    assert_type(noughts.analyse(board).moves[0].words, str)
    with pytest.raises(noughts.NoughtsError):
        noughts.solve(3)  # type: ignore[arg-type]
