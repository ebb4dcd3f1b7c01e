"""Players that never give value away: `perfect`, and `knuth`, who makes you think.

`perfect` wins quickly and loses slowly; among equals it plays any, by the seed. At Qubic, whose positions are too many
to know, it plays the proof: moving first it follows the certificate and wins by a chain of threats; moving second it
takes a win that is offered, spoils the chains it sees, and otherwise holds out as long as it can. At six and nine men's
morris it plays by the tables, where they have been made.

`knuth` leaves the opponent the most difficult position: it plays Knuth's optimal moves (`noughts.solve.difficulty`). So
it wins as late as it can, when it can, and draws in the way that leaves the most ways to go wrong. Where several moves
are optimal the seed decides.
"""

from noughts.games import Game, Move, Position
from noughts.players.player import CannotPlayError, Choice, Player
from noughts.solve import proved, solvable, solve
from noughts.solve.difficulty import MOST_CELLS, difficulties
from noughts.solve.tables import has_tables, how_to_make, table_for

__all__ = ["Knuth", "Perfect"]


class Perfect(Player):
    """Reads the solution of the game, or its proof."""

    name = "perfect"
    about = "never gives away value; wins fast, loses slowly; at qubic it plays the proof"
    title = "Perfect"
    story = "Knows what every move is worth. Wins as fast and loses as slowly as can be."
    plays = "solved games"

    def check(self, wanted: Game) -> None:
        """Only games that are solved, or whose table is here."""
        if has_tables(wanted):
            table = table_for(wanted)
            if table is None or not table.complete:
                raise CannotPlayError(
                    f"perfect cannot play {wanted.name!r} without its table: expected {how_to_make(wanted)} to have "
                    "been run, or another player, as strong"
                )
        elif not solvable(wanted) and not proved(wanted):
            raise CannotPlayError(
                f"perfect cannot play {wanted.name!r}: it is not solved here; expected a smaller game, "
                "or another player, as strong"
            )

    def choose(self, game: Game, position: Position) -> Choice:
        """One of the best moves."""
        if proved(game):
            return Choice(Move(self._qubic_cell(game, position)))
        moves = (table_for(game) or solve(game)).moves(position)
        best = [rated.move for rated in moves if rated.value.preference() == moves[0].value.preference()]
        return Choice(self.random.choice(best))

    def _qubic_cell(self, game: Game, position: Position) -> int:
        from noughts.solve.qubic import known  # noqa: PLC0415  loads the compiler

        found = known.chain(position, position.turn)
        if found:
            return found.moves[0]
        move = known.book_move(position)
        return known.resist(game, position)[0] if move is None else move


class Knuth(Player):
    """Plays by score and difficulty."""

    name = "knuth"
    about = "never gives away value, and leaves you the most difficult position"
    title = "Knuth"
    story = "Plays by Donald Knuth’s scores: gives nothing away, and leaves you the position in which you can err most."
    machine = True
    plays = f"up to {MOST_CELLS} cells"

    def check(self, wanted: Game) -> None:
        """Only placing games of up to 16 cells."""
        if not wanted.placing_only or len(wanted.layout) > MOST_CELLS:
            raise CannotPlayError(
                f"knuth cannot play {wanted.name!r}: expected a placing game of at most {MOST_CELLS} cells"
            )

    def choose(self, game: Game, position: Position) -> Choice:
        """One of the optimal moves."""
        return Choice(self.random.choice(difficulties(game).optimal_moves(position)))
