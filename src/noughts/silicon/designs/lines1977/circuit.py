"""The decision of the 1977 listing as a circuit without registers, and the board around it.

The program goes through its 76 combinations, then through 64 boxes, and for every box through all combinations again,
looking for it. Here every combination and every box has a circuit of its own, and all of them answer at once:

    machine, user ──► 76 × combination ──points, threat──► 64 × box ──worth──► tournament ──► the machine's box
                             │                                                    ▲
                             └──wins──► last win ─────────────────────────────────┘ before all else

- A *combination* sees four boxes: how many the user holds, how many the machine, and what that is worth to a free box
  of it: 1 for one of the user's, 4 for two, 1 for one of the machine's, 2 for two, nothing where both have some. Three
  of the user's are a threat, three of the machine's a win that can be had.
- A *box* that is free adds up the four or seven combinations it lies in. No sum is over 28; a threat counts as 31, so
  that no points come before it. A free box without points comes before every box that is taken.
- The *tournament* has six rounds; of equals the first goes on.
- The *last win* is that of the last combination of the list that can be completed.

A turn is one cycle: the stone of the user, or the machine's answer to it. Inside the decision boxes are numbered as in
the listing; at the pins are the points of the game.
"""

from amaranth.hdl import Cat, ClockDomain, ClockSignal, Const, Elaboratable, Module, Mux, ResetSignal, Signal, Value
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.designs.lines1977.cube import BOXES, COMBINATIONS, THROUGH, point_of
from noughts.silicon.parts import PositionDecoder

__all__ = ["WORTH", "Better", "Board", "Box", "Combination", "Decision", "LastWin", "Lines", "Tournament"]

WORTH = 6
"""Bits of what a box is worth: five of points, and above them whether it is free."""


# A combination. Line 192 of the listing adds 1 for a box of the user's and 5 for one of the machine's, so that one sum
# tells both numbers: 4 and 20 are rows, 15 is a win, 3 a threat, and 1, 2, 5 and 10 give points.


class Combination(Component):
    """What four boxes are worth to a free one of them."""

    machine: In(4)
    user: In(4)
    points: Out(3)
    threat: Out(1)
    wins: Out(1)
    machine_row: Out(1)
    user_row: Out(1)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        users, machines = Signal(5), Signal(5)
        alone, own = Signal(), Signal()
        m.d.comb += [
            users.eq(_how_many(self.user)),
            machines.eq(_how_many(self.machine)),
            alone.eq(machines[0]),
            own.eq(users[0]),
            self.points[0].eq(alone & users[1] | own & machines[1]),
            self.points[1].eq(own & machines[2]),
            self.points[2].eq(alone & users[2]),
            self.threat.eq(alone & users[3]),
            self.wins.eq(own & machines[3]),
            self.machine_row.eq(machines[4]),
            self.user_row.eq(users[4]),
        ]
        return m


def _how_many(four: Value) -> Value:
    """A line for each number from 0 to 4, of which that is high which counts the ones among four bits."""
    (none1, one1, two1), (none2, one2, two2) = (
        (~(first | second), first ^ second, first & second)
        for first, second in ((four[0], four[1]), (four[2], four[3]))
    )
    return Cat(
        none1 & none2,
        one1 & none2 | none1 & one2,
        two1 & none2 | one1 & one2 | none1 & two2,
        two1 & one2 | one1 & two2,
        two1 & two2,
    )


# A box, lines 205 to 300 of the listing: all combinations that it lies in, at once.


class Box(Component):
    """What a box in so many combinations is worth: its points, 31 for a threat, and on top a bit if it is free."""

    def __init__(self, lines: int) -> None:
        ports = {f"{name}{line}": In(width) for line in range(lines) for name, width in (("points", 3), ("threat", 1))}
        super().__init__({"free": In(1), **ports, "worth": Out(WORTH)})
        self.points = [getattr(self, f"points{line}") for line in range(lines)]
        self.threats = [getattr(self, f"threat{line}") for line in range(lines)]

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        sums: list[Value] = list(self.points)
        while len(sums) > 1:  # pair by pair: a chain would be as deep as it is long
            sums = [one + two for one, two in zip(sums[::2], sums[1::2], strict=False)] + sums[len(sums) & ~1 :]
        points = sums[0][: WORTH - 1] | Cat(self.threats).any().replicate(WORTH - 1)
        m.d.comb += self.worth.eq(Mux(self.free, Cat(points, 1), 0))
        return m


# The tournament, lines 320 to 350: the listing keeps the best so far, and here all compare in pairs.
#
# Tried and not better: deciding two bits at a time which boxes are left took a fifth more LUTs and was slower on both
# FPGAs (17 instead of 25 MHz on the iCE40); a line for every number of points took 64 % more, at 23 MHz.


class Better(Component):
    """The better of two boxes; of equals the first."""

    first: In(WORTH)
    second: In(WORTH)
    best: Out(WORTH)
    is_second: Out(1)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.d.comb += [
            self.is_second.eq(self.second > self.first),
            self.best.eq(Mux(self.is_second, self.second, self.first)),
        ]
        return m


class Tournament(Component):
    """Of 64 boxes the first that is worth most, as a line a box."""

    def __init__(self) -> None:
        super().__init__({**{f"worth{box}": In(WORTH) for box in range(BOXES)}, "chosen": Out(BOXES)})

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        left: list[tuple[Value, Value]] = [(getattr(self, f"worth{box}"), Const(1, 1)) for box in range(BOXES)]
        rounds = 0
        while len(left) > 1:
            rounds += 1
            ahead = []
            for number, ((one, first), (two, second)) in enumerate(zip(left[::2], left[1::2], strict=True)):
                m.submodules[f"round{rounds}_{number}"] = match = Better()
                winner = Signal(len(first) + len(second), name=f"winner{rounds}_{number}")
                keep, take = (~match.is_second).replicate(len(first)), match.is_second.replicate(len(second))
                m.d.comb += [match.first.eq(one), match.second.eq(two), winner.eq(Cat(first & keep, second & take))]
                ahead.append((match.best, winner))
            left = ahead
        m.d.comb += self.chosen.eq(left[0][1])
        return m


# The last win, lines 198 and 365 to 367: M5 is overwritten by every combination worth 15, so that the last one counts.


class LastWin(Component):
    """Which combination is completed; a line each, of which at most one is high."""

    wins: In(len(COMBINATIONS))
    last: Out(len(COMBINATIONS))

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        behind: Value = self.wins >> 1
        shift = 1
        while shift < len(COMBINATIONS):  # whether any behind it can be completed, in steps that double
            wider = Signal(len(COMBINATIONS), name=f"behind{shift}")
            m.d.comb += wider.eq(behind | behind >> shift)
            behind, shift = wider, 2 * shift
        m.d.comb += self.last.eq(self.wins & ~behind)
        return m


class Decision(Component):
    """The machine's box, a line a box; none is high if there is no free one. Boxes in the order of the listing."""

    machine: In(BOXES)
    user: In(BOXES)
    chosen: Out(BOXES)
    machine_row: Out(1)
    user_row: Out(1)

    def __init__(self) -> None:
        super().__init__()
        self.combinations = [Combination() for _ in COMBINATIONS]
        self.boxes = [Box(len(through)) for through in THROUGH]
        self.tournament = Tournament()
        self.last_win = LastWin()
        self.wins = Signal(len(COMBINATIONS))
        self.threats = Signal(len(COMBINATIONS))

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        free = Signal(BOXES)
        m.d.comb += free.eq(~(self.machine | self.user))
        combinations = self.combinations
        for number, (combination, boxes) in enumerate(zip(combinations, COMBINATIONS, strict=True), 1):
            m.submodules[f"combination{number}"] = combination
            m.d.comb += [
                combination.machine.eq(Cat(self.machine[box] for box in boxes)),
                combination.user.eq(Cat(self.user[box] for box in boxes)),
            ]
        m.submodules.tournament = tournament = self.tournament
        for number, (box, through) in enumerate(zip(self.boxes, THROUGH, strict=True)):
            m.submodules[f"box{number + 1}"] = box
            m.d.comb += [
                box.free.eq(free[number]),
                *(port.eq(combinations[line].points) for port, line in zip(box.points, through, strict=True)),
                *(port.eq(combinations[line].threat) for port, line in zip(box.threats, through, strict=True)),
                getattr(tournament, f"worth{number}").eq(box.worth),
            ]
        m.submodules.last_win = last_win = self.last_win
        winning = Signal(BOXES)
        m.d.comb += [
            self.wins.eq(Cat(combination.wins for combination in combinations)),
            self.threats.eq(Cat(combination.threat for combination in combinations)),
            last_win.wins.eq(self.wins),
            winning.eq(free & Cat(Cat(last_win.last[line] for line in through).any() for through in THROUGH)),
            self.chosen.eq(Mux(self.wins.any(), winning, tournament.chosen)),
            self.machine_row.eq(Cat(combination.machine_row for combination in combinations).any()),
            self.user_row.eq(Cat(combination.user_row for combination in combinations).any()),
        ]
        return m


def _in_boxes(points: Value) -> Value:
    """Points in the order of boxes; and boxes in the order of points."""
    return Cat(points[point_of(box)] for box in range(BOXES))


class Board(Component):
    """The stones, and whose turn it is; the machine's for one cycle, at whose end its stone is set."""

    def __init__(self) -> None:
        super().__init__(
            {
                **dict.fromkeys(("play", "mine", "quiet", "go"), In(1)),
                "place": In(6),
                "choice": In(BOXES),
                "over": In(1),
                **dict.fromkeys(("machine", "user", "press"), Out(BOXES)),
                **dict.fromkeys(("turn", "waiting", "reply"), Out(1)),
            }
        )
        self.decoder = PositionDecoder(6)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.submodules.decoder = decoder = self.decoder
        machine, user, turn = Signal(BOXES), Signal(BOXES), Signal()
        m.d.comb += [
            self.machine.eq(machine),
            self.user.eq(user),
            self.turn.eq(turn),
            self.waiting.eq(~turn & ~self.over),
            self.reply.eq(turn & ~self.over),
            decoder.index.eq(self.place),
            decoder.enable.eq(self.play & self.waiting),
            self.press.eq(decoder.lines & ~(machine | user)),
        ]
        with m.If(self.reply):
            m.d.sync += machine.eq(machine | self.choice)
        with m.Elif(self.mine):
            m.d.sync += machine.eq(machine | self.press)
        with m.Else():
            m.d.sync += user.eq(user | self.press)
        m.d.sync += turn.eq(self.waiting & (self.go | self.press.any() & ~self.quiet))
        return m


class Lines(Component):
    """The chip: the board and the decision. `rst`, which needs no clock, empties the board."""

    def __init__(self) -> None:
        super().__init__(
            {
                **dict.fromkeys(("clk", "rst", "play"), In(1)),
                "place": In(6),
                **dict.fromkeys(("mine", "quiet", "go"), In(1)),
                **dict.fromkeys(("machine", "user"), Out(BOXES)),
                **dict.fromkeys(("waiting", "over", "won"), Out(1)),
            }
        )
        self.board = Board()
        self.decision = Decision()
        self.choice = Signal(BOXES)
        self.wins = Signal()
        self.threats = Signal()

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.domains.sync = ClockDomain(async_reset=True, local=True)
        m.submodules.board = board = self.board
        m.submodules.decision = decision = self.decision
        m.d.comb += [
            ClockSignal().eq(self.clk),
            ResetSignal().eq(self.rst),
            *(getattr(board, name).eq(getattr(self, name)) for name in ("play", "place", "mine", "quiet", "go")),
            *(getattr(self, name).eq(getattr(board, name)) for name in ("machine", "user", "waiting")),
            decision.machine.eq(_in_boxes(board.machine)),
            decision.user.eq(_in_boxes(board.user)),
            self.choice.eq(_in_boxes(decision.chosen)),
            self.wins.eq(decision.wins.any()),
            self.threats.eq(decision.threats.any()),
            self.over.eq(decision.machine_row | decision.user_row | (board.machine | board.user).all()),
            self.won.eq(decision.machine_row),
            board.choice.eq(self.choice),
            board.over.eq(self.over),
        ]
        return m
