"""The nine elements as a player, against a minimax and a count of cycles written from the prose of the design.

A board here is nine characters in the order of places, "m" the machine's stones, "h" the human's, "." empty.
"""

from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from noughts.games import Outcome, Position
from noughts.games import game as find_game
from noughts.players import CannotPlayError, player
from noughts.players.player import PlayerOptionError

GAME = find_game("tictactoe")
ROWS = ["012", "345", "678", "036", "147", "258", "048", "246"]


def has_row(board: str, side: str) -> bool:
    return any(all(board[int(place)] == side for place in row) for row in ROWS)


def with_stone(board: str, place: int, side: str) -> str:
    return board[:place] + side + board[place + 1 :]


def other(side: str) -> str:
    return "h" if side == "m" else "m"


def empty(board: str) -> list[int]:
    return [place for place, cell in enumerate(board) if cell == "."]


def known_worth(board: str, side: str) -> int | None:
    """What the stone that this side has just set is worth without a search, for the machine."""
    if has_row(board, side):
        return 1 if side == "m" else -1
    return None if "." in board else 0


@cache
def worths(board: str, side: str) -> dict[int, int]:
    """Plain minimax: for every empty place what a stone there is worth for the machine."""
    found = {}
    for place in empty(board):
        after = with_stone(board, place, side)
        worth = known_worth(after, side)
        found[place] = best(after, other(side)) if worth is None else worth
    return found


def best(board: str, side: str) -> int:
    return (max if side == "m" else min)(worths(board, side).values())


@cache
def full_search(board: str, side: str) -> int:
    """The cycles of a search that tries every cell."""
    cycles = 3
    for place in empty(board):
        after = with_stone(board, place, side)
        cycles += 2 if known_worth(after, side) is not None else 3 + full_search(after, other(side))
    return cycles


@cache
def pruned_search(board: str, side: str, score: int, limit: int) -> tuple[int, int]:
    """The cycles of a search with cut-offs, and the score it ends with."""
    cycles = 3
    for place in empty(board):
        if (score >= limit) if side == "m" else (score <= limit):
            break
        after = with_stone(board, place, side)
        worth = known_worth(after, side)
        if worth is not None:
            cycles += 2
        else:
            below, worth = pruned_search(after, other(side), limit, score)
            cycles += 3 + below
        score = max(score, worth) if side == "m" else min(score, worth)
    return cycles, score


@cache
def reported_search(board: str, side: str) -> int:
    """The cycles of a search that tries every cell, in the report's time."""
    if board.count(".") == 1:
        return 4
    cycles = 5
    for place in empty(board):
        after = with_stone(board, place, side)
        cycles += 2 if has_row(after, side) else 3 + reported_search(after, other(side))
    return cycles


def as_board(position: Position) -> str:
    """The position as the machine sees it, which is to move."""
    machine = "XO"[position.turn]
    return "".join({".": ".", machine: "m"}.get(cell, "h") for cell in GAME.write(position).replace("/", ""))


def positions() -> list[Position]:
    """Every position of the game that is not over."""
    seen, waiting = {GAME.start()}, [GAME.start()]
    for position in waiting:
        for move in GAME.moves(position):
            after = GAME.after(position, move)
            if GAME.over(after) is None and after not in seen:
                seen.add(after)
                waiting.append(after)
    return waiting


POSITIONS = positions()


def asked(name: str, machine: int) -> list[Position]:
    """Every position in which the machine is asked, whatever the human does."""
    elements = player(name)
    found, waiting = [], [GAME.start()]
    while waiting:
        position = waiting.pop()
        if GAME.over(position) is not None:
            assert GAME.over(position) is Outcome.DRAW or position.turn != machine, "the machine lost"
        elif position.turn == machine:
            found.append(position)
            waiting.append(GAME.after(position, elements.choose(GAME, position).move))
        else:
            waiting += [GAME.after(position, move) for move in GAME.moves(position)]
    return found


def test_the_oracle_sees_all_positions() -> None:
    assert len(POSITIONS) == 5478 - 958


@pytest.mark.parametrize("name", ["elements2021", "elements2021:pruning=yes"])
@pytest.mark.parametrize("machine", [0, 1])
def test_against_every_human_it_never_loses(name: str, machine: int) -> None:
    assert len(asked(name, machine)) > 100


@pytest.mark.parametrize("name", ["elements2021", "elements2021:pruning=no", "elements2021:pruning=yes"])
def test_in_every_position_it_takes_the_first_of_the_best(name: str) -> None:
    elements = player(name)
    for position in POSITIONS:
        found = worths(as_board(position), "m")
        expected = next(place for place in range(9) if found.get(place) == max(found.values()))
        assert elements.choose(GAME, position).move.to == expected, GAME.write(position)


def test_its_cycles_are_those_of_the_prose() -> None:
    """Two cycles of judging stand round a search, or three of beginning."""
    elements = player("elements2021")
    for position in POSITIONS:
        around = 2 if position.occupied else 3
        assert elements.choose(GAME, position).cycles == full_search(as_board(position), "m") + around


def test_every_reply_is_quicker_than_the_one_before_by_the_figures_of_the_docs() -> None:
    """The table of docs/claims.md: fewest and most cycles with 9, 8 … 1 empty cells."""
    cycles: dict[int, list[int]] = {cells: [] for cells in range(9, 0, -1)}
    for board in map(as_board, POSITIONS):
        cycles[board.count(".")].append(full_search(board, "m") + (3 if board == "." * 9 else 2))
    fewest, most = ([choose(found) for found in cycles.values()] for choose in (min, max))
    assert all(later < before for later, before in zip(most[2:], fewest, strict=False))
    factors = [before / later for before, later in pairwise(most)]
    assert factors == sorted(factors, reverse=True)
    assert (round(factors[0], 1), factors[-1]) == (8.6, 3.0)
    told = (Path(__file__).parents[2] / "docs/claims.md").read_text(encoding="utf-8")
    for name, row in (("fewest", fewest), ("most", most)):
        assert f"| {name} | {' | '.join(f'{one:,}' for one in row)} |" in told


def test_in_the_reports_time_its_cycles_are_those_of_the_prose_and_its_moves_the_same() -> None:
    elements, ours = player("elements2021:timing=reported"), player("elements2021:timing=ours")
    for position in POSITIONS:
        found = elements.choose(GAME, position)
        around = 2 if position.occupied else 3
        assert found.cycles == reported_search(as_board(position), "m") + around
        assert found.move == ours.choose(GAME, position).move


def test_with_pruning_its_cycles_are_those_of_the_prose() -> None:
    elements = player("elements2021:pruning=yes")
    for position in POSITIONS:
        around = 2 if position.occupied else 3
        cycles, _ = pruned_search(as_board(position), "m", -1, 1)
        assert elements.choose(GAME, position).cycles == cycles + around


def test_a_first_move_takes_two_million_cycles_and_with_pruning_a_thirtieth_of_them() -> None:
    full, pruned = (player(f"elements2021:pruning={word}").choose(GAME, GAME.start()) for word in ("no", "yes"))
    assert full.cycles is not None
    assert pruned.cycles is not None
    assert 2_200_000 < full.cycles < 2_600_000
    assert 30 < full.cycles / pruned.cycles < 31
    assert full.move == pruned.move


def test_nothing_is_random() -> None:
    for position in POSITIONS[::100]:
        assert len({player("elements2021", seed).choose(GAME, position) for seed in range(5)}) == 1


@pytest.mark.parametrize("value", ["", "maybe", "YES", "1", "yes "])
def test_pruning_is_yes_or_no(value: str) -> None:
    with pytest.raises(PlayerOptionError, match="of elements2021: expected yes or no") as caught:
        player(f"elements2021:pruning={value}")
    assert f"pruning={value!r}" in str(caught.value)


def test_the_timing_is_ours_or_the_reports_and_another_is_refused_before_a_game_begins() -> None:
    with pytest.raises(PlayerOptionError, match="timing='fast' of elements2021: expected ours, reported"):
        player("elements2021:timing=fast")


def test_another_option_is_refused_by_name() -> None:
    with pytest.raises(PlayerOptionError, match="'depth' is not an option of elements2021: expected pruning, timing"):
        player("elements2021:depth=3")


def test_it_plays_its_own_game_alone() -> None:
    with pytest.raises(CannotPlayError, match="elements2021 plays only tictactoe, not 'achi'"):
        player("elements2021").check(find_game("achi"))
