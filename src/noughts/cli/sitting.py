"""One game at the keyboard between two seats, and what is said of it: the board, hints, taking back, how it ended."""

from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

from rich.text import Text

from noughts.arena import read_move
from noughts.cli.ask import COLOURS
from noughts.cli.draw import draw, draw_several
from noughts.cli.keyboard import LeaveError, question
from noughts.cli.output import console, counted, progress_bar, speaks_unicode
from noughts.cli.saved import add_game
from noughts.games import SIDES, Game, Move, NoughtsError, Position
from noughts.games.playing import Playing, Result
from noughts.games.points import members
from noughts.insight.reasons import why
from noughts.players import Human, NoMoveFoundError, Player, called, end_words, last_words, name_of, player
from noughts.players.listing1977 import in_seconds
from noughts.solve import Rated, knowledge

__all__ = ["Chips", "Sitting", "machine"]

MOST_NAMED = 16
"""Moves of equal worth that a hint names."""
HELP = """Your move is {example}. Or type:
  hint    what every move is worth, best first
  undo    take back your last move
  moves   all legal moves
  history the games that a chip keeps, with --rtl
  save F  add this game to the file F, now or after its end
  resign  give up this game
  quit    leave"""


class _ResignError(Exception):
    """The person gives up."""


class _TakeBackError(Exception):
    """The person wants the last move back."""


class Chips:
    """The hardware of those who have some: it stays switched on from game to game."""

    def __init__(self, designs: dict[str, Any]) -> None:
        self._designs = designs
        self._seated: dict[tuple[str, int], Any] = {}

    def seat(self, name: str, number: int, seed: int | None) -> Player | None:
        """A chip of this name, the first or the second, for a new game; None if there is none of this name."""
        from noughts.arena.hardware import Hardware  # noqa: PLC0415

        if name not in self._designs:
            return None
        if (name, number) in self._seated:
            self._seated[name, number].new_game(seed)
        else:
            self._seated[name, number] = Hardware(self._designs[name], seed)
        found: Player = self._seated[name, number]
        return found

    def has(self, seated: Player) -> bool:
        """Whether this player is one of the chips."""
        return seated in self._seated.values()


def machine(name: str, seed: int | None, chips: Chips | None, number: int = 0) -> Player:
    """A player by name; one of the chips is played by its hardware."""
    return (chips and chips.seat(name, number, seed)) or player(name, seed)


class Sitting:
    """One game between two seats, and what is said about it."""

    def __init__(
        self,
        names: tuple[str, str],
        seed: int | None,
        began: Playing,
        chips: Chips | None = None,
    ) -> None:
        self.game = began.game
        self.names = names
        self.chips = chips
        self.out = console()
        self.playing = began
        self.result: Result | None = None
        self.seats = tuple(self._seat(side, seed) for side in (0, 1))

    def _seat(self, side: int, seed: int | None) -> Player:
        if self.names[side] == Human.name:
            return Human(self._ask)
        own = None if seed is None else seed + side
        return machine(self.names[side], own, self.chips, side if self.names[0] == self.names[1] else 0)

    def play(self) -> None:
        """Play to the end and say how it ended."""
        self._say_hello()
        while self.result is None:
            try:
                self.result = self._turn()
            except _TakeBackError:
                self._take_back()
            except _ResignError:
                self.result = Result(1 - self.playing.position.turn, "resignation")
            except NoMoveFoundError as error:
                self.out.print(str(error), markup=False)
                self.result = Result(1 - self.playing.position.turn, "no move found")
        if self.playing.result is not None:
            for side, chip in self._hardware():
                chip.conclude(self.game, self.playing.position, side)
        self._show()
        self._say_result(self.result)

    def save(self, path: Path) -> bool:
        """Add the game, as far as it was played, to a file, and say so; or that it could not be done, and why."""
        try:
            add_game(path, self.playing, self.names, self.result)
        except NoughtsError as error:
            self.out.print(f"{error}.", markup=False, style="red")
            return False
        self.out.print(f"The game is saved in {str(path)!r}.", markup=False)
        return True

    def asked_to_save(self, text: str) -> bool:
        """Do what `save FILE` says, if that is what the text says."""
        word, _, name = text.partition(" ")
        if word.lower() != "save":
            return False
        if name.strip():
            self.save(Path(name.strip()).expanduser())
        else:
            self.out.print("Type save and the name of a file.")
        return True

    def _turn(self) -> Result | None:
        """One move, unless the game is over."""
        if self.playing.result is not None:
            return self.playing.result
        side = self.playing.position.turn
        human = self.names[side] == Human.name
        if human:
            self._show()
        began = perf_counter()
        if human or not self.out.is_terminal:
            choice = self.seats[side].reply(self.playing)
        else:
            with self.out.status(f"{name_of(self.names[side])} thinks"):
                choice = self.seats[side].reply(self.playing)
        seconds = perf_counter() - began
        self.playing = self.playing.then(choice.move)
        if not human:
            counts = [(choice.nodes, "position"), (choice.cycles, "clock cycle")]
            cost = "".join(f", {counted(count, what)}" for count, what in counts if count is not None)
            if choice.statements is not None:
                seconds_then = in_seconds(choice.statements)
                cost += f", {counted(choice.statements, 'statement')}, {seconds_then:.0f} s in 1977"
            name = f"{name_of(self.names[side])} ({SIDES[side].upper()})"
            time = counted(round(seconds * 1000), "millisecond")
            self.out.print(f"{name} plays [bold]{self.game.write_move(choice.move)}[/] in {time}{cost}.")
            if choice.remark:
                self.out.print(f"{choice.remark}!", markup=False)
        return None

    def _ask(self, game: Game, position: Position) -> Move:
        """A legal move from the person, who may ask for other things first."""
        answers: dict[str, Callable[[], None]] = {
            "help": self._help,
            "?": self._help,
            "hint": self._hint,
            "moves": self._moves,
            "history": self._history,
            "undo": lambda: _raise(_TakeBackError()),
            "resign": lambda: _raise(_ResignError()),
            "quit": lambda: _raise(LeaveError()),
            "exit": lambda: _raise(LeaveError()),
        }
        other = self.seats[1 - position.turn]
        while True:
            text = question(f"Your move ({SIDES[position.turn].upper()}): ")
            if text.lower() in answers:
                answers[text.lower()]()
                continue
            if self.asked_to_save(text):
                continue
            try:
                return read_move(game, other, self.playing, text)
            except NoughtsError as error:
                self.out.print(f"{error}. Or type help.", markup=False, style="red")

    def _help(self) -> None:
        moves = self.game.moves(self.playing.position)
        print(HELP.format(example=f"a point, as {self.game.write_move(moves[0])}"))

    def _hardware(self) -> list[tuple[int, Any]]:
        """Where chips sit, and those chips."""
        return [(side, seat) for side, seat in enumerate(self.seats) if self.chips and self.chips.has(seat)]

    def _history(self) -> None:
        """The games that a chip keeps, read off its lamps by its switches."""
        kept = {side: chip.history() for side, chip in self._hardware()}
        if all(boards is None for boards in kept.values()):
            print("Nobody here keeps games: play elements2021 with --rtl, whose chip does.")
        for side, boards in kept.items():
            if boards is None:
                continue
            name = called(self.names[side])
            if not boards:
                print(f"The memory of {name} is empty: it keeps the final board of every finished game.")
                continue
            print(f"The memory of {name}, by SW16 and SW10 to SW14; its stones are X there:")
            titled = {f"game {number}": stones for number, stones in enumerate(boards)}
            unicode = speaks_unicode(self.out)
            self.out.print(draw_several(self.game, titled, width=self.out.width, unicode=unicode))

    def _moves(self) -> None:
        moves = self.game.moves(self.playing.position)
        self.out.print(", ".join(self.game.write_move(move) for move in moves))

    def _hint(self) -> None:
        """Every move with its worth, moves of equal worth together."""
        with progress_bar("looking ahead") as progress:
            analysis = knowledge(self.game).ask(self.playing.position, self.playing.positions[:-1], progress)
        groups: dict[str, list[Rated]] = {}
        for rated in analysis.moves:
            groups.setdefault(rated.words, []).append(rated)
        for worth, moves in groups.items():
            names = ", ".join(self.game.write_move(rated.move) for rated in moves[:MOST_NAMED])
            more = f" and {len(moves) - MOST_NAMED} more" if len(moves) > MOST_NAMED else ""
            line = Text(f"{worth}: ", COLOURS[moves[0].value.outcome]).append(names + more, "none")
            self.out.print(line)
        if analysis.threats:
            names = ", ".join(self.game.layout.points[cell] for cell in analysis.threats)
            self.out.print(f"{analysis.reason}: {names}")
        else:
            best = analysis.moves[0]
            reason = why(self.game, self.playing.position, best.move, analysis)
            self.out.print(f"{self.game.write_move(best.move)}: {reason.words}")

    def _take_back(self) -> None:
        """Back to the person's last turn: past the machine's reply too, if there is a machine."""
        plies = 1 if self.names[0] == self.names[1] else 2
        if len(self.playing.moves) < plies:
            self.out.print("There is nothing to take back.")
        else:
            self.playing = self.playing.back(plies)

    def _say_hello(self) -> None:
        self.out.print(f"[bold]{self.game.name}[/]: {self.game.about}.")
        who = [f"{called(name)} is {SIDES[side].upper()}" for side, name in enumerate(self.names) if name != Human.name]
        own = [SIDES[side].upper() for side, name in enumerate(self.names) if name == Human.name]
        you = [f"you are {' and '.join(own)}"] if own else []
        line = ", ".join([*you, *who])
        self.out.print(f"{line[0].upper()}{line[1:]}.{' Type a move, or help.' if you else ''}")

    def _show(self) -> None:
        """The board, with the last move underlined and a finished row reversed."""
        position = self.playing.position
        marks: dict[int, str] = {}
        if self.playing.moves and self.playing.moves[-1].to is not None:
            marks[self.playing.moves[-1].to] = "underline"
        for row in self.game.winning_rows(position):
            marks.update(dict.fromkeys(members(row), "reverse"))
        self.out.print()
        unicode = speaks_unicode(self.out)
        self.out.print(draw(self.game, position, width=self.out.width, unicode=unicode, marks=marks))
        if not self.game.placing_only and position.hand != (0, 0):
            self.out.print(f"in hand: X {position.hand[0]}, O {position.hand[1]}")

    def _say_result(self, result: Result) -> None:
        """How it ended, to the person if there is one; a machine of 1990 has its own words for it."""
        sides = [SIDES[side].upper() for side in (0, 1)]
        if self.names.count(Human.name) != 1:
            x, o = (
                side if name == Human.name else f"{called(name)} ({side})"
                for name, side in zip(self.names, sides, strict=True)
            )
            self.out.print(end_words(self.game, result, (x, o)), style="bold", markup=False)
            return
        you = self.names.index(Human.name)
        told = end_words(self.game, result, (called(self.names[0]), called(self.names[1])), you)
        words = last_words(self.names[1 - you], result, 1 - you)
        self.out.print(f'{told} "{words}"' if words else told, style="bold", markup=False)


def _raise(error: Exception) -> None:
    raise error
