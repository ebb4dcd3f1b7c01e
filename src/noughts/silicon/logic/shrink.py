"""The search for small logic: chains of random changes side by side, and the smallest netlist that any of them has met.

A *chain* is a circuit that is changed again and again (`shrink_kernel` says how), at a temperature of its own: cold
ones hardly ever grow, hot ones do and get out of dead ends. After every round the chains are compared; one whose best
is far behind goes on from the best of all.

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
from noughts.silicon.logic.shrink_kernel import (
    CONSTANTS,
    EXACTLY_ONE,
    SOME,
    Demand,
    Wiring,
    anneal,
    evaluate,
    is_right,
)

__all__ = ["CHAINS", "STEPS", "NotRightError", "Round", "shrink"]

CHAINS = 4
STEPS = 2_000
"""Changes of each chain in a round: some tenths of a second, so that Ctrl-C is soon heard."""
_TEMPERATURES = (0.4, 0.6, 0.8, 1.0)
_GROWING = 0.3
_BEHIND = 6
"""Gates by which a chain may be behind the best and go on by itself."""
_GROWTH = 200
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
    demand = Demand(
        conditions.allowed,
        conditions.valid,
        SOME if conditions.several else EXACTLY_ONE,
        conditions.roots,
        conditions.start,
        conditions.child,
    )
    running = [_Chain(conditions, demand, start, seed * chains + number, number) for number in range(chains)]
    if not running[0].is_right():
        raise NotRightError("the netlist to begin with does not do what is asked for: expected one that does")
    best, number = start, 0
    yield Round(number, 0, best)
    with ThreadPoolExecutor(max(1, min(threads, chains))) as pool:
        while True:
            # A list, so that all chains have ended their round before any is compared.
            found = list(pool.map(_Chain.go_on, running))
            number += 1
            smallest = min(range(chains), key=lambda chain: found[chain])
            if found[smallest] < len(best.gates):
                best = running[smallest].best_netlist()
            for chain in running:
                if chain.fewest > len(best.gates) + _BEHIND:
                    chain.take(best)
            yield Round(number, number * chains * STEPS, best)


class _Chain:
    """A circuit in arrays, its own random numbers and its temperature."""

    def __init__(self, conditions: Conditions, demand: Demand, start: Netlist, seed: int, number: int) -> None:
        self.conditions, self.demand = conditions, demand
        self.temperature = _TEMPERATURES[number % len(_TEMPERATURES)]
        self.state = np.array([(seed + 1) * _GOLDEN & (1 << 64) - 1], np.uint64)
        self.first = len(conditions.inputs) + CONSTANTS
        room = len(start.gates) + _GROWTH
        self.values = np.zeros((self.first + room, len(conditions.valid)), np.uint64)
        self.values[: len(conditions.inputs)] = conditions.given
        self.values[self.first - 1] = ~np.uint64(0)
        self.wiring, self.best = (self._empty(room) for _ in range(2))
        self.take(start)

    def _empty(self, room: int) -> Wiring:
        gates, outputs = (np.zeros(size, np.int32) for size in (room, len(self.conditions.outputs)))
        return Wiring(gates, gates.copy(), gates.copy(), outputs, outputs.copy())

    def take(self, netlist: Netlist) -> None:
        """Go on from a netlist."""
        inputs = len(self.conditions.inputs)
        # In a netlist the gates follow the inputs at once, and the constant 0 is -1; here two constants lie between.
        shift = {signal: signal if signal < inputs else signal + CONSTANTS for signal in range(-1, inputs)}
        shift[-1] = inputs

        def renumbered(signal: int) -> int:
            return shift.get(signal, signal + CONSTANTS)

        for k, gate in enumerate(netlist.gates):
            self.wiring.a[k], self.wiring.b[k] = renumbered(gate.a), renumbered(gate.b)
            self.wiring.table[k] = gate.table
        named = {output.name: output for output in netlist.outputs}
        for o, name in enumerate(self.conditions.outputs):
            self.wiring.out[o], self.wiring.inverted[o] = renumbered(named[name].signal), named[name].inverted
        self.gates = self.fewest = len(netlist.gates)

    def is_right(self) -> bool:
        """Whether the circuit does what is asked for."""
        evaluate(self.values, self.first, self.wiring.a, self.wiring.b, self.wiring.table, self.gates)
        return is_right(self.values, self.wiring, self.demand)

    def go_on(self) -> int:
        """A round of changes; the fewest gates met in it."""
        self.gates, self.fewest = anneal(
            self.values,
            self.wiring,
            self.gates,
            self.demand,
            self.best,
            self.state,
            STEPS,
            self.temperature,
            _GROWING,
        )
        return self.fewest

    def best_netlist(self) -> Netlist:
        """The smallest circuit of the last round."""
        inputs = len(self.conditions.inputs)

        def renumbered(signal: int) -> int:
            return signal if signal < inputs else signal - CONSTANTS

        def output(name: str, signal: int, inverted: int) -> Output:
            if inputs <= signal < self.first:
                return Output(name, -1, bool(inverted) != (signal == inputs + 1))
            return Output(name, renumbered(signal), bool(inverted))

        wiring = self.best
        gates = zip(wiring.a[: self.fewest], wiring.b[: self.fewest], wiring.table[: self.fewest], strict=True)
        outputs = zip(self.conditions.outputs, wiring.out, wiring.inverted, strict=True)
        return Netlist(
            self.conditions.inputs,
            tuple(Gate(renumbered(int(a)), renumbered(int(b)), int(table)) for a, b, table in gates),
            tuple(output(name, int(signal), int(inverted)) for name, signal, inverted in outputs),
        )
