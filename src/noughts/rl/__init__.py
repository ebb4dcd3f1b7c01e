"""Agents that learn: the games as environments of PettingZoo and Gymnasium, and exact answers about what is learned.

    noughts.rl.env("achi")                        a game for two agents (PettingZoo)
    noughts.rl.single("achi", opponent="casual")  a game against one of our players (Gymnasium)
    noughts.rl.Batch("tictactoe", 1024)           a thousand games at once, where stones are only placed
    noughts.rl.value(game, position)              what a position is worth, exactly: 1, 0 or -1
    noughts.rl.optimal_actions(game, position)    the actions that keep that
    noughts.rl.regret(game, position, action)     how much an action gives away
    noughts.rl.Judge(game)                        judges policies exactly: exploitability, mistakes, results

Each of these loads what it needs when it is first asked for, and says which extra brings what is missing. Importing
this package enters the games in the registries of the learning libraries that are installed.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from noughts.extras import importing
from noughts.rl.registration import register

if TYPE_CHECKING:
    from noughts.rl.answers import PolicyError
    from noughts.rl.batch import Batch, BatchError
    from noughts.rl.evaluation import Judge, Line, Response, Results, Shares, Verdict
    from noughts.rl.exact_values import Exact, exact, optimal_actions, regret, value
    from noughts.rl.one_agent import SingleEnv, single
    from noughts.rl.policy import Policy, as_policy, by_board, by_observation, by_position
    from noughts.rl.two_agents import GameEnv, env, raw_env

__all__ = [
    "Batch",
    "BatchError",
    "Exact",
    "GameEnv",
    "Judge",
    "Line",
    "Policy",
    "PolicyError",
    "Response",
    "Results",
    "Shares",
    "SingleEnv",
    "Verdict",
    "as_policy",
    "by_board",
    "by_observation",
    "by_position",
    "env",
    "exact",
    "optimal_actions",
    "raw_env",
    "regret",
    "single",
    "value",
]

_HOMES = {
    "Batch": "batch",
    "BatchError": "batch",
    "Exact": "exact_values",
    "GameEnv": "two_agents",
    "Judge": "evaluation",
    "Line": "evaluation",
    "Policy": "policy",
    "PolicyError": "answers",
    "Response": "evaluation",
    "Results": "evaluation",
    "Shares": "evaluation",
    "SingleEnv": "one_agent",
    "Verdict": "evaluation",
    "as_policy": "policy",
    "by_board": "policy",
    "by_observation": "policy",
    "by_position": "policy",
    "env": "two_agents",
    "exact": "exact_values",
    "optimal_actions": "exact_values",
    "raw_env": "two_agents",
    "regret": "exact_values",
    "single": "one_agent",
    "value": "exact_values",
}
"""Which file each of them is in. None of them has the name of a file, which would hide it."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'noughts.rl' has no attribute {name!r}: expected one of {', '.join(__all__)}")
    with importing(f"noughts.rl.{name}"):
        found: object = getattr(import_module(f"noughts.rl.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


register()
