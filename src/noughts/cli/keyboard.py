"""Questions to whoever is at the other end of standard input, a person or a pipe."""

import sys

__all__ = ["LeaveError", "question", "yes"]


class LeaveError(Exception):
    """The person, or the input, has gone."""


def question(prompt: str) -> str:
    """What the person answers; a pipe's answers are shown, so that the record reads like a game."""
    try:
        text = input(prompt)
    except EOFError:
        raise LeaveError from None
    if not sys.stdin.isatty():
        print(text)
    return text.strip()


def yes(asked: str) -> bool:
    """A yes or a no; anything else is asked again."""
    while True:
        answer = question(f"{asked} (y/n) ").lower()
        if answer in ("y", "yes", "n", "no"):
            return answer.startswith("y")
        if answer in ("q", "quit", "exit"):
            raise LeaveError
