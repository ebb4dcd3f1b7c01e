"""The tree of a game as a picture, and the worked example of the report of 2021, whose own pictures are lost.

Its chapter 2.2.1 tells of them in prose alone. A position with three empty cells, X (the AI) to move. C: X wins at
once, with three vertically. A is answered by D, in which O has won, or by E, from which H follows, a tie. B is answered
by F, from which I follows, a win of X, or by G, from which J follows, a tie. So A is −1, B is 0, C is +1. Which
positions are like this is searched for here, with sets of cells and from that prose alone.
"""

from collections import Counter
from itertools import combinations, permutations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from noughts.games import game as find_game
from noughts.games.picture import Picture
from noughts.insight.searching import (
    MOST_NODES,
    Run,
    TreeTooLargeError,
    count,
    draw_tree,
    find_how,
    game_tree,
    hows_of,
    in_order,
    is_drawn,
    letters,
    search,
    tree_file,
)

GAME = find_game("tictactoe")
TAKEN = "XOX/OOX/..."
COLUMNS = [{0, 3, 6}, {1, 4, 7}, {2, 5, 8}]
ROWS = [*COLUMNS, {0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 4, 8}, {2, 4, 6}]
PROSE = {"A": -1, "B": 0, "C": 1, "D": -1, "E": 0, "F": 1, "G": 0, "H": 0, "I": 1, "J": 0}


def has_row(cells: set[int], rows: list[set[int]] = ROWS) -> bool:
    return any(row <= cells for row in rows)


def fits(x: set[int], o: set[int], a: int, b: int, c: int) -> bool:
    """Whether the prose fits, with X's moves to A, B and C; in D, E and so on either order of O's moves will do."""
    if has_row(x) or has_row(o) or has_row(x | {a}) or has_row(x | {b}) or not has_row(x | {c}, COLUMNS):
        return False
    left = any(  # O plays d and wins, or e; then X has d left
        has_row(o | {d}) and not has_row(o | {e}) and not has_row(x | {a, d}) for d, e in ((b, c), (c, b))
    )
    right = any(  # O plays f, and X wins on g; or O plays g, and X's f is a tie
        not has_row(o | {f}) and not has_row(o | {g}) and has_row(x | {b, g}) and not has_row(x | {b, f})
        for f, g in ((a, c), (c, a))
    )
    return left and right


def text(x: set[int], o: set[int]) -> str:
    cells = "".join("X" if cell in x else "O" if cell in o else "." for cell in range(9))
    return "/".join(cells[at : at + 3] for at in (0, 3, 6))


def candidates() -> dict[str, list[tuple[int, ...]]]:
    """Every position that fits, with the cells of A, B and C."""
    found: dict[str, list[tuple[int, ...]]] = {}
    for empty in combinations(range(9), 3):
        stones = set(range(9)) - set(empty)
        for three in combinations(stones, 3):
            for cells in permutations(empty):
                if fits(set(three), stones - set(three), *cells):
                    found.setdefault(text(set(three), stones - set(three)), []).append(cells)
    return found


def test_sixty_four_positions_fit_the_prose_sixteen_but_for_symmetry_and_the_one_taken_is_among_them() -> None:
    found = candidates()
    assert len(found) == 64
    assert len({GAME.canonical(GAME.read(position)) for position in found}) == 16
    assert all(len(cells) == 1 for cells in found.values()), "of each it is clear which move is A, B and C"
    in_order = [position for position, ((*cells,),) in found.items() if cells == sorted(cells)]
    assert len(in_order) == 11, "with A, B and C in the order of the cells"
    assert TAKEN in in_order


def run_of(how: str, first: str = "", position: str = TAKEN) -> Run:
    here = GAME.read(position)
    return Run(GAME, find_how(how), list(search(in_order(GAME, here, first), here, find_how(how))))


def test_its_tree_has_the_letters_and_values_of_the_prose() -> None:
    nodes = game_tree(GAME, GAME.read(TAKEN))
    children = {node.letter: "".join(nodes[child].letter for child in node.children) for node in nodes}
    assert children == {"": "ABC", "A": "DE", "B": "FG", "E": "H", "F": "I", "G": "J"} | dict.fromkeys("CDHIJ", "")
    run = run_of("minimax")
    named = letters(run)
    assert {named[node]: run.steps[done].value for node, done in run.done.items()} == {"": 1, **PROSE}
    best = run.steps[-1].best
    assert best is not None
    assert GAME.write_move(best) == "c3"


def test_the_docs_have_the_pictures_that_the_command_draws() -> None:
    docs = Path(__file__).parents[2] / "docs"
    assert (docs / "tree-2021.svg").read_text() == tree_file(run_of("minimax"))
    assert (docs / "tree-2021-c-first.svg").read_text() == tree_file(run_of("figure1", "c3"), "c3")


SVG = "{http://www.w3.org/2000/svg}"


class Drawn:
    """What can be seen in a picture of a tree."""

    def __init__(self, picture: Picture) -> None:
        self.root = ElementTree.fromstring(picture.svg())
        self.values: dict[str, str] = {}
        self.kinds: dict[str, set[str]] = {}
        self.boxes: list[tuple[float, float, float, float]] = []
        for node in self.root.iter(f"{SVG}g"):
            classes = set(node.get("class", "").split())
            if "gt-node" not in classes:
                continue
            texts = {mark.get("class", "").split()[0]: mark.text or "" for mark in node.iter(f"{SVG}text")}
            letter = texts.get("gt-letter", "")
            self.kinds[letter] = classes - {"gt-node"}
            if "gt-value" in texts:
                self.values[letter] = texts["gt-value"]
            sheet = node.find(f"{SVG}rect[@class='gt-sheet']")
            assert sheet is not None
            self.boxes.append(tuple(float(sheet.get(name, "")) for name in ("x", "y", "width", "height")))  # type: ignore[arg-type]

    def of(self, kind: str) -> str:
        return "".join(sorted(letter for letter, kinds in self.kinds.items() if kind in kinds))

    def paths(self) -> Counter[str]:
        return Counter(path.get("class", "") for path in self.root.iter(f"{SVG}path"))

    def words(self, kind: str) -> list[str]:
        return [mark.text or "" for mark in self.root.iter(f"{SVG}text") if mark.get("class") == kind]


def test_the_picture_has_a_board_a_letter_and_a_value_for_each_and_says_whose_turn_it_is() -> None:
    seen = Drawn(draw_tree(run_of("minimax"), title="Minimax"))
    signs = {1: "+1", 0: "0", -1: "−1"}
    assert seen.values == {"": "+1"} | {letter: signs[value] for letter, value in PROSE.items()}
    assert seen.words("gt-who") == ["MAX", "MIN", "MAX"]
    assert seen.words("gt-turn") == ["X to move", "O to move", "X to move"]
    assert seen.words("gt-title") == ["Minimax"]
    assert (seen.of("best"), seen.of("off")) == ("C", "")
    paths = seen.paths()
    assert (paths["gt-way"], paths["gt-edge"], paths["gt-bar"]) == (1, 9, 0)
    assert paths["gt-row"] == 3, "C, D and I end with a row"


@pytest.mark.parametrize(
    ("how", "first", "off", "bars"),
    [
        ("figure1", "", "EH", 1),  # D wins for O: E need not be looked at. A, B, C: when C is found, all is done
        ("figure1", "c3", "ABDEFGHIJ", 2),  # chapter 5: after C neither A nor B
        ("alpha-beta", "", "", 0),  # it does not know that no value is below −1
        (
            "alpha-beta",
            "c3",
            "EGHJ",
            2,
        ),  # nor that none is above +1: it looks into A and B
    ],
)
def test_what_is_cut_off_is_pale_and_has_a_bar(how: str, first: str, off: str, bars: int) -> None:
    run = run_of(how, first)
    seen = Drawn(draw_tree(run))
    assert seen.of("off") == off
    assert (seen.paths()["gt-bar"], seen.paths()["gt-cut"]) == (bars, bars)
    assert set(seen.values) == set(seen.kinds) - set(off)
    assert seen.of("best") == "C"
    assert len(run.visits) == 11 - len(off)


def test_what_a_table_makes_unnecessary_is_pale_without_a_bar() -> None:
    run = run_of("table", "", "XOX/O../.X.")
    seen = Drawn(draw_tree(run))
    looked_up = {letters(run)[node] for node in (run.steps[at].node for at in run.hits)}
    assert looked_up
    assert looked_up <= set(seen.values)
    assert seen.of("later") == ""
    assert sum("off" in kinds for kinds in seen.kinds.values()) == len(seen.kinds) - len(run.visits)
    assert seen.paths()["gt-bar"] == sum(len(run.steps[at].skipped) for at in run.cuts)


def test_a_tree_grows_with_the_steps() -> None:
    run = run_of("figure1")
    begun, there = Drawn(draw_tree(run, 0)), Drawn(draw_tree(run, 3))
    assert (begun.values, begun.of("off"), begun.kinds[""]) == ({}, "", {"now"})
    # Step 1 is A, step 2 is D, step 3 cuts E off.
    assert (there.values, there.of("off"), there.of("now")) == ({"D": "−1"}, "EH", "A")


@pytest.mark.parametrize("how", [how.name for how in hows_of(GAME)])
@pytest.mark.parametrize("position", [TAKEN, "XOX/O../X.O", "XO./.X./O.."])
def test_whichever_move_is_tried_first_the_value_is_the_same_and_only_the_work_changes(how: str, position: str) -> None:
    here = GAME.read(position)
    moves = [GAME.write_move(move) for move in GAME.moves(here)]
    runs = [run_of(how, move, position) for move in moves]
    assert {run.steps[-1].value for run in runs} == {run_of(how, "", position).steps[-1].value}
    for run, move in zip(runs, moves, strict=True):
        tried = [GAME.write_move(child) for child in run.children[0]]
        assert tried == [move, *(other for other in moves if other != move)][: len(tried)]
    if how == "minimax":
        assert len({count(run.steps) for run in runs}) == 1


@pytest.mark.parametrize(("name", "position"), [("tictactoe", "XOX/O../.X."), ("square4", "XOXO/OXOX/OXXO/X...")])
def test_no_two_boards_touch_and_all_are_on_the_paper(name: str, position: str) -> None:
    game = find_game(name)
    how = find_how("minimax")
    picture = draw_tree(Run(game, how, list(search(game, game.read(position), how))))
    seen = Drawn(picture)
    for x, y, width, height in seen.boxes:
        assert x >= 0
        assert y >= 0
        assert x + width <= picture.width
        assert y + height <= picture.height
    for (x1, y1, width, height), (x2, y2, _, _) in combinations(seen.boxes, 2):
        assert abs(x1 - x2) >= width + 8 or abs(y1 - y2) >= height + 30


def test_letters_go_on_after_z() -> None:
    nodes = game_tree(GAME, GAME.read("XOX/O../.X."))
    assert [node.letter for node in nodes[25:29]] == ["Y", "Z", "AA", "AB"]
    assert len({node.letter for node in nodes}) == len(nodes)


def test_a_tree_of_more_than_a_hundred_is_not_drawn() -> None:
    assert MOST_NODES >= 1 + 4 + 4 * 3 + 4 * 3 * 2 + 4 * 3 * 2, "four empty points are always few enough"
    large = GAME.read("XOX/.O./...")
    assert not is_drawn(GAME, large)
    assert letters(run_of("alpha-beta", "", "XOX/.O./...")) == {}
    with pytest.raises(TreeTooLargeError, match=r"the tree of 'XOX/.*' has more than 100 positions: expected"):
        game_tree(GAME, large)
