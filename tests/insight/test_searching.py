"""Searches that can be watched, counted to the last position: by published numbers, and by searches written apart.

The negamax below has values of the player to move and a board of nine letters; the searches under test have values of X
and positions. The program of 1990 is counted by its player and by the oracle of it, both older than these steps.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from random import Random

import pytest

from noughts.games import Move, Outcome, Position
from noughts.games import game as find_game
from noughts.games.symmetry import apply
from noughts.insight.searching import (
    HOWS,
    LEAST,
    MOST,
    Counts,
    How,
    Step,
    StepKind,
    UnknownSearchError,
    count,
    explain,
    find_how,
    hows_of,
    reckon,
    retrograde,
    search,
    whole_tree,
)
from noughts.players import NoMoveFoundError, player
from noughts.solve import solve
from oracles.machine1990 import Search, figure1

GAME = find_game("tictactoe")
MINIMAX, ALPHA_BETA, TABLE, SYMMETRIES, WINDOW, FIGURE1, C1990 = HOWS
ROWS = ("012", "345", "678", "036", "147", "258", "048", "246")
FEW = 3
"""Empty points of the positions that are all searched."""


@cache
def positions(most_empty: int = 9) -> list[Position]:
    """Every position of tic-tac-toe with at most so many empty points."""
    found = [one for one in solve(GAME).positions() if 9 - one.occupied.bit_count() <= most_empty]
    return sorted(found)


@cache
def some_larger() -> list[Position]:
    """The start, and positions with four to seven empty points."""
    more = [one for one in positions() if FEW < 9 - one.occupied.bit_count() < 8 and GAME.over(one) is None]
    return [GAME.start(), *Random(1990).sample(more, 30)]


@cache
def outcome(position: Position, how: How) -> tuple[Counts, Step]:
    """What a search counts, and its last step."""
    steps = list(search(GAME, position, how))
    return count(steps), steps[-1]


def counts(position: Position, how: How) -> Counts:
    return outcome(position, how)[0]


def last(position: Position, how: How) -> Step:
    return outcome(position, how)[1]


def text_of(position: Position) -> str:
    return GAME.write(position).replace("/", "")


class Negamax:
    """Alpha-beta as textbooks print it, with a count of the positions and of the moves that were never tried."""

    def __init__(self) -> None:
        self.visited = self.leaves = self.skipped = 0

    def value(self, cells: str, mover: str, alpha: float, beta: float) -> float:
        self.visited += 1
        other = "O" if mover == "X" else "X"
        won = any(all(cells[int(place)] == other for place in row) for row in ROWS)
        if won or "." not in cells:
            self.leaves += 1
            return -1 if won else 0
        best = -9.0
        free = [place for place in range(9) if cells[place] == "."]
        for tried, place in enumerate(free, 1):
            after = cells[:place] + mover + cells[place + 1 :]
            best = max(best, -self.value(after, other, -beta, -alpha))
            alpha = max(alpha, best)
            if alpha >= beta:
                self.skipped += len(free) - tried
                break
        return best


def test_minimax_visits_549946_positions_and_sees_255168_games_end() -> None:
    """The published numbers of beginnings of games and of games."""
    found = reckon(GAME, GAME.start(), MINIMAX, 10_000)
    assert found is not None
    assert (found.visited, found.leaves) == (549_946, 255_168)
    assert found.steps == 2 * 549_946 - 255_168


def test_the_count_of_minimax_and_of_figure_1_is_the_count_of_their_steps() -> None:
    for how in (MINIMAX, FIGURE1):
        for position in [*positions(FEW), *some_larger()[1:]]:
            assert whole_tree(GAME, position, 10_000, how) == counts(position, how)
    assert whole_tree(GAME, GAME.start(), 5_478) is not None
    assert whole_tree(GAME, GAME.start(), 5_477) is None


def test_alpha_beta_counts_as_the_negamax_of_a_textbook_does() -> None:
    for position in [*positions(FEW), *some_larger()]:
        plain = Negamax()
        value = plain.value(text_of(position), "XO"[position.turn], -9, 9)
        found = counts(position, ALPHA_BETA)
        assert (found.visited, found.leaves, found.skipped) == (plain.visited, plain.leaves, plain.skipped)
        assert last(position, ALPHA_BETA).value == (value if position.turn == 0 else -value)
    assert counts(GAME.start(), ALPHA_BETA).visited == 18_297


def test_in_a_window_it_counts_as_the_negamax_does_and_as_the_elements_that_prune() -> None:
    """Three cycles for a search, two for a stone that ends the game, three for any other (`players.elements2021`)."""
    elements = player("elements2021:pruning=yes")
    for position in [one for one in [*positions(FEW), *some_larger()] if GAME.over(one) is None]:
        plain = Negamax()
        plain.value(text_of(position), "XO"[position.turn], -1, 1)
        found = counts(position, WINDOW)
        assert (found.visited, found.leaves, found.skipped) == (plain.visited, plain.leaves, plain.skipped)
        going_on = found.visited - found.leaves
        cycles = 3 * going_on + 2 * found.leaves + 3 * (going_on - 1)
        assert elements.choose(GAME, position).cycles == cycles + (2 if position.occupied else 3)
    assert counts(GAME.start(), WINDOW).visited == 16_811


def test_the_c_program_counts_as_it_did_in_1990() -> None:
    """Its own player, and where that has lost the oracle of it, count the stones tried: all visits but the first."""
    going_on = [one for one in [*positions(FEW), *some_larger()] if GAME.over(one) is None]
    for position in going_on:
        oracle = Search(list(text_of(position)))
        oracle.value("XO"[position.turn], 1, ground=True)
        assert counts(position, C1990).visited - 1 == oracle.tried
        end = last(position, C1990)
        try:
            choice = player("c1990").choose(GAME, position)
        except NoMoveFoundError:
            assert end.value == (1 if position.turn else -1)
            assert "no move found" in explain(GAME, C1990, end, None)
            continue
        assert (counts(position, C1990).visited - 1, end.best) == (choice.nodes, choice.move)
    assert counts(GAME.start(), C1990).visited == 21_445


def test_figure_1_tries_the_stones_that_its_prose_tries() -> None:
    going_on = [one for one in [*positions(FEW), *some_larger()[1:]] if GAME.over(one) is None]
    for position in going_on:
        found = figure1(text_of(position), "XO"[position.turn])
        end = last(position, FIGURE1)
        assert counts(position, FIGURE1).visited - 1 == found.tried
        assert end.value == (found.value if position.turn == 0 else -found.value)
        if found.place is None:
            assert "none is named" in explain(GAME, FIGURE1, end, None)
        else:
            assert end.best == Move(found.place)
    whole = reckon(GAME, GAME.start(), FIGURE1, 10_000)
    assert whole is not None
    assert whole.visited - 1 == figure1("." * 9, "X").tried == 94_977


@pytest.mark.parametrize("how", HOWS, ids=lambda how: how.name)
def test_every_search_finds_the_value_and_a_best_move_of_every_position(how: How) -> None:
    solution = solve(GAME)
    worth = {Outcome.WIN: 1, Outcome.DRAW: 0, Outcome.LOSS: -1}
    larger = some_larger()[1:] if how in (MINIMAX, FIGURE1) else some_larger()
    for position in [*positions(FEW), *larger]:
        end = last(position, how)
        mine = worth[solution.value(position).outcome]
        assert end.value == (mine if position.turn == 0 else -mine), GAME.write(position)
        if end.kind is StepKind.RETURN:
            rated = solution.moves(position)
            best = [one.move for one in rated if one.value.outcome is rated[0].value.outcome]
            assert end.best == min(best), "the first of the best"


@pytest.mark.parametrize("how", HOWS, ids=lambda how: how.name)
def test_what_a_step_says_of_a_value_is_true(how: How) -> None:
    """Every value that a position returns is its value, or a bound of it, as the step has it."""
    solution = solve(GAME)
    worth = {Outcome.WIN: 1, Outcome.DRAW: 0, Outcome.LOSS: -1}
    kinds = Counter[str]()
    for step in search(GAME, GAME.read("X../.O./..."), how):
        if step.kind in (StepKind.ENTER, StepKind.CUT):
            continue
        mine = worth[solution.value(step.position).outcome]
        true = mine if step.position.turn == 0 else -mine
        assert step.value is not None
        kinds[step.surely] += 1
        assert {"": true == step.value, "≥": true >= step.value, "≤": true <= step.value}[step.surely]
    assert kinds[""] > 20
    assert set(kinds) == ({"", "≥", "≤"} if how.cuts and how.bounds else {""})


def test_cut_offs_only_leave_out() -> None:
    """Alpha-beta visits what minimax visits, in the same order, and less of it; the moves skipped are what is left."""
    for position in some_larger()[1:]:
        everything = iter([step.move for step in search(GAME, position, MINIMAX) if step.kind in visits()])
        steps = list(search(GAME, position, ALPHA_BETA))
        assert all(step.move in everything for step in steps if step.kind in visits())
        tried = Counter(step.parent for step in steps if step.kind in visits())
        skipped = {step.node: len(step.skipped) for step in steps if step.kind is StepKind.CUT}
        assert all(skipped.values())
        for step in steps:
            if step.kind is StepKind.RETURN:
                assert tried[step.node] + skipped.get(step.node, 0) == len(GAME.moves(step.position))


def visits() -> set[StepKind]:
    return {StepKind.ENTER, StepKind.LEAF, StepKind.TABLE, StepKind.IMAGE}


def test_with_a_table_every_position_is_searched_once_and_with_symmetries_every_class() -> None:
    """Without cut-offs, so that nothing is left out: 5,478 positions, 765 classes (Knuth's), of which 138 are over."""
    full = How("", "", "", cuts=False, table=True)
    steps = list(search(GAME, GAME.start(), full))
    assert len({step.position for step in steps}) == 5_478
    searched = [step.position for step in steps if step.kind is StepKind.ENTER]
    assert len(searched) == len(set(searched)) == 5_478 - 958
    steps = list(search(GAME, GAME.start(), full._replace(symmetries=True)))
    assert len({GAME.canonical(step.position) for step in steps}) == 765
    searched = [GAME.canonical(step.position) for step in steps if step.kind is StepKind.ENTER]
    assert len(searched) == len(set(searched)) == 765 - 138


def test_what_is_looked_up_was_searched_before_and_is_the_same_or_symmetric() -> None:
    steps = list(search(GAME, GAME.read("X../.../..."), SYMMETRIES))
    done = {step.node: step for step in steps if step.kind is StepKind.RETURN}
    seen = Counter[StepKind]()
    for step in steps:
        if step.known is None:
            continue
        seen[step.kind] += 1
        source = done[step.known]
        assert (source.value, source.alpha, source.beta) == (step.value, step.alpha, step.beta)
        same = source.position == step.position
        assert same is (step.kind is StepKind.TABLE)
        assert any(
            tuple(apply(symmetry, stones) for stones in source.position.stones) == step.position.stones
            for symmetry in GAME.symmetries
        )
    assert min(seen.values()) > 10
    assert len(seen) == 2


class Uniform:
    """A tree in which every position has as many moves, and all games end after as many, drawn."""

    def __init__(self, breadth: int, depth: int) -> None:
        self.breadth, self.depth = breadth, depth

    def over(self, position: Position) -> Outcome | None:
        return Outcome.DRAW if position.hand[0] == self.depth else None

    def moves(self, position: Position) -> list[Move]:
        return [Move(number) for number in range(self.breadth)] if self.over(position) is None else []

    def after(self, position: Position, move: Move) -> Position:
        assert move.to is not None
        return Position((position.stones[0] * self.breadth + move.to, 0), (position.hand[0] + 1, 0), 1 - position.turn)

    def canonical(self, position: Position) -> Position:
        return position


@pytest.mark.parametrize(("breadth", "depth"), [(2, 1), (2, 4), (3, 3), (3, 4), (4, 5), (5, 2), (7, 3)])
def test_where_the_first_move_is_always_best_alpha_beta_sees_the_least_that_knuth_and_moore_prove(
    breadth: int, depth: int
) -> None:
    """In a uniform tree the least number of ends is b^⌈d/2⌉ + b^⌊d/2⌋ − 1; where all are drawn every order is best."""
    tree, root = Uniform(breadth, depth), Position((0, 0), (0, 0), 0)
    least = breadth ** ((depth + 1) // 2) + breadth ** (depth // 2) - 1
    assert count(search(tree, root, ALPHA_BETA)).leaves == least
    assert count(search(tree, root, MINIMAX)).leaves == breadth**depth


def test_every_position_but_the_first_has_one_before_it_which_is_not_done() -> None:
    steps = list(search(GAME, GAME.read("XO./.../..."), ALPHA_BETA))
    path: list[int] = []
    for step in steps:
        if step.kind in visits():
            assert step.parent == (path[-1] if path else None)
            if step.kind is StepKind.ENTER:
                path.append(step.node)
        else:
            assert step.node == path[-1]
            if step.kind is StepKind.RETURN:
                path.pop()
    assert path == []
    assert [step.node for step in steps if step.kind in visits()] == list(
        range(counts(steps[0].position, ALPHA_BETA)[0])
    )


def test_on_other_boards_the_searches_agree() -> None:
    for name, text in (
        ("mnk:4,3,3", "XOX./.O../X..O"),
        ("square4", "XOXO/OXOX/O.../X..."),
        ("mnk:5,2,2", "...../....."),
    ):
        game = find_game(name)
        position = game.read(text)
        values, visited = set(), []
        for how in (MINIMAX, ALPHA_BETA, TABLE, SYMMETRIES):
            steps = list(search(game, position, how))
            values.add(steps[-1].value)
            visited.append(count(steps).visited)
        assert len(values) == 1, name
        assert all(less <= more for more, less in pairwise(visited)), visited


def test_too_long_a_search_is_not_counted() -> None:
    steps = counts(GAME.start(), SYMMETRIES).steps
    assert reckon(GAME, GAME.start(), SYMMETRIES, steps) == counts(GAME.start(), SYMMETRIES)
    assert reckon(GAME, GAME.start(), SYMMETRIES, steps - 1) is None


def test_a_search_is_offered_where_it_makes_sense() -> None:
    names = {
        name: [how.name for how in hows_of(find_game(name))]
        for name in ("tictactoe", "mnk:3,3,3", "mnk:4,3,3", "mnk:5,3,4", "achi")
    }
    assert names["tictactoe"] == names["mnk:3,3,3"] == [how.name for how in HOWS]
    assert names["mnk:4,3,3"] == ["minimax", "alpha-beta", "table", "symmetries", "window"]
    assert names["mnk:5,3,4"] == ["minimax", "alpha-beta", "table", "window"], "more than ten thousand symmetries"
    assert names["achi"] == []


def test_a_search_that_does_not_exist_is_named() -> None:
    assert find_how("table") is TABLE
    with pytest.raises(UnknownSearchError, match="'beta' is not a search: expected minimax, alpha-beta"):
        find_how("beta")


def sentences(text: str, how: How) -> Iterator[tuple[Step, str]]:
    before = None
    for step in search(GAME, GAME.read(text), how):
        yield step, explain(GAME, how, step, before)
        before = step


def test_a_cut_off_is_explained() -> None:
    told = [words for step, words in sentences("XOX/.O./...", ALPHA_BETA) if step.kind is StepKind.CUT]
    assert told[0] == (
        "X already has a win elsewhere (alpha = +1); here a3 gives O a draw, so X will not come here. "
        "The other move, c3, need not be looked at: cut-off."
    )
    told = [words for step, words in sentences("X../.O./...", C1990) if step.kind is StepKind.CUT]
    assert any("reaches a = 0: O would not allow more." in words for words in told)
    assert any("reaches a = +1: nothing is better than a win." in words for words in told)
    told = [words for step, words in sentences("XOX/.O./...", FIGURE1) if step.kind is StepKind.CUT]
    assert told[0] == (
        "a3 wins for X, and nothing is better than a win. "
        "The other moves, b3 and c3, need not be looked at: the loop ends."
    )


@pytest.mark.parametrize("how", HOWS, ids=lambda how: how.name)
def test_every_step_has_a_sentence_that_names_its_numbers(how: How) -> None:
    for step, words in sentences("XO./.../...", how):
        assert words.endswith(".")
        assert "None" not in words
        if step.kind is StepKind.LEAF:
            assert {1: "X wins (+1)", 0: "a draw (0)", -1: "O wins (−1)"}[step.value or 0] in words
        if step.kind is StepKind.ENTER and step.move is not None and how is ALPHA_BETA:
            assert ("alpha =" in words) is (step.alpha > LEAST)
            assert ("beta =" in words) is (step.beta < MOST)
    assert words.startswith("Done: ")


MOVING = ["achi", "three-mens-morris", "arabian", "achi:blocked=draws"]


@pytest.mark.parametrize("name", MOVING)
def test_waves_are_the_histogram_of_remoteness(name: str) -> None:
    game = find_game(name)
    solution, found = solve(game), retrograde(game)
    values = Counter(solution.value(position) for position in solution.positions())
    histogram = {value.remoteness: number for value, number in values.items() if value.outcome is not Outcome.DRAW}
    assert {wave.plies: wave.size for wave in found.waves} == histogram
    assert found.draws == sum(number for value, number in values.items() if value.outcome is Outcome.DRAW)
    assert found.positions == values.total()


def test_a_position_is_in_the_wave_that_its_moves_put_it_into() -> None:
    """By the definition: a move into a lost wave wins, one ply later; where all moves lead to won ones it is lost."""
    game = find_game("three-mens-morris")
    found = retrograde(game)
    number = {position: wave.plies for wave in found.waves for position in wave.examples}
    assert sum(len(wave.examples) for wave in found.waves) == sum(wave.classes for wave in found.waves) == len(number)

    def wave_of(position: Position) -> int | None:
        same = position.swapped() if position.turn == 1 and position.hand == (0, 0) else position
        return number.get(game.canonical(same))

    for wave in found.waves:
        assert wave.outcome is (Outcome.WIN if wave.plies % 2 else Outcome.LOSS)
        for position in wave.examples:
            after = [wave_of(game.after(position, move)) for move in game.moves(position)]
            if wave.plies == 0:
                assert game.over(position) is Outcome.LOSS
            elif wave.outcome is Outcome.WIN:
                assert min(one for one in after if one is not None and one % 2 == 0) == wave.plies - 1
            else:
                assert all(one is not None and one % 2 for one in after)
                assert max(one for one in after if one is not None) == wave.plies - 1
