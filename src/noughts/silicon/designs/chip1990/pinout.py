"""Which pin of the chip of 1990 comes out at which leg of its package: the paper's appendix D, repaired.

The appendix prints 64 numbers in two columns, 1 to 32 down the left side and 64 to 33 down the right, as the pins of a
dual in-line package are counted. The scan has slips, which chapter 4 of the paper helps to mend. It lists 15 inputs and
30 outputs; with two pairs of supplies those are the 49 pins that it says are used, and 15 of 64 are left unconnected,
as the appendix has it. So each signal has exactly one leg:

- win (5) and sp0 (6) are printed as inputs. Chapter 4 lists both as outputs, and nothing else was meant by them.
- keyboardN 8 stands at 2 and 17, keyboardN 1 at 16 and 23, and numbers 2 and 7 stand nowhere. So one of each pair is
  misread. A 1 looks like a 7, and an 8 rather like a 2 than like a 7: one of 16 and 23 is 7, one of 2 and 17 is 2.
- led 8 stands at 60 and 44, led 3 nowhere: one of the two is 3, which looks like an 8.

Which of each pair it is, the paper does not say; our choice goes by neighbours. With 7 at leg 16 and 8 at 17, legs 16
to 18 are the keys of the bottom row, 7, 8 and 6. With led 8 at 44, legs 47 to 43 are the even leds 0, 6, 4, 8, 2, and
led 3 at 60 is on the side of the odd ones, 51 to 48: 5, 11, 7, 9.
"""

from noughts.games.layout import grid
from noughts.silicon.pinout import Leg, Pinout

__all__ = ["BITS", "PINOUT"]

_POINTS = grid(3, 3, 3).points

BITS = {
    "keyboardN": tuple(f"the key of {point}; low while pressed" for point in _POINTS),
    "led": tuple(f"the {whose} stone on {point}" for point in _POINTS for whose in ("chip's", "user's")),
}
"""Pins that are told one by one: the places are numbered from 0, row by row."""

_OUTPUT = "printed as an input; chapter 4 lists it as an output"

PINOUT = Pinout(
    "a package of 64 pins, dual in line",
    (
        Leg(1),
        Leg(2, "keyboardN", 2, reading="printed 8, as is 17; 2 and 7 are missing", ours=True),
        Leg(3, "userbegins"),
        Leg(4, "scan"),
        Leg(5, "win", reading=_OUTPUT),
        Leg(6, "sp", 0, reading=_OUTPUT),
        Leg(7, "pin", reading="printed piN, as in chapter 4; appendix E writes pin, and it acts when high"),
        Leg(8),
        Leg(9, "scanin"),
        Leg(10, "resetN"),
        Leg(11),
        Leg(12, supply="Vdd pads"),
        Leg(13),
        Leg(14, supply="Vss pads"),
        Leg(15),
        Leg(16, "keyboardN", 7, reading="printed 1, as is 23; 2 and 7 are missing", ours=True),
        Leg(17, "keyboardN", 8, reading="printed 8, as is 2", ours=True),
        Leg(18, "keyboardN", 6),
        Leg(19),
        Leg(20, "cp"),
        Leg(21),
        Leg(22, "i", 0),
        Leg(23, "keyboardN", 1, reading="printed 1, as is 16", ours=True),
        Leg(24, "keyboardN", 5),
        Leg(25, "i", 1),
        Leg(26, "i", 2),
        Leg(27, "i", 3),
        Leg(28, "keyboardN", 4),
        Leg(29, "keyboardN", 0),
        Leg(30, "keyboardN", 3),
        Leg(31),
        Leg(32, supply="Vss core"),
        Leg(33),
        Leg(34),
        Leg(35, "led", 13),
        Leg(36, "led", 14),
        Leg(37, "led", 17),
        Leg(38, "led", 10),
        Leg(39, "led", 12),
        Leg(40, "led", 1),
        Leg(41, "led", 15),
        Leg(42, "led", 16),
        Leg(43, "led", 2),
        Leg(44, "led", 8, reading="printed 8, as is 60", ours=True),
        Leg(45, "led", 4),
        Leg(46, "led", 6),
        Leg(47, "led", 0),
        Leg(48, "led", 9),
        Leg(49, "led", 7),
        Leg(50, "led", 11),
        Leg(51, "led", 5),
        Leg(52),
        Leg(53),
        Leg(54),
        Leg(55, "prompt"),
        Leg(56, "scanout"),
        Leg(57),
        Leg(58, "fin"),
        Leg(59, "sp", 1),
        Leg(60, "led", 3, reading="printed 8, as is 44; 3 is missing", ours=True),
        Leg(61, "sp", 2),
        Leg(62, "copyboard"),
        Leg(63),
        Leg(64, supply="Vdd core"),
    ),
)
