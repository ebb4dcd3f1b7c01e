"""The database is found where it was said to be, and one that cannot be used is named without its password."""

import os
import socket
from pathlib import Path

import pytest

from noughts.records import DatabaseError, DatabaseUrlError, Finished, History, open_database
from noughts.records.database import find_address

GAME = Finished(token="t", game="achi", x="human", o="perfect", moves="b2 a1", result="o", reason="a row")


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOUGHTS_DATABASE_URL", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)


def test_by_default_it_is_a_file_in_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "da ta%?#"))
    database = open_database()
    assert History(database).save(GAME).id == 1
    database.close()
    assert (tmp_path / "da ta%?#" / "noughts" / "noughts.db").is_file()


@pytest.mark.parametrize("relative", [None, "", "relative"])
def test_without_a_data_folder_it_is_in_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, relative: str | None
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    if relative is not None:
        monkeypatch.setenv("XDG_DATA_HOME", relative)
    assert find_address().url.database == str(tmp_path / ".local/share/noughts/noughts.db")
    assert (tmp_path / ".local/share/noughts").is_dir()


def test_a_variable_says_where_and_a_url_overrules_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_DATABASE_URL", f"sqlite:///{tmp_path}/variable.db")
    open_database().close()
    open_database(f"sqlite:///{tmp_path}/url.db").close()
    assert {path.name for path in tmp_path.glob("*.db")} == {"variable.db", "url.db"}


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
def test_a_postgresql_url_is_taken_with_psycopg(scheme: str) -> None:
    address = find_address(f"{scheme}://somebody:secret@server:5433/games?sslmode=require&password=other")
    assert address.url.drivername == "postgresql+psycopg"
    assert address.url.password == "secret"
    assert address.shown == f"{scheme}://somebody@server:5433/games"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("games.db", "games.db"),
        ("postgresql:/u:secret@host/games", "…@host/games"),
        ("postgresql://u:secret@host:port/games", "…@host:port/games"),
        ("postgresql//host/games?password=secret", "postgresql//host/games"),
        ("mysql://u:secret@host/games", "mysql://u@host/games"),
        ("sqlite://", "sqlite://"),
        ("sqlite:///:memory:", "sqlite:///:memory:"),
        ("sqlite:///file:games.db", "sqlite:///file:games.db"),
        ("sqlite:///games.db?secret=1", "sqlite:///games.db"),
        ("sqlite+aiosqlite:///games.db", "sqlite+aiosqlite:///games.db"),
    ],
)
def test_a_bad_url_is_named_without_secrets(url: str, shown: str) -> None:
    with pytest.raises(DatabaseUrlError) as caught:
        open_database(url)
    assert str(caught.value).startswith(f"{shown!r} ")
    assert "expected sqlite:///FILE" in str(caught.value)
    assert "secret" not in str(caught.value)


def refusal(url: str) -> str:
    with pytest.raises(DatabaseError) as caught:
        open_database(url)
    message = str(caught.value)
    assert "\n" not in message
    assert "secret" not in message
    return message


def test_a_server_that_is_not_there_is_an_error_in_one_line() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    message = refusal(f"postgresql://u:secret@127.0.0.1:{port}/games")
    assert message.startswith(f"the database 'postgresql://u@127.0.0.1:{port}/games' does not answer: ")
    assert "refused" in message


def test_an_option_that_the_server_does_not_know_is_an_error_in_one_line() -> None:
    assert "does not answer" in refusal("postgresql://u:secret@127.0.0.1/games?colour=red")


def test_a_folder_that_is_not_there_is_an_error_in_one_line(tmp_path: Path) -> None:
    assert "unable to open database file" in refusal(f"sqlite:///{tmp_path}/nowhere/noughts.db")


def test_a_folder_in_place_of_a_file_is_an_error_in_one_line(tmp_path: Path) -> None:
    assert "unable to open database file" in refusal(f"sqlite:///{tmp_path}")


def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear reader, " * 100)
    assert "file is not a database" in refusal(f"sqlite:///{file}")
    assert file.read_text() == "Dear reader, " * 100


def test_a_data_folder_that_cannot_be_made_is_an_error_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    with pytest.raises(DatabaseError, match=r"cannot be made: .*; expected a writable folder, or NOUGHTS_DATABASE_URL"):
        open_database()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_an_error_in_one_line(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert "unable to open database file" in refusal(f"sqlite:///{tmp_path}/noughts.db")
