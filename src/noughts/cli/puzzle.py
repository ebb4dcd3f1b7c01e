"""Puzzles at the keyboard: the board, a move, and what becomes of it, until the point is made; then the next one.

Standard input may be a person or a pipe, as in `noughts play`; its end is taken for "quit".
"""

import re
from datetime import UTC, datetime
from typing import Annotated

import typer

from noughts.cli.arguments import Json, complete_game, whole_number
from noughts.cli.draw import draw
from noughts.cli.keyboard import LeaveError, conversation, question, yes
from noughts.cli.output import console, emit, speaks_unicode
from noughts.games import SIDES, Move, NoughtsError
from noughts.games import game as find_game
from noughts.games.playing import Playing
from noughts.insight.puzzles import (
    GRADES,
    THEMES,
    Judgement,
    NoPuzzleError,
    Puzzle,
    games_with_puzzles,
    judge,
    puzzle_of,
    puzzle_of_the_day,
    puzzles_of,
)

__all__ = ["puzzle"]

HELP = """Your move is {example}. Or type:
  hint      what sort of move it is; once more: where it begins
  solution  give up, and see it
  moves     all legal moves
  next      leave this puzzle for the next one
  quit      leave"""


class _NextError(Exception):
    """The person wants another puzzle."""


def puzzle(
    name: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="A game; else today's puzzle.", autocompletion=complete_game)
    ] = None,
    number: Annotated[
        int | None, typer.Option(parser=whole_number(1, 10_000), help="Which of the game's puzzles; the first if none.")
    ] = None,
    today: Annotated[bool, typer.Option("--today", help="The puzzle of the day, the same for everybody.")] = False,
    theme: Annotated[str | None, typer.Option(help=f"Only puzzles of a theme: {', '.join(THEMES)}.")] = None,
    json: Json = False,
) -> None:
    """Solve puzzles: one move keeps what the position is worth.

    For example: noughts puzzle, noughts puzzle nine-mens-morris --number 20, noughts puzzle qubic --theme chain
    """
    chosen = _chosen(name, number, today or (name is None and theme is None), theme)
    if json:
        emit(chosen[0].as_json())
        return
    with conversation():
        for at, one in enumerate(chosen):
            try:
                _Attempt(one).solve()
            except _NextError:
                continue
            if at + 1 == len(chosen) or not yes("Next puzzle?"):
                break


def _chosen(name: str | None, number: int | None, today: bool, theme: str | None) -> list[Puzzle]:
    """The puzzle to begin with, and those that follow."""
    if theme is not None and theme not in THEMES:
        raise NoPuzzleError(f"{theme!r} is not a theme: expected one of {', '.join(THEMES)}")
    if today and (name is not None or theme is not None):
        raise NoughtsError("--today does not go with a game or a theme: expected one or the other")
    if number is not None and (name is None or theme is not None):
        raise NoughtsError(f"--number {number} needs a game and no theme: expected as in puzzle achi --number 3")
    if today:
        first = puzzle_of_the_day(datetime.now(UTC).date())
        return [first, *puzzles_of(first.game)[first.number :]]
    if name is not None:
        first = puzzle_of(find_game(name), number or 1)
        following = puzzles_of(first.game)[first.number - 1 :]
    else:
        following = tuple(one for game in games_with_puzzles() for one in puzzles_of(game))
    found = [one for one in following if theme in (None, one.theme)]
    if not found:
        there = sorted({one.theme for one in following}, key=list(THEMES).index)
        raise NoPuzzleError(f"{name} has no puzzles of the theme {theme!r}: expected one of {', '.join(there)}")
    return found


class _Attempt:
    """One puzzle, and how far the person has come with it."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle, self.game = puzzle, puzzle.game
        self.out = console()
        self.playing = Playing.begin(puzzle.game, puzzle.position)
        self.hints = 0

    def solve(self) -> None:
        """Ask for moves until the point is made, or the solution is asked for."""
        one = self.puzzle
        title = f"[bold]{self.game.title}[/], puzzle {one.number} of {len(puzzles_of(self.game))}"
        self.out.print(f"{title} ({GRADES[one.grade - 1]}): {one.task}")
        self.out.print("Type a move, or help.")
        while True:
            self._show()
            move = self._ask()
            if move is None:
                return
            found = self._judged(move)
            if not found.keeps:
                self._refute(move, found)
                continue
            self.playing = self.playing.then(move)
            self.out.print(f"[bold]Right[/]: {self.game.write_move(move)}. {found.words}")
            if found.made or found.reply is None:
                self._end()
                return
            them = SIDES[self.playing.position.turn].upper()
            self.out.print(f"{them} answers [bold]{self.game.write_move(found.reply)}[/].")
            self.playing = self.playing.then(found.reply)
            if self.playing.result is not None:
                self.out.print(f"It is a draw: {self.playing.result.reason}. Once more, from the start:")
                self.playing = Playing.begin(self.game, one.position)

    def _judged(self, move: Move) -> Judgement:
        if not self.out.is_terminal:
            return judge(self.game, self.playing.position, move)
        with self.out.status("looking at your move"):
            return judge(self.game, self.playing.position, move)

    def _refute(self, move: Move, found: Judgement) -> None:
        """The wrong move with its answer on the board; then the position is as it was."""
        text = self.game.write_move(move)
        if found.keeps is None:
            self.out.print(f"{text}: whether that still wins is not known here. There is a move that surely does.")
            return
        self.out.print(f"[bold red]Not {text}[/]. {found.words}")
        if found.reply is not None:
            after = self.playing.then(move)
            them = SIDES[after.position.turn].upper()
            answer = self.game.write_move(found.reply)
            self.out.print("On the board:" if answer in found.words else f"{them} answers [bold]{answer}[/]:")
            self._draw(after.then(found.reply))
        self.out.print("Try again.")

    def _end(self) -> None:
        self._show()
        result = self.playing.result
        if result is not None and result.winner is not None:
            self.out.print(f"[bold green]Solved[/]: {SIDES[result.winner].upper()} has won by {result.reason}.")
        else:
            self.out.print("[bold green]Solved.[/]")

    def _ask(self) -> Move | None:
        """A legal move; None for a person who has given up."""
        position = self.playing.position
        while True:
            text = question(f"Your move ({SIDES[position.turn].upper()}): ").lower()
            match text:
                case "help" | "?":
                    print(HELP.format(example=f"a point, as {self.game.write_move(self.game.moves(position)[0])}"))
                case "hint":
                    self._hint()
                case "solution":
                    self._tell()
                    return None
                case "moves":
                    self.out.print(", ".join(self.game.write_move(move) for move in self.game.moves(position)))
                case "next":
                    raise _NextError
                case "quit" | "exit":
                    raise LeaveError
                case _:
                    try:
                        return self.game.read_move(position, text)
                    except NoughtsError as error:
                        self.out.print(f"{error}. Or type help.", markup=False, style="red")

    def _hint(self) -> None:
        if self.playing.moves:
            self.out.print("The rest is yours: any move that keeps the win will do.")
            return
        self.hints += 1
        self.out.print(f"Hint: {THEMES[self.puzzle.theme].lower()}.")
        if self.hints > 1:
            texts = [self.game.write_move(move) for move in self.puzzle.solution]
            begins = dict.fromkeys(re.split("[-x]", text)[0] for text in texts)
            self.out.print(f"It begins at {' or '.join(begins)}.")

    def _tell(self) -> None:
        """The solution."""
        moves = " or ".join(self.game.write_move(move) for move in self.puzzle.solution)
        reason = judge(self.game, self.puzzle.position, self.puzzle.solution[0]).words
        self.out.print(f"Solution: [bold]{moves}[/]. {reason}")

    def _show(self) -> None:
        self._draw(self.playing)

    def _draw(self, playing: Playing) -> None:
        """The board, with the last move underlined."""
        marks: dict[int, str] = {}
        if playing.moves and playing.moves[-1].to is not None:
            marks[playing.moves[-1].to] = "underline"
        self.out.print()
        position = playing.position
        self.out.print(draw(self.game, position, width=self.out.width, unicode=speaks_unicode(self.out), marks=marks))
        if not self.game.placing_only and position.hand != (0, 0):
            self.out.print(f"in hand: X {position.hand[0]}, O {position.hand[1]}")
