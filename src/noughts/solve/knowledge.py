"""What is known of a game here: one question, answered from the best source there is.

    knowledge(game).ask(position)     the value, every move best first, how surely that is known, and from where
    knowledge(game).best(position)    only the moves to choose from: quicker where rating every move takes long
    knowledge(game).extent            how much of the game is known

Whoever wants to know something of a position asks here: players, hints, the terminal, the web. The sources, from the
best answer to the poorest:

1. the rules, if the game is over;
2. the **solution**, where a game is small enough to be solved in memory (`noughts.solve.small`);
3. the **proof** and chains of threats, at Qubic (`noughts.solve.qubic`), and draws by a pairing of cells
   (`noughts.solve.pairing`);
4. the **book** of openings that comes with Noughts, at nine men's morris;
5. the **table** on this machine's disk, at the morris games (`noughts.solve.tables`);
6. the **endings** that come with Noughts, at the morris games, once all stones are placed and few are left;
7. the **engine**'s search, for all others (`noughts.solve.engine`).

A source that does not know gives nothing, and the next is asked; search always has something to say, if only an
estimate. Nothing slow is loaded before a source needs it.
"""

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, NamedTuple

from noughts.games import Game, Move, Outcome, Position
from noughts.games.playing import REPETITIONS
from noughts.solve.pairing import drawn_by_pairing
from noughts.solve.small import solvable, solve
from noughts.solve.solution import Progress, Rated, best_first
from noughts.solve.tables import endings_for, has_tables, how_to_make, opening, table_for
from noughts.solve.value import DRAWN, UNKNOWN, Value

if TYPE_CHECKING:
    from noughts.solve.morris.table import Table

__all__ = ["USUAL", "Answer", "Effort", "Extent", "Knowledge", "Source", "Surety", "knowledge"]


class Source(StrEnum):
    """Where an answer comes from."""

    RULES = "rules"
    SOLUTION = "solution"
    PROOF = "proof"
    BOOK = "book"
    TABLE = "table"
    ENDINGS = "endings"
    SEARCH = "search"


class Surety(IntEnum):
    """How surely a value is known; the greater, the more is known."""

    NOTHING = 0
    ESTIMATE = 1
    """The value is unknown, but the moves are in an order that a search of some depth suggests."""
    EXACT = 2
    DISTANCE = 3
    """Exact, and the number of plies with it."""


class Extent(StrEnum):
    """How much of a game is known."""

    EVERY_POSITION = "yes"
    WINNER = "first player wins"
    """The winner is proved, and how to win; not the value of every position."""
    SOME_POSITIONS = "not yet"


class Effort(NamedTuple):
    """How long the engine may think about one move: so many positions, so many seconds, or both."""

    nodes: int | None = 200_000
    seconds: float | None = None


USUAL = Effort()
"""A few tenths of a second, and the same answer every time."""


class Answer(NamedTuple):
    """What a position is worth, its moves, best first, and where that is known from."""

    value: Value
    moves: list[Rated]
    source: Source
    reason: str = ""
    """How the value is known, or why not, where it is not from a whole solution."""
    threats: tuple[int, ...] = ()
    """The chain of threats that wins, if one is known: the moves of the player to move."""
    depth: int | None = None
    """How many plies a search looked ahead."""

    @property
    def surety(self) -> Surety:
        """How surely the value is known."""
        if self.value.outcome is Outcome.UNKNOWN:
            return Surety.ESTIMATE if self.depth else Surety.NOTHING
        return Surety.EXACT if self.value.remoteness is None else Surety.DISTANCE


def knowledge(game: Game) -> "Knowledge":
    """What is known of a game here."""
    return Knowledge(game)


@dataclass(frozen=True)
class Knowledge:
    """Everything that is known of one game here."""

    game: Game

    @property
    def extent(self) -> Extent:
        """How much of the game is known."""
        if solvable(self.game):
            return Extent.EVERY_POSITION
        if self._proved:
            return Extent.WINNER
        table = table_for(self.game)
        return Extent.EVERY_POSITION if table is not None and table.complete else Extent.SOME_POSITIONS

    @property
    def missing(self) -> str:
        """What there is too little of for perfect play, and what would help; nothing if nothing is missing."""
        if self.extent is not Extent.SOME_POSITIONS:
            return ""
        if has_tables(self.game):
            return f"there is no whole table of it here; expected {how_to_make(self.game)} to have been run"
        return "it is not solved here; expected a smaller game"

    def ask(self, position: Position, history: Sequence[Position] = (), progress: Progress | None = None) -> Answer:
        """The value of a legal position and of each of its moves, `unknown` where that is beyond reach.

        `history` are the positions of the game before this one. It matters where positions can repeat: a move into one
        that comes up for the third time is worth a draw.
        """
        end = self.game.over(position)
        if end is not None:
            endless = end is Outcome.DRAW and not self.game.placing_only
            return Answer(Value(end, None if endless else 0), [], Source.RULES)
        answer = self._exact(position, progress) or self._from_proof(position) or self._from_pairing(position)
        return self._from_engine(position, history) if answer is None else self._minding(answer, history)

    def best(
        self,
        position: Position,
        history: Sequence[Position] = (),
        among: Container[Move] | None = None,
        effort: Effort = USUAL,
        pressing: bool = False,
    ) -> list[Move]:
        """The best moves of a position that is not over, or the best `among` some of them; all of equal worth.

        Of moves that are worth the same, those that repeat no position come first. `effort` is for the engine, where
        nothing better is known. Whoever is `pressing` does not leave it at that where a table only knows of draws: of
        these moves the engine's choice is taken, after which the opponent is likely to err.
        """
        if self._proved:
            found = [move for move in self._best_of_proof(position) if among is None or move in among]
            if found:
                return found[:1]
        exact = self._exact(position)
        if exact is None:
            # Only the first of the moves is the engine's choice; those after it are no better.
            engine = self._best_of_engine(position, history, effort)
            return [next(rated.move for rated in engine if among is None or rated.move in among)]
        answer = self._minding(exact, history)
        moves = [rated for rated in answer.moves if among is None or rated.move in among]
        most = max(rated.rank for rated in moves)
        best = [rated for rated in moves if rated.rank == most]
        if pressing and len(best) > 1 and best[0].value == DRAWN and exact.source in (Source.TABLE, Source.ENDINGS):
            choice = self._best_of_engine(position, history, effort)[0].move
            if any(rated.move == choice for rated in best):
                return [choice]
        fresh = [] if self.game.placing_only else [rated for rated in best if rated.position not in history]
        return [rated.move for rated in fresh or best]

    @property
    def _proved(self) -> bool:
        return self.game.name == "qubic"

    def _exact(self, position: Position, progress: Progress | None = None) -> Answer | None:
        """What is known of a position and of all its moves, where every value is exact."""
        return (
            self._from_solution(position, progress)
            or self._from_book(position)
            or self._looked_up(position, table_for(self.game), Source.TABLE, "from the table")
            or self._looked_up(
                position, endings_for(self.game, position), Source.ENDINGS, "from the endings that come with Noughts"
            )
        )

    def _from_solution(self, position: Position, progress: Progress | None) -> Answer | None:
        if not solvable(self.game):
            return None
        solution = solve(self.game, progress)
        return Answer(solution.value(position), solution.moves(position), Source.SOLUTION)

    def _from_proof(self, position: Position) -> Answer | None:
        if not self._proved:
            return None
        from noughts.solve.qubic.known import examine, rate_moves  # noqa: PLC0415  loads the compiler

        found = examine(self.game, position)
        return Answer(found.value, rate_moves(self.game, position), Source.PROOF, found.reason, found.threats)

    def _from_pairing(self, position: Position) -> Answer | None:
        if not drawn_by_pairing(self.game, position):
            return None
        left = len(self.game.layout) - position.occupied.bit_count()
        draw = Value(Outcome.DRAW, left)
        moves = [Rated(move, draw, self.game.after(position, move)) for move in self.game.moves(position)]
        return Answer(draw, moves, Source.PROOF, "each side stops all rows of the other by a pairing of cells")

    def _from_book(self, position: Position) -> Answer | None:
        found = opening(self.game, position)
        return None if found is None else Answer(*found, Source.BOOK, "from the book of openings")

    def _looked_up(self, position: Position, table: "Table | None", source: Source, words: str) -> Answer | None:
        value = None if table is None else table.probe(position)
        if table is None or value is None:
            return None
        reason = f"{words}; plies count to the winner's next capture or the end"
        return Answer(value, table.moves(position), source, reason)

    def _from_engine(self, position: Position, history: Sequence[Position]) -> Answer:
        from noughts.solve.engine import rate  # noqa: PLC0415  loads the compiler

        found = rate(self.game, position, history)
        moves = self._with_table(position, found.moves)
        reason = self._why_unknown(found.depth)
        if found.value != UNKNOWN:
            exact = found.value.remoteness is not None or found.at_most is None
            reason = "by search" if exact else f"by search, in at most {found.at_most} plies"
        return Answer(found.value, moves, Source.SEARCH, reason, depth=found.depth)

    def _best_of_engine(self, position: Position, history: Sequence[Position], effort: Effort) -> list[Rated]:
        """The moves in an order of which only the first counts."""
        from noughts.solve.engine import think  # noqa: PLC0415  loads the compiler

        found = think(self.game, position, history, nodes=effort.nodes, seconds=effort.seconds)
        return self._with_table(position, found.moves)

    def _best_of_proof(self, position: Position) -> Iterator[Move]:
        from noughts.solve.qubic.known import winning_moves  # noqa: PLC0415  loads the compiler

        return (Move(cell) for cell in winning_moves(position))

    def _with_table(self, position: Position, moves: list[Rated]) -> list[Rated]:
        """Moves that a search has rated, with the values that a table knows of some of them.

        Where a table does not tell the value of a position, it may still know that some moves lose or hold a draw.
        """
        table = table_for(self.game)
        known = {} if table is None else {one.move: one.value for one in table.moves(position) if one.value != UNKNOWN}
        if not known:
            return moves
        rated = [one._replace(value=known.get(one.move, one.value)) for one in moves]
        return sorted(rated, key=lambda one: one.rank, reverse=True)

    def _why_unknown(self, depth: int) -> str:
        searched = f"an estimate: searched {depth} plies"
        if not has_tables(self.game):
            return searched
        if self.extent is Extent.EVERY_POSITION:
            return f"{searched}; too many stones are in hand to search down to the table"
        return f"{searched}; there is no whole table of {self.game.name} here: {how_to_make(self.game)} makes it"

    def _minding(self, answer: Answer, history: Sequence[Position]) -> Answer:
        """An answer that knows no history, with draws by repetition."""
        often = {position for position, times in Counter(history).items() if times + 1 >= REPETITIONS}
        if self.game.placing_only or not any(rated.position in often for rated in answer.moves):
            return answer
        moves = best_first(
            [rated._replace(value=DRAWN) if rated.position in often else rated for rated in answer.moves]
        )
        return answer._replace(value=moves[0].value, moves=moves)
