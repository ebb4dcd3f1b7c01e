"""The BASIC machines of 1977, against a transcription of the listing made by somebody else."""

from random import Random

import pytest

from noughts.arena import transcribe
from noughts.games import NoughtsError, Position
from noughts.games import game as find_game
from noughts.players import player
from noughts.players.basic1977 import box_of, point_of
from noughts.players.listing1977 import COMBINATIONS, STATEMENTS_A_SECOND, figure_number
from oracles.basic1977 import Machine

pytestmark = pytest.mark.slow

FIGURE_5 = [
    ("basic2", "1,4 1,13 1,11 1,3 1,7", "2,8 2,10 1,14 3,6 4,2", "win"),
    ("basic2", "1,4 1,13 1,11 1,3 4,2 1,7 1,15", "2,8 2,10 1,14 3,6 1,8 1,10", "loss"),
    (
        "basic3",
        "1,4 1,13 2,4 2,13 2,11 2,3 3,4 3,13 3,1 3,14",
        "1,1 1,7 4,4 4,13 1,16 2,7 4,1 2,1 3,3 2,2",
        "win",
    ),
]

VERSIONS = {
    "basic1": Machine("basic1"),
    "basic2": Machine("basic2"),
    "basic2:harder=yes": Machine("basic2", harder=True),
    "basic2:from=41,step=1": Machine("basic2", combinations=range(41, 77)),
    "basic3": Machine("basic3"),
    "basicf": Machine("basicf"),
}


@pytest.mark.parametrize(("name", "moves", "replies", "result"), FIGURE_5)
def test_the_games_of_figure_5(name: str, moves: str, replies: str, result: str) -> None:
    script = transcribe(find_game("qubic"), player(name), moves.split())
    assert [exchange.reply for exchange in script.exchanges if exchange.reply] == replies.split()
    assert script.result == result


def boxes(stones: int) -> list[int]:
    return [box_of(point) + 1 for point in range(64) if stones >> point & 1]


@pytest.mark.parametrize("name", VERSIONS)
def test_200_games_against_a_user_who_moves_at_random(name: str) -> None:
    """A user who also blocks and wins when he can, half of the time, so that games last."""
    machine, listing, random = player(name), VERSIONS[name], Random(name)
    game = find_game(machine.plays_only[0])
    results, replies = set(), 0
    for _ in range(200):
        position = game.start()
        while game.moves(position):
            position = game.after(position, random_move(game.name, position, random))
            expected = listing.reply(boxes(position.stones[0]), boxes(position.stones[1]))
            if game.over(position) is not None:
                break
            choice = machine.choose(game, position)
            replies += 1
            assert choice.statements is not None
            assert choice.statements <= 25 * STATEMENTS_A_SECOND or name not in ("basic1", "basic2")
            assert choice.move.to is not None
            assert box_of(choice.move.to) + 1 == expected.box
            if expected.combination is not None:
                assert choice.remark == f"THE OLD {figure_number(expected.combination - 1)}"
            position = game.after(position, choice.move)
        assert (expected.event == "user won") == (position.turn == 1 and game.over(position) == "loss")
        results.add(expected.event)
    assert replies > 1000
    assert "machine won" in results


def random_move(name: str, position: Position, random: Random):  # type: ignore[no-untyped-def]
    game = find_game(name)
    moves = game.moves(position)
    if random.random() < 0.5:
        for side in (0, 1):
            for line in game.layout.line_sets:
                missing = line & ~position.stones[side]
                if missing.bit_count() == 1 and not missing & position.occupied:
                    return next(move for move in moves if move.to == missing.bit_length() - 1)
    return random.choice(moves)


def test_the_combinations_are_the_lines_of_qubic_and_of_figure_3() -> None:
    lines = {frozenset(point_of(box) for box in combination) for combination in COMBINATIONS}
    assert lines == {frozenset(line) for line in find_game("qubic").layout.lines}
    assert len(COMBINATIONS) == 76
    assert [tuple(box + 1 for box in combination) for combination in COMBINATIONS] == list(Machine("basic3").W)
    assert sorted(figure_number(number) for number in range(76)) == list(range(1, 77))
    assert [box + 1 for box in COMBINATIONS[53]] == [14, 30, 46, 62]
    assert figure_number(53) == 53


def test_a_move_to_another_board_is_a_lost_turn() -> None:
    script = transcribe(find_game("square4:boards=4"), player("basic1"), ["2,6", "3,1", "4,4", "2,1"])
    assert [exchange.reply for exchange in script.exchanges] == ["1,1", "1,2", "1,3", "1,4"]
    assert script.result == "win"


def test_the_flat_game_is_drawn_when_its_board_is_full() -> None:
    game = find_game("square4:boards=4")
    full = "XOXO/XOXO/OXOX/OXOX|XO../..../..../....|..../..../..../....|..../..../..../...."
    assert game.over(game.read(full)) == "draw"


@pytest.mark.parametrize("name", ["basic2", "basic3", "basicf"])
def test_a_machine_that_begins_takes_the_first_box(name: str) -> None:
    game = find_game("qubic")
    assert player(name).choose(game, game.start()).move.to == 0


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("basic2:harder=maybe", "harder='maybe' of basic2: expected yes or no"),
        ("basic2:from=0", "from='0' of basic2: expected a number from 1 to 76"),
        ("basic2:step=x", "step='x' of basic2: expected a number"),
        ("basic2:speed=9", "'speed' is not an option of basic2: expected from, to, step, harder"),
        ("basic3:harder=yes", "'harder' is not an option of basic3: expected no options"),
    ],
)
def test_bad_options_are_named(name: str, words: str) -> None:
    with pytest.raises(NoughtsError) as caught:
        player(name)
    assert words in str(caught.value)


def test_own_notation() -> None:
    machine = player("basic3")
    for text in ("1,1", "2,16", "4,9", " 3 , 5 "):
        move = machine.read_own(text)
        assert move is not None
        assert machine.write_own(move) == text.replace(" ", "")
    assert [machine.read_own(text) for text in ("0,1", "5,1", "1,17", "1,0", "1a1", "1", "")] == [None] * 7
