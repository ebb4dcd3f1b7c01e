"""The diagrams are true of the chips: blocks, wires, states, and the conditions at every arrow."""

import shutil
from functools import cache
from itertools import product
from typing import Any

import pytest
from amaranth.hdl import Fragment

from amaranth_bench import clocked
from chip_games import MANY, user_moves, user_position
from design_names import MADE, RUN
from noughts.games.layout import grid
from noughts.silicon.circuit import Pins
from noughts.silicon.design import playing_driver
from noughts.silicon.designs import DESIGNS, design
from noughts.silicon.designs.chip1990 import State
from noughts.silicon.designs.chip1990.controller import Controller
from noughts.silicon.pictures.drawing import Diagram, holds, pretty, signals_of
from noughts.silicon.run import Run, perform
from noughts.silicon.simulate.compiled import compiled
from noughts.silicon.simulate.interpreted import Interpreted
from noughts.solve import solve

pytestmark = pytest.mark.slow

needs_a_compiler = pytest.mark.skipif(
    shutil.which("c++") is None and shutil.which("g++") is None, reason="needs a C++ compiler"
)

DRAWINGS = {name: known.drawings for name, known in DESIGNS.items()}
PLAYING = [name for name in RUN if DESIGNS[name].plays]


def test_every_design_is_drawn() -> None:
    """Only what does not play, as the referee of the slides, may have no controller."""
    assert all(drawings.blocks.boxes for drawings in DRAWINGS.values())
    assert not any(DESIGNS[name].plays for name, drawings in DRAWINGS.items() if not drawings.machines)


@pytest.mark.parametrize(
    ("condition", "true_of"),
    [
        ("a", {(1, 0), (1, 1)}),
        ("~a & b", {(0, 1)}),
        ("a | b", {(1, 0), (0, 1), (1, 1)}),
        ("~(a & b)", {(0, 0), (0, 1), (1, 0)}),
        ("a == 1", {(1, 0), (1, 1)}),
        ("a != on", {(0, 0), (0, 1)}),
    ],
)
def test_a_condition_holds_of_these_values_alone(condition: str, true_of: set[tuple[int, int]]) -> None:
    names = {"a": {0: "off", 1: "on"}}
    assert {(a, b) for a, b in product((0, 1), repeat=2) if holds(condition, {"a": a, "b": b}, names)} == true_of
    assert signals_of(condition) <= {"a", "b"}


def test_a_condition_is_printed_with_signs() -> None:
    assert pretty("~a & (b != on)") == "¬a & (b ≠ on)"


def test_what_is_no_condition_is_refused() -> None:
    with pytest.raises(ValueError, match="expected names"):
        holds("a + b", {"a": 1, "b": 1}, {})


FAMILY = ("parent", "child")


def member(component: Any, path: str) -> Any:
    """The component at this path: attributes, or places in a list."""
    for part in path.split("."):
        component = component[int(part)] if part.isdecimal() else getattr(component, part)
    return component


def has(component: Any, signal: str) -> bool:
    """Whether a component has this signal, itself or among those it exchanges with a parent or a child."""
    return any(hasattr(side, signal) for side in (component, *(getattr(component, who, None) for who in FAMILY)))


@pytest.mark.parametrize("name", MADE)
def test_every_signal_of_a_block_diagram_is_one_of_the_blocks_it_joins(name: str) -> None:
    chip = DESIGNS[name].make()
    Fragment.get(chip, None)  # Amaranth complains of components that nobody builds.
    blocks = DRAWINGS[name].blocks
    for arrow in blocks.arrows:
        paths = [box.path for box in (blocks.box(arrow.source), blocks.box(arrow.target)) if box.path]
        ends = [chip, *(member(chip, path) for path in paths)]
        for signal in arrow.signals:
            assert any(has(end, signal) for end in ends), (arrow.name, signal)
            assert arrow.label is not None or signal in arrow.text


@pytest.mark.parametrize("name", MADE)
def test_what_lights_a_block_or_is_shown_in_it_can_be_watched(name: str) -> None:
    chip = DESIGNS[name].inside()
    watched = set(chip.pins(watch=True))
    drawings = DRAWINGS[name]
    for box in drawings.blocks.boxes:
        assert set(box.shows) <= watched
        assert signals_of(box.works) <= watched if box.works else box.kind in ("pin", "frame"), box.name
    for arrow in drawings.blocks.arrows:
        assert not arrow.when or signals_of(arrow.when) <= watched
    for machine in drawings.machines:
        assert set(machine.signals) <= watched


@pytest.mark.parametrize("name", DRAWINGS)
def test_the_states_drawn_are_those_that_there_are(name: str) -> None:
    names = DESIGNS[name].inside().names
    for machine in DRAWINGS[name].machines:
        for signal in machine.signals:
            assert set(names[signal].values()) == {box.name for box in machine.diagram.boxes}


def transitions(diagram: Diagram) -> set[tuple[str, str]]:
    return {(arrow.source, arrow.target) for arrow in diagram.arrows}


CONTROLLER_INPUTS = (*("full", "ground", "lasti", "rgbestr", "rgea", "userbegins", "keypressed", "validkey", "wins"),)


@cache
def next_states() -> dict[tuple[State, tuple[int, ...]], State]:
    """Where the controller of 1990 goes from every state with all inputs that there can be."""
    found = {}
    controller = Controller()

    async def bench(ctx: Any, _: Any) -> None:
        for state in State:
            for inputs in product((0, 1), repeat=len(CONTROLLER_INPUTS)):
                ctx.set(controller.statereg, state)
                for name, level in zip(CONTROLLER_INPUTS, inputs, strict=True):
                    ctx.set(getattr(controller, name), level)
                await ctx.tick()
                found[state, inputs] = State(ctx.get(controller.statereg))

    clocked(controller, bench)
    return found


def test_the_conditions_at_the_arrows_of_1990_are_those_of_the_controller() -> None:
    """For all inputs in all states exactly one arrow may be taken, and it leads where the controller goes."""
    (machine,) = DRAWINGS["chip1990"].machines
    assert len(next_states()) == 8 * 512
    for (state, inputs), after in next_states().items():
        values = dict(zip(CONTROLLER_INPUTS, inputs, strict=True))
        taken = [
            arrow.target
            for arrow in machine.diagram.arrows
            if arrow.source == state.name and (not arrow.when or holds(arrow.when, values, {}))
        ]
        assert taken == [after.name], (state, values)


def test_the_conditions_at_the_arrows_of_1990_are_needed() -> None:
    (machine,) = DRAWINGS["chip1990"].machines
    for arrow in machine.diagram.arrows:
        alone = [other for other in machine.diagram.arrows if other.source == arrow.source] == [arrow]
        assert alone == (not arrow.when), arrow.name


class Stepped(Pins):
    """A chip that runs cycle by cycle, and of which every change of a state is noted, but for those by a reset."""

    def __init__(self, chip: Pins, signals: tuple[str, ...]) -> None:
        self.circuit = chip.circuit
        self.chip = chip
        self.signals = signals
        self.read = chip.reader((self.circuit.reset, *signals))
        self.changes: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()
        self.before: tuple[int, ...] = ()

    @property
    def seen(self) -> set[tuple[str, str, str]]:
        """Signal, and the names of the states before and after a rising edge without a reset."""
        names = self.circuit.names
        return {
            (signal, names[signal][one], names[signal][other])
            for (_, *before), (reset, *after) in self.changes
            if reset != self.circuit.reset_level
            for signal, one, other in zip(self.signals, before, after, strict=True)
        }

    def set(self, pin: str, value: int) -> None:
        self.chip.set(pin, value)

    def get(self, pin: str) -> int:
        return self.chip.get(pin)

    def half(self, clock: int) -> None:
        self.chip.half(clock)
        now = self.read()
        if clock:
            self.changes.add((self.before, now))
        self.before = now


def play(pins: "Stepped", order: list[int], *, user_first: bool, unseen: int = 0) -> None:
    """A whole game: of the places in this order the user takes the first that is free; without an order, a best move.

    The first replies may go by unseen, which is quick.
    """
    player = playing_driver(design(pins.circuit.name), pins)
    player.begin(user_first=user_first)
    for place in order[:unseen]:
        playing_driver(design(pins.circuit.name), pins.chip).press(place)
        pins.before = pins.read()
    ranks = {place: rank for rank, place in enumerate(order)}
    for _ in range(MANY):
        if not player.is_over and not order:
            player.play(solve(player.game).moves(user_position(player))[0].move)
        elif not player.is_over:
            player.play(min(user_moves(player), key=lambda move: ranks.get(move.to or 0, len(ranks))))
    pins.clock(2)


def whole_games(name: str, signals: tuple[str, ...]) -> set[tuple[str, str, str]]:
    """Every change of state in the run that the source shows and in whole games, some of which are drawn."""
    chip = design(name).inside()
    seen: set[tuple[str, str, str]] = set()
    orders = ([4, 2, 3, 7, 0, 8, 1, 5, 6], [1, 0, 2, 3, 4, 5, 6, 7, 8])
    # Without cut-offs the first reply takes hundreds of thousands of cycles, and all that happens in it happens again.
    long = name == "elements2021"
    games = [(orders[0], True)] if long else list(product(orders, (True, False)))
    # Their moves are those of the smallest netlist that is known: only who never errs is sure to make the last move.
    games += [([], True)] if name.startswith(("noughts2026", "player2026")) else []
    for game in (None, *games):
        pins = Stepped(compiled(chip, watch=True), signals)
        if game is None:
            perform(design(name), pins, Run())
        else:
            play(pins, game[0], user_first=game[1], unseen=int(long))
        seen |= pins.seen
    return seen


@needs_a_compiler
@pytest.mark.parametrize("name", PLAYING)
def test_every_transition_that_occurs_is_drawn_and_every_one_that_is_drawn_occurs(name: str) -> None:
    machines = DRAWINGS[name].machines
    seen = whole_games(name, tuple(signal for machine in machines for signal in machine.signals))
    for machine in machines:
        taken = {(before, after) for signal, before, after in seen if signal in machine.signals}
        assert taken == transitions(machine.diagram)


@needs_a_compiler
def test_the_last_element_asks_nobody() -> None:
    chip = design("elements2021:pruning=yes").inside()
    pins = Stepped(compiled(chip, watch=True), ("state_out_1", "state_out_2"))
    play(pins, [4, 2, 3, 7, 0, 8, 1, 5, 6], user_first=True)
    asked = {signal for signal, _, after in pins.seen if after == "fetch"}
    assert asked == {"state_out_2"}


@needs_a_compiler
def test_the_phases_of_a_game_follow_from_the_board() -> None:
    """The conditions at the arrows of the top level, with the ending judged from the stones themselves."""
    name = "elements2021:pruning=yes"
    chip = design(name).inside()
    phases = DRAWINGS[name].machines[0].diagram
    pins = Watched(
        compiled(chip, watch=True), ("phase", "turn", "board", "empty", *(f"state_out_{k}" for k in range(1, 10)))
    )
    play(pins, [4, 2, 3, 7, 0, 8, 1, 5, 6], user_first=True)
    seen = set()
    for before, after in pins.edges:
        state, then = (chip.names["phase"][values["phase"]] for values in (before, after))
        stones = before["board"]
        rows = [all(stones >> 2 * place + before["turn"] & 1 for place in line) for line in grid(3, 3, 3).lines]
        full = all(stones >> 2 * place & 3 for place in range(9))
        asked = before[f"state_out_{before['empty'] or 1}"]
        done = before["empty"] > 0 and chip.names["state_out_1"][asked] == "complete"
        values = {"record": any(rows) or full, "turn": before["turn"], "human_begins": 1, "done_out": done}
        for arrow in phases.arrows:
            if arrow.source == state and arrow.when:
                assert holds(arrow.when, values, {}) == (arrow.target == then), (arrow.name, values)
                seen.add(arrow.name)
    assert seen == {arrow.name for arrow in phases.arrows if arrow.when}


class Watched(Stepped):
    """What some signals were just before and just after every rising edge."""

    def __init__(self, chip: Pins, signals: tuple[str, ...]) -> None:
        super().__init__(chip, ())
        self.watched = signals
        self.edges: list[tuple[dict[str, int], dict[str, int]]] = []
        self.low: dict[str, int] = {}

    def half(self, clock: int) -> None:
        self.chip.half(clock)
        now = {signal: self.chip.get(signal) for signal in self.watched}
        if clock:
            self.edges.append((self.low, now))
        self.low = now


def test_the_turn_passes_as_it_is_drawn_whoever_plays_wherever() -> None:
    """In every turn that can be reached, with every play by one side, both or none, at any of sixteen positions."""
    chip = design("referee2021").inside()
    (machine,) = DRAWINGS["referee2021"].machines
    pins = Interpreted(chip)
    passed = set()
    for first in (None, "pp", "pc"):
        for pp, pc, position in product((0, 1), (0, 1), range(16)):
            pins.set("pp", 0)
            pins.set("pc", 0)
            pins.reset()
            if first:
                pins.set("player_position", 5)
                pins.set("computer_position", 5)
                pins.set(first, 1)
                pins.clock()
                pins.set(first, 0)
            for pin, level in (("pp", pp), ("pc", pc), ("player_position", position), ("computer_position", position)):
                pins.set(pin, level)
            pins.half(0)
            before = {name: pins.get(name) for name in ("pp", "pc", "illegal_move", "turn")}
            pins.half(1)
            turn, after = (chip.names["turn"][value] for value in (before["turn"], pins.get("turn")))
            passed.add((turn, after))
            taken = [
                arrow.target
                for arrow in machine.diagram.arrows
                if arrow.source == turn and holds(arrow.when, before, {})
            ]
            assert taken == [after], (first, before, position)
    assert passed == transitions(machine.diagram)
