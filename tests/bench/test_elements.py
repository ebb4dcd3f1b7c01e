"""The report's two times against every machine that could have taken them; the counts are those of the whole tree."""

import numpy as np

from noughts.bench.elements import FIRST, SECOND, all_machines, bench_elements, chance, games, leftovers


def test_the_cycles_are_those_between_the_reports_notes() -> None:
    """A clock of 20 ns that rises for the first time at 10 ns."""
    assert 10 + 20 * FIRST == 50_433_110
    assert 10 + 20 * (FIRST + SECOND) == 100_833_550


def test_a_game_begins_with_a_search_of_the_whole_tree() -> None:
    """The tree of tic-tac-toe: 255,168 games, 131,184 won by X, 77,904 by O, 46,080 drawn; 549,946 nodes."""
    played = games()
    assert len(played) == len({game.places for game in played}) == 99
    shortest = min(played, key=lambda game: sum(game.counts)).counts
    assert shortest.rows + shortest.last_rows > 131_184 + 77_904
    assert shortest.last_full > 46_080
    assert shortest.boards + shortest.last_rows + shortest.last_full > 549_946 - 255_168
    for game in played:
        assert len(game.places) in (5, 7, 9), "the AI begins and makes the last move"
        assert game.places[0] == 0


def test_one_machine_leaves_five_and_six_cycles_and_no_other_fewer_than_a_hundred_and_seventy_in_both() -> None:
    rows = bench_elements(lambda *_: None)
    best, second = rows[:2]
    assert [best[cost] for cost in ("board", "row", "last row", "last full")] == [8, 2, 7, 7]
    assert (best["left 1"], best["left 2"]) == (5, 6)
    assert best["human 1"] == "c3 b3"
    assert max(second["left 1"], second["left 2"]) == 170


def test_the_first_game_follows_from_the_machine_and_of_the_second_the_first_two_moves_of_the_human() -> None:
    played = games()
    machine = np.array([[8, 2, 7, 7]])
    first, second = (leftovers(machine, played, reported)[0] for reported in (FIRST, SECOND))
    assert sorted(first)[:2] == [5, 1_639]
    near = {played[number].human: int(left) for number, left in enumerate(second) if left < 100}
    assert sorted(near.values()) == [6, 6, 9, 9, 11, 11, 16, 21, 21]
    assert {frozenset(moves.split()[:2]) for moves in near} == {frozenset(("a3", "c1"))}
    assert near["a3 c1 a2 b3"] == 9, "the second game of the sample run"


def test_of_machines_that_spend_two_cycles_on_a_row_and_the_same_on_every_last_cell_no_other_comes_near() -> None:
    """As the report's states have it: start and current_check for a row; one stone, whatever it does, for element 1."""
    played, machines = games(), all_machines()
    literal = machines[(machines[:, 1] == 2) & (machines[:, 2] == machines[:, 3])]
    assert len(literal) > 100
    left = np.stack([leftovers(literal, played, reported).min(axis=1) for reported in (FIRST, SECOND)]).max(axis=0)
    near = literal[left < 8_000]
    assert near.tolist() == [[8, 2, 7, 7]]


def test_thirty_machines_can_reach_both_times_and_one_of_them_hits_both_by_chance_once_in_nine_times() -> None:
    """Hits: leaves ten cycles or fewer."""
    played, machines = games(), all_machines()
    counts = np.array([game.counts for game in played])
    sums = machines @ counts.T
    able = machines[(sums.min(axis=1) <= SECOND) & (sums.max(axis=1) >= FIRST - 10)]
    assert len(able) == 30
    chances = [chance(machine, played, 10) for machine in able]
    assert 0.003 < chances[able.tolist().index([8, 2, 7, 7])] < 0.006
    assert 1 / 10 < sum(chances) < 1 / 8


def test_the_chance_is_the_share_of_times_that_a_game_is_shortly_before() -> None:
    """By looking at every single time."""
    played = games()
    machine = np.array([8, 2, 7, 7])
    sums = {int(total) for total in np.array([game.counts for game in played]) @ machine}
    assert len(sums) == 71
    times = range(min(sums), max(sums) + 7)
    near = sum(any(time - back in sums for back in range(7)) for time in times)
    assert chance(machine, played, 6) == (near / len(times)) ** 2
