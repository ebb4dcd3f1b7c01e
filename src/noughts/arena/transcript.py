"""A transcript: what a player answers to given moves, in the notation it is spoken to in."""

from typing import NamedTuple

from noughts.games import Game, IllegalMoveError, Move
from noughts.games.playing import Playing
from noughts.players import Choice, Player

__all__ = ["Exchange", "Transcript", "transcribe"]


class Exchange(NamedTuple):
    """A move of the user, and the player's reply; either may be missing, first and last."""

    user: str | None
    reply: str | None
    choice: Choice | None


class Transcript(NamedTuple):
    """The whole conversation and how it ended."""

    playing: Playing
    exchanges: list[Exchange]
    side: int
    """The player's side."""

    @property
    def result(self) -> str:
        """What came of it for the player: `win`, `loss`, `draw` or `unfinished`."""
        result = self.playing.result
        return "unfinished" if result is None else str(result.outcome(self.side))


def transcribe(game: Game, player: Player, moves: list[str], *, begins: bool = False) -> Transcript:
    """Play these moves against a player; the user begins, unless the player does.

    Args:
        game: The game that is played.
        player: Who replies.
        moves: The user's moves, in the common notation or in the player's own.
        begins: Whether the player makes the first move.
    """
    player.check(game)
    own = bool(moves) and all(player.read_own(text) is not None for text in moves)
    playing = Playing.begin(game)
    side = 0 if begins else 1
    exchanges = []

    def answer(user: str | None) -> None:
        nonlocal playing
        if playing.result is not None:
            exchanges.append(Exchange(user, None, None))
            return
        choice = player.reply(playing)
        playing = playing.then(choice.move)
        reply = player.write_own(choice.move) if own else None
        exchanges.append(Exchange(user, reply or game.write_move(choice.move), choice))

    if begins:
        answer(None)
    for text in moves:
        if playing.result is not None:
            raise IllegalMoveError(f"{text!r} cannot be played: the game is over, expected no more moves")
        playing = playing.then(read_move(game, player, playing, text))
        answer(text)
    return Transcript(playing, exchanges, side)


def read_move(game: Game, player: Player, playing: Playing, text: str) -> Move:
    """A legal move in the common notation or in the player's own.

    Args:
        game: The game that is played.
        player: Whose own notation is understood as well.
        playing: The game so far.
        text: The move, as somebody typed it.

    Raises:
        NotationError: If it is a move in neither notation.
        IllegalMoveError: If the rules do not allow it here.
    """
    own = player.read_own(text)
    if own is None:
        return game.read_move(playing.position, text)
    if own not in game.moves(playing.position):
        raise IllegalMoveError(f"{text!r} is not a legal move here: expected a free place")
    return own
