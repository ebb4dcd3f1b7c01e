"""How fast the engine is and how well it plays: `noughts bench engine`.

- **Speed**: positions looked at in a second, and the depth reached, from a position of the middle game.
- **Kept**: of the positions met in its own games, in how many the engine's move keeps the value that the solution,
  hidden from it, knows; and what became of the others, by kind.
- **Points** against two opponents that anybody can write: the *pattern bot*, which looks one ply ahead, and the
  Monte-Carlo tree search of OpenSpiel with random rollouts, where that is installed. Colours alternate, and every pair
  of games begins with the same few random moves.
- **Qubic**: how long the engine holds out as O against the machines of 1977 and against the proof.
"""

from collections import Counter
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from noughts.games import Game, Move, NoughtsError, Outcome, Position
from noughts.games import game as find_game
from noughts.games.playing import Playing
from noughts.players import player
from noughts.solve import Progress, knowledge
from noughts.solve.engine import think

__all__ = ["Kept", "bench_engine", "engine_player", "kept", "pattern_bot", "points"]

Row = dict[str, Any]
Chooser = Callable[[Playing], Move]

SECONDS = 0.2
SPEED_GAMES = ("tictactoe", "square4", "mnk:6,6,4", "mnk:15,15,5", "mnk:19,19,5", "qubic", "achi", "nine-mens-morris")
KEPT_GAMES = ("square4", "achi", "three-mens-morris", "nine-mens-morris")
KEPT_POSITIONS = 500
"""Of each game; ten thousand take an hour."""
PEER_GAMES = {
    "mnk:6,6,4": "mnk(m=6,n=6,k=4)",
    "mnk:9,9,5": "mnk(m=9,n=9,k=5)",
    "mnk:15,15,5": "mnk(m=15,n=15,k=5)",
}
"""What OpenSpiel calls them."""
GAMES = 10
LONGEST = 300
"""Plies after which a game counts as a draw."""


def bench_engine(progress: Progress) -> list[Row]:
    """Speed, moves that keep the value, and points against others."""
    steps: list[Callable[[], list[Row]]] = [
        *(partial(_speed, name) for name in SPEED_GAMES),
        *(partial(_kept_rows, name) for name in KEPT_GAMES),
        partial(_against, "the pattern bot", "mnk:15,15,5", pattern_bot),
        *(partial(_against_monte_carlo, name) for name in PEER_GAMES),
        _holding_out,
    ]
    rows = []
    for number, step in enumerate(steps):
        progress(number, len(steps))
        rows += step()
    return rows


def pattern_bot(seed: int) -> Chooser:
    """A bot that looks at patterns, one ply deep, where stones are only placed.

    An empty point is worth a sum over the lines through it that hold stones of one side only: the more stones, the
    more, the own ones twice as much. It takes the largest.
    """
    random = Random(seed)
    return lambda playing: _pattern_move(playing.game, playing.position, random)


def _pattern_move(game: Game, position: Position, random: Random) -> Move:
    own, other = position.stones[position.turn], position.stones[1 - position.turn]

    def worth(point: int) -> int:
        total = 0
        for line in game.layout.lines_through[point]:
            mine, theirs = (own & line).bit_count(), (other & line).bit_count()
            if theirs == 0:
                total += 2 * 4**mine
            elif mine == 0:
                total += 4**theirs
        return total

    empty = [point for point in range(len(game.layout)) if not position.occupied >> point & 1]
    worths = {point: worth(point) for point in empty}
    best = max(worths.values())
    return Move(random.choice([point for point in empty if worths[point] == best]))


class Kept(NamedTuple):
    """How many positions were met, in how many the value was kept, and what was given away, by kind."""

    positions: int
    kept: int
    blunders: Counter[str]


def kept(name: str, positions: int, seed: int = 0, nodes: int | None = None, seconds: float | None = SECONDS) -> Kept:
    """Let the engine play with itself, a few random moves at first, and compare its moves with what is known exactly.

    Positions of which the exact values are not known here are not counted, nor those where no move can err.
    """
    game, random = find_game(name), Random(seed)
    if knowledge(game).missing:
        raise NoughtsError(f"nothing to compare with at {name}: {knowledge(game).missing}")
    met, good = 0, 0
    blunders: Counter[str] = Counter()
    while met < positions:
        playing = _opened(game, random.randrange(2, 10), random)
        for _ in range(80):
            if playing.result is not None or met >= positions:
                break
            position = playing.position
            move = think(game, position, playing.positions[:-1], nodes=nodes, seconds=seconds).moves[0].move
            values = {one.move: one.value.outcome for one in knowledge(game).ask(position).moves}
            if Outcome.UNKNOWN not in values.values() and len(set(values.values())) > 1:
                met += 1
                best = next(outcome for outcome in Outcome if outcome in values.values())
                good += values[move] is best
                if values[move] is not best:
                    blunders[f"{_phase(game, position)}: {best} to {values[move]}"] += 1
            playing = playing.then(move)
    return Kept(met, good, blunders)


def points(game: Game, one: Callable[[int], Chooser], other: Callable[[int], Chooser], games: int) -> float:
    """How many points of so many games the first of two players takes; colours alternate."""
    total = 0.0
    for number in range(games):
        seats = [one(number), other(number)]
        if number % 2:
            seats.reverse()
        playing = _opened(game, 2, Random(number // 2))
        while playing.result is None and len(playing.moves) < LONGEST:
            playing = playing.then(seats[playing.position.turn](playing))
        winner = None if playing.result is None else playing.result.winner
        total += 0.5 if winner is None else float((winner == 0) == (number % 2 == 0))
    return total


def engine_player(seconds: float | None = SECONDS, nodes: int | None = None) -> Callable[[int], Chooser]:
    """The engine without books, tables and proofs; the endings of morris are its own."""

    def choose(playing: Playing) -> Move:
        found = think(playing.game, playing.position, playing.positions[:-1], nodes=nodes, seconds=seconds)
        return found.moves[0].move

    return lambda _seed: choose


def _opened(game: Game, plies: int, random: Random) -> Playing:
    """A game after a few random moves, none of which ends it."""
    playing = Playing.begin(game)
    for _ in range(plies):
        then = playing.then(random.choice(game.moves(playing.position)))
        if then.result is not None:
            break
        playing = then
    return playing


def _phase(game: Game, position: Position) -> str:
    if game.placing_only or position.hand[position.turn]:
        return "placing"
    return "flying" if position.stones[position.turn].bit_count() <= game.rules.flying else "moving"


def _speed(name: str) -> list[Row]:
    game = find_game(name)
    position = _opened(game, min(6, len(game.layout) // 4), Random(1)).position
    think(game, position, nodes=1_000)
    found = think(game, position, nodes=None, seconds=1)
    return [
        {"game": name, "what": "positions in at most a second", "figure": found.nodes},
        {"game": name, "what": "depth reached", "figure": found.depth},
    ]


def _kept_rows(name: str) -> list[Row]:
    if knowledge(find_game(name)).missing:
        return [{"game": name, "what": "moves that keep the value", "figure": "no table here"}]
    found = kept(name, KEPT_POSITIONS)
    rows: list[Row] = [
        {
            "game": name,
            "what": f"% of {found.positions} moves keep the value",
            "figure": 100 * found.kept / found.positions,
        }
    ]
    return rows + [{"game": name, "what": kind, "figure": count} for kind, count in found.blunders.most_common()]


def _against(who: str, name: str, other: Callable[[int], Chooser]) -> list[Row]:
    found = points(find_game(name), engine_player(), other, GAMES)
    return [{"game": name, "what": f"points of {GAMES} against {who}", "figure": found}]


def _against_monte_carlo(name: str) -> list[Row]:
    if find_spec("pyspiel") is None:
        return []
    rows = []
    for seconds in (SECONDS, 10 * SECONDS):
        bot = partial(_monte_carlo, PEER_GAMES[name], seconds)
        rows += _against(f"OpenSpiel's Monte-Carlo bot with {seconds:g} s", name, bot)
    return rows


def _monte_carlo(name: str, seconds: float, seed: int) -> Chooser:
    """OpenSpiel's tree search with random rollouts, in so many simulations as take this long on this machine."""
    spiel: Any = import_module("pyspiel")
    theirs = spiel.load_game(name)
    simulations = _simulations(spiel, theirs, seconds)

    def choose(playing: Playing) -> Move:
        state = theirs.new_initial_state()
        for move in playing.moves:
            state.apply_action(move.to)
        return Move(_bot(spiel, theirs, simulations, seed + len(playing.moves)).step(state))

    return choose


def _bot(spiel: Any, theirs: Any, simulations: int, seed: int) -> Any:
    return spiel.MCTSBot(theirs, spiel.RandomRolloutEvaluator(1, seed), 2.0, simulations, 1_000, True, seed, False)


def _simulations(spiel: Any, theirs: Any, seconds: float) -> int:
    began = perf_counter()
    _bot(spiel, theirs, 300, 1).step(theirs.new_initial_state())
    return max(50, int(300 * seconds / (perf_counter() - began)))


def _holding_out() -> list[Row]:
    game = find_game("qubic")
    rows = []
    for name in ("basic1", "basic2", "basic3", "basicf", "perfect"):
        seats = [player(name, 1), player("expert", 1)]
        playing = Playing.begin(game)
        while playing.result is None:
            playing = playing.then(seats[playing.position.turn].reply(playing).move)
        ended = {0: "lost", 1: "won", None: "drew"}[playing.result.winner]
        rows.append(
            {"game": "qubic", "what": f"plies until expert, as O, {ended} against {name}", "figure": len(playing.moves)}
        )
    return rows
