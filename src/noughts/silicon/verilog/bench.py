"""A test bench in Verilog for the runs that a source shows: it drives the pins as they were driven here, and compares.

There is a module for every run, with a chip of its own, so that each begins as when it is switched on; they wait for
one another. A line of a run is so many half cycles in which no pin but the clock changes: what the inputs are, and what
the outputs must be at the end of each. What the source's own test bench prints is printed at the same moments. At the
end stands how many half cycles came out as recorded; any other makes the simulation fail. Of a long run only so much is
here as comes recorded with the design.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from noughts.silicon.circuit import Circuit
from noughts.silicon.design import Message, Sample
from noughts.silicon.trace import UNDEFINED, Trace, binary

__all__ = ["bench"]


class _Stretch(NamedTuple):
    """Half cycles in which no pin but the clock changes."""

    halves: int
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    undefined: tuple[int, ...]
    """The bits of the outputs that nothing has defined yet: whatever they are is right."""


def bench(circuit: Circuit, recorded: Sequence[tuple[Sample, Trace]]) -> str:
    """Modules that run these samples one after the other, each with what was recorded of it from its beginning."""
    parts: list[str] = []
    start = 0
    for number, (sample, trace) in enumerate(recorded):
        parts += ["", *_module(circuit, sample, trace, start, last=number == len(recorded) - 1)]
        start += len(trace.rows) * trace.step_ns
    return "\n".join([*parts, ""])


def _module(circuit: Circuit, sample: Sample, trace: Trace, start: int, *, last: bool) -> Iterator[str]:
    pins = circuit.pins()
    inputs = [name for name, pin in pins.items() if pin.is_input and name != circuit.clock]
    outputs = [name for name, pin in pins.items() if not pin.is_input]
    yield f"// {sample.about}"
    yield f"module {circuit.identifier}_{sample.name.replace('-', '_')}_tb;"
    yield "  timeunit 1ns;"
    yield "  timeprecision 1ns;"
    yield ""
    for name, pin in pins.items():
        yield f"  logic {f'[{pin.width - 1}:0] ' if pin.width > 1 else ''}{name};"
    yield "  int seen = 0;"
    yield "  int wrong = 0;"
    yield ""
    yield f"  {circuit.identifier} dut ({', '.join(f'.{name}({name})' for name in pins)});"
    yield ""
    into, out = sum(pins[name].width for name in inputs), sum(pins[name].width for name in outputs)
    yield f"  task automatic run(input int halves, input logic [{into - 1}:0] in, input logic [{out - 1}:0] out);"
    yield "    repeat (halves) begin"
    yield f"      {circuit.clock} = {circuit.clock} === 1'b0;"
    yield f"      {{{', '.join(inputs)}}} = in;"
    yield f"      #{trace.step_ns};"
    yield "      seen++;"
    yield f"      if (({{{', '.join(outputs)}}} ==? out) !== 1'b1) begin"
    yield "        wrong++;"
    yield f'        $display("%0d ns: %b, expected %b", $time - {start}, {{{", ".join(outputs)}}}, out);'
    yield "      end"
    yield "    end"
    yield "  endtask"
    yield ""
    yield "  initial begin"
    if start:
        yield f"    #{start};"
    yield f"    // In:  {', '.join(inputs)}"
    yield f"    // Out: {', '.join(outputs)}"
    before: dict[str, int] = {}
    for stretch in _stretches(trace, inputs, outputs):
        into_bits = _bits(stretch.inputs, [0] * len(inputs), inputs, trace)
        out_bits = _bits(stretch.outputs, stretch.undefined, outputs, trace)
        yield f"    run({stretch.halves}, {into_bits}, {out_bits});"
        now = dict(zip(outputs, stretch.outputs, strict=True))
        yield from (_display(one) for one in sample.messages if now.get(one.when, 0) > before.get(one.when, 0))
        before = now
    yield from (_display(one) for one in sample.messages if not one.when)
    yield '    if (wrong > 0) $fatal(1, "%0d of %0d half cycles are not as recorded", wrong, seen);'
    yield f'    $display("{sample.name}: %0d half cycles as recorded", seen);'
    if last:
        yield "    $finish(0);"
    yield "  end"
    yield "endmodule"


def _stretches(trace: Trace, inputs: list[str], outputs: list[str]) -> Iterator[_Stretch]:
    columns = [zip(*map(trace.column, names), strict=True) for names in (inputs, outputs)]
    columns.append(zip(*map(trace.undefined_column, outputs), strict=True))
    for levels, alike in groupby(zip(*columns, strict=True)):
        yield _Stretch(len(list(alike)), *levels)


def _bits(values: Sequence[int], undefined: Sequence[int], names: list[str], trace: Trace) -> str:
    """The levels of several pins as one number; a bit that is undefined is x, which `==?` takes for any."""
    parts = [
        binary(value, trace.widths[name], unknown).replace(UNDEFINED, "x")
        for value, unknown, name in zip(values, undefined, names, strict=True)
    ]
    return f"{sum(map(len, parts))}'b{'_'.join(parts)}"


def _display(message: Message) -> str:
    text = message.text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    pins = iter(message.pins)
    values = ["$time" if part == "%0t" else next(pins) for part in re.findall("%b|%0t", message.text)]
    shown = ", ".join([f'"{text}"', *values])
    return f"    $display({shown});"
