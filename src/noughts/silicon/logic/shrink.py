"""The search for small logic: chains of random changes side by side, and the smallest netlist that any of them has met.

A *chain* is a circuit that is changed again and again (`shrink_kernel` says how), with no regard to other chains. It is
cooled (*simulated annealing*): at first so hot that the circuit is soon another one, at last so cold that it only walks
among circuits of as few gates. Then it is made hot again, and the next cooling takes twice as long, up to a limit:
from there on many coolings find more than fewer that are longer. On the way a position may be wrong for the price of
a few gates, the more the hotter it is; at the end of each cooling it may not. In the last of the chains it
never may: of few positions it might pay to be wrong in most.

What comes out depends on the netlist to begin with, the seed, the number of chains and of rounds, and on nothing else:
not on the machine, its cores or its load. Chains are threads, since the kernel needs no interpreter's lock.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from noughts.games import NoughtsError
from noughts.silicon.logic.conditions import Conditions
from noughts.silicon.logic.netlist import Gate, Netlist, Output, with_pins
from noughts.silicon.logic.shrink_circuit import CONSTANTS, Circuit, Flags, Wiring
from noughts.silicon.logic.shrink_demand import Answers, Demand
from noughts.silicon.logic.shrink_fit import TELLING, TRIED, Place
from noughts.silicon.logic.shrink_kernel import FEWEST, LEVELS, TALLY, WRONG, Chain, anneal, begin

__all__ = ["CHAINS", "SHORTEST", "STEPS", "Heat", "NotRightError", "Round", "Runner", "demand_of", "shrink"]

CHAINS = 8
STEPS = 1_000
"""Changes of each chain in a round: some hundredths of a second, so that Ctrl-C is soon heard."""
SHORTEST = 25
"""Rounds of the first cooling."""
_LONGEST = 100_000
"""Rounds of a cooling, at most. Of D, coolings of a fifth ended with 46 to 50 gates and mostly not right everywhere."""
_GROWTH = 100
"""Gates that a circuit may grow over the one to begin with."""
_GOLDEN = 0x9E3779B97F4A7C15
"""2^64 by the golden ratio: seeds that differ by one give states of the random numbers that differ everywhere."""


class NotRightError(NoughtsError):
    """A netlist to begin with that does not do what is asked for."""


class Round(NamedTuple):
    """What is known after a round."""

    number: int
    """Rounds so far."""
    steps: int
    """Changes tried so far, by all chains together."""
    best: Netlist
    """The one of the fewest gates, and of those one of the fewest levels."""


class Heat(NamedTuple):
    """How hot it is, and what a wrong position costs, in gates."""

    temperature: float
    price: float


_HOT, _COLD = 2.2, 0.2
"""Near the first a circuit of half a hundred gates soon forgets what it was; below the second it stands still.

A gate can be added nearly everywhere and saved nearly nowhere: that is why 0.25 is cold, though one more is accepted
with a chance of a fiftieth.
"""
_PRICE = 4.5
"""Of a wrong position, on the way, for each degree: at less than about four, circuits melt.

They lose a third of their gates, are wrong in a score of positions, and no single change mends one at its price. What
has melted does not come back to as few gates that are right everywhere.
"""
_LEAST = 4.0
"""The price at least. At less it pays to be wrong where it is cold, and at the end nothing mends that (E-B, E-D)."""
_STRICT = 1000.0
"""And at the end, and for the last chain."""
_STRICT_SHARE = 0.05
"""Of a cooling."""


def _cooling(rounds: int) -> Iterator[Heat]:
    """From hot to cold, each round the same factor from the one before."""
    for number in range(rounds):
        temperature = _HOT * (_COLD / _HOT) ** (number / max(1, rounds - 1))
        strict = rounds - number <= max(1, rounds * _STRICT_SHARE)
        yield Heat(temperature, _STRICT if strict else max(_LEAST, _PRICE * temperature))


def _heats() -> Iterator[Heat]:
    """One cooling after the other, for ever."""
    rounds = SHORTEST
    while True:
        yield from _cooling(rounds)
        rounds = min(2 * rounds, _LONGEST)


def shrink(
    conditions: Conditions, start: Netlist, *, seed: int = 0, chains: int = CHAINS, threads: int = CHAINS
) -> Iterator[Round]:
    """Look for smaller netlists, round by round, for ever; whoever asks may stop after any of them.

    Args:
        conditions: What the netlist must do.
        start: One that does it; inputs and outputs by their names, in any order. An input that it leaves out it does
            not read, an output that it leaves out is never raised.
        seed: Another seed is another search.
        chains: How many circuits are changed side by side.
        threads: How many of them at once; it changes nothing but the time.

    Yields:
        Before any round the netlist to begin with, which has been found to do it; then the best after every round.

    Raises:
        NotRightError: If the netlist to begin with does not do it.
        NetlistError: If it has an input or an output of another name.
    """
    start = with_pins(start, conditions.inputs, conditions.outputs)
    demand = demand_of(conditions)
    running = [Runner(conditions, demand, start, seed * chains + number) for number in range(chains)]
    if running[0].wrong:
        raise NotRightError("the netlist to begin with does not do what is asked for: expected one that does")
    # Gates of it that nothing reads are left out by the chains: then any of them has something smaller at once.
    best, found = start, (len(start.gates), running[0].best[1])
    # Whoever measures time does so from the first round on: whatever has to be compiled is compiled by then.
    anneal(running[0].chain, demand, 0, _HOT, _STRICT)
    yield Round(0, 0, best)
    with ThreadPoolExecutor(max(1, min(threads, chains))) as pool:
        for number, heat in enumerate(_heats(), 1):
            heats = [heat] * (chains - 1) + [heat._replace(price=_STRICT)]
            # A list, so that all chains have ended their round before any is compared.
            list(pool.map(Runner.go_on, running, heats))
            first = min(running, key=lambda runner: runner.best)
            if first.best < found:
                best, found = first.best_netlist(), first.best
            yield Round(number, number * chains * STEPS, best)


def demand_of(conditions: Conditions) -> Demand:
    """Conditions as the kernels take them."""
    return Demand(
        conditions.allowed,
        conditions.valid,
        int(conditions.several),
        conditions.roots.astype(np.int64),
        conditions.start.astype(np.int64),
        conditions.child.astype(np.int64),
    )


class Runner:
    """A chain, between netlists and arrays."""

    def __init__(self, conditions: Conditions, demand: Demand, start: Netlist, seed: int) -> None:
        self.conditions, self.demand = conditions, demand
        self.first = len(conditions.inputs) + CONSTANTS
        signals, words = self.first + len(start.gates) + _GROWTH, len(conditions.valid)

        def rows(count: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint64]]:
            return np.zeros((count, words), np.uint64)

        def numbers(count: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
            return np.zeros(count, np.int64)

        def flags() -> Flags:
            return np.zeros(signals, np.uint8)

        def wiring() -> Wiring:
            outputs = len(conditions.outputs)
            a, b, table, order = (numbers(signals) for _ in range(4))
            return Wiring(a, b, table, numbers(outputs), numbers(outputs), order, numbers(1))

        circuit = Circuit(
            wiring(),
            place=numbers(signals),
            readers=numbers(signals),
            free=numbers(signals - self.first),
            values=rows(signals),
            other=rows(signals),
            touched=flags(),
            held=numbers(2 * signals),
        )
        circuit.values[: len(conditions.inputs)] = conditions.given
        circuit.values[self.first - 1] = ~np.uint64(0)
        work = rows(2)
        now, tried = (Answers(rows(len(conditions.outputs)), rows(1)[0], rows(1)[0], work) for _ in range(2))
        tell = np.zeros((TELLING, signals), np.uint64)
        low, high = rows(2)
        place = Place(numbers(words), low, high, numbers(signals), tell, flags(), flags(), numbers(TRIED))
        state = np.array([(seed + 1) * _GOLDEN & (1 << 64) - 1], np.uint64)
        self.chain = Chain(circuit, now, tried, place, rows(1)[0], state, wiring(), numbers(TALLY))
        self.chain.tally[FEWEST] = signals
        self._begin(start)

    def _begin(self, netlist: Netlist) -> None:
        inputs, wiring = len(self.conditions.inputs), self.chain.circuit.wiring

        def renumbered(signal: int) -> int:
            # In a netlist gates follow the inputs at once, and the constant 0 is -1; here two constants lie between.
            return inputs if signal < 0 else signal if signal < inputs else signal + CONSTANTS

        for number, (a, b, table) in enumerate(netlist.gates, inputs):
            if number in netlist.used:
                signal = renumbered(number)
                wiring.a[signal], wiring.b[signal], wiring.table[signal] = renumbered(a), renumbered(b), table
                wiring.order[wiring.gates[0]] = signal
                wiring.gates[0] += 1
        for o, (_, signal, inverted) in enumerate(netlist.outputs):
            wiring.out[o], wiring.inverted[o] = renumbered(signal), inverted
        begin(self.chain, self.demand)

    @property
    def gates(self) -> int:
        """How many there are now."""
        return int(self.chain.circuit.wiring.gates[0])

    @property
    def wrong(self) -> int:
        """In how many positions the circuit is wrong now."""
        return int(self.chain.tally[WRONG])

    @property
    def best(self) -> tuple[int, int]:
        """The fewest gates of a circuit that was right everywhere, and the fewest levels with so many."""
        return int(self.chain.tally[FEWEST]), int(self.chain.tally[LEVELS])

    def go_on(self, heat: Heat) -> None:
        """A round of changes."""
        anneal(self.chain, self.demand, STEPS, heat.temperature, heat.price)

    def best_netlist(self) -> Netlist:
        """The best circuit so far."""
        inputs, wiring = len(self.conditions.inputs), self.chain.best
        order = [int(signal) for signal in wiring.order[: wiring.gates[0]]]
        renumbered = {signal: signal for signal in range(inputs)}
        renumbered |= {signal: number for number, signal in enumerate(order, inputs)}
        constants = {inputs: 0, inputs + 1: 1}
        renumbered |= dict.fromkeys(constants, -1)

        def gate(signal: int) -> Gate:
            # A gate of a netlist reads no constants: one that does here depends on its other input alone.
            a, b, table = (int(array[signal]) for array in (wiring.a, wiring.b, wiring.table))
            read = next((s for s in (a, b) if s not in constants), 0)
            levels = [(constants.get(a, number & 1), constants.get(b, number >> 1)) for number in range(4)]
            table = sum((table >> x + 2 * y & 1) << number for number, (x, y) in enumerate(levels))
            a, b = (renumbered[read if s in constants else s] for s in (a, b))
            return Gate(a, b, table)

        return Netlist(
            self.conditions.inputs,
            tuple(gate(signal) for signal in order),
            tuple(
                Output(name, renumbered[int(signal)], bool(inverted) != bool(constants.get(int(signal), 0)))
                for name, signal, inverted in zip(self.conditions.outputs, wiring.out, wiring.inverted, strict=True)
            ),
        )
