"""A game as people paste it: a line of the history, an address of ours, or moves as they are written anywhere.

    tictactoe: b2 a1 c3                                                a line of a file of games
    {"game": "tictactoe", "x": "human", "moves": ["b2", "a1"], …}      a line of `/history.jsonl`
    http://127.0.0.1:8000/play/tictactoe?x=human&o=casual&moves=b2.a1  the address of a game, or of its review
    1. b2 a1 2. c3                                                     moves with numbers or without
    b2, a1, c3                                                         and with whatever stands between them
    4 0 8                                                              the keys of the chip of 1990, at tic-tac-toe
    1,1 4,16                                                           board and place as in 1977, at Qubic

A line of JSON and an address name their game; for moves alone it has to be said. Everything is checked by the rules,
and an error says which move it was.
"""

import json
import re
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from noughts.games import Game, IllegalMoveError, Move, NotationError, NoughtsError, Position
from noughts.games import game as find_game
from noughts.games.playing import Playing
from noughts.games.record import is_record, read_line
from noughts.players import Human
from noughts.players import player as find_player

__all__ = ["MOST_PASTED", "Pasted", "PastedError", "read_pasted", "replayed"]

MOST_PASTED = 5_000
"""Characters that are read: quoted for an address they are three times as many, which still fits one."""
MOST_MOVES = 400
"""As many as an address holds."""
NUMBERED = re.compile(r"(?<![a-z\d])\d+[.)]+")
MOVE = re.compile(r"pass|\d?[a-z]\d+(?:-[a-z]\d+)?(?:x[a-z]\d+)?")
KEYS = {"tictactoe": (re.compile("[0-8]"), "chip1990"), "qubic": (re.compile(r"[1-4],(?:1[0-6]|[1-9])"), "basic3")}
"""How machines write moves that no other notation has: at which game, how, and who reads it."""
NOISE = re.compile(r"1-0|0-1|1/2-1/2|½-½|\*|[!?]+|x:|o:")
"""What stands beside the moves of a record: a result, marks, whose move it is."""


class PastedError(NoughtsError):
    """Text in which no game could be found."""


class Pasted(NamedTuple):
    """A game that was read, and who played it, as far as that was said."""

    playing: Playing
    names: tuple[str, str]


def read_pasted(text: str, name: str | None = None) -> Pasted:
    """The game that a text holds; `name` is the game, if the text does not say it.

    Raises:
        NoughtsError: if there is none, or if its moves are against the rules; the message names the move.
    """
    wanted = text.strip()
    if len(wanted) > MOST_PASTED:
        raise PastedError(f"{wanted[:20]!r}… has {len(wanted):,} characters: expected at most {MOST_PASTED:,}")
    if not wanted:
        raise PastedError("there are no moves: expected some, as b2 a1 c3")
    if wanted.startswith("{"):
        return _from_json(wanted, name)
    if "moves=" in wanted and "?" in wanted and not re.search(r"\s", wanted):
        return _from_address(wanted, name)
    if is_record(wanted):
        return Pasted(read_line(wanted), (Human.name, Human.name))
    if name is None:
        raise PastedError(f"{wanted[:40]!r} does not say which game it is of: expected a game and its moves")
    game = find_game(name)
    return Pasted(replayed(game, None, split_moves(game, wanted)), (Human.name, Human.name))


def replayed(game: Game, start: str | None, moves: list[str]) -> Playing:
    """The game of these moves; an error names the one that cannot be played."""
    if len(moves) > MOST_MOVES:
        raise PastedError(f"the game has {len(moves)} moves: expected at most {MOST_MOVES}")
    began = Playing.begin(game, game.read(start) if start else None)
    pattern, machine = KEYS.get(game.name, (None, ""))
    if not (pattern and moves and all(pattern.fullmatch(one) for one in moves)):
        return began.replay(moves)
    own = find_player(machine).read_own
    return began.replay(moves, lambda position, text: _own_move(game, position, own(text), text))


def _own_move(game: Game, position: Position, move: Move | None, text: str) -> Move:
    if move is None or move not in game.moves(position):
        raise IllegalMoveError(f"{text!r} is not a legal move here: expected a free place")
    return move


def split_moves(game: Game, text: str) -> list[str]:
    """The moves in a text: without numbers, marks and results."""
    plain = NUMBERED.sub(" ", text.lower())
    pattern = KEYS[game.name][0] if game.name in KEYS else None
    words = [word for word in re.split(r"[\s;]+", plain) if word and not NOISE.fullmatch(word)]
    if pattern and words and all(pattern.fullmatch(word.strip(",.")) for word in words):
        return [word.strip(",.") for word in words]
    found = []
    for word in re.split(r"[\s,;.]+", plain):
        bare = word.rstrip("!?")
        if not bare or NOISE.fullmatch(bare) or bare.isdecimal() or bare in ("x", "o"):
            continue
        if not MOVE.fullmatch(bare):
            raise NotationError(
                f"{word[:40]!r} is not a move: expected moves as b2, a1-b2 or a1-b2xc3, with spaces between"
            )
        found.append(bare)
    if not found:
        raise PastedError(f"{text[:40]!r} holds no moves: expected some, as b2 a1 c3")
    return found


def _from_json(text: str, name: str | None) -> Pasted:
    line = text.splitlines()[0]
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        raise PastedError(
            f"{line[:40]!r}… is not a line of the history: expected JSON, as /history.jsonl has it"
        ) from None
    if not isinstance(record, dict):
        raise PastedError(f"{line[:40]!r} is not a line of the history: expected an object with game and moves")
    moves = record.get("moves")
    words = moves.split() if isinstance(moves, str) else moves
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise PastedError(f'the moves {str(moves)[:40]!r} are none: expected a list, as ["b2", "a1"]')
    game = find_game(_text(record, "game") or name or "")
    names = (_text(record, "x") or Human.name, _text(record, "o") or Human.name)
    return Pasted(replayed(game, _text(record, "start"), words), names)


def _text(record: dict[str, Any], field: str) -> str | None:
    value = record.get(field)
    if value is not None and not isinstance(value, str):
        raise PastedError(f"{field} is {str(value)[:40]!r}: expected a text")
    return value


def _from_address(text: str, name: str | None) -> Pasted:
    try:
        where = urlsplit(text)
    except ValueError as error:
        raise PastedError(
            f"{text[:40]!r} is not an address: {error}; expected one of ours, as /play/tictactoe?moves=b2.a1"
        ) from None
    query = dict(parse_qsl(where.query))
    path = unquote(where.path).strip("/").split("/")
    game = find_game(path[1] if len(path) == 2 else name or path[-1])
    names = (query.get("x") or Human.name, query.get("o") or Human.name)
    moves = [word for word in query.get("moves", "").split(".") if word]
    return Pasted(replayed(game, query.get("start") or None, moves), names)
