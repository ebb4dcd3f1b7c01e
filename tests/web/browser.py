"""A real browser, and what goes wrong on the pages that it shows.

Chromium is the one that is installed, best its headless shell: the same engine without windows around it, which costs a
third of the time. Where there is none, the tests that need it are skipped by name. Whatever goes wrong on a page while
a test looks at it fails the test at its end: an error in a script, a style that the policy forbids, a file that does
not come.

Playwright keeps an event loop running in the thread of the tests while it is open, in which no other test could run
one. So the browser belongs to a module, while the server belongs to the session.
"""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import pytest
from live_site import Site, shared_site
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response, expect, sync_playwright

__all__ = ["HEIGHT", "PHONE", "WIDE", "Visits", "chromium", "visit"]

PATIENCE = 30_000
"""Milliseconds after which a test stops waiting for something on a page."""
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
HEIGHT = 900
WIDE = 1440
PHONE = 390
TALL_PHONE = 844
WATCH = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`${event.violatedDirective} forbids ${event.blockedURI} in ${event.sourceFile}:${event.lineNumber}`));
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shifts.push(entry.value);
}).observe({ type: "layout-shift", buffered: true });
"""
"""Told to every page before it begins: say what the policy forbids, and remember what has moved by how much."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The browser, as it is installed."""
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if path is None:
        pytest.skip("needs chromium (Debian: chromium-headless-shell)")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
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
        width: int = WIDE,
        touch: bool = False,
        dark: bool = False,
        scripts: bool = True,
        moving: bool = False,
        status: int = 200,
    ) -> Page:
        """Go to a page that is answered with this status; stones glide only if they shall, for gliding takes time."""
        at = site or self.site
        at.prepare(path)
        theme: Literal["dark", "light"] = "dark" if dark else "light"
        context = self.browser.new_context(
            base_url=at.address,
            viewport={"width": PHONE, "height": TALL_PHONE} if touch else {"width": width, "height": HEIGHT},
            has_touch=touch,
            is_mobile=touch,
            color_scheme=theme,
            reduced_motion="no-preference" if moving else "reduce",
            java_script_enabled=scripts,
        )
        context.set_default_timeout(PATIENCE)
        if scripts:
            context.add_init_script(WATCH)
        page = context.new_page()
        self.pages.append(page)
        self._watch(page)
        return _go(page, path, status)

    def in_one_window(self, path: str, *, status: int = 200) -> Page:
        """Go to a page where the last one was, wide and light, for tests that look at it and leave nothing behind.

        A window of its own would be a process of its own.
        """
        if not self.pages:
            return self(path, status=status)
        self.site.prepare(path)
        (page,) = self.pages
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": WIDE, "height": HEIGHT})
        return _go(page, path, status)

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
        """An answer that says something is wrong; 503 only says that it takes longer, and of pages the test knows."""
        if response.status >= 400 and response.status != 503 and not response.request.is_navigation_request():
            self.faults.append(f"{response.url}: {response.status}")

    def close(self) -> None:
        for page in self.pages:
            page.context.close()


def _go(page: Page, path: str, status: int) -> Page:
    answer = page.goto(path)
    assert answer is not None
    assert answer.status == status, f"{path} answers {answer.status}"
    return page


@pytest.fixture
def visit(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Visits]:
    """Opens pages; in the end, nothing may have gone wrong on any of them."""
    visits = Visits(chromium, shared_site(request.session))
    yield visits
    visits.close()
    assert not visits.faults, visits.faults
