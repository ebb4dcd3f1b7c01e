"""Machines that sit at live games: who is to move is asked beside all requests, and its move is a deed like any other.

A machine's turn follows from the game itself, so nothing has to be remembered of it: whoever looks at a live game in
which a machine is to move lets it be asked. If the server is killed while it thinks, the next look asks again, here or
at another worker. The seed belongs to the game and its moves, so that both get the same answer; and of two who bring it
one is told that the game has moved on.
"""

import asyncio
import logging
from dataclasses import dataclass, field

from noughts.games import NoughtsError
from noughts.players import NoMoveFoundError
from noughts.records import DatabaseError, LiveGame, LiveGames, StaleError
from noughts.web.asking.questions import reply
from noughts.web.asking.thinking import BusyError, GivenUpError, StillThinkingError, Thinking
from noughts.web.listening import Listening, Topic
from noughts.web.sitting import Sitting

__all__ = ["Replies"]

PAUSE = 1.0
"""Seconds before a machine that could not be asked is asked again."""
TRIES = 60

_log = logging.getLogger("noughts.web")


@dataclass
class Replies:
    """The machines of one worker that think about live games."""

    games: LiveGames
    thinking: Thinking
    listening: Listening
    _works: dict[tuple[int, int], asyncio.Task[LiveGame]] = field(default_factory=dict)
    """By game and version."""

    async def after(self, live: LiveGame, patience: float) -> LiveGame:
        """The game with the machine's reply, if one is due and comes within so many seconds; else as it is."""
        if not live.machine_to_move:
            return live
        key = (live.id, live.version)
        work = self._works.get(key)
        if work is None:
            work = self._works[key] = asyncio.create_task(self._reply(live))
            work.add_done_callback(lambda _: self._works.pop(key, None))
        done, _ = await asyncio.wait({work}, timeout=patience)
        return work.result() if done and not work.cancelled() else live

    def end(self) -> None:
        """Stop asking."""
        for work in self._works.values():
            work.cancel()

    async def _reply(self, live: LiveGame) -> LiveGame:
        """The game after the machine's move; as it is, if it has moved on meanwhile or nothing comes."""
        assert live.machine is not None
        sitting = Sitting(live.playing.game, live.players, live.playing, id=live.watch_token)
        for _ in range(TRIES):
            try:
                deed = f"move {(await self.thinking.ask(reply, *sitting.question(len(live.moves))))['move']}"
            except NoMoveFoundError:
                deed = "resign"
            except (StillThinkingError, BusyError):
                await asyncio.sleep(PAUSE)
                continue
            except GivenUpError as error:
                _log.warning("a machine of a live game has not answered: %s", error)
                return live
            try:
                after = await asyncio.to_thread(self.games.act_for, live, live.machine, live.version, deed)
            except StaleError:
                return live
            except DatabaseError as error:
                _log.warning("a machine's move was not kept: %s", error)
                await asyncio.sleep(PAUSE)
                continue
            except NoughtsError as error:
                _log.error("a machine's move is none: %s", error)
                return live
            self.listening.tell(Topic("game", live.id), after.version)
            return after
        return live
