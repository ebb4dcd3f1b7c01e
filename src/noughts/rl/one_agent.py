"""Every game as an environment of Gymnasium, for one agent: one of our players has the other side.

    env = noughts.rl.single("tictactoe", opponent="casual", side="random")
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(4)

A step is the agent's move and the opponent's reply. What the agent sees, the numbers of its actions, its rewards
and what `info` says are those of the environment for two (`noughts.rl.env`), from the agent's side. An illegal move
ends the game with -1. An opponent is any player that `noughts players` lists, so of known strength: from
`random` by way of the rungs of the ladder to `perfect`; or one of your own (`noughts.players.Player`), as a network
that has learned so far. A machine of 1990 that finds no move in a position that it has lost has lost the game.

Whatever is random comes from the seed of `reset`: who begins where the side is `random`, and what the opponent does.
The same seed and the same actions are the same game. Every new game has a fresh opponent.

`action_masks()` is what MaskablePPO of sb3-contrib asks for; others find the mask in the observation.
"""

from copy import copy
from random import Random
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from noughts.games import SIDES, Game, NoughtsError
from noughts.players import NoMoveFoundError, Player, player
from noughts.rl.two_agents import AGENTS, RENDER_MODES, GameEnv

__all__ = ["SingleEnv", "single"]

_CHOICES = (*SIDES, "random")

Step = tuple[dict[str, Any], float, bool, bool, dict[str, Any]]
"""Observation, reward, whether the game has ended, whether it was cut off, and how things stand."""


class SingleEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """A game against one of our players; `single` makes one."""

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012  as Gymnasium has it

    def __init__(
        self,
        game: Game | str = "tictactoe",
        opponent: str | Player = "casual",
        side: str = "x",
        *,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        exact: bool | None = None,
    ) -> None:
        if side not in _CHOICES:
            raise NoughtsError(f"{side!r} is no side: expected x, o or random")
        # `human` prints once a step, after the reply, so it is this environment that prints.
        shown = "ansi" if render_mode == "human" else render_mode
        self._env = GameEnv(game, render_mode=shown, max_cycles=max_cycles, exact=exact)
        self.opponent, self.side, self.render_mode = opponent, side, render_mode
        self._player = self._fresh_opponent(0)
        self._player.check(self._env.game)
        self.observation_space = self._env.observation_space(AGENTS[0])
        self.action_space = self._env.action_space(AGENTS[0])
        self._agent = AGENTS[0]
        self._gave_up = False
        self._going_on = False

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._env.game

    @property
    def agent(self) -> str:
        """Which of the two agents this one is now: `player_1`, who has X and begins, or `player_2`."""
        return self._agent

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """A new game, in which the opponent has moved if it begins.

        Args:
            seed: Decides all that is random from here on; without one the games go on differing.
            options: Under `position` may stand where the game begins: a position, its notation, or a board.

        Returns:
            What the agent sees, and how things stand. If the opponent's first move has ended the game, as it can from a
            position that was given, nothing is legal, and the first step tells the end, whatever it is.

        Raises:
            NoughtsError: If the game cannot begin there.
        """
        super().reset(seed=seed)
        side = int(self.np_random.integers(2)) if self.side == "random" else SIDES.index(self.side)
        self._agent = AGENTS[side]
        self._player = self._fresh_opponent(int(self.np_random.integers(1 << 31)))
        self._env.reset(options=options)
        self._gave_up = False
        self._going_on = True
        self._answer()
        self._show()
        observation, _, _, _, info = self._told(0.0, False)
        return observation, info

    def step(self, action: np.int64 | int) -> Step:
        """The agent's move and the opponent's reply.

        Args:
            action: The number of the move.

        Returns:
            What the agent sees, its reward, whether the game has ended, whether it was cut off, how things stand.

        Raises:
            UnknownActionError: If no move has this number.
            gymnasium.error.ResetNeeded: If no game has begun, or the last one is over.
        """
        env, agent = self._env, self._agent
        env.actions.move(action)
        if not self._going_on:
            raise ResetNeeded("no game is going on: expected a reset before this step")
        if not (self._gave_up or env.terminations[agent]):  # as the opponent's very first move may have ended the game
            if env.illegal(int(action)):
                env.forfeit()
            else:
                env.step(int(action))
                self._answer()
            self._show()
        ended = self._gave_up or env.terminations[agent]
        reward = 1.0 if self._gave_up else float(env.rewards[agent])
        return self._told(reward, ended, env.truncations[agent] and not ended)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now, as MaskablePPO asks for them."""
        return self._env.observe(self._agent)["action_mask"].astype(np.bool_)

    def render(self) -> Any:
        """The board, as the environment for two shows it."""
        shown = self._env.render()
        if self.render_mode == "human":
            print(shown)
            return None
        return shown

    def _told(self, reward: float, terminated: bool, truncated: bool = False) -> Step:
        """What `step` returns; others keep it, so it is never the same dictionary twice."""
        self._going_on = not (terminated or truncated)
        return self._env.observe(self._agent), reward, terminated, truncated, dict(self._env.infos[self._agent])

    def _fresh_opponent(self, seed: int) -> Player:
        """The opponent of a new game. Of one that was given as it is, only the random numbers are made anew."""
        if not isinstance(self.opponent, Player):
            return player(str(self.opponent), seed)
        fresh = copy(self.opponent)
        fresh.random = Random(seed)
        return fresh

    def _answer(self) -> None:
        """Let the opponent move, if it is its turn."""
        env = self._env
        if env.agent_selection == self._agent or any(env.terminations.values()) or any(env.truncations.values()):
            return
        try:
            move = self._player.reply(env.playing).move
        except NoMoveFoundError:
            self._gave_up = True
            return
        env.step(env.actions.number(move))

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


def single(
    game: Game | str = "tictactoe",
    opponent: str | Player = "casual",
    side: str = "x",
    *,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    exact: bool | None = None,
) -> SingleEnv:
    """A game as an environment of Gymnasium, with one of our players as the opponent.

    Args:
        game: A game or its name, with options as everywhere: `achi:adjacency=king`, `mnk:4,4,3`.
        opponent: The name of a player, as `noughts players` lists them, with options as there; or a player of your own.
        side: Which side the agent has: `x`, which begins, `o`, or `random` for another one every game.
        render_mode: What `render` gives: `ansi`, `svg`, `rgb_array`, or `human` to print after every step.
        max_cycles: Turns of both sides after which the game is cut off; 250 where stones move, else no limit.
        exact: Whether `info` says how things stand; by default where a game of up to 12 points is solved.

    Returns:
        The environment; call its `reset` first.

    Raises:
        UnknownGameError: If there is no such game.
        UnknownPlayerError: If there is no such player.
        CannotPlayError: If the player does not play the game.
        NoughtsError: If there is no such side.
    """
    return SingleEnv(game, opponent, side, render_mode=render_mode, max_cycles=max_cycles, exact=exact)
