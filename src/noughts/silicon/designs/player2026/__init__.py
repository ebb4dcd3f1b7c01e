"""Players that answer in one clock: the solution of a game as logic, beside the arbiter that keeps its rules.

Noughts, 2026. Each is perfect on every board that it can be brought to, whichever side begins: it keeps the value of
the position, wins what can be won, and never loses what is not lost. Its moves are gates without registers (`policy`,
and a text file for each game here, which `make` has made); the rest is that of the referee of 2026.
"""

from functools import cache, partial
from random import Random
from typing import Any

from noughts.games import Game
from noughts.games import game as find_game
from noughts.games.rules import Movement
from noughts.silicon.circuit import Pins
from noughts.silicon.design import Design, Group, Sample, Story, later
from noughts.silicon.designs.player2026.driver import PlayerDriver
from noughts.silicon.designs.player2026.pictures import drawings, panel

__all__ = ["DESIGNS", "GAMES", "player"]

GAMES = ("achi", "three-mens-morris", "arabian", "mnk:4,3,3")
"""The games with a player; one more is a name here and a run of `make`."""
_SHOWN_MOVES = 8


def _story(game: Game) -> Story:
    moves = game.rules.movement is not Movement.NONE
    keys = "the key of an empty point"
    if moves:
        keys += "; once all stones are placed, a stone's key and then that of its new point"
    return Story(
        title=f"The one-cycle player of {game.title}",
        source="Noughts, 2026",
        words=(
            f"A move is {keys}. It is on the board after one clock, and one clock later the answer is. The answer is "
            "not searched for: gates without registers name the points that change, from the stones of both sides. "
            "They were made from the game's solution, and know every board that the machine can be brought to."
        ),
        sides=("the user", "the machine"),
        reported=(),
        groups=(
            Group(
                "Input pins",
                {
                    "clk": "the clock; registers change when it rises",
                    "rst": "high: a new game",
                    "user_begins": "whether the user makes the first move; it counts until that is made",
                    "key": "a key a point, in the order of the layout",
                },
            ),
            Group(
                "Output pins",
                {
                    "mine": "the machine's stones, a line a point",
                    "theirs": "the user's stones",
                    "waiting": "the user is to move",
                    "illegal": "the next clock would not take these keys",
                    "over": "the game is over",
                    "won": "the machine has won",
                    "lost": "the user has won",
                },
            ),
            Group(
                "Between the blocks",
                {
                    "turn": "who is to move: 0 the machine, 1 the user",
                    "move": "the points that the machine's move would change",
                    "keys": "the keys that the arbiter sees: the user's or the logic's",
                    "legal": "they are a legal move, which the next clock makes",
                    "touched": "the stone that was touched, a line a point",
                    "placing": "the side to move has a stone to place",
                },
            ),
        ),
        waves=(
            *("rst", "clk", "user_begins", "key", "turn", "move", "legal", "illegal"),
            *("mine", "theirs", "waiting", "over", "won", "lost"),
        ),
    )


def _watch(chip: Any) -> dict[str, Any]:
    arbiter = chip.arbiter
    inside = {name: getattr(arbiter, name) for name in ("turn", "legal", "touched", "placing")}
    return {**inside, "move": chip.logic.move, "keys": arbiter.key}


def _console(chip: Any, game: Any) -> list[Any]:
    from amaranth.hdl import Cat  # noqa: PLC0415

    return [
        chip.user_begins.eq(game.user_begins),
        chip.key.eq(game.key),
        game.board.eq(Cat(bit for point in range(len(chip.mine)) for bit in (chip.mine[point], chip.theirs[point]))),
        game.waiting.eq(chip.waiting),
        game.finished.eq(chip.over),
        game.machine_won.eq(chip.won),
        game.user_won.eq(chip.lost),
    ]


def _sample(game: Game, *, user_first: bool) -> Sample:
    def drive(pins: Pins) -> None:
        random, driver = Random(2026), PlayerDriver(pins)
        driver.begin(user_first=user_first)
        position = game.start() if user_first else _after(game, game.start(), driver)
        for _ in range(_SHOWN_MOVES):
            if driver.is_over:
                break
            move = random.choice(game.moves(position))
            driver.play(move)
            position = game.after(position, move)
            if not driver.is_over:
                position = _after(game, position, driver)

    who = "user" if user_first else "machine"
    return Sample(f"{who}-begins", f"The {who} begins; the user plays at random.", drive)


def _after(game: Game, position: Any, driver: PlayerDriver) -> Any:
    """The position after the machine's move, read off its board."""
    mine = driver.stones()[0]
    behind = (game.after(position, move) for move in game.moves(position))
    return next(after for after in behind if after.stones[position.turn] == mine)


@cache
def player(name: str) -> Design:
    """The one-cycle player of a game.

    Args:
        name: One of `GAMES`.
    """
    game = find_game(name)
    return Design(
        name=f"player2026:game={game.name}",
        year=2026,
        about=f"plays {game.title} perfectly, one clock a move, from its solution as gates",
        package=__name__,
        game=game.name,
        make=partial(later(f"{__name__}.circuit", "Player"), game),
        clock="clk",
        reset="rst",
        reset_level=1,
        idle={"user_begins": 1},
        watch=_watch,
        names={"turn": {0: "chip", 1: "user"}},
        story=_story(game),
        drawings=drawings(game),
        panel=panel(game),
        driver=PlayerDriver,
        samples=(_sample(game, user_first=True), _sample(game, user_first=False)),
        proofs=partial(later(f"{__name__}.proofs", "proofs_of"), game.name),
        console=_console,
    )


DESIGNS = tuple(player(name) for name in GAMES)
