"""Games between players: matches and tournaments, transcripts, the shortest wins over machines, fallible opponents."""

from noughts.arena.beat import Beaten, Unbeatable, beat
from noughts.arena.match import (
    Match,
    Pairing,
    Standing,
    Tournament,
    TournamentError,
    able_players,
    match_so_far,
    play_game,
    play_match,
    play_tournament,
    score_interval,
    standings,
    tournament_so_far,
    wilson,
)
from noughts.arena.transcript import Exchange, Transcript, read_move, transcribe

__all__ = [
    "Beaten",
    "Exchange",
    "Match",
    "Pairing",
    "Standing",
    "Tournament",
    "TournamentError",
    "Transcript",
    "Unbeatable",
    "able_players",
    "beat",
    "match_so_far",
    "play_game",
    "play_match",
    "play_tournament",
    "read_move",
    "score_interval",
    "standings",
    "tournament_so_far",
    "transcribe",
    "wilson",
]
