"""Every game that two chips can play with each other: either begins, on each of the places on which it may.

A chip of 1990 begins on one of eight. Nothing else is open: its counter is the only thing that differs from game to
game. After every stone both chips must show the same position, the one that the rules of `noughts.games` give; and in
the end both must say that the game is over, and the winner, if there is one, that it has won.
"""

from collections.abc import Callable

from noughts.games import Move, Outcome, Position
from noughts.games import game as find_game
from noughts.silicon.circuit import Circuit
from noughts.silicon.designs.duel1990.driver import Onlooker
from noughts.silicon.driver import bits
from noughts.silicon.simulate.check import Checked, Reply, WrongError
from noughts.silicon.simulate.compiled import compiled

__all__ = ["check_duel", "games_of"]

_GAME = find_game("tictactoe")
_SIDES = ("left", "right")


def check_duel(
    circuit: Circuit,
    *,
    gates: bool = False,
    progress: Callable[[int, int], None] | None = None,
    starts: tuple[int, int] = (Onlooker.starts, Onlooker.starts),
) -> Checked:
    """The left chip's wins, losses and draws over all games; a reply is counted as `check` counts one to a user.

    Args:
        circuit: two chips with the pins of `Duel`.
        gates: whether they are run as gates.
        progress: hears of games played and in all.
        starts: in how many ways the left chip can begin, and the right one.
    """
    model = compiled(circuit, gates=gates)
    fresh = model.save()
    results = dict.fromkeys(Outcome, 0)
    replies: list[Reply] = []
    lengths: list[int] = []
    beginnings = [
        (left_first, start) for left_first, ways in zip((True, False), starts, strict=True) for start in range(ways)
    ]
    for number, (left_first, start) in enumerate(beginnings):
        model.restore(fresh)
        played, length, outcome = _play(Onlooker(model), left_first, start)
        results[outcome] += 1
        replies += played
        lengths.append(length)
        if progress:
            progress(number + 1, len(beginnings))
    return Checked(results[Outcome.WIN], results[Outcome.LOSS], results[Outcome.DRAW], replies, tuple(lengths))


def games_of(found: Checked) -> list[list[Reply]]:
    """The replies, game by game, in the order of the games' lengths."""
    games: list[list[Reply]] = []
    for reply in found.replies:
        if not reply.position.occupied:
            games.append([])
        games[-1].append(reply)
    return games


def _play(onlooker: Onlooker, left_first: bool, start: int) -> tuple[list[Reply], int, Outcome]:
    """One game: its moves, its cycles from the end of the reset, and what it is to the left chip."""
    order = _SIDES if left_first else _SIDES[::-1]
    length = cycles = onlooker.let_go(left_first=left_first, start=start)
    position, replies = _GAME.start(), []
    while True:
        side, other = order[position.turn], order[1 - position.turn]
        place = _new_stone(onlooker, side, position)
        replies.append(Reply(left_first, position, Move(place), cycles))
        position = _GAME.after(position, Move(place))
        over = _GAME.over(position)
        handed_over, cycles = onlooker.turn(other)
        length += handed_over + cycles
        if over is not None:
            break
    for name in _SIDES:
        expected = (int(name == side and over is Outcome.LOSS), 1)
        found = tuple(onlooker.pins.get(f"{name}_{lamp}") for lamp in ("win", "fin"))
        if found != expected:
            raise WrongError(f"the {name} chip says {found} at {_GAME.write(position)!r}: expected {expected}")
    if over is Outcome.DRAW:
        return replies, length, over
    return replies, length, Outcome.WIN if side == "left" else Outcome.LOSS


def _new_stone(onlooker: Onlooker, side: str, position: Position) -> int:
    """The one stone that this chip shows beyond those of the position; the other shows the position alone."""
    other = _SIDES[1 - _SIDES.index(side)]
    own, user = _shown(onlooker, side)
    known = _shown(onlooker, other)
    mine, others = position.stones[position.turn], position.stones[1 - position.turn]
    new = own & ~mine
    if own & mine != mine or user != others or new.bit_count() != 1 or known != (others, mine):
        raise WrongError(
            f"at {_GAME.write(position)!r} the {side} chip shows {own:09b} and {user:09b}, "
            f"the {other} chip {known[0]:09b} and {known[1]:09b}: expected one stone more of the {side} chip's"
        )
    return new.bit_length() - 1


def _shown(onlooker: Onlooker, side: str) -> tuple[int, int]:
    """A chip's own stones and those of its opponent, as its lamps have them."""
    led = onlooker.pins.get(f"{side}_led")
    return bits(led, 0), bits(led, 1)
