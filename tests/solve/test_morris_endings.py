"""The endings that come with Noughts are what the solver finds and the rules say, and every win is brought home."""

import re
from pathlib import Path
from random import Random

import numpy as np
import pytest

from morris_six import SIX, any_placed, six
from noughts.games import Game, Outcome, Position, game
from noughts.players import player
from noughts.players.perfect import Expert
from noughts.players.player import CannotPlayError
from noughts.solve import Extent, Source, Value, knowledge
from noughts.solve.morris import endings as module
from noughts.solve.morris.endings import Endings, EndingsError, pack, shipped_endings
from noughts.solve.morris.numbering import combinations, numbering_of
from noughts.solve.morris.retrograde import solve_morris
from noughts.solve.morris.subspaces import DRAW, ENDINGS, Key, keys_upto, name_of, slots_of
from noughts.solve.tables import endings_for

NINE = game("nine-mens-morris")
MORRIS = Path(__file__).parents[2] / "docs" / "morris.md"


@pytest.fixture(autouse=True)
def _no_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_TABLES", str(tmp_path / "none"))


def shipped(rules: Game) -> Endings:
    found = shipped_endings(rules)
    assert found is not None
    return found


def file_of(rules: Game) -> Path:
    return Path(module.__file__).with_name(f"{rules.name}.endings")


def value_of(rules: Game, position: Position) -> Value:
    """What the endings say of a position, or the rules if it is over."""
    if rules.over(position) is not None:
        return Value(Outcome.LOSS, 0)
    table = endings_for(rules, position)
    value = None if table is None else table.probe(position)
    assert value is not None
    return value


def test_six_mens_morris_is_what_the_solver_finds() -> None:
    found = shipped(SIX)
    for key in keys_upto(6):
        assert found.has(key) is (max(key) <= 5)
    for key in keys_upto(5):
        assert np.array_equal(found.read(*key), six().read(*key)), name_of(key)


def test_nine_mens_morris_with_up_to_four_stones_is_what_the_solver_finds() -> None:
    found = shipped(NINE)
    for solved in solve_morris(NINE, 4):
        assert np.array_equal(found.read(*solved.key), solved.by_mover)


def test_the_file_comes_out_the_same_when_it_is_made_again() -> None:
    assert pack(SIX, ENDINGS, six().read) == file_of(SIX).read_bytes()


def test_the_longest_wins_and_losses_are_those_of_the_whole_table() -> None:
    rows = {row.split(" | ")[0][2:]: row.split(" | ") for row in re.findall(r"^\| \d-\d .*", MORRIS.read_text(), re.M)}
    for key in keys_upto(ENDINGS):
        values = shipped(NINE).read(*key)
        assert len(values) == slots_of(NINE, key)
        longest = [max(values[(values != DRAW) & (values % 2 == odd)], default="") for odd in (1, 0)]
        assert [str(plies) for plies in longest] == rows[name_of(key)][5:7]


@pytest.mark.parametrize("rules", [SIX, NINE], ids=lambda rules: str(rules.name))
def test_a_block_is_a_part_of_its_subspace(rules: Game) -> None:
    found, random = shipped(rules), Random(1)
    for key in keys_upto(ENDINGS):
        values = found.read(*key)
        size = numbering_of(rules.layout).block_size(*key)
        for number in [0, len(values) // size - 1, *(random.randrange(len(values) // size) for _ in range(20))]:
            block = found.block(key, number)
            assert np.array_equal(block, values[number * size : (number + 1) * size])


def position_at(rules: Game, key: Key, slot: int) -> Position:
    """The position of a slot, by going through sets in order."""
    rest = combinations(len(rules.layout) - key[0], key[1])
    own = numbering_of(rules.layout).representatives(key[0])[slot // len(rest)]
    free = [point for point in range(len(rules.layout)) if not own >> point & 1]
    word = int(rest[slot % len(rest)])
    return Position((own, sum(1 << point for place, point in enumerate(free) if word >> place & 1)), (0, 0), 0)


def by_the_rules(rules: Game, position: Position) -> Value:
    """The best that the moves of a position lead to; plies count to the winner's next capture or the end."""
    if rules.over(position) is not None:
        return Value(Outcome.LOSS, 0)
    wins, losses = [], []
    for move in rules.moves(position):
        after = value_of(rules, rules.after(position, move))
        if after.outcome is Outcome.LOSS:
            assert after.remoteness is not None
            wins.append(1 if move.capture is not None else after.remoteness + 1)
        elif after.outcome is Outcome.WIN:
            assert after.remoteness is not None
            losses.append(after.remoteness + 1)
        elif after.outcome is Outcome.DRAW:
            losses.append(-1)
    if wins:
        return Value(Outcome.WIN, min(wins))
    return Value(Outcome.DRAW) if -1 in losses else Value(Outcome.LOSS, max(losses))


@pytest.mark.parametrize("key", keys_upto(ENDINGS), ids=name_of)
def test_every_value_follows_from_the_moves_that_the_rules_allow(key: Key) -> None:
    """Any positions, nearly all of them draws; and as many that are decided, seen through any symmetry."""
    random = Random(name_of(key))
    decided = np.flatnonzero(shipped(NINE).read(*key) != DRAW)
    for number in range(40):
        position = any_placed(random, key[0], key[1], NINE)
        if number % 2:
            position = position_at(NINE, key, int(random.choice(decided)))
            symmetry = random.randrange(16)
            stones = [numbering_of(NINE.layout).image(symmetry, side) for side in position.stones]
            position = Position((stones[0], stones[1]), (0, 0), 0)
            assert value_of(NINE, position).outcome is not Outcome.DRAW
        assert value_of(NINE, position) == by_the_rules(NINE, position), NINE.write(position)


def longest_wins(rules: Game, key: Key) -> list[Position]:
    """Some of the longest wins of a subspace."""
    values = shipped(rules).read(*key).astype(int)
    values[values % 2 == 0] = 0
    values[values == DRAW] = 0
    slots = np.flatnonzero(values == values.max())
    return [position_at(rules, key, int(slot)) for slot in slots[:: max(1, len(slots) // 2)]]


@pytest.mark.parametrize("key", [(3, 3), (5, 4), (5, 5)], ids=name_of)
def test_expert_brings_the_longest_wins_home_against_the_best_defence(key: Key) -> None:
    """No move is wasted: the plies run down to every capture, and with every capture the loser has fewer stones."""
    for number, first in enumerate(longest_wins(NINE, key)):
        position, expert = first, Expert(number)
        history: list[Position] = []
        while NINE.over(position) is None:
            before = value_of(NINE, position)
            move = expert.choose(NINE, position, history).move
            history.append(position)
            position = NINE.after(position, move)
            after = value_of(NINE, position)
            assert after.outcome is Outcome.LOSS
            assert after.remoteness is not None
            assert before.remoteness == (1 if move.capture is not None else after.remoteness + 1)
            if NINE.over(position) is None:
                reply = knowledge(NINE).ask(position).moves[0].move
                history.append(position)
                position = NINE.after(position, reply)
                assert value_of(NINE, position).outcome is Outcome.WIN
        assert position.turn == 1


def test_a_fresh_install_knows_its_endings_and_says_from_where() -> None:
    random = Random(2)
    for rules in (SIX, NINE):
        answer = knowledge(rules).ask(any_placed(random, 5, 5, rules))
        assert answer.source is Source.ENDINGS
        assert answer.reason == (
            "from the endings that come with Noughts; plies count to the winner's next capture or the end"
        )
        assert knowledge(rules).extent is Extent.SOME_POSITIONS
        with pytest.raises(CannotPlayError, match="no whole table"):
            player("perfect", 1).check(rules)


def test_nothing_is_known_of_more_stones_or_of_stones_in_hand() -> None:
    random = Random(3)
    assert endings_for(NINE, any_placed(random, 5, 6, NINE)) is None
    assert endings_for(NINE, any_placed(random, 6, 5, NINE)) is None
    assert endings_for(NINE, NINE.start()) is None
    assert endings_for(game("achi"), game("achi").start()) is None


def test_a_damaged_file_is_told_in_one_line(tmp_path: Path) -> None:
    whole, copy = file_of(SIX).read_bytes(), tmp_path / "six.endings"
    line = whole.index(b"\n") + 1
    damaged = {
        "cannot be read: No such file": None,
        r"expected \d+$": whole[:-1],
        "expected what bzip2 wrote": whole[:-40] + bytes([whole[-40] ^ 1]) + whole[-39:],
        "does not hold endings": whole.replace(b"endings 1", b"endings 2"),
        "of nine-mens-morris|of six-mens-morris": file_of(NINE).read_bytes(),
        "a value a one": whole[:line].replace(b'"most": 5', b'"most": 4') + whole[line:],
    }
    for message, content in damaged.items():
        if content is not None:
            copy.write_bytes(content)
        with pytest.raises(EndingsError, match=message) as caught:
            Endings(copy, SIX)
        assert "\n" not in str(caught.value)
    copy.write_bytes(whole)
    assert Endings(copy, SIX).has((5, 5))
