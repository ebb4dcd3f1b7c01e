"""The pages, a file each; a new page is a file here, and an entry in `PAGES`."""

from noughts.web.pages import (
    editor,
    embed,
    explore,
    history,
    home,
    knuth,
    layouts,
    learn,
    logic,
    offline,
    play,
    puzzles,
    review,
    silicon,
    tables,
    together,
    watch,
)

__all__ = ["PAGES"]

PAGES = (
    home,
    play,
    learn,
    puzzles,
    review,
    editor,
    explore,
    watch,
    layouts,
    logic,
    silicon,
    knuth,
    history,
    together,
    embed,
    offline,
    tables,
)
"""Modules with a `router`; `layouts` and `logic` before `silicon`, which would take theirs for names of designs."""
