"""The two machines of 1990, against a recursive transcription of their algorithm and the printed trace.

The C program, the chip's controller and the oracle were written apart: the first two from different
appendices, the third from the paper by somebody who had seen neither.
"""

import csv
from pathlib import Path

import pytest

from noughts.games import Outcome, Position
from noughts.games import game as find_game
from noughts.players import Choice, NoMoveFoundError, player
from noughts.players.chip1990 import Controller, State
from noughts.players.player import PlayerOptionError
from noughts.solve import solve
from oracles.machine1990 import figure1, figure1_to_the_letter, minimax, reply, reply_cycles

GAME = find_game("tictactoe")
TRACE = Path(__file__).parent / "chip1990_trace.csv"
CLAIMS = Path(__file__).parents[2] / "docs" / "claims.md"


def cells(position: Position) -> str:
    return GAME.write(position).replace("/", "")


def lines_of_play(first: Position, machine: int, choose: dict[Position, Position]) -> list[Position]:
    """Every position the machine is asked in, whatever the user does; fills in where its replies lead."""
    c1990 = player("c1990")
    asked, waiting = [], [first]
    while waiting:
        position = waiting.pop()
        if GAME.over(position) is not None:
            continue
        if position.turn == machine:
            asked.append(position)
            choose[position] = GAME.after(position, c1990.choose(GAME, position).move)
            waiting.append(choose[position])
        else:
            waiting += [GAME.after(position, move) for move in GAME.moves(position)]
    return asked


@pytest.mark.parametrize("machine", [0, 1])
def test_against_every_user_the_moves_are_the_algorithms_and_it_never_loses(machine: int) -> None:
    replies: dict[Position, Position] = {}
    asked = lines_of_play(GAME.start(), machine, replies)
    for position in asked:
        choice = player("c1990").choose(GAME, position)
        assert (choice.move.to, choice.nodes) == reply(cells(position), "XO"[machine])
        user_next = replies[position]
        for move in GAME.moves(user_next):
            assert GAME.over(GAME.after(user_next, move)) is not Outcome.LOSS, "the user won"
        if position.occupied:
            assert player("chip1990").choose(GAME, position).move == choice.move
    assert len(asked) > 40


def test_the_chip_sets_as_many_stones_as_the_program_tries() -> None:
    """Appendix F: "the same algorithm as the chip"."""
    going_on = [one for one in solve(GAME).positions() if GAME.over(one) is None]
    for position in [*(one for one in going_on if 1 <= 9 - one.occupied.bit_count() <= 5), GAME.play("a1")]:
        own, other = position.stones[position.turn], position.stones[1 - position.turn]
        run = Controller(own, other).run()
        if run.place is not None:
            choice = player("c1990").choose(GAME, position)
            assert (run.place, run.states.count(State.SET_BOARD_I)) == (choice.move.to, choice.nodes)


def test_from_every_random_beginning_the_chip_never_loses() -> None:
    for place in range(8):
        first = GAME.play(GAME.layout.points[place])
        replies: dict[Position, Position] = {}
        lines_of_play(first, 0, replies)
        for after in replies.values():
            for move in GAME.moves(after):
                assert GAME.over(GAME.after(after, move)) is not Outcome.LOSS


def test_the_chip_begins_on_any_of_the_places_0_to_7() -> None:
    places = {player("chip1990", seed).choose(GAME, GAME.start()).move.to for seed in range(200)}
    assert places == set(range(8))


CYCLES = [5_779, 7_574, 8_806, 10_168, 6_496, 10_237, 10_004, 15_007, 10_314]


def test_the_cycles_of_the_nine_openings() -> None:
    """5,779 for place 0 and 15,007 for place 7 were decoded from the source; none is slower than that."""
    cycles = [player("chip1990").choose(GAME, GAME.play(point)).cycles for point in GAME.layout.points]
    assert cycles == CYCLES
    replies: dict[Position, Position] = {}
    asked = lines_of_play(GAME.start(), 1, replies)
    assert max(player("chip1990").choose(GAME, position).cycles or 0 for position in asked) == 15_007


OTHERS = {"figure1": figure1, "minimax": minimax}


@pytest.mark.parametrize("search", OTHERS)
def test_the_other_searches_play_the_same_moves_with_the_stones_and_cycles_of_their_prose(search: str) -> None:
    """In every position with few empty places, and after one opening, which is all but the slowest."""
    program, chip = player(f"c1990:search={search}"), player(f"chip1990:search={search}")
    usual = player("c1990")
    going_on = [one for one in solve(GAME).positions() if GAME.over(one) is None]
    for position in [*(one for one in going_on if 1 <= 9 - one.occupied.bit_count() <= 4), GAME.play("a1")]:
        found = OTHERS[search](cells(position), "XO"[position.turn])
        if found.place is None:
            for one in (program, chip, usual):
                with pytest.raises(NoMoveFoundError):
                    one.choose(GAME, position)
            continue
        choice, cycled = program.choose(GAME, position), chip.choose(GAME, position)
        assert (choice.move.to, choice.nodes) == (found.place, found.tried)
        assert (cycled.move, cycled.cycles) == (
            choice.move,
            reply_cycles(cells(position), "XO"[position.turn], search),
        )
        assert choice.move == usual.choose(GAME, position).move


def test_the_docs_have_the_stones_and_cycles_of_every_opening() -> None:
    """The table of docs/claims.md, by the oracles: stones of the C program, figure 1 and minimax, then cycles."""
    lines = CLAIMS.read_text().splitlines()
    rows = {cells[0]: cells[1:] for cells in ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)}
    for place, opening in enumerate(GAME.layout.points):
        board = "." * place + "X" + "." * (8 - place)
        move, stones = reply(board, "O")
        tried = [stones, figure1(board, "O").tried, minimax(board, "O").tried]
        cycles = [CYCLES[place], *(reply_cycles(board, "O", search) for search in OTHERS), 2]
        assert rows[opening] == [GAME.layout.points[move], *(f"{count:,}" for count in (*tried, *cycles))]


def test_the_table_has_the_moves_of_the_search_and_where_there_is_none_the_first_free_place() -> None:
    table, usual = player("chip1990:search=table"), player("chip1990")
    for position in [GAME.play("a1"), GAME.play("b3"), GAME.play("b2", "a1", "c3"), GAME.read("OX./.X./..O")]:
        assert table.choose(GAME, position) == Choice(usual.choose(GAME, position).move, cycles=2)
    assert table.choose(GAME, GAME.read("X.X/.O./X.O")).move.to == 1


def test_figure_1_to_the_letter_does_not_take_a_win_and_the_reading_of_appendix_f_does() -> None:
    """Three in one row cannot be +1 for the current player: the one who has made it is not to move."""
    board = "XX.OO...."
    assert figure1(board, "X")[:2] == (2, 1)
    assert figure1_to_the_letter(board, "X")[0] != 2


@pytest.mark.parametrize("name", ["c1990:search=beta", "chip1990:search=beta"])
def test_a_search_that_neither_has_is_named(name: str) -> None:
    with pytest.raises(PlayerOptionError, match=r"search='beta' of .*1990: expected alpha-beta, figure1, minimax"):
        player(name)


def test_an_option_is_given_once() -> None:
    with pytest.raises(PlayerOptionError, match=r"'search' is given twice in .*: expected every option once"):
        player("chip1990:search=table,search=minimax")


def test_the_printed_trace() -> None:
    """Appendix E.2: the states of both replies, cycle by cycle, and the boards they lead to."""
    rows = [row for row in csv.DictReader(TRACE.open()) if row["cp"] == "1"]
    states = [State(int(row["statereg"])) for row in rows]
    starts = [number for number, state in enumerate(states) if state is State.USER_JUST_MOVED]
    assert len(starts) == 2
    for start in starts:
        chip, user = stones(rows[start]["led"])
        run = Controller(chip, user).run()
        end = start + len(run.states)
        assert states[start:end] == run.states
        assert states[end] in (State.WAITING, State.FINISHED)
        assert run.place is not None
        assert stones(rows[end]["led"]) == (chip | 1 << run.place, user)


def stones(led: str) -> tuple[int, int]:
    """Bit 2·place of the printed word is the chip's stone, bit 2·place + 1 the user's."""
    bits = int(led, 2)
    return tuple(sum((bits >> (2 * p + side) & 1) << p for p in range(9)) for side in (0, 1))  # type: ignore[return-value]


@pytest.mark.parametrize("name", ["c1990", "chip1990"])
def test_in_a_lost_position_no_move_is_found(name: str) -> None:
    lost = GAME.read("X.X/.O./X.O")
    with pytest.raises(NoMoveFoundError, match="not lost") as caught:
        player(name).choose(GAME, lost)
    assert GAME.write(lost) in str(caught.value)


@pytest.mark.parametrize("place", range(9))
def test_the_chip_reads_and_writes_keys(place: int) -> None:
    chip = player("chip1990")
    move = chip.read_own(str(place))
    assert move is not None
    assert (move.to, chip.write_own(move)) == (place, str(place))
    assert [chip.read_own(text) for text in ("9", "a1", "", "10", "²")] == [None] * 5
