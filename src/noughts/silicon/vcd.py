"""A trace as a value change dump, the file that waveform viewers open.

Times are those of the trace's rows, so what a viewer shows at a time is the row printed with that time. A signal whose
values have names appears twice: as a number, and under `…_name` as text, which GTKWave and Surfer show as it is. The
same trace gives the same file: there is no date in it.
"""

from typing import TextIO

from vcd import VCDWriter

from noughts.silicon.trace import Trace

__all__ = ["write_vcd"]


def write_vcd(trace: Trace, file: TextIO) -> None:
    """Write all of a trace."""
    with VCDWriter(file, timescale="1 ns", date="", version="noughts", init_timestamp=trace.time(0)) as writer:
        scope = (trace.design,)
        numbers = {name: writer.register_var(scope, name, "wire", width) for name, width in trace.widths.items()}
        named = [name for name in trace.widths if trace.names.get(name)]
        texts = {name: writer.register_var(scope, f"{name}_name", "string") for name in named}
        for row, values in enumerate(trace.rows):
            time = trace.time(row)
            for name, value in zip(trace.widths, values, strict=True):
                writer.change(numbers[name], time, value)
                if name in texts:
                    writer.change(texts[name], time, trace.text(name, value))
        writer.flush(trace.time(len(trace.rows)))
