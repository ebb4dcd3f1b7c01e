"""What every player owes: legal moves, the same ones for the same seed, and a clear refusal."""

from random import Random

import pytest

from noughts.arena import transcribe
from noughts.arena.match import play_game
from noughts.games import Move, NoughtsError, Position
from noughts.games import game as find_game
from noughts.games.playing import Playing
from noughts.players import PLAYERS, CannotPlayError, Choice, Human, UnknownPlayerError, player
from noughts.players.ladder import RandomPlayer

pytestmark = pytest.mark.slow

AUTOMATIC = [name for name in PLAYERS if name != "human"]
GAMES = ["tictactoe", "square4", "mnk:5,5,4", "qubic", "arabian", "achi", "three-mens-morris"]
GAMES += [
    "six-mens-morris",
    "nine-mens-morris",
    "lasker-morris",
]  # what tells the others apart is the engine's business


def can_play(name: str, wanted: str) -> bool:
    try:
        player(name).check(find_game(wanted))
    except CannotPlayError:
        return False
    return True


PAIRS = [(name, wanted) for name in AUTOMATIC for wanted in GAMES if can_play(name, wanted)]


@pytest.mark.parametrize(("name", "wanted"), PAIRS)
def test_moves_are_legal_and_follow_from_the_seed(name: str, wanted: str) -> None:
    game, random = find_game(wanted), Random(f"{name} {wanted}")
    twins = player(name, 7), player(name, 7)
    position = game.start()
    for _ in range(4 if len(game.layout) > 9 else 12):
        if not game.moves(position):
            break
        choices = [twin.choose(game, position) for twin in twins]
        assert choices[0] == choices[1]
        assert choices[0].move in game.moves(position)
        position = game.after(position, choices[0].move)
        if moves := game.moves(position):
            position = game.after(position, random.choice(moves))
        if name.endswith("1990") and game.over(position) is None:
            break  # against a random reply these may be asked about positions they cannot reach


def test_every_player_of_the_design_is_there() -> None:
    assert set(PLAYERS) >= {"human", "random", "perfect", "c1990", "chip1990", "novice", "casual", "strong"}
    assert all(kind.name == name and kind.about for name, kind in PLAYERS.items())


def test_the_human_is_asked() -> None:
    game = find_game("tictactoe")
    asked: list[Position] = []

    def ask(_game: object, position: Position) -> Move:
        asked.append(position)
        return Move(4)

    assert Human(ask).choose(game, game.start()).move == Move(4)
    assert asked == [game.start()]


@pytest.mark.parametrize("name", ["", "hal9000", "human"])
def test_unknown_players_are_named(name: str) -> None:
    with pytest.raises(UnknownPlayerError) as caught:
        player(name)
    assert repr(name) in str(caught.value)
    assert "expected random, novice" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("lines1977", "'lines1977' is a chip: expected `noughts play qubic --o lines1977 --rtl`"),
        ("threats2026", "'threats2026' is a chip that does not play: expected a player, as perfect"),
    ],
)
def test_a_chip_that_is_no_player_is_told_from_one(name: str, words: str) -> None:
    with pytest.raises(UnknownPlayerError) as caught:
        player(name)
    assert str(caught.value) == words


@pytest.mark.parametrize(
    ("name", "wanted", "words"),
    [
        ("c1990", "achi", "c1990 plays only tictactoe, not 'achi'"),
        ("chip1990", "square4", "chip1990 plays only tictactoe"),
        ("perfect", "six-mens-morris", "perfect cannot play 'six-mens-morris'"),
        ("perfect", "nine-mens-morris", "perfect cannot play"),
    ],
)
def test_games_a_player_does_not_play(name: str, wanted: str, words: str) -> None:
    with pytest.raises(NoughtsError) as caught:
        player(name).check(find_game(wanted))
    assert words in str(caught.value)


def test_tictactoe_by_another_name_is_tictactoe() -> None:
    player("c1990").check(find_game("mnk:3,3,3"))


class Noting(RandomPlayer):
    """Notes how far the games were that it was asked to go on with."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.plies: list[int] = []

    def reply(self, playing: Playing) -> Choice:
        self.plies.append(len(playing.moves))
        return super().reply(playing)


def test_whoever_leads_a_game_shows_the_players_its_past() -> None:
    game = find_game("tictactoe")
    one, two, three = Noting(1), Noting(2), Noting(3)
    playing, _ = play_game(game, (one, two))
    assert sorted(one.plies + two.plies) == list(range(len(playing.moves)))
    transcribe(game, three, ["b2"], begins=False)
    assert three.plies == [1]
