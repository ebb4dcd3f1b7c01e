"""Every game that a chip can be made to play, on a compiled simulation of it.

The walk plays every move that a user can make, both with the user and with the chip beginning, from every way in
which the chip can begin; it keeps the state of the chip at every turn and goes back to it for the next move. At every
turn it also presses every point where that is no move, which must change nothing. The rules come from `noughts.games`
and are asked after every move: what the chip does must be legal, and what it says (waiting, over, won) must be true.

Two games that lead to the same state of the chip, every register and every pin included, go on alike. So a state is
walked through once, and nothing is assumed of the chip by that. Where every game ends, games are counted: the ways
through the states. Where stones move, a game may go on for ever, and what is counted are states, and the different
positions in which games end. There a move is two presses, and a chip remembers the first: so what a press in vain
leaves behind is a state like the others, from which every move must still be free, and in which a press may end a move.

Where the states are too many, as at Qubic, games are played at random instead, as many as the design says
(`Design.sampled_games`), and the same ones from the same seed.
"""

from collections.abc import Callable, Sequence
from random import Random
from statistics import mean
from typing import Any, NamedTuple, Protocol

from noughts.games import Move, NoughtsError, Outcome, Position
from noughts.games import game as find_game
from noughts.games.points import members
from noughts.silicon.circuit import Circuit
from noughts.silicon.design import Design, playing_driver
from noughts.silicon.driver import IllegalPressError, PlayingDriver
from noughts.silicon.simulate.compiled import compiled
from noughts.solve import TooLargeError, solve

__all__ = [
    "MOST_STATES",
    "Checked",
    "Reply",
    "Savable",
    "TooManyStatesError",
    "WrongError",
    "check",
    "given_away",
    "walk",
]

MOST_STATES = 300_000
"""The states that a walk goes through at most: some minutes, and some hundred megabytes."""
_LONGEST = 200
"""Moves of the user after which a game at random is given up, where games may go on for ever."""


class WrongError(NoughtsError):
    """Something a chip did or said that the rules forbid."""


class TooManyStatesError(NoughtsError):
    """A chip that can be brought to more states than can be walked through."""


class Reply(NamedTuple):
    """What the chip did in one position."""

    user_first: bool
    position: Position
    """The position it had to move in."""
    move: Move
    cycles: int

    @property
    def place(self) -> int:
        """The point on which the stone stands now."""
        assert self.move.to is not None
        return self.move.to


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
    states: int = 0
    """The states of the chip in which the user was to move, where all of them were walked through."""
    endless: bool = False
    """Whether games may go on for ever: then wins, losses and draws are the positions in which they ended."""
    seed: int | None = None
    """Where games were played at random: the seed."""

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
        """The reply to every first move of the user, point by point; under None the slowest of the chip's own."""
        firsts = [reply for reply in self.replies if reply.position.occupied.bit_count() == 1 and reply.user_first]
        firsts.sort(key=lambda reply: reply.position.occupied)
        own = [reply for reply in self.replies if not reply.position.occupied]
        opened: dict[int | None, Reply] = {reply.position.occupied.bit_length() - 1: reply for reply in firsts}
        return opened | ({None: max(own, key=lambda reply: reply.cycles)} if own else {})


def check(
    design: Design,
    *,
    gates: bool = False,
    progress: Callable[[int, int], None] | None = None,
    games: int | None = None,
    seed: int = 0,
) -> Checked:
    """Play every game with the design's Verilog, or with its gates; `progress` hears of what is done and of all known.

    With `games`, so many are played at random instead, from the seed. A design that does not play says itself how
    everything is tried with it; one that says nothing cannot be checked.
    """
    if design.check is not None:
        checked: Checked = design.check(design, gates=gates, progress=progress)
        return checked
    model = compiled(design, gates=gates)
    played = _Games(playing_driver(design, model), model, progress or _nobody)
    wanted = design.sampled_games if games is None else games
    return played.sample(wanted, seed) if wanted else played.walk()


def given_away(design: Design, found: Checked) -> list[Reply] | None:
    """The replies that left less than the position was worth, by the game's solution; None if it is too large for one.

    A chip that gives nothing away may lose all the same: where the game is lost before it moves.
    """
    game = find_game(design.game)
    try:
        solution = solve(game)
    except TooLargeError:
        return None

    def keeps(reply: Reply) -> bool:
        worth = solution.value(reply.position).outcome
        return any(one.move == reply.move and one.value.outcome is worth for one in solution.moves(reply.position))

    different = {(reply.position, reply.move): reply for reply in found.replies}
    return [reply for reply in different.values() if not keeps(reply)]


class Savable(Protocol):
    """A running chip that can go back to a state."""

    circuit: Circuit

    def save(self) -> bytes:
        """The whole state, pins included."""

    def restore(self, state: bytes) -> None:
        """Go back to a state."""


def walk(design: Design, chip: Any, progress: Callable[[int, int], None] | None = None) -> Checked:
    """Play every game with a running chip, whoever runs it: its `Pins`, which are `Savable`."""
    return _Games(playing_driver(design, chip), chip, progress or _nobody).walk()


def _nobody(done: int, known: int) -> None:
    """Nobody is told."""


_State = tuple[bytes, Position]
"""The state of the chip, in which the user is to move in a position."""


class _Games:
    """Games with a chip, with the rules in step."""

    def __init__(self, driver: PlayingDriver, model: Savable, progress: Callable[[int, int], None]) -> None:
        self.driver = driver
        self.model = model
        self.progress = progress
        self.game = driver.game
        self.fresh = model.save()
        self.replies: list[Reply] = []
        self.ends: set[tuple[Position, Outcome]] = set()
        self.known: dict[_State, int] = {}
        self.behind: list[list[int | Outcome]] = []
        """For every state, by its number: what every move of the user leads to, another state or the end."""
        self.waiting: list[_State] = []
        self.touched: set[int] = set()
        """States in which something may have been pressed in vain: which a chip may remember."""

    def walk(self) -> Checked:
        """Every game."""
        beginnings = [(True, 0), *((False, start) for start in range(self.driver.starts))]
        roots = []
        for beginning in beginnings:
            roots.append(self._number(self._begin(*beginning)))
            while self.waiting:
                self._try_all(*self.waiting.pop())
                self.progress(len(self.known) - len(self.waiting), len(self.known))
        if not self.game.placing_only:
            results = {outcome: sum(end is outcome for _, end in self.ends) for outcome in Outcome}
            return self._checked(results, states=len(self.known), endless=True)
        ways = self._ways()
        results = {outcome: sum(ways[root][outcome] for root in roots) for outcome in Outcome}
        return self._checked(results, states=len(self.known))

    def sample(self, games: int, seed: int) -> Checked:
        """So many games at random, the user beginning in every other; a game that goes on and on counts as drawn."""
        random = Random(seed)
        results = dict.fromkeys(Outcome, 0)
        for number in range(games):
            user_first = number % 2 == 0 or not self.driver.starts
            position = self._begin(user_first, 0 if user_first else random.randrange(self.driver.starts))
            for _ in range(_LONGEST):
                vain = self._in_vain(position)
                if vain:
                    self._press(position, random.choice(vain))
                after = self._play(position, random.choice(self.game.moves(position)))
                if isinstance(after, Outcome):
                    break
                position = after
            results[after if isinstance(after, Outcome) else Outcome.DRAW] += 1
            self.progress(number + 1, games)
        return self._checked(results, seed=seed)

    def _checked(
        self, results: dict[Outcome, int], *, states: int = 0, endless: bool = False, seed: int | None = None
    ) -> Checked:
        wins, losses, draws = (results[outcome] for outcome in (Outcome.WIN, Outcome.LOSS, Outcome.DRAW))
        return Checked(wins, losses, draws, self.replies, states=states, endless=endless, seed=seed)

    def _ways(self) -> list[dict[Outcome, int]]:
        """From every state, how many ways lead to which end: those with more stones first."""
        ways = [dict.fromkeys(Outcome, 0) for _ in self.behind]
        for _, number in sorted(self.known.items(), key=lambda known: -known[0][1].occupied.bit_count()):
            for follower in self.behind[number]:
                for outcome, count in ({follower: 1} if isinstance(follower, Outcome) else ways[follower]).items():
                    ways[number][outcome] += count
        return ways

    def _begin(self, user_first: bool, start: int) -> Position:
        """A new game; the position in which the user is to move."""
        self.model.restore(self.fresh)
        cycles = self.driver.begin(user_first=user_first, start=start)
        position = self.game.start()
        if not user_first:
            position = self._reply(position, cycles)
        self._expect(position, over=False, won=False)
        return position

    def _number(self, position: Position, *, touched: bool = False) -> int:
        """The number of the state that the chip is in; a new one waits to be walked through."""
        state = (self.model.save(), position)
        if state not in self.known:
            if len(self.known) == MOST_STATES:
                name = self.model.circuit.name
                raise TooManyStatesError(f"{name} has more than {MOST_STATES:,} states: expected a number of games")
            if touched:
                self.touched.add(len(self.known))
            self.known[state] = len(self.known)
            self.behind.append([])
            self.waiting.append(state)
        return self.known[state]

    def _try_all(self, state: bytes, position: Position) -> None:
        """Every move of the user, and every press that is none."""
        number = self.known[state, position]
        moves = self.game.moves(position)
        for move in moves:
            self.model.restore(state)
            self._follow(number, self._play(position, move))
        for point in self._in_vain(position):
            self.model.restore(state)
            ends = [move for move in moves if move.to == point] if number in self.touched else []
            after = self._press(position, point, ends)
            if after is not None:
                self._follow(number, after)
            elif not self.game.placing_only:
                self._number(position, touched=True)

    def _follow(self, number: int, after: Position | Outcome) -> None:
        """What a move leads to from a state."""
        self.behind[number].append(after if isinstance(after, Outcome) else self._number(after))

    def _in_vain(self, position: Position) -> Sequence[int]:
        """The points where one press is no move: the occupied ones, or all, if no stone is in hand."""
        in_hand = position.hand[position.turn]
        return members(position.occupied if in_hand else self.game.layout.everywhere)

    def _press(self, position: Position, point: int, ends: Sequence[Move] = ()) -> Position | Outcome | None:
        """A press in vain; or one of these moves, of which the first press came before."""
        try:
            cycles = self.driver.press(point)
        except IllegalPressError:
            self._expect(position, over=False, won=False)
            return None
        users = self.driver.stones()[1]
        for move in ends:
            after = self.game.after(position, move)
            if after.stones[position.turn] == users:
                return self._after(after, cycles)
        pressed = self.game.layout.points[point]
        raise WrongError(f"a press on {pressed!r}, which is no move, was taken at {self.game.write(position)!r}")

    def _play(self, position: Position, move: Move) -> Position | Outcome:
        """A move of the user and the chip's reply; where the user is to move then, or what the end is to the chip."""
        try:
            cycles = self.driver.play(move)
        except IllegalPressError as error:
            raise WrongError(f"at {self.game.write(position)!r} a legal move is refused: {error}") from None
        return self._after(self.game.after(position, move), cycles)

    def _after(self, position: Position, cycles: int) -> Position | Outcome:
        """The chip's reply in a position that the user has made, or the end that the chip must see."""
        over = self.game.over(position)
        if over is None:
            position = self._reply(position, cycles)
            over = self.game.over(position)
            if over is None:
                self._expect(position, over=False, won=False)
                return position
            over = Outcome.WIN if over is Outcome.LOSS else over
            self._expect(position, over=True, won=over is Outcome.WIN)
        else:
            self._expect(position, over=True, won=False, chips_turn=True)
        self.ends.add((position, over))
        return over

    def _reply(self, position: Position, cycles: int) -> Position:
        """The chip's move, read off its board."""
        shown = self._shown(position.turn)
        for move in self.game.moves(position):
            after = self.game.after(position, move)
            if after.stones == shown:
                self.replies.append(Reply(position.turn == 1, position, move, cycles))
                return after
        raise WrongError(f"after its reply to {self.game.write(position)!r} the chip shows {self._words(shown)}")

    def _shown(self, chip_side: int) -> tuple[int, int]:
        """The stones of X and of O."""
        chip, user = self.driver.stones()
        return (user, chip) if chip_side else (chip, user)

    def _words(self, stones: tuple[int, int]) -> str:
        """The stones of both sides, which may be no position."""
        points = self.game.layout.points
        x, o = (" ".join(points[point] for point in members(side)) or "nothing" for side in stones)
        return f"X on {x}, O on {o}"

    def _expect(self, position: Position, *, over: bool, won: bool, chips_turn: bool = False) -> None:
        chip_side = position.turn if chips_turn else 1 - position.turn
        said = (self._shown(chip_side), self.driver.is_over, self.driver.has_won)
        true = (position.stones, over, won)
        if said != true:
            told = [f"{self._words(stones)}, over {end:d}, won {win:d}" for stones, end, win in (said, true)]
            raise WrongError(f"at {self.game.write(position)!r} the chip shows {told[0]}: expected {told[1]}")
