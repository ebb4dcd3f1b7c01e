"""Never gives away value: quick wins, slow losses, and among equals any, by the seed.

At Qubic, whose positions are too many to know, it plays the proof: moving first it follows the certificate and wins
by a chain of threats; moving second it takes a win that is offered, spoils the chains it sees, and otherwise holds
out as long as it can.
"""

from noughts.games import Game, Move, Position
from noughts.players.player import CannotPlayError, Choice, Player
from noughts.solve import proved, solvable, solve

__all__ = ["Perfect"]


class Perfect(Player):
    """Reads the solution of the game, or its proof."""

    name = "perfect"
    about = "never gives away value; wins fast, loses slowly; at qubic it plays the proof"

    def check(self, wanted: Game) -> None:
        """Only games that are solved."""
        if not solvable(wanted) and not proved(wanted):
            raise CannotPlayError(
                f"perfect cannot play {wanted.name!r}: it is not solved here; expected a smaller game, "
                "or another player, as strong"
            )

    def choose(self, game: Game, position: Position) -> Choice:
        """One of the best moves."""
        if proved(game):
            return Choice(Move(self._qubic_cell(game, position)))
        moves = solve(game).moves(position)
        best = [rated.move for rated in moves if rated.value.preference() == moves[0].value.preference()]
        return Choice(self.random.choice(best))

    def _qubic_cell(self, game: Game, position: Position) -> int:
        from noughts.solve import qubic  # noqa: PLC0415  loads the compiler

        found = qubic.chain(position, position.turn)
        if found:
            return found.moves[0]
        move = qubic.book_move(position)
        return qubic.resist(game, position)[0] if move is None else move
