"""The check of a book: every chunk is read, and positions at random are compared with what follows from them.

A position with more stones to come within the book must be worth what its best move is worth by the book. One at the
end of the book must be worth what a search finds that reaches the tables.
"""

from random import Random

from noughts.games import Game, Outcome, Position
from noughts.solve.morris.book import Book, BookError
from noughts.solve.morris.placing import Placing
from noughts.solve.morris.probe import BlockSource
from noughts.solve.solution import Progress
from noughts.solve.value import UNKNOWN, Value

__all__ = ["check_book"]

GAMES = 10
"""For every ply, so many games at random lead to it."""
SEED = 1
MOST_NODES = 1_000_000


def check_book(book: Book, source: BlockSource, progress: Progress | None = None) -> tuple[int, str | None]:
    """How many positions were compared, and the first thing that is wrong."""
    try:
        book.check()
    except BookError as error:
        return 0, str(error)
    random, compared = Random(SEED), 0
    for ply in range(book.plies + 1):
        if progress:
            progress(ply, book.plies + 1)
        for _ in range(GAMES):
            position = _after(book.game, ply, random)
            if book.game.over(position) is not None:
                continue
            compared += 1
            said, expected = book.value(position), _expected(book, source, position, ply)
            if said != expected:
                return compared, f"{book.game.write(position)!r} is {said} in the book, expected {expected}"
    return compared, None


def _after(game: Game, ply: int, random: Random) -> Position:
    """A position after so many plies at random, or after fewer if the game is over."""
    position = game.start()
    for _ in range(ply):
        if game.over(position) is not None:
            break
        position = game.after(position, random.choice(game.moves(position)))
    return position


def _expected(book: Book, source: BlockSource, position: Position, ply: int) -> Value:
    """What a position is worth by what follows from it."""
    game = book.game
    if ply == book.plies:
        return Value(Placing(source, game).value(position, MOST_NODES).outcome)
    values = []
    for move in game.moves(position):
        after = game.after(position, move)
        lost = game.over(after) is Outcome.LOSS
        values.append((Value(Outcome.LOSS) if lost else book.value(after) or UNKNOWN).before())
    return max(values, key=Value.preference)
