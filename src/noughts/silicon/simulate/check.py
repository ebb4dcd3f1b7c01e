"""Every game that a chip can be made to play, on a compiled simulation of it.

The walk plays every move that a user can make, both with the user and with the chip beginning, from every way in
which the chip can begin; it keeps the state of the chip at every turn and goes back to it for the next move. At every
turn it also presses all occupied places, which must change nothing. The rules come from `noughts.games` and are asked
after every move: what the chip does must be legal, and what it says (waiting, over, won) must be true.
"""

from collections.abc import Callable
from statistics import mean
from typing import NamedTuple

from noughts.games import Game, Move, NoughtsError, Outcome, Position, game
from noughts.silicon.design import Design, playing_driver
from noughts.silicon.driver import IllegalPressError, PlayingDriver
from noughts.silicon.simulate.compiled import Model, compiled

__all__ = ["Checked", "Reply", "WrongError", "check"]


class WrongError(NoughtsError):
    """Something a chip did or said that the rules forbid."""


class Reply(NamedTuple):
    """What the chip did in one position."""

    user_first: bool
    position: Position
    """The position it had to move in."""
    place: int
    cycles: int


class Checked(NamedTuple):
    """What the walk found: games by their result for the chip, and all replies."""

    wins: int
    losses: int
    draws: int
    replies: list[Reply]
    lengths: tuple[int, ...] = ()
    """The cycles of each game, where nobody plays at the chip who could make it wait."""
    boards: int = 0
    """Where boards are tried and not games: how many, and how many plays on them."""
    plays: int = 0

    @property
    def games(self) -> int:
        """The number of games, each a sequence of moves."""
        return self.wins + self.losses + self.draws

    @property
    def positions(self) -> int:
        """In how many different positions the chip had to move, the empty board among them if it began."""
        return len({reply.position for reply in self.replies})

    @property
    def slowest_cycles(self) -> int:
        """The cycles of the slowest reply."""
        return max((reply.cycles for reply in self.replies), default=0)

    def cycles(self, *, user_first: bool) -> tuple[int, float]:
        """The slowest and the mean reply, over the different positions in which one was asked for."""
        cycles = {reply.position: reply.cycles for reply in self.replies if reply.user_first == user_first}
        return (max(cycles.values()), mean(cycles.values())) if cycles else (0, 0.0)

    @property
    def openings(self) -> dict[int | None, Reply]:
        """The reply to every first move of the user; under None the slowest first move of the chip's own."""
        firsts = [reply for reply in self.replies if reply.position.occupied.bit_count() == 1 and reply.user_first]
        own = [reply for reply in self.replies if not reply.position.occupied]
        opened: dict[int | None, Reply] = {reply.position.occupied.bit_length() - 1: reply for reply in firsts}
        return opened | {None: max(own, key=lambda reply: reply.cycles)}


def check(design: Design, *, gates: bool = False, progress: Callable[[int, int], None] | None = None) -> Checked:
    """Play every game with the design's Verilog, or with its gates; `progress` hears of beginnings done and in all.

    A design that does not play says itself how everything is tried with it; one that says nothing cannot be checked.
    """
    if design.check is not None:
        checked: Checked = design.check(design, gates=gates, progress=progress)
        return checked
    model = compiled(design, gates=gates)
    walk = _Walk(playing_driver(design, model), model)
    fresh = model.save()
    beginnings = [(True, 0), *((False, start) for start in range(walk.driver.starts))]
    for number, (user_first, start) in enumerate(beginnings):
        model.restore(fresh)
        walk.begin(user_first, start)
        if progress:
            progress(number + 1, len(beginnings))
    return Checked(walk.results[Outcome.WIN], walk.results[Outcome.LOSS], walk.results[Outcome.DRAW], walk.replies)


class _Walk:
    """The tree of games, depth first, with the chip in step."""

    def __init__(self, driver: PlayingDriver, model: Model) -> None:
        self.driver = driver
        self.model = model
        self.game: Game = game("tictactoe")
        self.results = dict.fromkeys(Outcome, 0)
        self.replies: list[Reply] = []
        self.user_first = True

    def begin(self, user_first: bool, start: int) -> None:
        self.user_first = user_first
        cycles = self.driver.begin(user_first=user_first, start=start)
        position = self.game.start()
        if not user_first:
            position = self._reply(position, cycles)
        self._user_to_move(position)

    def _user_to_move(self, position: Position) -> None:
        self._expect(position, over=False, won=False)
        before = self.model.save()
        for place in range(9):
            self.model.restore(before)
            if position.occupied >> place & 1:
                self._press_in_vain(position, place)
            else:
                self._user_moves(position, place)

    def _press_in_vain(self, position: Position, place: int) -> None:
        try:
            self.driver.press(place)
        except IllegalPressError:
            self._expect(position, over=False, won=False)
        else:
            raise WrongError(f"a press on {place}, where there is a stone, was taken at {self.game.write(position)!r}")

    def _user_moves(self, position: Position, place: int) -> None:
        cycles = self.driver.press(place)
        position = self.game.after(position, Move(place))
        over = self.game.over(position)
        if over is None:
            position = self._reply(position, cycles)
            over = self.game.over(position)
            if over is None:
                self._user_to_move(position)
                return
            over = Outcome.WIN if over is Outcome.LOSS else over
        self._expect(position, over=True, won=over is Outcome.WIN)
        self.results[over] += 1

    def _reply(self, position: Position, cycles: int) -> Position:
        """The chip's move, read off its board."""
        stones = self._stones(position)
        new = stones & ~position.stones[position.turn]
        if new.bit_count() != 1 or new & position.occupied:
            raise WrongError(f"the chip's stones are {stones:09b} after its reply to {self.game.write(position)!r}")
        place = new.bit_length() - 1
        self.replies.append(Reply(self.user_first, position, place, cycles))
        return self.game.after(position, Move(place))

    def _stones(self, position: Position) -> int:
        chip, user = self.driver.stones()
        if user != position.stones[1 - self._chip_side]:
            raise WrongError(f"the user's stones are {user:09b} at {self.game.write(position)!r}")
        return chip

    @property
    def _chip_side(self) -> int:
        return 1 if self.user_first else 0

    def _expect(self, position: Position, *, over: bool, won: bool) -> None:
        said = (self._stones(position), self.driver.is_over, self.driver.has_won)
        true = (position.stones[self._chip_side], over, won)
        if said != true:
            raise WrongError(f"at {self.game.write(position)!r} the chip shows {said}: expected {true}")
