"""Where answers that may take long are worked out: a few processes beside the server, and a short queue before them.

A question is a function of `questions` and its arguments, all plain values. Whoever asks waits a little;
if the answer is not there by then, they are told to ask again, and the work goes on. Asked again, the same question
finds the same work (single flight: many who ask for one thing cost one computation), or its answer, which is
remembered.

How much work a question is, is known beforehand (`questions.effort`). What takes less than a millisecond
is done here. The rest goes to thinkers: long questions to a certain number of them, quick ones to those and to one
more, which long ones never get; so somebody's hard question does not keep others waiting for easy answers.

Everything has a bound. A question on which a thinker has worked too long is given up with that thinker, and refused
for a while. One whose thinker was killed is tried once more. One that waits in the queue is dropped when those who
asked have stopped asking. A thinker that has grown large, because it solved many games, ends after its answer; the
next question starts a new one. If the server dies, however it dies, its thinkers notice and end, busy or not.

Why not a pool from a library: pebble's has time limits, but neither a lane for quick questions, nor workers chosen by
the game whose solution they hold, nor a bound on a worker's memory, nor an end with a server that was killed.
"""

import asyncio
import pickle
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from time import monotonic
from typing import Any

from noughts.games import NoughtsError
from noughts.web.asking.questions import Effort, effort, warm_up
from noughts.web.asking.thinker import Question, Thinker, open_answer
from noughts.web.caching import Entry, Memory

__all__ = ["BusyError", "GivenUpError", "StillThinkingError", "Thinking"]

Arguments = tuple[Hashable, ...]

USUAL_SIZE = 2_000
"""Bytes of a usual answer: as many of these as answers may be kept are what all of them may take."""
QUICK_ONES = 16
"""How many quick questions may wait for each long one that may."""
WARM_AFTER = 0.5
"""Seconds until all thinkers are started, if they were not needed before: the server's own start comes first."""
ABANDONED = 10.0
"""Seconds after which a question in the queue is dropped if nobody has asked again."""
REFUSED = 600.0
"""Seconds for which a question that was given up is refused."""
MOST_REFUSED = 1_000


class StillThinkingError(NoughtsError):
    """An answer that is not there yet; the work goes on."""


class BusyError(NoughtsError):
    """Too many questions at once; this one was not begun."""


class GivenUpError(NoughtsError):
    """A question that took too long."""


@dataclass(eq=False)
class _Work:
    """A question that waits or is being worked on."""

    question: Question
    arguments: Arguments
    effort: Effort
    future: asyncio.Future[bytes]
    asked: float
    """When somebody last asked."""
    interruptions: int = 0
    deadline: asyncio.TimerHandle | None = None

    @property
    def key(self) -> Hashable:
        return _key(self.question, self.arguments)


class Thinking:
    """Answers questions within bounds; belongs to the event loop it is made in."""

    def __init__(
        self,
        thinkers: int,
        waiting: int,
        patience: float,
        limit: float,
        kept: int,
        weigh: Callable[[Question, Arguments], Effort] = effort,
        admit: Callable[[Effort], None] = lambda _: None,
    ) -> None:
        """So many thinkers and questions waiting for them; seconds to wait and to work; answers to remember.

        `weigh` says how much work a question is; `admit` raises an error if who asks has asked for too much already.
        """
        self._thinkers, self._patience, self._limit = thinkers, patience, limit
        self._weigh, self._charge = weigh, admit
        self._abandoned = max(ABANDONED, 2 * patience)
        self._answers = Memory(kept * USUAL_SIZE)
        self._refused: OrderedDict[Hashable, float] = OrderedDict()
        self._works: dict[Hashable, _Work] = {}
        self._queues: dict[Effort, deque[_Work]] = {Effort.QUICK: deque(), Effort.LONG: deque()}
        self._most_waiting = {Effort.QUICK: waiting * QUICK_ONES, Effort.LONG: waiting}
        self._starting: set[Thinker] = set()
        self._idle: list[Thinker] = []
        self._busy: dict[Thinker, _Work] = {}
        self._loop = asyncio.get_running_loop()
        self._warming = self._loop.call_later(WARM_AFTER, self._start, thinkers + 1)
        self._open = True

    def remembered(self, question: Question, *arguments: Hashable) -> Any | None:
        """The answer, if it is there already."""
        entry = self._answers.get(_key(question, arguments))
        return None if entry is None else open_answer(entry.body)

    def remember(self, answer: Any, question: Question, *arguments: Hashable) -> None:
        """Keep an answer that was worked out elsewhere."""
        self._answers.put(_key(question, arguments), Entry(pickle.dumps((True, answer))))

    async def ask(self, question: Question, *arguments: Hashable, patience: float | None = None) -> Any:
        """The answer, if it comes within so many seconds, or as many as are usual here."""
        known = self.remembered(question, *arguments)
        if known is not None:
            return known
        work = self._works.get(_key(question, arguments))
        if work is None:
            weight = self._weigh(question, arguments)
            if weight is Effort.NONE:
                answer = question(*arguments)
                self.remember(answer, question, *arguments)
                return answer
            work = self._admit(question, arguments, weight)
        work.asked = monotonic()
        try:
            message = await asyncio.wait_for(
                asyncio.shield(work.future), self._patience if patience is None else patience
            )
        except TimeoutError:
            raise StillThinkingError("still thinking: ask again in a moment") from None
        return open_answer(message)

    def close(self) -> None:
        """End the processes; those who still wait are told."""
        self._open = False
        self._warming.cancel()
        for work in self._works.values():
            self._fail(work, StillThinkingError("the server is ending: ask again in a moment"))
        for thinker in [*self._starting, *self._idle, *self._busy]:
            thinker.end()
        self._works.clear()
        for queue in self._queues.values():
            queue.clear()
        self._starting, self._idle, self._busy = set(), [], {}

    def _admit(self, question: Question, arguments: Arguments, weight: Effort) -> _Work:
        """A new question into the queue, if there is room."""
        key = _key(question, arguments)
        if not self._open:
            raise StillThinkingError("the server is ending: ask again in a moment")
        if monotonic() < self._refused.get(key, 0):
            raise GivenUpError(f"no answer was found within {self._limit:g} seconds: expected an easier question")
        queue = self._queues[weight]
        if len(queue) >= self._most_waiting[weight]:
            raise BusyError(f"{len(queue)} questions are waiting already: ask again in a moment")
        self._charge(weight)
        work = _Work(question, arguments, weight, self._loop.create_future(), monotonic())
        work.future.add_done_callback(_look_at)
        self._works[key] = work
        queue.append(work)
        self._hand_out()
        return work

    def _hand_out(self) -> None:
        """Give waiting questions to thinkers, as long as there are both; start thinkers if they are missing."""
        while self._idle and (work := self._next()):
            thinker = self._take_thinker(work)
            self._busy[thinker] = work
            work.deadline = self._loop.call_later(self._limit, self._give_up, thinker)
            thinker.ask(work.question, work.arguments)
        self._start(sum(len(queue) for queue in self._queues.values()) - len(self._starting))

    def _next(self) -> _Work | None:
        """The question that is to be worked on next, if there may be a thinker for it."""
        long_ones = sum(work.effort is Effort.LONG for work in self._busy.values())
        room = {Effort.QUICK: True, Effort.LONG: long_ones < self._thinkers}
        for weight, queue in self._queues.items():
            while queue and room[weight]:
                work = queue.popleft()
                if monotonic() - work.asked < self._abandoned:
                    return work
                self._works.pop(work.key, None)
                work.future.cancel()
        return None

    def _take_thinker(self, work: _Work) -> Thinker:
        """An idle thinker, best one that has met the game before."""
        acquainted = (thinker for thinker in self._idle if thinker.knows.issuperset(work.arguments[:1]))
        thinker = next(acquainted, self._idle[0])
        self._idle.remove(thinker)
        return thinker

    def _start(self, wanted: int) -> None:
        """Start so many thinkers more, up to one for each long question at a time and one besides."""
        there = len(self._idle) + len(self._busy) + len(self._starting)
        for _ in range(min(wanted, self._thinkers + 1 - there)):
            self._starting.add(Thinker(self._answered, warm_up))

    def _answered(self, thinker: Thinker, message: bytes | None) -> None:
        """A thinker is ready, or has answered, or has ended."""
        work = self._busy.pop(thinker, None)
        if message is not None:
            self._idle.append(thinker)
        elif thinker in self._idle:
            self._idle.remove(thinker)
        elif thinker in self._starting:
            self._fail_waiting()
        self._starting.discard(thinker)
        if work is not None:
            self._settle(work, message)
        self._hand_out()

    def _fail_waiting(self) -> None:
        """No thinker can be started: fail the questions that wait for one."""
        for queue in self._queues.values():
            for work in queue:
                self._works.pop(work.key, None)
                self._fail(work, BusyError("nobody can think about this at present: ask again in a moment"))
            queue.clear()

    def _settle(self, work: _Work, message: bytes | None) -> None:
        """An answer for those who asked; without one, another try or the end."""
        if work.deadline:
            work.deadline.cancel()
        if message is None and not work.interruptions:
            work.interruptions += 1
            self._queues[work.effort].appendleft(work)
            return
        del self._works[work.key]
        if message is None:
            self._refuse(work)
        else:
            work.future.set_result(message)
            if pickle.loads(message)[0]:
                self._answers.put(work.key, Entry(message))

    def _give_up(self, thinker: Thinker) -> None:
        """End a thinker that has worked too long on its question."""
        work = self._busy.pop(thinker)
        thinker.end()
        del self._works[work.key]
        self._refuse(work)
        self._hand_out()

    def _refuse(self, work: _Work) -> None:
        self._refused[work.key] = monotonic() + REFUSED
        while len(self._refused) > MOST_REFUSED:
            self._refused.popitem(last=False)
        self._fail(work, GivenUpError(f"no answer within {self._limit:g} seconds: expected an easier question"))

    @staticmethod
    def _fail(work: _Work, error: NoughtsError) -> None:
        if work.deadline:
            work.deadline.cancel()
        if not work.future.done():
            work.future.set_exception(error)


def _key(question: Question, arguments: Arguments) -> Hashable:
    return question.__name__, arguments


def _look_at(future: asyncio.Future[bytes]) -> None:
    """Mark an error as seen: asyncio would report one that nobody awaits."""
    if not future.cancelled():
        future.exception()
