"""Make the pictures of the web in the documents: start `noughts web`, then python docs/make_screenshots.py.

Chromium must be installed, and Playwright, which comes with the extra `dev`. Another address than that of `noughts web`
may be given: python docs/make_screenshots.py http://127.0.0.1:9000.
"""

import shutil
import sys
from pathlib import Path
from typing import Literal, NamedTuple

from playwright.sync_api import sync_playwright

SCALE = 0.75
"""So that they are as wide as a page is on a screen."""
ADDRESS = "http://127.0.0.1:8000"
QUBIC = "1a1.4d4.1d1.1b1.4a1.2b2.2b3.3c3"


class Picture(NamedTuple):
    """A page to be taken as it stands in a window of this size."""

    path: str
    width: int
    height: int
    theme: Literal["light", "dark"]


PICTURES = {
    "web-play": Picture("/play/tictactoe?x=casual&o=human&moves=b1.a1.c2&id=shown&values=1&hint=1", 1200, 800, "light"),
    "web-qubic": Picture(f"/play/qubic?x=human&o=basicf&moves={QUBIC}&id=shown&view=cube", 1200, 860, "dark"),
    "web-chip": Picture("/silicon/chip1990?cycle=9", 1200, 1000, "light"),
}


def main(address: str = ADDRESS) -> None:
    """Write the pictures beside this file."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, picture in PICTURES.items():
            page = browser.new_page(
                viewport={"width": picture.width, "height": picture.height},
                device_scale_factor=SCALE,
                color_scheme=picture.theme,
            )
            page.goto(address + picture.path)
            page.locator("#game, #run:has([data-state])").wait_for()
            page.screenshot(path=Path(__file__).parent / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
