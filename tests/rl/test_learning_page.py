"""What docs/learning.md says of the games, and of PettingZoo's own tic-tac-toe, is so."""

import copy
import re
import sys
from pathlib import Path
from random import Random
from types import ModuleType

import numpy as np
import pytest

import noughts.rl
from noughts.games import KINDS, Game, game
from noughts.rl.actions import actions
from noughts.rl.exact_values import exact, quick
from noughts.rl.observation import sight
from noughts.solve.small import solvable
from noughts.solve.subspaces import milled

PAGE = (Path(__file__).parents[2] / "docs" / "learning.md").read_text()


def test_the_table_of_games_is_what_the_code_says() -> None:
    rows = re.findall(r"^\| `(\S+)` \| ([\d,]+) \| (\(.*\)) \| (.*) \|$", PAGE, re.MULTILINE)
    told = [(name, int(count.replace(",", "")), shape, asked) for name, count, shape, asked in rows]
    games = [game(kind.example) for kind in KINDS]
    assert told == [(of.name, len(actions(of)), str(sight(of).shape), exactness(of)) for of in games]


def exactness(of: Game) -> str:
    """Whether infos are exact, in the words of the page."""
    if solvable(of):
        return "by default" if quick(of) else "on demand"
    if milled(of):
        return "on demand, in part"
    assert exact(of) is None
    return "no"


def test_their_own_tictactoe_is_ours_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """It imports pygame, which it needs only to draw."""
    monkeypatch.setitem(sys.modules, "pygame", ModuleType("pygame"))
    from pettingzoo.classic.tictactoe import tictactoe  # noqa: PLC0415

    random, theirs, ours = Random(6), tictactoe.env(), noughts.rl.env("tictactoe")
    illegal = 0
    for _ in range(40):
        theirs.reset()
        ours.reset()
        while theirs.agents:
            assert (ours.agents, ours.agent_selection) == (theirs.agents, theirs.agent_selection)
            assert (ours.rewards, ours.terminations) == (theirs.rewards, theirs.terminations)
            seen, *rest, _ = ours.last()
            expected, *others, _ = theirs.last()
            assert rest == others
            ended = rest[1] or rest[2]
            for key in ("observation",) if ended else ("observation", "action_mask"):
                assert seen[key].dtype == expected[key].dtype
                assert np.array_equal(seen[key], expected[key])
            action = None if ended else random.choice([*np.flatnonzero(seen["action_mask"]).tolist(), 4])
            illegal += action is not None and not seen["action_mask"][action]
            ours.step(action)
            theirs.step(action)
        assert ours.agents == []
    assert illegal > 5
    theirs.reset()
    theirs.step(0)
    assert not copy.deepcopy(theirs.unwrapped).board.squares[0]
