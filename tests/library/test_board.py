"""A board is a value: it agrees with the rules, never changes, and can be written, pickled, compared and shown."""

import copy
import pickle
import random
import subprocess
import sys
from base64 import b64decode
from xml.etree import ElementTree

import numpy as np
import pytest

import noughts
from catalogue_names import EVERY
from noughts.games import IllegalMoveError, IllegalPositionError, NotationError, NoughtsError, UnknownGameError
from noughts.games.playing import Playing
from noughts.games.rules import Rules
from noughts.players import CannotPlayError, UnknownPlayerError
from oracles.rules import oracle

LONGEST = 40
"""Plies of the random games."""


def played(name: str, seed: int) -> noughts.Board:
    """A board after some random moves, to the end or until there were enough."""
    chosen = random.Random(f"{name} {seed}")
    board = noughts.board(name)
    while board.moves and len(board) < LONGEST:
        board = board.play(chosen.choice(board.moves))
    return board


@pytest.mark.parametrize("name", EVERY)
def test_the_moves_of_a_board_are_those_of_the_rules(name: str) -> None:
    rules = oracle(name)
    board, state = noughts.board(name), rules.start()
    chosen = random.Random(name)
    for _ in range(12):
        if not board.moves:
            break
        assert sorted(board.moves) == sorted(rules.moves(state))
        move = chosen.choice(board.moves)
        board, state = board.play(move), rules.play(state, move)
    assert board.over == (not board.moves)


@pytest.mark.parametrize("name", EVERY)
def test_a_board_survives_writing_pickling_and_its_own_representation(name: str) -> None:
    board = played(name, 1)
    again = [noughts.Board.read(board.write()), pickle.loads(pickle.dumps(board)), eval(repr(board))]
    for other in again:
        assert other == board
        assert hash(other) == hash(board)
        assert other.position == board.position
        assert other.history == board.history
        assert other.result == board.result
    assert board.undo() != board


@pytest.mark.parametrize("name", ["tictactoe", "qubic", "achi", "nine-mens-morris", "mnk:19,19,5"])
def test_a_board_shows_itself_as_text_and_as_a_picture(name: str) -> None:
    board = played(name, 2)
    ElementTree.fromstring(board._repr_svg_())
    ElementTree.fromstring(board.game._repr_svg_())
    stones = [board[point] for point in board.game.layout.points]
    text = str(board).rpartition("\n")[0]
    assert text.count("X") == stones.count("x") > 0
    assert text.count("O") == stones.count("o") > 0


def test_a_board_never_changes() -> None:
    board = noughts.board()
    after = board.play("b2")
    assert board.history == []
    assert after.history == ["b2"]
    assert after.undo() == board
    assert {board: 1, after: 2}[noughts.board(moves="b2")] == 2
    with pytest.raises(AttributeError, match="a board never changes"):
        board.turn = "o"  # type: ignore[misc]
    with pytest.raises(AttributeError, match="a board never changes"):
        del board._playing


def test_boards_are_equal_by_how_they_came_about_and_positions_by_what_they_look_like() -> None:
    one, other = noughts.board(moves="a1 b1 c1"), noughts.board(moves="c1 b1 a1")
    assert one != other
    assert one.position == other.position
    assert one != "XOX/.../..."
    assert noughts.board("arabian") != noughts.board("three-mens-morris")


def test_a_game_from_beginning_to_end() -> None:
    board = noughts.board("tictactoe")
    assert (board.turn, board.winner, board.over, board.result, len(board), bool(board)) == (
        "x", None, False, None, 0, True,
    )  # fmt: skip
    board = board.play("a1", "b1", "a2", "b2", "a3")
    assert (board.winner, board.over, board.moves, board.best(), len(board)) == ("x", True, [], [], 5)
    assert board.outcome == "x wins: a row"
    assert board.notation == "XO./XO./X.."
    assert str(board.value()) == "loss in 0"
    assert (board["a1"], board["b2"], board["c3"]) == ("x", "o", None)


def test_the_third_repetition_ends_a_game_on_a_board() -> None:
    around = ["a1-b2", "b1-a1", "b2-b1", "a1-b2", "b1-a1", "b2-b1"]
    board = noughts.board("arabian", moves="a1 b1 c1 a2 b3 c3").play(*around, *around[:-1])
    assert not board.over
    board = board.play(around[-1])
    assert board.outcome == "a draw: the position came up for the third time"
    assert board.moves == []
    with pytest.raises(IllegalMoveError, match="the game is over"):
        board.play("a1-b2")


def test_what_a_board_is_worth() -> None:
    board = noughts.board("tictactoe", "XO./.X./..O")
    assert str(board.value()) == "win in 3"
    assert board.best() == ["a2", "a3"]
    found = noughts.analyse(board)
    assert found.value == board.value()
    assert [(one.move, one.words) for one in found.moves[:3]] == [
        ("a2", "win in 3"), ("a3", "win in 3"), ("c1", "draw in 5"),
    ]  # fmt: skip
    assert "fork" in found.why("a2")
    assert str(found).splitlines()[0] == "x to move: win in 3"
    shown = ElementTree.fromstring(found._repr_html_()).find("img")
    assert shown is not None
    assert (
        b64decode(shown.attrib["src"].partition(",")[2]).decode() == board.svg(values=True) == board.svg(values=found)
    )
    rows = [[cell.text for cell in row] for row in ElementTree.fromstring(found._repr_html_()).iter("tr")]
    assert rows == [["value", "moves"], ["win in 3", "a2, a3"], ["draw in 5", "c1, c2, b3"]]
    with pytest.raises(IllegalMoveError):
        found.why("a1")


def test_the_history_counts_where_positions_repeat() -> None:
    """A move that would bring a position up for the third time draws, though it wins when it comes up first."""
    around = ["a2-a3", "b2-b3", "a3-a2", "b3-b2"]
    once = noughts.board("three-mens-morris", "XXO/XOO/... x").play(*around[:3])
    again = once.play(around[3], *around[:3])
    assert once.position == again.position
    worth = [{one.move: one.words for one in noughts.analyse(board).moves}["b3-b2"] for board in (once, again)]
    assert worth == ["win in 3", "draw"]


def test_players_answer_on_a_board() -> None:
    board = noughts.board().play("b2")
    assert board.choose("c1990") == "a1"
    assert board.reply("c1990") == board.play("a1")
    assert board.choose("casual", seed=7) == board.choose(noughts.player("casual", 7))
    with pytest.raises(UnknownPlayerError):
        board.choose("nobody")
    with pytest.raises(CannotPlayError):
        noughts.board("qubic").reply("c1990")


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (("chess",), UnknownGameError, "'chess' is not a game"),
        (("tictactoe", "XXX/OOO/..."), IllegalPositionError, "both sides have a row"),
        (("tictactoe", "XX"), NotationError, "'XX'"),
        (("tictactoe", None, "b2 b2"), IllegalMoveError, "move 2: 'b2' is not a legal move: b2 is occupied"),
        (("tictactoe", None, ["b9"]), NoughtsError, "'b9'"),
        (("achi", noughts.game("qubic").start()), IllegalPositionError, "a position of another game, not of achi"),
        (
            ("tictactoe", noughts.game("mnk:3,3,2").play("a1", "b2", "c1", "c3")._replace(turn=1)),
            IllegalPositionError,
            "o is to move",
        ),
    ],
)
def test_what_is_wrong_is_said(arguments: tuple[str], error: type[Exception], words: str) -> None:
    with pytest.raises(error) as caught:
        noughts.board(*arguments)
    assert words in str(caught.value)


def test_taking_back_stops_at_the_beginning() -> None:
    assert noughts.board(moves="b2 a1").undo(3) == noughts.board().undo() == noughts.board()
    with pytest.raises(IllegalMoveError, match="plies to take back are -1: expected 0 or more"):
        noughts.board(moves="b2 a1").undo(-1)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("noughts.board()['z9']", "'z9' is not a point of tictactoe: expected a1 to c3"),
        ("noughts.board(None)", "None is not a game: expected one of"),
        ("noughts.board('achi', 5)", "5 is not the notation of a position: expected text, as '.../.../...'"),
        ("noughts.board().play(4)", "4 is not a move: expected a point as a1"),
        ("noughts.board().play(['b2', 'a1'])", "['b2', 'a1'] is not a move"),
        ("noughts.board().reply(None)", "None is not a player"),
        ("noughts.Board('tictactoe')", "'tictactoe' is not a game in progress: noughts.board(…) makes boards"),
        ("noughts.analyse('tictactoe')", "'tictactoe' is not a board: expected one, as noughts.board"),
        ("noughts.solve(noughts.board())", "noughts.board('tictactoe') is not a game"),
        ("noughts.solve('achi').value(noughts.board('achi'))", "noughts.board('achi') is not a position"),
    ],
)
def test_a_thing_of_the_wrong_kind_is_named(asked: str, words: str) -> None:
    """In a notebook no checker of types does that."""
    with pytest.raises(NoughtsError) as caught:
        eval(asked)
    assert words in str(caught.value)


def test_whoever_goes_through_a_board_says_through_what() -> None:
    board = noughts.board(moves="b2 a1 c3")
    assert board.stones == {"a1": "o", "b2": "x", "c3": "x"}
    assert [one.history for one in board.boards] == [[], ["b2"], ["b2", "a1"], ["b2", "a1", "c3"]]
    assert [one.position for one in board.boards] == list(board.positions)
    with pytest.raises(KeyError, match="0 is not a point of tictactoe: expected a1 to c3"):
        list(board)  # type: ignore[call-overload]


def test_an_array_of_boards_is_one_of_things() -> None:
    """What has a length and places, NumPy would take apart, were it not for the KeyError."""
    boards = [noughts.board(), noughts.board(moves="b2")]
    assert list(np.array(boards, dtype=object)) == boards
    assert noughts.board().play(np.random.default_rng(1).choice(noughts.board().moves)).history[0] in boards[0].moves


def test_a_picture_shows_the_last_move_and_at_the_end_the_row() -> None:
    def marked(board: noughts.Board) -> int:
        return board.svg().count('class="marked"')

    board = noughts.board(moves="a1 b1 a2 b2")
    assert [marked(one) for one in board.boards] == [0, 1, 1, 1, 1]
    assert (board.row, board.play("a3").row, marked(board.play("a3"))) == ([], ["a1", "a2", "a3"], 3)
    both = noughts.board(moves="a1 b1 a2 b2 c3 c1 b3 c2 a3")  # the last stone makes a column and a row
    assert (both.row, marked(both)) == (["a1", "a2", "a3", "b3", "c3"], 5)
    slid = noughts.board("three-mens-morris", "XXO/XOO/... x", "a2-a3")
    assert marked(slid) == 2


def test_a_board_as_text_for_other_screens() -> None:
    board = noughts.board("qubic")
    assert max(map(len, str(board).splitlines())) > 40
    narrow = board.text(width=40, unicode=False)
    assert max(map(len, narrow.splitlines())) <= 40
    assert narrow.isascii()


def test_a_copy_of_a_board_is_the_board_and_one_of_ones_own_kind_stays_so() -> None:
    board = noughts.board(moves="b2")
    assert copy.copy(board) is copy.deepcopy(board) is board
    own = Own.read("tictactoe: b2")
    assert own == board
    for other in (own.play("a1"), own.undo(), own.reply(), pickle.loads(pickle.dumps(own)), *own.boards):
        assert type(other) is Own


class Own(noughts.Board):
    """A board of somebody's own, with more to ask of it."""


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("b2 a1", "expected a name, a colon and moves, as tictactoe: b2 a1"),
        ("chess: e4", "'chess' is not a game"),
        ("tictactoe: b2 b2", "move 2: 'b2' is not a legal move"),
        ("tictactoe: a1 b1 a2 b2 a3 c3", "move 6, 'c3', comes after the end"),
        ("tictactoe from XXX/OOO/...: c3", "both sides have a row"),
        ("tictactoe:" + " b2" * 10_000, "expected at most 20,000"),
        ("tictactoe from" + " " * 19_900 + "x", "expected a name, a colon and moves"),
        ("tictactoe XO./.X./..O: a2", "expected a name, a colon and moves"),
    ],
)
def test_a_line_that_is_no_game_is_refused(line: str, words: str) -> None:
    with pytest.raises(NoughtsError) as caught:
        noughts.Board.read(line)
    assert words in str(caught.value)


def test_a_line_says_where_the_game_began() -> None:
    board = noughts.board("achi:blocked=passes", "XO./OX./... x 2,2", "c1")
    assert board.write() == "achi:blocked=passes from XO./OX./... x 2,2: c1"
    assert noughts.Board.read(board.write()) == board
    assert noughts.board("mnk:5,5,4").write() == "mnk:5,5,4:"
    assert noughts.Board.read(" mnk:5,5,4 : c3 ") == noughts.board("mnk:5,5,4", moves="c3")


def test_games_are_equal_by_name_across_processes_and_after_they_were_forgotten() -> None:
    small = noughts.game("mnk:4,4,3")
    for size in range(1, 19):
        for length in range(1, size + 1):
            noughts.game(f"mnk:{size},2,{length}")
    assert noughts.game("mnk:4,4,3") is not small  # more games than are kept have been made since
    assert noughts.game("mnk:4,4,3") == small
    assert hash(noughts.game("mnk:4,4,3")) == hash(small)
    assert noughts.game("achi") != noughts.game("achi:blocked=passes")
    assert noughts.game("achi:blocked=loses") == noughts.game("achi")
    program = (
        "import noughts, pickle, sys\nsys.stdout.buffer.write(pickle.dumps([noughts.game('achi'), noughts.board()]))"
    )
    sent = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout
    game, board = pickle.loads(sent)
    assert game is noughts.game("achi")
    assert board == noughts.board()


def test_a_game_of_ones_own_is_pickled_with_its_rules() -> None:
    known = noughts.game("tictactoe")
    own = noughts.Game("mine", known.layout, known.rules, "as everybody knows it", "Mine")
    again = pickle.loads(pickle.dumps(own))
    assert again == own
    assert again != known
    assert Playing.begin(again) == Playing.begin(own)
    board = noughts.board(own, moves="b2")
    assert repr(board) == "noughts.board(Game('mine'), moves='b2')"
    assert noughts.Board.read(board.write(), own) == pickle.loads(pickle.dumps(board)) == board
    assert noughts.Board.read("tictactoe: b2", own).game == known
    with pytest.raises(UnknownGameError, match="'mine' is not a game"):
        noughts.Board.read(board.write())


def test_positions_of_another_game_are_refused_by_what_is_known() -> None:
    for name in ("tictactoe", "achi", "arabian"):
        for other in ("tictactoe", "achi", "arabian", "qubic", "nine-mens-morris"):
            position = noughts.game(other).start()
            if name == other:
                assert noughts.solve(name).value(position)
                continue
            with pytest.raises(IllegalPositionError, match="a position of another game"):
                noughts.solve(name).value(position)
            with pytest.raises(IllegalPositionError, match="a position of another game"):
                noughts.analyse(noughts.Board(Playing.begin(noughts.game(name), position)))


@pytest.mark.parametrize("stones", [(2, 2), (3, 3), (5, 5), (9, 9)])
def test_stones_that_never_move_fill_the_board(stones: tuple[int, int]) -> None:
    """What is solved relies on it."""
    known = noughts.game("tictactoe")
    own = noughts.Game("mine", known.layout, Rules(stones), "stones run out", "Mine")
    for ask in (noughts.solve, lambda game: noughts.board(game).value(), lambda game: noughts.board(game).best()):
        with pytest.raises(NoughtsError, match=r"do not fill 9 points: expected \(5, 4\)"):
            ask(own)
