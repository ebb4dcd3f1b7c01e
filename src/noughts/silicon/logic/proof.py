"""What a logic does, proved by a solver from the rules: formulas instead of trying.

The question to the solver is always whether something can go wrong; if it answers that nothing can (*unsatisfiable*),
the claim is proved. Nothing is tabulated, and no position is listed: the rules are written down as formulas over the
eighteen inputs, and the gates as formulas over the same.

**The value of a position** is the unrolled game. For a position with n stones, a node (A, B) stands for what it becomes
when the side to move has put stones on the points of A and the other on those of B; that is the same in whichever
order, so there are few enough nodes. Of each two formulas say, by the rules alone, whether the side to move there wins
and whether it loses:

    loses   the other side has a row; or there is an empty point, and from each one the other side wins
    wins    the other side has no row, and there is an empty point from which the other side loses

**A and A-any**, for each number of stones: can the inputs be a position in play, that is no point with two stones, as
many stones of either side as turns give, and no row, such that the outputs are not as they must be?

**B … E-D** are the machine's own game, unrolled from the empty board: what the opponent does is open, a point that is
empty for each of its turns; what the machine does is what the gates say. Turn by turn: can the machine's outputs not be
one legal point (for E: that keeps the value, as above), or can the opponent have a row? A game has nine turns at most,
so this needs no induction.

The formulas are in SMT-LIB, the common language of such solvers; z3 is asked.
"""

import subprocess
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from typing import NamedTuple

from noughts.extras import how_to_install, need_program
from noughts.games import Position, game
from noughts.silicon.logic.best import best, known
from noughts.silicon.logic.fewest import fewest_gates
from noughts.silicon.logic.netlist import Netlist
from noughts.silicon.logic.specification import INPUTS, POINTS, SPECIFICATIONS, Specification
from noughts.silicon.logic.verify import check_pins
from noughts.silicon.tools import ToolError

__all__ = ["Claim", "Formulas", "Proved", "Values", "claims", "prove_logic", "wrong_with"]

_GAME = game("tictactoe")
_LINES = _GAME.layout.line_sets
_ALL = range(len(POINTS))
_TRUE, _FALSE = "true", "false"

Terms = list[str]
"""A formula for every point."""


class Proved(NamedTuple):
    """What came of a proof; the fields are those of `formal.Proof`."""

    name: str
    holds: bool
    method: str
    seconds: float
    counterexample: str | None


class Claim(NamedTuple):
    """What is proved of logics."""

    name: str
    statement: str
    prove: Callable[[], Proved]


def claims() -> dict[str, Claim]:
    """All that is proved of logics, by name: of the records, and that one of them cannot be smaller."""
    of_records = [
        Claim(
            f"logic-{name}",
            f"{len(best(name).gates)} gates do what {name} asks: {SPECIFICATIONS[name].about}",
            partial(prove_logic, best(name), SPECIFICATIONS[name], f"logic-{name}"),
        )
        for name in known()
    ]
    smallest = Claim("logic-C-fewest", "no logic that does what C asks has fewer than 8 gates", _prove_fewest)
    return {claim.name: claim for claim in (*of_records, smallest)}


def _prove_fewest() -> Proved:
    start = time.perf_counter()
    fewest = fewest_gates(side=0)
    told = None if fewest >= 8 else f"the search shows {fewest} alone"
    method = "a search through all machines, for every output without a gate"
    return Proved("logic-C-fewest", told is None, method, time.perf_counter() - start, told)


class Formulas:
    """Definitions of SMT-LIB, each with a name of its own, so that what is used twice is written once."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._numbers = count()

    def given(self) -> str:
        """A variable."""
        name = f"v{next(self._numbers)}"
        self.lines.append(f"(declare-const {name} Bool)")
        return name

    def define(self, formula: str) -> str:
        """A name for a formula, which may be short."""
        if "(" not in formula:
            return formula
        name = f"f{next(self._numbers)}"
        self.lines.append(f"(define-fun {name} () Bool {formula})")
        return name

    def claim(self, formula: str) -> None:
        """What may be taken for granted."""
        self.lines.append(f"(assert {formula})")

    def refuted(self, formula: str, shown: Sequence[str]) -> list[bool] | None:
        """Ask whether a formula can be true: None if it cannot, else what these are then."""
        solver = need_program("z3", "the proof of a netlist", f"z3-solver: {how_to_install('silicon')}")
        question = [*self.lines, f"(assert {formula})", "(check-sat)"]
        text = "\n".join([*question, *(f"(eval {term})" for term in shown), ""])
        run = subprocess.run([solver, "-in", "-smt2"], input=text, capture_output=True, text=True, check=False)
        verdict, *rest = run.stdout.split() or [run.stderr]
        if verdict == "unsat":
            return None
        if verdict != "sat":
            raise ToolError(f"the proof of a netlist: z3 says {run.stdout.strip()[:80]!r}")
        return [word == _TRUE for word in rest]


def _all(formulas: Sequence[str]) -> str:
    kept = [formula for formula in formulas if formula != _TRUE]
    if _FALSE in kept:
        return _FALSE
    return f"(and {' '.join(kept)})" if len(kept) > 1 else (kept or [_TRUE])[0]


def _any(formulas: Sequence[str]) -> str:
    kept = [formula for formula in formulas if formula != _FALSE]
    if _TRUE in kept:
        return _TRUE
    return f"(or {' '.join(kept)})" if len(kept) > 1 else (kept or [_FALSE])[0]


def _not(formula: str) -> str:
    return {_TRUE: _FALSE, _FALSE: _TRUE}.get(formula, f"(not {formula})")


def _exactly(number: int, formulas: Sequence[str]) -> str:
    return f"((_ pbeq {number}{' 1' * len(formulas)}) {' '.join(formulas)})"


def _row(stones: Terms) -> str:
    return _any([_all([stones[point] for point in _ALL if line >> point & 1]) for line in _LINES])


class Values:
    """Who wins from a position with a known number of stones and no row, and from those that moves lead to."""

    def __init__(self, formulas: Formulas, mine: Terms, theirs: Terms, stones: int) -> None:
        self.formulas = formulas
        self.stones = (mine, theirs)
        self.empty = [formulas.define(_not(_any([one, other]))) for one, other in zip(mine, theirs, strict=True)]
        self.left = len(POINTS) - stones
        self._known: dict[tuple[int, int], tuple[str, str]] = {}

    def after(self, point: int) -> tuple[str, str]:
        """Whether the side to move after a stone on this point wins, and whether it loses."""
        return self.node(1 << point, 0)

    def node(self, mine: int, theirs: int) -> tuple[str, str]:
        """Whether the side to move wins and whether it loses, after stones on these points."""
        if (mine, theirs) in self._known:
            return self._known[mine, theirs]
        played = mine.bit_count() + theirs.bit_count()
        mover = played % 2
        added = (mine, theirs)
        has_row = self._row(1 - mover, added[1 - mover], added[mover])
        wins, loses = _FALSE, has_row
        if played < self.left:
            free = [point for point in _ALL if not (mine | theirs) >> point & 1]
            to = {
                point: self.node(mine | 1 << point, theirs) if mover == 0 else self.node(mine, theirs | 1 << point)
                for point in free
            }
            can = self.formulas.define(_any([_all([self.empty[point], to[point][1]]) for point in free]))
            must = self.formulas.define(_all([_any([_not(self.empty[point]), to[point][0]]) for point in free]))
            wins = self.formulas.define(_all([_not(has_row), can]))
            loses = self.formulas.define(_any([has_row, must]))
        self._known[mine, theirs] = (wins, loses)
        return wins, loses

    def _row(self, side: int, own: int, other: int) -> str:
        """Whether a side has a row, with these stones added; the new row has one of them."""
        rows = [
            _all([self.stones[side][point] for point in _ALL if (line & ~own) >> point & 1])
            for line in _LINES
            if line & own and not line & other
        ]
        return self.formulas.define(_any(rows))


def _levels(formulas: Formulas, netlist: Netlist, mine: Terms, theirs: Terms) -> Terms:
    """The outputs of a logic, point by point."""
    inputs = dict(zip(INPUTS, [*mine, *theirs], strict=True))
    signals = [inputs[name] for name in netlist.inputs]
    for gate in netlist.gates:
        a, b = signals[gate.a], signals[gate.b]
        rows = [
            _all([a if level & 1 else _not(a), b if level & 2 else _not(b)])
            for level in range(4)
            if gate.table >> level & 1
        ]
        signals.append(formulas.define(_any(rows)))
    outputs = dict.fromkeys(POINTS, _FALSE)
    for output in netlist.outputs:
        level = signals[output.signal] if output.signal >= 0 else _FALSE
        outputs[output.name] = formulas.define(_not(level) if output.inverted else level)
    return list(outputs.values())


def _wrong(formulas: Formulas, asked: Specification, moves: Terms, mine: Terms, theirs: Terms, stones: int) -> str:
    """That the outputs are not as they must be, in a position with so many stones and no row."""
    values = Values(formulas, mine, theirs, stones)
    right = list(values.empty)
    if asked.keeps_value:
        wins, loses = values.node(0, 0)
        for point in _ALL:
            after_wins, after_loses = values.after(point)
            keeps = _all([_any([_not(wins), after_loses]), _any([wins, loses, _not(after_wins)])])
            right[point] = _all([right[point], keeps])
    number = _exactly(1, moves) if asked.one_move else _any(moves)
    return _any([_not(number), *(_all([move, _not(good)]) for move, good in zip(moves, right, strict=True))])


def prove_logic(netlist: Netlist, asked: Specification, name: str = "logic") -> Proved:
    """Try to prove that a netlist does what a specification asks.

    Args:
        netlist: The logic; inputs and outputs by their names, in any order.
        asked: What it must do.
        name: What the proof is called.

    Raises:
        MissingToolError: If z3 is not installed.
        NetlistError: If the netlist has other inputs or outputs than a board.
    """
    check_pins(netlist)
    start = time.perf_counter()
    wrong = None
    if asked.everywhere:
        method = "all positions with 0 to 8 stones, the game unrolled from each"
        for stones in range(len(POINTS)):
            wrong = wrong or wrong_with(netlist, asked, stones)
    else:
        method = "all games of nine turns, unrolled from the empty board"
        for side in asked.turns:
            wrong = wrong or _games(netlist, asked, side)
    return Proved(name, wrong is None, method, time.perf_counter() - start, wrong)


def wrong_with(netlist: Netlist, asked: Specification, stones: int) -> str | None:
    """A position with so many stones in which a logic is wrong, and what it says there; None if there is none.

    Args:
        netlist: The logic.
        asked: What it must do, A or A-any.
        stones: On the board.
    """
    formulas = Formulas()
    mine, theirs = ([formulas.given() for _ in _ALL] for _ in range(2))
    formulas.claim(_exactly(stones // 2, mine))
    formulas.claim(_exactly(stones - stones // 2, theirs))
    for one, other in zip(mine, theirs, strict=True):
        formulas.claim(_not(_all([one, other])))
    for side in (mine, theirs):
        formulas.claim(_not(_row(side)))
    moves = _levels(formulas, netlist, mine, theirs)
    wrong = _wrong(formulas, asked, moves, mine, theirs, stones)
    return _told(formulas.refuted(wrong, [*mine, *theirs, *moves]), stones)


def _games(netlist: Netlist, asked: Specification, side: int) -> str | None:
    """A position that a game leads to in which the machine, which has this side, is wrong or has lost."""
    formulas = Formulas()
    mine: Terms = [_FALSE] * len(POINTS)
    theirs: Terms = [_FALSE] * len(POINTS)
    for turn in _ALL:
        if turn % 2 == side:
            moves = _levels(formulas, netlist, mine, theirs)
            wrong = _wrong(formulas, asked, moves, mine, theirs, turn)
            told = _told(formulas.refuted(wrong, [*mine, *theirs, *moves]), turn)
            if told:
                return told
            mine = [formulas.define(_any(pair)) for pair in zip(mine, moves, strict=True)]
            # Where the machine has won, the game is over; all that follows is about the others.
            formulas.claim(_not(formulas.define(_row(mine))))
        else:
            reply = [formulas.given() for _ in _ALL]
            formulas.claim(_exactly(1, reply))
            for point in _ALL:
                formulas.claim(_not(_all([reply[point], _any([mine[point], theirs[point]])])))
            theirs = [formulas.define(_any(pair)) for pair in zip(theirs, reply, strict=True)]
            told = _told(formulas.refuted(_row(theirs), [*mine, *theirs]), turn + 1)
            if told:
                return told
    return None


def _told(levels: list[bool] | None, stones: int) -> str | None:
    """A position that the solver has found, and what the logic says there."""
    if levels is None:
        return None
    sets = [sum(1 << point for point in _ALL if levels[at + point]) for at in (0, len(POINTS))]
    turn = stones % 2
    both = (sets[turn], sets[1 - turn])
    hand = (5 - both[0].bit_count(), 4 - both[1].bit_count())
    where = _GAME.write(Position(both, hand, turn))
    raised = [name for name, level in zip(POINTS, levels[2 * len(POINTS) :], strict=False) if level]
    if len(levels) == 2 * len(POINTS):
        return f"in {where} it has lost"
    return f"in {where} it raises {' and '.join(raised) or 'no output'}"
