"""The worked example learns what it says: tables and networks, their teachers, and the curves that were recorded."""

import json
import signal
import sys
from pathlib import Path

import numpy as np
import pytest

from noughts.games import NoughtsError, game
from noughts.games.picture import Picture
from noughts.rl.batch import Batch
from noughts.rl.evaluation import Judge
from noughts.rl.exact_values import REWARDS
from noughts.rl.observation import observe
from noughts.solve import solve
from oracles import policies as plain

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "examples" / "learning"))

import learn  # noqa: E402
from lessons import Classroom, Seen  # noqa: E402
from network import Network  # noqa: E402
from plot import draw  # noqa: E402
from table import Table  # noqa: E402
from teachers import Known  # noqa: E402

GAME = game("tictactoe")
JUDGE = Judge(GAME)
POSITIONS = [position for layer in JUDGE.layers for position in layer]
SEEN: Seen = np.array([observe(GAME, position, position.turn).reshape(9, 2) for position in POSITIONS])
RECORDED = json.loads((ROOT / "docs" / "learning.json").read_text())


def test_a_table_that_plays_itself_becomes_unexploitable_as_was_recorded() -> None:
    named = ("tictactoe", "table", "itself")
    run = learn.learn(next(course for course in learn.courses() if course[:3] == named), 0)
    assert run["exploitability"][0] == 1
    assert run["exploitability"][-1] == 0
    kept = next(one for one in RECORDED if (one["game"], one["learner"], one["teacher"], one["seed"]) == (*named, 0))
    assert {**run, "seconds": 0} == {**kept, "seconds": 0}


def test_the_page_shows_the_recorded_curves_and_their_ends() -> None:
    assert draw(RECORDED).svg() == (ROOT / "docs" / "learning.svg").read_text()
    assert learn.summary(RECORDED) in (ROOT / "docs" / "judging.md").read_text()
    assert len(RECORDED) == sum(course.runs for course in learn.courses())


def test_all_positions_that_symmetries_make_alike_share_an_entry_of_a_table() -> None:
    table = Table(GAME, 0)
    entries = table._entries(SEEN)[~SEEN.any(axis=2)]
    assert len(set(entries.tolist())) == 764  # all 765 classes of tic-tac-toe but the empty board
    before = table.values(SEEN)
    for symmetry in GAME.symmetries:
        image = np.argsort(symmetry)
        assert (table.values(SEEN[:, image]) == before[:, image]).all()


def test_a_teacher_tells_what_every_action_is_worth_and_a_perfect_one_gives_nothing_away() -> None:
    known, solution = Known(JUDGE, 0), solve(GAME)
    lesson = Classroom(Batch(GAME, len(SEEN), seed=0), 0, 0).play(Table(GAME, 0), None, 1)[0]._replace(seen=SEEN)
    told = known.tell(lesson).told
    played = known.against("perfect")(SEEN)
    for position, worth, action in zip(POSITIONS, told, played, strict=True):
        expected = np.full(9, np.nan)
        moves = solution.moves(position)
        for move, value, *_ in moves:
            assert value.remoteness is not None
            expected[move.to] = REWARDS[value.outcome] * 0.98 ** (value.remoteness - 1)
        assert worth == pytest.approx(expected, nan_ok=True)
        assert action in [move.to for move, value, *_ in moves if value == moves[0].value]


@pytest.mark.parametrize("plies", [1, 2])
def test_a_lesson_goes_on_when_the_learner_sees_the_game_again(plies: int) -> None:
    teacher = None if plies == 1 else Known(JUDGE, 0).against("random")
    classroom = Classroom(Batch(GAME, 50, seed=1), 0.3, 1)
    for lesson in classroom.play(Table(GAME, 1), teacher, 20):
        on = ~lesson.over
        stones = lesson.seen.sum(axis=(1, 2))
        assert (lesson.next.sum(axis=(1, 2))[on] == stones[on] + plies).all()
        kept = lesson.next[..., ::-1] if plies == 1 else lesson.next
        assert (kept[on] >= lesson.seen[on]).all()
        assert (np.sign(lesson.factor) == (-1 if plies == 1 else 1)).all()
        for seen, action, over, result in zip(*lesson[:4], strict=True):
            mine, other = "XO" if seen.sum() % 2 == 0 else "OX"
            board = "".join(mine if own else other if theirs else "." for own, theirs in seen.tolist())
            after = plain.put(board, int(action))
            if plain.over(after):
                assert over
                assert result == (1 if plain.winner(after) else 0)
            elif over:
                assert result in (-1, 0)  # by the teacher's reply
    assert classroom.games > 50


def test_the_slopes_of_a_network_are_those_of_its_error() -> None:
    rng = np.random.default_rng(0)
    network = Network(GAME, 0, 1)
    for layer in (network.weights, network.biases):
        layer[:] = [one.astype(np.float64) for one in layer]
    seen = SEEN[rng.integers(len(SEEN), size=32)]
    worth = np.where(rng.random((32, 9)) < 0.5, np.nan, rng.uniform(-1, 1, (32, 9))).astype(np.float32)
    for parameters, slopes in zip([*network.weights, *network.biases], network.slopes(seen, worth), strict=True):
        at = tuple(int(rng.integers(size)) for size in parameters.shape)
        errors = []
        for step in (1e-5, -2e-5):
            parameters[at] += step
            errors.append(np.nanmean((network.values(seen) - worth.astype(np.float64)) ** 2))
        parameters[at] += 1e-5
        assert slopes[at] == pytest.approx((errors[0] - errors[1]) / 2e-5, rel=1e-3, abs=1e-7)


def test_a_picture_of_some_of_the_runs_has_a_line_for_each_teacher() -> None:
    some: Picture = draw([run for run in RECORDED if run["game"] == "tictactoe" and run["teacher"] != "told"])
    assert some.body.count('stroke-linejoin="round"') == 2 * 3 + 3
    assert "mnk" not in some.body


@pytest.mark.parametrize("text", ["", "[]", "[1]", '{"game": 1}', '[{"game": "tictactoe"}]', '[{"game": "chess"}]'])
def test_what_cannot_be_drawn_again_is_refused_in_a_line(tmp_path: Path, text: str) -> None:
    data = tmp_path / "mine.json"
    data.write_text(text)
    with pytest.raises(NoughtsError, match=r"mine.json' cannot be drawn: expected what was measured, by a run"):
        learn.redrawn(data)


def test_those_who_learn_leave_an_interruption_to_the_one_who_waits() -> None:
    with learn.pool_of(1) as pool:
        assert pool.apply(signal.getsignal, (signal.SIGINT,)) == signal.SIG_IGN
    assert signal.getsignal(signal.SIGINT) != signal.SIG_IGN
