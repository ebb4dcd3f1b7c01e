"""What the page of a game says: whose turn it is, what the last reply was, a hint, and how the game ended.

The page speaks to the person who plays: "Your turn", "You lost". Players have the names that people have for them ("the
C program of 1990"), never the ones that addresses have. What a machine prints by itself at the end, as the C program
of 1990 its "I won.", is repeated as a quotation.
"""

from typing import Any

from noughts.games import SIDES, Outcome
from noughts.games.playing import Result
from noughts.players import Human, called, end_words, last_words, name_of
from noughts.players.listing1977 import in_seconds
from noughts.web.pages.play_view import choices, searched
from noughts.web.sitting import Sitting

__all__ = ["cost_words", "ending", "hint_words", "quotation", "turn_words"]


def turn_words(sitting: Sitting) -> str:
    """Whose turn it is, and what they can do."""
    side = SIDES[sitting.playing.position.turn].upper()
    if sitting.full:
        return f"This game has {len(sitting.moves)} moves, and its address has no room for more: nobody won."
    if sitting.machine_to_move:
        return f"{name_of(sitting.turn_name)} ({side}) is to move."
    whose = f"Your turn, {side}" if sitting.names.count(Human.name) == 1 else f"{side} is to move"
    return f"{whose}: {_task(sitting)}"


def _task(sitting: Sitting) -> str:
    position, other = sitting.playing.position, SIDES[1 - sitting.playing.position.turn].upper()
    if sitting.part.endswith("x"):
        return f"a mill! Capture one of the stones of {other}."
    if sitting.part:
        return f"where should {sitting.part.rstrip('-')} go?"
    if not choices(sitting):
        return "no stone can move, so pass."
    if not sitting.game.rules.can_step(position, position.turn):
        return "place a stone."
    if position.hand[position.turn]:
        return "place a stone, or pick one of yours to move it."
    return "pick one of your stones to move it."


def ending(sitting: Sitting, result: Result) -> str:
    """How the game ended, said to the person who played, if it was one."""
    if sitting.names.count(Human.name) == 1:
        you = sitting.names.index(Human.name)
        return end_words(sitting.game, result, (called(sitting.names[0]), called(sitting.names[1])), you)
    sides = [SIDES[side].upper() for side in (0, 1)]
    x, o = (
        side if name == Human.name else f"{called(name)} ({side})"
        for name, side in zip(sitting.names, sides, strict=True)
    )
    return end_words(sitting.game, result, (x, o))


def quotation(sitting: Sitting, result: Result, remark: str | None) -> str:
    """What the machine itself says at the end, if it says anything: with its last move, or about the game."""
    if sitting.names.count(Human.name) != 1:
        return ""
    side = 1 - sitting.names.index(Human.name)
    words = remark or last_words(sitting.names[side], result, side)
    return f"“{words}”" if words else ""


def cost_words(sitting: Sitting) -> str:
    """What the last reply was and what it cost; empty where there was none."""
    name = sitting.names[1 - sitting.playing.position.turn]
    if not sitting.cost or not sitting.moves or name == Human.name:
        return ""
    counts = [None if word == "-" else int(word) for word in sitting.cost.split(".")]
    milliseconds, cycles, positions, then = counts if len(counts) > 3 else [*counts, None]
    words = f"{name_of(name)} answered {sitting.moves[-1]}"
    if milliseconds is not None:
        words += f" in {milliseconds:,} ms" if milliseconds else " in less than 1 ms"
    for count, what in ((positions, "position"), (cycles, "clock cycle")):
        words += "" if count is None else f", {count:,} {what}{'s' * (count != 1)}"
    return words + ("." if then is None else f", {then:,} statements, {in_seconds(then):.0f} s in 1977.")


def hint_words(analysis: dict[str, Any], reason: str) -> str:
    """The best move, and why it is."""
    best = analysis["moves"][0]
    if analysis["threats"]:
        first, *rest = analysis["threats"]
        if not rest:
            return f"Hint: {first}. It completes a row and wins at once."
        return f"Hint: {first}. It begins a chain of threats that wins: {', '.join(analysis['threats'])}."
    if best["value"] == Outcome.UNKNOWN:
        return f"Hint: {best['move']} looks best, {searched(analysis)}."
    return f"Hint: {best['move']}. {reason}"
