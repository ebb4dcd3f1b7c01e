"""The statements that the listing of 1977 executes for a move, counted by walking through it; and claims about it."""

# The variables are the listing's, and so is the length of its walk.
# ruff: noqa: N803, N806, PLR0912, PLR0915

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from noughts.arena import transcribe
from noughts.games import game as find_game
from noughts.players import player
from noughts.players.basic1977 import Basic1977
from noughts.players.listing1977 import COMBINATIONS, STATEMENTS_A_SECOND, THROUGH, decide, statements
from oracles.basic1977 import read_combinations

W = read_combinations()
ALL = range(1, 77)
VERSIONS = {
    "basic1": (range(1, 11), range(1, 17), range(1, 11)),
    "basic2": (ALL, range(1, 65), range(60, 77, 2)),
    "basic2:from=41,to=60,step=3,harder=yes": (ALL, range(1, 65), range(41, 61, 3)),
    "basic2:from=70,to=1": (ALL, range(1, 65), [70]),
    "basic3": (ALL, range(1, 65), ALL),
    "basicf": (ALL, range(1, 65), ALL),
}
"""What lines 190, 205 and 220 go through."""


def executed(name: str, S: list[int]) -> Iterator[int]:
    """The line of every statement that is executed, from line 190 to the PRINT that tells the result."""
    program_b = name.startswith("basic2")
    lines, boxes, counted = VERSIONS[name]
    V, M5, Q, M3 = [0] * 77, 0, 0, 0
    yield from [190] * (3 if program_b else 2)
    for A in lines:
        yield from [192] * 4 + [194]
        V[A] = sum(S[W[A1][A]] for A1 in range(4))
        yield 196
        if V[A] == 4:
            yield from [410] * 2
            return
        if program_b:
            yield 197
            if V[A] == 3:
                yield 197
                Q = A
        yield 198
        if V[A] == 15:
            yield 198
            M5 = A
        yield 199
    yield 199
    if M5:
        yield from finding(365, S, M5)
        yield from [368] + [370] * 3 + [380]
        return
    yield 200
    yield 201 if program_b else 204
    if Q:
        yield from finding(202, S, Q)
    else:
        yield 205
        for A in boxes:
            yield from (205, 210)
            M2 = 0
            if S[A] == 0:
                yield from (215, 220)
                for A1 in counted:
                    found = False
                    yield 225
                    for A2 in range(4):
                        yield 225
                        found = W[A2][A1] == A
                        if found:
                            break
                        yield 228
                    if found:
                        A6 = V[A1]
                        yield from (230, 260)
                        if A6 == 3:
                            yield from (260, 260)
                            yield from answer()
                            return
                        yield 270
                        if A6:
                            yield 280
                            if A6 < 5:
                                yield from (280, 280)
                                M2 += A6 if program_b and "harder" not in name else A6**A6
                            else:
                                yield from (290, 290)
                                if A6 % 5 == 0:
                                    yield 290
                                    M2 += A6 // 5 - (name == "basicf")
                    else:
                        yield 228
                    yield 300
                yield 320
                if M2 > M3:
                    yield from (320, 320)
                    M3 = M2
            yield 350
        yield 350
        if not M3:
            yield 352
            for A in boxes:
                yield 352
                if S[A] == 0:
                    yield from (352, 352)
                    break
                yield 354
    yield from answer()


def finding(line: int, S: list[int], number: int) -> Iterator[int]:
    """The loop that looks for the free box of a combination."""
    yield line
    for A1 in range(4):
        yield from (line, line)
        if S[W[A1][number]] == 0:
            yield from (line, line)
            return
        yield line + 1


def answer() -> Iterator[int]:
    yield from (390, 390, 392, 392, 400)


def machine(name: str) -> Basic1977:
    found = player(name)
    assert isinstance(found, Basic1977)
    return found


@pytest.mark.parametrize("name", VERSIONS)
def test_the_count_is_that_of_the_listing_walked_through(name: str) -> None:
    decision, random = machine(name).decision, Random(name)
    ends = Counter[int]()
    for _ in range(60):
        taken, share = random.random() ** 2, random.choice([0.1, 0.5, 0.8])
        worth = [(1 if random.random() < share else 5) if random.random() < taken else 0 for _ in range(64)]
        walk = list(executed(name, [0, *worth]))
        assert statements(worth, decision) == len(walk)
        ends.update({line for line in walk if line in (410, 380, 202, 320, 352)})
    assert ends.keys() >= {410, 380, 320}
    assert 202 in ends or "basic2" not in name


def test_a_threat_ends_the_count_where_it_is_found() -> None:
    worth = [0] * 64
    for box in (1, 2, 3, 20):
        worth[box] = 1
    for name in VERSIONS:
        assert statements(worth, machine(name).decision) == len(list(executed(name, [0, *worth])))
        assert decide(worth, machine(name).decision) == (0, None)


@pytest.mark.parametrize("name", VERSIONS)
def test_a_full_board_and_the_last_free_box(name: str) -> None:
    drawn = "1511155151511115555151111555551115155111555151155151515515115155"
    worth = [int(mark) for mark in drawn]
    for free in ([], [7], [7, 26, 60]):
        for box in free:
            worth[box] = 0
        walk = list(executed(name, [0, *worth]))
        assert statements(worth, machine(name).decision) == len(walk)


def first_moves(name: str) -> list[int]:
    """The count for every first move of the user."""
    counts = []
    for box in range(64):
        worth = [0] * 64
        worth[box] = 1
        counts.append(statements(worth, machine(name).decision))
    return counts


def test_version_3_needs_three_minutes_for_its_first_move_and_version_2_at_most_25_seconds() -> None:
    """The article's times, at one speed for both."""
    counts = {name: first_moves(name) for name in ("basic1", "basic2", "basic3", "basicf")}
    assert {name: (min(found), max(found)) for name, found in counts.items()} == {
        "basic1": (1_775, 1_872),
        "basic2": (7_247, 7_275),
        "basic3": (53_097, 53_161),
        "basicf": (53_097, 53_161),
    }
    assert 170 <= max(counts["basic3"]) / STATEMENTS_A_SECOND <= 190
    assert max(counts["basic2"]) / STATEMENTS_A_SECOND <= 25


def test_the_time_goes_down_as_the_game_goes_on() -> None:
    """In the third game of figure 5; its last reply wins, which is found before anything is chosen."""
    moves = ["1,4", "1,13", "2,4", "2,13", "2,11", "2,3", "3,4", "3,13", "3,1", "3,14"]
    script = transcribe(find_game("qubic"), player("basic3"), moves)
    counts = [exchange.choice.statements or 0 for exchange in script.exchanges if exchange.choice]
    assert len(counts) == 10
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] < counts[-2] / 50


THIRD_GAME = "1,4 1,1  1,13 1,7  2,4 4,4  2,13 4,13  2,11 1,16  2,3 2,7  3,4 4,1  3,13 2,1  3,1 3,3  3,14 2,2"


@pytest.mark.parametrize(("worth", "error"), [(1, 1e-6), (1, -1e-6), (2, 1e-6), (2, -1e-6)])
def test_the_third_game_of_figure_5_needs_exact_powers(worth: int, error: float) -> None:
    """Its ties: with 1↑1 or 2↑2 a little off, as logarithms might have them, another box would be first."""
    boxes = [int(move[0]) * 16 + int(move[2:]) - 17 for move in THIRD_GAME.split()]
    exact = machine("basic3").decision
    powers = [float(points) for points in exact.points]
    powers[worth] += error
    inexact = exact._replace(points=tuple(powers))  # type: ignore[arg-type]
    replies: dict[str, list[int]] = {"exact": [], "inexact": []}
    state = [0] * 64
    for user, reply in zip(boxes[::2], boxes[1::2], strict=True):
        state[user] = 1
        replies["exact"].append(decide(state, exact)[0])
        replies["inexact"].append(decide(state, inexact)[0])
        state[reply] = 5
    assert replies["exact"] == boxes[1::2]
    assert replies["inexact"] != boxes[1::2]


def test_no_setting_gives_the_reply_of_figure_1() -> None:
    """1,2 to 1,4: box 1 lies in every combination with boxes 2 and 4, so it never has fewer points, and is first."""
    both = set(THROUGH[1]) & set(THROUGH[3])
    assert both
    assert both <= set(THROUGH[0])
    for name in VERSIONS:
        assert decide([0, 0, 0, 1, *[0] * 60], machine(name).decision)[0] != 1


def test_combinations_above_40_go_through_all_four_boards() -> None:
    boards = [len({box // 16 for box in combination}) for combination in COMBINATIONS]
    assert boards == [1] * 40 + [4] * 36


def test_a_user_wins_by_two_threats_at_once_and_not_otherwise() -> None:
    """Figure 4. A user who fills and parries rows, and else plays anywhere."""
    decision, random, beaten = machine("basic2").decision, Random(4), 0
    for _ in range(60):
        state = [0] * 64
        while 0 in state:
            state[_users_box(state, random)] = 1
            threats = {box for line in COMBINATIONS if _sum(state, line) == 3 for box in line if not state[box]}
            box, won = decide(state, decision)
            if won is not None:
                break
            state[box] = 5
            if any(_sum(state, line) == 3 for line in COMBINATIONS):
                assert len(threats) > 1
                beaten += 1
                break
    assert beaten > 5


def _sum(state: list[int], line: tuple[int, ...]) -> int:
    return sum(state[box] for box in line)


def _users_box(state: list[int], random: Random) -> int:
    rows = [line for wanted in (3, 15) for line in COMBINATIONS if _sum(state, line) == wanted]
    return next(box for box in (rows[0] if rows else random.sample(range(64), 64)) if not state[box])
