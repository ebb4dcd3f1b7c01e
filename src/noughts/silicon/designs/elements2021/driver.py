"""At the switches of the DE2-115, and the runs of the report.

A switch that is up stays up until the next game: on a place that has a stone it means nothing. So a human who looks at
the history moves SW16 and SW10 to SW14 alone, in the middle of a game or after it, and puts them down again.
"""

from noughts.silicon.circuit import Pins
from noughts.silicon.design import Message, Sample
from noughts.silicon.driver import PlayingDriver, bits

__all__ = ["SAMPLES", "ElementsDriver"]

_HUMAN_BEGINS = 1 << 17
_HISTORY = 1 << 16
_ADDRESS = 10
_WORDS = 32
_ALL_LIT = (1 << 18) - 1


class ElementsDriver(PlayingDriver):
    """Puts switches up and reads LEDs. LEDR2k+1 goes out for the AI's stone at switch k, LEDR2k for the human's."""

    waiting = "LEDG0"
    over = "LEDG2"
    won = "LEDG1"
    keeps_games = True

    def stones(self) -> tuple[int, int]:
        dark = _ALL_LIT & ~self.pins.get("LEDR")
        return _mirrored(bits(dark, 1)), _mirrored(bits(dark, 0))

    def history(self) -> list[tuple[int, int]]:
        """Every word of the memory, by its switches; one that was never written shows an empty board."""
        before = self.pins.get("SW")
        words = []
        for address in range(_WORDS):
            self._look(before & ~(_WORDS - 1 << _ADDRESS) | _HISTORY | address << _ADDRESS)
            words.append(self.stones())
        self._look(before)
        return [word for word in words if word != (0, 0)]

    def _look(self, switches: int) -> None:
        """Two cycles: one for the register behind the switches, one for the memory."""
        self.pins.set("SW", switches)
        self.pins.clock(2)

    def _reset(self, *, user_first: bool, start: int) -> None:  # noqa: ARG002
        self.pins.set("SW", _HUMAN_BEGINS if user_first else 0)
        self.pins.reset()

    def _down(self, place: int) -> None:
        self.pins.set("SW", self.pins.get("SW") | 1 << 8 - place)

    def _up(self) -> None:
        pass


def _mirrored(places: int) -> int:
    """Switches count from the bottom right, places from the top left."""
    return int(f"{places:09b}"[::-1], 2)


def _first_search(pins: Pins) -> None:
    pins.reset()
    pins.clock(119)


# The report's transcript has a note at 50,433,110 ns and another at 100,833,550 ns, and no moves. What the human plays
# here is what fits those times on the design with `timing=reported` (`noughts.bench.elements`): in the first game
# nothing else does; in the second a few others do, with another pause between the games. The test bench is ours: four
# cycles of reset, a switch as soon as LEDG0 is on, and one cycle in which LEDG1 can be seen.

_RESET = 4
_TWO_GAMES = ((8, 7), (6, 2, 3, 7))


def _two_games(pins: Pins) -> None:
    driver = ElementsDriver(pins)
    for game in _TWO_GAMES:
        pins.set("SW", 0)
        pins.reset(_RESET)
        pins.run_until(driver.waiting, 1, 3_000_000)
        for place in game:
            driver.press(place)
        pins.clock()


def _history(pins: Pins) -> None:
    driver = ElementsDriver(pins)
    driver.begin(user_first=True)
    for place in (1, 2, 7, 8):
        driver.press(place)
    driver.history()


SAMPLES = (
    Sample(
        "first-search",
        "The first 120 cycles after KEY0: the AI begins, and the search goes down the chain from element 9.",
        _first_search,
    ),
    Sample(
        "two-games",
        "Two games that the AI begins and wins, as in figure 8: each waits longest for the first move, with nine empty "
        "cells, and less with every one. The test bench notes the wins.",
        _two_games,
        (Message("** Note: Win\n   Time: %0t ns  Iteration: 0  Instance: /tictactoe_tb/dut", when="LEDG1"),),
    ),
    Sample(
        "history",
        "A game that the human begins and the AI wins; then SW16 goes up, and LEDR shows all 32 words of the memory: "
        "that game at address 0, and empty boards.",
        _history,
    ),
)
