"""How to play, rule by rule: every lesson of every game is judged by the oracles, which are written from the prose.

A lesson says what its right moves do; here that is said once more, in the oracle's terms, and the right moves must be
exactly the legal moves of which it is true.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations, product

import pytest

from noughts.games import KINDS, Game, game
from noughts.games.catalogue import variants
from noughts.games.playing import Playing
from noughts.insight.lessons import Lesson, lessons, reply
from oracles.base import Oracle, State, parts_of
from oracles.morris import MorrisGame
from oracles.rows import MovingGame
from oracles.rules import oracle

IDLE = "square4:boards=4"
SIZES = ("1,1,1", "2,2,2", "3,1,2", "5,2,4", "7,6,4", "19,3,5", "19,19,5", "11,11,11")
NAMES = [
    *(kind.example for kind in KINDS if kind.base != "achi"),
    *(one.name for one in variants("achi")),
    *(f"mnk:{sizes}" for sizes in SIZES),
]
FREE = ("place", "row", "slide", "jump")
"""Tasks that every move does."""
NARROW = "achi:adjacency=orthogonal,row-while-placing=no"
"""Where stones slide straight into the one empty point, whatever moves completes the diagonal."""

STEPS: dict[str, list[tuple[int, int, int]]] = {
    "straight": [(0, 0, 1), (0, 1, 0)],
    "diagonal": [(0, 1, 1), (0, 1, -1)],
    "upright": [(1, 0, 0)],
    "slanting": [(1, 1, 0), (1, -1, 0), (1, 0, 1), (1, 0, -1)],
    "through": [(1, across, down) for across, down in product((1, -1), repeat=2)],
}
"""From level, column and row of a stone of a row to the next."""
EVERY_WAY = [step for steps in STEPS.values() for step in steps]

Deed = Callable[[Oracle, State, str], bool]


def place_of(name: str) -> tuple[int, int, int]:
    """Level, column and row of a point."""
    level, flat = (int(name[0]), name[1:]) if name[0].isdigit() else (1, name)
    return level, ord(flat[0]) - ord("a"), int(flat[1:])


def has_run(judge: Oracle, state: State, stone: str, length: int, steps: list[tuple[int, int, int]]) -> bool:
    """Whether so many equal stones stand next to each other in one of these directions."""
    held = {place_of(name) for name, what in judge.stones(state).items() if what == stone}
    return any(
        all(tuple(spot[axis] + i * step[axis] for axis in range(3)) in held for i in range(length))
        for spot in held
        for step in steps
    )


def length_of(judge: Oracle) -> int:
    return getattr(judge, "length", 3)


def wins(judge: Oracle, state: State, move: str) -> bool:
    return judge.over(judge.play(state, move)) == "loss"


def row(which: str) -> Deed:
    def done(judge: Oracle, state: State, move: str) -> bool:
        after = judge.play(state, move)
        return wins(judge, state, move) and has_run(judge, after, "X", length_of(judge), STEPS[which])

    return done


def early(judge: Oracle, state: State, move: str) -> bool:
    after = judge.play(state, move)
    assert isinstance(judge, MovingGame)
    lines = [{judge.names[place] for place in line} for line in judge.lines]
    held = {name for name, stone in judge.stones(after).items() if stone == "X"}
    return any(line <= held for line in lines) and judge.over(after) is None


def blocks(judge: Oracle, state: State, move: str) -> bool:
    after = judge.play(state, move)
    return not any(wins(judge, after, answer) for answer in judge.moves(after))


def blocks_mill(judge: Oracle, state: State, move: str) -> bool:
    after = judge.play(state, move)
    return not any(parts_of(answer)[2] for answer in judge.moves(after))


def doubles(judge: Oracle, state: State, move: str) -> bool:
    """It moves from a mill into a mill, and can come back and close the first one again, whatever O does."""
    source, target, captured = parts_of(move)
    if captured is None or source not in mills(judge, state, "X"):
        return False
    after = judge.play(state, move)
    answers = [judge.play(after, answer) for answer in judge.moves(after)]
    return all(any(again.startswith(f"{target}-{source}x") for again in judge.moves(then)) for then in answers)


def shuts_in(judge: Oracle, state: State, move: str) -> bool:
    """O cannot move any more; or X cannot and passes."""
    if move == "pass":
        return judge.moves(state) == ["pass"]
    after = judge.play(state, move)
    stuck = not judge._displacements(after)  # type: ignore[attr-defined]
    rowless = isinstance(judge, MorrisGame) or (judge.over(state) is None and not line_of(judge, after, "X"))
    return stuck and rowless and judge.over(after) in ("loss", "draw")


def line_of(judge: Oracle, state: State, stone: str) -> bool:
    assert isinstance(judge, MovingGame)
    return any(all(state.cells[place] == stone for place in line) for line in judge.lines)


def mills(judge: Oracle, state: State, stone: str) -> set[str]:
    """The points of all mills of a side."""
    assert isinstance(judge, MorrisGame)
    stones = judge.stones(state)
    return {point for mill in judge.mills if all(stones[one] == stone for one in mill) for point in mill}


def captures(_: Oracle, __: State, move: str) -> bool:
    return parts_of(move)[2] is not None


def captures_loose(judge: Oracle, state: State, move: str) -> bool:
    captured = parts_of(move)[2]
    return captured is not None and captured not in mills(judge, state, "O") != set()


def captures_milled(judge: Oracle, state: State, move: str) -> bool:
    return parts_of(move)[2] in mills(judge, state, "O")


def opens(judge: Oracle, state: State, move: str) -> bool:
    """It leaves a mill that X can close again, whatever O does."""
    source, _, captured = parts_of(move)
    after = judge.play(state, move)
    if source not in mills(judge, state, "X") or captured is not None:
        return False
    answers = [judge.play(after, answer) for answer in judge.moves(after)]
    return all(
        any(parts_of(again)[1] == source and parts_of(again)[2] for again in judge.moves(answered))
        for answered in answers
    )


def flies(judge: Oracle, state: State, move: str) -> bool:
    assert isinstance(judge, MorrisGame)
    source, target, captured = parts_of(move)
    assert source
    return state.cells.count("X") == 3 and target not in judge.neighbours[source] and captured is not None


def starves(judge: Oracle, state: State, move: str) -> bool:
    return wins(judge, state, move) and judge.play(state, move).cells.count("O") == 2


def anything(_: Oracle, __: State, ___: str) -> bool:
    return True


DEEDS: dict[str, Deed] = {
    "place": anything,
    **{f"row-{which}": row(which) for which in STEPS},
    "row": wins,
    "row-by-moving": wins,
    "no-diagonals": wins,
    "early-row": early,
    "block": lambda judge, *rest: (blocks_mill if isinstance(judge, MorrisGame) else blocks)(judge, *rest),
    "double-mill": doubles,
    "slide": lambda _, __, move: "-" in move,
    "jump": anything,
    "shut-in": shuts_in,
    "mill": captures,
    "safe": captures_loose,
    "all-in-mills": captures_milled,
    "open": opens,
    "close": captures,
    "fly": flies,
    "too-few": starves,
}
FACTS = ("draw", "repetition")


def by_name(name: str) -> dict[str, Lesson]:
    found = lessons(game(name))
    assert len({lesson.name for lesson in found}) == len(found)
    return {lesson.name: lesson for lesson in found}


def text_of(name: str) -> str:
    return " ".join(word for lesson in lessons(game(name)) for word in (lesson.title, *lesson.words, lesson.task))


def tasks(name: str) -> Iterator[tuple[Lesson, Oracle, State]]:
    for lesson in lessons(game(name)):
        judge = oracle(lesson.game.name)
        yield lesson, judge, judge.read(lesson.game.write(lesson.position))


@pytest.mark.parametrize("name", NAMES)
def test_right_moves_are_just_those_that_do_what_the_lesson_asks(name: str) -> None:
    for lesson, judge, state in tasks(name):
        legal = [lesson.game.write_move(move) for move in lesson.game.moves(lesson.position)]
        right = [lesson.game.write_move(move) for move in lesson.right]
        assert lesson.game.read(judge.text(state)) == lesson.position
        if lesson.name in FACTS:
            assert (lesson.task, right) == ("", [])
            continue
        assert state.turn == "x"
        assert sorted(legal) == sorted(judge.moves(state))
        assert right == [move for move in legal if DEEDS[lesson.name](judge, state, move)], lesson.name
        assert right
        choice = lesson.name not in FREE and right != ["pass"]
        if choice and not (lesson.name == "row-diagonal" and name.startswith(NARROW)):
            assert len(right) < len(legal), lesson.name


@pytest.mark.parametrize("name", NAMES)
def test_every_move_is_answered_in_words(name: str) -> None:
    for lesson, *_ in tasks(name):
        assert 1 <= len(lesson.words) <= 3
        assert all(words.endswith(".") for words in lesson.words)
        for move in lesson.game.moves(lesson.position) if lesson.task else ():
            answer = reply(lesson, move)
            assert answer.done == (move in lesson.right)
            assert answer.words.endswith(".")
            assert "{" not in answer.words
            assert answer.done or answer.words.startswith(f"{lesson.game.write_move(move)} is allowed, but ")


def test_a_row_that_was_made_is_named() -> None:
    lesson = by_name("tictactoe")["row-diagonal"]
    assert reply(lesson, lesson.right[0]).words in [
        f"{row} is a row, and you have won." for row in ("a1–b2–c3", "c1–b2–a3")
    ]
    long = by_name("mnk:19,19,5")["row-straight"]
    assert " to " in reply(long, long.right[0]).words


def test_a_full_board_is_drawn() -> None:
    for name in ("tictactoe", "square4", "qubic", "mnk:7,6,4"):
        lesson = by_name(name)["draw"]
        judge = oracle(lesson.game.name)
        assert judge.over(judge.read(lesson.game.write(lesson.position))) == "draw"


@pytest.mark.parametrize("name", ["achi", "arabian", "nine-mens-morris"])
def test_the_third_time_is_a_draw(name: str) -> None:
    playing = Playing.begin(game(name), by_name(name)["repetition"].position)
    assert "third time" in " ".join(by_name(name)["repetition"].words)
    to_and_fro = []
    for _ in range(2):
        move = next(
            one
            for one in playing.game.moves(playing.position)
            if one.capture is None and not playing.game.over(playing.game.after(playing.position, one))
        )
        to_and_fro.append(move)
        playing = playing.then(move)
    back = [move._replace(to=move.source, source=move.to) for move in to_and_fro]
    for move in (*back, *to_and_fro):
        playing = playing.then(move)
        assert playing.result is None
    for move in back:
        playing = playing.then(move)
    assert playing.result is not None
    assert playing.result.winner is None


@pytest.mark.parametrize("name", [name for name in NAMES if not game(name).rules.captures])
def test_every_way_that_rows_run_has_a_lesson(name: str) -> None:
    found = by_name(name)
    judge = oracle(found["place"].game.name)
    full = State(tuple("X" for _ in judge.names), "o", (0, 0))
    there = {which for which, steps in STEPS.items() if has_run(judge, full, "X", length_of(judge), steps)}
    taught = {which for which in STEPS if f"row-{which}" in found}
    assert taught == there - (
        {"diagonal"} if "diagonals=no" in name or name.startswith("nine-holes") else set()
    ) or "in whatever direction" in text_of(name)


def test_the_lesson_on_idle_boards_has_just_the_rows_of_the_first() -> None:
    lesson = by_name(IDLE)["idle"]
    judge = oracle("square4")
    first = judge.read(lesson.game.write(lesson.position).partition("|")[0].replace("O", "."))
    wanted = [
        f"1{point}"
        for point in judge.empty_points(first)
        if has_run(judge, judge.play(first._replace(turn="x"), point), "X", 4, EVERY_WAY)
    ]
    assert [lesson.game.write_move(move) for move in lesson.right] == wanted
    lost = lesson.game.read_move(lesson.position, "4d4")
    assert reply(lesson, lost).words == "4d4 is allowed, but nothing counts there: it is a lost turn."


def test_every_option_of_achi_changes_what_is_taught() -> None:
    taught = {text_of(one.name) for one in variants("achi")}
    assert len(taught) == len(variants("achi")) == 36


@pytest.mark.parametrize(
    ("name", "said", "unsaid"),
    [
        ("achi", "diagonally only from b2 or to it", "never diagonally"),
        ("achi:adjacency=orthogonal", "never diagonally", "eight directions"),
        ("achi:adjacency=king", "in all eight directions", "b2 or to it"),
        ("achi:row-while-placing=no", "rows do not count before all stones are placed", "while stones are still"),
        ("achi", "counts while stones are still being placed", "do not count"),
        ("achi:diagonals=no", "A diagonal is no row", "A row may run along a diagonal"),
        ("achi", "cannot move any stone has lost", "is a draw, "),
        ("achi:blocked=draws", "cannot move any stone, the game is a draw", "has lost"),
        ("achi:blocked=passes", "passes: the turn goes to the other", "has lost"),
        ("achi", "You have four stones, and so has O", "three stones, and"),
        ("arabian", "jumps to any empty square", "slides"),
        ("qubic", "A diagonal through all four levels", "slides"),
        ("nine-mens-morris", "With three stones, fly", "jumps"),
        ("nine-mens-morris", "You win when the other has two left, or cannot move.", "in a row wins"),
        ("mnk:19,19,5", "five stones in a row", "four"),
        (IDLE, "Only level 1 counts.", "the board is full"),
    ],
)
def test_what_the_rules_have_is_said(name: str, said: str, unsaid: str) -> None:
    assert said in text_of(name)
    assert unsaid not in text_of(name)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"flying": 4}, "With four stones, fly"),
        ({"flying": 0}, "You have nine stones"),
        ({"fewest": 4}, "A player with fewer than four stones has lost."),
        ({"stones": (7, 7)}, "You have seven stones, and so has O"),
    ],
)
def test_a_game_with_other_values_has_other_lessons(changed: dict[str, object], said: str) -> None:
    usual = game("nine-mens-morris")
    other: Game = replace(usual, rules=replace(usual.rules, **changed))  # type: ignore[arg-type]
    found = lessons(other)
    assert said in " ".join(word for lesson in found for word in (lesson.title, *lesson.words))
    assert ("fly" in {lesson.name for lesson in found}) == (other.rules.flying >= other.rules.fewest)
    for lesson in found:
        assert all(move in other.moves(lesson.position) for move in lesson.right)


@pytest.mark.parametrize("name", ["arabian", "three-mens-morris"])
def test_there_is_no_lesson_on_what_never_happens(name: str) -> None:
    assert "shut-in" not in by_name(name)
    judge = oracle(name)
    for x in combinations(range(9), 3):
        for o in combinations(sorted(set(range(9)) - set(x)), 3):
            cells = tuple("X" if point in x else "O" if point in o else "." for point in range(9))
            state = State(cells, "o", (0, 0))
            assert line_of(judge, state, "X") or judge.over(state) is None
