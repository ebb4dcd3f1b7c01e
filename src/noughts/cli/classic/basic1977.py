"""The screen of 1977: four boards of UU and CC, and a conversation in capitals.

As the listing has it: the positions are explained, the four boards printed, and the user asked for a board
and a position until both make sense; the machine names its box, or wins and names the combination, numbered as
in `noughts games qubic --lines`. The user always begins. The end of input, or QUIT, leaves.
"""

from noughts.cli.keyboard import LeaveError, question
from noughts.games import Game, Position
from noughts.games.playing import Playing
from noughts.players import Player
from noughts.players.basic1977 import point_of

__all__ = ["play"]

WIDTH = 15
"""Columns a board takes on the screen."""


def play(game: Game, machine: Player, position: Position | None = None) -> None:
    """Play game after game against the machine, the first perhaps from a given position."""
    print("YOUR MOVES ARE UU AND I'M CC")
    try:
        while True:
            _one_game(Playing.begin(game, position), machine)
            position = None
            question("READY? ")
    except (LeaveError, KeyboardInterrupt):
        print()


def _one_game(playing: Playing, machine: Player) -> None:
    while playing.result is None:
        if playing.position.turn == 0:
            playing = _users_move(playing, machine)
        else:
            playing = _machines_move(playing, machine)
    if playing.result.winner == 0:
        print("\nYOU WON")
    elif playing.result.winner is None:
        print("\nNO BOX IS LEFT. IT IS A DRAW")
    _print_boards(playing)


def _users_move(playing: Playing, machine: Player) -> Playing:
    """Ask until the answer is a free box; nothing is lost by a wrong one."""
    while True:
        _print_boards(playing)
        text = question("YOUR BOARD, POSITION? ")
        if text.lower() in ("quit", "exit"):
            raise LeaveError
        move = machine.read_own(text)
        if move is None or move.to is None or move.to >= len(playing.game.layout):
            print("ILLEGAL MOVE")
        elif playing.position.occupied >> move.to & 1:
            print("YOU CAN'T MOVE THERE")
        else:
            return playing.then(move)


def _machines_move(playing: Playing, machine: Player) -> Playing:
    choice = machine.reply(playing)
    board, box = (machine.write_own(choice.move) or "").split(",")
    if choice.remark:
        print(choice.remark)
    print(f"I {'WON WITH' if choice.remark else 'WANT'} BOARD {board} POSITION {box}")
    return playing.then(choice.move)


def _print_boards(playing: Playing) -> None:
    """The numbers of the positions, and under them the boards."""
    for row in range(4):
        words = "POSITIONS ARE" if row == 0 else ""
        print(f"{words:<20}" + "".join(f"{row + first:<5}" for first in (1, 5, 9, 13)).rstrip())
    boards = len(playing.game.layout) // 16
    print("\n" + "".join(f"BOARD {number + 1}".ljust(WIDTH) for number in range(boards)).rstrip() + "\n")
    x, o = playing.position.stones
    for row in range(4):
        cells = []
        for board in range(boards):
            points = [point_of(16 * board + 4 * column + row) for column in range(4)]
            marks = ["UU" if x >> point & 1 else "CC" if o >> point & 1 else "  " for point in points]
            cells.append("/".join(marks).ljust(WIDTH))
        print("".join(cells).rstrip(" "))
        if row < 3:
            print(("/" * 11).ljust(WIDTH) * (boards - 1) + "/" * 11)
    print()
