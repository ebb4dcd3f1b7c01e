"""Live games: a deed is done once, by who may do it, in answer to what stands there; whoever else asks at the time."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier

import postgres
import pytest
from sqlalchemy import select, update

from noughts.games import NoughtsError
from noughts.records import Database, DeedError, FullError, History, LiveGame, LiveGames, RecordError, StaleError, live
from noughts.records import live_games as module
from noughts.records.live import deed
from noughts.records.schema import ClassroomRow, LiveRow

pytestmark = pytest.mark.slow

database = postgres.database
database_url = postgres.database_url

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def after(*deeds: str, game: str = "tictactoe", players: tuple[str, str] = ("human", "human")) -> LiveGame:
    """A game after deeds, each with the letter of the side that does it, as in "x move b2"."""
    found = LiveGame(id=1, tokens=("x", "o"), watch_token="w", game=game, players=players, began_at=NOW, touched_at=NOW)
    for one in deeds:
        found = deed(found, "xo".index(one[0]), one[2:])
    return found


MOVED = ("x move b2", "o move a1", "x move c1")
WON = ("x move a1", "o move a2", "x move b1", "o move b2", "x move c1")


def test_every_deed_is_a_version() -> None:
    assert [after(*MOVED[:count]).version for count in range(4)] == [0, 1, 2, 3]
    assert after(*MOVED, "o offer draw", "x decline").version == 5


@pytest.mark.parametrize(
    ("before", "one"),
    [
        ((), "o move a1"),
        (("x move b2",), "x move a1"),
        (("x move b2",), "o move b2"),
        (("x move b2",), "o move z9"),
        (("x move b2",), "o move " + "a" * 40),
        ((), "x offer back"),
        (("x move b2",), "o offer back"),
        ((), "x accept"),
        ((), "x decline"),
        (("x offer draw",), "x accept"),
        ((), "x offer again"),
        ((), "x offer money"),
        ((), "x move"),
        ((), "x "),
        ((), "x drop table"),
        (WON, "o move c3"),
        (WON, "o resign"),
        (WON, "o offer back"),
        (WON, "x offer draw"),
        ((*WON, "x offer again", "o accept"), "x offer again"),
    ],
)
def test_what_may_not_be_done_is_an_error_of_one_line(before: tuple[str, ...], one: str) -> None:
    found = after(*before)
    with pytest.raises(NoughtsError) as caught:
        deed(found, "xo".index(one[0]), one[2:])
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("deeds", "left"),
    [
        ((*MOVED, "x offer back", "o accept"), "b2 a1"),
        ((*MOVED, "o offer back", "x accept"), "b2"),
        (("x move b2", "x offer back", "o accept"), ""),
        ((*MOVED, "x offer back", "o decline"), "b2 a1 c1"),
        ((*MOVED, "x offer back", "x decline"), "b2 a1 c1"),
        ((*MOVED, "x offer back", "o move c3"), "b2 a1 c1 c3"),
        ((*MOVED, "x offer back", "o offer back"), "b2 a1"),
    ],
)
def test_a_move_is_taken_back_if_the_other_side_agrees(deeds: tuple[str, ...], left: str) -> None:
    assert " ".join(after(*deeds).moves) == left


def test_an_offer_stands_until_it_is_answered_or_somebody_moves() -> None:
    offered = after(*MOVED, "x offer back")
    assert offered.offer == (0, "back")
    assert after(*MOVED, "x offer back", "o offer draw").offer == (1, "draw")
    assert after(*MOVED, "x offer back", "o move c3").offer is None


def test_two_who_offer_the_same_agree() -> None:
    assert after(*MOVED, "x offer draw", "o offer draw").result == "draw"
    assert after(*WON, "o offer again", "x offer again").next_token


def test_a_machine_agrees_to_take_back_and_to_play_again_but_takes_no_draw() -> None:
    seats = ("human", "level3")
    assert after(*MOVED[:2], "x offer back", players=seats).moves == ()
    assert after(*WON, "x offer again", players=seats).next_token
    with pytest.raises(DeedError, match="machine takes no draw"):
        after("x offer draw", players=seats)


def test_who_wins_is_counted_and_a_resignation_is_the_others_win() -> None:
    assert (after(*WON).result, after(*WON).reason, after(*WON).wins) == ("x", "a row", (1, 0))
    resigned = after("x move b2", "x resign")
    assert (resigned.result, resigned.reason, resigned.wins) == ("o", "X resigned", (0, 1))
    agreed = after("x offer draw", "o accept")
    assert (agreed.result, agreed.reason, agreed.draws) == ("draw", "both agreed", 1)


def test_a_game_that_grows_too_long_for_its_record_is_a_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "MOST_MOVES", 3)
    assert not after(*MOVED[:2]).over
    assert (after(*MOVED).result, after(*MOVED).reason) == ("draw", "nobody had won after 3 moves")
    monkeypatch.setattr(live, "MOST_MOVES", 400)
    monkeypatch.setattr(live, "MOST_NOTATION", len("b2 a1 c1") + 11)
    assert (after(*MOVED[:2]).over, after(*MOVED).over) == (False, True)


def test_tokens_open_what_they_are_for_and_nothing_else(database: Database) -> None:
    games = LiveGames(database)
    begun = games.begin("tictactoe", names=(" Ada  L. ", ""))
    x, o = begun.tokens
    assert {len(token) for token in (x, o, begun.watch_token)} == {23}
    assert [games.find(token) for token in (x, o, begun.watch_token)] == [begun] * 3
    assert [begun.side_of(token) for token in (x, o, begun.watch_token)] == [0, 1, None]
    assert begun.names == ("Ada L.", "")
    for token in ("", "x", x[:-1], x + "a", "o" + x[1:], "w" + x[1:], x.swapcase(), "\0" * 23, "\ud800" * 23, "x" * 23):
        assert games.find(token) is None
    with pytest.raises(DeedError, match="whoever watches"):
        games.act(begun.watch_token, 0, "move b2")
    with pytest.raises(DeedError, match="turn of X"):
        games.act(o, 0, "move b2")
    assert games.act(x, 0, "move b2").moves == ("b2",)
    assert games.find(o) == games.find(begun.watch_token)


def test_a_deed_that_is_sent_again_is_done_once(database: Database) -> None:
    games = LiveGames(database)
    x, o = games.begin("tictactoe").tokens
    first = games.act(x, 0, "move b2")
    assert games.act(x, 0, "move b2") == first
    assert games.act(o, 1, "move a1").moves == ("b2", "a1")
    assert games.act(x, 0, "move b2").moves == ("b2", "a1"), "also when the other side has answered meanwhile"
    with pytest.raises(StaleError):
        games.act(x, 0, "move c3")
    with pytest.raises(StaleError):
        games.act(o, 0, "move b2")
    games.act(x, 2, "offer back")
    games.act(o, 3, "accept")
    assert games.act(x, 4, "move b2").moves == ("b2",), "after a take-back the same move is a new deed"


def test_of_deeds_that_answer_the_same_version_one_is_done(database: Database) -> None:
    games, together = LiveGames(database), Barrier(6)
    begun = games.begin("mnk:15,15,5")

    def try_to(number: int) -> bool:
        together.wait()
        try:
            games.act(begun.tokens[0], 0, f"move a{number + 1}")
        except StaleError:
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        done = list(pool.map(try_to, range(6)))
    assert sum(done) == 1
    found = games.find(begun.watch_token)
    assert found is not None
    assert (found.version, found.moves) == (1, (f"a{done.index(True) + 1}",))


def test_a_finished_game_is_in_the_history_once_and_without_names(database: Database) -> None:
    games, history = LiveGames(database), History(database)
    x, o = games.begin("tictactoe", names=("Ada", "Ben")).tokens
    for version, move in enumerate(("a1", "a2", "b1", "b2")):
        games.act((x, o)[version % 2], version, f"move {move}")
    assert history.count() == 0
    last = [games.act(x, 4, "move c1") for _ in range(3)]
    assert last[0] == last[1] == last[2]
    saved = history.get(last[0].record or 0)
    assert saved is not None
    assert history.count() == 1
    assert (saved.x, saved.o, saved.moves, saved.result) == ("human", "human", "a1 a2 b1 b2 c1", "x")
    assert saved.verified is None


def test_a_rematch_exchanges_sides_and_both_find_it(database: Database) -> None:
    games = LiveGames(database)
    begun = games.begin("tictactoe", names=("Ada", "Ben"), host=0)
    games.act(begun.tokens[1], 0, "resign")
    games.act(begun.tokens[1], 1, "offer again")
    old = games.act(begun.tokens[0], 2, "accept")
    assert games.act(begun.tokens[0], 2, "accept") == old, "however often it is sent"
    assert old.next_token is not None
    new = games.find(old.next_token)
    assert new is not None
    assert (new.names, new.wins, new.moves, new.over, new.host) == (("Ben", "Ada"), (0, 1), (), False, 1)
    assert not {*new.tokens, new.watch_token} & {*begun.tokens, begun.watch_token}


def test_a_name_changes_while_others_move(database: Database) -> None:
    games = LiveGames(database)
    begun = games.begin("tictactoe")
    games.act(begun.tokens[0], 0, "move b2")
    assert games.rename(begun.tokens[1], "Ben\n").names == ("", "Ben")
    assert games.rename(begun.tokens[1], "Ben").version == 2, "the same name changes nothing"
    for name in ("x" * 31, "a\0b", "\ud800", "\u202egnp.exe", "a\x1b[31m"):
        with pytest.raises(RecordError):
            games.rename(begun.tokens[1], name)
    with pytest.raises(DeedError):
        games.rename(begun.watch_token, "Eve")


def test_versions_tell_what_has_moved(database: Database) -> None:
    games = LiveGames(database)
    one, other = games.begin("tictactoe"), games.begin("achi")
    games.act(other.tokens[0], 0, "move b2")
    assert games.versions([one.id, other.id, 999]) == {one.id: 0, other.id: 1}
    assert games.versions([]) == {}


def test_games_that_nobody_comes_for_are_cleared_away_a_few_at_a_time(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BATCH", 2)
    games = LiveGames(database)
    first, unbegun, new = games.begin("tictactoe"), [games.begin("tictactoe") for _ in range(3)], games.begin("achi")
    games.act(first.tokens[0], 0, "move b2")
    room = games.begin_classroom("tictactoe", "human")
    days = {first.id: 29, new.id: 1, **{one.id: 3 for one in unbegun}}
    with database.writing() as session:
        session.execute(update(ClassroomRow).values(began_at=datetime.now(UTC) - timedelta(days=3)))
        for number, age in days.items():
            moment = datetime.now(UTC) - timedelta(days=age)
            session.execute(update(LiveRow).where(LiveRow.id == number).values(touched_at=moment))
    games.begin("achi")
    assert sum(games.find(one.watch_token) is None for one in unbegun) == 2
    assert games.find_classroom(room.teacher_token) is None
    games.begin("achi")
    assert [games.find(one.watch_token) is None for one in (*unbegun, first, new)] == [True, True, True, False, False]
    with database.writing() as session:
        session.execute(update(LiveRow).values(touched_at=datetime.now(UTC) - timedelta(days=31)))
    monkeypatch.setattr(module, "BATCH", 20)
    games.begin("achi")
    assert games.find(first.watch_token) is None
    monkeypatch.setattr(module, "MOST", 1)
    with pytest.raises(FullError, match="there are 1 live games"):
        games.begin("achi")


def test_in_a_classroom_everybody_gets_a_board_against_the_same_machine(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BOARDS", 2)
    games = LiveGames(database)
    room = games.begin_classroom("achi", "level3")
    assert games.find_classroom(room.teacher_token) == games.find_classroom(room.pupils_token) == room
    assert games.find(room.teacher_token) is None
    tokens = [games.join(room, name) for name in ("Ada", "Ben")]
    boards = games.boards(room.id)
    assert [board.names[0] for board in boards] == ["Ada", "Ben"]
    assert [board.tokens[0] for board in boards] == tokens
    assert {board.players for board in boards} == {("human", "level3")}
    with pytest.raises(FullError, match="2 boards"):
        games.join(room, "Cy")
    before = games.stirs([room.id])
    games.act(tokens[0], 0, "move b2")
    assert games.stirs([room.id])[room.id] == before[room.id] + 1
    games.act(tokens[0], 1, "resign")
    games.act(tokens[0], 2, "offer again")
    assert [board.names for board in games.boards(room.id)] == [("Ben", ""), ("", "Ada")]
    assert games.stirs([room.id])[room.id] > before[room.id] + 2


def test_pupils_who_come_at_the_same_moment_are_paired(database: Database) -> None:
    games, together = LiveGames(database), Barrier(6)
    room = games.begin_classroom("tictactoe", "human")

    def come(name: str) -> str:
        together.wait()
        return games.join(room, name)

    with ThreadPoolExecutor(6) as pool:
        tokens = set(pool.map(come, "ABCDEF"))
    boards = games.boards(room.id)
    assert sorted(name for board in boards for name in board.names) == list("ABCDEF")
    assert tokens == {token for board in boards for token in board.tokens}
    assert not any(board.waiting for board in boards)
    alone = games.join(room, "G")
    with pytest.raises(DeedError, match="nobody sits at the other side yet"):
        games.act(alone, 0, "move b2")
    games.join(room, "H")
    assert games.act(alone, 1, "move b2").moves == ("b2",)


def test_what_is_kept_of_a_game_comes_back_as_it_was(database: Database) -> None:
    games = LiveGames(database)
    begun = games.begin(
        "achi", start="X../.../... o 3,4", players=("casual", "human"), names=("", "'; DROP TABLE games; --"), host=1
    )
    begun = games.act_for(begun, 1, 0, "move b2")
    assert games.find(begun.watch_token) == begun
    with database.reading() as session:
        assert session.scalar(select(LiveRow.o_deed)) == "0 move b2"
    for wrong in (".../.../... 9", "XXX/OO./..."):
        with pytest.raises(NoughtsError):
            games.begin("achi", start=wrong)
