"""The nine minimax elements of 2021: what two of them say to each other, what one does, and the chain of all."""

from typing import Any

from amaranth.hdl import Array, Cat, Const, Elaboratable, Module, Mux, Signal, Value, signed
from amaranth.lib.wiring import Component, In, Out, Signature

from noughts.silicon.designs.elements2021 import State
from noughts.silicon.parts import PLACES, NextFree, PositionDecoder, WinDetector, stones_of

__all__ = ["SCORE", "Chain", "Element", "handshake"]

# What is said between two elements: three signals go down to the child, five come up (the report's figure 5).
#
# Down: `check` for one cycle, and in it the board to be searched and whose turn it is, low for the AI. With pruning,
# also the window alpha to beta of scores that still matter to those above. Up: the score, the best move as row i and
# column j, `done`, and the state. The answer is there in the cycle in which `done` is high, which is the one in state
# complete, and stays until the next check.

SCORE = signed(2)
"""1 if the AI wins, 0 for a draw, −1 if the human wins."""


def handshake(*, pruning: bool) -> Signature:
    """The signals as the parent sees them."""
    window = {"alpha": Out(SCORE), "beta": Out(SCORE)} if pruning else {}
    return Signature(
        {
            "check": Out(1),
            "board": Out(2 * PLACES),
            "turn": Out(1),
            **window,
            "score": In(SCORE),
            "best_move_i": In(2),
            "best_move_j": In(2),
            "done": In(1),
            "state": In(State),
        }
    )


# A minimax element: what a board with so many empty cells is worth, and the best move on it.
#
# The element keeps the board it was given and whose turn it is, and walks over the empty cells in the order of
# places. Each is one round: a stone of the side whose turn it is goes there, on the way to the win detector and the
# child only, not into the register.
#
#     ready          waits for `check`; takes board and turn, and as score the worst one for the side to move
#     start          picks the next empty cell ─► current_check, or finds none left ─► complete
#     current_check  the stone makes a row: its score is known ─► start;  else ─► fetch
#     fetch          hands the child the board with the stone ─► fetch_wait
#     fetch_wait     until the child is complete ─► fetch_result
#     fetch_result   takes the child's score ─► start
#     complete       `done` is high ─► ready
#
# A score that is strictly better than the one kept, higher for the AI and lower for the human, replaces it and makes
# its cell the best move. The first cell that is picked is the best move before it is rated, so the worst score needs
# none worse to start from: of the cells with the best score the first one wins.
#
# The last element has no child: its stone fills the board, and if it makes no row, the score is 0.
#
# With pruning, the kept score starts at the better of the worst and what this side can have elsewhere already, which
# is alpha for the AI and beta for the human; and `start` completes as well when the score has reached the other end
# of the window, which the side above will not go beyond. Nothing outside the window makes a difference above, and at
# the root the window is −1 to 1, so score and best move of the root are those without pruning.


class Element(Component):
    """Searches boards with `cells` empty cells, the child those with one less; element 1 has no child."""

    def __init__(self, cells: int, *, pruning: bool = False) -> None:
        talk = handshake(pruning=pruning)
        super().__init__({"parent": In(talk)} | ({"child": Out(talk)} if cells > 1 else {}))
        self.has_child = cells > 1
        self.pruning = pruning
        self.state = Signal(State)
        self.board = Signal(2 * PLACES, reset_less=True)
        self.turn = Signal(reset_less=True)
        self.cell = Signal(4, reset_less=True)
        self.picked = Signal(reset_less=True)
        """High once `cell` means something."""
        self.score = Signal(SCORE, reset_less=True)
        self.best = Signal(4, reset_less=True)
        self.limit = Signal(SCORE, reset_less=True)
        """The score at which the rest no longer matters; with pruning alone."""

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.submodules.free = free = NextFree()
        m.submodules.stone = stone = PositionDecoder(5)
        m.submodules.win = win = WinDetector()
        after = Signal(2 * PLACES)
        finished = Signal()
        row_score = Signal(SCORE)
        enough = Mux(self.turn, self.score <= self.limit, self.score >= self.limit) if self.pruning else Const(0)
        m.d.comb += [
            finished.eq(free.last | enough),
            row_score.eq(Mux(self.turn, Const(-1, SCORE), Const(1, SCORE))),
            free.board.eq(self.board),
            free.i.eq(self.cell),
            free.usei.eq(self.picked),
            stone.index.eq(Cat(self.turn, self.cell)),
            stone.enable.eq(1),
            after.eq(self.board | stone.lines[: 2 * PLACES]),
            win.stones.eq(Mux(self.turn, stones_of(after, 1), stones_of(after, 0))),
        ]
        with m.Switch(self.state):
            with m.Case(State.ready):
                self._ready(m)
            with m.Case(State.start):
                self._start(m, free, finished)
            with m.Case(State.current_check):
                self._current_check(m, win.wins, row_score)
            if self.has_child:
                self._fetch_states(m)
            with m.Case(State.complete):
                self._go(m, State.ready)
        self._answer(m)
        if self.has_child:
            self._ask(m, after)
        return m

    def _go(self, m: Any, state: State) -> None:
        m.d.sync += self.state.eq(state)

    def _ready(self, m: Any) -> None:
        parent: Any = self.parent
        alpha, beta = (parent.alpha, parent.beta) if self.pruning else (Const(-1, SCORE), Const(1, SCORE))
        with m.If(parent.check):
            m.d.sync += [self.board.eq(parent.board), self.turn.eq(parent.turn), self.picked.eq(0)]
            m.d.sync += self.score.eq(Mux(parent.turn, beta, alpha))
            if self.pruning:
                m.d.sync += self.limit.eq(Mux(parent.turn, alpha, beta))
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
        with m.Case(State.fetch_wait), m.If(child.state == State.complete):
            self._go(m, State.fetch_result)
        with m.Case(State.fetch_result):
            self._rate(m, child.score)

    def _rate(self, m: Any, score: Value) -> None:
        with m.If(Mux(self.turn, score < self.score, score > self.score)):
            m.d.sync += [self.score.eq(score), self.best.eq(self.cell)]
        self._go(m, State.start)

    def _answer(self, m: Any) -> None:
        parent: Any = self.parent
        m.d.comb += [
            parent.score.eq(self.score),
            parent.best_move_i.eq(Array(place // 3 for place in range(PLACES))[self.best]),
            parent.best_move_j.eq(Array(place % 3 for place in range(PLACES))[self.best]),
            parent.done.eq(self.state == State.complete),
            parent.state.eq(self.state),
        ]

    def _ask(self, m: Any, after: Value) -> None:
        child: Any = self.child
        m.d.comb += [child.check.eq(self.state == State.fetch), child.board.eq(after), child.turn.eq(~self.turn)]
        if self.pruning:
            m.d.comb += [
                child.alpha.eq(Mux(self.turn, self.limit, self.score)),
                child.beta.eq(Mux(self.turn, self.score, self.limit)),
            ]


# The nine elements, each the parent of the next smaller one, and the way in at any of them (the report's figure 4).
#
# Whoever asks says how many cells of the board are empty, until he has the answer, and speaks to the element of that
# number as its parent would. The elements above it are idle meanwhile. With pruning, the search begins with the whole
# window, −1 to 1.

_UP = [name for name, member in handshake(pruning=False).members.items() if member.flow is In]


class Chain(Component):
    """Looks like an element for boards with `empty` empty cells; 1 to 9 of them."""

    def __init__(self, *, pruning: bool = False) -> None:
        super().__init__({"parent": In(handshake(pruning=False)), "empty": In(range(PLACES + 1))})
        self.elements = [Element(cells, pruning=pruning) for cells in range(1, PLACES + 1)]
        """Element k is at k−1."""
        self.down = [name for name, member in handshake(pruning=pruning).members.items() if member.flow is Out]

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        for cells, element in enumerate(self.elements, 1):
            m.submodules[f"element{cells}"] = element
            self._join(m, cells, element)
        return m

    def _join(self, m: Any, cells: int, element: Any) -> None:
        """Between an element and whichever of two is its parent: the element above, or the one who asks."""
        above = self.elements[cells].child if cells < PLACES else None
        entry = Signal(name=f"entry{cells}")
        m.d.comb += entry.eq(self.empty == cells)
        whole = {"alpha": Const(-1, SCORE), "beta": Const(1, SCORE)}
        for name in self.down:
            asked = whole[name] if name in whole else getattr(self.parent, name)
            if above is not None:
                asked = Mux(entry, asked, getattr(above, name))
            elif name == "check":
                asked = asked & entry
            m.d.comb += getattr(element.parent, name).eq(asked)
        for name in _UP:
            answer = getattr(element.parent, name)
            if above is not None:
                m.d.comb += getattr(above, name).eq(answer)
            with m.If(entry):
                m.d.comb += getattr(self.parent, name).eq(answer)
