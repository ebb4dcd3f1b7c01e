"""The engine sees the endings of morris: what it proves by them is so, and in drawn ones it goes on pressing."""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest

from morris_six import SIX, any_placed
from noughts.games import Game, Outcome, Position, game
from noughts.players.perfect import Expert
from noughts.solve import Effort, Value, knowledge
from noughts.solve.engine import rate, think
from noughts.solve.engine.endings import endings_near
from noughts.solve.morris.endings import shipped_endings
from noughts.solve.morris.numbering import combinations, numbering_of
from noughts.solve.morris.subspaces import DRAW, ENDINGS, FEWEST, Key, keys_upto
from noughts.solve.tables import endings_for

pytestmark = pytest.mark.slow

NINE = game("nine-mens-morris")
DECIDED = (Outcome.WIN, Outcome.LOSS)


@pytest.fixture(autouse=True)
def _no_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_TABLES", str(tmp_path / "none"))


def known(rules: Game, position: Position) -> Value:
    """What the endings say, looked up in plain Python."""
    table = endings_for(rules, position)
    value = None if table is None else table.probe(position)
    assert value is not None
    return value


def decided(rules: Game, key: Key, random: Random) -> Position:
    """Any decided position of a subspace, seen through any symmetry."""
    found, numbering = shipped_endings(rules), numbering_of(rules.layout)
    assert found is not None
    rest = combinations(len(rules.layout) - key[0], key[1])
    slot = int(random.choice(np.flatnonzero(found.read(*key) != DRAW)))
    own = numbering.representatives(key[0])[slot // len(rest)]
    free = [point for point in range(len(rules.layout)) if not own >> point & 1]
    other = sum(1 << point for place, point in enumerate(free) if int(rest[slot % len(rest)]) >> place & 1)
    symmetry = random.randrange(len(rules.symmetries))
    position = Position((numbering.image(symmetry, own), numbering.image(symmetry, other)), (0, 0), 0)
    return position if random.random() < 0.5 else position.swapped()


def some(rules: Game, each: int) -> Iterator[Position]:
    """Some endings of every subspace that are not over: any, and those from which a move leads to a decided one."""
    for key in keys_upto(ENDINGS):
        random = Random(f"{rules.name} {key}")
        for number in range(each):
            sparse = rules is SIX and key == (3, 4)  # all of them are draws
            position = (
                decided(rules, key, random) if number % 2 and not sparse else any_placed(random, key[0], key[1], rules)
            )
            if rules.over(position) is None:
                yield position


@pytest.mark.parametrize("rules", [SIX, NINE], ids=lambda rules: str(rules.name))
def test_every_move_is_known_to_win_or_lose_that_does(rules: Game) -> None:
    """The compiled look-up, which is another than that of tables, agrees with it about every move."""
    seen = 0
    for position in some(rules, 8):
        found = rate(rules, position, nodes=3_000)
        assert found.depth >= 1
        for rated in found.moves:
            value = Value(Outcome.LOSS, 0) if rules.over(rated.position) else known(rules, rated.position)
            expected = value.before().outcome
            seen += expected in DECIDED
            if expected in DECIDED:
                assert rated.value.outcome is expected, (rules.write(position), rated)
            else:
                assert rated.value.outcome not in DECIDED, (rules.write(position), rated)
    assert seen > 100


def test_a_capture_into_a_drawn_ending_is_worth_nothing_to_either_side() -> None:
    random, drawn = Random(4), 0
    while drawn < 20:
        position = any_placed(random, random.choice([4, 5]), 6, NINE)
        captures = [move for move in NINE.moves(position) if move.capture is not None]
        if not captures:
            continue
        for rated in rate(NINE, position, nodes=3_000).moves:
            if rated.move in captures:
                expected = known(NINE, rated.position).before().outcome
                assert rated.value.outcome is (Outcome.UNKNOWN if expected is Outcome.DRAW else expected)
                assert (rated.estimate == 0) is (expected is Outcome.DRAW)
                drawn += expected is Outcome.DRAW


def test_a_win_over_three_stones_has_its_length_and_others_have_none() -> None:
    random, lengths = Random(1), set()
    for key in [(3, 3), (4, 3), (5, 3), (4, 4), (5, 4), (5, 5)]:
        for _ in range(6):
            position = decided(NINE, key, random)
            value = known(NINE, position)
            if NINE.over(position) is not None or value.remoteness == 1:
                continue
            found = think(NINE, position, nodes=2_000)
            assert found.value.outcome is value.outcome
            loser = position.stones[position.turn ^ (value.outcome is Outcome.WIN)].bit_count()
            if loser == FEWEST:
                assert found.at_most == value.remoteness
                assert found.value.remoteness in (None, value.remoteness)
            elif found.at_most is None:
                assert found.value.remoteness is None
                lengths.add(value.remoteness)
    assert len(lengths) > 3


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("OOX/XX./.X./...OXX/..O/.../... o", Outcome.LOSS),
        (".XX/OX./O../..O.../.../.OO/OXX o", Outcome.WIN),
        ("OX./X.X/.../OOOX../.X./.OO/X.. o", Outcome.WIN),
        ("XX./O.O/.O./X.X.OO/..O/.../... o", Outcome.WIN),
        (".XO/.X./OX./.XX..O/X../..O/... o", Outcome.LOSS),
    ],
)
def test_a_search_proves_by_endings_what_it_would_see_later_without(
    text: str, outcome: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Positions with six stones, whose outcomes are those of a table made by `noughts solve --upto 6`."""
    position = NINE.read(text)
    found = think(NINE, position, nodes=100_000)
    monkeypatch.setattr(sys.modules["noughts.solve.engine.think"], "endings_near", lambda _game, _position: None)
    without = think(NINE, position, nodes=100_000)
    assert found.value.outcome is without.value.outcome is outcome
    assert found.nodes < without.nodes


def test_nothing_is_loaded_far_from_the_endings() -> None:
    random = Random(2)
    assert endings_near(NINE, NINE.start()) is None
    assert endings_near(SIX, SIX.start()) is None
    assert endings_near(NINE, any_placed(random, 9, 6, NINE)) is None
    assert endings_near(game("achi"), game("achi").start()) is None
    assert endings_near(NINE, any_placed(random, 6, 8, NINE)) is not None


def test_of_drawn_moves_expert_plays_the_one_that_the_engine_chooses() -> None:
    random, tried, effort = Random(3), 0, Effort(nodes=3_000)
    while tried < 12:
        position = any_placed(random, *random.choice([(5, 5), (5, 4), (4, 3)]), NINE)
        everything = knowledge(NINE).best(position)
        if known(NINE, position).outcome is not Outcome.DRAW or len(everything) < 2:
            continue
        tried += 1
        chosen = think(NINE, position, nodes=3_000).moves[0].move
        assert chosen in everything
        assert knowledge(NINE).best(position, effort=effort, pressing=True) == [chosen]
        assert Expert(tried, {"nodes": "3000"}).choose(NINE, position).move == chosen
