"""News of live games and classrooms, as server-sent events: one look at the database for all who listen.

Whoever shows a live game keeps a connection open, on which the server says the number of every new version; the page
then fetches itself again. A worker does not hear of what is done at another, so each looks at the versions of all the
games that somebody listens to, with one query for all of them, `LOOK` seconds after the last look. What is done at the
same worker is told at once.

Everything has a bound: how many may listen in all and from one address, and how long. A stream ends by itself before
the server would cut it off as an answer that nobody takes (`server.SECONDS_TO_ANSWER`); the browser comes again, with
the number of the last event it saw, and misses nothing. Told to end, the server ends all streams first
(`end_all`): they would keep it waiting.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator
from time import monotonic
from typing import NamedTuple
from weakref import WeakSet

from noughts.records import DatabaseError, LiveGames
from noughts.web.limits import visitor
from noughts.web.problems import TooManyError

__all__ = ["Listening", "Topic", "end_all"]

LOOK = 0.3
"""Seconds between two looks at the database, if anybody listens."""
HEARTBEAT = 15.0
"""Seconds after which a silent stream says that it is there: so nobody on the way closes it, and a browser that hears
nothing for longer, as after its laptop was closed, opens another."""
REST = 5.0
"""Seconds after a look that failed."""
LONGEST = 100.0
"""Seconds of a stream."""
RETRY = 500
"""Milliseconds after which a browser comes again."""
MOST = 600
"""Streams of one worker; fewer than its connections, so that others get in."""
MOST_OF_ADDRESS = 150

_log = logging.getLogger("noughts.web")


class Topic(NamedTuple):
    """What somebody listens to: a live game, or all games of a classroom."""

    kind: str
    """`game` or `classroom`."""
    id: int


class Listening:
    """Who listens to what, in one worker; belongs to the event loop it is used in."""

    def __init__(self, games: LiveGames, bounded: bool = True) -> None:
        self._games, self._bounded = games, bounded
        self._bells: dict[Topic, set[asyncio.Event]] = {}
        self._versions: dict[Topic, int] = {}
        self._of_address: Counter[str] = Counter()
        self._looking: asyncio.Task[None] | None = None
        self._open = True
        _all.add(self)

    def admit(self) -> None:
        """Raise an error if whoever asks listens to too much already, or too many do."""
        streams, mine = self._of_address.total(), self._of_address[visitor()]
        if self._bounded and (streams >= MOST or mine >= MOST_OF_ADDRESS):
            bound = f"{MOST_OF_ADDRESS} from an address, {MOST} in all"
            raise TooManyError(f"too many listen already: expected at most {bound}", wait=5)

    async def stream(self, topic: Topic, known: int) -> AsyncIterator[bytes]:
        """The events for somebody who knows a version; if there is a newer one already, it is said at once."""
        bell, who, until = asyncio.Event(), visitor(), monotonic() + LONGEST
        self._of_address[who] += 1
        self._bells.setdefault(topic, set()).add(bell)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        try:
            yield f"retry: {RETRY}\n\n".encode()
            while self._open and monotonic() < until:
                version = self._versions.get(topic, known)
                # A page may be ahead of this worker's last look, after a deed at another one.
                if version > known:
                    known = version
                    yield f"id: {version}\ndata: {version}\n\n".encode()
                try:
                    await asyncio.wait_for(bell.wait(), HEARTBEAT)
                except TimeoutError:
                    yield b"event: beat\ndata: \n\n"
                bell.clear()
        finally:
            self._leave(topic, bell, who)

    def tell(self, topic: Topic, version: int) -> None:
        """A new version, which this worker has just made."""
        if topic in self._bells and self._versions.get(topic) != version:
            self._versions[topic] = version
            for bell in self._bells[topic]:
                bell.set()

    def end(self) -> None:
        """End all streams."""
        self._open = False
        if self._looking is not None:
            self._looking.cancel()
        for bells in self._bells.values():
            for bell in bells:
                bell.set()

    def _leave(self, topic: Topic, bell: asyncio.Event, who: str) -> None:
        self._of_address[who] -= 1
        if not self._of_address[who]:
            del self._of_address[who]
        self._bells[topic].discard(bell)
        if not self._bells[topic]:
            del self._bells[topic]
            self._versions.pop(topic, None)

    async def _look(self) -> None:
        """Look at the versions of all that is listened to, again and again, as long as anybody listens."""
        while self._open and self._bells:
            try:
                found = await asyncio.to_thread(self._present, set(self._bells))
            except DatabaseError as error:
                _log.warning("live games cannot be looked at: %s", error)
                await asyncio.sleep(REST)
                continue
            for topic, version in found.items():
                # One that was made here meanwhile is newer than the look.
                if version > self._versions.get(topic, -1):
                    self.tell(topic, version)
            await asyncio.sleep(LOOK)

    def _present(self, wanted: set[Topic]) -> dict[Topic, int]:
        games = [topic.id for topic in wanted if topic.kind == "game"]
        classrooms = [topic.id for topic in wanted if topic.kind == "classroom"]
        found = {Topic("game", id_): version for id_, version in self._games.versions(games).items()} if games else {}
        if classrooms:
            found |= {Topic("classroom", id_): stir for id_, stir in self._games.stirs(classrooms).items()}
        return found


_all: WeakSet[Listening] = WeakSet()


def end_all() -> None:
    """End the streams of this process, since it is told to end."""
    for one in _all:
        one.end()
