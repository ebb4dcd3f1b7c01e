"""A referee for any game of a row: the same chip, made from the rules and the layout of the game it is for.

Noughts, 2026. `referee("mnk:7,6,4")` makes one for any game that fits (`noughts.silicon.arbiter.check_fits`); those of
`GAMES` are listed with the other chips. It does not play: two sides press the keys of the points that their moves
change, it makes the legal moves, refuses the others, and says whose turn it is and who has won:

    key ──► judge ──legal──► registers ──► x, o, turn, hands
              ▲                  │
              └──── own, other ◄─┴──► win detector ──► x_won, o_won, draw

All but the registers is combinational: the verdict is there as soon as the stone is.
"""

from contextlib import suppress
from functools import cache, partial
from random import Random
from typing import Any

from noughts.games import Game
from noughts.games import game as find_game
from noughts.games.rules import Movement
from noughts.silicon.circuit import Pins
from noughts.silicon.design import Design, Group, Sample, Story, later
from noughts.silicon.designs.referee2026.driver import Keys
from noughts.silicon.designs.referee2026.pictures import drawings, panel
from noughts.silicon.driver import IllegalPressError

__all__ = ["DESIGNS", "GAMES", "referee", "some_moves"]

GAMES = ("mnk:4,3,3", "three-mens-morris", "arabian", "achi", "square4")
"""The games with a referee in the catalogue; one more is a line here."""
_SAMPLED = {"square4": 300}
"""Games whose positions are too many to be walked through: how many are played at random."""
_SHOWN_PLIES = 14


def some_moves(game: Game, plies: int) -> list[str]:
    """Moves of a game at random, always the same: something to show.

    Args:
        game: Any game.
        plies: How many moves at most.
    """
    random, position = Random(2026), game.start()
    moves: list[str] = []
    while len(moves) < plies and (legal := game.moves(position)):
        move = random.choice(legal)
        moves.append(game.write_move(move))
        position = game.after(position, move)
    return moves


def _story(game: Game, counts: bool) -> Story:
    keys = "its own stone and the point it goes to" if game.rules.movement is not Movement.NONE else "an empty point"
    hands = {"hand_x": "stones that X has yet to place", "hand_o": "stones that O has yet to place"} if counts else {}
    return Story(
        title=f"The referee for {game.title}",
        source="Noughts, 2026",
        words=(
            f"It does not play. Two sides, X first, press the keys of the points that a move changes: {keys}. It makes "
            "the legal moves, refuses the others, and says whose turn it is and who has won. It is made from the "
            f"rules of {game.name} as Python has them: {len(game.layout)} points, {len(game.layout.lines)} lines."
        ),
        sides=("X", "X"),
        reported=(),
        groups=(
            Group(
                "Input pins",
                {
                    "clk": "the clock; registers change when it rises",
                    "rst": "high: an empty board",
                    "key": "a key a point, in the order of the layout; those of a move go down together",
                },
            ),
            Group(
                "Output pins",
                {
                    "x": "the stones of X, a line a point",
                    "o": "the stones of O",
                    **hands,
                    "turn": "who is to move: 0 X, 1 O",
                    "movable": "the points that a legal move can leave or come to",
                    "illegal": "the next clock would not take these keys",
                    "full": "no point is empty",
                    "x_won": "X has won",
                    "o_won": "O has won",
                    "draw": "nobody can win any more by the rules",
                },
            ),
            Group(
                "Between the blocks",
                {
                    "legal": "the keys are a legal move, which the next clock makes",
                    "chord": "the keys that are down, and the stone that was touched before",
                    "touched": "the stone that was touched, a line a point",
                    "own": "the stones of the side to move",
                    "other": "the stones of the other side",
                    "placing": "the side to move has a stone to place",
                    "row": "the side that moved last has a row",
                },
            ),
        ),
        waves=("rst", "clk", "key", "legal", "illegal", "turn", "x", "o", *hands, "row", "x_won", "o_won", "draw"),
    )


def _watch(chip: Any) -> dict[str, Any]:
    arbiter = chip.arbiter
    return {name: getattr(arbiter, name) for name in ("legal", "chord", "touched", "own", "other", "placing", "row")}


def _console(chip: Any, game: Any) -> list[Any]:
    """Two people at one keyboard. X, the user of the console, begins in every game."""
    from amaranth.hdl import Cat  # noqa: PLC0415

    return [
        chip.key.eq(game.key),
        game.board.eq(Cat(bit for point in range(len(chip.x)) for bit in (chip.o[point], chip.x[point]))),
        game.finished.eq(chip.x_won | chip.o_won | chip.draw),
        game.waiting.eq(~game.finished),
        game.machine_won.eq(chip.o_won),
        game.user_won.eq(chip.x_won),
    ]


def _sample(game: Game) -> Sample:
    def drive(pins: Pins) -> None:
        keys = Keys(pins)
        keys.begin(user_first=True)
        position = game.start()
        for number, text in enumerate(some_moves(game, _SHOWN_PLIES)):
            move = game.read_move(position, text)
            keys.play(move)
            if number == 0:
                with suppress(IllegalPressError):
                    keys.play(move)
            position = game.after(position, move)

    return Sample("a-game", "A game at random; the second play is illegal, since there is a stone.", drive)


@cache
def referee(name: str) -> Design:
    """The referee for a game.

    Args:
        name: A game, as the catalogue of games has it.

    Raises:
        UnknownGameError: If there is no such game.
        DoesNotFitError: If no referee can be made for it.
    """
    game = find_game(name)
    counts = game.rules.movement is not Movement.NONE or sum(game.rules.stones) != len(game.layout)

    def make() -> Any:
        from noughts.silicon.arbiter import check_fits  # noqa: PLC0415
        from noughts.silicon.designs.referee2026.circuit import Referee  # noqa: PLC0415

        check_fits(game)
        return Referee(game)

    def said(found: Any) -> list[str]:
        tried = f"{found.plays:,} chords at each"
        if found.states:
            ends = f"{found.wins:,} ends won by X, {found.losses:,} by O, {found.draws:,} drawn"
            return [f"{known.name}: all {found.states:,} states refereed rightly, {tried}", ends]
        games = f"{found.games:,} games at random refereed rightly, {tried} of {len(found.replies):,} turns"
        return [f"{known.name}: {games}", f"X won {found.wins:,}, O won {found.losses:,}, {found.draws:,} drawn"]

    known = Design(
        name=f"referee2026:game={game.name}",
        year=2026,
        about=f"a referee for {game.title}, made from its rules: legal moves, turn, rows",
        package=__name__,
        game=game.name,
        make=make,
        clock="clk",
        reset="rst",
        reset_level=1,
        watch=_watch,
        names={"turn": {0: "x", 1: "o"}},
        story=_story(game, counts),
        drawings=drawings(game, counts),
        panel=panel(game),
        driver=Keys,
        samples=(_sample(game),),
        console=_console,
        winners=("O wins", "X wins"),
        proofs=partial(later(f"{__name__}.proofs", "proofs_of"), game.name),
        sampled_games=_SAMPLED.get(game.name, 0),
        check=later(f"{__name__}.check", "check_referee"),
        check_words=said,
    )
    return known


DESIGNS = tuple(referee(name) for name in GAMES)
