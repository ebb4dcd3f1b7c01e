"""The oracles against published numbers and positions worked out by hand."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from oracles import Oracle, State, oracle, perft, solve
from oracles.boards import cube_lines, morris_board, morris_mills, morris_neighbours, straight_lines
from oracles.machine1990 import reply

pytestmark = pytest.mark.slow


def listed(words: str) -> list[str]:
    """Moves or points written in one string, sorted."""
    return sorted(words.split())


EMPTY_IN_FLIGHT = listed("g1 f2 c3 d3 e3 a4 b4 c4 e4 g4 d5 e5 b6 d6 f6 a7 d7")


def legal(name: str, position: str) -> list[str]:
    """The legal moves of a written position, sorted."""
    game = oracle(name)
    return sorted(game.moves(game.read(position)))


def result(name: str, position: str) -> str | None:
    """Whether and how a written position is over."""
    game = oracle(name)
    return game.over(game.read(position))


def after(name: str, position: str, *moves: str) -> str:
    """A written position after some moves, each of which must be legal."""
    game = oracle(name)
    state = game.read(position)
    for move in moves:
        assert move in game.moves(state)
        state = game.play(state, move)
    return game.text(state)


@cache
def solved(name: str) -> dict[State, tuple[str, int | None]]:
    """All positions of a game with their values."""
    return solve(oracle(name))


@cache
def finished_games(game: Oracle, state: State) -> Counter[tuple[int, str]]:
    """All games that go on from here, counted by the plies they still take and how they end for the side to move.

    Many orders of moves lead to one position, whose count is worked out once.
    """
    moves = game.moves(state)
    if not moves:
        return Counter({(0, str(game.over(state))): 1})
    tally: Counter[tuple[int, str]] = Counter()
    for move in moves:
        for (plies, end), times in finished_games(game, game.play(state, move)).items():
            tally[plies + 1, end] += times
    return tally


@pytest.mark.parametrize(
    ("name", "position"),
    [
        ("tictactoe", ".../.../..."),
        ("mnk:4,2,3", "..../...."),
        ("square4", "..../..../..../...."),
        ("qubic", "|".join(["..../..../..../...."] * 4)),
        ("arabian", ".../.../... x 3,3"),
        ("achi", ".../.../... x 4,4"),
        ("three-mens-morris", ".../.../... x 3,3"),
        ("six-mens-morris", ".../.../..../.../... x 6,6"),
        ("nine-mens-morris", ".../.../.../....../.../.../... x 9,9"),
    ],
)
def test_start(name: str, position: str) -> None:
    game = oracle(name)
    assert game.text(game.start()) == position
    assert game.read(position) == game.start()


# Tic-tac-toe


@pytest.mark.parametrize(
    ("depth", "sequences"), [(1, 9), (2, 72), (3, 504), (4, 3024), (5, 15120), (6, 54720), (7, 148176)]
)
def test_tictactoe_perft(depth: int, sequences: int) -> None:
    assert perft(oracle("tictactoe"), depth) == sequences


def test_tictactoe_complete_games() -> None:
    """255,168 games: X wins 131,184, O 77,904, and 46,080 are drawn; by length as published."""
    game = oracle("tictactoe")
    tally = finished_games(game, game.start())
    assert tally == {
        (5, "loss"): 1440,
        (6, "loss"): 5328,
        (7, "loss"): 47952,
        (8, "loss"): 72576,
        (9, "loss"): 81792,
        (9, "draw"): 46080,
    }
    assert sum(tally.values()) == 255168
    assert 1440 + 47952 + 81792 == 131184
    # A game of nine plies is one of the sequences that perft(9) counts, and no other sequence is that long.
    assert tally[9, "loss"] + tally[9, "draw"] == 127872
    # What is not over after eight plies has one more move.
    assert 127872 + tally[8, "loss"] == 200448


def test_tictactoe_positions_and_value() -> None:
    """5,478 positions, 958 of them final: 626 wins of X, 316 of O, 16 draws. The game is a draw."""
    game = oracle("tictactoe")
    values = solved("tictactoe")
    assert len(values) == 5478
    assert values[game.start()] == ("draw", 9)
    final = Counter((state.turn, game.over(state)) for state in values)
    assert final["o", "loss"] == 626
    assert final["x", "loss"] == 316
    assert final["o", "draw"] == 16
    assert final["x", "draw"] == 0


def test_tictactoe_values_worked_by_hand() -> None:
    game = oracle("tictactoe")
    values = solved("tictactoe")
    assert values[game.read("XX./OO./...")] == ("win", 1)
    assert values[game.read("X../.../...")] == ("draw", 8)
    # To answer a corner on the side next to it loses: X's third stone makes two threats at once.
    assert values[game.read("XO./.../...")] == ("win", 5)
    assert values[game.read("X.X/.O./X.O")] == ("loss", 2)
    assert values[game.read("XXX/OO./...")] == ("loss", 0)


# Rows on other boards


def test_mnk_takes_columns_first() -> None:
    assert legal("mnk:4,3,3", "..../..../....") == listed("a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3")
    assert after("mnk:4,3,3", "..../..../....", "d3", "a2") == "..../O.../...X"


def test_mnk_longer_rows_count() -> None:
    assert after("mnk:5,2,3", "XX.XX/OO.OO", "c1") == "XXXXX/OO.OO"
    assert result("mnk:5,2,3", "XXXXX/OO.OO") == "loss"
    assert result("mnk:5,2,3", "XX.XX/OO.OO") is None


@pytest.mark.parametrize(
    ("position", "outcome"),
    [
        ("OO.O/XXX./..../....", "loss"),
        ("X.OO/XO../X.../....", "loss"),
        ("O..O/..X./.X../X.O.", "loss"),
        ("OOX./.X../..../...X", None),
    ],
)
def test_mnk_rows_in_every_direction(position: str, outcome: str | None) -> None:
    game = oracle("mnk:4,4,3")
    assert game.over(State(game.read(position).cells, "o", (0, 0))) == outcome


def test_only_positions_of_the_game_are_read() -> None:
    for name, position in [
        ("mnk:4,4,3", "XXOO/.../..."),
        ("arabian", "XX./OO./..."),
        ("tictactoe", "X../.../... o"),
    ]:
        with pytest.raises(ValueError, match="not a position"):
            oracle(name).read(position)


def test_moves_against_the_notation_are_refused() -> None:
    game = oracle("arabian")
    state = game.read("XX./OO./X.O x")
    for move in ["c1", "a1", "a2-c1", "a1-b1", "c1-c2", "a1-d1", "a1-c1xb1", "a1-c1xc2", "a1c1", ""]:
        with pytest.raises(ValueError, match=r"stand|move|hand"):
            game.play(state, move)


def test_mnk_column_x_is_not_a_capture() -> None:
    assert after("mnk:26,1,3", "." * 26, "x1", "z1") == "." * 23 + "X.O"


def test_three_in_a_row_on_four_by_two_is_a_draw() -> None:
    """Published: k=3 is a draw on 3x3 and on nx2. That 4x3 is won is tested of the solver alone."""
    assert solved("mnk:4,2,3")[oracle("mnk:4,2,3").start()][0] == "draw"


def test_lines_of_square4_and_qubic() -> None:
    """4x4 has 10 lines. The cube has 76: 48 along the axes, 24 diagonals of planes, 4 of the whole cube."""
    assert len(straight_lines(4, 4, 4)) == 10
    lines = cube_lines()
    assert len({frozenset(line) for line in lines}) == len(lines) == 76
    # How many of level, column and row change from a line's first cell to its last.
    changing = Counter(sum(one != other for one, other in zip(line[0], line[-1], strict=True)) for line in lines)
    assert changing == {1: 48, 2: 24, 3: 4}


def test_lines_through_each_cell_of_qubic() -> None:
    """Seven lines go through each of the 8 corners and the 8 central cells, four through the other 48."""
    through = Counter(point for line in cube_lines() for point in line)
    assert Counter(through.values()) == {7: 16, 4: 48}
    rich = sorted(point for point in through if through[point] == 7)
    assert rich[:8] == ["1a1", "1a4", "1d1", "1d4", "2b2", "2b3", "2c2", "2c3"]


def test_qubic_space_diagonal() -> None:
    start = "|".join(["..../..../..../...."] * 4)
    final = after("qubic", start, "1a4", "1a1", "2b3", "2a1", "3c2", "3a1", "4d1")
    assert final == "O.../..../..../X...|O.../..../.X../....|O.../..X./..../....|...X/..../..../...."
    assert result("qubic", final) == "loss"


def test_square4_draw() -> None:
    assert result("square4", "XOXO/XOXO/OXOX/OXOX") == "draw"
    assert legal("square4", "XOXO/XOXO/OXOX/OXO.") == ["d4"]


# Arabian


def test_arabian_jumps_when_all_stones_are_placed() -> None:
    assert legal("arabian", "XX./OO./X.O x") == sorted(
        f"{a}-{b}" for a in ("a1", "b1", "a3") for b in ("c1", "c2", "b3")
    )
    assert after("arabian", "XX./OO./X.O x", "a3-c1") == "XXX/OO./..O o"
    assert result("arabian", "XXX/OO./..O o") == "loss"


def test_arabian_places_first() -> None:
    assert legal("arabian", "XX./OO./... x 1,1") == ["a3", "b3", "c1", "c2", "c3"]
    assert after("arabian", "XX./OO./... x 1,1", "c1") == "XXX/OO./... o 0,1"
    assert result("arabian", "XXX/OO./... o 0,1") == "loss"


def test_arabian_perft() -> None:
    """Six plies are as in tic-tac-toe; each of the 148,176 / 3 games going on then has 3 times 3 jumps."""
    assert perft(oracle("arabian"), 7) == 148176 // 3 * 9


# Achi and three men's morris


def test_achi_corner_and_centre_moves() -> None:
    position = ".OX/OOX/XXO o"
    assert legal("achi", position) == ["a2-a1", "b1-a1", "b2-a1"]
    assert legal("achi:adjacency=king", position) == ["a2-a1", "b1-a1", "b2-a1"]
    assert legal("achi:adjacency=orthogonal", position) == ["a2-a1", "b1-a1"]


def test_achi_side_moves() -> None:
    for name in ("achi", "achi:adjacency=orthogonal"):
        assert legal(name, "X.O/OOX/XXO x") == ["a1-b1"]
        assert legal(name, "X.O/OOX/XXO o") == ["b2-b1", "c1-b1"]
    assert legal("achi:adjacency=king", "X.O/OOX/XXO x") == ["a1-b1", "c2-b1"]
    assert legal("achi:adjacency=king", "X.O/OOX/XXO o") == ["a2-b1", "b2-b1", "c1-b1"]


@pytest.mark.parametrize("position", [".OX/OOX/XXO x", "O.O/XOX/XOX x"])
def test_achi_blocked(position: str) -> None:
    """X cannot slide: in the corner all neighbours are O's, at the side X stands only diagonally."""
    assert (result("achi", position), legal("achi", position)) == ("loss", [])
    assert result("achi:blocked=draws", position) == "draw"
    assert legal("achi:blocked=draws", position) == []
    assert result("achi:blocked=passes", position) is None
    assert legal("achi:blocked=passes", position) == ["pass"]
    assert after("achi:blocked=passes", position, "pass") == position.replace("x", "o")


def test_achi_king_unblocks_the_side() -> None:
    assert legal("achi:adjacency=king", "O.O/XOX/XOX x") == ["a2-b1", "c2-b1"]


def test_achi_rows_while_placing() -> None:
    assert result("achi", "XXX/OO./... o 1,2") == "loss"
    assert result("achi:row-while-placing=no", "XXX/OO./... o 1,2") is None
    assert result("achi:row-while-placing=no", "XXX/OO./..X o 0,2") is None


def test_achi_old_row_counts_if_kept() -> None:
    """X filled a row while that did not count; he wins if he still has one after his first slide."""
    name = "achi:row-while-placing=no"
    assert legal(name, "XXX/OO./OOX x") == ["c1-c2", "c3-c2"]
    assert result(name, after(name, "XXX/OO./OOX x", "c3-c2")) == "loss"
    assert result(name, after(name, "XXX/OO./OOX x", "c1-c2")) is None


def test_achi_row_counts_when_the_last_stone_is_placed() -> None:
    name = "achi:row-while-placing=no"
    assert result(name, "OOO/XX./X.X o 0,1") is None
    assert result(name, after(name, "OOO/XX./X.X o 0,1", "c2")) == "loss"


def test_achi_pass_is_a_turn_and_a_row_at_its_end_wins() -> None:
    position = "XXX/XOO/OO. x"
    assert result("achi:row-while-placing=no", position) == "loss"
    assert result("achi:row-while-placing=no,blocked=draws", position) == "draw"
    passes = "achi:row-while-placing=no,blocked=passes"
    assert legal(passes, position) == ["pass"]
    assert result(passes, after(passes, position, "pass")) == "loss"


def test_achi_without_diagonals() -> None:
    assert result("achi", "XO./OX./..X o 1,2") == "loss"
    assert result("achi:diagonals=no", "XO./OX./..X o 1,2") is None
    assert result("achi:diagonals=no", "XO./XO./X.. o 1,2") == "loss"


def test_achi_options_are_checked() -> None:
    for name in ["achi:blocked=wins", "achi:colour=red", "achi:diagonals", "arabian:diagonals=no", "chess"]:
        with pytest.raises(ValueError, match="no such"):
            oracle(name)


def test_three_mens_morris_slides_along_the_lines() -> None:
    assert legal("three-mens-morris", "XOX/O.O/.X. x") == ["a1-b2", "b3-a3", "b3-b2", "b3-c3", "c1-b2"]


# Six and nine men's morris


def test_nine_mens_morris_board() -> None:
    """16 mills, 32 connections, and rows of 3, 3, 3, 6, 3, 3, 3 points."""
    mills = """a1d1g1 b2d2f2 c3d3e3 a4b4c4 e4f4g4 c5d5e5 b6d6f6 a7d7g7
               a1a4a7 b2b4b6 c3c4c5 d1d2d3 d5d6d7 e3e4e5 f2f4f6 g1g4g7"""
    assert {frozenset(mill) for mill in morris_mills(3)} == {
        frozenset((mill[:2], mill[2:4], mill[4:])) for mill in mills.split()
    }
    assert len(morris_mills(3)) == 16
    assert [len(row) for row in morris_board(3).levels[0]] == [3, 3, 3, 6, 3, 3, 3]
    assert sum(len(points) for points in morris_neighbours(3).values()) == 2 * 32
    assert sorted(morris_neighbours(3)["d2"]) == ["b2", "d1", "d3", "f2"]
    assert sorted(morris_neighbours(3)["c4"]) == ["b4", "c3", "c5"]


def test_six_mens_morris_board() -> None:
    """8 mills, 20 connections, and rows of 3, 3, 4, 3, 3 points; the joined midpoints are no mill."""
    mills = "a1c1e1 a5c5e5 a1a3a5 e1e3e5 b2c2d2 b4c4d4 b2b3b4 d2d3d4"
    assert {frozenset(mill) for mill in morris_mills(2)} == {
        frozenset((mill[:2], mill[2:4], mill[4:])) for mill in mills.split()
    }
    assert len(morris_mills(2)) == 8
    assert [len(row) for row in morris_board(2).levels[0]] == [3, 3, 4, 3, 3]
    assert sum(len(points) for points in morris_neighbours(2).values()) == 2 * 20
    assert sorted(morris_neighbours(2)["c1"]) == ["a1", "c2", "e1"]
    assert sorted(morris_neighbours(2)["b3"]) == ["a3", "b2", "b4"]


def test_morris_mill_while_placing() -> None:
    plain = listed("f2 c3 d3 e3 a4 b4 c4 e4 f4 g4 c5 d5 e5 b6 d6 f6 a7 d7 g7")
    position = "XX./OO./.../....../.../.../... x 7,7"
    assert legal("nine-mens-morris", position) == sorted([*plain, "g1xb2", "g1xd2"])
    assert after("nine-mens-morris", position, "g1xb2") == "XXX/.O./.../....../.../.../... o 6,7"


def test_morris_stones_in_mills_are_safe_unless_all_are() -> None:
    all_in_mills = legal("nine-mens-morris", "XX./OOO/.../....../.../.../... x 6,6")
    assert [move for move in all_in_mills if "x" in move] == ["g1xb2", "g1xd2", "g1xf2"]
    one_loose = legal("nine-mens-morris", "XX./OOO/O../....../.../.../..X x 5,5")
    assert [move for move in one_loose if "x" in move] == ["g1xc3"]


def test_morris_two_mills_at_once_capture_one() -> None:
    position = ".XX/OO./.../X...../O../..O/X.. x 5,5"
    moves = legal("nine-mens-morris", position)
    assert [move for move in moves if move.startswith("a1")] == ["a1xb2", "a1xc5", "a1xd2", "a1xf6"]
    assert after("nine-mens-morris", position, "a1xf6") == "XXX/OO./.../X...../O../.../X.. o 4,5"


def test_morris_sliding() -> None:
    expected = listed("a1-a4 d2-b2 d2-d3 b4-b2 b4-b6 b4-a4 b4-c4 g7-d7 g7-g4")
    assert legal("nine-mens-morris", "XO./.XO/.../.X..O./O.O/.../..X x") == expected


def test_morris_only_the_moved_stone_makes_a_mill() -> None:
    """X has a mill already: neither having it nor opening it captures anything, but closing it again does."""
    position = "XXX/.../.../....../O.O/X../O.O x"
    assert legal("nine-mens-morris", position) == ["a1-a4", "b6-b4", "b6-d6", "d1-d2", "g1-g4"]
    reopened = after("nine-mens-morris", position, "g1-g4", "c5-c4")
    closing = [move for move in legal("nine-mens-morris", reopened) if move.startswith("g4-g1")]
    assert closing == ["g4-g1xa7", "g4-g1xc4", "g4-g1xe5", "g4-g1xg7"]


def test_morris_flying_with_three_stones() -> None:
    position = "XX./OO./.../....O./O../.../..X x"
    flights = {f"{a}-{b}" for a in ("a1", "d1", "g7") for b in EMPTY_IN_FLIGHT} - {"g7-g1"}
    captures = {"g7-g1xb2", "g7-g1xd2", "g7-g1xf4", "g7-g1xc5"}
    assert legal("nine-mens-morris", position) == sorted(flights | captures)


def test_morris_four_stones_do_not_fly() -> None:
    position = "XX./OO./.../....O./O../.../..X o"
    expected = listed("b2-b4 d2-f2 d2-d3 f4-f2xa1 f4-f2xd1 f4-f2xg7 f4-f6 f4-e4 f4-g4 c5-c4 c5-d5")
    assert legal("nine-mens-morris", position) == expected
    assert result("nine-mens-morris", after("nine-mens-morris", position, "f4-f2xg7")) == "loss"


def test_morris_no_flying_with_a_stone_in_hand() -> None:
    moves = legal("nine-mens-morris", "XX./OO./.../....O./O../.../..X x 1,0")
    plain = [point for point in EMPTY_IN_FLIGHT if point != "g1"]
    assert moves == sorted([*plain, "g1xb2", "g1xd2", "g1xf4", "g1xc5"])


def test_morris_blockade() -> None:
    """X stands on the four corners, O on the midpoints between them."""
    position = "XOX/.../.../O....O/.../.../XOX x"
    assert result("nine-mens-morris", position) == "loss"
    assert legal("nine-mens-morris", position) == []
    assert legal("nine-mens-morris", position.replace("x", "o")) == ["a4-b4", "d1-d2", "d7-d6", "g4-f4"]
    assert result("nine-mens-morris", position + " 1,0") is None
    # With one stone fewer X may fly, and is not blocked.
    assert result("nine-mens-morris", "XOX/.../.../O....O/.../.../.OX x") is None


def test_six_mens_morris_blockade() -> None:
    assert result("six-mens-morris", "XOX/.../O..O/.../XOX x") == "loss"
    assert legal("six-mens-morris", "XOX/.../O..O/.../XOX o") == ["a3-b3", "c1-c2", "c5-c4", "e3-d3"]


def test_morris_fewer_than_three_stones_lose() -> None:
    assert result("nine-mens-morris", "X../.../.../....../O../O../X.O x") == "loss"
    assert result("nine-mens-morris", "X../.../.../....../O../O../X.O x 1,0") is None
    assert result("six-mens-morris", "X../.../..../O.O/X.O x") == "loss"


def test_six_mens_morris_perft() -> None:
    """Four plies cannot make a mill.

    At the fifth X's three stones can fill one of 8 mills in 6 orders while O's two stand on 13 * 12 pairs of
    the other points: instead of one move there are then two, one for each stone to capture.
    """
    assert perft(oracle("six-mens-morris"), 4) == 16 * 15 * 14 * 13
    game = oracle("six-mens-morris")
    state = game.play(game.play(game.start(), "a1"), "d3")
    fifth = sum(
        len(game.moves(game.play(game.play(state, third), fourth)))
        for third in game.moves(state)
        for fourth in game.moves(game.play(state, third))
    )
    # a1 is on two mills; each can be completed by the other two points in two orders, O having 12 places.
    assert fifth == 14 * 13 * 12 + 2 * 2 * 12


# Values


@pytest.mark.parametrize(
    "name",
    [
        "tictactoe",
        "arabian",
        "three-mens-morris",
        "achi",
        "achi:row-while-placing=no,diagonals=no,blocked=passes",
    ],
)
def test_sweeps_agree_with_a_search_of_limited_depth(name: str) -> None:
    game = oracle(name)

    @cache
    def children(state: State) -> list[State]:
        return [game.play(state, move) for move in game.moves(state)]

    @cache
    def wins_within(state: State, plies: int) -> bool:
        return plies > 0 and any(loses_within(child, plies - 1) for child in children(state))

    @cache
    def loses_within(state: State, plies: int) -> bool:
        if not children(state):
            return game.over(state) == "loss"
        return plies > 0 and all(wins_within(child, plies - 1) for child in children(state))

    depth = 10
    for state, (value, remoteness) in solved(name).items():
        soon = remoteness is not None and remoteness <= depth
        assert wins_within(state, depth) == (value == "win" and soon)
        assert loses_within(state, depth) == (value == "loss" and soon)
        if remoteness and value == "win" and soon:
            assert not wins_within(state, remoteness - 1)
        if remoteness and value == "loss" and soon:
            assert not loses_within(state, remoteness - 1)


def test_moving_games_have_draws_without_length() -> None:
    for name in ["arabian", "three-mens-morris", "achi:blocked=draws"]:
        assert {remoteness for value, remoteness in solved(name).values() if value == "draw"} == {None}


# The machine of 1990


def test_machine_replies_as_in_the_simulation_of_appendix_e() -> None:
    """The report prints the chip's whole search in one position: 11 times a stone is set on the board.

    The chip then takes place 0; the user answers on place 8; the chip fills the board with its next stone.
    """
    assert reply(".OXXOO.X.", "O") == (0, 11)
    assert reply("OOXXOO.XX", "O") == (6, 1)


def test_machine_worked_by_hand() -> None:
    assert reply("XX.OO....", "X") == (2, 1)
    # O could win at once on place 5, but tries place 2 first. To that X has four answers (5, 6, 7, 8), each
    # refuted by the first stone O tries then (6, 5, 5, 5): 1 + 4 * 2 stones, and place 2 wins too.
    assert reply("XX.OO....", "O") == (2, 9)


def test_machine_finds_no_move_where_all_lose() -> None:
    with pytest.raises(LookupError, match="no move found"):
        reply("X.X.O.X.O", "O")
    with pytest.raises(LookupError, match="no move found"):
        reply("XOXXOOOXX", "O")


def machine_results(cells: str, machine: str, machine_to_move: bool) -> set[str]:
    """How games from here can end ("X", "O" or "draw") if the user may play anything."""
    game = oracle("tictactoe")
    state = game.read("/".join((cells[:3], cells[3:6], cells[6:])))
    outcome = game.over(state)
    if outcome is not None:
        return {"draw" if outcome == "draw" else "XO"[cells.count("X") == cells.count("O")]}
    user = "O" if machine == "X" else "X"
    places = [reply(cells, machine)[0]] if machine_to_move else [i for i in range(9) if cells[i] == "."]
    stone = machine if machine_to_move else user
    results = [machine_results(cells[:i] + stone + cells[i + 1 :], machine, not machine_to_move) for i in places]
    return set().union(*results)


def test_machine_never_loses_when_the_user_begins() -> None:
    assert machine_results(".........", "O", machine_to_move=False) == {"O", "draw"}


@pytest.mark.parametrize("first", range(9))
def test_machine_never_loses_when_it_begins_anywhere(first: int) -> None:
    """The machine's own first stone was set at random."""
    cells = "." * first + "X" + "." * (8 - first)
    assert machine_results(cells, "X", machine_to_move=False) <= {"X", "draw"}
