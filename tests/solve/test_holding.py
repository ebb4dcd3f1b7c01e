"""Draws by holding: what is called one is one; the search for it agrees with the plain rules of maker and breaker."""

from functools import cache
from random import Random

import pytest

from noughts.games import Game, Outcome, Position
from noughts.games import game as find_game
from noughts.solve import Effort, Source, knowledge, solve
from noughts.solve.holding import Holding

LONG = Effort(50_000_000)


def maker_wins(game: Game, position: Position, maker: int) -> bool:
    """By trying everything: the maker wins when a line is full of his stones, the breaker if none ever is."""
    lines = game.layout.line_sets

    @cache
    def wins(own: int, other: int, turn: int) -> bool:
        if any(line & ~own == 0 for line in lines):
            return True
        empty = [cell for cell in range(len(game.layout)) if not (own | other) >> cell & 1]
        if turn == maker:
            return any(wins(own | 1 << cell, other, 1 - turn) for cell in empty)
        return bool(empty) and all(wins(own, other | 1 << cell, 1 - turn) for cell in empty)

    return wins(position.stones[maker], position.stones[1 - maker], position.turn)


def some_positions(game: Game, count: int, least: int, most: int) -> list[Position]:
    """Positions after so many random moves that are not over."""
    random = Random(game.name)
    found: list[Position] = []
    while len(found) < count:
        position = game.start()
        for _ in range(random.randint(least, most)):
            if game.over(position) is None:
                position = game.after(position, random.choice(game.moves(position)))
        if game.over(position) is None:
            found.append(position)
    return found


@pytest.mark.parametrize(
    ("name", "least"), [("tictactoe", 0), ("mnk:4,3,3", 6), ("mnk:4,3,4", 3), ("mnk:6,2,3", 3), ("square4", 6)]
)
def test_a_position_is_held_just_where_neither_side_wins_as_maker(name: str, least: int) -> None:
    game, held = find_game(name), 0
    for position in some_positions(game, 60, least, least + 4):
        expected = not any(maker_wins(game, position, maker) for maker in (0, 1))
        assert Holding(game, position, LONG).drawn() is expected, game.write(position)
        held += expected
    assert held > 0


@pytest.mark.parametrize("name", ["tictactoe", "square4", "mnk:5,3,4", "mnk:6,2,3"])
def test_what_is_held_is_a_draw_and_so_is_what_its_moves_lead_to(name: str) -> None:
    game, held, moves = find_game(name), 0, 0
    solution = solve(game)
    for position in some_positions(game, 150, 0, 9):
        holding = Holding(game, position, LONG)
        if holding.drawn():
            held += 1
            assert solution.value(position).outcome is Outcome.DRAW
            drawing = holding.drawing_moves()
            moves += len(drawing)
            assert all(solution.value(game.after(position, move)).outcome is Outcome.DRAW for move in drawing)
    assert held > 10
    assert moves > held


@pytest.mark.parametrize("name", ["mnk:7,7,6", "mnk:9,9,7", "mnk:9,6,6", "mnk:19,3,4", "mnk:19,4,5", "mnk:13,13,8"])
def test_boards_that_hold_at_sight(name: str) -> None:
    game = find_game(name)
    assert Holding(game, game.start(), Effort()).drawn()


def test_a_draw_that_is_held_is_known_with_its_moves() -> None:
    game = find_game("mnk:8,3,4")
    answer = knowledge(game).ask(game.start())
    assert (str(answer.value), answer.source) == ("draw in 24", Source.PROOF)
    assert {str(one.value) for one in answer.moves} == {"draw in 24"}


@pytest.mark.parametrize("name", ["tictactoe", "mnk:5,5,4", "mnk:6,6,4", "mnk:15,15,5", "nine-mens-morris"])
def test_where_the_maker_wins_or_it_takes_too_long_nothing_is_said(name: str) -> None:
    game = find_game(name)
    assert not Holding(game, game.start(), Effort()).drawn()
    assert not Holding(game, game.start(), Effort(seconds=0.01)).drawn()
