"""The forward check of tables: right tables pass, whatever is wrong is found and named, and the rules agree."""

import json
import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from noughts.games import Game, Outcome, Position, game
from noughts.games.points import members
from noughts.solve.morris.check import ProcessorChecker, Witness, WrongValueError
from noughts.solve.morris.kernel import Work
from noughts.solve.morris.making import Making, Wanted, solve_into
from noughts.solve.morris.numbering import combinations, index_of, sets_of
from noughts.solve.morris.processor import Processor
from noughts.solve.morris.retrograde import Solved, solve_morris
from noughts.solve.morris.subspaces import Key, keys_upto, slots_of
from noughts.solve.morris.verify import verify
from noughts.solve.store import Store
from noughts.solve.value import DRAWN, Value
from oracles.morris_tables import MorrisTables

pytestmark = pytest.mark.slow

SIX, NINE = game("six-mens-morris"), game("nine-mens-morris")


@pytest.fixture(scope="module")
def six(tmp_path_factory: pytest.TempPathFactory) -> Store:
    store = Store.create(tmp_path_factory.mktemp("tables") / "six", SIX)
    solve_into(store, 6)
    return store


@pytest.fixture
def copy(six: Store, tmp_path: Path) -> Store:
    """A table that a test may spoil: the subspaces with at most four stones a side."""
    store = Store.create(tmp_path / "copy", SIX)
    for key in keys_upto(4):
        store = spoil(store, key, six.read(*key), six)
    return store


def spoil(store: Store, key: Key, table: np.ndarray, like: Store) -> Store:
    """The table with another subspace in it, all checksums right, and the counts of the right table."""
    store.write(Solved(key, len(table), np.zeros(256, np.int64), 0.0, lambda: table))
    manifest = json.loads((store.folder / "manifest.json").read_text())
    row = like.entry(key).row
    manifest["subspaces"] = [
        said | (row._asdict() if said["name"] == row.name else {}) for said in manifest["subspaces"]
    ]
    (store.folder / "manifest.json").write_text(json.dumps(manifest))
    return Store.open(store.folder)


def sets_at(rules: Game, key: Key, slot: int) -> tuple[int, int]:
    """The mover's stones and the other's at a byte of a table."""
    mover, other = key[:2]
    words = combinations(len(rules.layout) - mover, other)
    own = int(sets_of(rules.layout, mover).representatives[slot // len(words)])
    free = [point for point in range(len(rules.layout)) if not own >> point & 1]
    return own, sum(1 << free[place] for place in members(int(words[slot % len(words)])))


def slot_of(rules: Game, own: int, other: int) -> tuple[tuple[int, int], int]:
    """The subspace and one of the bytes of a position."""
    key = (own.bit_count(), other.bit_count())
    sets, index = sets_of(rules.layout, key[0]), index_of(rules.layout)
    number = int(index.rank(np.array([own], np.uint32))[0])
    group, symmetry = int(sets.class_of[number]), int(sets.symmetry_of[number])
    beside = int(index.image(symmetry, np.array([other], np.uint32))[0])
    lead = int(sets.representatives[group])
    free = [point for point in range(len(rules.layout)) if not lead >> point & 1]
    words = combinations(len(rules.layout) - key[0], key[1])
    word = sum(1 << place for place, point in enumerate(free) if beside >> point & 1)
    return key, group * len(words) + int(np.searchsorted(words, word))


def value_of(byte: int) -> Value:
    return DRAWN if byte == 255 else Value(Outcome.WIN if byte % 2 else Outcome.LOSS, byte)


class Reader:
    """The values of a table, each subspace read once."""

    def __init__(self, store: Store) -> None:
        self.game = store.game
        self.read = cache(store.read)

    def value(self, position: Position) -> Value:
        own, other = position.stones[position.turn], position.stones[1 - position.turn]
        key, slot = slot_of(self.game, own, other)
        return value_of(int(self.read(*key)[slot]))


def value_by_the_rules(store: Reader, position: Position) -> Value:
    """What the catalogue's own moves make of the values of the table: captures by the winner end the count."""
    rules = store.game
    values = []
    for move in rules.moves(position):
        after = rules.after(position, move)
        value = Value(Outcome.LOSS, 0) if rules.over(after) else store.value(after)
        if move.capture is not None and value.outcome is Outcome.LOSS:
            value = Value(Outcome.LOSS, 0)
        values.append(value.before())
    return max(values, key=Value.preference, default=Value(Outcome.LOSS, 0))


def test_six_mens_morris_is_right_in_every_byte(six: Store) -> None:
    seen: list[tuple[int, int]] = []
    found = verify(six, progress=lambda done, total: seen.append((done, total)))
    assert found == (sum(slots_of(SIX, key) for key in keys_upto(6)), None, ())
    assert six.keys() == keys_upto(6)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[-1] == (1_364_462, 1_364_462)


def test_nine_mens_morris_with_up_to_four_stones_a_side_is_right_in_every_byte(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "nine", NINE)
    solve_into(store, 4)
    assert verify(store) == (sum(slots_of(NINE, key) for key in keys_upto(4)), None, ())
    draws = {row.name: row.draws for row in store.rows()}
    assert draws == {"3-3": 269, "3-4": 658_117, "4-3": 681_906, "4-4": 3_225_409}


def test_every_byte_of_the_smallest_subspaces_is_the_plain_solvers(six: Store) -> None:
    tables = MorrisTables(2)

    @cache
    def named(points: int) -> frozenset[str]:
        return frozenset(SIX.layout.points[point] for point in members(points))

    for pair in ((3, 3), (3, 4), (4, 4)):
        tables.solve(*pair)
    for key in keys_upto(4):
        for slot, byte in enumerate(six.read(*key).tolist()):
            plies = tables.value(*map(named, sets_at(SIX, key, slot)))
            assert byte == (255 if plies is None else plies)


def test_the_rules_of_the_catalogue_agree_on_random_positions_of_all_subspaces(six: Store) -> None:
    random = np.random.default_rng(7)
    reader = Reader(six)
    for key in keys_upto(6):
        for slot in random.integers(0, slots_of(SIX, key), 12).tolist():
            position = Position(sets_at(SIX, key, slot), (0, 0), 0)
            assert reader.value(position) == value_by_the_rules(reader, position)


@pytest.mark.parametrize("key", [(3, 3), (3, 4), (4, 3), (4, 4)])
def test_a_wrong_byte_with_the_right_checksum_is_found_and_named(copy: Store, six: Store, key: tuple[int, int]) -> None:
    random = np.random.default_rng(key)
    right = six.read(*key)
    for slot in random.integers(0, len(right), 4).tolist():
        table = right.copy()
        table[slot] = 3 if table[slot] == 255 else 255
        copy = spoil(copy, key, table, six)
        found = verify(copy)
        assert found.first_wrong is not None
        named = re.fullmatch(r"'(.*)' is stored as (.*), expected (.*)", found.first_wrong)
        assert named is not None, found.first_wrong
        position = SIX.read(named[1])
        assert named[3] == str(value_by_the_rules(Reader(copy), position))
        assert named[2] != named[3]


def slots_of_one_position(key: tuple[int, int]) -> list[int]:
    """All bytes that stand for one position that has several."""
    size = len(combinations(16 - key[0], key[1]))
    group = int(np.flatnonzero(np.bitwise_count(sets_of(SIX.layout, key[0]).keepers) == 4)[0])
    own = sets_at(SIX, key, group * size)[0]
    same: dict[Position, list[int]] = {}
    for slot in range(group * size, (group + 1) * size):
        position = SIX.canonical(Position((own, sets_at(SIX, key, slot)[1]), (0, 0), 0))
        same.setdefault(position, []).append(slot)
    return max(same.values(), key=len)


def test_each_of_the_bytes_of_one_position_is_checked(copy: Store, six: Store) -> None:
    slots = slots_of_one_position((4, 4))
    assert len(slots) == 4
    for slot in slots:
        table = six.read(4, 4)
        table[slot] = 77
        assert "in 77, expected" in str(verify(spoil(copy, (4, 4), table, six)).first_wrong)


def test_a_byte_that_stands_for_nothing_is_found(copy: Store, six: Store) -> None:
    table = six.read(3, 3)
    table[:] = 254
    copy = spoil(copy, (3, 3), table, six)
    assert verify(copy, sample=3).first_wrong is not None
    assert verify(copy).first_wrong is not None


def flip(content: bytes) -> bytes:
    return content[:60] + bytes([content[60] ^ 1]) + content[61:]


@pytest.mark.parametrize(("change", "sample"), [(flip, None), (flip, 1), (lambda content: content[:70], 1)])
def test_a_flipped_byte_on_disk_is_found(copy: Store, change: Callable[[bytes], bytes], sample: int | None) -> None:
    chunk = copy.folder / "4-3" / "c.0.0"
    chunk.write_bytes(change(chunk.read_bytes()))
    assert "subspace 4-3 of" in str(verify(Store.open(copy.folder), sample).first_wrong)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"wins": 283, "draws": 56_401}, "the manifest gives 4-4 wins 283, expected 282"),
        ({"deepest_loss": 14}, "the manifest gives 4-4 deepest_loss 14, expected 12"),
        ({"positions": 56_749, "losses": 65}, "the manifest gives 4-4 positions 56749, expected 56748"),
    ],
)
def test_wrong_counts_in_the_manifest_are_found(copy: Store, changes: dict[str, int], message: str) -> None:
    path = copy.folder / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["subspaces"][3] |= changes
    path.write_text(json.dumps(manifest))
    assert verify(Store.open(copy.folder)).first_wrong == message


def test_a_check_while_solving_compares_what_the_manifest_says(copy: Store) -> None:
    path = copy.folder / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["subspaces"][3] |= {"wins": 283, "draws": 56_401}
    path.write_text(json.dumps(manifest))
    making = Making(Wanted(SIX, 4, copy.folder, check=True))
    with pytest.raises(WrongValueError, match="the manifest gives 4-4 wins 283, expected 282"):
        making.solve(None)


def test_a_sample_is_as_large_as_was_asked_and_sees_a_table_that_is_all_wrong(copy: Store, six: Store) -> None:
    assert verify(copy, sample=100) == (400, None, ())
    copy = spoil(copy, (3, 3), np.full(slots_of(SIX, (3, 3)), 255, np.uint8), six)
    assert verify(copy, sample=100).first_wrong is not None


def test_what_lacks_its_successors_is_said_not_to_be_checked(copy: Store) -> None:
    path = copy.folder / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["subspaces"] = [row for row in manifest["subspaces"] if row["name"] != "4-3"]
    path.write_text(json.dumps(manifest))
    shutil.rmtree(copy.folder / "4-3")
    found = verify(Store.open(copy.folder))
    assert found == (slots_of(SIX, (3, 3)) + slots_of(SIX, (4, 4)), None, ("3-4",))


class Miscounting(Processor):
    """Counts one draw too many where four are against four."""

    def sweep_count(self, work: Work) -> np.ndarray[tuple[Any, ...], np.dtype[np.int64]]:
        counts = super().sweep_count(work)
        counts[255] += work.movers.stones == int(work.blocks.sets[0]).bit_count() == 4
        return counts


def test_a_witness_compares_the_counts() -> None:
    for _ in solve_morris(SIX, 4, witness=Witness(SIX, ProcessorChecker())):
        pass
    with pytest.raises(WrongValueError, match=r"^\S+ positions of 4-4 are said to be draw, expected \S+$"):
        list(solve_morris(SIX, 4, engine=Miscounting(), witness=Witness(SIX, ProcessorChecker())))
