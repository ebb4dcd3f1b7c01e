"""Ctrl-C is heard during compiled loops, and ends them."""

import os
import signal
import threading
from time import perf_counter

import numpy as np
import pytest
from numba import njit

from noughts.solve.interrupt import Stop, interruptible, never, stopped


@njit(nogil=True)
def count_to(stop: Stop, most: int) -> int:
    """A loop that writes nothing: a compiler would read an ordinary flag only once, before it."""
    number = 0
    while number != most and not stopped(stop):
        number += 1
    return number


@njit(nogil=True)
def divide(_: Stop, a: int, b: int) -> int:
    if b == 0:
        raise ZeroDivisionError("by nothing")
    return a // b


def kernels_running() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == "kernel"]


def test_results_and_errors_come_through() -> None:
    assert interruptible(count_to, 1000) == 1000
    assert interruptible(divide, 7, 2) == 3
    with pytest.raises(ZeroDivisionError, match="by nothing"):
        interruptible(divide, 7, 0)
    assert kernels_running() == []


def test_an_endless_loop_ends_within_a_second_of_ctrl_c() -> None:
    interruptible(count_to, 1)  # compiles it
    began = perf_counter()
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        interruptible(count_to, -1)
    assert perf_counter() - began < 1
    assert kernels_running() == [], "the loop goes on in the background"


def test_a_loop_that_does_not_ask_is_left_behind() -> None:
    ended = threading.Event()

    def deaf(_: Stop) -> None:
        ended.wait(10)

    began = perf_counter()
    threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        interruptible(deaf)
    assert perf_counter() - began < 2
    ended.set()


def test_in_another_thread_the_loop_is_just_called() -> None:
    where: list[threading.Thread] = []

    def note_thread(stop: Stop) -> None:
        assert not stop[0]
        where.append(threading.current_thread())

    thread = threading.Thread(target=interruptible, args=(note_thread,))
    thread.start()
    thread.join()
    assert where == [thread]


def test_who_calls_a_kernel_directly_gives_it_a_flag_that_is_never_set() -> None:
    flag = never()
    assert not stopped(flag)
    assert count_to(flag, 10) == 10
    flag[0] = 1
    assert stopped(flag)
    assert count_to(flag, 10) == 0
    assert flag.dtype == np.uint8
