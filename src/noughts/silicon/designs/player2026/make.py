"""Make the netlists of the players small: `python -m noughts.silicon.designs.player2026.make GAME --rounds N --seed S`.

The search of `noughts.silicon.logic.shrink` wants exactly one output of those that are allowed. A move of a stone
changes two points, so its logic is looked for in two halves:

    first       one point of the move: the one a stone comes to; at Achi, where only one point is empty once stones
                move, the one it leaves
    second      the other point, or none while stones are placed. It may read every signal of the first half, and is
                looked for when the first is found; so what is allowed is what goes with the first half's choice

A point of the board is raised if one of the halves names it. It begins with a decision tree (`tree`) for the positions
that some policy reaches, and goes on in turns:

    1   the first half, with the moves allowed that lead to those positions alone, all of which count
    2   the first half, with every policy allowed while stones are placed: of these positions only those count to which
        the logic itself leads; in those in which stones move it must be right in all, since it may go round in them
    3   the second half, from a tree
    4   the positions that both together reach, which are fewer; and again from 2

What comes out depends on seed and rounds alone; every move of it has been compared with the solution (in 4). It is
written if it has fewer gates than what is kept.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

from noughts.games import Game, Position
from noughts.games import game as find_game
from noughts.silicon.designs.player2026.policy import Ends, Strategy, Ways, file_of, inputs_of, kept_logic, sees
from noughts.silicon.designs.player2026.tree import Node, Tree, netlist_of, tree_of
from noughts.silicon.logic.conditions import Case, Conditions, of_cases
from noughts.silicon.logic.netlist import Gate, Netlist, Output, signals, simulate, turned, write_netlist
from noughts.silicon.logic.shrink import shrink

__all__ = ["Found", "find", "main"]

STARTS = 24
ROOM = 12
"""Where stones are only placed, so many other policies say which positions the search may lead to: all take long."""
TURNS = 3
_OR = 0b1110


class Found(NamedTuple):
    """A logic, and how many boards it must know."""

    netlist: Netlist
    boards: int


def _levels(netlist: Netlist, boards: Sequence[int], of: Callable[[Netlist, list[int], int], list[int]]) -> list[int]:
    """For every board the levels of all outputs or signals, as a set of bits."""
    words = [sum((board >> bit & 1) << k for k, board in enumerate(boards)) for bit in range(len(netlist.inputs))]
    rows = of(netlist, words, len(boards))
    return [sum((row >> k & 1) << number for number, row in enumerate(rows)) for k in range(len(boards))]


def _ask(tree: Tree, board: int) -> int:
    while isinstance(tree, Node):
        tree = tree.yes if board >> tree.bit & 1 else tree.no
    return next(iter(tree.answers))


class _Search:
    """The search for the logic of one game."""

    def __init__(self, game: Game, seed: int, say: Callable[[str, int], None]) -> None:
        self.game, self.seed, self.say = game, seed, say
        self.strategy = Strategy(game)
        self.inputs, self.points = inputs_of(game), game.layout.points

    def _moving(self, known: Iterable[Position]) -> set[Position]:
        return {one for one in known if not self.game.placing_only and not one.hand[one.turn]}

    def _at_random(self, seed: int) -> set[Position]:
        """What a policy reaches that has an order of all moves, by chance."""
        random, rank = Random(seed), dict[Ends, float]()

        def key(ends: Ends) -> float:
            return rank.setdefault(ends, random.random())

        return self.strategy.reached(lambda position: min(sorted(self.strategy.ways(position)), key=key))

    def begin(self, starts: int) -> tuple[set[Position], Netlist]:
        """The positions to begin with, and a first half for them."""
        best: tuple[set[Position], Netlist] | None = None
        for start in range(starts):
            known = self._at_random(self.seed * STARTS + start)
            while True:
                ways = self.strategy.within(known)
                choices = {sees(self.game, one): frozenset(first for first, _ in ways[one]) for one in known}
                tree = tree_of(choices, len(self.inputs))

                def chosen(position: Position, ways: Ways = ways, tree: Tree = tree) -> Ends:
                    answer = _ask(tree, sees(self.game, position))
                    return min(ends for ends in ways[position] if ends[0] == answer)

                fewer = self.strategy.reached(chosen)
                if len(fewer) == len(known):
                    break
                known = fewer
            netlist = netlist_of(tree, self.inputs, self.points)
            if best is None or len(netlist.gates) < len(best[1].gates):
                best = known, netlist
            self.say("tree", len(best[1].gates))
        assert best is not None
        return best

    def first(self, ways: Ways, *, follow: bool) -> Conditions:
        """What the first half must do."""
        # Those with stones in hand first, the fewer on the board the sooner: so what comes later lies behind.
        positions = sorted(ways, key=lambda one: (-sum(one.hand), sees(self.game, one)))
        number = {position: k for k, position in enumerate(positions)}
        cases = [
            Case(sees(self.game, one), sum(1 << first for first in {first for first, _ in ways[one]}))
            for one in positions
        ]
        if not follow:
            return of_cases(self.inputs, self.points, cases)
        moving = [number[one] for one in positions if one in self._moving(ways)]
        after = {
            (number[one], first): [number[reply] for reply in replies]
            for one in positions
            if one.hand[one.turn]
            for (first, _), replies in ways[one].items()
        }
        roots = [number[one] for one in self.strategy.beginnings()]
        if moving:
            # They count all, and must be found behind all that leads to them: so from the last of a chain of as many
            # copies of the empty board as stones are placed, in which a right answer leads to the next.
            copies = range(len(cases), len(cases) + self.game.rules.stones[0])
            roots.append(copies[0])
            cases += [cases[number[self.game.start()]]] * len(copies)
            for copy in copies:
                for point in range(len(self.points)):
                    after[copy, point] = moving if copy == copies[-1] else [copy + 1]
        return of_cases(
            self.inputs, self.points, cases, roots=roots, after=lambda case, output: after.get((case, output), [])
        )

    def second(self, first: Netlist, ways: Ways) -> Conditions:
        """What the second half must do: it reads all signals of the first."""
        known = self._moving(ways) | self._placing(first, ways)
        positions = sorted(known, key=lambda one: sees(self.game, one))
        boards = [sees(self.game, one) for one in positions]
        chosen = [raised.bit_length() - 1 for raised in _levels(first, boards, simulate)]
        cases = [
            Case(levels, sum(1 << last % (len(self.points) + 1) for point, last in ways[one] if point == answer))
            for one, levels, answer in zip(positions, _levels(first, boards, signals), chosen, strict=True)
        ]
        names = (*self.inputs, *(f"first{k}" for k in range(len(first.gates))))
        return of_cases(names, (*self.points, "none"), cases)

    def _placing(self, first: Netlist, ways: Ways) -> set[Position]:
        """The positions with a stone in hand that the first half leads to."""
        order = list(ways)
        chosen = dict(zip(order, _levels(first, [sees(self.game, one) for one in order], simulate), strict=True))
        waiting, known = self.strategy.beginnings(), set[Position]()
        while waiting:
            one = waiting.pop()
            if one not in known and one.hand[one.turn]:
                known.add(one)
                waiting += ways[one][chosen[one].bit_length() - 1, -1]
        return known

    def joined(self, first: Netlist, second: Netlist) -> Netlist:
        """Both halves: the second's inputs are the first's signals, so that all numbers stay as they are."""
        gates = [*first.gates, *second.gates]
        outputs = []
        for one, other in zip(first.outputs, second.outputs[: len(self.points)], strict=True):
            if other.signal < 0:
                outputs.append(one)
            elif one.signal < 0:
                outputs.append(other)
            else:
                gates.append(Gate(one.signal, other.signal, turned(_OR, one.inverted, other.inverted)))
                outputs.append(Output(one.name, len(self.inputs) + len(gates) - 1, False))
        return Netlist(self.inputs, tuple(gates), tuple(outputs))

    def reached(self, netlist: Netlist) -> set[Position]:
        """The positions that a whole logic leads to; in each of them its move must be one that the strategy allows."""

        def chosen(position: Position) -> Ends:
            raised = _levels(netlist, [sees(self.game, position)], simulate)[0]
            allowed = {sum(1 << point for point in ends if point >= 0): ends for ends in self.strategy.ways(position)}
            return allowed[raised]

        return self.strategy.reached(chosen)

    def run(self, rounds: int, starts: int) -> Found:
        """The best of all turns; a share of the rounds for each half of each."""
        known, first = self.begin(starts)
        share = rounds // (2 * TURNS if self._moving(known) else TURNS + 1)
        ways = self.strategy.within(known)
        first = self._shrink("within", self.first(ways, follow=False), first, share // 2)
        best: Found | None = None
        for turn in range(TURNS):
            moving = self._moving(known)
            room = None
            if not moving:
                room = known.union(*(self._at_random(self.seed * STARTS + ROOM * turn + k) for k in range(ROOM)))
            ways = self.strategy.around(moving, room)
            first = netlist = self._shrink(f"first {turn + 1}", self.first(ways, follow=True), first, share)
            if moving:
                conditions = self.second(first, ways)
                tree = tree_of(
                    {
                        case.inputs: frozenset(k for k in range(len(self.points) + 1) if case.allowed >> k & 1)
                        for case in conditions.cases
                    },
                    len(self.inputs) + len(first.gates),
                )
                second = netlist_of(tree, conditions.inputs, conditions.outputs)
                second = self._shrink(f"second {turn + 1}", conditions, second, share)
                netlist = self.joined(first, second)
            known = self.reached(netlist)
            if best is None or len(netlist.gates) < len(best.netlist.gates):
                best = Found(netlist, len(known))
        assert best is not None
        return best

    def _shrink(self, what: str, conditions: Conditions, start: Netlist, rounds: int) -> Netlist:
        """The smallest netlist after so many rounds."""
        best = start
        for found in islice(shrink(conditions, start, seed=self.seed), rounds + 1):
            best = found.best
            self.say(what, len(best.gates))
        return best


def _nobody(what: str, gates: int) -> None:
    """Nobody is told."""


def find(
    game: Game, *, rounds: int = 600, seed: int = 0, starts: int = STARTS, say: Callable[[str, int], None] = _nobody
) -> Found:
    """Look for a small logic that plays a game perfectly.

    Args:
        game: A game that is small, without captures.
        rounds: Rounds of `shrink`, shared out.
        seed: Another seed is another search.
        starts: Policies to begin with; of their trees the smallest is taken.
        say: Hears what is looked for, and of the fewest gates so far.
    """
    return _Search(game, seed, say).run(rounds, starts)


def main() -> None:
    """Look for netlists, and keep those that are smaller."""
    parser = argparse.ArgumentParser(description="Look for smaller logic of the players of 2026.")
    parser.add_argument("games", nargs="+", metavar="GAME", help="such as achi")
    parser.add_argument("--rounds", type=int, default=600, help="rounds of the search (default: 600)")
    parser.add_argument("--seed", type=int, default=0, help="another seed is another search (default: 0)")
    asked = parser.parse_args()
    for name in asked.games:
        game = find_game(name)

        def say(what: str, gates: int, name: str = name) -> None:
            print(f"\r{name}: {what}, {gates:,} gates ", end="", file=sys.stderr, flush=True)

        found = find(game, rounds=asked.rounds, seed=asked.seed, say=say)
        gates = len(found.netlist.gates)
        about = (
            f"The moves of player2026:game={name}: {found.boards:,} boards, {gates:,} gates. Made by\n"
            f"python -m {__spec__.name} {name} --rounds {asked.rounds} --seed {asked.seed}\n"
        )
        file = Path(__file__).parent / file_of(game)
        smaller = not file.exists() or gates < len(kept_logic(game).gates)
        print(f"\n{name}: {gates:,} gates for {found.boards:,} boards{'' if smaller else ', not fewer than are kept'}")
        if smaller:
            file.write_text(write_netlist(found.netlist, about), encoding="utf-8")


if __name__ == "__main__":
    main()
