"""A game at the keyboard, after the C program of 1990: who begins, moves as b2, the board, the time each reply
took, how it ended, and again? Plus hints, taking back, and every other game. Here X is whoever begins; the C program's
own screen, and that of 1977, are `--classic` (`noughts.cli.classic`).

Standard input may be a person or a pipe; its end is taken for "quit", at any question.
"""

from pathlib import Path
from typing import Annotated

import typer

from noughts.cli.arguments import GameName, Seed, complete_player, named_path, output_file
from noughts.cli.classic import Changes, Screen, Wishes, screen_of
from noughts.cli.keyboard import ask_position, conversation, yes
from noughts.cli.output import progress_line
from noughts.cli.saved import check_games_file, last_game, read_text
from noughts.cli.sitting import Chips, Sitting, machine
from noughts.extras import need
from noughts.games import Game, NoughtsError
from noughts.games import game as find_game
from noughts.games.playing import Playing
from noughts.players import (
    PLAYERS,
    CannotPlayError,
    Human,
    UnknownPlayerError,
    player,
)

__all__ = ["play"]

USUAL = "tictactoe"


def play(
    name: GameName = USUAL,
    x: Annotated[
        str | None,
        typer.Option("--x", metavar="PLAYER", help="Who plays X, who begins.", autocompletion=complete_player),
    ] = None,
    o: Annotated[
        str | None, typer.Option("--o", metavar="PLAYER", help="Who plays O.", autocompletion=complete_player)
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER", help="Your opponent, if you want to be asked who begins.", autocompletion=complete_player
        ),
    ] = None,
    position: Annotated[str | None, typer.Option(metavar="POSITION", help="Begin here, as XO./.X./..O.")] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", parser=output_file, help="Add every game to this file.")
    ] = None,
    load: Annotated[
        Path | None, typer.Option(metavar="FILE", parser=named_path, help="Go on with the last game of this file.")
    ] = None,
    setup: Annotated[bool, typer.Option("--setup", help="Be asked for the stones to begin with.")] = False,
    classic: Annotated[
        bool, typer.Option("--classic", help="The machine's own screen: --o c1990, chip1990 or basic3. quit leaves.")
    ] = False,
    log: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", parser=output_file, help="With --classic of 1990: add moves and times to this file."
        ),
    ] = None,
    no_boards: Annotated[bool, typer.Option("--no-boards", help="With --classic of 1977: print no boards.")] = False,
    combinations: Annotated[
        bool, typer.Option("--combinations", help="With --classic of 1977: be asked for a range of combinations first.")
    ] = False,
    the_old: Annotated[
        str | None,
        typer.Option(
            "--the-old",
            metavar="box|combination",
            help="With --classic of 1977: whose number follows THE OLD.",
        ),
    ] = None,
    as_slow: Annotated[
        bool, typer.Option("--as-slow-as-1977", help="With --classic of 1977: wait as long as then; Enter goes on.")
    ] = False,
    rtl: Annotated[bool, typer.Option("--rtl", help="A chip is its own hardware, simulated: --o chip1990.")] = False,
    seed: Seed = None,
) -> None:
    """Play a game in the terminal.

    For example: noughts play, noughts play achi --against casual, noughts play --classic --o chip1990,
    noughts play qubic --o basic3 --classic --as-slow-as-1977, noughts play --save games.txt
    """
    if save is not None:
        check_games_file(save)
    began = None if load is None else _loaded(load, name)
    game = find_game(name) if began is None else began.game
    set_up = _set_up({"--position": position is not None, "--setup": setup, "--load": began is not None})
    screen = None
    wishes = Wishes(
        set_up or ("--save" if save is not None else None), log, Changes(not no_boards, combinations, the_old, as_slow)
    )
    if classic:
        screen, game = _classic_screen(game, x, o or against or _usual_opponent(game), wishes)
    else:
        wishes.check_without_screen()
    if against is not None and (x or o):
        raise NoughtsError(f"--against {against!r} does not go with --x or --o: expected one or the other")
    opponent = against or _usual_opponent(game)
    for seated in (x, o) if o or (x and screen is None) else (x, opponent):
        _check_player(seated, game, rtl=rtl)
    chips = _chips(x, o, opponent) if rtl else None
    begin = None if position is None else game.read(position)
    saved = True
    with conversation():
        if setup and screen is None:
            begin = ask_position(game)
        if screen is not None:
            screen(game, machine(o or opponent, seed, chips), begin)
        while screen is None:
            names = _seats(x, o, opponent, "Do you want to be X?" if began else "Do you want to play first?")
            sitting = Sitting(names, seed, began or Playing.begin(game, begin), chips)
            try:
                sitting.play()
            finally:
                # When somebody leaves in the middle, or presses Ctrl-C, too.
                if save is not None and sitting.playing.moves:
                    saved = sitting.save(save) and saved
            if Human.name not in names or not yes("Do you want to play again?", sitting.asked_to_save):
                break
            began = None
    if not saved:
        raise typer.Exit(2)


def _set_up(given: dict[str, bool]) -> str | None:
    """The option that says where the game begins, if one does: two would be one too many."""
    chosen = [option for option, is_given in given.items() if is_given]
    if len(chosen) > 1:
        raise NoughtsError(f"{chosen[0]} does not go with {chosen[1]}: expected one or the other")
    return chosen[0] if chosen else None


def _loaded(path: Path, name: str) -> Playing:
    """The last game of a file, which says itself which game it is."""
    found = last_game(read_text(path))
    if found is None:
        raise NoughtsError(f"{str(path)!r} holds no games: expected lines as tictactoe: b2 a1")
    if name != USUAL and find_game(name) != found.game:
        raise NoughtsError(f"the last game in {str(path)!r} is {found.game.name}, not {name!r}: expected that or none")
    return found


def _classic_screen(game: Game, x: str | None, machine: str, wishes: Wishes) -> tuple[Screen, Game]:
    """The screen of a machine, and the game as it knows it; `square4` then has four boards."""
    against_a_person = x in (None, Human.name) and machine != Human.name
    seated = player(machine) if against_a_person else None
    screen = screen_of(seated, wishes)
    assert seated is not None
    seated.check(game)
    return screen, find_game(seated.plays_only[0])


def _usual_opponent(game: Game) -> str:
    """The 1990 program at its own game; elsewhere somebody a person can beat."""
    return "c1990" if game.name == "tictactoe" else "casual"


def _check_player(name: str | None, game: Game, *, rtl: bool) -> None:
    if name is None or name == Human.name:
        return
    if rtl and _is_chip_alone(name, game):
        return
    if name.partition(":")[0] not in PLAYERS:
        raise UnknownPlayerError(f"{name!r} is not a player: expected {', '.join(PLAYERS)}")
    player(name).check(game)


def _is_chip_alone(name: str, game: Game) -> bool:
    """Whether this is a chip that is no player beside, and plays this game."""
    need("amaranth", "--rtl")
    from noughts.silicon.designs import DESIGNS  # noqa: PLC0415

    if name not in DESIGNS or not DESIGNS[name].plays or name.partition(":")[0] in PLAYERS:
        return False
    if find_game(DESIGNS[name].game) != game:
        raise CannotPlayError(f"{name} plays only {DESIGNS[name].game}, not {game.name}")
    return True


def _seats(x: str | None, o: str | None, opponent: str, question: str) -> tuple[str, str]:
    """Who sits where; the person is asked only if nobody said."""
    if x is None and o is None:
        return (Human.name, opponent) if yes(question) else (opponent, Human.name)
    return (x or Human.name, o or Human.name)


def _chips(*names: str | None) -> "Chips":
    """The designs of those who have one, compiled before the game begins."""
    need("amaranth", "--rtl")
    from noughts.silicon.designs import DESIGNS  # noqa: PLC0415
    from noughts.silicon.simulate.compiled import compiled  # noqa: PLC0415

    playing = [name for name, design in DESIGNS.items() if design.plays]
    chips = {name: DESIGNS[name] for name in names if name in playing}
    if not chips:
        raise NoughtsError(f"--rtl plays against hardware: expected --x, --o or --against {', '.join(playing)}")
    for design in chips.values():
        with progress_line() as say:
            say(f"compiling {design.name}")
            compiled(design)
    return Chips(chips)
