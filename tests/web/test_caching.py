"""What is remembered is bounded by its size, and what was asked for last stays longest; templates stay compiled."""

import sys
from pathlib import Path

import pytest
from jinja2 import DictLoader, Environment

from noughts.web import rendering
from noughts.web.caching import BESIDES, Entry, Memory
from noughts.web.rendering import Compiled


def test_what_was_put_is_there() -> None:
    memory = Memory(10_000)
    memory.put("a", Entry(b"one", ((b"etag", b"1"),)))
    assert memory.get("a") == Entry(b"one", ((b"etag", b"1"),))
    assert memory.get("b") is None


def test_what_was_asked_for_longest_ago_goes_first() -> None:
    memory = Memory(3 * (100 + BESIDES))
    for key in "abc":
        memory.put(key, Entry(b"x" * 100))
    memory.get("a")
    memory.put("d", Entry(b"x" * 100))
    assert [key for key in "abcd" if memory.get(key)] == ["a", "c", "d"]


def test_the_size_is_that_of_what_is_there() -> None:
    memory = Memory(100_000)
    for size in (10, 5_000, 20):
        memory.put("same", Entry(b"x" * size))
        assert memory.currsize == size + BESIDES
        assert len(memory) == 1


def test_many_answers_never_take_more_than_they_may() -> None:
    memory = Memory(20_000)
    for number in range(1_000):
        memory.put(number, Entry(b"x" * (number * 37 % 3_000)))
        assert memory.currsize <= 20_000
    assert len(memory) > 3


def test_what_is_larger_than_everything_is_not_kept() -> None:
    memory = Memory(1_000)
    memory.put("small", Entry(b"x"))
    memory.put("huge", Entry(b"x" * 2_000))
    assert memory.get("huge") is None
    assert memory.currsize <= 1_000


def hello(kept: Compiled, text: str) -> str:
    """What a template with this text gives, in a process that has not compiled it."""
    return Environment(loader=DictLoader({"a": text}), bytecode_cache=kept).get_template("a").render()


def test_a_template_is_compiled_again_when_its_text_has_changed_and_only_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Compiled()
    assert Path(kept.directory) == Path(rendering.__file__).parent / "__pycache__"
    kept.directory = str(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    assert hello(kept, "{{ 1 + 1 }}") == "2"
    assert hello(kept, "{{ 1 + 2 }}") == "3"
    assert len(list(tmp_path.iterdir())) == 1
    monkeypatch.setattr(Environment, "compile", lambda *_about, **_more: pytest.fail("it is compiled again"))
    assert hello(kept, "{{ 1 + 2 }}") == "3"


def test_where_nothing_can_be_written_or_shall_be_templates_are_compiled_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Compiled()
    kept.directory = str(tmp_path / "missing")
    assert hello(kept, "{{ 1 + 1 }}") == "2"
    kept.directory = str(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert hello(kept, "{{ 1 + 1 }}") == "2"
    assert list(tmp_path.iterdir()) == []
