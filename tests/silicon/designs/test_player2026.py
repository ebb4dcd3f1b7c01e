"""The one-cycle players: what their gates choose, against the solutions of their games; and one of them at its pins."""

import re
from functools import cache
from pathlib import Path

import pytest

from noughts.games import Move, Outcome, Position, game
from noughts.silicon.designs.player2026 import GAMES, make, player
from noughts.silicon.designs.player2026.make import find
from noughts.silicon.designs.player2026.policy import file_of, kept_logic, sees
from noughts.silicon.designs.player2026.tree import Leaf, Node, netlist_of, tree_of
from noughts.silicon.logic.netlist import Gate, Netlist, Output, read_netlist, simulate
from noughts.silicon.simulate.interpreted import Interpreted
from noughts.solve import solve


@cache
def walked(name: str, logic: Netlist) -> tuple[dict[Position, tuple[Move, set[Position]]], int]:
    """The moves of a machine and what may come of each, wherever it leads; and how many of the positions are lost.

    Walked with the netlist alone: the machine begins or the user does, who may do anything. Every move must be legal
    and keep the value.
    """
    played, solution = game(name), solve(name)
    known: dict[Position, tuple[Move, set[Position]]] = {}
    waiting = {played.start()} | {played.after(played.start(), move) for move in played.moves(played.start())}
    lost = 0
    while waiting:
        layer = sorted(waiting)
        # All positions of a layer go through the gates at once, a bit each.
        words = {f"{side}_{point}": 0 for side in ("mine", "theirs") for point in played.layout.points}
        words["placing"] = sum((position.hand[position.turn] > 0) << k for k, position in enumerate(layer))
        for k, position in enumerate(layer):
            own, other = position.stones[position.turn], position.stones[1 - position.turn]
            for number, point in enumerate(played.layout.points):
                words[f"mine_{point}"] |= (own >> number & 1) << k
                words[f"theirs_{point}"] |= (other >> number & 1) << k
        out = simulate(logic, [words[pin] for pin in logic.inputs], len(layer))
        waiting = set()
        for k, position in enumerate(layer):
            raised = {point for point, word in enumerate(out) if word >> k & 1}
            move = next((move for move in played.moves(position) if {move.to, move.source} - {None} == raised), None)
            assert move is not None, played.write(position)
            after = played.after(position, move)
            value = solution.value(position)
            assert solution.value(after).before().outcome is value.outcome, played.write(position)
            lost += value.outcome is Outcome.LOSS
            replies = (played.after(after, reply) for reply in played.moves(after))
            known[position] = move, {reply for reply in replies if played.over(reply) is None}
            waiting |= known[position][1]
        waiting -= known.keys()
    return known, lost


def won_in_the_end(name: str, known: dict[Position, tuple[Move, set[Position]]]) -> None:
    """No way through won positions comes back to one of them: taken away are those from which no other goes on."""
    solution = solve(name)
    won = {position for position in known if solution.value(position).outcome is Outcome.WIN}
    while ended := {position for position in won if not known[position][1] & won}:
        won -= ended
    assert not won


@pytest.mark.parametrize("name", GAMES)
def test_the_logic_keeps_the_value_wherever_it_leads_and_wins_every_win(name: str) -> None:
    known, lost = walked(name, kept_logic(game(name)))
    won_in_the_end(name, known)
    assert len(known) > 300
    assert (lost == 0) == (solve(name).value(game(name).start()).outcome is Outcome.DRAW)


def test_the_files_and_the_page_say_how_many_boards_a_logic_knows_and_how_many_gates_it_has() -> None:
    page = (Path(__file__).parents[3] / "docs" / "machines" / "player2026.md").read_text(encoding="utf-8")
    told = []
    for name in ("three-mens-morris", "achi", "arabian", "mnk:4,3,3"):
        logic = kept_logic(game(name))
        known, _ = walked(name, logic)
        boards = len({sees(game(name), position) for position in known})
        told.append((f"{boards:,}", str(len(logic.gates))))
        about = (Path(make.__file__).parent / file_of(game(name))).read_text(encoding="utf-8")
        assert about.startswith(f"# The moves of player2026:game={name}: {boards:,} boards, {len(logic.gates)} gates. ")
    assert re.findall(r"^\| .+ \| ([\d,]+) \| [\d,]+ \| (\d+) \| 2.* words of \d+ bits \|$", page, re.M) == told


@pytest.mark.slow
def test_a_short_search_finds_a_logic_that_is_right_and_smaller_than_its_tree() -> None:
    said: list[tuple[str, int]] = []
    found = find(game("achi"), rounds=6, starts=2, say=lambda what, gates: said.append((what, gates)))
    known, _ = walked("achi", found.netlist)
    won_in_the_end("achi", known)
    trees = [gates for what, gates in said if what == "tree"]
    assert len(found.netlist.gates) < trees[-1] == min(trees)


def test_a_game_without_a_logic_gets_one_and_a_smaller_one_takes_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The search gives three gates, then two, then three again."""
    monkeypatch.setattr(make, "__file__", str(tmp_path / "make.py"))
    monkeypatch.setattr(make, "kept_logic", lambda played: read_netlist((tmp_path / f"{played.name}.txt").read_text()))
    monkeypatch.setattr("sys.argv", ["make", "tictactoe", "--rounds", "5", "--seed", "3"])
    for gates, kept in ((3, 3), (2, 2), (3, 2)):
        netlist = Netlist(("a", "b"), (Gate(0, 1, 0b1000),) * gates, (Output("x", 2, False),))
        monkeypatch.setattr(make, "find", lambda *_, netlist=netlist, **__: make.Found(netlist, 7))
        make.main()
        assert ("not fewer than are kept" in capsys.readouterr().out) == (gates > kept)
        written = (tmp_path / "tictactoe.txt").read_text()
        assert len(read_netlist(written).gates) == kept
        assert f": 7 boards, {kept} gates. Made by\n" in written
        assert ".make tictactoe --rounds 5 --seed 3\n" in written


def test_a_tree_asks_no_more_than_it_must() -> None:
    one, two, either = frozenset({1}), frozenset({2}), frozenset({1, 2})
    assert tree_of({0b00: either, 0b01: one, 0b11: one}, 2) == Leaf(one)
    assert tree_of({0b00: either, 0b01: one, 0b10: two}, 2) == Node(0, Leaf(two), Leaf(one))


def test_the_gates_of_a_tree_do_what_the_tree_does() -> None:
    """Leaves, and a subtree that two nodes share, for all boards of four bits."""
    shared = Node(3, Leaf(frozenset({0})), Leaf(frozenset({1})))
    tree = Node(0, Node(1, shared, Leaf(frozenset({3}))), Node(2, Leaf(frozenset({2})), shared))
    logic = netlist_of(tree, "abcd", "wxyz")
    words = [sum((board >> bit & 1) << board for board in range(16)) for bit in range(4)]
    out = simulate(logic, words, 16)
    for board in range(16):
        a, b, c, d = (board >> bit & 1 for bit in range(4))
        asked = (2 if not c else d) if a else 3 if b else d
        assert [word >> board & 1 for word in out] == [int(answer == asked) for answer in range(4)]
    assert len(logic.gates) < 16
    assert simulate(netlist_of(Leaf(frozenset({1})), "ab", "xy"), [0b0011, 0b0101], 4) == [0, 0b1111]


def test_the_answer_is_there_one_clock_after_the_move() -> None:
    chip = player("mnk:4,3,3")
    pins = Interpreted(chip)
    driver = chip.driver(pins)
    driver.begin(user_first=True)
    assert driver.stones() == (0, 0)
    assert driver.press(0) == 1
    machine, user = driver.stones()
    assert user == 1
    assert machine.bit_count() == 1
