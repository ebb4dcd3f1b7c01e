"""Stones in hand: search, whole table and book agree with plain minimax, and six men's morris is a draw."""

from pathlib import Path
from random import Random

import pytest

from morris_six import SIX, InMemory, any_placing, meaning, six, solved_byte, whole_six
from noughts.games import Outcome, Position, game
from noughts.games.points import point_set
from noughts.solve.book import Book, BookError, write_book
from noughts.solve.morris.retrograde import solve_morris
from noughts.solve.morris.subspaces import MorrisForm, key_of
from noughts.solve.morris.table import Placing, Probe
from noughts.solve.value import UNKNOWN, Value

pytestmark = pytest.mark.slow

WORTH = {Outcome.LOSS: -1, Outcome.DRAW: 0, Outcome.WIN: 1}


def minimax(position: Position, known: dict[Position, int]) -> int:
    """Every line of play to the last stone, by the rules alone, then what the solver says."""
    if position not in known:
        if SIX.over(position) is not None:
            return -1
        if position.hand == (0, 0):
            return WORTH[meaning(solved_byte(position)).outcome]
        known[position] = max(-minimax(SIX.after(position, move), known) for move in SIX.moves(position))
    return known[position]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """All of the placing phase."""
    return write_book(SIX, 11, whole_six().read, tmp_path_factory.mktemp("book") / "book")


@pytest.mark.parametrize(("in_hand", "games"), [(1, 100), (2, 60), (3, 40), (4, 20), (5, 6), (6, 3)])
def test_the_search_and_the_book_agree_with_minimax(in_hand: int, games: int, book: Book) -> None:
    random = Random(in_hand)
    seen = set()
    for _ in range(games):
        position = any_placing(random, in_hand)
        expected = minimax(position, {})
        assert WORTH[Placing(six(), SIX).value(position).outcome] == expected
        assert book.outcome(position) == expected + 1
        assert WORTH[Probe(whole_six(), SIX).value(position).outcome] == expected
        seen.add(expected)
    assert len(seen) > 1


@pytest.mark.parametrize("in_hand", [1, 3, 4])
def test_moves_are_rated_as_minimax_rates_them(in_hand: int) -> None:
    random = Random(in_hand)
    placing = Placing(six(), SIX)
    for _ in range(12):
        position = any_placing(random, in_hand)
        known: dict[Position, int] = {}
        rated = placing.moves(position)
        assert {one.move for one in rated} == set(SIX.moves(position))
        for one in rated:
            assert WORTH[one.value.outcome] == -minimax(SIX.after(position, one.move), known)
        order = [one.value.preference() for one in rated]
        assert order == sorted(order, reverse=True)


def test_six_mens_morris_is_a_draw(book: Book) -> None:
    """Found twice: by search from the empty board to the tables, and by the layers from the tables to the board."""
    assert Placing(six(), SIX).value(SIX.start(), 100_000).outcome is Outcome.DRAW
    assert book.outcome(SIX.start()) == 1


def test_the_search_agrees_with_the_book_from_the_first_stones(book: Book) -> None:
    random = Random(6)
    placing = Placing(six(), SIX)
    for in_hand in [6, 7, 8, 9, 10]:
        for _ in range(4):
            position = any_placing(random, in_hand)
            assert WORTH[placing.value(position, 100_000).outcome] + 1 == book.outcome(position)


def test_all_images_of_a_position_stand_in_the_book_alike(book: Book) -> None:
    random = Random(7)
    for _ in range(200):
        position = any_placing(random, random.randint(1, 10))
        assert len({book.outcome(image) for image in SIX.images(position)}) == 1


def test_subspaces_hold_every_position_that_play_reaches() -> None:
    random, keys = Random(8), set(MorrisForm(SIX).order())
    for _ in range(500):
        position = any_placing(random, random.randint(1, 11))
        own, other = position.stones[position.turn].bit_count(), position.stones[1 - position.turn].bit_count()
        assert key_of(own, other, position.hand[position.turn], position.hand[1 - position.turn]) in keys


def test_with_stones_in_hand_plies_follow_from_the_moves() -> None:
    """By the rules: a capture that wins takes one ply, any other move one more than what follows."""
    probe, random, seen = Probe(whole_six(), SIX), Random(12), set[int | None]()
    for _ in range(600):
        position = any_placing(random, random.randint(1, 12))
        rated = [(move, probe.value(SIX.after(position, move))) for move in SIX.moves(position)]
        lost = [1 if move.capture is not None else value.remoteness + 1 for move, value in rated
                if value.outcome is Outcome.LOSS and value.remoteness is not None]  # fmt: skip
        won = [value.remoteness + 1 for _, value in rated
               if value.outcome is Outcome.WIN and value.remoteness is not None]  # fmt: skip
        expected = min(lost) if lost else max(won) if len(won) == len(rated) else None
        assert probe.value(position).remoteness == expected
        assert probe.moves(position)[0].value == probe.value(position)
        seen.add(expected)
    assert len(seen) > 10


def test_a_mill_that_leaves_too_few_stones_ends_the_game_while_placing() -> None:
    """O, down to two on the board and one in hand, loses one more to the mill on the top line."""
    position = SIX.read("XX./.../X..X/.../O.O x 1,1")
    winning = Placing(six(), SIX).moves(position)[0]
    assert SIX.write_move(winning.move).startswith("e1x")
    assert winning.value == Value(Outcome.WIN, 1)


def test_a_search_that_is_stopped_says_unknown_and_can_go_on() -> None:
    placing = Placing(six(), SIX)
    assert placing.value(SIX.start(), 50) == UNKNOWN
    assert placing.nodes == 50
    assert placing.value(SIX.start(), 100_000).outcome is Outcome.DRAW


def test_where_the_value_is_known_some_move_is_known_to_keep_it() -> None:
    """Even if the search may look at hardly more than it takes to find the value."""
    random = Random(13)
    short = 0
    for _ in range(30):
        position = any_placing(random, 5)
        counting = Placing(six(), SIX)
        value = counting.value(position)
        rated = Placing(six(), SIX).moves(position, counting.nodes)
        assert rated[0].value.outcome == value.outcome
        known: dict[Position, int] = {}
        assert -minimax(rated[0].position, known) == WORTH[value.outcome]
        short += any(one.value == UNKNOWN for one in rated)
    assert short


def test_without_the_larger_subspaces_only_what_needs_none_of_them_is_known() -> None:
    small = InMemory(SIX, [one for one in six().solved if max(one.key) <= 5])
    assert Placing(small, SIX).value(SIX.start(), 5_000) == UNKNOWN
    random = Random(9)
    outcomes = {Outcome.UNKNOWN: 0, Outcome.WIN: 0, Outcome.DRAW: 0, Outcome.LOSS: 0}
    for _ in range(200):
        position = any_placing(random, 2)
        found = Placing(small, SIX).value(position)
        outcomes[found.outcome] += 1
        assert found == UNKNOWN or found == Placing(six(), SIX).value(position)
    assert outcomes[Outcome.UNKNOWN] > 10
    assert outcomes[Outcome.UNKNOWN] < 190


def test_a_short_book_holds_the_first_plies_and_no_others(tmp_path: Path, book: Book) -> None:
    short = write_book(SIX, 4, whole_six().read, tmp_path / "book")
    assert [path.name for path in tmp_path.iterdir()] == ["book"]
    random = Random(10)
    for in_hand in range(1, 12):
        position = any_placing(random, in_hand)
        assert short.outcome(position) == (book.outcome(position) if in_hand >= 8 else None)
    with_book = Placing(InMemory(SIX, []), SIX, short)
    assert with_book.value(SIX.start()).outcome is Outcome.DRAW
    assert with_book.nodes == 0


def test_a_damaged_book_is_not_believed(tmp_path: Path, book: Book) -> None:
    whole = book.path.read_bytes()
    path = tmp_path / "book"
    body = whole.index(b"\n") + 1
    random = Random(11)
    for _ in range(20):
        place = random.randrange(body, len(whole))
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << random.randrange(8)]) + whole[place + 1 :])
        with pytest.raises(BookError, match="damaged"):
            Book(path, SIX).check()
    path.write_bytes(whole[:-1])
    with pytest.raises(BookError, match="bytes: expected"):
        Book(path, SIX)
    path.write_bytes(b"{}\n")
    with pytest.raises(BookError, match="is not a book"):
        Book(path, SIX)
    with pytest.raises(BookError, match="cannot be read"):
        Book(tmp_path / "none", SIX)
    with pytest.raises(BookError, match="is a book of 'six-mens-morris'"):
        Book(book.path, game("nine-mens-morris"))


@pytest.mark.parametrize("plies", [-1, 12])
def test_a_book_ends_before_the_last_stone(plies: int, tmp_path: Path) -> None:
    with pytest.raises(BookError, match=f"{plies} plies of six-mens-morris: expected 0 to 11"):
        write_book(SIX, plies, whole_six().read, tmp_path / "book")


def test_the_last_stones_of_nine_mens_morris() -> None:
    """Three stones each on the board and one each in hand: the search agrees with every line of play."""
    nine = game("nine-mens-morris")
    source = InMemory(nine, list(solve_morris(nine, 4)))
    probe = Probe(source, nine)

    def plain(position: Position) -> int:
        if nine.over(position) is not None:
            return -1
        if position.hand == (0, 0):
            return WORTH[probe.value(position).outcome]
        return max(-plain(nine.after(position, move)) for move in nine.moves(position))

    random = Random(12)
    for _ in range(8):
        points = random.sample(range(24), 6)
        position = Position((point_set(points[:3]), point_set(points[3:])), (1, 1), 0)
        assert WORTH[Placing(source, nine).value(position).outcome] == plain(position)
