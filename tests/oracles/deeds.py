"""What a move does, told from the prose of docs/insight.md by trying every move on the board, slowly."""

from __future__ import annotations

from .base import Oracle, State, opponent, parts_of
from .boards import Neighbours
from .morris import MorrisGame
from .rows import MovingGame, PlacingGame


def deeds_of(game: Oracle, state: State, move: str) -> set[str]:
    """The kinds of everything that a move does which neither wins at once nor passes."""
    if isinstance(game, MorrisGame):
        return mill_deeds(game, state, move)
    assert isinstance(game, PlacingGame | MovingGame)
    return row_deeds(game, state, move)


def other_to_move(state: State) -> State:
    """The same stones, were it the other's turn."""
    return State(state.cells, opponent(state.turn), state.hands)


def wins(game: Oracle, state: State) -> list[str]:
    """The moves that win on the spot."""
    return [move for move in game.moves(state) if game.over(game.play(state, move)) == "loss"]


def has_a_stone(state: State, wanted: int = 1) -> bool:
    """Whether the side to move has so many stones left to place; X has one more where the cells are odd in number."""
    cells = len(state.cells)
    owned = (cells + 1) // 2 if state.turn == "x" else cells // 2
    return owned - state.cells.count(state.turn.upper()) >= wanted


def row_targets(game: Oracle, state: State) -> set[str]:
    """The points on which the side to move would fill a row."""
    if game.placing_only and not has_a_stone(state):
        return set()
    found = set()
    for move in game.moves(state):
        if move != "pass" and game.over(game.play(state, move)) == "loss":
            target = parts_of(move)[1]
            stones = game.stones(game.play(state, move))
            if _in_full_row(game, stones, target):
                found.add(target)
    return found


def _in_full_row(game: Oracle, stones: dict[str, str], point: str) -> bool:
    """Whether a stone stands in as many equal stones next to each other, on a line, as are a row."""
    assert isinstance(game, PlacingGame | MovingGame)
    length = game.length if isinstance(game, PlacingGame) else 3
    for line in game.lines:
        names = [game.names[place] for place in line]
        for first in range(len(names) - length + 1):
            run = names[first : first + length]
            if point in run and all(stones[name] == stones[point] for name in run):
                return True
    return False


def row_deeds(game: PlacingGame | MovingGame, state: State, move: str) -> set[str]:
    """Where a row wins."""
    found = set()
    after = game.play(state, move)
    lost = bool(wins(game, after))
    waiting = other_to_move(state)
    stood = bool(wins(game, waiting)) and (not game.placing_only or has_a_stone(waiting))
    if stood and not lost:
        found.add("blocks")
    targets = set() if lost else row_targets(game, other_to_move(after))
    if len(targets) > 1:
        found.add("fork")
    if len(targets) == 1:
        chained = game.placing_only and wins_by_threats(game, state, move)
        found.add("chain" if chained else "threat")
    if isinstance(game, PlacingGame):
        if not stood and can_fork(game, waiting) and not can_fork(game, after):
            found.add("stops-fork")
        if not lost and not targets and opens_a_row(game, after, move):
            found.add("open")
    elif game.reach != {name: tuple(other for other in game.names if other != name) for name in game.names}:
        found |= sliding_deeds(game, game.reach, state, move, flying=0)
    return found


def wins_by_threats(game: Oracle, state: State, move: str) -> bool:
    """Whether a move begins an unbroken chain of threats that ends with two of them at once."""
    after = game.play(state, move)
    if wins(game, after):
        return False
    targets = row_targets(game, other_to_move(after))
    if len(targets) != 1:
        return len(targets) > 1
    answered = game.play(after, *targets)
    return any(wins_by_threats(game, answered, threat) for threat in game.moves(answered))


def can_fork(game: PlacingGame, state: State) -> bool:
    """Whether the side to move has a move after which it could fill a row on two points, and stones enough."""
    if not has_a_stone(state, 2):
        return False
    for move in game.moves(state):
        again = other_to_move(game.play(state, move))
        if len({name for name in game.empty_points(again) if _in_full_row(game, _with(game, again, name), name)}) > 1:
            return True
    return False


def _with(game: Oracle, state: State, point: str) -> dict[str, str]:
    return {**game.stones(state), point: state.turn.upper()}


def opens_a_row(game: PlacingGame, after: State, move: str) -> bool:
    """Whether, along a straight line, there is an empty end, then all but one of a row less one, then an empty end."""
    own, length = opponent(after.turn).upper(), game.length
    if length < 4:
        return False
    stones = game.stones(after)
    for line in game.lines:
        names = [game.names[place] for place in line]
        for first in range(len(names) - length):
            run = names[first : first + length + 1]
            inside = [stones[name] for name in run[1:-1]]
            ends = stones[run[0]] == stones[run[-1]] == "."
            if ends and move in run[1:-1] and sorted(inside) == sorted([own] * (length - 2) + ["."]):
                return True
    return False


def sliding_deeds(game: Oracle, neighbours: Neighbours, state: State, move: str, flying: int) -> set[str]:
    """What there is to say where stones slide."""
    found = set()
    after = game.play(state, move)
    origin, target, _ = parts_of(move)
    victim = after.turn.upper()
    before_stones, stones = game.stones(state), game.stones(after)

    def can_step(stones: dict[str, str], name: str) -> bool:
        return any(stones[near] == "." for near in neighbours[name])

    if game.over(after) == "draw" or game.moves(after) == ["pass"]:
        found.add("no-move")
    elif game.in_hand(after) == 0 and after.cells.count(victim) > flying:
        standing = [name for name in game.names if stones[name] == victim]
        if any(can_step(before_stones, name) and not can_step(stones, name) for name in standing):
            found.add("shuts-in")
    most, least = (pick(len(near) for near in neighbours.values()) for pick in (max, min))
    if origin is None and len(neighbours[target]) == most > least:
        found.add("crossing")
    return found


def closings(game: MorrisGame, state: State) -> set[tuple[str | None, str]]:
    """The moves of the side to move that close a mill: from where, unless from the hand, and to where."""
    found = set()
    for move in game.moves(state):
        origin, target, _ = parts_of(move)
        stones = game.stones(game.play(state, move))
        if any(target in mill and len({stones[name] for name in mill}) == 1 for mill in game.mills):
            found.add((origin, target))
    return found


def in_a_mill(game: MorrisGame, state: State, point: str | None) -> bool:
    """Whether the stone on this point is one of three in a mill."""
    stones = game.stones(state)
    return point is not None and any(
        point in mill and all(stones[name] == stones[point] for name in mill) for mill in game.mills
    )


def swings(game: MorrisGame, state: State) -> bool:
    """Whether a stone of the side to move can go from a mill into another: with none in hand, or by Lasker's rule."""
    return any(in_a_mill(game, state, origin) for origin, _ in closings(game, state))


def mill_deeds(game: MorrisGame, state: State, move: str) -> set[str]:
    """Where a row captures."""
    after = game.play(state, move)
    origin, target, captured = parts_of(move)
    ready = {point for _, point in closings(game, other_to_move(after))}
    tests = {
        "closes-mill": captured is not None,
        "double-mill": swings(game, other_to_move(after)) and not _swung(game, state),
        "breaks-double-mill": swings(game, other_to_move(state)) and not swings(game, after),
        "two-mills": len(ready) > 1,
        "blocks-mill": target in {point for _, point in closings(game, other_to_move(state))},
        "opens-mill": in_a_mill(game, state, origin),
        "threatens-mill": len(ready) == 1 and origin not in ready,
    }
    flying = 3 if game.flying else 0
    return {kind for kind, holds in tests.items() if holds} | sliding_deeds(game, game.neighbours, state, move, flying)


def _swung(game: MorrisGame, state: State) -> bool:
    """Whether the side to move had such a stone before, or would have had, were its stones in hand thought away."""
    return swings(game, state if game.lasker else State(state.cells, state.turn, (0, 0)))


__all__ = ["closings", "deeds_of", "other_to_move", "wins"]
