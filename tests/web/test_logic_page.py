"""The circuits as pages: a game against one by links alone, lit as the netlist says, and what is refused."""

import re
from collections.abc import Iterator
from html import unescape
from xml.etree import ElementTree

import pytest
from fastapi.testclient import TestClient
from sites import Client, settings_in

from noughts.games import game
from noughts.silicon.logic.best import best, best_text, known
from noughts.silicon.logic.netlist import Gate, Netlist, Output, signals
from noughts.silicon.logic.verify import levels_of
from noughts.silicon.pictures.netlist import circuit_file
from noughts.web.app import create_app

GAME = game("tictactoe")
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with Client(create_app(settings_in(tmp_path_factory.mktemp("logic"), thinkers=1))) as client:
        yield client


def test_a_game_along_the_links_of_a_board_ends_without_a_loss(client: TestClient) -> None:
    """Along the first and the last empty square of every page; the circuit begins, in the centre."""
    for at in (0, -1):
        text = client.get("/silicon/logic/C").text
        assert "The circuit says b2." in text
        for _ in range(4):
            plays = re.findall(r'<a[^>]*href="([^"]*)"[^>]*aria-label="play ..', text)
            if plays:
                text = client.get(unescape(plays[at])).text
        assert "A draw." in text or "The circuit has won." in text


def test_a_page_says_and_lights_what_the_netlist_says(client: TestClient) -> None:
    text = client.get("/silicon/logic/C?moves=a1.c1").text
    assert "The circuit says c2. Your move" in text
    assert re.findall('logic-pin out high" [^>]*>(..)<', text) == ["c2"]
    assert sorted(re.findall('logic-pin in high" [^>]*>([^<]*)<', text)) == [
        "mine b1",
        "mine b2",
        "theirs a1",
        "theirs c1",
    ]


def test_the_list_and_the_chips_lead_to_every_circuit(client: TestClient) -> None:
    assert 'href="/silicon/logic"' in client.get("/silicon").text
    text = client.get("/silicon/logic").text
    for name in known():
        assert f'href="/silicon/logic/{name}"' in text
        assert client.get(f"/silicon/logic/{name}").status_code == 200
        assert client.get(f"/silicon/logic/{name}.txt").text == best_text(name)


@pytest.mark.parametrize(
    ("address", "status", "error"),
    [
        ("/silicon/logic/F", 404, "is no circuit: expected"),
        ("/silicon/logic/C?begin=user", 422, "does not go with C: expected circuit"),
        ("/silicon/logic/C?moves=b2", 422, "b2"),
        ("/silicon/logic/C?moves=d9", 422, "d9"),
        ("/silicon/logic/C?moves=a1.b1.c1", 422, "b1"),
    ],
)
def test_what_is_wrong_in_an_address_is_said(client: TestClient, address: str, status: int, error: str) -> None:
    answer = client.get(address)
    assert answer.status_code == status
    assert error in unescape(answer.text)


def test_the_picture_alone_has_a_symbol_a_gate_and_lights_what_is_high() -> None:
    netlist = best("C")
    levels = levels_of(netlist, GAME.read("X../.O./..."))
    root = ElementTree.fromstring(circuit_file(netlist, levels))
    high = [path for path in root.iter(f"{SVG}path") if path.get("class") == "gate high"]
    assert len(high) == sum(signals(netlist, levels, 1)[18:])
    assert len([path for path in root.iter(f"{SVG}path") if (path.get("class") or "").startswith("gate")]) == 8


def test_every_table_of_a_gate_has_its_symbol_and_its_circles() -> None:
    names = {8: "AND", 4: "AND", 2: "AND", 1: "NOR", 7: "NAND", 11: "OR", 13: "OR", 14: "OR", 6: "XOR", 9: "XNOR"}
    circles = {8: 0, 4: 1, 2: 1, 1: 1, 7: 1, 11: 1, 13: 1, 14: 0, 6: 0, 9: 1}
    for table in range(16):
        netlist = Netlist(("a", "b"), (Gate(0, 1, table),), (Output("y", 2, False),))
        root = ElementTree.fromstring(circuit_file(netlist))
        title = next(root.iter(f"{SVG}title")).text
        assert title == f"g1: {names.get(table, 'of one input or none')}"
        assert len(list(root.iter(f"{SVG}circle"))) == circles.get(table, 0)
