"""What players are called where people read it, and how a game between them ended.

A player has a name for commands and addresses (`c1990`) and one for people ("The C program of 1990"); sentences have
the latter. The end of a game is told to the person who played it: "You lost: …".
"""

from noughts.games import Game
from noughts.games.numbers import counted
from noughts.games.playing import Result
from noughts.players.catalogue import PLAYERS

__all__ = ["called", "end_words", "last_words", "name_of"]


def name_of(player: str) -> str:
    """A player's name for people; the name itself if there is none.

    Args:
        player: The name of a player, as the catalogue has it.
    """
    base, _, options = player.partition(":")
    if base not in PLAYERS:
        return player
    kind = PLAYERS[base]
    return kind.title + (f" of {kind.year}" if kind.year else "") + (f" ({options})" if options else "")


def called(player: str) -> str:
    """A player's name in the middle of a sentence.

    Args:
        player: The name of a player, as the catalogue has it.
    """
    name = name_of(player)
    return f"the {name[4:]}" if name.startswith("The ") else name


def last_words(player: str, result: Result, side: int) -> str | None:
    """What a machine on this side prints by itself at the end, as the C program of 1990 its "I won.".

    Args:
        player: The name of a player, as the catalogue has it.
        result: How the game ended.
        side: 0 if it played X, 1 if O.

    Returns:
        What it prints; None for a player that says nothing.
    """
    base = player.partition(":")[0]
    return PLAYERS[base].last_words.get(result.outcome(side)) if base in PLAYERS else None


def end_words(game: Game, result: Result, names: tuple[str, str], you: int | None = None) -> str:
    """How a game ended.

    Args:
        game: What was played.
        result: Its end.
        names: What the two sides are called in the middle of a sentence.
        you: The side of the person who is told, if they played.

    Returns:
        A sentence: "You lost: the C program of 1990 has three in a row."
    """
    if result.winner is None:
        return f"It's a draw: {_reason(game, result.reason, '', you_won=True)}."
    if you is None:
        winner = names[result.winner]
        reason = _reason(game, result.reason, names[1 - result.winner], you_won=True)
        return f"{winner[0].upper()}{winner[1:]} won: {reason}."
    won = result.winner == you
    reason = _reason(game, result.reason, names[1 - you], you_won=won)
    return f"You {'won' if won else 'lost'}: {reason}."


def _reason(game: Game, reason: str, other: str, *, you_won: bool) -> str:
    """Why a game is over, in words for one side of it; `other` is what the other side is called."""
    if reason == "a row":
        row = f"{counted(len(game.layout.lines[0]))} in a row"
        return row if you_won else f"{other} has {row}"
    whose = f"{other} has" if you_won else "you have"
    if reason.startswith("fewer than"):
        return f"{whose} only {counted(game.rules.fewest - 1)} stones left"
    if reason == "a blockade":
        return f"{other if you_won else 'you'} cannot move"
    return reason
