"""Games between players: matches with confidence, and transcripts of a player's replies."""

from noughts.arena.beat import Beaten, Unbeatable, beat
from noughts.arena.match import Match, play_game, play_match
from noughts.arena.transcript import Exchange, Transcript, read_move, transcribe

__all__ = [
    "Beaten",
    "Exchange",
    "Match",
    "Transcript",
    "Unbeatable",
    "beat",
    "play_game",
    "play_match",
    "read_move",
    "transcribe",
]
