"""Never gives away value: quick wins, slow losses, and among equals any, by the seed.

At Qubic, whose positions are too many to know, it plays the proof: moving first it follows the certificate and wins
by a chain of threats; moving second it takes a win that is offered, spoils the chains it sees, and otherwise holds
out as long as it can. At six and nine men's morris it plays by the tables, where they have been made.
"""

from noughts.games import Game, Move, Position
from noughts.players.player import CannotPlayError, Choice, Player
from noughts.solve import proved, solvable, solve
from noughts.solve.tables import has_tables, how_to_make, table_for

__all__ = ["Perfect"]


class Perfect(Player):
    """Reads the solution of the game, or its proof."""

    name = "perfect"
    about = "never gives away value; wins fast, loses slowly; at qubic it plays the proof"

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
