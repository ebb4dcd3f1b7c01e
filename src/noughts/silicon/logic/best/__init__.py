"""The records: for each specification the smallest netlist that is known here, a file each, named by it.

A file says in its comments who made it, when and how. A smaller one takes its place: whatever counts, checks, proves or
draws the records goes over these files.
"""

from functools import cache
from importlib.resources import files

from noughts.silicon.logic.netlist import Netlist, NetlistError, read_netlist
from noughts.silicon.logic.specification import SPECIFICATIONS, specification

__all__ = ["best", "best_text", "known"]


def known() -> list[str]:
    """The names of the specifications that have a record, in the order of the specifications."""
    return [name for name in SPECIFICATIONS if (files(__name__) / f"{name}.txt").is_file()]


def best_text(name: str) -> str:
    """The file of a record, with its comments.

    Args:
        name: Of a specification; capital letters or not.

    Raises:
        UnknownSpecificationError: If there is no such specification.
        NetlistError: If there is no record for it yet.
    """
    wanted = specification(name).name
    if wanted not in known():
        raise NetlistError(f"no netlist for {wanted} comes with Noughts: expected one of {', '.join(known())}")
    return (files(__name__) / f"{wanted}.txt").read_text(encoding="utf-8")


@cache
def best(name: str) -> Netlist:
    """The record for a specification.

    Args:
        name: Of the specification; capital letters or not.

    Raises:
        UnknownSpecificationError: If there is no such specification.
        NetlistError: If there is no record for it yet.
    """
    return read_netlist(best_text(name))
