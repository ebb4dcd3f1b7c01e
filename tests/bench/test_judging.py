"""The measurement of the judge: what it gives, and that OpenSpiel would be asked about the same."""

import numpy as np
import pytest

from noughts.bench import BENCHES
from noughts.bench.judging import JUDGED, THEIRS, first, network
from noughts.games import game as find_game
from noughts.rl.evaluation import Judge


def test_it_is_among_the_measurements() -> None:
    assert "judging" in BENCHES
    assert set(THEIRS) <= set(JUDGED["tictactoe"])


def test_its_policies_are_policies() -> None:
    judge = Judge("mnk:3,2,3")
    assert judge.exploitability(first) == pytest.approx(0.5)
    assert 0 < judge.exploitability(network(judge.game)) < 1


def test_its_network_is_the_same_every_time() -> None:
    layer = Judge("mnk:3,2,3").layers[2]
    one, other = (network(find_game("mnk:3,2,3"))(layer.observations, layer.masks) for _ in range(2))
    assert (one == other).all()
    assert np.ptp(one[0][one[0] > 0]) > 0.01
