"""The book of openings that comes with Noughts: nine men's morris is a draw, and every value follows from the next."""

import runpy
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from noughts.games import Outcome, Position, game
from noughts.solve import UNKNOWN, Source, knowledge
from noughts.solve.book import PLIES, shipped_book, write_book
from noughts.solve.morris.numbering import combinations, numbering_of
from noughts.solve.morris.retrograde import solve_morris
from noughts.solve.morris.subspaces import DRAW, in_hand
from noughts.solve.tables import opening

NINE = game("nine-mens-morris")
ORDER = {Outcome.LOSS: 0, Outcome.DRAW: 1, Outcome.WIN: 2}


def test_nine_mens_morris_is_a_draw_and_so_is_every_first_move() -> None:
    found = knowledge(NINE).ask(NINE.start())
    assert found.value.outcome is Outcome.DRAW
    assert len(found.moves) == 24
    assert {rated.value.outcome for rated in found.moves} == {Outcome.DRAW}


def test_every_value_of_the_book_is_that_of_its_best_move() -> None:
    random, seen = Random(9), dict.fromkeys(ORDER, 0)
    for _ in range(150):
        position = NINE.start()
        for _ply in range(9):
            found = opening(NINE, position)
            assert found is not None
            value, moves = found
            assert ORDER[value.outcome] == max(ORDER[rated.value.outcome] for rated in moves)
            seen[value.outcome] += 1
            position = random.choice(moves).position
    assert all(seen.values())


def test_symmetric_openings_have_the_same_value() -> None:
    book, random = shipped_book(NINE), Random(3)
    assert book is not None
    for _ in range(30):
        position = NINE.start()
        for _ply in range(random.randrange(1, 10)):
            position = NINE.after(position, random.choice(NINE.moves(position)))
        assert len({book.outcome(image) for image in NINE.images(position)}) == 1


def test_behind_the_book_nothing_is_claimed() -> None:
    position = NINE.start()
    for _ply in range(9):
        position = NINE.after(position, NINE.moves(position)[0])
    assert opening(NINE, position) is None
    found = knowledge(NINE).ask(position)
    book = shipped_book(NINE)
    assert book is not None
    assert (found.value, found.source) == (book.value(position), Source.BOOK), "but the last ply is in the book itself"
    assert {rated.value for rated in found.moves} == {UNKNOWN}
    position = NINE.after(position, NINE.moves(position)[0])
    assert book.value(position) is None
    assert knowledge(NINE).ask(position).source is Source.SEARCH
    lost = knowledge(NINE).ask(NINE.read(".../OOX/.../X...X./.../O.X/X.. o 4,5"))
    assert {rated.value.outcome for rated in lost.moves} == {lost.value.outcome} == {Outcome.LOSS}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["five-mens-morris", "six-mens-morris", "seven-mens-morris"])
def test_the_books_of_the_small_games_are_what_the_solver_makes(name: str, tmp_path: Path) -> None:
    maker = SimpleNamespace(**runpy.run_path(str(Path(__file__).parents[2] / "docs" / "make_books.py")))
    book = shipped_book(game(name))
    assert book is not None
    assert write_book(game(name), PLIES[name], maker.solved(name), tmp_path / "book").plies == book.plies
    assert (tmp_path / "book").read_bytes() == book.path.read_bytes(), "python docs/make_books.py"


@pytest.mark.slow
def test_a_book_by_laskers_rule_tells_stones_in_hand_apart(tmp_path: Path) -> None:
    lasker = game("five-mens-morris:moving-while-placing=yes")
    solved = {one.key: one for one in solve_morris(lasker)}
    book = write_book(lasker, 6, lambda *key: solved[key].by_mover, tmp_path / "book")
    hands = set()
    for key, one in solved.items():
        if in_hand(key) == (0, 0):
            continue
        placed = 10 - sum(in_hand(key))
        outcomes = []
        # Where stones stand still there is one number for every set of the other's, in order.
        others, own = combinations(16 - key[0], key[1]), (1 << key[0]) - 1
        for word in others.tolist():
            position = Position((own, word << key[0]), in_hand(key), 0)
            outcomes.append(book.outcome(position))
        if placed > 6:
            assert set(outcomes) == {None}
            continue
        hands.add((placed, in_hand(key)))
        numbers = numbering_of(lasker.layout)
        lead, symmetry = numbers.lead(own)
        size = numbers.block_size(*key[:2])
        for word, outcome in zip(others.tolist(), outcomes, strict=True):
            moved = numbers.image(symmetry, word << key[0])
            byte = one.by_mover[numbers.class_of(lead) * size + numbers.rank_beside(moved, lead)]
            assert outcome == (1 if byte == DRAW else 2 * (byte % 2))
    assert {(6, hand) for hand in ((0, 4), (1, 3), (2, 2), (3, 1), (4, 0))} <= hands


def test_seven_mens_morris_is_won_from_the_centre_and_lost_from_anywhere_else() -> None:
    """As Dries De Clercq has found."""
    seven = game("seven-mens-morris")
    found = knowledge(seven).ask(seven.start())
    assert found.value.outcome is Outcome.WIN
    kept = {seven.write_move(rated.move) for rated in found.moves if rated.value.outcome is Outcome.WIN}
    assert kept == {"c3"}
    assert {rated.value.outcome for rated in found.moves if rated.move != found.moves[0].move} == {Outcome.LOSS}
