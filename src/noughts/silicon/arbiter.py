"""The arbiter: the rules of a game of a row as a circuit, made from the game's own `Rules` and `Layout`.

Whoever moves presses the keys of all points that the move changes, at once: the empty point that a stone comes to; with
it the stone of one's own that goes there, once all are placed; and the stone of the other's that is captured, where a
row captures. Whose stone is on a point tells what its key means, so one key a point will do for every game:

    key & empty   ──► to          exactly one
    key & own     ──► source      none while placing; else exactly one, a neighbour of `to` or, jumping, any
    key & other   ──► capture     exactly one that may be taken if the move closes a mill, else none

A move that is legal is made by the next clock: the keys of the mover's own points are toggled in his stones, those of
the other's in the other's, and the turn passes. Any other chord changes nothing, and `illegal` is high meanwhile.
The rest is the rules' `over`, word for word: the side to move has lost if the other has a row (or, where rows capture,
if he has too few stones left); a side that cannot move has lost or drawn.

Two keys need not go down together: a stone of one's own whose key goes down alone, once stones move, is *touched*, and
remembered until the next key. With that it makes the chord, unless it is a stone of one's own again.

Side 0 begins; or, where either may, the other if `other_begins` is high until the first move. Stones in hand are
counted down where the rules ask: a game whose stones fill the board has no need of them.
"""

from functools import reduce
from operator import add, or_

from amaranth.hdl import Cat, Const, Elaboratable, Module, Mux, Signal, Value
from amaranth.lib.wiring import Component, In, Out

from noughts.games import Game, NoughtsError
from noughts.games.rules import Blocked, Movement
from noughts.silicon.parts import WinDetector

__all__ = ["MOST_POINTS", "Arbiter", "DoesNotFitError", "Judge", "check_fits"]

MOST_POINTS = 64
"""A pin is at most so wide where chips are compiled."""


class DoesNotFitError(NoughtsError):
    """A game for which no such chip is made."""


def check_fits(game: Game) -> None:
    """What fits: up to 64 points, at least one line, nobody passes, and as many stones for both unless they fill it.

    Lasker's rule does not fit, nor a draw by a full board.

    Args:
        game: Any game of the catalogue, or of one's own.

    Raises:
        DoesNotFitError: If the game is none of those.
    """
    rules, layout = game.rules, game.layout
    if len(layout) > MOST_POINTS:
        raise DoesNotFitError(f"{game.name!r} has {len(layout)} points: expected a game of at most {MOST_POINTS}")
    if not layout.lines or layout.on_lines != layout.everywhere:
        raise DoesNotFitError(f"{game.name!r} has points on no line: expected a game all of whose points count")
    if rules.blocked is Blocked.PASSES:
        raise DoesNotFitError(f"in {game.name!r} a blocked player passes: expected a game without passes")
    if rules.moving_while_placing or rules.full_board_draws:
        rule = "stones may move while others are in hand" if rules.moving_while_placing else "a full board is drawn"
        raise DoesNotFitError(f"in {game.name!r} {rule}: expected a game without that rule")
    if not _fills(game) and rules.stones[0] != rules.stones[1]:
        raise DoesNotFitError(f"{game.name!r} gives {rules.stones} stones: expected as many for both sides")


def _fills(game: Game) -> bool:
    """Whether stones are placed until the board is full, so that nobody need count them."""
    return game.rules.movement is Movement.NONE and sum(game.rules.stones) == len(game.layout)


def one_of(points: Value) -> Value:
    """Whether exactly one of these lines is high.

    Args:
        points: Some lines.
    """
    seen: Value = Const(0)
    twice: Value = Const(0)
    for line in points:
        twice, seen = twice | seen & line, seen | line
    return seen & ~twice


def _count(points: Value) -> Value:
    return reduce(add, points)


class Judge(Component):
    """What the rules say of one side's turn, without a clock: `legal`, whether the keys that are down are a move of it.

    `own` and `other` are the stones, `placing` says that there is one in hand. `movable` are the points that a stone
    can leave or come to; none of them, and the side is blocked.
    """

    def __init__(self, game: Game) -> None:
        check_fits(game)
        self.game = game
        points = len(game.layout)
        super().__init__(
            {
                "own": In(points),
                "other": In(points),
                "placing": In(1),
                "key": In(points),
                "legal": Out(1),
                "movable": Out(points),
            }
        )

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        empty = Signal.like(self.key)
        to, source, capture = (Signal.like(self.key, name=name) for name in ("to", "source", "capture"))
        m.d.comb += [
            empty.eq(~(self.own | self.other)),
            to.eq(self.key & empty),
            source.eq(self.key & self.own),
            capture.eq(self.key & self.other),
        ]
        placed = self.placing & ~source.any()
        moved: Value = Const(0)
        leave = come = Const(0, len(self.key))
        if self.game.rules.movement is not Movement.NONE:
            jumps = self._jumps()
            moved = one_of(source) & (jumps | self._joined(source, to))
            leave, come = self._ways(empty, jumps)
        legal = one_of(to) & (placed | ~self.placing & moved)
        if self.game.rules.captures:
            closes, takes = self._captures(m, to, source, capture)
            m.d.comb += self.legal.eq(legal & Mux(closes, takes, ~capture.any()))
        else:
            m.d.comb += self.legal.eq(legal & ~capture.any())
        m.d.comb += self.movable.eq(Mux(self.placing, empty, leave | come))
        return m

    def _jumps(self) -> Value:
        """Whether stones go to any empty point: by the rules, or since few are left."""
        rules = self.game.rules
        if rules.movement is Movement.JUMP:
            return Const(1)
        return _count(self.own) <= rules.flying if rules.flying else Const(0)

    def _joined(self, one: Value, other: Value) -> Value:
        """Whether a point of one set is next to one of the other."""
        if not self.game.layout.edges:
            return Const(0)
        return Cat(one[a] & other[b] | one[b] & other[a] for a, b in self.game.layout.edges).any()

    def _ways(self, empty: Value, jumps: Value) -> tuple[Value, Value]:
        """The own stones that can go somewhere, and the empty points that one can come to."""

        def beside(points: Value) -> Value:
            neighbours = self.game.layout.neighbours
            return Cat(
                reduce(or_, (points[near] for near in range(len(points)) if neighbours[point] >> near & 1), Const(0))
                for point in range(len(points))
            )

        anywhere = empty.any() & jumps
        from_any = self.own.any() & jumps
        width = len(empty)
        leave = self.own & (beside(empty) | anywhere.replicate(width))
        come = empty & (beside(self.own) | from_any.replicate(width))
        return leave, come

    def _captures(self, m: Module, to: Value, source: Value, capture: Value) -> tuple[Value, Value]:
        """Whether the move closes a mill, and whether the stone that is to be captured may be taken."""
        lines, width = self.game.layout.lines, len(to)
        after = Signal(width)
        m.d.comb += after.eq(self.own & ~source | to)
        closes = Cat(
            Cat(after[point] for point in line).all() & Cat(to[point] for point in line).any() for line in lines
        ).any()
        mills = [Cat(self.other[point] for point in line).all() for line in lines]
        free = Signal(width)
        for point in range(width):
            milled = reduce(or_, (mill for mill, line in zip(mills, lines, strict=True) if point in line), Const(0))
            m.d.comb += free[point].eq(self.other[point] & ~milled)
        takes = one_of(capture) & ((capture & free).any() | ~free.any())
        return closes, takes


class Arbiter(Component):
    """The board, the turn and the hands in registers, and the rules round them.

    `lost` says that the side to move has, `draw` that nobody wins; while one of them is high no move is legal.
    """

    def __init__(self, game: Game, *, either_begins: bool = False) -> None:
        check_fits(game)
        self.game = game
        self.either_begins = either_begins
        points = len(game.layout)
        self.counts = not _fills(game)
        """Whether stones in hand are counted."""
        self.hand_width = max(game.rules.stones).bit_length()
        hands = {name: Out(self.hand_width) for name in ("hand0", "hand1")} if self.counts else {}
        super().__init__(
            {
                "key": In(points),
                **({"other_begins": In(1)} if either_begins else {}),
                "stones0": Out(points),
                "stones1": Out(points),
                "turn": Out(1),
                "legal": Out(1),
                "illegal": Out(1),
                "touched": Out(points),
                "movable": Out(points),
                "row": Out(1),
                "full": Out(1),
                "lost": Out(1),
                "draw": Out(1),
                **hands,
            }
        )
        self.judge = Judge(game)
        self.win = WinDetector(game.layout)
        self.begun = Signal()
        self.own, self.other = (Signal(points, name=name) for name in ("own", "other"))
        self.placing = Signal()
        self.chord = Signal(points)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.submodules.judge = judge = self.judge
        stones = [Signal(len(self.key), name=f"stones{side}") for side in (0, 1)]
        turn = Signal()
        m.d.comb += [
            self.stones0.eq(stones[0]),
            self.stones1.eq(stones[1]),
            self.turn.eq(Mux(self.begun, turn, self.other_begins) if self.either_begins else turn),
            self.own.eq(Mux(self.turn, stones[1], stones[0])),
            self.other.eq(Mux(self.turn, stones[0], stones[1])),
            judge.own.eq(self.own),
            judge.other.eq(self.other),
            judge.placing.eq(self.placing),
            judge.key.eq(self.chord),
            self.full.eq((self.own | self.other).all()),
            self.movable.eq(Mux(self.lost | self.draw, 0, judge.movable)),
            self.legal.eq(judge.legal & ~self.lost & ~self.draw),
        ]
        self._touch(m)
        with m.If(self.legal):
            m.d.sync += [turn.eq(~self.turn), *([self.begun.eq(1)] if self.either_begins else [])]
            for side in (0, 1):
                # The empty point that is come to is the mover's from now on, and nobody else's.
                mine = Mux(self.turn == side, self.chord & ~self.other, self.chord & self.other)
                m.d.sync += stones[side].eq(stones[side] ^ mine)
        self._hands(m)
        self._judge_the_board(m)
        return m

    def _touch(self, m: Module) -> None:
        """The chord: the keys that are down, and the stone that was touched before."""
        if self.game.rules.movement is Movement.NONE:
            m.d.comb += [self.chord.eq(self.key), self.illegal.eq(self.key.any() & ~self.legal)]
            return
        touched = Signal.like(self.touched)
        touches = Signal()
        own = (self.key & self.own).any()
        m.d.comb += [
            self.touched.eq(touched),
            self.chord.eq(Mux(own | ~self.key.any(), self.key, self.key | touched)),
            touches.eq(own & ~(self.key & ~self.own).any() & ~self.placing & ~self.lost & ~self.draw),
            self.illegal.eq(self.key.any() & ~self.legal & ~touches),
        ]
        with m.If(self.key.any()):
            m.d.sync += touched.eq(Mux(touches, self.key, 0))

    def _hands(self, m: Module) -> None:
        """Stones in hand, counted down as they are placed."""
        if not self.counts:
            m.d.comb += self.placing.eq(~self.full)
            return
        hands = [Signal(self.hand_width, init=self.game.rules.stones[side], name=f"hand{side}") for side in (0, 1)]
        m.d.comb += [
            self.hand0.eq(hands[0]),
            self.hand1.eq(hands[1]),
            self.placing.eq(Mux(self.turn, hands[1].any(), hands[0].any())),
        ]
        for side, hand in enumerate(hands):
            with m.If(self.legal & self.placing & (self.turn == side)):
                m.d.sync += hand.eq(hand - 1)

    def _judge_the_board(self, m: Module) -> None:
        """How the game has ended for the side to move."""
        m.submodules.win = win = self.win
        rules = self.game.rules
        m.d.comb += [win.stones.eq(self.other), self.row.eq(win.wins)]
        beaten: Value = self.row
        if rules.captures:
            hand = Mux(self.turn, self.hand1, self.hand0)
            beaten = _count(self.own) + hand < rules.fewest
        elif not rules.row_while_placing:
            beaten = self.row & ~self.hand0.any() & ~self.hand1.any()
        blocked = ~beaten & ~self.judge.movable.any()
        loses = rules.blocked is Blocked.LOSES
        m.d.comb += [self.lost.eq(beaten | blocked if loses else beaten), self.draw.eq(0 if loses else blocked)]
