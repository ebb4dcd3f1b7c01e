"""Every game of the catalogue as an environment of PettingZoo, for two agents that take turns (AEC).

    env = noughts.rl.env("achi")
    env.reset()
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        action = None if terminated or truncated else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

It is what PettingZoo's own board games are. The agents are `player_1`, who has X and begins, and `player_2`. An
observation is a dictionary: under `observation` the board as planes (`noughts.rl.observation`), under `action_mask`
which actions are legal (`noughts.rl.actions`), none for an agent that is not to move. The rewards are 0 until the end,
then 1 for the winner and -1 for the loser, or 0 for both. Where stones move, a position that comes up for the third
time is a draw, and so that no game is endless in practice either it is cut off (*truncated*) after `max_cycles` turns
of both sides.

`raw_env` refuses an illegal move with an error. `env` wraps it as PettingZoo's games are wrapped: an illegal move ends
the game with -1 for whoever made it and 0 for the other, terminated and truncated alike; a number that is no action and
calls in a wrong order fail.

What other environments do not have: `infos` says how things stand, exactly, where that is known at sight. For each
agent `value` is what the position is worth to it, `remoteness` how many plies that takes, `optimal_actions` what it
may do without losing any of that (none if it is not its turn), and `regret` how much its own last move gave away. See
`noughts.rl.exact_values` for what these words mean. They are there by default where a game of up to 12 points is
solved, and on demand elsewhere (`exact=True`). What nobody here knows is left out. When a game has ended, be it by an
illegal move, the value is the reward.

An environment can be copied and pickled in the middle of a game, as a tree search wants.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

from noughts.games import SIDES, Game, IllegalMoveError, IllegalPositionError, NoughtsError, Position
from noughts.games import game as find_game
from noughts.games.legality import check
from noughts.games.playing import Playing
from noughts.games.text import as_text
from noughts.rl import exact_values as exactly
from noughts.rl.actions import actions
from noughts.rl.observation import observe, sight
from noughts.rl.rendering import as_pixels, as_svg

__all__ = ["AGENTS", "MAX_CYCLES", "GameEnv", "env", "raw_env"]

AGENTS = ("player_1", "player_2")
"""The agents, in the order of the sides."""
MAX_CYCLES = 250
"""Turns of both sides after which a game with moving stones is cut off; games at random end well before."""
RENDER_MODES = ("human", "ansi", "svg", "rgb_array")

Observation = dict[str, NDArray[np.int8]]


class GameEnv(AECEnv):
    """A game as an environment; `raw_env` makes one."""

    def __init__(
        self,
        game: Game | str = "tictactoe",
        *,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        exact: bool | None = None,
    ) -> None:
        super().__init__()
        self.game = find_game(game)
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise NoughtsError(f"{render_mode!r} is no render mode: expected one of {', '.join(RENDER_MODES)}")
        if max_cycles is not None and not (isinstance(max_cycles, int) and max_cycles >= 1):
            raise NoughtsError(f"max_cycles is {max_cycles!r}: expected a whole number, at least 1")
        self.metadata = {
            "name": f"noughts/{self.game.name}_v0",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.render_mode = render_mode
        self.max_cycles = MAX_CYCLES if max_cycles is None and not self.game.placing_only else max_cycles
        self.exact = exactly.quick(self.game) if exact is None else exact
        self.actions = actions(self.game)
        form = sight(self.game)
        self.possible_agents = list(AGENTS)
        self.action_spaces = {agent: spaces.Discrete(len(self.actions)) for agent in AGENTS}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(np.zeros_like(form.highest), form.highest, dtype=np.int8),
                    "action_mask": spaces.Box(0, 1, (len(self.actions),), np.int8),
                }
            )
            for agent in AGENTS
        }
        turn = np.ones((*form.shape[:-1], 1), np.int8)
        highest = np.concatenate([form.highest, turn], axis=-1)
        self.state_space = spaces.Box(np.zeros_like(highest), highest, dtype=np.int8)
        self._begin(self.game.start())

    def _begin(self, position: Position) -> None:
        self.playing = Playing.begin(self.game, position)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[position.turn]
        self._skip_agent_selection = None
        self._mask: NDArray[np.int8] | None = None
        self._known: exactly.Exact | None = None
        self._regrets: list[int | None] = [None, None]
        self._forfeited = False

    def observation_space(self, agent: str) -> spaces.Dict:
        """What the observations of an agent look like.

        Args:
            agent: `player_1` or `player_2`.
        """
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The numbers of the moves.

        Args:
            agent: `player_1` or `player_2`.
        """
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """A new game.

        Args:
            seed: Not needed, since nothing here is random.
            options: Under `position` may stand where the game begins: a position, its notation, or a board.

        Raises:
            NoughtsError: If it cannot begin there.
        """
        self._begin(self._beginning((options or {}).get("position")))
        self._look()

    def observe(self, agent: str) -> Observation:
        """What an agent sees: planes, and a mask of its legal actions, all 0 if it is not to move.

        Args:
            agent: `player_1` or `player_2`.
        """
        to_move = agent == self.agent_selection and not self._ended(agent)
        mask = self._legal().copy() if to_move else np.zeros(len(self.actions), np.int8)
        return {"observation": observe(self.game, self.playing.position, AGENTS.index(agent)), "action_mask": mask}

    def state(self) -> NDArray[np.int8]:
        """The position, whoever looks: the planes that X sees, and one more that is 1 if O is to move."""
        position = self.playing.position
        planes = observe(self.game, position, 0)
        return np.concatenate([planes, np.full((*planes.shape[:-1], 1), position.turn, np.int8)], axis=-1)

    def step(self, action: int | None) -> None:
        """Make the move with this number for the agent to move; None for one whose game is over.

        Args:
            action: The number of a move, or None.

        Raises:
            UnknownActionError: If no move has this number.
            IllegalMoveError: If the move is not legal now.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalMoveError(f"{agent} is to move, not to be taken out: expected the number of a legal action")
        self._play(action)
        result = self.playing.result
        if result is not None:
            self.rewards = {one: exactly.REWARDS[result.outcome(side)] for side, one in enumerate(AGENTS)}
            self._accumulate_rewards()  # once, since there are none before the end
            self.terminations = dict.fromkeys(AGENTS, True)
        elif self._cut_off():
            self.truncations = dict.fromkeys(AGENTS, True)
        self.agent_selection = AGENTS[self.playing.position.turn]
        self._look()

    def illegal(self, action: int | None) -> bool:
        """Whether this is a move that the agent to move may not make now.

        Args:
            action: The number of a move, or None.
        """
        return action is not None and not self._ended(self.agent_selection) and not self._legal()[int(action)]

    def forfeit(self) -> None:
        """The end of a game by an illegal move: -1 for the agent to move, 0 for the other.

        All is as after PettingZoo's `TerminateIllegalWrapper`, but that `infos` say so, and the text of the board.
        """
        agent = self.agent_selection
        self._forfeited = True
        if self._known is not None:
            self._regrets[AGENTS.index(agent)] = self._known.value + 1
        self.rewards = {one: -1 if one == agent else 0 for one in AGENTS}
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(AGENTS, True)
        self.truncations = dict.fromkeys(AGENTS, True)
        self._deads_step_first()
        self._look()

    def render(self) -> str | NDArray[np.uint8] | None:
        """The board: `ansi` gives text, `svg` a picture, `rgb_array` its pixels; `human` prints the text."""
        position = self.playing.position
        if self.render_mode is None:
            gymnasium.logger.warn("render() shows nothing without a render_mode: expected one when it was made")
            return None
        if self.render_mode == "svg":
            return as_svg(self.game, position)
        if self.render_mode == "rgb_array":
            return as_pixels(self.game, position)
        text = f"{as_text(self.game, position)}\n{self._words()}\n"
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing is held that would need it."""

    def _beginning(self, wanted: exactly.Where | None) -> Position:
        position = exactly.position_of(self.game, wanted)
        check(self.game.layout, self.game.rules, position, self.game.write(position))
        if self.game.over(position) is not None:
            raise IllegalPositionError(f"no game begins at {self.game.write(position)!r}: expected one that goes on")
        return position

    def _legal(self) -> NDArray[np.int8]:
        """The mask of the agent to move, in a game that goes on; found once a position, when somebody wants it."""
        if self._mask is None:
            self._mask = self.actions.mask(self.playing.position, over=False)
        return self._mask

    def _play(self, action: int) -> None:
        position, move, action = self.playing.position, self.actions.move(action), int(action)
        if not self._legal()[action]:
            raise IllegalMoveError(
                f"action {action}, {self.game.write_move(move)!r}, is not legal at {self.game.write(position)!r}: "
                "expected one of the action mask"
            )
        if self._known is not None:
            self._regrets[position.turn] = self._known.value - self._known.values[action]
        elif self.exact:
            self._regrets[position.turn] = None
        self.playing = self.playing.then(move)
        self._mask = None

    def _look(self) -> None:
        """Find out how things stand, and tell the agents and whoever looks on."""
        self._known = None
        if self.exact and not self.terminations[AGENTS[0]]:
            *before, position = self.playing.positions
            self._known = exactly.known(self.game, position, before)
        self.infos = {agent: self._info(side, agent) if self.exact else {} for side, agent in enumerate(AGENTS)}
        if self.render_mode == "human":
            self.render()

    def _info(self, side: int, agent: str) -> dict[str, Any]:
        """What is known, for one agent. Left out is what is not: Gymnasium's vectors of environments allow no None."""
        info: dict[str, Any] = {}
        if self.terminations[agent]:
            info = {"value": self.rewards[agent], "remoteness": 0, "optimal_actions": ()}
        elif self._known is not None:
            to_move = agent == self.agent_selection
            info["value"] = self._known.value if to_move else -self._known.value
            if self._known.remoteness is not None:
                info["remoteness"] = self._known.remoteness
            info["optimal_actions"] = self._known.optimal_actions if to_move and not self.truncations[agent] else ()
        regret = self._regrets[side]
        if regret is not None:
            info["regret"] = regret
        return info

    def _ended(self, agent: str) -> bool:
        return self.terminations.get(agent, True) or self.truncations.get(agent, True)

    def _cut_off(self) -> bool:
        return self.max_cycles is not None and len(self.playing.moves) >= 2 * self.max_cycles

    def _words(self) -> str:
        """Whose turn it is, or how the game ended."""
        result, turn = self.playing.result, self.playing.position.turn
        if result is not None:
            return "a draw" if result.winner is None else f"{AGENTS[result.winner]} ({SIDES[result.winner]}) wins"
        if self._forfeited:
            return f"{AGENTS[turn]} ({SIDES[turn]}) loses by an illegal move"
        return "cut off" if self._cut_off() else f"{AGENTS[turn]} ({SIDES[turn]}) to move"


class IllegalLoses(wrappers.BaseWrapper):
    """An illegal move ends the game, instead of raising an error."""

    def step(self, action: int | None) -> None:
        """Make the move with this number, or lose by it.

        Args:
            action: The number of a move; None for an agent whose game is over.
        """
        env: GameEnv = self.unwrapped
        if env.illegal(action):
            EnvLogger.warn_on_illegal_move()
            env.forfeit()
        else:
            super().step(action)

    def __str__(self) -> str:
        return str(self.env)


def raw_env(
    game: Game | str = "tictactoe",
    *,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    exact: bool | None = None,
) -> GameEnv:
    """A game as an environment of PettingZoo, in which an illegal move is an error.

    Args:
        game: A game or its name, with options as everywhere: `achi:adjacency=king`, `mnk:4,4,3`.
        render_mode: What `render` gives: `ansi`, `svg`, `rgb_array`, or `human` to print after every move.
        max_cycles: Turns of both sides after which the game is cut off; 250 where stones move, else no limit.
        exact: Whether `infos` says how things stand; by default where a game of up to 12 points is solved.

    Returns:
        The environment; call its `reset` first.

    Raises:
        UnknownGameError: If there is no such game.
        NoughtsError: If the render mode or the limit makes no sense.
    """
    return GameEnv(game, render_mode=render_mode, max_cycles=max_cycles, exact=exact)


def env(
    game: Game | str = "tictactoe",
    *,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    exact: bool | None = None,
) -> AECEnv:
    """A game as an environment of PettingZoo, in which an illegal move loses; takes what `raw_env` takes.

    Args:
        game: A game or its name, with options as everywhere: `achi:adjacency=king`, `mnk:4,4,3`.
        render_mode: What `render` gives: `ansi`, `svg`, `rgb_array`, or `human` to print after every move.
        max_cycles: Turns of both sides after which the game is cut off; 250 where stones move, else no limit.
        exact: Whether `infos` says how things stand; by default where a game of up to 12 points is solved.

    Returns:
        The environment in PettingZoo's wrappers; call its `reset` first.
    """
    made = raw_env(game, render_mode=render_mode, max_cycles=max_cycles, exact=exact)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(IllegalLoses(made)))
