"""Answers that come with the package: what the pages show first, so that a fresh server need not work them out.

They are the answers to questions of `questions`, in a file of JSON. `python -m noughts.web.asking.prepared` works them
out again and writes the file; a test compares it with what is worked out now. Of a game that has a table here nothing
is taken from the file: the table may know more.
"""

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from noughts.games import KINDS, NoughtsError
from noughts.games import game as find_game
from noughts.solve.tables import table_for
from noughts.web.asking.questions import analysis, aspects, choices, knuth_classes, knuth_pictures, reasons
from noughts.web.asking.thinker import Question

__all__ = ["Prepared", "prepared", "prepared_answer", "work_out"]

FILE = Path(str(files("noughts.web.asking") / "prepared.json"))
QUESTIONS: dict[str, Question] = {
    question.__name__: question for question in (analysis, aspects, choices, reasons, knuth_classes, knuth_pictures)
}


class Prepared(NamedTuple):
    """A question and its answer."""

    question: Question
    arguments: tuple[str, ...]
    answer: Any


def prepared() -> Iterator[Prepared]:
    """The answers of the file that hold here."""
    for (name, arguments), answer in _read().items():
        if not arguments or _without_table(arguments[0]):
            yield Prepared(QUESTIONS[name], arguments, answer)


def _without_table(game: str) -> bool:
    """Whether a game has no table; of one that cannot be read just now, whoever asks is told, and the server starts."""
    try:
        return table_for(find_game(game)) is None
    except NoughtsError:
        return False


def prepared_answer(question: Question, *arguments: str) -> Any:
    """The answer of the file to a question that it has."""
    return _read()[question.__name__, arguments]


@cache
def _read() -> dict[tuple[str, tuple[str, ...]], Any]:
    """The file; a server reads it before the first visitor comes."""
    return {
        (name, tuple(arguments)): answer for name, arguments, answer in json.loads(FILE.read_text(encoding="utf-8"))
    }


def work_out() -> Iterator[Prepared]:
    """The same answers, worked out: of every kind of game the start, and Knuth's classes."""
    for kind in KINDS:
        game = find_game(kind.example)
        start = (game.name, game.write(game.start()))
        chosen = choices(*start)
        best = (*start, chosen[0]["move"])
        yield Prepared(analysis, start, analysis(*start))
        yield Prepared(aspects, start, aspects(*start))
        yield Prepared(choices, start, chosen)
        yield Prepared(reasons, best, reasons(*best))
    yield Prepared(knuth_classes, (), knuth_classes())
    yield Prepared(knuth_pictures, (), knuth_pictures())


def main() -> None:
    """Write the file."""
    lines = [
        json.dumps([one.question.__name__, list(one.arguments), one.answer], ensure_ascii=False, separators=(",", ":"))
        for one in work_out()
    ]
    FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
