"""Make the picture at the top of the README: python docs/make_pictures.py."""

from pathlib import Path

from noughts.games import game
from noughts.games.picture import Note, Picture, beside, draw_board
from noughts.solve import solve


def values() -> Picture:
    """A position of tic-tac-toe with the worth of every move: plies to a win, a draw, a loss."""
    rules = game("tictactoe")
    position = rules.read("XO./.X./..O")
    rated = solve(rules).moves(position)
    notes = {
        one.move.to: Note(f"{one.value.outcome[0].upper()}{one.value.remoteness}", one.value.outcome)
        for one in rated
        if one.move.to is not None
    }
    return draw_board(rules, position, notes=notes, title="tictactoe")


def main() -> None:
    """Write the picture beside this file."""
    morris, achi, square = game("nine-mens-morris"), game("achi"), game("square4")
    boards = [
        values(),
        draw_board(achi, achi.play("b2", "a1", "c1", "a3", "a2", "c2", "b3", "b1"), title="achi"),
        draw_board(morris, morris.play("d2", "b4", "f4", "d6", "d1", "a4", "d3xa4", "c4"), title="nine men's morris"),
        draw_board(square, square.play("b2", "c3", "b3", "c2", "d1", "a4"), title="square4"),
    ]
    (Path(__file__).parent / "noughts.svg").write_text(beside(*boards).svg())


if __name__ == "__main__":
    main()
