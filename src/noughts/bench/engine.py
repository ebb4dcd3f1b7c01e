"""How fast the engine is and how well it plays: `noughts bench engine`, and at length `noughts bench engine --full`.

- **Speed**: positions looked at in a second on one core, and the depth reached, from positions of the middle game.
- **Kept**: of the positions met in its own games, in how many the engine's move keeps the value that a solution or a
  table, hidden from it, knows: a share of all positions, and of those in which a move can err. What was given away is
  counted by kind.
- **Points** against two opponents that anybody can write: the *pattern bot*, which looks one ply ahead, and the
  Monte-Carlo tree search of OpenSpiel with random rollouts, where that is installed (`noughts.bench.openspiel`), with
  as much time as the engine and with ten times as much. They take turns to begin, on the empty board; no two games are
  alike, since both bots have dice.
- **Qubic**: how long `expert` holds out as O against the machines of 1977 and against the proof.

Each of these, at each of its games, is a **part**. A part is cut into pieces, a game or some dozens of positions each,
which go to as many processes as there are cores, so that no two timed moves share one; only the speed is measured with
the other cores idle. How many games and positions there are follows from nothing but the numbers below; how they go,
from the clock. What is known exactly is asked here and not in those processes: a table in memory serves them all.

    for row in measure(FULL, parts=["kept", "peer10:nine-mens-morris"]): print(row)

Parts are named `speed`, `kept:GAME`, `pattern:GAME`, `peer:GAME`, `peer10:GAME` and `qubic`; without its game, a name
means all of its kind.
"""

import os
import signal
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from multiprocessing import get_context
from random import Random
from statistics import mean, median
from time import perf_counter
from typing import Any, NamedTuple

from noughts.bench.openspiel import LONGEST, THEIRS, installed, monte_carlo
from noughts.games import Game, Move, NoughtsError, Outcome, Position
from noughts.games import game as find_game
from noughts.games.playing import Playing
from noughts.players import player
from noughts.solve import Effort, Progress, knowledge
from noughts.solve.engine import think

__all__ = [
    "FULL",
    "QUICK",
    "Kept",
    "Size",
    "Tally",
    "bench_engine",
    "bench_engine_full",
    "duel",
    "engine_player",
    "exact_outcomes",
    "judge",
    "measure",
    "met",
    "part_names",
    "pattern_bot",
    "tally",
]

Row = dict[str, Any]
Chooser = Callable[[Playing], Move]
Maker = Callable[[int], Chooser]
"""Makes a player by its seed."""
Met = tuple[Position, Move]
"""A position that the engine met, and what it played."""
Outcomes = Callable[[Game, Position], dict[Move, Outcome]]
"""Knows what every move of a position is worth; `unknown`, where it does not."""


class Size(NamedTuple):
    """How much is measured."""

    speeds: int
    """Positions of each game in which the speed is measured, for a second each."""
    positions: int
    """Of each game, in which moves are compared with what is known, at least."""
    games: int
    """Against each opponent."""
    holdings: int
    """Games against each machine at Qubic."""


QUICK = Size(1, 500, 4, 2)
FULL = Size(3, 10_000, 40, 10)

SECONDS = 0.2
"""Of the engine for a move."""
SPEED_GAMES = (
    "tictactoe",
    "square4",
    "mnk:6,6,4",
    "mnk:9,9,5",
    "mnk:15,15,5",
    "mnk:19,19,5",
    "qubic",
    "achi",
    "three-mens-morris",
    "six-mens-morris",
    "nine-mens-morris",
)
KEPT_GAMES = ("nine-mens-morris", "square4", "mnk:5,4,4", "achi", "three-mens-morris")
MONTE_CARLO = "OpenSpiel's Monte-Carlo bot with {:g} s"
PATTERN_GAME = "mnk:15,15,5"
HOLDERS = ("basic1", "basic2", "basic3", "basicf", "perfect")
HOLDING_NODES = 100_000
"""A step in the number of positions that `expert` looks at against those."""
MEASURABLE = 0.5
"""Seconds of searching from which a speed follows."""
PIECE = 150
"""Positions after which a piece of work ends, together with the game that is being played."""


def bench_engine(progress: Progress) -> Iterator[Row]:
    """Everything in brief: some minutes on two cores."""
    return measure(QUICK, progress)


def bench_engine_full(progress: Progress) -> Iterator[Row]:
    """Everything at length, as the documents quote it: about eight minutes on 16 cores."""
    return measure(FULL, progress)


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


@dataclass
class Kept:
    """How many positions were met, and what was given away in them."""

    positions: Counter[str] = field(default_factory=Counter)
    """By phase: those whose values are known."""
    contested: Counter[str] = field(default_factory=Counter)
    """By phase: those of them in which a move can err."""
    skipped: int = 0
    """Positions of which not all values are known."""
    blunders: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By phase and by what became of what, as "win to draw"."""
    examples: dict[tuple[str, str], str] = field(default_factory=dict)
    """Of each kind of blunder the first: the position and the move."""


def exact_outcomes(game: Game, position: Position) -> dict[Move, Outcome]:
    """What is known of every move here; the engine is hardly asked."""
    return {one.move: one.value.outcome for one in knowledge(game).ask(position, effort=Effort(1, None)).moves}


def met(game: Game, chooser: Chooser, positions: int, seed: int) -> list[Met]:
    """At least so many positions, of whole games that a player plays with itself after 2 to 5 random moves."""
    random, found = Random(seed), list[Met]()
    while len(found) < positions:
        playing = _opened(game, random.randint(2, 5), random)
        for _ in range(LONGEST):
            if playing.result is not None:
                break
            found.append((playing.position, chooser(playing)))
            playing = playing.then(found[-1][1])
    return found


def judge(game: Game, moves: Iterable[Met], outcomes: Outcomes = exact_outcomes) -> Kept:
    """Compare moves with what is known exactly."""
    kept = Kept()
    for position, move in moves:
        values = outcomes(game, position)
        if Outcome.UNKNOWN in values.values():
            kept.skipped += 1
            continue
        phase = _phase(game, position)
        best = next(outcome for outcome in Outcome if outcome in values.values())
        kept.positions[phase] += 1
        kept.contested[phase] += len(set(values.values())) > 1
        if values[move] is not best:
            kind = phase, f"{best} to {values[move]}"
            kept.blunders[kind] += 1
            kept.examples.setdefault(kind, f"{game.write(position)} {game.write_move(move)}")
    return kept


class Tally(NamedTuple):
    """How the first of two players fared against the second, and how long both took."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    moves: tuple[int, int] = (0, 0)
    seconds: tuple[float, float] = (0, 0)
    """For all their moves."""

    @property
    def points(self) -> float:
        """Of the first player."""
        return self.wins + self.draws / 2


def duel(name: str, one: Maker, other: Maker, number: int) -> Tally:
    """The game of this number between two players: the first begins in those of even numbers."""
    game = find_game(name)
    playing, choosers = Playing.begin(game), (one(number), other(number))
    moves, seconds = [0, 0], [0.0, 0.0]
    while playing.result is None and (game.placing_only or len(playing.moves) < LONGEST):
        who = playing.position.turn ^ number % 2
        began = perf_counter()
        move = choosers[who](playing)
        seconds[who] += perf_counter() - began
        moves[who] += 1
        playing = playing.then(move)
    outcome = Outcome.DRAW if playing.result is None else playing.result.outcome(number % 2)
    wins, draws, losses = (int(outcome is one) for one in (Outcome.WIN, Outcome.DRAW, Outcome.LOSS))
    return Tally(wins, draws, losses, (moves[0], moves[1]), (seconds[0], seconds[1]))


def tally(games: Iterable[Tally]) -> Tally:
    """Several games together."""
    wins, draws, losses, moves, seconds = zip(*games, strict=True)
    together = sum(one for one, _ in moves), sum(other for _, other in moves)
    spent = sum(one for one, _ in seconds), sum(other for _, other in seconds)
    return Tally(sum(wins), sum(draws), sum(losses), together, spent)


def engine_player(seconds: float | None = SECONDS, nodes: int | None = None) -> Maker:
    """The engine without books, tables and proofs; the endings of morris are its own."""
    return partial(_engine, seconds, nodes)


def _engine(seconds: float | None, nodes: int | None, _seed: int) -> Chooser:
    def choose(playing: Playing) -> Move:
        found = think(playing.game, playing.position, playing.positions[:-1], nodes=nodes, seconds=seconds)
        return found.moves[0].move

    return choose


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


@dataclass
class Part:
    """One measurement at one game."""

    name: str
    games: Sequence[str]
    """Where the engine plays."""
    pieces: Sequence[Callable[[], Any]]
    """What other processes do; each must be something that can be sent to them."""
    rows: Callable[[list[Any]], list[Row]]
    """What is made of their results, in the same order."""
    prepare: Callable[[], object] = list
    """What is done before anything is timed."""
    alone: bool = False
    """Whether its pieces are done here, while the other cores are idle; then the results of each give rows."""


def part_names() -> list[str]:
    """Everything that can be measured here."""
    return [part.name for part in _parts(QUICK, None)]


def measure(
    size: Size = FULL,
    progress: Progress = lambda _done, _total: None,
    parts: Sequence[str] | None = None,
    outcomes: Outcomes | None = None,
    processes: int | None = None,
) -> Iterator[Row]:
    """Measure, and give the rows of each part as soon as it is done.

    Args:
        size: how much.
        progress: told how many pieces are done, of how many.
        parts: which, in this order; all, if not given.
        outcomes: who knows what moves are worth at the games of `kept`; else what is known here.
        processes: how many work at a time; one a core, if not given.

    Raises:
        NoughtsError: at the name of a part that there is none of.
    """
    every = _parts(size, outcomes)
    chosen = every if parts is None else [part for name in parts for part in _named(name, every)]
    total = sum(len(part.pieces) for part in chosen)
    progress(0, total)
    for part in chosen:
        part.prepare()
    names = sorted({name for part in chosen for name in part.games})
    _warm_up(names)  # compiled once, and not in every process
    done = count(1)
    for part in chosen:
        if not part.pieces:
            yield from part.rows([])
    for part in (part for part in chosen if part.alone):
        for piece in part.pieces:
            yield from part.rows([piece()])
            progress(next(done), total)
    together = [part for part in chosen if not part.alone]
    results: list[dict[int, Any]] = [{} for _ in together]
    work = [(which, number, piece) for which, part in enumerate(together) for number, piece in enumerate(part.pieces)]
    if not work:
        return
    crew = min(processes or os.cpu_count() or 1, len(work))
    with get_context("spawn").Pool(crew, _begin, (names,)) as pool:
        for which, number, result in pool.imap_unordered(_do, work):
            progress(next(done), total)
            results[which][number] = result
            if len(results[which]) == len(together[which].pieces):
                yield from together[which].rows([result for _, result in sorted(results[which].items())])


def _begin(names: Sequence[str]) -> None:
    """What every process does first. None of them hears Ctrl-C: whoever started them does, and ends them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _warm_up(names)


def _warm_up(names: Sequence[str]) -> None:
    """Load what the engine needs at these games, so that no timed move waits for it."""
    for name in names:
        think(find_game(name), find_game(name).start(), nodes=1_000)


def _do(work: tuple[int, int, Callable[[], Any]]) -> tuple[int, int, Any]:
    which, number, piece = work
    return which, number, piece()


def _named(name: str, parts: Sequence[Part]) -> list[Part]:
    found = [part for part in parts if part.name == name or part.name.startswith(f"{name}:")]
    if not found:
        known = ", ".join(part.name for part in parts)
        raise NoughtsError(f"{name!r} is nothing that can be measured here: expected {known}")
    return found


def _parts(size: Size, outcomes: Outcomes | None) -> list[Part]:
    speeds = [partial(_speed, name, size.speeds) for name in SPEED_GAMES]
    plies = [partial(_plies, who, number) for who in HOLDERS for number in range(1, size.holdings + 1)]
    return [
        Part("speed", SPEED_GAMES, speeds, lambda rows: rows[0], alone=True),
        # The longest first, so that no core is idle in the end.
        *(
            _against(f"{kind}:{name}", name, MONTE_CARLO.format(seconds), monte_carlo(seconds), size.games)
            for kind, seconds in (("peer10", 10 * SECONDS), ("peer", SECONDS))
            for name in reversed(THEIRS)
        ),
        *(_keeping(name, size.positions, outcomes) for name in KEPT_GAMES),
        _against(f"pattern:{PATTERN_GAME}", PATTERN_GAME, "the pattern bot", pattern_bot, size.games),
        Part("qubic", ["qubic"], plies, _holding_rows),
    ]


def _missing(part: str, name: str, what: str, why: str) -> Part:
    """A part that cannot be measured here."""
    return Part(part, [], [], lambda _: [_row(name, what, None, why)])


def _row(game: str, what: str, figure: float | None, notes: str = "") -> Row:
    return {"game": game, "what": what, "figure": figure, "notes": notes}


def _speed(name: str, positions: int) -> list[Row]:
    game = find_game(name)
    nodes, seconds, depths, whole, searches = 0, 0.0, [], 0, 0
    for seed in range(1, positions + 1):
        position = _opened(game, min(6, len(game.layout) // 4), Random(seed)).position
        think(game, position, nodes=1_000)
        until = seconds + MEASURABLE
        while seconds < until:  # a search that is over at once is repeated
            began = perf_counter()
            found = think(game, position, nodes=None, seconds=1)
            seconds += perf_counter() - began
            nodes += found.nodes
            searches += 1
        depths.append(found.depth)
        whole += found.value.outcome is not Outcome.UNKNOWN
    proved = f"{whole} of {positions} proved" if whole else ""
    return [
        _row(name, "positions a second", round(nodes / seconds), f"{nodes // searches:,} a search"),
        _row(name, "depth in at most a second", median(depths), proved),
    ]


def _keeping(name: str, positions: int, outcomes: Outcomes | None) -> Part:
    game, known = find_game(name), outcomes or exact_outcomes
    if outcomes is None and knowledge(game).missing:
        return _missing(f"kept:{name}", name, "kept", knowledge(game).missing)
    number = max(1, round(positions / PIECE))
    return Part(
        f"kept:{name}",
        [name],
        [partial(_met_by_engine, name, -(-positions // number), seed) for seed in range(number)],
        lambda found: _kept_rows(name, judge(game, (one for piece in found for one in piece), known)),
        lambda: known(game, game.start()),
    )


def _met_by_engine(name: str, positions: int, seed: int) -> list[Met]:
    return met(find_game(name), engine_player()(seed), positions, seed)


def _kept_rows(name: str, kept: Kept) -> list[Row]:
    phases = list(kept.positions)
    rows = []
    for phase in ["", *phases] if len(phases) > 1 else [""]:
        lost = sum(times for kind, times in kept.blunders.items() if phase in ("", kind[0]))
        for counts, which in ((kept.positions, "% of all moves"), (kept.contested, "% where a move can err")):
            among = counts[phase] if phase else counts.total()
            words = f"kept, {which}, {phase}" if phase else f"kept, {which}"
            share = round(100 * (among - lost) / among, 3) if among else None
            rows.append(_row(name, words, share, f"{lost:,} of {among:,} gave value away"))
    for kind, times in kept.blunders.most_common():
        rows.append(_row(name, f"blunders, {', '.join(kind)}", times, f"as {kept.examples[kind]}"))
    if kept.skipped:
        rows.append(_row(name, "skipped", kept.skipped, "positions whose values are not known"))
    return rows


def _against(part: str, name: str, who: str, other: Maker, games: int) -> Part:
    if part.startswith("peer") and not installed():
        return _missing(part, name, f"points against {who}", "OpenSpiel is not installed: the extra [bench]")
    pieces = [partial(duel, name, engine_player(), other, number) for number in range(games)]

    def rows(found: list[Tally]) -> list[Row]:
        total = tally(found)
        times = [f"{spent / max(1, moves):.2f}" for spent, moves in zip(total.seconds, total.moves, strict=True)]
        notes = f"{total.wins} won, {total.draws} drawn, {total.losses} lost; {' and '.join(times)} s a move"
        return [_row(name, f"points of {games} against {who}", total.points, notes)]

    return Part(part, [name], pieces, rows)


def _plies(who: str, number: int) -> tuple[str, int | None, int]:
    """How long `expert` holds out as O against somebody, who won, and after how many plies.

    Neither those machines nor the proof nor an engine that counts positions do anything by chance: the games differ in
    how many positions `expert` looks at.
    """
    seats = [player(who, number), player(f"expert:nodes={number * HOLDING_NODES}", number)]
    playing = Playing.begin(find_game("qubic"))
    while playing.result is None:
        playing = playing.then(seats[playing.position.turn].reply(playing).move)
    return who, playing.result.winner, len(playing.moves)


def _holding_rows(found: list[tuple[str, int | None, int]]) -> list[Row]:
    rows = []
    for who in HOLDERS:
        games = [(winner, plies) for name, winner, plies in found if name == who]
        plies = [number for _, number in games]
        ends = Counter({0: "lost", 1: "won", None: "drawn"}[winner] for winner, _ in games)
        told = ", ".join(f"{times} {end}" for end, times in ends.items())
        notes = f"{told}; {min(plies)} to {max(plies)} plies"
        rows.append(_row("qubic", f"plies of expert, as O, against {who}", round(mean(plies), 1), notes))
    return rows
