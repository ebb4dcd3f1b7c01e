"""The player: the arbiter of the game, with the logic at the keys when it is the machine's turn.

    key ────────┐
                ├──► arbiter ──► mine, theirs, turn, over
    logic ──────┘       │
      ▲                 │
      └─ mine, theirs, ◄┘
         placing

A user's move is on the board after one clock; in the next the logic's keys are down, and the clock behind it sets the
machine's stone. The arbiter judges both alike, so the machine could not make an illegal move if its logic were wrong.
"""

from typing import Any

from amaranth.hdl import ClockDomain, ClockSignal, Elaboratable, Module, Mux, ResetSignal
from amaranth.lib.wiring import Component, In, Out

from noughts.games import Game
from noughts.silicon.arbiter import Arbiter
from noughts.silicon.designs.player2026.policy import kept_logic
from noughts.silicon.logic.component import Logic

__all__ = ["Player"]


class Player(Component):
    """A machine that answers in one clock. `rst`, which needs no clock, begins a game; the user's if `user_begins`.

    Its logic is the one that is kept for the game, unless another is given.
    """

    def __init__(self, game: Game, logic: Any = None) -> None:
        points = len(game.layout)
        self.arbiter: Any = Arbiter(game, either_begins=True)
        self.logic: Any = Logic(kept_logic(game)) if logic is None else logic
        super().__init__(
            {
                "clk": In(1),
                "rst": In(1),
                "user_begins": In(1),
                "key": In(points),
                "mine": Out(points),
                "theirs": Out(points),
                "waiting": Out(1),
                "illegal": Out(1),
                "over": Out(1),
                "won": Out(1),
                "lost": Out(1),
            }
        )

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.domains.sync = ClockDomain(async_reset=True, local=True)
        m.submodules.arbiter = arbiter = self.arbiter
        m.submodules.logic = logic = self.logic
        m.d.comb += [
            ClockSignal().eq(self.clk),
            ResetSignal().eq(self.rst),
            arbiter.other_begins.eq(self.user_begins),
            logic.mine.eq(arbiter.stones0),
            logic.theirs.eq(arbiter.stones1),
            *([logic.placing.eq(arbiter.placing)] if "placing" in logic.signature.members else []),
            arbiter.key.eq(Mux(arbiter.turn, self.key, logic.move)),
            self.mine.eq(arbiter.stones0),
            self.theirs.eq(arbiter.stones1),
            self.over.eq(arbiter.lost | arbiter.draw),
            self.waiting.eq(arbiter.turn & ~self.over),
            self.illegal.eq(arbiter.illegal & arbiter.turn),
            self.won.eq(arbiter.lost & arbiter.turn),
            self.lost.eq(arbiter.lost & ~arbiter.turn),
        ]
        return m
