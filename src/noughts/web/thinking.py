"""Where answers that may take long are worked out: a few processes, a short queue, and no end of patience for nobody.

A question is a function of `noughts.web.questions` and its arguments, all plain values. Whoever asks waits a little; if
the answer is not there by then, they are told to ask again, and the work goes on. Asked again, the same question finds
the same work, or its answer. A question that is too old is given up with the process that worked on it. What was asked
often is remembered, so most questions never leave this process.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from time import monotonic
from typing import Any, NamedTuple

from noughts.games import NoughtsError

__all__ = ["BusyError", "GivenUpError", "StillThinkingError", "Thinking"]


class StillThinkingError(NoughtsError):
    """An answer that is not there yet; the work goes on."""


class BusyError(NoughtsError):
    """Too many questions at once; this one was not begun."""


class GivenUpError(NoughtsError):
    """A question that took too long."""


class _Work(NamedTuple):
    """A question that is being worked on."""

    future: asyncio.Future[Any]
    since: float


class Thinking:
    """Answers questions within bounds."""

    def __init__(self, thinkers: int, waiting: int, patience: float, limit: float, kept: int) -> None:
        self._thinkers, self._waiting = thinkers, waiting
        self._patience, self._limit, self._kept = patience, limit, kept
        self._answers: OrderedDict[Hashable, Any] = OrderedDict()
        self._works: dict[Hashable, _Work] = {}
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._thinkers, mp_context=get_context("spawn"))

    def remembered(self, question: Callable[..., Any], *arguments: Hashable) -> Any | None:
        """The answer, if it is there already."""
        key = (question.__name__, arguments)
        if key in self._answers:
            self._answers.move_to_end(key)
            return self._answers[key]
        return None

    def remember(self, answer: Any, question: Callable[..., Any], *arguments: Hashable) -> None:
        """Keep an answer that was worked out elsewhere."""
        self._answers[question.__name__, arguments] = answer
        while len(self._answers) > self._kept:
            self._answers.popitem(last=False)

    async def ask(self, question: Callable[..., Any], *arguments: Hashable) -> Any:
        """The answer, if it comes soon."""
        known = self.remembered(question, *arguments)
        if known is not None:
            return known
        work = self._works.get((question.__name__, arguments)) or self._begin(question, arguments)
        try:
            return await asyncio.wait_for(asyncio.shield(work.future), self._patience)
        except TimeoutError:
            if monotonic() - work.since > self._limit:
                self._give_up()
                raise GivenUpError(f"no answer within {self._limit:g} seconds: expected an easier question") from None
            raise StillThinkingError("still thinking: ask again in a moment") from None
        except BrokenProcessPool:
            self._give_up()
            raise StillThinkingError("the thinking was interrupted: ask again in a moment") from None

    def _begin(self, question: Callable[..., Any], arguments: tuple[Hashable, ...]) -> _Work:
        if len(self._works) >= self._waiting:
            raise BusyError(f"{self._waiting} questions are waiting already: ask again in a moment")
        key = (question.__name__, arguments)
        future = asyncio.ensure_future(asyncio.wrap_future(self._pool.submit(question, *arguments)))
        self._works[key] = work = _Work(future, monotonic())

        def done(finished: asyncio.Future[Any]) -> None:
            self._works.pop(key, None)
            if not finished.cancelled() and finished.exception() is None:
                self.remember(finished.result(), question, *arguments)

        future.add_done_callback(done)
        return work

    def _give_up(self) -> None:
        """End the processes, and begin with new ones; what else was being worked on will be asked again."""
        old, self._pool = self._pool, self._new_pool()
        self._works.clear()
        self._end(old)

    def close(self) -> None:
        """End the processes."""
        self._end(self._pool)

    @staticmethod
    def _end(pool: ProcessPoolExecutor) -> None:
        # The executor has no way to end a process that is busy; its processes do.
        processes = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()
