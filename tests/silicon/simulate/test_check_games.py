"""The walk through a chip for any game: what it counts, and which faults it finds, on chips made of Python.

A clerk answers every move with the first that the rules list. Its rules are those of `noughts.games`; the counts that
the walk must give are worked out here from the rules alone, without states and without a chip.
"""

from ast import literal_eval
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import pytest

from noughts.games import Game, Move, Outcome, Position, Rules, game
from noughts.games.layout import grid
from noughts.games.rules import Blocked, Movement
from noughts.silicon.circuit import Circuit, Pins
from noughts.silicon.designs import design
from noughts.silicon.driver import PlayingDriver
from noughts.silicon.simulate import check as checking
from noughts.silicon.simulate.check import Checked, TooManyStatesError, WrongError, check


class Clerk(Pins):
    """A chip in Python: a key a cycle, a reply in the next; where stones move, the one that moves is touched first."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.game = game(circuit.game)
        self.levels = {"rst": 0, "begins": 1, "key": 0}
        self.position, self.touched, self.side, self.busy = self.game.start(), -1, 1, False

    def set(self, pin: str, value: int) -> None:
        self.levels[pin] = value

    def get(self, pin: str) -> int:
        over = self.game.over(self.position)
        chips, users = self.position.stones[self.side], self.position.stones[1 - self.side]
        won = over is Outcome.LOSS and self.position.turn != self.side
        return int({"asks": not self.busy and over is None, "over": over is not None, "won": won, "chips": chips,
                    "users": users}[pin])  # fmt: skip

    def half(self, clock: int) -> None:
        if not clock:
            return
        if self.levels["rst"]:
            self.position, self.touched = self.game.start(), -1
            self.side = self.levels["begins"]
            self.busy = not self.side
        elif self.busy:
            if self.game.over(self.position) is None:
                self.position = self.game.after(self.position, self.reply(self.game.moves(self.position)))
            self.busy = False
        elif self.levels["key"] and self.game.over(self.position) is None:
            self.press(self.levels["key"].bit_length() - 1)

    def press(self, point: int) -> None:
        own, hand = self.position.stones[1 - self.side], self.position.hand[1 - self.side]
        if not hand and own >> point & 1:
            self.touched = point
            return
        move = Move(point) if hand else Move(point, self.touched)
        self.touched = -1
        if self.takes(move):
            self.position, self.busy = self.game.after(self.position, move), True

    def takes(self, move: Move) -> bool:
        return move in self.game.moves(self.position)

    def reply(self, moves: list[Move]) -> Move:
        return moves[0]

    def save(self) -> bytes:
        return repr((tuple(self.position), self.touched, self.side, self.busy, self.levels)).encode()

    def restore(self, state: bytes) -> None:
        position, self.touched, self.side, self.busy, self.levels = literal_eval(state.decode())
        self.position = Position(*position)


class Fingers(PlayingDriver):
    """At the keys of a clerk."""

    waiting, over, won = "asks", "over", "won"

    def stones(self) -> tuple[int, int]:
        return self.pins.get("chips"), self.pins.get("users")

    def _reset(self, *, user_first: bool, start: int) -> None:  # noqa: ARG002
        self.pins.set("begins", int(user_first))
        self.pins.set("rst", 1)
        self.pins.clock()
        self.pins.set("rst", 0)

    def _down(self, place: int) -> None:
        self.pins.set("key", 1 << place)

    def _up(self) -> None:
        self.pins.set("key", 0)


@pytest.fixture
def walk(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Checked]:
    """What the check finds on a clerk, or on a worse one."""

    def walked(name: Any, clerk: type[Clerk] = Clerk, **options: Any) -> Checked:
        chip = replace(design("chip1990"), name="clerk", game=name, driver=Fingers, **options.pop("told", {}))
        monkeypatch.setattr(checking, "compiled", lambda circuit, **_: clerk(circuit))
        return check(chip, **options)

    return walked


def games_with_a_clerk(rules: Game, position: Position, side: int, found: list[Outcome]) -> None:
    """Every game, move by move: what its end is to the clerk on this side."""
    over = rules.over(position)
    if over is not None:
        lost = position.turn if over is Outcome.LOSS else None
        found.append(Outcome.DRAW if lost is None else Outcome.LOSS if lost == side else Outcome.WIN)
        return
    moves = rules.moves(position)
    for move in moves[:1] if position.turn == side else moves:
        games_with_a_clerk(rules, rules.after(position, move), side, found)


@pytest.mark.parametrize("name", ["tictactoe", "mnk:4,2,3", "mnk:5,2,2"])
def test_where_games_end_every_game_is_counted(walk: Callable[..., Checked], name: str) -> None:
    expected: list[Outcome] = []
    for side in (1, 0):
        games_with_a_clerk(game(name), game(name).start(), side, expected)
    found = walk(name)
    counts = tuple(map(expected.count, (Outcome.WIN, Outcome.LOSS, Outcome.DRAW)))
    assert (found.wins, found.losses, found.draws) == counts
    assert not found.endless
    assert {reply.cycles for reply in found.replies} == {1}


def positions_with_a_clerk(rules: Game, side: int) -> tuple[set[Position], set[Position]]:
    """The positions in which the user, or the clerk on this side, is to move, and those in which games end."""
    seen, ends, waiting = {rules.start()}, set(), [rules.start()]
    while waiting:
        position = waiting.pop()
        if rules.over(position) is not None:
            ends.add(position)
            continue
        moves = rules.moves(position)
        for move in moves[:1] if position.turn == side else moves:
            after = rules.after(position, move)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return seen - ends, ends


SMALL = Game(
    "small",
    grid(3, 2, 2, diagonals=False, adjacency="orthogonal"),
    Rules((2, 2), Movement.SLIDE, Blocked.LOSES, row_while_placing=False),
    "two stones each on six points are placed, then slide; two in a row win",
    "Small",
)


def test_where_games_may_go_on_for_ever_states_and_ends_are_counted(walk: Callable[..., Checked]) -> None:
    """A clerk remembers nothing but the stone that was touched last: so many states has every position of the user."""
    rules = SMALL
    states, asked, ends = 0, set(), set()
    for side in (1, 0):
        seen, ended = positions_with_a_clerk(rules, side)
        users = {position for position in seen if position.turn != side}
        states += sum(1 if position.hand[1 - side] else 1 + position.stones[1 - side].bit_count() for position in users)
        asked |= seen - users
        ends |= {(position, side) for position in ended}
    found = walk(SMALL)
    assert found.endless
    assert found.states == states
    assert {reply.position for reply in found.replies} == asked
    assert found.games == len(ends)
    assert states > 50
    assert len(ends) > 10


class Boaster(Clerk):
    """Says that it has won when it has lost."""

    def get(self, pin: str) -> int:
        return super().get("over" if pin == "won" else pin)


class Cheat(Clerk):
    """Slides wherever it likes."""

    def reply(self, moves: list[Move]) -> Move:
        free = (point for point in range(6) if not self.position.occupied >> point & 1)
        return moves[0] if moves[0].source is None else Move(max(free), moves[0].source)


class Lenient(Clerk):
    """Lets the user jump."""

    def takes(self, move: Move) -> bool:
        return super().takes(move) or (move.source is not None and move.source >= 0 and move.to != move.source)


class Forgetful(Clerk):
    """Takes no move of a stone after the third point has been touched in vain."""

    broken: ClassVar[int] = 99

    def press(self, point: int) -> None:
        if self.touched != self.broken:
            vain = self.touched == 2 and point != 2 and not super().takes(Move(point, 2))
            super().press(point)
            self.touched = self.broken if vain and not self.busy else self.touched


@pytest.mark.parametrize(
    ("clerk", "words"),
    [
        (Boaster, "won 1: expected .* won 0"),
        (Cheat, "after its reply to .* the chip shows X on"),
        (Lenient, "a press on '.*', which is no move, was taken at"),
        (Forgetful, "a legal move is refused"),
    ],
)
def test_a_fault_is_found(walk: Callable[..., Checked], clerk: type[Clerk], words: str) -> None:
    with pytest.raises(WrongError, match=words):
        walk(SMALL, clerk)


def test_so_many_games_are_played_at_random_from_a_seed(walk: Callable[..., Checked]) -> None:
    few, again, other = (walk("qubic", games=4, seed=seed) for seed in (1, 1, 2))
    assert few.games == 4
    assert few.seed == 1
    assert few.replies == again.replies != other.replies
    assert {reply.user_first for reply in few.replies} == {True, False}


def test_openings_stand_in_the_order_of_the_points_however_games_were_played(walk: Callable[..., Checked]) -> None:
    found = walk("qubic", games=8, seed=1)
    played = [reply.position.occupied for reply in found.replies if reply.position.occupied.bit_count() == 1]
    assert len(set(played)) > 2
    assert played != sorted(played)
    assert [1 << point for point in found.openings if point is not None] == sorted(set(played))


def test_a_design_says_how_many_games_are_enough(walk: Callable[..., Checked]) -> None:
    assert walk("qubic", told={"sampled_games": 2}).games == 2


def test_a_chip_with_too_many_states_is_said_to_have_them(
    walk: Callable[..., Checked], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "MOST_STATES", 50)
    with pytest.raises(TooManyStatesError, match="clerk has more than 50 states: expected a number of games"):
        walk("mnk:4,3,3")
