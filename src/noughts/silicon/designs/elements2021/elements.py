"""The nine minimax elements of 2021: what two of them say to each other, what one does, and the chain of all.

The names are the report's where it gives one; minimaxelemt_k is what it calls element k in VHDL.
"""

from typing import Any

from amaranth.hdl import Array, Cat, Const, Elaboratable, Module, Mux, Signal, Value, signed
from amaranth.lib.wiring import Component, In, Out, Signature

from noughts.silicon.designs.elements2021 import State
from noughts.silicon.parts import PLACES, NextFree, PositionDecoder, WinDetector, stones_of

__all__ = ["SCORE", "Chain", "Element", "LastElement", "handshake", "has_answered"]

# What is said between two elements: three signals go down to the child, five come up (the report's figure 5).
#
# Down: `check_next` for one cycle, and in it the board to be searched and whose turn it is, low for the AI. The report
# names the first two; its third may be the clock. With pruning, also the window alpha to beta of scores that still
# matter to those above. Up: the score, the best move as row i and column j, `done_out`, and the state. The answer is
# there in the cycle in which `done_out` is high, the last one in state complete, and stays until the next check.
#
# What the parent calls `check_next` is `check_present` to the child. With the timing of the report there is a register
# between the two, as such a pair of names says; else they are one wire.

SCORE = signed(2)
"""1 if the AI wins, 0 for a draw, −1 if the human wins."""


def handshake(*, pruning: bool) -> Signature:
    """The signals as the parent sees them."""
    return Signature({"check_next": Out(1), **_given(Out, pruning=pruning), **_answered(In)})


def _given(flow: Any, *, pruning: bool) -> dict[str, Any]:
    window = {"alpha": flow(SCORE), "beta": flow(SCORE)} if pruning else {}
    return {"current_board": flow(2 * PLACES), "turn": flow(1), **window}


def _answered(flow: Any) -> dict[str, Any]:
    moves = {"best_move_i": flow(2), "best_move_j": flow(2)}
    return {"score": flow(SCORE), **moves, "done_out": flow(1), "state_out": flow(State)}


def has_answered(child: Any) -> Value:
    """What whoever asked waits for."""
    return (child.state_out == State.complete) & child.done_out


# A minimax element: what a board with so many empty cells is worth, and the best move on it.
#
# The element keeps the board it was given and whose turn it is, and walks over the empty cells in the order of
# places. Each is one round: a stone of the side whose turn it is goes there, on the way to the win detector and the
# child only, not into the register.
#
#     ready          waits for `check_present`; takes board and turn, and as score the worst one for the side to move
#     start          picks the next empty cell ─► current_check, or finds none left ─► complete
#     current_check  the stone makes a row: its score is known ─► start;  else ─► fetch
#     fetch          hands the child the board with the stone ─► fetch_wait
#     fetch_wait     until the child is complete ─► fetch_result
#     fetch_result   takes the child's score ─► start
#     complete       `done_out` is high ─► ready
#
# It is `busy` in all states but ready, and only there does it listen to `check_present`. With the timing of the report
# complete takes two cycles: `done_next` is high in the first, and `done_out`, a register, in the second.
#
# A score that is strictly better than the one kept, higher for the AI and lower for the human, replaces it and makes
# its cell the best move. The first cell that is picked is the best move before it is rated, so the worst score needs
# none worse to start from: of the cells with the best score the first one wins.
#
# Element 1 has no child: its stone fills the board, and if it makes no row, the score is 0.
#
# With pruning, the kept score starts at the better of the worst and what this side can have elsewhere already, which
# is alpha for the AI and beta for the human; and `start` completes as well when the score has reached the other end
# of the window, which the side above will not go beyond. Nothing outside the window makes a difference above, and at
# the root the window is −1 to 1, so score and best move of the root are those without pruning.


class _Answering(Component):
    """What all elements have: the signals of figure 6, a state, a score, a best move, and an end."""

    def __init__(self, *, pruning: bool, reported: bool, children: dict[str, Any]) -> None:
        super().__init__({"check_present": In(1), **_given(In, pruning=pruning), **_answered(Out), **children})
        self.pruning = pruning
        self.reported = reported
        self.busy = Signal()
        self.best_score = Signal(SCORE, reset_less=True)
        self.best = Signal(4, reset_less=True)

    def _go(self, m: Any, state: State) -> None:
        m.d.sync += self.state_out.eq(state)

    def _answer(self, m: Any) -> None:
        m.d.comb += [
            self.busy.eq(self.state_out != State.ready),
            self.score.eq(self.best_score),
            self.best_move_i.eq(Array(place // 3 for place in range(PLACES))[self.best]),
            self.best_move_j.eq(Array(place % 3 for place in range(PLACES))[self.best]),
        ]
        if self.reported:
            done_next = Signal()
            m.d.comb += done_next.eq((self.state_out == State.complete) & ~self.done_out)
            m.d.sync += self.done_out.eq(done_next)
        else:
            m.d.comb += self.done_out.eq(self.state_out == State.complete)

    def _complete(self, m: Any) -> None:
        if self.reported:
            with m.If(self.done_out):
                self._go(m, State.ready)
        else:
            self._go(m, State.ready)


class Element(_Answering):
    """Searches boards with `cells` empty cells, the child those with one less; element 1 has no child."""

    def __init__(self, cells: int, *, pruning: bool = False, reported: bool = False) -> None:
        children = {"child": Out(handshake(pruning=pruning))} if cells > 1 else {}
        super().__init__(pruning=pruning, reported=reported, children=children)
        self.has_child = cells > 1
        self.board = Signal(2 * PLACES, reset_less=True)
        self.side = Signal(reset_less=True)
        """Whose turn it is on that board."""
        self.cell = Signal(4, reset_less=True)
        self.picked = Signal(reset_less=True)
        """High once `cell` means something."""
        self.limit = Signal(SCORE, reset_less=True)
        """The score at which the rest no longer matters; with pruning alone."""

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.submodules.free = free = NextFree()
        m.submodules.stone = stone = PositionDecoder(5)
        m.submodules.win = win = WinDetector()
        after = self.child.current_board if self.has_child else Signal(2 * PLACES)
        finished = Signal()
        row_score = Signal(SCORE)
        score = self.best_score
        enough = Mux(self.side, score <= self.limit, score >= self.limit) if self.pruning else Const(0)
        m.d.comb += [
            finished.eq(free.last | enough),
            row_score.eq(_row_score(self.side)),
            free.board.eq(self.board),
            free.i.eq(self.cell),
            free.usei.eq(self.picked),
            stone.index.eq(Cat(self.side, self.cell)),
            stone.enable.eq(1),
            after.eq(self.board | stone.lines[: 2 * PLACES]),
            win.stones.eq(Mux(self.side, stones_of(after, 1), stones_of(after, 0))),
        ]
        with m.Switch(self.state_out):
            with m.Case(State.ready):
                self._ready(m)
            with m.Case(State.start):
                self._start(m, free, finished)
            with m.Case(State.current_check):
                self._current_check(m, win.wins, row_score)
            if self.has_child:
                self._fetch_states(m)
            with m.Case(State.complete):
                self._complete(m)
        self._answer(m)
        if self.has_child:
            self._ask(m)
        return m

    def _ready(self, m: Any) -> None:
        alpha, beta = (self.alpha, self.beta) if self.pruning else (Const(-1, SCORE), Const(1, SCORE))
        with m.If(self.check_present):
            m.d.sync += [self.board.eq(self.current_board), self.side.eq(self.turn), self.picked.eq(0)]
            m.d.sync += self.best_score.eq(Mux(self.turn, beta, alpha))
            if self.pruning:
                m.d.sync += self.limit.eq(Mux(self.turn, alpha, beta))
            self._go(m, State.start)

    def _start(self, m: Any, free: NextFree, finished: Value) -> None:
        with m.If(finished):
            self._go(m, State.complete)
        with m.Else():
            m.d.sync += [self.cell.eq(free.place), self.picked.eq(1)]
            with m.If(~self.picked):
                m.d.sync += self.best.eq(free.place)
            self._go(m, State.current_check)

    def _current_check(self, m: Any, wins: Value, row_score: Value) -> None:
        with m.If(wins):
            self._rate(m, row_score)
        if self.has_child:
            with m.Else():
                self._go(m, State.fetch)
        else:
            with m.Else():
                self._rate(m, Const(0, SCORE))

    def _fetch_states(self, m: Any) -> None:
        child: Any = self.child
        with m.Case(State.fetch):
            self._go(m, State.fetch_wait)
        with m.Case(State.fetch_wait), m.If(has_answered(child)):
            self._go(m, State.fetch_result)
        with m.Case(State.fetch_result):
            self._rate(m, child.score)

    def _rate(self, m: Any, score: Value) -> None:
        with m.If(Mux(self.side, score < self.best_score, score > self.best_score)):
            m.d.sync += [self.best_score.eq(score), self.best.eq(self.cell)]
        self._go(m, State.start)

    def _ask(self, m: Any) -> None:
        child: Any = self.child
        m.d.comb += [child.check_next.eq(self.state_out == State.fetch), child.turn.eq(~self.side)]
        if self.pruning:
            m.d.comb += [
                child.alpha.eq(Mux(self.side, self.limit, self.best_score)),
                child.beta.eq(Mux(self.side, self.best_score, self.limit)),
            ]


def _row_score(side: Value) -> Value:
    """What a row of this side is worth."""
    return Mux(side, Const(-1, SCORE), Const(1, SCORE))


class LastElement(_Answering):
    """Element 1 with the timing of the report: there is one stone to try, so it is rated while the element is asked.

    From ready it goes to complete, and never to a state between.
    """

    def __init__(self, *, pruning: bool = False) -> None:
        super().__init__(pruning=pruning, reported=True, children={})
        self.cell = Signal(4)
        """The one empty cell, while the element is asked."""

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.submodules.free = free = NextFree()
        m.submodules.win = win = WinDetector()
        # All places that the other side does not hold: its own, and the empty one.
        m.d.comb += [
            free.board.eq(self.current_board),
            self.cell.eq(free.place),
            win.stones.eq(~Mux(self.turn, stones_of(self.current_board, 0), stones_of(self.current_board, 1))),
        ]
        with m.If((self.state_out == State.ready) & self.check_present):
            m.d.sync += [self.best.eq(self.cell), self.best_score.eq(Mux(win.wins, _row_score(self.turn), 0))]
            self._go(m, State.complete)
        with m.If(self.state_out == State.complete):
            self._complete(m)
        self._answer(m)
        return m


# The nine elements, each the parent of the next smaller one, and the way in at any of them (the report's figure 4).
#
# Whoever asks says how many cells of the board are empty, until he has the answer, and speaks to the element of that
# number as its parent would. The elements above it are idle meanwhile. With pruning, the search begins with the whole
# window, −1 to 1.

_UP = list(_answered(In))


class Chain(Component):
    """Looks like an element for boards with `empty` empty cells; 1 to 9 of them."""

    def __init__(self, *, pruning: bool = False, reported: bool = False) -> None:
        super().__init__({"parent": In(handshake(pruning=False)), "empty": In(range(PLACES + 1))})
        last = LastElement(pruning=pruning) if reported else Element(1, pruning=pruning)
        others = [Element(cells, pruning=pruning, reported=reported) for cells in range(2, PLACES + 1)]
        self.elements: list[Any] = [last, *others]
        """Element k is at k−1."""
        self.down = list(_given(Out, pruning=pruning))
        self.reported = reported

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        for cells, element in enumerate(self.elements, 1):
            m.submodules[f"minimaxelemt_{cells}"] = element
            self._join(m, cells, element)
        return m

    def _join(self, m: Any, cells: int, element: Any) -> None:
        """Between an element and whichever of two is its parent: the element above, or the one who asks."""
        above = self.elements[cells].child if cells < PLACES else None
        entry = Signal(name=f"entry_{cells}")
        check_next = Signal(name=f"check_next_{cells}")
        m.d.comb += entry.eq(self.empty == cells)
        asked = self.parent.check_next
        m.d.comb += check_next.eq(asked & entry if above is None else Mux(entry, asked, above.check_next))
        if self.reported:
            check_present = Signal(name=f"check_present_{cells}")
            m.d.sync += check_present.eq(check_next)
            m.d.comb += element.check_present.eq(check_present)
        else:
            m.d.comb += element.check_present.eq(check_next)
        whole = {"alpha": Const(-1, SCORE), "beta": Const(1, SCORE)}
        for name in self.down:
            given = whole[name] if name in whole else getattr(self.parent, name)
            given = given if above is None else Mux(entry, given, getattr(above, name))
            m.d.comb += getattr(element, name).eq(given)
        for name in _UP:
            answer = getattr(element, name)
            if above is not None:
                m.d.comb += getattr(above, name).eq(answer)
            with m.If(entry):
                m.d.comb += getattr(self.parent, name).eq(answer)
