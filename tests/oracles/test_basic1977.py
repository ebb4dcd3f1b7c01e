"""The transcription of the BASIC listing against the article's figures and positions worked out by hand."""

from __future__ import annotations

import pytest

from oracles.basic1977 import VERSIONS, Machine, Reply, board_position, box, parse

# Fig. 3, read down its two columns, with 53 and 54 exchanged: the program has 13-29-45-61 first.
FIGURE_3 = """
1 2 3 4, 5 6 7 8, 9 10 11 12, 13 14 15 16, 1 5 9 13, 2 6 10 14, 3 7 11 15, 4 8 12 16, 1 6 11 16, 4 7 10 13,
17 18 19 20, 21 22 23 24, 25 26 27 28, 29 30 31 32, 17 21 25 29, 18 22 26 30, 19 23 27 31, 20 24 28 32,
17 22 27 32, 20 23 26 29, 33 34 35 36, 37 38 39 40, 41 42 43 44, 45 46 47 48, 33 37 41 45, 34 38 42 46,
35 39 43 47, 36 40 44 48, 33 38 43 48, 36 39 42 45, 49 50 51 52, 53 54 55 56, 57 58 59 60, 61 62 63 64,
49 53 57 61, 50 54 58 62, 51 55 59 63, 52 56 60 64, 49 54 59 64, 52 55 58 61, 1 17 33 49, 2 18 34 50,
3 19 35 51, 4 20 36 52, 5 21 37 53, 6 22 38 54, 7 23 39 55, 8 24 40 56, 9 25 41 57, 10 26 42 58,
11 27 43 59, 12 28 44 60, 13 29 45 61, 14 30 46 62, 15 31 47 63, 16 32 48 64, 1 22 43 64, 5 22 39 56,
9 26 43 60, 13 26 39 52, 2 22 42 62, 14 26 38 50, 3 23 43 63, 15 27 39 51, 4 23 42 61, 8 23 38 53,
12 27 42 57, 16 27 38 49, 1 21 41 61, 1 18 35 52, 4 19 34 49, 4 24 44 64, 13 25 37 49, 13 30 47 64,
16 31 46 61, 16 28 40 52
"""

# A full cube without a winning combination: boxes 1 to 64, U the user's, C the machine's.
DRAWN = "UCUUUCCUCUCUUUUCCCCUCUUUUCCCCCUUUCUCCUUUCCCUCUUCCUCUCUCCUCUUCUCC"

CUBE_VERSIONS = ("basic2", "basic3", "basicf")


def drawn_boxes(owner: str, without: tuple[int, ...] = ()) -> list[int]:
    """The boxes of one side on the drawn cube, some boxes emptied."""
    return [number for number, mark in enumerate(DRAWN, 1) if mark == owner and number not in without]


def replay(version: str, game: str) -> list[Reply]:
    """The replies to the user's moves of a game, written user, machine, user, machine and so on.

    Each reply is to the game as it is written, so one that differs leaves the others as they are.
    """
    boxes = [parse(move) for move in game.split()]
    replies = range(1, len(boxes) + 1, 2)
    return [Machine(version).reply(boxes[:played:2], boxes[1:played:2]) for played in replies]


def machine_moves(game: str) -> list[int]:
    """Every second move of a game, as boxes."""
    return [parse(move) for move in game.split()[1::2]]


def test_the_first_game_of_fig_5_is_won_by_version_2() -> None:
    game = "1,4 2,8  1,13 2,10  1,11 1,14  1,3 3,6  1,7 4,2"
    replies = replay("basic2", game)
    assert [reply.box for reply in replies] == machine_moves(game)
    assert [reply.event for reply in replies] == ["move"] * 4 + ["machine won"]
    assert replies[-1] == Reply("machine won", box(4, 2), combination=62, printed=50)


def test_the_second_game_of_fig_5_is_lost_by_version_2() -> None:
    game = "1,4 2,8  1,13 2,10  1,11 1,14  1,3 3,6  4,2 1,8  1,7 1,10  1,15"
    *replies, last = replay("basic2", game)
    assert [reply.box for reply in replies] == machine_moves(game)
    assert {reply.event for reply in replies} == {"move"}
    assert last == Reply("user won")


def test_the_third_game_of_fig_5_is_won_by_version_3() -> None:
    game = "1,4 1,1  1,13 1,7  2,4 4,4  2,13 4,13  2,11 1,16  2,3 2,7  3,4 4,1  3,13 2,1  3,1 3,3  3,14 2,2"
    replies = replay("basic3", game)
    assert [reply.box for reply in replies] == machine_moves(game)
    assert [reply.event for reply in replies] == ["move"] * 9 + ["machine won"]
    # 1,1 and 2,2 and 3,3 and 4,4.
    assert replies[-1] == Reply("machine won", box(2, 2), combination=70, printed=18)


def test_the_combinations_are_those_of_fig_3() -> None:
    figure = [tuple(int(number) for number in line.split()) for line in FIGURE_3.split(",")]
    assert len(figure) == 76
    for machine in map(Machine, VERSIONS):
        assert machine.combinations() == figure
        assert figure == machine.W


def test_each_combination_is_another_straight_line() -> None:
    lines = Machine("basic3").W
    assert len({frozenset(line) for line in lines}) == 76
    for line in lines:
        # Board, column and row each stay, count up or count down along a line.
        places = [((b - 1) // 16, (b - 1) % 16 // 4, (b - 1) % 4) for b in line]
        for coordinate in zip(*places, strict=True):
            assert coordinate in {(0, 1, 2, 3), (3, 2, 1, 0)} or len(set(coordinate)) == 1


@pytest.mark.parametrize(
    ("move", "number"),
    [("1,1", 1), ("1,4", 4), ("1,16", 16), ("2,1", 17), ("2,8", 24), ("4,2", 50), ("4,16", 64)],
)
def test_a_typed_move_names_a_box(move: str, number: int) -> None:
    board, position = (int(part) for part in move.split(","))
    assert parse(move) == box(board, position) == number
    assert board_position(number) == (board, position)


def test_every_box_has_one_board_and_position() -> None:
    assert [box(*board_position(number)) for number in range(1, 65)] == list(range(1, 65))


@pytest.mark.parametrize("move", ["", "4", "1;4", "1,", "0,1", "5,1", "1,0", "1,17", "-1,4", "1,4,2", "a,b"])
def test_a_move_off_the_boards_is_refused(move: str) -> None:
    with pytest.raises(ValueError, match="a move is"):
        parse(move)


@pytest.mark.parametrize("number", [0, 65])
def test_a_box_off_the_boards_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match=f"not {number}"):
        board_position(number)
    with pytest.raises(ValueError, match=f"not {number}"):
        Machine("basic3").reply([number], [])


def test_a_box_is_taken_only_once() -> None:
    with pytest.raises(ValueError, match="box 7 is taken twice"):
        Machine("basic3").reply([7], [7])
    with pytest.raises(ValueError, match="box 7 is taken twice"):
        Machine("basic3").reply([7, 7], [])


@pytest.mark.parametrize(
    ("version", "replies"),
    [
        # Every box in line with the user's only box scores 1; the first such box is taken. Box 6 is in line
        # with 1 on a diagonal, and box 22, inside the cube, on a diagonal of the space.
        ("basic3", ["1,2", "1,1", "1,1", "1,1"]),
        ("basicf", ["1,2", "1,1", "1,1", "1,1"]),
        # On one board 2,6 counts for nothing, no box scores and the first free one is taken.
        ("basic1", ["1,2", "1,1", "1,1", "1,1"]),
        # Of the combinations looked at, only 70 (1 18 35 52) contains box 1, only 72 (4 24 44 64) box 4,
        # and none box 6 or 22.
        ("basic2", ["2,2", "2,8", "1,1", "1,1"]),
    ],
)
def test_the_reply_to_a_first_move(version: str, replies: list[str]) -> None:
    for move, reply in zip(["1,1", "1,4", "1,6", "2,6"], replies, strict=True):
        assert Machine(version).reply([parse(move)], []) == Reply("move", parse(reply))


@pytest.mark.parametrize("version", VERSIONS)
def test_three_of_the_user_are_blocked(version: str) -> None:
    assert Machine(version).reply([5, 7, 8], [1, 11]) == Reply("move", 6)


def test_of_two_threats_version_3_blocks_the_first_box_and_version_2_the_last_combination() -> None:
    user = [1, 2, 3, 61, 62, 63]  # combination 1 with box 4, combination 34 with box 64
    machine = [22, 27, 38, 40, 58]
    assert Machine("basic3").reply(user, machine).box == 4
    assert Machine("basicf").reply(user, machine).box == 4
    assert Machine("basic2").reply(user, machine).box == 64
    # The combinations of line 220 make no difference to line 197.
    assert Machine("basic2", combinations=[1]).reply(user, machine).box == 64


def test_version_3_looks_for_threats_box_by_box_not_combination_by_combination() -> None:
    user = [6, 7, 8, 17, 33, 49]  # combination 2 with box 5, combination 41 with box 1
    machine = [26, 31, 42, 44, 62]
    assert Machine("basic3").reply(user, machine).box == 1


@pytest.mark.parametrize("version", ["basic1", "basic3", "basicf"])
def test_the_first_threat_is_blocked_whatever_else_another_box_is_good_for(version: str) -> None:
    # Boxes 4 (combination 1) and 16 (combination 4) are threats; 16 is also in combination 9 with two of the
    # user's boxes, while the machine has box 10 of combination 10, which 4 is in.
    assert Machine(version).reply([1, 2, 3, 6, 13, 14, 15], [5, 10]) == Reply("move", 4)


@pytest.mark.parametrize("version", VERSIONS)
def test_winning_comes_before_blocking(version: str) -> None:
    reply = Machine(version).reply([5, 6, 7, 12], [1, 2, 3])
    assert reply == Reply("machine won", 4, combination=1, printed=4)


@pytest.mark.parametrize("version", CUBE_VERSIONS)
def test_of_two_ways_to_win_the_last_is_taken(version: str) -> None:
    machine = [1, 2, 3, 16, 28, 40]  # combination 1 with box 4, combination 76 with box 52
    reply = Machine(version).reply([7, 10, 18, 23, 45, 60, 63], machine)
    assert reply == Reply("machine won", 52, combination=76, printed=52)


@pytest.mark.parametrize("version", VERSIONS)
def test_four_of_the_user_come_before_a_win_of_the_machine(version: str) -> None:
    assert Machine(version).reply([13, 14, 15, 16], [1, 2, 3]) == Reply("user won")


def test_a_mixed_combination_gives_no_points_and_the_first_of_equal_boxes_is_taken() -> None:
    # Combinations 1, 5 and 9 are mixed, so box 1 has nothing. Box 7 has 2 from combination 2 (value 10) and
    # 4 from combination 7 (value 2), box 10 has 4 from combination 3 and 2 from combination 6. No other box
    # has more than 4.
    assert Machine("basic1").reply([3, 9, 11], [2, 5, 6]) == Reply("move", 7)
    # With box 7 the user's and box 15 the machine's, combinations 2 and 7 are mixed too. Box 10 has 1 more,
    # from combination 10 (value 1); box 12 has 4, box 14 has 3, box 13 has 2.
    assert Machine("basic1").reply([3, 7, 9, 11], [2, 5, 6, 15]) == Reply("move", 10)


def test_program_f_counts_the_machines_own_boxes_less() -> None:
    # Boxes 3 and 4 have 4 points from combination 1; box 4 has 1 more from combination 8, where the machine
    # has box 8, but not with program F.
    assert Machine("basic3").reply([1, 2], [8]) == Reply("move", 4)
    assert Machine("basicf").reply([1, 2], [8]) == Reply("move", 3)


def test_version_2_plays_differently_with_other_combinations() -> None:
    # Box 1 is in combination 57 (1 22 43 64), 69 (1 21 41 61) and 70 (1 18 35 52).
    assert Machine("basic2").reply([1], []).box == 18
    assert Machine("basic2", combinations=range(60, 77, 2)).reply([1], []).box == 18
    assert Machine("basic2", combinations=[57]).reply([1], []).box == 22
    assert Machine("basic2", combinations=range(57, 70)).reply([1], []).box == 21
    assert Machine("basic2", combinations=[58]).reply([1], []).box == 2  # no box scores
    # Box 28 is in combination 76 (16 28 40 52), which line 220 includes; the article's text stops at 72.
    assert Machine("basic2").reply([28], []).box == 16
    assert Machine("basic2", combinations=range(60, 73, 2)).reply([28], []).box == 1


def test_version_2_plays_differently_when_it_is_harder() -> None:
    # Box 38 has 1 each from combinations 62 (14), 66 (8) and 68 (16). Boxes 4 and 64 have combination 72
    # with two of the user's boxes: 2 points, or 4 when harder.
    user, machine = [8, 14, 16, 24, 44], [1, 2, 10, 57]
    assert Machine("basic2").reply(user, machine) == Reply("move", 38)
    assert Machine("basic2", harder=True).reply(user, machine) == Reply("move", 4)


def test_in_version_1_a_move_to_another_board_is_a_lost_turn() -> None:
    machine = Machine("basic1")
    assert machine.reply([17], []) == Reply("move", 1)
    # Boxes in line with 1 have a point each.
    assert machine.reply([17, 18], [1]) == Reply("move", 2)
    assert machine.reply([17, 18, 19], [1, 2]) == Reply("move", 3)
    assert machine.reply([17, 18, 19, 20], [1, 2, 3]) == Reply("machine won", 4, combination=1, printed=4)
    assert Machine("basic3").reply([17, 18, 19, 20], [1, 2, 3]) == Reply("user won")


def test_in_version_1_three_on_another_board_are_not_blocked() -> None:
    assert Machine("basic1").reply([6, 33, 34, 35], [1, 2, 12]).box != 36
    assert Machine("basic3").reply([6, 33, 34, 35], [1, 2, 12]).box == 36


@pytest.mark.parametrize("version", VERSIONS)
def test_without_a_box_that_scores_the_first_free_box_is_taken(version: str) -> None:
    free = (8, 27, 61)  # all combinations through these have boxes of both sides
    user, machine = drawn_boxes("U", without=free), drawn_boxes("C", without=free)
    assert Machine(version).reply(user, machine) == Reply("move", 8)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_full_cube_is_a_draw(version: str) -> None:
    assert Machine(version).reply(drawn_boxes("U"), drawn_boxes("C")) == Reply("draw")


def test_version_1_is_drawn_when_the_first_board_is_full() -> None:
    user, machine = drawn_boxes("U"), drawn_boxes("C")
    first_board = [b for b in user if b <= 16], [b for b in machine if b <= 16]
    assert Machine("basic1").reply(*first_board) == Reply("draw")
    assert Machine("basic3").reply(*first_board).event == "move"


@pytest.mark.parametrize("version", ["basic1", "basic3", "basicf"])
def test_only_version_2_has_options(version: str) -> None:
    with pytest.raises(ValueError, match="only basic2 has options"):
        Machine(version, harder=True)
    with pytest.raises(ValueError, match="only basic2 has options"):
        Machine(version, combinations=[60])


def test_unknown_versions_and_combinations_are_refused() -> None:
    with pytest.raises(ValueError, match="not 'basic4'"):
        Machine("basic4")
    with pytest.raises(ValueError, match="from 1 to 76, not 77"):
        Machine("basic2", combinations=[60, 77])
