"""The pages, a file each; a new page is a file here, and an entry in `PAGES`."""

from noughts.web.pages import explore, history, home, knuth, learn, play, puzzles, silicon, together, watch

__all__ = ["PAGES"]

PAGES = (home, play, learn, puzzles, explore, watch, silicon, knuth, history, together)
"""Modules with a `router`."""
