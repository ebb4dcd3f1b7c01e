"""The oracle of Knuth's scores and difficulties has the numbers that Knuth's program prints."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from . import knuth
from .knuth import PAIRS, START, Position

CLASSES_AND_FINISHED = [
    *((1, 0), (3, 0), (12, 0), (38, 0), (108, 0), (174, 21), (204, 21), (153, 58), (57, 23), (15, 15)),
]


def board(text: str) -> Position:
    """The position written in three rows apart by "/"."""
    return tuple(text.replace("/", ""))


def graph_lines() -> list[str]:
    """The graph of TICTACTOE1 as a GraphBase file without its checksum: vertices and arcs are made depth first."""
    numbers = {START: 0}
    newest: dict[int, int] = {0: 0}
    links: list[int | None] = [None]
    tips: list[int] = []
    own_arcs: dict[Position, list[int]] = {START: []}

    def make_below(position: Position) -> None:
        for cell in PAIRS:
            later = (*position[:cell], knuth.turn(position), *position[cell + 1 :])
            if later not in knuth.successors(position):
                continue
            new = later not in numbers
            if new:
                numbers[later] = len(numbers)
                own_arcs[later] = []
                links.append(newest.get(knuth.rank(later)))
                newest[knuth.rank(later)] = numbers[later]
            own_arcs[position].append(len(tips))
            tips.append(numbers[later])
            if new:
                make_below(later)

    make_below(START)
    later_arcs = dict.fromkeys(range(len(tips)), "0")
    lines = []
    for position, number in numbers.items():
        arcs = ["0", *(f"A{arc}" for arc in own_arcs[position])]
        later_arcs.update(zip(own_arcs[position], arcs, strict=False))
        head = f"V{newest[number]}" if number in newest else "0"
        link = "0" if links[number] is None else f"V{links[number]}"
        fields = (knuth.bit_code(position), int(knuth.won(position)), head, link, knuth.rank(position))
        lines.append(f'"{knuth.name(position)}",{arcs[-1]},' + ",".join(str(field) for field in fields))
    return [
        "* GraphBase graph (util_types ZIIVVIZZZZZZZZ,5482V,16218A)",
        '"tictactoe",5478,16167',
        "* Vertices",
        *lines,
        *['"",0,0,0,0,0,0'] * 4,
        "* Arcs",
        *(f"V{tip},{later_arcs[arc]},1" for arc, tip in enumerate(tips)),
        *["0,0,0"] * 51,
    ]


def small_file() -> list[str]:
    """A file of two vertices and one arc, checksum and all."""
    lines = [
        "* GraphBase graph (util_types ZIIVVIZZZZZZZZ,6V,102A)",
        '"tictactoe",2,1',
        "* Vertices",
        '"   /   /   ",A0,0,0,V0,0,0',
        '"   /O  /   ",0,2,0,V1,0,1',
        *['"",0,0,0,0,0,0'] * 4,
        "* Arcs",
        "V1,0,1",
        *["0,0,0"] * 101,
    ]
    return [*lines, f"* Checksum {knuth.graphbase_checksum(lines)}"]


def test_positions_and_classes_are_as_many_as_published() -> None:
    assert len(knuth.positions()) == 5478
    assert sum(len(knuth.successors(position)) for position in knuth.positions()) == 16167
    assert len(knuth.classes()) == 765
    assert sum(knuth.size(position) for position in knuth.classes()) == 5478


def test_classes_and_finished_classes_after_each_number_of_moves() -> None:
    counted = []
    for moves in range(10):
        leaders = [position for position in knuth.classes() if knuth.rank(position) == moves]
        counted.append((len(leaders), sum(not knuth.followers(position) for position in leaders)))
    assert counted == CLASSES_AND_FINISHED


def test_the_empty_board() -> None:
    assert knuth.score(START) == 0
    assert knuth.digits(START) == "57551000"
    corners = {board("X  /   /   "), board("  X/   /   "), board("   /   /X  "), board("   /   /  X")}
    assert knuth.followers(START) == corners
    assert knuth.name(START) == "   /   /   "
    assert knuth.size(START) == 1


def test_97_classes_decline_an_immediate_win() -> None:
    declining = [
        position
        for position in knuth.classes()
        if knuth.no_brainer(position) == 1 and not any(knuth.won(later) for later in knuth.followers(position))
    ]
    assert len(declining) == 97


@pytest.mark.parametrize(
    ("text", "no_brainer", "score", "digits", "followers"),
    [
        # O has nothing left to do: X has won at move five.
        ("XXX/OO /   ", 0, -5, "00000000", []),
        # The board is full.
        ("XOX/XOO/OXX", 0, 0, "00000000", []),
        # One empty cell, which wins.
        ("XOX/OXO/OX ", 1, 9, "00000000", ["XOX/OXO/OXX"]),
        # One empty cell, which does not.
        ("XOX/XOO/OX ", 0, 0, "00000000", ["XOX/XOO/OXX"]),
        # O wins at once mid right, which is no achievement: the only other move does not count.
        ("XX /OO /XOX", 1, 8, "00000000", ["XX /OOO/XOX"]),
        # O must block top right, which is no achievement either.
        ("XX /OOX/XO ", -1, 0, "00000000", ["XXO/OOX/XO "]),
        # X could win top right or bottom right, but wins two moves later after bottom left: two mistakes.
        ("XX /OXO/ O ", 1, 9, "20000000", ["XX /OXO/XO "]),
        # The same seen by O, who loses at move nine whichever of the two threats is met.
        ("XX /OXO/XO ", -1, -9, "00000000", ["XXO/OXO/XO ", "XX /OXO/XOO"]),
    ],
)
def test_positions_worked_by_hand(text: str, no_brainer: int, score: int, digits: str, followers: list[str]) -> None:
    position = board(text)
    assert position in knuth.positions()
    assert knuth.no_brainer(position) == no_brainer
    assert knuth.score(position) == score
    assert knuth.digits(position) == digits
    assert knuth.followers(position) == {board(later) for later in followers}


def test_names_are_written_with_x_to_move() -> None:
    assert knuth.name(board("X  / O /   ")) == "X  / O /   "
    assert knuth.name(board("X  /   /   ")) == "O  /   /   "
    assert knuth.name(board("XXX/OO /   ")) == "OOO/XX /   "


@pytest.mark.parametrize(
    ("text", "leader", "size"),
    [
        ("  X/   /   ", "   /   /X  ", 4),
        (" X /   /   ", "   /X  /   ", 4),
        ("   / X /   ", "   / X /   ", 1),
        # The left is pair 0 and the right pair 2: 2 + 16 with X on the left, 1 + 32 with X on the right.
        (" O /   / X ", "   /X O/   ", 4),
        # With X bottom left (pair 4), the edges apart from it are the right (pair 2) and the top (pair 3).
        ("X  /   / O ", "   /  O/X  ", 8),
    ],
)
def test_leaders_worked_by_hand(text: str, leader: str, size: int) -> None:
    assert knuth.leader(board(text)) == board(leader)
    assert knuth.size(board(text)) == size


def test_symmetric_positions_agree_so_knuth_never_goofed() -> None:
    for position in knuth.positions():
        leader = knuth.leader(position)
        assert leader in knuth.positions()
        assert knuth.score(position) == knuth.score(leader)
        assert knuth.digits(position) == knuth.digits(leader)
        assert {knuth.leader(later) for later in knuth.followers(position)} == {
            knuth.leader(later) for later in knuth.followers(leader)
        }


def test_challenges_compare_as_the_unsigned_numbers_of_the_program_do() -> None:
    stored = {knuth.challenge(position): int(knuth.digits(position), 16) ^ 0x0F0F0F0F for position in knuth.positions()}
    in_order = [stored[challenge] for challenge in sorted(stored)]
    assert in_order == sorted(set(in_order))


def test_the_difficulty_of_optimal_moves_is_the_rest_of_the_digits() -> None:
    for position in knuth.positions():
        for later in knuth.followers(position):
            assert knuth.score(later) == -knuth.score(position)
            assert knuth.digits(later)[:7] == knuth.digits(position)[1:]


def test_the_checksum_worked_by_hand() -> None:
    assert len(knuth.CHARACTERS) == len(set(knuth.CHARACTERS)) == 96
    assert knuth.graphbase_checksum([]) == 0
    assert knuth.graphbase_checksum(["* not counted"]) == 0
    assert knuth.graphbase_checksum(["1"]) == 2 * 1 + 95
    assert knuth.graphbase_checksum(["1\n"]) == 2 * 1 + 95
    assert knuth.graphbase_checksum(["A", "* not counted", "é"]) == 2 * (2 * (2 * 10 + 95) + 127) + 95


def test_the_whole_graph_is_read_back() -> None:
    lines = graph_lines()
    assert knuth.graphbase_checksum(lines) == 664090930
    vertices = knuth.parse_gb("\n".join([*lines, "* Checksum 664090930"]) + "\n")
    by_code = {knuth.bit_code(position): position for position in knuth.positions()}
    assert [vertex.bitcode for vertex in vertices[:3]] == [0, 2, 6]
    assert {vertex.bitcode for vertex in vertices} == set(by_code)
    for vertex in vertices:
        position = by_code[vertex.bitcode]
        assert vertex.name == knuth.name(position)
        assert vertex.winner == knuth.won(position)
        assert vertex.rank == knuth.rank(position)
        assert {by_code[vertices[tip].bitcode] for tip in vertex.arcs} == knuth.successors(position)
        assert len(vertex.arcs) == len(knuth.successors(position))
    for moves in range(10):
        listed = []
        number = vertices[moves].head
        while number is not None:
            listed.append(number)
            number = vertices[number].link
        assert listed == sorted((i for i, vertex in enumerate(vertices) if vertex.rank == moves), reverse=True)
    assert all(vertex.head is None for vertex in vertices[10:])


def test_a_small_file_is_read() -> None:
    first, second = knuth.parse_gb("\n".join(small_file()) + "\n")
    assert first == ("   /   /   ", (1,), 0, 0, 0, None, 0)
    assert second == ("   /O  /   ", (), 2, 0, 1, None, 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text[:-1], "must end with a newline"),
        (lambda text: text.replace("\n", "\r\n"), "line 1: expected the header"),
        (lambda text: text.replace("ZIIVVI", "ZZIVVI"), "line 1: expected the header"),
        (lambda text: text.replace("6V", "7V"), "expected 6 vertices in the header, not 7"),
        (lambda text: text.replace("102A", "1A"), "expected 102 arcs in the header, not 1"),
        (lambda text: text.replace("tictactoe", "qubic"), "line 2: expected the identifier"),
        (lambda text: text.replace("* Vertices\n", ""), r"line 3: expected '\* Vertices'"),
        (lambda text: text.replace("   /O", " ? /O"), "line 5: expected a vertex"),
        (lambda text: text.replace("   /O", " " * 80 + "/O"), "line 5: 103 characters, but at most 79"),
        (lambda text: text.replace(",0,2,0", ",0,02,0"), "line 5: expected a vertex"),
        (lambda text: text.replace(",0,2,0", ",0,2,2"), "line 5: expected a vertex"),
        (lambda text: text.replace(",V1,0,1", ",V2,0,1"), "expected 0 or V0 to V1, not 'V2'"),
        (lambda text: text.replace(",V1,0,1", ",A0,0,1"), "expected 0 or V0 to V1, not 'A0'"),
        (lambda text: text.replace('"",0,0,0,0,0,0\n', "", 1), "line 9: expected '\"\",0,0,0,0,0,0'"),
        (lambda text: text.replace("\nV1,0,1", "\nV1,0,2"), "line 11: expected an arc of length 1"),
        (lambda text: text.replace("\nV1,0,1", "\n0,0,1"), "arc A0 leads nowhere"),
        (lambda text: text.replace("\nV1,0,1", "\nV1,A0,1"), "arc A0 is in two places"),
        (lambda text: text.replace(",A0,0,0", ",0,0,0"), "arc A0 belongs to no vertex"),
        (lambda text: text.replace("0,0,0\n*", "0,0,1\n*"), "line 9: expected"),
        (lambda text: text.replace("\n0,0,0\n", "\n", 1), "line 112: expected '0,0,0'"),
        (lambda text: text.replace("\n0,0,0\n", "\n0,0,0\n0,0,0\n", 1), "line 113: expected the checksum"),
        (lambda text: text.replace(",0,2,0", ",0,3,0"), "expected .* as the checksum"),
        (lambda text: text + "\n", "line 114: expected the end"),
        (lambda text: text[: text.index("* Checksum")], "the file ends where there should be the checksum"),
        (lambda _: "", "must end with a newline"),
    ],
)
def test_a_damaged_file_is_refused(change: Callable[[str], str], message: str) -> None:
    text = "\n".join(small_file()) + "\n"
    assert change(text) != text
    with pytest.raises(ValueError, match=message):
        knuth.parse_gb(change(text))
