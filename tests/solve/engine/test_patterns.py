"""The patterns of morris boards, and whether what was learned is true of positions whose values are known."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from noughts.games import Game, NoughtsError, Outcome, Position
from noughts.games import game as find_game
from noughts.games.symmetry import apply, symmetries
from noughts.solve.book import shipped_book
from noughts.solve.engine import patterns
from noughts.solve.engine.kernel import evaluate
from noughts.solve.engine.patterns import UNIT, patterns_of, shapes
from noughts.solve.engine.state import new_state

pytestmark = pytest.mark.slow

MORRIS = ["six-mens-morris", "nine-mens-morris"]


def played(game: Game, plies: int, random: Random) -> Position:
    position = game.start()
    for _ in range(plies):
        if game.over(position) is None:
            position = game.after(position, random.choice(game.moves(position)))
    return position


def estimate(game: Game, position: Position) -> int:
    known = patterns_of(game)
    assert known is not None
    return int(evaluate(new_state(game, position)[0], known.weights))


@pytest.mark.parametrize("name", MORRIS)
def test_patterns_of_a_kind_are_symmetric_to_one_another(name: str) -> None:
    layout = find_game(name).layout
    found = shapes(layout)
    for kind in {pattern.kind for pattern in found}:
        sets = {frozenset(pattern.points) for pattern in found if pattern.kind == kind}
        first = next(iter(sets))
        assert sets == {frozenset(image[point] for point in first) for image in symmetries(layout)}


@pytest.mark.parametrize("name", MORRIS)
def test_every_mill_and_every_slide_lies_within_a_pattern(name: str) -> None:
    layout = find_game(name).layout
    sets = [set(pattern.points) for pattern in shapes(layout)]
    for together in [*layout.lines, *layout.edges]:
        assert any(set(together) <= points for points in sets)


@pytest.mark.parametrize("name", MORRIS)
def test_symmetric_positions_look_alike(name: str) -> None:
    game, random = find_game(name), Random(name)
    for _ in range(30):
        position = played(game, random.randrange(1, 40), random)
        alike = {
            estimate(
                game, position._replace(stones=(apply(image, position.stones[0]), apply(image, position.stones[1])))
            )
            for image in symmetries(game.layout)
        }
        assert len(alike) == 1


def test_what_was_learned_tells_wins_from_losses_in_the_book() -> None:
    game, random = find_game("nine-mens-morris"), Random(9)
    book = shipped_book(game)
    assert book is not None
    points = {Outcome.LOSS: 0.0, Outcome.DRAW: 0.5, Outcome.WIN: 1.0}
    truth, guess = [], []
    for _ in range(2000):
        position = played(game, random.randrange(6, 10), random)
        value = book.value(position)
        if value is not None:
            truth.append(points[value.outcome])
            guess.append(1 / (1 + np.exp(-estimate(game, position) / UNIT)))
    assert len(truth) > 1500
    assert np.mean((np.array(truth) - guess) ** 2) < 0.4 * np.var(truth)


def test_damaged_weights_are_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("six-mens-morris")
    sound = Path(patterns.__file__).with_name("six-mens-morris.npz").read_bytes()
    monkeypatch.setattr(patterns, "__file__", str(tmp_path / "patterns.py"))
    for damaged in (b"", sound[:1000], sound[:5000] + b"\0\0\0\0" + sound[5004:]):
        (tmp_path / "six-mens-morris.npz").write_bytes(damaged)
        with pytest.raises(NoughtsError, match="expected the weights of six-mens-morris"):
            patterns.patterns_of.__wrapped__(game)
