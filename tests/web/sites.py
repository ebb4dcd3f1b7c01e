"""Settings of an application for tests: a database in a folder of its own, no bound on what one address asks, and pages
that wait for their answers as long as the API does."""

from pathlib import Path
from typing import Any

from noughts.web.app import Settings

__all__ = ["settings_in"]


def settings_in(folder: Path, **chosen: Any) -> Settings:
    """The settings, with the name that Starlette's client for tests calls a server by."""
    usual = {"database_url": f"sqlite:///{folder}/games.db", "names": ("testserver",), "bounded": False}
    return Settings(**{**usual, **({"glance": chosen["patience"]} if "patience" in chosen else {}), **chosen})
