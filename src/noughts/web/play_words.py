"""What the page of a game says: whose turn it is and what to do, what the last reply cost, how it ended, a hint.

The words of the end are those of the C program of 1990: "You won", "I won", "It's a draw".
"""

from typing import Any

from noughts.games import SIDES, Outcome
from noughts.games.picture import Note
from noughts.games.playing import Result
from noughts.players import Human
from noughts.web.clicks import choices
from noughts.web.stories import name_of
from noughts.web.table import Table

__all__ = ["cost_words", "ending", "hint_words", "note", "seat", "turn_words", "worth", "worth_words"]


def seat(table: Table, side: int) -> str:
    """Who sits there, for the other one to read."""
    if table.names[side] != Human.name:
        return name_of(table.names[side])
    return "you" if table.names.count(Human.name) == 1 else "a person"


def turn_words(table: Table) -> str:
    """Whose turn it is, and what they can do."""
    side = SIDES[table.playing.position.turn].upper()
    if table.full:
        return f"This game has {len(table.moves)} moves, and its address has no room for more: nobody won."
    if table.machine_to_move:
        return f"{table.turn_name} ({side}) is to move."
    whose = f"Your turn, {side}" if table.names.count(Human.name) == 1 else f"{side} is to move"
    return f"{whose}: {_task(table)}"


def _task(table: Table) -> str:
    position, other = table.playing.position, SIDES[1 - table.playing.position.turn].upper()
    if table.part.endswith("x"):
        return f"a mill! Capture one of the stones of {other}."
    if table.part:
        return f"where should {table.part.rstrip('-')} go?"
    if not choices(table):
        return "no stone can move, so pass."
    if position.hand[position.turn] or table.game.placing_only:
        return "place a stone."
    return "pick one of your stones to move it."


def ending(table: Table, result: Result) -> str:
    """How the game ended."""
    if result.winner is None:
        return f"It's a draw: {result.reason}."
    if table.names.count(Human.name) == 1:
        who = "You" if table.names[result.winner] == Human.name else "I"
    else:
        side = SIDES[result.winner].upper()
        who = side if table.names[result.winner] == Human.name else f"{side} ({table.names[result.winner]})"
    return f"{who} won: {result.reason}."


def cost_words(table: Table, remark: str | None) -> str:
    """What the last reply was and what it cost; empty where there was none."""
    name = table.names[1 - table.playing.position.turn]
    if not table.cost or not table.moves or name == Human.name:
        return ""
    milliseconds, cycles, positions = (None if word == "-" else int(word) for word in table.cost.split("."))
    words = f"{name} answered {table.moves[-1]}"
    if milliseconds is not None:
        words += f" in {milliseconds:,} ms" if milliseconds else " in less than 1 ms"
    counts = ((positions, "position"), (cycles, "clock cycle"))
    words += "".join(f", {count:,} {what}{'s' * (count != 1)}" for count, what in counts if count is not None)
    return f"{words}." + (f" {remark}!" if remark else "")


def note(rated: dict[str, Any]) -> Note:
    """The worth of a move as it stands on the board: W3, D, L4, or a question mark."""
    letter = {Outcome.WIN: "W", Outcome.DRAW: "D", Outcome.LOSS: "L"}.get(rated["value"], "?")
    plies = rated["remoteness"] if letter in "WL" else None
    return Note(f"{letter}{'' if plies is None else plies}", rated["value"])


def worth(rated: dict[str, Any]) -> str:
    """The worth of a move or a position in two or three words."""
    if rated["value"] == Outcome.UNKNOWN:
        return "not known"
    plies = rated["remoteness"] if rated["value"] != Outcome.DRAW else None
    return f"{rated['value']}{'' if plies is None else f' in {plies}'}"


def worth_words(table: Table, analysis: dict[str, Any]) -> str:
    """What the position is worth to the player to move."""
    side = SIDES[table.playing.position.turn].upper()
    if analysis["value"] == Outcome.UNKNOWN:
        return "Nobody knows yet how this ends with best play."
    verb = {Outcome.WIN: "wins", Outcome.DRAW: "draws", Outcome.LOSS: "loses"}[analysis["value"]]
    plies = analysis["remoteness"] if analysis["value"] != Outcome.DRAW else None
    length = "" if plies is None else f" in {plies} move{'s' * (plies != 1)}, counting both sides'"
    return f"With best play {side} {verb}{length}."


def hint_words(analysis: dict[str, Any], reason: str) -> str:
    """The best move, and why it is."""
    best = analysis["moves"][0]
    if analysis["threats"]:
        first, *rest = analysis["threats"]
        if not rest:
            return f"Hint: {first}. It completes a row and wins at once."
        return f"Hint: {first}. It begins a chain of threats that wins: {', '.join(analysis['threats'])}."
    if best["value"] == Outcome.UNKNOWN:
        return f"Hint: {best['move']} looks best, a few moves ahead."
    return f"Hint: {best['move']}. {reason}"
