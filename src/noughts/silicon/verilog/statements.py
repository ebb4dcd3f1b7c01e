"""Statements in Verilog: assignments, `if` and `case`."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from noughts.silicon.rtlil.source import Assign, Bit, Bits, Case, Module, Statement, Switch
from noughts.silicon.verilog.expressions import Expressions, constant

__all__ = ["block", "indented", "statements"]

_NAME = re.compile(r"\w+(\[\d+\])?")


def indented(lines: Iterator[str] | Sequence[str], by: int = 2) -> list[str]:
    """Lines, further to the right."""
    return [" " * by + line for line in lines]


def block(head: str, lines: list[str]) -> list[str]:
    """A head with the lines that it governs."""
    return [f"{head} begin", *indented(lines), "end"]


def statements(body: Sequence[Statement], module: Module, expressions: Expressions, sign: str) -> list[str]:
    """Statements in which targets get their values by this sign, = or <=."""
    lines: list[str] = []
    for statement in body:
        if isinstance(statement, Assign):
            target, value = statement
            line = f"{expressions.text(target)} {sign} {expressions.text(value)};"
            lines.append(line + _label(module, target, value))
        elif any(case.body for case in statement.cases):
            lines += _Switch(module, expressions, sign).lines(statement)
    return lines


def _label(module: Module, about: Bits, value: Bits | str) -> str:
    """What the source calls this value of a wire, as a comment."""
    labels = module.wires[about[0].name].labels if not about[0].is_constant else {}
    digits = value if isinstance(value, str) else "".join(bit.name for bit in reversed(value))
    return f" // {labels[digits]}" if digits in labels and len(digits) == len(about) else ""


class _Switch:
    """A question and its answers."""

    def __init__(self, module: Module, expressions: Expressions, sign: str) -> None:
        self._module = module
        self._expressions = expressions
        self._sign = sign

    def lines(self, switch: Switch) -> list[str]:
        """The question as `if` where every answer waits for one bit or for overlapping patterns, else as `case`."""
        conditions = [self._condition(switch.test, case) for case in switch.cases]
        if not all(condition or not case.patterns for condition, case in zip(conditions, switch.cases, strict=True)):
            if not _overlap(switch.cases):
                return self._case(switch)
            conditions = [self._comparison(switch.test, case) for case in switch.cases]
        return self._if(
            [(condition or "", case.body) for condition, case in zip(conditions, switch.cases, strict=True)]
        )

    def _condition(self, test: Bits, case: Case) -> str | None:
        """The one bit that a case asks for, or nothing."""
        asked = [
            (bit, digit) for bit, digit in zip(test, reversed("".join(case.patterns)), strict=False) if digit != "-"
        ]
        if len(case.patterns) != 1 or len(asked) != 1:
            return None
        ((bit, digit),) = asked
        text = self._expressions.text((bit,))
        return text if digit == "1" else _opposite(text)

    def _comparison(self, test: Bits, case: Case) -> str | None:
        """Whether one of the patterns of a case matches, as an expression."""
        text = self._expressions.text(test)
        text = text if _NAME.fullmatch(text) else f"({text})"
        either = []
        for pattern in case.patterns:
            mask, value = re.sub("[01]", "1", pattern).replace("-", "0"), pattern.replace("-", "0")
            either.append(f"({text} & {_pattern(mask)}) == {_pattern(value)}")
        return " || ".join(f"({one})" for one in either) if len(either) > 1 else "".join(either) or None

    def _body(self, body: Sequence[Statement]) -> list[str]:
        return statements(body, self._module, self._expressions, self._sign)

    def _if(self, branches: list[tuple[str, list[Statement]]]) -> list[str]:
        """Conditions, each asked when none before holds; one that is empty holds always."""
        while branches and not self._body(branches[-1][1]):
            branches = branches[:-1]
        (condition, body), rest = branches[0], branches[1:]
        lines = self._body(body)
        if not condition:
            return lines
        if not lines:
            return block(f"if ({_opposite(condition)})", self._if(rest))
        result = [f"if ({condition}) begin", *indented(lines)]
        if rest:
            following = self._if(rest)
            if rest[0][0] and following[0].startswith("if ("):
                return [*result, f"end else {following[0]}", *following[1:]]
            return [*result, "end else begin", *indented(following), "end"]
        return [*result, "end"]

    def _case(self, switch: Switch) -> list[str]:
        patterns = [pattern for case in switch.cases for pattern in case.patterns]
        wild = any("-" in pattern for pattern in patterns)
        has_default = not all(case.patterns for case in switch.cases)
        lines = [f"{'casez' if wild else 'case'} ({self._expressions.text(switch.test)})"]
        skipped = False
        for case in switch.cases:
            body = self._body(case.body)
            if not (body or wild or has_default):
                # Patterns without blanks exclude each other: one that asks for nothing need not stand there.
                skipped = True
                continue
            lines += indented(self._item(switch.test, case, body))
        if not has_default and (skipped or wild or len(patterns) < 1 << len(switch.test)):
            lines.append("  default: ;")
        return [*lines, "endcase"]

    def _item(self, test: Bits, case: Case, body: list[str]) -> list[str]:
        heads = [_pattern(pattern) for pattern in case.patterns]
        label = _label(self._module, test, case.patterns[0]) if len(case.patterns) == 1 else ""
        head = f"{', '.join(heads) or 'default'}:"
        if not body:
            return [f"{head} ;"]
        if len(body) == 1 and not label:
            return [f"{head} {body[0]}"]
        return [f"{head} begin{label}", *indented(body), "end"]


def _overlap(cases: Sequence[Case]) -> bool:
    """Whether two patterns match the same value."""
    patterns = [pattern for case in cases for pattern in case.patterns]
    return any(
        all("-" in pair or pair[0] == pair[1] for pair in zip(one, two, strict=True))
        for one, two in combinations(patterns, 2)
    )


def _pattern(pattern: str) -> str:
    if "-" in pattern:
        return f"{len(pattern)}'b{pattern.replace('-', '?')}"
    return constant(tuple(Bit(digit) for digit in reversed(pattern)))


def _opposite(condition: str) -> str:
    return f"!{condition}" if _NAME.fullmatch(condition) else f"!({condition})"
