"""What is proved of the one-cycle players: they keep the rules, answer in one clock, and win what they begin.

**rules**, for the three games with nine points whose rules are typed in `referee2026.proofs`. The claims about the
referee are made of the player, with every key, switch and reset free in every cycle; and free is also what the logic
answers, so that nothing has to be proved again when a smaller netlist is kept. What they add is the haste: a legal move
of the user's is on the board after one clock, a legal answer of the logic's after the next.

**wins** and **draws**, with the logic that is kept. A game is *brisk* if whoever is to move makes a legal move with
every clock until the end. A brisk game that the machine begins is over after so many clocks and the machine has won, if
whoever begins can win; at Arabian millwheel, where nobody can, it has not lost for so many clocks, whoever began.
Nothing is known here of a solution: what the user does is left open, so that the solver has tried all of it. The
induction is as deep as the game is long, and begins with the reset.

That every move keeps the value where the user has begun and erred is not proved, but tried in every position
(`noughts silicon check`, and the tests).
"""

from functools import reduce
from operator import and_
from types import SimpleNamespace
from typing import Any

from amaranth.hdl import Cat, Elaboratable, Module
from amaranth.lib.wiring import Component, In, Out

from noughts.games import game as find_game
from noughts.silicon.designs.player2026.circuit import Player
from noughts.silicon.designs.referee2026.proofs import NINE_POINTS, claim_rules
from noughts.silicon.formal import Harness, Property

__all__ = ["OpenPlayer", "proofs_of"]

_PLACES = 9


class OpenLogic(Component):
    """What stands for the logic: it answers what it is told to."""

    mine: In(_PLACES)
    theirs: In(_PLACES)
    placing: In(1)
    answer: In(_PLACES)
    move: Out(_PLACES)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.d.comb += self.move.eq(self.answer)
        return m


class OpenPlayer(Component):
    """The player, with one bundle of pins more: what the logic answers."""

    def __init__(self, name: str) -> None:
        self.answer: Any
        self.player: Any = Player(find_game(name), OpenLogic())
        super().__init__({**self.player.signature.members, "answer": In(_PLACES)})

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.submodules.player = player = self.player
        m.d.comb += player.logic.answer.eq(self.answer)
        for name, member in player.signature.members.items():
            outside, inside = getattr(self, name), getattr(player, name)
            m.d.comb += inside.eq(outside) if member.flow is In else outside.eq(inside)
        return m


def _claim_player(harness: Harness, chip: Any, name: str) -> None:
    """The rules, as a referee would keep them between the machine (X) and the user (O); and the haste."""
    arbiter, logic = chip.player.arbiter, chip.player.logic
    view = SimpleNamespace(
        x=chip.mine, o=chip.theirs, hand_x=arbiter.hand0, hand_o=arbiter.hand1, turn=arbiter.turn, draw=arbiter.draw,
        x_won=chip.won, o_won=chip.lost, key=arbiter.key, illegal=arbiter.illegal, arbiter=arbiter,
    )  # fmt: skip
    # Until the first move a switch says whose turn it is; a clock counts if it was not touched.
    steady = harness.past(chip.user_begins) == chip.user_begins
    claim_rules(harness, view, name, steady)
    running, turn = harness.running, arbiter.turn
    untouched = (chip.mine == 0) & (chip.theirs == 0) & (arbiter.touched == 0)
    harness.claim("until the first move there is nothing on the board", untouched, when=running & ~arbiter.begun)
    asked = Cat(logic.mine, logic.theirs) == Cat(chip.mine, chip.theirs)
    placing = logic.placing == (arbiter.hand0 != 0)
    harness.claim("the logic is asked about the board as it is", asked & placing, when=running & ~turn)
    harness.claim("in the machine's turn its answer counts", arbiter.key == chip.answer, when=running & ~turn)
    harness.claim("in the user's turn the keys do", arbiter.key == chip.key, when=running & turn)
    harness.claim("over means that somebody has won", chip.over == (chip.won | chip.lost), when=running)
    harness.claim("it waits for the user until the end", chip.waiting == (turn & ~chip.over), when=running)
    stepped = harness.stepped & harness.past(running) & steady
    was_over, legal, was = (harness.past(value) for value in (chip.over, arbiter.legal, turn))
    harness.claim("a legal move, and the other is to move", turn == ~was, when=stepped & legal & ~was_over)
    harness.claim("else the turn stays", turn == was, when=stepped & ~legal)


def _claim_brisk(harness: Harness, chip: Player, clocks: int, draws: bool) -> None:
    """A game that the machine begins is won in the end; or any is not lost so far."""
    arbiter: Any = chip.arbiter
    fresh = harness.began & harness.past(chip.rst)
    empty = (chip.mine == 0) & (chip.theirs == 0) & ~arbiter.begun & (arbiter.touched == 0)
    if arbiter.counts:
        in_hand = zip((arbiter.hand0, arbiter.hand1), arbiter.game.rules.stones, strict=True)
        empty &= reduce(and_, (hand == stones for hand, stones in in_hand))
    harness.claim("a reset begins a game", empty, when=fresh)
    brisk = fresh & ~chip.rst & (1 if draws else ~chip.user_begins)
    for _ in range(clocks):
        brisk = harness.stepped & harness.past(brisk & (chip.over | arbiter.legal))
    # Who has lost stays so: one claim at the end will do, and is proved in a tenth of the time that one a clock takes.
    harness.claim("then it has not lost" if draws else "then it has won", ~chip.lost if draws else chip.won, when=brisk)


def _rules(name: str) -> Property:
    return Property(
        f"player2026-{name}-rules",
        f"the player of {name} makes legal moves alone, one a clock, and its verdict is that of the rules",
        make=lambda: OpenPlayer(name),
        claims=lambda harness, chip: _claim_player(harness, chip, name),
        clock="clk",
        reset="rst",
    )


def _brisk(name: str, clocks: int, draws: bool) -> Property:
    short = name.replace(":", "-").replace(",", "-")
    says = "does not lose for" if draws else "wins a game that it begins within"
    return Property(
        f"player2026-{short}-{'draws' if draws else 'wins'}",
        f"the player of {name} {says} {clocks} clocks, whatever the user does",
        make=lambda: Player(find_game(name)),
        claims=lambda harness, chip: _claim_brisk(harness, chip, clocks, draws),
        depth=clocks,
        clock="clk",
        reset="rst",
    )


_CLOCKS = {"achi": 11, "three-mens-morris": 9, "mnk:4,3,3": 12}
"""The games that whoever begins can win, and in how many clocks these players have."""
_DRAWN = {"arabian": 8}


def proofs_of(name: str) -> tuple[Property, ...]:
    """What is proved of the player of a game.

    Args:
        name: A game.
    """
    rules = (_rules(name),) if name in NINE_POINTS else ()
    clocks = _CLOCKS | _DRAWN
    return (*rules, *((_brisk(name, clocks[name], name in _DRAWN),) if name in clocks else ()))
