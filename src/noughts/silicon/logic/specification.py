"""Specifications: what a logic that plays tic-tac-toe must do.

A logic is asked in a position: eighteen inputs say where the stones of the side to move are (`mine_a1` … `mine_c3`)
and where the other's (`theirs_a1` … `theirs_c3`), nine outputs (`a1` … `c3`) say where to put the next one. A move
*keeps the value* if what it leads to is worth as much as the position was: in a won position it wins, in a drawn one it
does not lose, in a lost one anything will do.

    A       on all 4,520 positions in play exactly one output, a move that keeps the value; Knuth's problem
    A-any   as A, but any outputs, at least one, if they all keep the value
    B       a machine that moves second, follows its own moves from the empty board against every reply, and never
            loses; always exactly one output, a legal one. What it says in positions it never meets does not matter
    C       the same for one that moves first
    D       the same for one that may do either, the same logic for both
    E-B … E-D   as B, C and D, and every move keeps the value: every win that is offered is taken

Whoever does A does all the others. Whoever does E-D does B, C and D.
"""

from typing import NamedTuple

from noughts.games import NoughtsError, game

__all__ = ["INPUTS", "POINTS", "SPECIFICATIONS", "Specification", "UnknownSpecificationError", "specification"]

POINTS: tuple[str, ...] = game("tictactoe").layout.points
"""The outputs, in the layout's order: a1 b1 c1 a2 …"""
INPUTS: tuple[str, ...] = tuple(f"{whose}_{point}" for whose in ("mine", "theirs") for point in POINTS)
"""The inputs: the stones of the side to move, then the other's."""


class UnknownSpecificationError(NoughtsError):
    """A name that is no specification's."""


class Specification(NamedTuple):
    """What a logic must do."""

    name: str
    about: str
    """One line for people."""
    turns: tuple[int, ...] = ()
    """Of a machine that follows its own moves: the sides it may have, 0 for the one that begins. Else it is asked
    everywhere."""
    keeps_value: bool = True
    """Whether every move keeps the value; else the machine never loses."""
    one_move: bool = True
    """Whether exactly one output is raised; else at least one."""

    @property
    def everywhere(self) -> bool:
        """Whether it is asked in every position, not only in those that its own moves lead to."""
        return not self.turns


_WHO = {"B": ("moving second", (1,)), "C": ("moving first", (0,)), "D": ("moving first or second", (0, 1))}

SPECIFICATIONS: dict[str, Specification] = {
    each.name: each
    for each in (
        Specification("A", "one move that keeps the value, in each of the 4,520 positions in play"),
        Specification("A-any", "moves that all keep the value, at least one, in each position in play", one_move=False),
        *(
            Specification(letter, f"{who} it never loses, by its own moves from the empty board", turns, False)
            for letter, (who, turns) in _WHO.items()
        ),
        *(
            Specification(f"E-{letter}", f"{who} it keeps the value with every move: it takes every win", turns)
            for letter, (who, turns) in _WHO.items()
        ),
    )
}


def specification(name: str) -> Specification:
    """The specification of this name; capital letters or not.

    Args:
        name: As `A` or `e-b`.

    Raises:
        UnknownSpecificationError: If there is none of this name.
    """
    for known in SPECIFICATIONS.values():
        if known.name.casefold() == name.casefold():
            return known
    raise UnknownSpecificationError(f"{name[:40]!r} is not a specification: expected {', '.join(SPECIFICATIONS)}")
