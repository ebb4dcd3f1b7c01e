"""The page that plays without a connection, as the server sends it: its values, its worker, its manifest."""

import json
import re
import struct
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from sites import Client, settings_in
from starlette.testclient import TestClient

from noughts.players.ladder import RUNGS
from noughts.web.app import create_app

MOST_SCRIPT = 12_000
"""Bytes of the page's own script before compression."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("offline")
    with Client(create_app(settings_in(folder))) as client:
        yield client


def values(client: TestClient) -> dict[str, Any]:
    """The values of every game that the page has."""
    found = re.findall(r'<template id="board-(.*?)" data-values="(.*?)">', client.get("/offline").text)
    return {name: json.loads(unescape(text)) for name, text in found}


def told(client: TestClient, name: str) -> Any:
    """What the worker is told above its script."""
    found = re.search(f"^const {name} = (.*);$", client.get("/offline/worker.js").text, re.MULTILINE)
    assert found
    return json.loads(found[1])


def test_the_page_has_the_games_on_nine_points(client: TestClient) -> None:
    old = {"tictactoe", "arabian", "achi", "three-mens-morris"}
    assert set(values(client)) == old | {"tapatan", "picaria", "nine-holes"}


def test_the_values_are_those_of_the_rules(client: TestClient) -> None:
    found = values(client)
    assert found["tictactoe"]["rules"]["stones"] == [5, 4]
    assert [found[name]["rules"]["movement"] for name in ("tictactoe", "arabian", "achi")] == ["none", "jump", "slide"]
    for name, one in found.items():
        assert one["points"] == ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]
        assert len(one["lines"]) == (6 if name == "nine-holes" else 8)
        assert one["neighbours"][4] == (0b111_101_111 if one["rules"]["movement"] == "slide" else 0)
        assert not one["rules"]["captures"], "the script knows of no captures"
        assert one["rules"]["blocked"] != "passes", "the page has no button to pass"


def test_there_are_the_levels_of_the_ladder_each_erring_less_and_one_that_never_errs(client: TestClient) -> None:
    for one in values(client).values():
        levels = [one["opponents"][f"level{rung}"] for rung in range(1, RUNGS + 1)] + [one["opponents"]["perfect"]]
        assert len(one["opponents"]) == RUNGS + 1
        for habit, sign in (("sees_row", 1), ("sees_threat", 1), ("errs", -1)):
            growing = [sign * level[habit] for level in levels]
            assert growing == sorted(growing)
        assert levels[-1] == {"sees_row": 1, "sees_threat": 1, "errs": 0}


def test_the_board_has_a_stone_of_each_side_for_every_point(client: TestClient) -> None:
    stones = re.findall(r'data-stone="(\w+)"', client.get("/offline").text)
    assert len(stones) == 7 * 2 * 9
    assert len(set(stones)) == 2 * 9


def test_the_worker_keeps_the_page_and_every_file_that_it_loads_and_nothing_else(client: TestClient) -> None:
    page = client.get("/offline").text
    loaded = set(re.findall(r'<(?:script|img)[^>]* src="(.*?)"', page))
    loaded |= set(re.findall(r'<link rel="(?:stylesheet|icon|apple-touch-icon|preload)" href="(.*?)"', page))
    assert len(loaded) > 8
    assert set(told(client, "FILES")) == {"/offline", *loaded}
    for address in loaded:
        assert client.get(address).headers["Cache-Control"].endswith("immutable"), address


def test_the_worker_is_for_this_page_alone(client: TestClient) -> None:
    answer = client.get("/offline/worker.js")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert answer.headers["Service-Worker-Allowed"] == "/offline"
    assert told(client, "PAGE") == "/offline"
    assert re.fullmatch(r"noughts-offline-[0-9a-f]{12}", told(client, "NAME"))


def test_only_this_page_loads_its_script_which_is_small(client: TestClient) -> None:
    (address,) = re.findall(r'src="(/static/offline\.js.*?)"', client.get("/offline").text)
    assert 4_000 < len(client.get(address).content) < MOST_SCRIPT
    assert "/static/offline" not in client.get("/").text


def test_who_has_no_scripts_is_told_where_to_play(client: TestClient) -> None:
    (words,) = re.findall("<noscript>(.*?)</noscript>", client.get("/offline").text)
    assert "scripts are off" in words
    assert 'href="/"' in words


def test_every_page_names_the_manifest_and_leads_to_the_page(client: TestClient) -> None:
    text = client.get("/learn").text
    assert '<link rel="manifest" href="/manifest.webmanifest">' in text
    assert 'href="/offline"' in text


def test_the_manifest_begins_with_the_page_and_its_pictures_are_what_it_says(client: TestClient) -> None:
    answer = client.get("/manifest.webmanifest")
    assert answer.headers["Content-Type"] == "application/manifest+json"
    found = answer.json()
    assert found["start_url"] == "/offline"
    assert f'content="{found["theme_color"]}"' in client.get("/offline").text
    assert {icon.get("purpose", "any") for icon in found["icons"]} == {"any", "maskable"}
    for icon in found["icons"]:
        picture = client.get(icon["src"])
        assert picture.headers["Content-Type"] == icon["type"]
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", picture.content[16:24])
            assert icon["sizes"] == f"{width}x{height}" == "512x512"
