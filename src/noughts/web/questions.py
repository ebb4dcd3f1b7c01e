"""What is asked of Noughts on the web, as functions of plain values: they run in the server or in a process beside it.

The answers are plain values too, ready for JSON and for a template.
"""

from time import perf_counter
from typing import Any

from noughts.games import game as find_game
from noughts.games.playing import Playing
from noughts.insight.reasons import why
from noughts.players import player
from noughts.solve import analyse

__all__ = ["analysis", "reasons", "reply"]


def analysis(game: str, position: str) -> dict[str, Any]:
    """What a position is worth, and every move, best first."""
    rules = find_game(game)
    here = rules.read(position)
    found = analyse(rules, here)
    moves = [
        {
            "move": rules.write_move(rated.move),
            "value": rated.value.outcome.value,
            "remoteness": rated.value.remoteness,
            "position": rules.write(rated.position),
        }
        for rated in found.moves
    ]
    return {
        "game": rules.name,
        "position": rules.write(here),
        "value": found.value.outcome.value,
        "remoteness": found.value.remoteness,
        "reason": found.reason,
        "threats": [rules.board.points[point] for point in found.threats],
        "moves": moves,
    }


def reasons(game: str, position: str, move: str) -> dict[str, Any]:
    """Why a move is good or bad."""
    rules = find_game(game)
    here = rules.read(position)
    chosen = rules.read_move(here, move)
    reason = why(rules, here, chosen)
    answer = {"game": rules.name, "position": rules.write(here), "move": rules.write_move(chosen)}
    return answer | {"kind": reason.kind, "words": reason.words}


def reply(game: str, name: str, start: str, moves: tuple[str, ...], seed: int) -> dict[str, Any]:
    """The move of a player after these moves from a position, and what it cost."""
    rules = find_game(game)
    playing = Playing.begin(rules, rules.read(start))
    for text in moves:
        playing = playing.then(rules.read_move(playing.position, text))
    who = player(name, seed)
    who.check(rules)
    began = perf_counter()
    choice = who.choose(rules, playing.position)
    after = rules.after(playing.position, choice.move)
    return {
        "game": rules.name,
        "position": rules.write(playing.position),
        "player": name,
        "move": rules.write_move(choice.move),
        "result_position": rules.write(after),
        "nodes": choice.nodes,
        "cycles": choice.cycles,
        "remark": choice.remark,
        "seconds": round(perf_counter() - began, 6),
    }
