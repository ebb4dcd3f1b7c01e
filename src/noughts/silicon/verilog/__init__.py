"""Verilog of a circuit, for other people's tools and for people to read.

The modules are those of the Amaranth source, with its names or those of the document behind it, tidied (see
`rtlil.tidy`): what a person would have written in one expression, one `if` or one `case` stands in one here. Widths
agree everywhere, every bit is used, every case has its default: linters have nothing to say. It is SystemVerilog of
2012, for the sake of `always_comb`, which runs even before anything that it reads has changed.

Linters also want a file for every module. All modules are in one file here, which is easier to carry; a comment tells
Verilator so (`lint_off DECLFILENAME`, the one thing it is asked not to say). A `line` directive before each module
would do as well, but sends the messages of all tools to files that do not exist.
"""

from textwrap import wrap

from noughts.games import NoughtsError
from noughts.silicon.circuit import Circuit
from noughts.silicon.verilog.expressions import KEYWORDS, Names, module_name, port_hints
from noughts.silicon.verilog.module import ModuleText
from noughts.silicon.verilog.rtlil import Modules, read_rtlil
from noughts.silicon.verilog.tidy import tidy

__all__ = ["ONE_FILE", "KeywordError", "verilog"]

ONE_FILE = "// verilator lint_off DECLFILENAME"
"""Says to Verilator that modules with other names than the file are no mistake."""


class KeywordError(NoughtsError):
    """A pin with a name that Verilog has for itself."""


def verilog(circuit: Circuit, *, watch: bool = False) -> str:
    """The design in SystemVerilog; with `watch`, what a trace shows comes out as extra output pins.

    Args:
        circuit: What is written.
        watch: Whether watched signals come out as pins.
    """
    for pin in circuit.pins(watch=watch):
        if pin in KEYWORDS:
            raise KeywordError(f"pin {pin!r} of {circuit.name}: expected a name that is no word of SystemVerilog")
    modules = tidy(read_rtlil(circuit.rtlil(watch=watch)))
    texts = _texts(modules)
    models = _models(modules, texts)
    names: dict[str, str] = {}
    for model in dict.fromkeys(models.values()):
        own = circuit.module_names.get(model.partition(".")[2])
        names[model] = module_name(own or model, names.values())
    about = f"{circuit.name} ({circuit.year}), {circuit.about}."
    parts = [f"// {line}" for line in (*wrap(about, 97), "Written by Noughts from its source in Amaranth.")]
    parts.append(ONE_FILE)
    for model, name in names.items():
        parts += ["", *texts[model].lines(name, lambda kind: names[models[kind]])]
    return "\n".join([*parts, ""])


def _texts(modules: Modules) -> dict[str, ModuleText]:
    """Every module ready to be written; a module comes after the one around it, which may name its ports."""
    names: dict[str, Names] = {name: Names({}) for name in modules}
    texts = {}
    for module in modules.values():
        texts[module.name] = ModuleText(module, modules, names)
        for inside, hints in port_hints(module, modules, names[module.name]).items():
            names[inside] = Names(hints)
    return texts


def _models(modules: Modules, texts: dict[str, ModuleText]) -> dict[str, str]:
    """For every module the first one that reads the same, itself or another."""
    last: dict[str, str] = {}
    same: dict[tuple[str, ...], str] = {}
    for name in reversed(modules):
        # Whatever is inside comes after what is around it, and has been seen.
        last[name] = same.setdefault(tuple(texts[name].lines("", last.__getitem__)), name)
    first: dict[str, str] = {}
    for name in modules:
        first.setdefault(last[name], name)
    return {name: first[last[name]] for name in modules}
