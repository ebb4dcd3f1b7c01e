"""The databases that the tests of records run on: a SQLite file, and a PostgreSQL server of their own.

The server is started at the first test that wants it, one for every process of pytest, and stopped at the end. It
listens on a socket in a folder of its own and on no network, and ends by itself if the tests are killed. PostgreSQL
refuses to run as root, so root starts it as the user `postgres`. Every test gets a fresh database.
"""

import os
import pwd
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest

from noughts.records import Database, open_database

__all__ = ["database", "database_url"]

USER = "postgres"
WAIT = 30
"""Seconds for the server to start."""


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database; a test that uses this runs once on each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/noughts.db"
    folder = server(request.session)
    if folder is None:
        pytest.skip("needs PostgreSQL (Debian: postgresql)")
    name = f"noughts{next(numbers)}"
    with psycopg.connect(host=str(folder), user=USER, dbname="postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return f"postgresql://{USER}:hidden@/{name}?host={folder}"


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """The same, open."""
    opened = open_database(database_url)
    yield opened
    opened.close()


numbers = count()


@cache
def server(session: pytest.Session) -> Path | None:
    """The folder with the socket of a running server; None where PostgreSQL is not installed."""
    programs = installed()
    if programs is None:
        return None
    folder = Path(tempfile.mkdtemp(prefix="noughts-postgres-"))
    if os.geteuid() == 0:
        shutil.chown(folder, USER, USER)
    data = folder / "data"
    settings = {"listen_addresses": "", "unix_socket_directories": str(folder), "fsync": "off"}
    options = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
    initdb = [str(programs / "initdb"), "-D", str(data), "-U", USER, "--auth=trust", "--encoding=UTF8", "--no-sync"]
    subprocess.run([*as_user(), *initdb, "--locale=C.UTF-8"], check=True, capture_output=True, cwd=folder)
    with (folder / "log").open("wb") as log:
        command = [*as_user(), "--pdeathsig", "INT", str(programs / "postgres"), "-D", str(data), *options]
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)

    def stop() -> None:
        process.send_signal(signal.SIGINT)  # does not wait for clients, as SIGTERM would
        process.wait(WAIT)
        shutil.rmtree(folder)

    session.addfinalizer(stop)
    await_answer(folder, process)
    return folder


def installed() -> Path | None:
    """The folder of PostgreSQL's programs, the newest if there are several."""
    if shutil.which("setpriv") is None or (os.geteuid() == 0 and not known_user()):
        return None
    on_path = shutil.which("initdb")
    places = [Path(on_path).parent] if on_path else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda place: float(place.parent.name))
    return next((place for place in reversed(places) if (place / "initdb").exists()), None)


def known_user() -> bool:
    """Whether there is a user to run the server as."""
    try:
        pwd.getpwnam(USER)
    except KeyError:
        return False
    return True


def as_user() -> list[str]:
    """The beginning of a command that is not run as root."""
    if os.geteuid() != 0:
        return ["setpriv"]
    command = ["setpriv", "--reuid", USER, "--regid", USER, "--init-groups"]
    if not Path(os.devnull).stat().st_mode & stat.S_IWOTH:
        # initdb writes to /dev/null, which on some machines only root may
        command += ["--inh-caps", "+dac_override", "--ambient-caps", "+dac_override"]
    return command


def await_answer(folder: Path, process: "subprocess.Popen[Any]") -> None:
    """Return when the server takes connections; fail with its own words if it ends instead."""
    until = time.monotonic() + WAIT
    while time.monotonic() < until and process.poll() is None:
        try:
            psycopg.connect(host=str(folder), user=USER, dbname="postgres").close()
            return
        except psycopg.OperationalError:
            time.sleep(0.05)
    pytest.fail(f"PostgreSQL did not start: {(folder / 'log').read_text()}")
