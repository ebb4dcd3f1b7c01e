"""Thinking is bounded: in time, in number, in memory; and somebody's hard question keeps nobody else waiting."""

import asyncio
import os
import pickle
import signal
import sys
from collections.abc import Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from multiprocessing import forkserver
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from fake_questions import at_length, at_once, badly, fails_to_start, fatally, fatally_once, quickly, slowly, wrongly

import noughts
from noughts.games import IllegalPositionError, NoughtsError
from noughts.web.asking import thinking as module
from noughts.web.asking.questions import Effort
from noughts.web.asking.thinker import MOST_BYTES, FailedError, seal_answer
from noughts.web.asking.thinking import BusyError, GivenUpError, StillThinkingError, Thinking
from noughts.web.caching import Memory

pytestmark = pytest.mark.slow

AGES = 30.0
"""Seconds that no test waits for."""


def weigh(question: Callable[..., Any], _arguments: tuple[Hashable, ...]) -> Effort:
    return {"quickly": Effort.QUICK, "at_once": Effort.NONE}.get(question.__name__, Effort.LONG)


@asynccontextmanager
async def thinking(
    thinkers: int = 1, waiting: int = 4, patience: float = 10, limit: float = 60, kept: int = 100
) -> Any:
    made = Thinking(thinkers, waiting, patience, limit, kept, weigh)
    try:
        yield made
    finally:
        made.close()


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        await asyncio.wait_for(test(), AGES)

    asyncio.run(bounded())


async def asked(work: Thinking, question: Callable[..., Any], *arguments: Hashable) -> asyncio.Task[Any]:
    """A question that is on its way."""
    task = asyncio.create_task(work.ask(question, *arguments))
    await asyncio.sleep(0.01)
    return task


async def ready(work: Thinking) -> None:
    """Until a thinker is there and has met the questions."""
    while True:
        try:
            await work.ask(quickly, "ready?")
        except StillThinkingError:
            continue
        return


def test_an_answer_is_worked_out_elsewhere_and_remembered() -> None:
    async def test() -> None:
        async with thinking() as work:
            first = await work.ask(quickly, "a")
            assert first["pid"] != os.getpid()
            assert work.remembered(quickly, "a") == first
            assert work.remembered(quickly, "b") is None

    run(test)


def test_what_takes_no_time_is_done_here() -> None:
    async def test() -> None:
        async with thinking() as work:
            assert (await work.ask(at_once, "a"))["pid"] == os.getpid()

    run(test)


def test_an_answer_that_somebody_changes_is_remembered_unchanged() -> None:
    async def test() -> None:
        async with thinking() as work:
            answer = await work.ask(quickly, "a")
            answer["answer"] = "changed"
            assert (await work.ask(quickly, "a"))["answer"] == "a"

    run(test)


def test_a_quick_question_is_answered_while_slow_ones_fill_all_thinkers() -> None:
    async def test() -> None:
        async with thinking(thinkers=2) as work:
            await ready(work)
            slow = [await asked(work, slowly, AGES, name) for name in "abcd"]
            began = monotonic()
            assert (await work.ask(quickly, "a"))["answer"] == "a"
            assert monotonic() - began < 5
            assert not any(task.done() for task in slow)
            for task in slow:
                task.cancel()

    run(test)


def test_whoever_loses_patience_is_told_so_and_finds_the_answer_later() -> None:
    async def test() -> None:
        async with thinking(patience=0.2) as work:
            with pytest.raises(StillThinkingError, match="still thinking: ask again"):
                await work.ask(slowly, 1.0, "a")
            while True:
                try:
                    answer = await work.ask(slowly, 1.0, "a")
                except StillThinkingError:
                    continue
                break
            assert answer["answer"] == "a"

    run(test)


def test_the_same_question_from_two_is_worked_on_once() -> None:
    async def test() -> None:
        async with thinking(thinkers=2) as work:
            both = await asyncio.gather(work.ask(slowly, 0.3, "a"), work.ask(slowly, 0.3, "a"))
            assert both[0] == both[1]
            assert both[0] is not both[1]

    run(test)


def test_too_many_questions_are_turned_away() -> None:
    async def test() -> None:
        async with thinking(thinkers=1, waiting=2) as work:
            await ready(work)
            tasks = [await asked(work, slowly, AGES, name) for name in "abc"]
            with pytest.raises(BusyError, match="2 questions are waiting already"):
                await work.ask(slowly, AGES, "d")
            for task in tasks:
                task.cancel()

    run(test)


def test_a_question_that_takes_too_long_is_given_up_and_the_next_one_works() -> None:
    async def test() -> None:
        async with thinking(limit=0.6) as work:
            await ready(work)
            with pytest.raises(GivenUpError, match=r"within 0\.6 seconds"):
                await work.ask(slowly, AGES, "a")
            assert (await work.ask(quickly, "b"))["answer"] == "b"
            began = monotonic()
            with pytest.raises(GivenUpError):
                await work.ask(slowly, AGES, "a")
            assert monotonic() - began < 0.2, "what was given up is refused at once"

    run(test)


def test_a_question_is_given_up_even_if_nobody_waits_for_it_any_more() -> None:
    async def test() -> None:
        async with thinking(patience=0.05, limit=0.6) as work:
            with pytest.raises(StillThinkingError):
                await work.ask(slowly, AGES, "a")
            waited = monotonic()
            while work._busy:
                await asyncio.sleep(0.05)
                assert monotonic() - waited < 10

    run(test)


def test_an_error_reaches_whoever_asked_as_itself_and_is_not_remembered() -> None:
    async def test() -> None:
        async with thinking() as work:
            with pytest.raises(IllegalPositionError, match="'XX' is not a legal position"):
                await work.ask(wrongly, "XX")
            assert work.remembered(wrongly, "XX") is None

    run(test)


def test_a_failure_that_is_nobody_elses_is_not_an_error_of_the_visitor() -> None:
    async def test() -> None:
        async with thinking() as work:
            with pytest.raises(FailedError, match="ZeroDivisionError: x"):
                await work.ask(badly, "x")

    run(test)


def test_a_thinker_that_is_killed_is_replaced_and_its_question_asked_again(tmp_path: Path) -> None:
    async def test() -> None:
        async with thinking() as work:
            assert await work.ask(fatally_once, str(tmp_path / "tried")) > 0
            assert (tmp_path / "tried").exists()

    run(test)


def test_a_question_that_kills_its_thinker_twice_is_given_up() -> None:
    async def test() -> None:
        async with thinking() as work:
            with pytest.raises(GivenUpError):
                await work.ask(fatally)
            assert (await work.ask(quickly, "b"))["answer"] == "b"

    run(test)


def test_an_idle_thinker_that_is_killed_is_not_missed() -> None:
    async def test() -> None:
        async with thinking() as work:
            first = await work.ask(quickly, "a")
            os.kill(first["pid"], signal.SIGKILL)
            await asyncio.sleep(0.2)
            assert (await work.ask(quickly, "b"))["pid"] != first["pid"]

    run(test)


def test_a_thinker_that_has_met_the_game_is_asked_again() -> None:
    async def test() -> None:
        async with thinking(thinkers=2) as work:
            while len(work._idle) < 3:
                await asyncio.sleep(0.05)
            both = await asyncio.gather(work.ask(slowly, 0.5, "a"), work.ask(slowly, 0.6, "b"))
            assert both[0]["pid"] != both[1]["pid"]
            work._answers = Memory(0)
            again = await asyncio.gather(work.ask(slowly, 0.6, "b"), work.ask(slowly, 0.5, "a"))
            assert list(again) == [both[1], both[0]]

    run(test)


def test_a_question_in_the_queue_is_dropped_when_nobody_asks_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ABANDONED", 0.2)

    async def test() -> None:
        async with thinking(patience=0.05) as work:
            await ready(work)
            for name in "ab":
                with pytest.raises(StillThinkingError):
                    await work.ask(slowly, 1.0, name)
            while work._works:
                await asyncio.sleep(0.05)
            assert work.remembered(slowly, 1.0, "a") is not None
            assert work.remembered(slowly, 1.0, "b") is None

    run(test)


def test_who_goes_away_leaves_nothing_behind() -> None:
    async def test() -> None:
        async with thinking() as work:
            tasks = [await asked(work, slowly, 0.2, f"{number}") for number in range(4)]
            for task in tasks:
                task.cancel()
            while work._works:
                await asyncio.sleep(0.05)
            assert not work._busy

    run(test)


def test_all_thinkers_are_started_shortly_after_the_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WARM_AFTER", 0.01)

    async def test() -> None:
        async with thinking(thinkers=2) as work:
            while len(work._idle) < 3:
                await asyncio.sleep(0.05)
            assert len({thinker.pid for thinker in work._idle}) == 3

    run(test)


def test_no_thinker_is_left_after_the_end() -> None:
    async def test() -> None:
        async with thinking(thinkers=2) as work:
            task = await asked(work, slowly, AGES, "a")
            while not work._busy:
                await asyncio.sleep(0.05)
            pids = [thinker.pid for thinker in [*work._starting, *work._idle, *work._busy]]
            work.close()
            with pytest.raises(StillThinkingError, match="the server is ending"):
                await task
            assert pids
            for pid in pids:
                with pytest.raises(ProcessLookupError):
                    os.kill(pid, 0)

    run(test)


def test_answers_are_kept_by_size() -> None:
    async def test() -> None:
        async with thinking(kept=10) as work:
            for number in range(100):
                work.remember("x" * 3_000, quickly, number)
            assert work._answers.currsize <= 10 * 2_000
            assert work.remembered(quickly, 99) == "x" * 3_000
            assert work.remembered(quickly, 0) is None

    run(test)


@pytest.mark.parametrize("event_loop", ["asyncio", "uvloop"])
def test_a_long_answer_arrives_whole_in_any_event_loop(event_loop: str) -> None:
    loops = pytest.importorskip(event_loop)

    async def test() -> None:
        async with thinking(thinkers=3, waiting=16) as work:
            answers = await asyncio.gather(*(work.ask(at_length, 3_000_000 + number) for number in range(8)))
            assert [len(answer) for answer in answers] == [3_000_000 + number for number in range(8)]

    loops.run(test())


def errors_of_noughts() -> list[type[NoughtsError]]:
    """Every error there is, once all modules that define one are loaded."""
    found: list[type[NoughtsError]] = []
    waiting: list[type[NoughtsError]] = [NoughtsError]
    while waiting:
        kind = waiting.pop()
        found.append(kind)
        waiting += kind.__subclasses__()
    return [kind for kind in found if kind.__module__.startswith(noughts.__name__)]


@pytest.mark.parametrize("kind", errors_of_noughts(), ids=lambda kind: kind.__name__)
def test_every_error_survives_the_journey(kind: type[NoughtsError]) -> None:
    def raises() -> None:
        raise kind("'XX' is wrong")

    good, error = pickle.loads(seal_answer(raises, ()))
    assert not good
    assert type(error) is kind
    assert str(error) == "'XX' is wrong"


def test_an_error_that_cannot_travel_arrives_by_its_words() -> None:
    class ParticularError(NoughtsError):
        """Local, so it cannot be pickled."""

    def raises() -> None:
        raise ParticularError("'XX' is wrong")

    good, error = pickle.loads(seal_answer(raises, ()))
    assert not good
    assert type(error) is NoughtsError
    assert str(error) == "'XX' is wrong"


def test_where_no_thinker_can_be_started_nobody_waits_in_vain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "warm_up", fails_to_start)

    async def test() -> None:
        async with thinking() as work:
            with pytest.raises(BusyError, match="nobody can think about this"):
                await work.ask(quickly, "a")

    run(test)


@pytest.mark.skipif(sys.platform != "linux", reason="thinkers are forked on Linux only")
def test_thinkers_are_forked_where_they_can_be_and_else_started_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    async def parent() -> int:
        async with thinking() as work:
            pid = (await work.ask(quickly, "a"))["pid"]
            return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])

    def no_place(*_: object) -> None:
        raise OSError("AF_UNIX path too long")

    async def test() -> None:
        assert await parent() == await parent() != os.getpid()
        monkeypatch.setattr(forkserver, "connect_to_new_process", no_place)
        assert await parent() == os.getpid()

    run(test)


def test_a_thinker_of_a_large_server_is_not_taken_for_large_itself() -> None:
    ballast = bytearray(MOST_BYTES + 2**20)
    ballast[::4096] = b"x" * len(ballast[::4096])

    async def test() -> None:
        async with thinking() as work:
            assert (await work.ask(quickly, "a"))["answer"] == "a"

    run(test)
    assert len(ballast) > MOST_BYTES
