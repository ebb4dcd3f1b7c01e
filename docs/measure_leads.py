"""What an estimate is worth in points, which noughts.solve.look goes by: python docs/measure_leads.py (some minutes).

The engine plays against itself, 3,000 positions a move, from positions after two to five random moves; one move of ten
is any of its first six. Each estimate of a position whose value was not proved is kept with the points that its side
got in the end. A lead is the estimate from which on that is about 70 %.
"""

import sys
from collections import defaultdict
from random import Random

from noughts.games import game as find_game
from noughts.games.playing import Playing
from noughts.solve import UNKNOWN
from noughts.solve.engine import think

GAMES = ("mnk:15,15,5", "mnk:9,9,5", "qubic", "six-mens-morris", "nine-mens-morris")
NODES, PLIES, STEP, MOST = 3_000, 150, 64, 512


def points_by_estimate(name: str, games: int) -> dict[int, list[float]]:
    """For estimates up to a multiple of `STEP`, the points of every side that was estimated so."""
    game, random = find_game(name), Random(name)
    found: dict[int, list[float]] = defaultdict(list)
    for _ in range(games):
        playing = Playing.begin(game)
        for _ in range(random.randint(2, 5)):
            near = [move for move in game.moves(playing.position) if not game.placing_only or _central(name, move.to)]
            playing = playing.then(random.choice(near))
        estimates = []
        while playing.result is None and len(playing.moves) < PLIES:
            answer = think(game, playing.position, playing.positions[:-1], nodes=NODES)
            if answer.value == UNKNOWN:
                estimates.append((playing.position.turn, answer.moves[0].estimate or 0))
            choice = random.choice(answer.moves[:6]) if random.random() < 0.1 else answer.moves[0]
            playing = playing.then(choice.move)
        winner = None if playing.result is None else playing.result.winner
        for side, estimate in estimates:
            step = max(-MOST, min(MOST, STEP * round(estimate / STEP)))
            found[step].append(0.5 if winner is None else float(winner == side))
    return found


def _central(name: str, point: int | None) -> bool:
    """Whether a point is at most two and a half squares from the middle of its board, either way."""
    places = find_game(name).layout.places
    place, middle = places[point or 0], (max(one.column for one in places) / 2, max(one.row for one in places) / 2)
    return abs(place.column - middle[0]) <= 2.5 and abs(place.row - middle[1]) <= 2.5


def main() -> None:
    """Print a line for every game and estimate."""
    for name in GAMES:
        for step, points in sorted(points_by_estimate(name, int(sys.argv[1]) if sys.argv[1:] else 200).items()):
            print(f"{name:18} {step:5} {sum(points) / len(points):4.0%}  {len(points):6,} positions", flush=True)


if __name__ == "__main__":
    main()
