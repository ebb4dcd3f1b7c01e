"""With a table, six men's morris is played perfectly: never worse than the value, and every win is brought home."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from morris_six import SIX, any_placed, any_placing, six, whole_six, write_table
from noughts.games import Outcome, Position, game
from noughts.players import player
from noughts.players.player import CannotPlayError
from noughts.solve import UNKNOWN, Value, knowledge
from noughts.solve.morris.table import Table
from noughts.solve.store import Store
from noughts.solve.tables import how_to_make, table_folder, table_for

pytestmark = pytest.mark.slow

LONGEST = 400
"""Plies after which a game at random counts as endless."""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of tables, with that of six men's morris."""
    folder = tmp_path_factory.mktemp("tables")
    write_table(folder / SIX.name, whole_six())
    return folder


@pytest.fixture
def table(tables: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """What the table knows, found where the user keeps tables."""
    monkeypatch.setenv("NOUGHTS_TABLES", str(tables))
    found = table_for(SIX)
    assert isinstance(found, Table)
    return found


def known(table: Table, position: Position) -> Value:
    """What the table says of a position that it knows."""
    value = table.probe(position)
    assert value is not None
    return value


def worth(outcome: Outcome) -> int:
    return {Outcome.LOSS: -1, Outcome.DRAW: 0, Outcome.WIN: 1}[outcome]


def play(position: Position, side: int, seed: int) -> Iterator[Position]:
    """The positions of a game that perfect plays on one side, and chance on the other."""
    perfect, chance = player("perfect", seed), player("random", seed)
    for _ in range(LONGEST):
        if SIX.over(position) is not None:
            return
        chooser = perfect if position.turn == side else chance
        position = SIX.after(position, chooser.choose(SIX, position).move)
        yield position


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("side", [0, 1])
def test_perfect_never_loses_from_the_empty_board(side: int) -> None:
    wins = 0
    for seed in range(6):
        *_, last = play(SIX.start(), side, seed)
        lost = SIX.over(last) is not None and last.turn == side
        assert not lost
        wins += SIX.over(last) is not None
    assert wins


def test_a_won_position_is_won_and_the_plies_run_down_to_each_capture(table: Table) -> None:
    """After each of the winner's moves the loser's count is one less, until a capture begins it anew."""
    random = Random(1)
    won = deep = 0
    while won < 25 or deep < 5:
        mover, other = random.choice([(3, 3), (4, 4), (5, 4), (5, 5), (6, 5), (6, 6)])
        position = any_placed(random, mover, other)
        value = known(table, position)
        if value.outcome is not Outcome.WIN:
            continue
        won += 1
        deep += (value.remoteness or 0) > 5
        winner = position.turn
        for after in play(position, winner, won):
            if after.turn != winner:
                captured = after.stones[1 - winner].bit_count() < position.stones[1 - winner].bit_count()
                found = known(table, after)
                assert found.outcome is Outcome.LOSS
                if captured:
                    assert value.remoteness == 1
                else:
                    assert found.remoteness == (value.remoteness or 0) - 1
                value = found
            else:
                found = known(table, after)
                assert found.outcome is Outcome.WIN
                assert (found.remoteness or 0) <= max(1, (value.remoteness or 0) - 1)
                value = found
            position = after
        assert SIX.over(position) is Outcome.LOSS
        assert position.turn != winner


def test_perfect_against_perfect_keeps_the_value(table: Table) -> None:
    random = Random(2)
    for number in range(40):
        position = any_placing(random, number % 5) if number % 2 else any_placed(random, 5, 4)
        if SIX.over(position) is not None:
            continue
        value = known(table, position)
        after = SIX.after(position, player("perfect", number).choose(SIX, position).move)
        assert worth(known(table, after).outcome) == -worth(value.outcome)


def test_while_placing_perfect_keeps_what_it_has(table: Table) -> None:
    """Chance errs; perfect never gives back."""
    for seed in range(4):
        least = -1
        for position in play(SIX.start(), seed % 2, seed):
            if position.hand == (0, 0):
                break
            now = worth(known(table, position).outcome)
            own = now if position.turn == seed % 2 else -now
            assert own >= least
            least = max(least, own)


def test_values_and_moves_are_told_from_the_table(table: Table) -> None:
    random = Random(3)
    for in_hand in [0, 0, 1, 2, 5, 8, 12]:
        position = any_placed(random, 4, 5) if in_hand == 0 else any_placing(random, in_hand)
        told = knowledge(SIX).ask(position)
        assert told.value.outcome == known(table, position).outcome
        assert [one.move for one in told.moves] == [one.move for one in table.moves(position)]
    assert knowledge(SIX).ask(SIX.start()).value.outcome is Outcome.DRAW


def test_the_solution_holds_what_its_rows_count(table: Table) -> None:
    assert table.complete
    assert [row.name for row in table.subspaces][:3] == ["3-3", "3-4", "4-3"]
    counts: dict[str, int] = {}
    for position in table.positions():
        own, other = (stones.bit_count() for stones in position.stones)
        if (own, other) == (4, 4):
            break
        counts[f"{own}-{other}"] = counts.get(f"{own}-{other}", 0) + 1
    rows = {row.name: row.positions for row in table.subspaces}
    assert counts == {name: rows[name] for name in ["3-3", "3-4", "3-5", "3-6", "4-3"]}


def test_a_table_is_found_again_only_when_it_has_changed(tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_TABLES", str(tables))
    first = table_for(SIX)
    assert table_for(SIX) is first
    manifest = tables / SIX.name / "manifest.json"
    manifest.write_text(manifest.read_text() + "\n")
    assert table_for(SIX) is not first


def test_without_a_table_the_command_that_makes_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOUGHTS_TABLES", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = tmp_path / "noughts" / "tables" / "six-mens-morris"
    assert table_folder(SIX) == folder
    assert table_for(SIX) is None
    assert how_to_make(SIX) == f"noughts solve six-mens-morris --out {folder}"
    with pytest.raises(CannotPlayError, match="noughts solve six-mens-morris --out"):
        player("perfect", 1).check(SIX)
    eleven = game("eleven-mens-morris:flying=no")
    told = knowledge(eleven).ask(eleven.start())
    assert told.value == UNKNOWN
    assert how_to_make(eleven) in told.reason
    assert player("strong", 1).choose(SIX, SIX.start()).move in SIX.moves(SIX.start())


def test_a_part_of_a_table_answers_what_it_can(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_TABLES", str(tmp_path))
    store = Store.create(tmp_path / SIX.name, SIX)
    for one in six().solved:
        if max(one.key) <= 4:
            store.write(one)
    part = table_for(SIX)
    assert part is not None
    assert not part.complete
    random = Random(4)
    assert part.probe(any_placed(random, 4, 4)) is not None
    assert part.probe(any_placed(random, 5, 5)) is None
    with pytest.raises(CannotPlayError, match="noughts solve six-mens-morris --out"):
        player("perfect", 1).check(SIX)
    assert knowledge(SIX).ask(any_placed(random, 4, 4)).value != UNKNOWN


def test_other_games_have_no_table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NOUGHTS_TABLES", str(tmp_path))
    (tmp_path / "achi").mkdir()
    (tmp_path / "achi" / "manifest.json").write_text("{}")
    assert table_for(game("achi")) is None
