"""The player's logic: which moves it may make, from the solution of a game, and the netlist that names them.

What goes in are the stones of the machine (`mine`) and of the other side (`theirs`), and, where stones move, whether
the machine has one in hand (`placing`); what comes out are the points that the move changes: the one a stone is placed
on, or the two between which one moves.

A **policy** is wanted that keeps the value of every position. That is not all where the value is a win: a machine that
only kept it might go round for ever. So every move of a won position makes progress: while stones are placed any move
that wins does, since there are fewer in hand then; once they move it is one that wins soonest, so that the win is a
move nearer. In a drawn position every move will do that keeps the draw, in a lost one every move.

The policy has to know what to do only where its own moves can lead, whichever side begins. Wherever several moves will
do, it may take the one that makes the logic small: `make` looks for it. What is kept is in text files beside this one.
"""

from collections.abc import Callable, Iterable, Mapping
from importlib.resources import files

from noughts.games import Game, Move, Outcome, Position
from noughts.silicon.logic.netlist import Netlist, read_netlist
from noughts.solve import Solution, solve

__all__ = ["Ends", "Strategy", "Ways", "changes", "file_of", "inputs_of", "kept_logic", "sees"]

Ends = tuple[int, int]
"""A move as the search looks for it: two of its points, or -1 instead of the second where a stone is placed."""
Ways = Mapping[Position, Mapping[Ends, frozenset[Position]]]
"""In which position which moves may be made, and where every reply to each leads the machine."""


def changes(move: Move) -> int:
    """The points that a move changes, as a set of bits.

    Args:
        move: A move that captures nothing.
    """
    return sum(1 << point for point in (move.to, move.source) if point is not None)


def inputs_of(game: Game) -> tuple[str, ...]:
    """The names of what the logic of a game reads.

    Args:
        game: What it plays.
    """
    stones = (f"{side}_{point}" for side in ("mine", "theirs") for point in game.layout.points)
    return (*stones, *(() if game.placing_only else ("placing",)))


def sees(game: Game, position: Position) -> int:
    """What the logic sees of a position in which the machine is to move, as a set of bits: those of `inputs_of`.

    Args:
        game: What it plays.
        position: Where it is to move.
    """
    own, other, points = position.stones[position.turn], position.stones[1 - position.turn], len(game.layout)
    in_hand = bool(position.hand[position.turn]) and not game.placing_only
    return own | other << points | in_hand << 2 * points


class Strategy:
    """Which positions the machine can be in, and what it may do there.

    Once all stones are placed it makes no difference to the logic who has begun: such a position is X's to move here.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.solution: Solution = solve(game)
        self._ways: dict[Position, dict[Ends, frozenset[Position]]] = {}
        # Where one point is empty when stones move, they can go there alone: then it is the stone that is to be found.
        self._source_first = sum(game.rules.stones) == len(game.layout) - 1

    def beginnings(self) -> list[Position]:
        """Where the machine makes its first move: the empty board, and what the user can make of it."""
        start = self.game.start()
        return [start, *(self.game.after(start, move) for move in self.game.moves(start))]

    def ways(self, position: Position) -> Mapping[Ends, frozenset[Position]]:
        """The moves that keep the value of a position and make progress, and where each leads the machine next."""
        if position not in self._ways:
            value = self.solution.value(position)
            soonest = value.outcome is Outcome.WIN and not position.hand[position.turn] and not self.game.placing_only
            self._ways[position] = {
                self._ends(one.move): frozenset(self._replies(one.position))
                for one in self.solution.moves(position)
                if (one.value == value if soonest else one.value.outcome is value.outcome)
            }
        return self._ways[position]

    def _ends(self, move: Move) -> Ends:
        assert move.to is not None
        if move.source is None:
            return move.to, -1
        return (move.source, move.to) if self._source_first else (move.to, move.source)

    def _replies(self, position: Position) -> Iterable[Position]:
        for move in self.game.moves(position):
            after = self.game.after(position, move)
            if self.game.over(after) is None:
                swap = after.turn and after.hand == (0, 0) and not self.game.placing_only
                yield after._replace(stones=after.stones[::-1], turn=0) if swap else after

    def reached(self, chosen: Callable[[Position], Ends]) -> set[Position]:
        """The positions in which the machine is to move if it moves like this, against every reply."""
        waiting = self.beginnings()
        known: set[Position] = set()
        while waiting:
            position = waiting.pop()
            if position not in known:
                known.add(position)
                waiting += self.ways(position)[chosen(position)]
        return known

    def within(self, known: set[Position]) -> Ways:
        """What may be done in these positions so that nothing else is ever reached."""
        return {
            position: {ends: replies for ends, replies in self.ways(position).items() if replies <= known}
            for position in known
        }

    def around(self, moving: set[Position], room: set[Position] | None = None) -> Ways:
        """All positions from which the machine can stay within these, in which stones move, and what may be done there.

        Args:
            moving: Positions without stones in hand, which no move of `within` leaves.
            room: Only these others, if given.
        """
        waiting, placing = self.beginnings(), set[Position]()
        while waiting:
            position = waiting.pop()
            if position not in placing and position not in moving and position.hand[position.turn]:
                if room is not None and position not in room:
                    continue
                placing.add(position)
                for replies in self.ways(position).values():
                    waiting += replies
        found = dict(self.within(moving))
        for position in sorted(placing, key=lambda one: sum(one.hand)):
            ways = {ends: replies for ends, replies in self.ways(position).items() if replies <= found.keys()}
            if ways:
                found[position] = ways
        return found


def kept_logic(game: Game) -> Netlist:
    """The logic that comes with Noughts.

    Args:
        game: One for which there is a player.
    """
    return read_netlist((files(__package__) / file_of(game)).read_text(encoding="utf-8"))


def file_of(game: Game) -> str:
    """The name of the file with the logic of a game.

    Args:
        game: What it plays.
    """
    return f"{''.join(letter if letter.isalnum() else '-' for letter in game.name)}.txt"
