"""Draws by a pairing of cells: the pairs are what they should be, and the solutions agree."""

from random import Random

import pytest

from noughts.games import Game, Outcome, Position
from noughts.games import game as find_game
from noughts.solve import Source, knowledge, solve
from noughts.solve.pairing import drawn_by_pairing, pairs


def test_five_by_five_with_five_in_a_row_has_a_pair_of_cells_for_each_line() -> None:
    game = find_game("mnk:5,5,5")
    found = pairs(game.layout.line_sets, 25)
    assert found is not None
    assert len(found) == len(game.layout.lines) == 12
    assert len({cell for pair in found for cell in pair}) == 24
    for line, pair in zip(game.layout.lines, found, strict=True):
        assert set(pair) < set(line)


def test_five_by_five_is_a_draw_and_so_is_whatever_is_played() -> None:
    game, random = find_game("mnk:5,5,5"), Random(5)
    answer = knowledge(game).ask(game.start())
    assert (str(answer.value), answer.source) == ("draw in 25", Source.PROOF)
    assert {str(rated.value) for rated in answer.moves} == {"draw in 25"}
    assert len(answer.moves) == 25
    assert "pairing" in answer.reason
    stopped = 0
    for _ in range(200):
        position = game.start()
        pair = pairs(game.layout.line_sets, 25) or []
        partner = dict(pair) | {b: a for a, b in pair}
        while game.over(position) is None:
            # X plays anything; O answers on the partner, or anywhere if that is taken or there is none.
            move = random.choice(game.moves(position))
            position = game.after(position, move)
            replies = game.moves(position)
            answers = [reply for reply in replies if reply.to == partner.get(move.to or 0)]
            if replies:
                position = game.after(position, (answers or [random.choice(replies)])[0])
        assert not game.layout.has_row(position.stones[0])
        stopped += 1
    assert stopped == 200


def some_positions(game: Game, random: Random, count: int) -> list[Position]:
    found: list[Position] = []
    while len(found) < count:
        position = game.start()
        for _ in range(random.randrange(len(game.layout))):
            then = game.after(position, random.choice(game.moves(position)))
            if game.over(then) is not None:
                break
            position = then
        found.append(position)
    return found


@pytest.mark.parametrize("name", ["tictactoe", "square4", "mnk:4,3,4", "mnk:5,2,4", "mnk:5,3,4"])
def test_a_pairing_is_never_there_where_somebody_wins(name: str) -> None:
    game = find_game(name)
    solution, drawn = solve(game), 0
    for position in some_positions(game, Random(name), 300):
        if drawn_by_pairing(game, position):
            drawn += 1
            assert solution.value(position).outcome is Outcome.DRAW, game.write(position)
    assert drawn > 3


def test_there_are_none_where_cells_are_too_few_or_stones_move() -> None:
    game = find_game("square4")
    assert pairs(game.layout.line_sets, 16) is None
    assert pairs([0b11, 0b11], 4) is None
    for name in ("square4", "qubic", "mnk:19,19,5", "nine-mens-morris", "arabian"):
        assert not drawn_by_pairing(find_game(name), find_game(name).start())
