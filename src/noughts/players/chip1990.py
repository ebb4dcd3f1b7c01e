"""The chip of 1989/90, a clock cycle at a time.

Peter M. Geiser and Ambros Marzetta, semester project, winter 1989/90: minimax with alpha-beta cut-offs as a
finite state machine with a stack, on a chip of its own. This player is the controller of appendix C with the
registers it drives, in Python: one call of a state is one cycle of the clock. So it answers with the chip's
move and with the cycles the chip takes: from *userjustmoved*, the cycle after the key was taken, to the last
before the chip waits again or the game is finished.

The chip searches as the C program does (`noughts.players.c1990`), with two habits of its own. On an empty
board it does not search: a free-running counter of three bits names the place, so it never begins on place
8. And its keys are the places: its notation is a digit from 0 to 8, row by row from the top left.

What the paper weighs and does not build is an option, each with the same moves (why, is told in
`noughts.players.c1990`):

- `search=figure1`, nothing but a win ends a loop: r ≥ a is r = 1, and there is no a.
- `search=minimax`, nothing ends a loop. So *rating* does not go back when a stone decides the game: it sets r to 1 or
  0, and *returned* compares it as any other. All moves are made in *doingbestmove*, also one that ends the game, which
  the chip sees a cycle later, in *waiting*.
- `search=table`, no search: *userjustmoved* sets the stone that a table of all positions says, and *rating* sees
  whether the game is over. Where the search would find no move, the table has the first free place.
"""

import re
from enum import IntEnum
from typing import ClassVar, NamedTuple

from noughts.games import Game, Move, Position
from noughts.games.layout import grid
from noughts.players.player import Choice, NoMoveFoundError, Player

__all__ = ["Chip1990", "Controller", "Run", "State"]

_LAYOUT = grid(3, 3, 3)
PLACES = 9
SEARCHES = ("alpha-beta", "figure1", "minimax", "table")


class State(IntEnum):
    """The controller's states, by their codes in the state register."""

    WAITING = 0
    RETURNED = 1
    RATING = 2
    JUST_RESET = 3
    FINISHED = 4
    USER_JUST_MOVED = 5
    DOING_BEST_MOVE = 6
    SET_BOARD_I = 7


class Run(NamedTuple):
    """One reply of the chip."""

    place: int | None
    """The place of its move; None if its search ended without choosing one."""
    states: list[State]
    """The state in every cycle."""


class Controller:
    """The registers of the chip and, a method a state, what the controller does with them in one cycle.

    `board` holds the stones of the chip (0) and of the user (1), `p` whose stone is being set, `i` the place
    being tried, `m` the best place so far, `r` the value of the place just tried, `bestr` the best value so
    far, and `a` the value that ends the loop: in minimax one that there is not. The stack keeps `i`, `bestr` and `a`.
    """

    def __init__(self, chip: int, user: int, search: str = "alpha-beta") -> None:
        self.search = search
        self.board = [chip, user]
        self.stack: list[tuple[int, int, int]] = []
        self.p = 0
        self.i = 0
        self.m: int | None = None
        self.r, self.bestr, self.a = 0, -1, 2 if search == "minimax" else 1

    def run(self) -> Run:
        """Search from *userjustmoved* until the move is made."""
        step = {
            State.USER_JUST_MOVED: self._user_just_moved,
            State.SET_BOARD_I: self._set_board_i,
            State.RATING: self._rating,
            State.RETURNED: self._returned,
            State.DOING_BEST_MOVE: self._doing_best_move,
        }
        state, states = State.USER_JUST_MOVED, []
        while state in step:
            states.append(state)
            state = step[state]()
        if state is State.WAITING and self._decided():  # of minimax alone: the others have seen it in *rating*
            states.append(state)
        return Run(self.m, states)

    def _user_just_moved(self) -> State:
        if self._full():
            return State.FINISHED
        self.i = self._next_free(-1)
        return State.SET_BOARD_I

    def _set_board_i(self) -> State:
        self._toggle()
        return State.RATING

    def _rating(self) -> State:
        wins = _LAYOUT.has_row(self.board[self.p])
        if not self._decided():
            self.stack.append((self.i, self.bestr, self.a))
            self.a = -self.bestr if self.search == "alpha-beta" else self.a
            self.p, self.bestr = 1 - self.p, -1
            self.i = self._next_free(-1)
            return State.SET_BOARD_I
        if self.search == "minimax":
            self.r = 1 if wins else 0
            return State.RETURNED
        if not self.stack:
            self.m = self.i
            return State.FINISHED
        self._toggle()
        self.r = -1 if wins else 0
        return self._pop()

    def _returned(self) -> State:
        ground = not self.stack
        if self.r >= self.a and ground:
            self.m = self.i
            return State.WAITING
        behind = self._next_free(self.i)
        self._toggle()
        if self.r >= self.a:
            self.r = -self.r
            return self._pop()
        if self.r > self.bestr:
            self.bestr = self.r
            if ground:
                self.m = self.i
        if behind < PLACES:
            self.i = behind
            return State.SET_BOARD_I
        if ground:
            return State.DOING_BEST_MOVE
        self.r = -self.bestr
        return self._pop()

    def _doing_best_move(self) -> State:
        if self.m is not None:
            self.board[self.p] ^= 1 << self.m
        return State.WAITING

    def _pop(self) -> State:
        self.i, self.bestr, self.a = self.stack.pop()
        self.p = 1 - self.p
        return State.RETURNED

    def _toggle(self) -> None:
        self.board[self.p] ^= 1 << self.i

    def _decided(self) -> bool:
        return _LAYOUT.has_row(self.board[self.p]) or self._full()

    def _full(self) -> bool:
        return self.board[0] | self.board[1] == _LAYOUT.everywhere

    def _next_free(self, place: int) -> int:
        """The first free place behind this one; 9 if there is none."""
        occupied = self.board[0] | self.board[1]
        return next((free for free in range(place + 1, PLACES) if not occupied >> free & 1), PLACES)


def _looked_up(chip: int, user: int) -> int:
    """The place that the table has: that of the search, or the first that is free."""
    found = Controller(chip, user)
    place = found.run().place
    return found._next_free(-1) if place is None else place


class Chip1990(Player):
    """The 1990 chip: its moves and its clock cycles."""

    name = "chip1990"
    about = "the 1990 VLSI chip: the C program as a state machine, with its clock cycles"
    title = "The chip"
    story = (
        "Geiser and Marzetta’s semester project, clock cycle by clock cycle: a state machine with a stack, in silicon."
    )
    strength = "never loses"
    machine = True
    design = name
    year = 1990
    plays_only = ("tictactoe",)
    options: ClassVar[dict[str, str]] = {"search": "alpha-beta"}

    def __init__(self, seed: int | None = None, options: dict[str, str] | None = None) -> None:
        super().__init__(seed, options)
        self._search = self.word("search", SEARCHES)

    def choose(self, game: Game, position: Position) -> Choice:
        """The chip's move, and after how many cycles it stands on the board."""
        if not position.occupied:
            return Choice(Move(self.random.randrange(8)), cycles=1)
        stones = position.stones[position.turn], position.stones[1 - position.turn]
        if self._search == "table":
            return Choice(Move(_looked_up(*stones)), cycles=2)
        run = Controller(*stones, self._search).run()
        if run.place is None:
            raise NoMoveFoundError(
                f"chip1990 finds no move at {game.write(position)!r}: it expects a position that it has not lost"
            )
        return Choice(Move(run.place), cycles=len(run.states))

    def read_own(self, text: str) -> Move | None:
        """A key, 0 to 8."""
        return Move(int(text)) if re.fullmatch("[0-8]", text) else None

    def write_own(self, move: Move) -> str | None:
        """The key of a move."""
        return str(move.to)
