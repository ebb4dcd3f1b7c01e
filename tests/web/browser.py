"""A real browser before a real server: what the tests of the pages as people see them stand on.

The server is a process of its own on a free port with a database of its own, one for every process of pytest. Chromium
is the one that is installed; where there is none, these tests are skipped by name. Whatever goes wrong on a page while
a test looks at it, an error in a script, a forbidden style, a file that does not come, fails the test at its end, unless
the test said beforehand that it was to be expected.

Playwright keeps an event loop running in the thread of the tests while it is open, in which no other test could run
one. So the browser belongs to a module, while the server belongs to the session.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from time import monotonic, sleep
from typing import Literal

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response, expect, sync_playwright

from noughts.arena.tournament import Pairing, Tournament
from noughts.records import Finished, History, open_database, save_tournament

__all__ = ["HEIGHT", "PAGES", "PHONE", "PROBLEM", "Site", "Visits", "chromium", "open_site", "visit"]

PATIENCE = 30
"""Seconds after which a test stops waiting for something that should have happened."""
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
HEIGHT = 900
PHONE = 390
TALL_PHONE = 844
PROBLEM = "problem"

MORRIS = "e3.c4.c3.d2.d3xc4.f4.e5.c5.e4xf4.d1.g4.b4.f4xd2.a4.g7.g1.f2.d6.f4-f6.b4-b2"
PAGES = {
    "home": "/",
    "home-qubic": "/?game=qubic",
    "play-tictactoe": "/play/tictactoe?x=human&o=chip1990&moves=b2.a1&id=shown&values=1&hint=1",
    "play-finished": "/play/tictactoe?x=human&o=novice&moves=b2.a1.c1.c3.a3&id=shown",
    "play-achi": "/play/achi?x=human&o=human&moves=b2.a1.c1.a3.a2.c2.b3.b1&part=b3-&id=shown",
    "play-qubic": "/play/qubic?x=human&o=basicf&moves=1a1.4d4.1d1.1b1.4a1.2b2.2b3.3c3&id=shown",
    "play-cube": "/play/qubic?x=human&o=basicf&moves=1a1.4d4.1d1.1b1.4a1.2b2.2b3.3c3&id=shown&view=cube",
    "play-morris": f"/play/nine-mens-morris?x=human&o=human&moves={MORRIS}&part=e4-f4x&id=shown",
    "explore-tictactoe": "/explore/tictactoe/XO./.X./..O",
    "explore-achi": "/explore/achi",
    "explore-qubic": "/explore/qubic",
    "silicon": "/silicon",
    "silicon-chip1990": "/silicon/chip1990?cycle=9",
    "silicon-elements2021": "/silicon/elements2021?moves=b2&cycle=40",
    "silicon-referee2021": "/silicon/referee2021",
    "knuth": "/knuth",
    "history": "/history",
    "replay": "/history/1?ply=4",
    "docs": "/docs",
    PROBLEM: "/play/chess",
}
"""Every kind of page, by a short name; the problem is answered with 404, all others with 200."""

WATCH = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`forbidden by ${event.violatedDirective}: ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shifts.push(entry.value);
}).observe({ type: "layout-shift", buffered: true });
"""


def until(happened: object, what: str) -> None:
    """Wait for something to be so."""
    assert callable(happened)
    began = monotonic()
    while not happened():
        assert monotonic() - began < 2 * PATIENCE, f"waited in vain for {what}"
        sleep(0.05)


@dataclass
class Site:
    """A server that can be killed and started again on the same port with the same database."""

    folder: Path
    port: int = 0
    process: subprocess.Popen[bytes] | None = None
    ready: set[str] = field(default_factory=set)
    """Paths that were answered without delay."""

    @property
    def database(self) -> str:
        return f"sqlite:///{self.folder}/games.db"

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Serve, on the port it had before if it had one."""
        if not self.port:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                self.port = int(probe.getsockname()[1])
        code = f"from noughts.web.server import serve; serve('127.0.0.1', {self.port}, 1)"
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", code],
                env={**os.environ, "NOUGHTS_DATABASE_URL": self.database},
                stderr=log,
                start_new_session=True,
            )
        until(lambda: self.status("/api/v1/games") == 200 or self.ended, "the server")
        assert not self.ended, (self.folder / "server.log").read_text()

    @property
    def ended(self) -> bool:
        return self.process is None or self.process.poll() is not None

    def kill(self) -> None:
        """End it at once, with all that it started."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.ready.clear()

    def status(self, path: str) -> int:
        """What a request is answered with; 0 if it is not answered."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        except (OSError, HTTPException):
            return 0
        finally:
            connection.close()

    def prepare(self, path: str) -> None:
        """Let it work out what a page shows, so that the page does not have to say that it is still thinking."""
        if path not in self.ready:
            until(lambda: self.status(path) not in (0, 202, 503), path)
            self.ready.add(path)

    def furnish(self) -> None:
        """Some games that have been played, and a tournament, for the pages that show such."""
        database = open_database(self.database)
        try:
            history = History(database)
            for number, (name, other, moves, result, reason) in enumerate(
                [
                    ("tictactoe", "chip1990", "a1 b2 b1 c1 a2 a3", "o", "a row"),
                    ("achi", "novice", "b2 a1 c1 a3 a2 c2 b3", "x", "a row"),
                    ("tictactoe", "novice", "b2 b1 a1 c3 a3 c1 a2", "x", "a row"),
                ]
            ):
                token = f"furniture{number}"
                history.save(
                    Finished(token=token, game=name, x="human", o=other, moves=moves, result=result, reason=reason)
                )
            pairings = [
                Pairing("perfect", "novice", 62, 36, 2),
                Pairing("perfect", "chip1990", 0, 100, 0),
                Pairing("chip1990", "novice", 57, 40, 3),
            ]
            save_tournament(database, Tournament("tictactoe", 7, 100, pairings))
        finally:
            database.close()


def open_site(folder: Path) -> Site:
    """A server that runs, with something to show."""
    opened = Site(folder)
    opened.furnish()
    opened.start()
    return opened


@cache
def shared_site(session: pytest.Session) -> Site:
    """The server of this process of pytest."""
    folder = Path(tempfile.mkdtemp(prefix="noughts-site-"))
    opened = open_site(folder)

    def close() -> None:
        opened.kill()
        shutil.rmtree(folder)

    session.addfinalizer(close)
    return opened


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The browser, as it is installed."""
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("needs chromium (Debian: chromium)")
    expect.set_options(timeout=1000 * PATIENCE)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield opened
        opened.close()


@dataclass
class Visits:
    """Pages that a test looks at, each with cookies and a history of its own, and what went wrong on them."""

    browser: Browser
    site: Site
    faults: list[str] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)

    def __call__(
        self,
        path: str,
        *,
        site: Site | None = None,
        width: int = 1440,
        touch: bool = False,
        dark: bool = False,
        scripts: bool = True,
        status: int = 200,
    ) -> Page:
        """Go to a page that is answered with this status."""
        at = site or self.site
        at.prepare(path)
        theme: Literal["dark", "light"] = "dark" if dark else "light"
        context = self.browser.new_context(
            base_url=at.address,
            viewport={"width": PHONE, "height": TALL_PHONE} if touch else {"width": width, "height": HEIGHT},
            has_touch=touch,
            is_mobile=touch,
            color_scheme=theme,
            java_script_enabled=scripts,
        )
        context.set_default_timeout(1000 * PATIENCE)
        if scripts:
            context.add_init_script(WATCH)
        page = context.new_page()
        self.pages.append(page)
        if status == 200:
            self._watch(page)
        answer = page.goto(path)
        assert answer is not None
        assert answer.status == status, f"{path} answers {answer.status}"
        return page

    def _watch(self, page: Page) -> None:
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.faults.append(f"{page.url}: {error}"))
        page.on("requestfailed", self._failed)
        page.on("response", self._answered)

    def _heard(self, message: ConsoleMessage) -> None:
        """An error or a warning in the console; that a file did not come is known from its answer."""
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            self.faults.append(f"{message.location.get('url')}: {message.text}")

    def _failed(self, request: Request) -> None:
        """A request without an answer, unless the page itself had lost its interest in it."""
        if request.failure != "net::ERR_ABORTED":
            self.faults.append(f"{request.url}: {request.failure}")

    def _answered(self, response: Response) -> None:
        """An answer that says something is wrong; 503 says that it takes a little longer."""
        if response.status >= 400 and response.status != 503:
            self.faults.append(f"{response.url}: {response.status}")

    def close(self) -> None:
        for page in self.pages:
            page.context.close()


@pytest.fixture
def visit(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Visits]:
    """Opens pages; in the end, nothing may have gone wrong on any of them."""
    visits = Visits(chromium, shared_site(request.session))
    yield visits
    visits.close()
    assert not visits.faults
