"""The measurement of the web server measures, and its players finish their games."""

import pytest

from noughts.bench import web as module
from noughts.bench.load import Tally

pytestmark = pytest.mark.slow


def test_everything_is_measured_and_nobody_is_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "SECONDS": 0.1,
        "PLAY_SECONDS": 0.1,
        "PLAYERS": 5,
        "LINES": 4,
        "POSITIONS": 20,
        "SETTLE": 0.5,
    }.items():
        monkeypatch.setattr(module, name, value)
    steps: list[tuple[int, int]] = []
    rows = module.bench_web(lambda done, total: steps.append((done, total)))
    assert [(row["what"], row["workers"]) for row in rows] == [
        (what, workers)
        for workers in (1, 2)
        for what in (
            "position",
            "position, half load",
            "page /explore/tictactoe",
            "page /explore/tictactoe, half load",
            "whole games",
        )
    ]
    for row in rows:
        assert row["errors"] == 0, row
        assert row["requests/s"] > 0
        assert row["p50 ms"] <= row["p99 ms"]
    assert steps == [(step, 10) for step in range(1, 11)]


def test_percentiles_are_of_all_answers() -> None:
    tally = Tally()
    tally.times = [number / 1000 for number in range(100, 0, -1)]
    assert (tally.percentile(0.5), tally.percentile(0.99)) == (51, 100)
    assert Tally().percentile(0.5) == 0


def test_positions_to_ask_about_are_all_different() -> None:
    paths = module.position_paths()
    assert len(set(paths)) == len(paths) == module.POSITIONS
