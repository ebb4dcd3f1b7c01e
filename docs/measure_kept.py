"""How often the engine keeps the value at nine men's morris, placing included: python docs/measure_kept.py [PART...].

`noughts bench engine --full` compares the engine's moves with the user's table, which knows few positions with many
stones in hand. Here the whole game is solved first, placing included, and kept in memory: this needs a GPU, and 40 GB.
Any part of that bench can be measured with it.
"""

import sys

from make_morris_patterns import DRAWN, LOST, WON, Values

from noughts.bench.engine import FULL, exact_outcomes, measure
from noughts.games import Game, Move, Outcome, Position
from noughts.games import game as find_game

NINE = find_game("nine-mens-morris")
BEFORE = {LOST: Outcome.WIN, DRAWN: Outcome.DRAW, WON: Outcome.LOSS}
"""What a move is worth, by what the opponent is left with."""


def main() -> None:
    """Measure, a row a line."""
    values = Values(NINE)

    def outcomes(game: Game, position: Position) -> dict[Move, Outcome]:
        if game.name != NINE.name:
            return exact_outcomes(game, position)
        return {move: BEFORE[values.outcome(game.after(position, move))] for move in game.moves(position)}

    for row in measure(FULL, parts=sys.argv[1:] or ["kept:nine-mens-morris"], outcomes=outcomes):
        print(row, flush=True)


if __name__ == "__main__":
    main()
