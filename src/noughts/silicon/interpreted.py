"""A design in Amaranth's own simulator: some thousand cycles a second, and nothing to compile."""

from typing import Any

from amaranth.sim import Simulator

from noughts.silicon.design import Design
from noughts.silicon.pins import Pins

__all__ = ["Interpreted"]

_HALF = 100e-9


class Interpreted(Pins):
    """A chip whose pins and watched signals are Amaranth's signals."""

    def __init__(self, design: Design) -> None:
        self.design = design
        component = design.make()
        self._signals = {name: getattr(component, name) for name in component.signature.members}
        self._signals |= design.watch(component)
        self._levels = {name: 0 for name, pin in design.pins().items() if pin.is_input} | design.idle
        self._seen: dict[str, int] = {}
        self._halves = 0
        self._simulator = Simulator(component)
        self._simulator.add_testbench(self._bench, background=True)
        self._simulator.run_until(_HALF / 2)

    async def _bench(self, context: Any) -> None:
        """Forever: what is to be set is set, a half cycle passes, and everything is seen."""
        while True:
            for name, level in self._levels.items():
                context.set(self._signals[name], level)
            self._seen = {name: context.get(signal) for name, signal in self._signals.items()}
            await context.delay(_HALF)

    def set(self, pin: str, value: int) -> None:
        self._levels[pin] = value

    def get(self, pin: str) -> int:
        return self._seen[pin]

    def half(self, clock: int) -> None:
        self._levels[self.design.clock] = clock
        self._halves += 1
        self._simulator.run_until((self._halves + 0.5) * _HALF)
