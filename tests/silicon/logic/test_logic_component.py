"""A netlist as a component: it says in Amaranth's simulator what the netlist says, for every table of a gate."""

import random

from amaranth.sim import Simulator

from noughts.silicon.logic.component import Logic
from noughts.silicon.logic.netlist import Gate, Netlist, Output, simulate


def test_a_component_says_what_its_netlist_says() -> None:
    draw = random.Random(1)
    inputs = ("mine_a1", "mine_b1", "theirs_a1", "theirs_b1", "c")
    gates = [Gate(draw.randrange(4), 4, table) for table in range(16)]
    gates += [Gate(draw.randrange(5 + at), draw.randrange(5 + at), draw.randrange(16)) for at in range(16, 30)]
    outputs = [Output(f"p{at}", at, bool(at % 3)) for at in range(-1, 35)]
    netlist = Netlist(inputs, tuple(gates), (*outputs, Output("one", -1, True)))
    logic = Logic(netlist)
    assert {name: member.shape for name, member in logic.signature.members.items()} == {
        "mine": 2,
        "theirs": 2,
        "c": 1,
        "move": 37,
    }
    said = []

    async def bench(context: object) -> None:
        for levels in range(32):
            context.set(logic.mine, levels & 3)  # type: ignore[attr-defined]
            context.set(logic.theirs, levels >> 2 & 3)  # type: ignore[attr-defined]
            context.set(logic.c, levels >> 4)  # type: ignore[attr-defined]
            said.append(context.get(logic.move))  # type: ignore[attr-defined]

    simulator = Simulator(logic)
    simulator.add_testbench(bench)
    simulator.run()
    words = simulate(netlist, [sum((levels >> at & 1) << levels for levels in range(32)) for at in range(5)], 32)
    expected = [sum((word >> levels & 1) << at for at, word in enumerate(words)) for levels in range(32)]
    assert said == expected
