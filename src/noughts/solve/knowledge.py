"""What is known of a game here: one question, answered from the best source there is.

    knowledge(game).ask(position)       the value, every move best first, how surely that is known, and from where
    knowledge(game).at_sight(position)  the same where all of it is exact and needs no search, or nothing
    knowledge(game).best(position)      only the moves to choose from: quicker where rating every move takes long
    knowledge(game).extent              how much of the game is known

Whoever wants to know something of a position asks here: players, hints, the terminal, the web. The sources, in the
order in which they are asked:

1. the **rules**, if the game is over;
2. the **solution**, where a game is small enough to be solved in memory (`noughts.solve.small`); not of a board of more
   than 16 cells of which there is a whole table;
3. the **book** of openings that comes with Noughts (`noughts.solve.book`), at the morris games without a whole table;
4. the **table** on this machine's disk or on a server, at the morris games and at placing games of up to 25 points
   (`noughts.solve.tables`);
5. the **endings** that come with Noughts, at the morris games, once all stones are placed and few are left;
6. the **proof** and chains of threats, at Qubic (`noughts.solve.qubic`);
7. a **pairing** of cells, with which both sides hold a draw (`noughts.solve.pairing`), or a search that shows that each
   side can stop all rows of the other (`noughts.solve.holding`);
8. the **engine**'s search (`noughts.solve.engine`), and the **book** for what it does not prove: of a large board, and
   at the last ply of any book, after which the book knows no moves.

A source that does not know gives nothing, and the next is asked; the engine always has something to say, if only an
estimate. Where a proof or a table knows some moves and not others, the engine is asked for the others. Moves of which
nothing is proved get a `look` from their estimates (`noughts.solve.look`). Nothing slow is loaded before it is needed.
"""

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from noughts.extras import need
from noughts.games import Game, Move, NoughtsError, Outcome, Position
from noughts.games.playing import REPETITIONS
from noughts.solve.effort import USUAL, Effort
from noughts.solve.holding import Holding
from noughts.solve.look import Lead, Look, lead, look
from noughts.solve.pairing import drawn_by_pairing
from noughts.solve.small import PLAIN, check_rules, solvable, solve
from noughts.solve.solution import Progress, Rated, best_first
from noughts.solve.tables import Table, book_value, endings_for, has_tables, how_to_make, opening, table_for
from noughts.solve.value import DRAWN, UNKNOWN, Value

if TYPE_CHECKING:
    from noughts.solve.engine import Found

__all__ = ["TO_CAPTURE", "Answer", "Extent", "Knowledge", "Source", "Surety", "knowledge"]


TO_CAPTURE = "plies count to the winner's next capture or the end"
"""How the reason of an answer ends whose remoteness is not that of the end."""


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


MOST_KEPT = 16
"""Answers of the engine that are remembered: who asks for a hint next asks for its reason."""


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
    at_most: int | None = None
    """How many plies the win or the loss takes at most, where that was proved but not the remoteness."""
    lead: Lead | None = None
    """How things stand for the player to move, by the estimate of the best move; None where the value is known."""

    @property
    def estimate(self) -> int | None:
        """What the engine makes of the position, where its value is not known."""
        return self.moves[0].estimate if self.surety is Surety.ESTIMATE else None

    @property
    def words(self) -> str:
        """The value in words, as `win in 5`, `win in at most 9` or `unknown`."""
        return self.value.within(self.at_most)

    @property
    def surety(self) -> Surety:
        """How surely the value is known."""
        if self.value.outcome is Outcome.UNKNOWN:
            return Surety.ESTIMATE if self.depth else Surety.NOTHING
        return Surety.EXACT if self.value.remoteness is None else Surety.DISTANCE


def knowledge(game: Game) -> "Knowledge":
    """What is known of a game here.

    Args:
        game: A game of the catalogue, or one of one's own.

    Raises:
        NoughtsError: If its rules are none that anything here can solve (`noughts.solve.small.check_rules`).
    """
    check_rules(game)
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
        return Extent.SOME_POSITIONS if self._why_no_whole_table() else Extent.EVERY_POSITION

    @property
    def solved(self) -> str:
        """The same in words: `with a table` where one would tell every position, and there is none here."""
        makes_do = self.extent is Extent.SOME_POSITIONS and has_tables(self.game)
        return "with a table" if makes_do else self.extent.value

    @property
    def missing(self) -> str:
        """What there is too little of for perfect play, and what would help; nothing if nothing is missing."""
        if self.extent is not Extent.SOME_POSITIONS:
            return ""
        if has_tables(self.game):
            return self._why_no_whole_table()
        return "it is not solved here; expected a smaller game"

    def _why_no_whole_table(self) -> str:
        """Nothing if there is a whole table. One that cannot be read is none; who asks for values is told why."""
        try:
            table = table_for(self.game)
        except NoughtsError as error:
            return str(error)
        if table is not None and table.complete:
            return ""
        return f"there is no whole table of it here; expected {how_to_make(self.game)} to have been run"

    def ask(
        self,
        position: Position,
        history: Sequence[Position] = (),
        progress: Progress | None = None,
        effort: Effort = USUAL,
    ) -> Answer:
        """The value of a legal position and of each of its moves, `unknown` where that is beyond reach.

        `history` are the positions of the game before this one. It matters where positions can repeat: a move into one
        that comes up for the third time is worth a draw. `effort` is for the engine, where nothing better is known.

        Args:
            position: A legal position of the game.
            history: The positions of the game before this one.
            progress: Told now and then how much of a solution is done, of how much.
            effort: How long the engine may search, where nothing better is known.
        """
        self.game.check(position)
        end = self.game.over(position)
        if end is not None:
            endless = end is Outcome.DRAW and not self.game.placing_only
            return Answer(Value(end, None if endless else 0), [], Source.RULES)
        began = perf_counter()
        answer = self.at_sight(position, progress)
        if answer is not None:
            return self._minding(answer, history)
        answer = self._from_proof(position, effort) or self._from_pairing(position)
        if answer is None:
            seconds = effort.seconds or 0
            answer = self._from_holding(position, effort.within(seconds / 2))
            answer = answer or self._from_engine(position, history, effort.within(seconds + began - perf_counter()))
        return self._looked(answer)

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

        Args:
            position: A legal position that is not over.
            history: The positions of the game before this one.
            among: The moves to choose from; all legal ones if left out.
            effort: How long the engine may search, where nothing better is known.
            pressing: Whether to prefer, among draws, what is hard for the opponent.
        """
        if self._proved:
            found = [move for move in self._best_of_proof(position) if among is None or move in among]
            if found:
                return found[:1]
        exact = self.at_sight(position)
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

    def at_sight(self, position: Position, progress: Progress | None = None) -> Answer | None:
        """What is known of a position and of all its moves without a search, every value exact; None if it is not.

        Args:
            position: A legal position of the game.
            progress: Told now and then how much of a solution is done, of how much.
        """
        return (
            self._from_solution(position, progress)
            or self._from_book(position)
            or self._from_table(position)
            or self._looked_up(
                position, endings_for(self.game, position), Source.ENDINGS, "from the endings that come with Noughts"
            )
        )

    def _from_solution(self, position: Position, progress: Progress | None) -> Answer | None:
        if not solvable(self.game) or (self._takes_long() and self._has_whole_table()):
            return None
        solution = solve(self.game, progress)
        return Answer(solution.value(position), solution.moves(position), Source.SOLUTION)

    def _from_proof(self, position: Position, effort: Effort) -> Answer | None:
        """What the certificate and chains of threats know, and what the engine makes of the rest."""
        if not self._proved:
            return None
        need("numba", f"the proof of {self.game.name}")
        from noughts.solve.qubic.known import examine, rate_moves  # noqa: PLC0415  loads the compiler

        found = examine(self.game, position)
        won = found.value.outcome is Outcome.WIN
        known = {rated.move: rated.value for rated in rate_moves(self.game, position, won)}
        if found.value.outcome is Outcome.LOSS:
            known |= {move: Value(Outcome.LOSS) for move, value in known.items() if value == UNKNOWN}
        engine = self._rated(position, (), effort)
        moves = _merged(engine.moves, known)
        if found.value != UNKNOWN:
            value = found.value if engine.value.remoteness is None else engine.value
            # After the last threat of a chain, a reply and the stone that fills the line.
            bounds = [engine.at_most, 2 * len(found.threats) + 1 if found.threats else None]
            at_most = min((plies for plies in bounds if plies is not None), default=None)
            at_most = at_most if value.remoteness is None else None
            return Answer(value, moves, Source.PROOF, found.reason, found.threats, None, at_most)
        if moves[0].value.outcome is Outcome.WIN or all(rated.value != UNKNOWN for rated in moves):
            return Answer(moves[0].value, moves, Source.SEARCH, "by search", (), engine.depth, moves[0].at_most)
        return Answer(UNKNOWN, moves, Source.SEARCH, _searched(engine.depth), (), engine.depth)

    def _from_pairing(self, position: Position) -> Answer | None:
        if not drawn_by_pairing(self.game, position):
            return None
        left = len(self.game.layout) - position.occupied.bit_count()
        draw = Value(Outcome.DRAW, left)
        moves = [Rated(move, draw, self.game.after(position, move)) for move in self.game.moves(position)]
        return Answer(draw, moves, Source.PROOF, "each side stops all rows of the other by a pairing of cells")

    def _from_holding(self, position: Position, effort: Effort) -> Answer | None:
        holding = Holding(self.game, position, effort)
        if not holding.drawn():
            return None
        draw = Value(Outcome.DRAW, len(self.game.layout) - position.occupied.bit_count())
        known = dict.fromkeys(holding.drawing_moves(), draw)
        moves = _merged(self._rated(position, (), USUAL).moves, known)
        return Answer(draw, moves, Source.PROOF, "each side can stop all rows of the other")

    def _takes_long(self) -> bool:
        """Whether it takes seconds to solve it, so that one rather looks into a table."""
        return self.game.placing_only and len(self.game.layout) > PLAIN

    def _from_book(self, position: Position) -> Answer | None:
        """What the book says, unless there is a whole table, which has the plies as well.

        On a board on which stones are only placed, a search may know the plies of a win, too: it is asked first.
        """
        return None if self.game.placing_only or self._has_whole_table() else self._opening(position)

    def _from_table(self, position: Position) -> Answer | None:
        """What the table says. One that is damaged is an error, but as far as the book goes, nobody needs it."""
        try:
            return self._looked_up(position, table_for(self.game), Source.TABLE, "from the table")
        except NoughtsError:
            found = self._opening(position)
            if found is None:
                raise
            return found

    def _opening(self, position: Position) -> Answer | None:
        found = opening(self.game, position)
        return None if found is None else Answer(*found, Source.BOOK, "from the book of openings")

    def _has_whole_table(self) -> bool:
        """One that cannot be read is none: as far as the book goes, nobody needs it."""
        try:
            table = table_for(self.game) if has_tables(self.game) else None
        except NoughtsError:
            return False
        return table is not None and table.whole

    def _looked_up(self, position: Position, table: Table | None, source: Source, words: str) -> Answer | None:
        value = None if table is None else table.probe(position)
        if table is None or value is None:
            return None
        reason = f"{words}; {TO_CAPTURE}" if self.game.rules.captures else words
        return Answer(value, table.moves(position), source, reason)

    def _from_engine(self, position: Position, history: Sequence[Position], effort: Effort) -> Answer:
        found = self._rated(position, history, effort)
        moves = self._with_table(position, found.moves)
        own = book_value(self.game, position) if found.value == UNKNOWN else None
        if own is not None:
            if own.outcome is Outcome.LOSS:
                moves = [one._replace(value=own) if one.value == UNKNOWN else one for one in moves]
            # In the last ply of the book, what comes after the moves is not in it.
            rest = "; the moves by search" if any(one.value == UNKNOWN for one in moves) else ""
            return Answer(own, moves, Source.BOOK, f"from the book of openings{rest}", (), found.depth)
        reason = "by search" if found.value != UNKNOWN else self._why_unknown(found.depth)
        at_most = found.at_most if found.value.remoteness is None else None
        return Answer(found.value, moves, Source.SEARCH, reason, (), found.depth, at_most)

    def _rated(self, position: Position, history: Sequence[Position], effort: Effort) -> "Found":
        """What the engine makes of a position and of every move."""
        past = () if self.game.placing_only else tuple(history)
        return (_engine if effort.seconds else _remembered)(self.game, position, past, effort)

    def _best_of_engine(self, position: Position, history: Sequence[Position], effort: Effort) -> list[Rated]:
        """The moves in an order of which only the first counts."""
        need("numba", f"a search of {self.game.name}")
        from noughts.solve.engine import think  # noqa: PLC0415  loads the compiler

        found = think(self.game, position, history, **effort._asdict())
        return self._with_table(position, found.moves)

    def _best_of_proof(self, position: Position) -> Iterator[Move]:
        need("numba", f"the proof of {self.game.name}")
        from noughts.solve.qubic.known import winning_moves  # noqa: PLC0415  loads the compiler

        return (Move(cell) for cell in winning_moves(position))

    def _with_table(self, position: Position, moves: list[Rated]) -> list[Rated]:
        """Moves that a search has rated, with the values that a table knows of some of them, or a book.

        Where a table does not tell the value of a position, it may still know that some moves lose or hold a draw.
        """
        table, opened = table_for(self.game), opening(self.game, position)
        rated = (opened[1] if opened else []) + (table.moves(position) if table else [])
        known = {one.move: one.value for one in rated if one.value != UNKNOWN}
        return _merged(moves, known) if known else moves

    def _why_unknown(self, depth: int) -> str:
        searched = _searched(depth)
        if not has_tables(self.game):
            return searched
        if self.extent is Extent.EVERY_POSITION:
            return f"{searched}; too many stones are in hand to search down to the table"
        return f"{searched}; there is no whole table of {self.game.name} here: {how_to_make(self.game)} makes it"

    def _looked(self, answer: Answer) -> Answer:
        """An answer with how the moves look of which nothing is proved, unless one is proved to win."""
        moves = answer.moves
        unproved = [one.estimate for one in moves if one.value == UNKNOWN and one.estimate is not None]
        if not unproved or moves[0].value.outcome is Outcome.WIN:
            return answer
        looks = {
            one.move: Look.BEST if number == 0 else look(self.game, one.estimate, max(unproved))
            for number, one in enumerate(moves)
            if one.value == UNKNOWN and one.estimate is not None
        }
        seen = answer._replace(moves=[one._replace(look=looks.get(one.move)) for one in moves])
        return seen if seen.estimate is None else seen._replace(lead=lead(self.game, seen.estimate))

    def _minding(self, answer: Answer, history: Sequence[Position]) -> Answer:
        """An answer that knows no history, with draws by repetition."""
        often = {position for position, times in Counter(history).items() if times + 1 >= REPETITIONS}
        if self.game.placing_only or not any(rated.position in often for rated in answer.moves):
            return answer
        moves = best_first(
            [rated._replace(value=DRAWN) if rated.position in often else rated for rated in answer.moves]
        )
        return answer._replace(value=moves[0].value, moves=moves)


def _engine(game: Game, position: Position, past: tuple[Position, ...], effort: Effort) -> "Found":
    need("numba", f"a search of {game.name}")
    from noughts.solve.engine import rate  # noqa: PLC0415  loads the compiler

    return rate(game, position, past, **effort._asdict())


_remembered = lru_cache(MOST_KEPT)(_engine)
"""By nodes the engine's answer is the same every time."""


def _merged(moves: list[Rated], known: dict[Move, Value]) -> list[Rated]:
    """Moves that the engine has rated, best first, with what is known of some of them from elsewhere.

    Of moves that are worth the same, those that are known from elsewhere come first: a proof goes on after the move,
    while the engine may not find the rest of its win again.
    """
    rated = []
    for one in moves:
        value = known.get(one.move, UNKNOWN)
        if value.remoteness is not None:
            rated.append(one._replace(value=value, at_most=None))
        elif value != UNKNOWN and one.value.remoteness is None:
            rated.append(one._replace(value=value))
        else:
            rated.append(one)
    return sorted(
        rated, key=lambda one: (*one.value.preference(), known.get(one.move, UNKNOWN) != UNKNOWN), reverse=True
    )


def _searched(depth: int) -> str:
    return f"searched {depth} {'ply' if depth == 1 else 'plies'}"
