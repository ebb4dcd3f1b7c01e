"""What a move does where a row wins: wins it stops, forks, chains of threats, threats, open rows.

A **winning point** of a side is an empty point on which it would fill a row, were it to move. In this order:

- `blocks`: the opponent could have won with the next move, and no longer can;
- `fork`: two winning points at once, and the opponent, who has no win of his own, can occupy only one;
- `chain`: a **threat** (a move that makes one winning point), the answer on it, which is forced, another threat, and so
  on until a threat is a fork. The whole chain is told, move by move;
- `stops-fork`: the opponent had no win at once, but could have made a fork with the next move, and no longer can;
- `threat`: one winning point, where the opponent, who has no win of his own, must answer, and no chain is known;
- `open`: an **open three**, as five in a row call it: two rows that overlap in all but their ends have all the points
  in common but one filled by this side, and nothing else in them. One more stone, and both ends are winning points.
  Where four are a row it is an open two.

Chains, forks to be stopped and open rows are told where stones are only placed.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from noughts.games import Game, Layout, Move, Position
from noughts.games.numbers import counted
from noughts.games.points import members
from noughts.insight.deeds import Deed, name_of_side, named, sliding_deeds
from noughts.solve.at_once import row_points, winning_points, wins_at_once

__all__ = ["MOST_THREATS", "chain_from", "row_deeds"]

MOST_THREATS = 1_000
"""Threats that are tried before a chain counts as not found: a tenth of a second on the largest board."""


def row_deeds(game: Game, position: Position, move: Move, hint: tuple[int, ...] = ()) -> Iterator[Deed]:
    """What a move does that does not win at once, the most telling first.

    `hint` is a chain of threats that is known already: the attacker's points, this move first.
    """
    side, other = position.turn, 1 - position.turn
    after = game.after(position, move)
    name = name_of_side(other)
    at_once = bool(wins_at_once(game, after))
    stood = bool(wins_at_once(game, position._replace(turn=other)))
    if stood and not at_once:
        yield Deed("blocks", f"stops {name} from winning at once")
    wins = 0 if at_once else row_points(game, after, side)
    if wins.bit_count() > 1:
        yield Deed("fork", f"makes a fork: {counted(wins.bit_count())} ways to win, and {name} can stop only one")
    elif wins and game.placing_only:
        chain = chain_from(game, position, move, hint)
        if chain:
            yield Deed("chain", _told(game, chain, name), chain)
            wins = 0
    if _can_fork(game, position, other) and not stood and not _can_fork(game, after, other):
        yield Deed("stops-fork", f"stops a fork: {name} would have had two ways to win")
    if wins.bit_count() == 1:
        (point,) = named(game, wins)
        yield Deed("threat", f"threatens to fill a row on {point}, so that {name} must answer there")
    if game.placing_only and not at_once and not wins and move.to is not None:
        missing = _open_row(game, after, side, move.to)
        if missing is not None:
            length = counted(len(game.layout.lines[0]) - 2)
            both = f"a stone on {game.layout.points[missing]} leaves two ways to win"
            yield Deed("open", f"makes an open {length}: if {name} lets it be, {both}")
    yield from sliding_deeds(game, position, move)


def chain_from(game: Game, position: Position, move: Move, hint: tuple[int, ...] = ()) -> tuple[Move, ...]:
    """The chain of threats that begins with this move and ends in a fork: threat, answer, threat, …, threat.

    Depth first, as `noughts.solve.engine.threats` does it, only slowly; a position from which no chain leads on is not
    looked at twice. `hint` are the attacker's points, where they are known: then nothing is searched for. Empty if the
    move begins no chain, or none that is found with `MOST_THREATS`.
    """
    assert move.to is not None
    side = position.turn
    left = [MOST_THREATS]
    refuted: set[tuple[int, int]] = set()

    def extend(own: int, other: int, point: int, planned: tuple[int, ...], standing: int = 0) -> tuple[int, ...] | None:
        """The points of the chain after this threat and from it on; None if there is no such chain."""
        left[0] -= 1
        if left[0] < 0:
            return None
        own |= 1 << point
        wins = _winning(game.layout, own, other, point) | standing & ~own
        if wins.bit_count() != 1:
            return (point,) if wins else None
        answer = wins.bit_length() - 1
        other |= wins
        if (own, other) in refuted:
            return None
        must = _winning(game.layout, other, own, answer)
        threats = 1 << planned[0] if planned else _threats(game.layout, own, other)
        if must:
            threats = threats & must if must.bit_count() == 1 else 0
        for following in members(threats):
            rest = extend(own, other, following, planned[1:])
            if rest:
                return (point, answer, *rest)
        refuted.add((own, other))
        return None

    stones = (position.stones[side], position.stones[1 - side])
    if winning_points(game, position, 1 - side) & ~(1 << move.to):
        return ()
    planned = hint[1:] if hint and hint[0] == move.to else ()
    points = extend(*stones, move.to, planned, winning_points(game, position, side)) or ()
    return tuple(Move(point) for point in points)


def _told(game: Game, chain: tuple[Move, ...], name: str) -> str:
    """A chain move by move."""
    moves = [game.write_move(move) for move in chain]
    threats = [
        f"{threat} ({name} must answer {answer})" for threat, answer in zip(moves[0::2], moves[1::2], strict=False)
    ]
    return f"begins a chain of threats that wins: {', '.join(threats)}, and then {moves[-1]} leaves two ways to win"


def _winning(layout: Layout, own: int, other: int, point: int) -> int:
    """The winning points of a side on the lines through one of its stones."""
    found = 0
    for line in layout.lines_through[point]:
        missing = line & ~own
        if missing & (missing - 1) == 0:
            found |= missing & ~other
    return found


def _threats(layout: Layout, own: int, other: int) -> int:
    """The points on which a stone of this side makes a winning point."""
    found = 0
    for line in layout.line_sets:
        if not line & other:
            missing = line & ~own
            if missing.bit_count() == 2:
                found |= missing
    return found


def _can_fork(game: Game, position: Position, side: int) -> bool:
    """Whether this side, were it to move, could make two winning points at once, and has a stone left for one of them.

    Where stones move that would take trying; it is not told there.
    """
    if not game.placing_only or position.hand[side] < 2:
        return False
    other = position.stones[1 - side]
    own = position.stones[side]
    standing = 0
    beside: dict[int, int] = {}
    for line in game.layout.line_sets:
        if line & other:
            continue
        missing = line & ~own
        if missing & (missing - 1) == 0:
            standing |= missing
        elif missing.bit_count() == 2:
            one, two = members(missing)
            beside[one] = beside.get(one, 0) | 1 << two
            beside[two] = beside.get(two, 0) | 1 << one
    if standing.bit_count() > 2 or (
        standing.bit_count() == 2 and game.layout.everywhere & ~position.occupied & ~standing
    ):
        return True
    return any(((standing & ~(1 << point)) | made).bit_count() > 1 for point, made in beside.items())


@lru_cache(16)
def _overlapping(layout: Layout) -> tuple[tuple[tuple[int, int], ...], ...]:
    """For every point, the pairs of lines that overlap in all but one point of each, and have it in common."""
    found: list[list[tuple[int, int]]] = [[] for _ in layout.points]
    for point, lines in enumerate(layout.lines_through):
        for one, two in combinations(lines, 2):
            common = one & two
            if common.bit_count() == one.bit_count() - 1 > 2:
                found[point].append((common, one | two))
    return tuple(tuple(pairs) for pairs in found)


def _open_row(game: Game, position: Position, side: int, point: int) -> int | None:
    """The point that an open row through this stone lacks; None if there is none."""
    own, other = position.stones[side], position.stones[1 - side]
    for common, both in _overlapping(game.layout)[point]:
        missing = common & ~own
        if missing.bit_count() == 1 and not both & other and both & own == common & own:
            return missing.bit_length() - 1
    return None
