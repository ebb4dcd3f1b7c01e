"""Pictures of what Knuth's scores say of tic-tac-toe.

- **openings**: the nine openings, each with its replies; at every point the number of wrong moves that the next player
  faces after a stone there, coloured by how the game then comes out.
- **classes**: all classes after k moves, a board each, with score and difficulty.
- **ranks**: how many positions there are after k moves, and how they come out for the player to move.
"""

from noughts.games import Position, game
from noughts.games.picture import Note, Picture, above, beside, draw_board, scaled, words
from noughts.insight.knuth import classes, hexadecimal
from noughts.solve import solve
from noughts.solve.difficulty import difficulties

__all__ = ["PICTURES", "class_poster", "opening_map", "rank_chart"]

TICTACTOE = game("tictactoe")
COLUMNS = 12
"""Boards in a row of the poster."""


def opening_map() -> Picture:
    """Nine boards, one an opening, with the difficulty of every reply."""
    rows = []
    for row in range(3):
        boards = []
        for column in range(3):
            position = TICTACTOE.play(TICTACTOE.layout.points[3 * row + column])
            title = f"{hexadecimal(difficulties(TICTACTOE).appraise(position))[0]} wrong replies"
            boards.append(draw_board(TICTACTOE, position, notes=_difficulty_notes(position), title=title))
        rows.append(beside(*boards))
    width = rows[0].width
    lines = [
        "After each of the nine openings: how many wrong moves X faces after a reply there,",
        "green where O would then win, brown where it is a draw, red where X wins.",
    ]
    return above(*rows, *(words(line, width) for line in lines))


def _difficulty_notes(position: Position) -> dict[int, Note]:
    known = difficulties(TICTACTOE)
    notes = {}
    for move in TICTACTOE.moves(position):
        appraisal = known.appraise(TICTACTOE.after(position, move))
        colour = "win" if appraisal.score < 0 else "loss" if appraisal.score > 0 else "draw"
        if move.to is not None:
            notes[move.to] = Note(str(appraisal.digits[0]), colour)
    return notes


def class_poster(moves: int) -> Picture:
    """Every class after so many moves, most difficult last.

    Args:
        moves: How many moves are made.
    """
    found = sorted(
        (one for one in classes() if one.leader.rank == moves),
        key=lambda one: (one.appraisal.score, one.appraisal.digits),
    )
    boards = []
    for one in found:
        layout = scaled(draw_board(TICTACTOE, one.leader.position, labels=False), 0.5)
        boards.append(above(layout, words(f"{one.appraisal.score} {hexadecimal(one.appraisal)}", layout.width + 14)))
    rows = [beside(*boards[first : first + COLUMNS]) for first in range(0, len(boards), COLUMNS)]
    many = "1 class" if len(found) == 1 else f"{len(found)} classes"
    title = f"{many} after {moves} {'move' if moves == 1 else 'moves'}: score and difficulty"
    return above(words(title, rows[0].width, "title"), *rows)


def rank_chart() -> Picture:
    """Positions after k moves as bars: won, drawn, lost for the player to move."""
    spaces = solve(TICTACTOE).subspaces
    tallest = max(space.positions for space in spaces)
    marks = []
    for rank, space in enumerate(spaces):
        left, bottom = 50 + 52 * rank, 250.0
        for colour, count in (("loss", space.losses), ("draw", space.draws), ("win", space.wins)):
            height = 200 * count / tallest
            bottom -= height
            marks.append(f'<rect class="{colour}" x="{left}" y="{bottom:g}" width="38" height="{height:g}"/>')
        marks.append(f'<text class="label" x="{left + 19}" y="{bottom - 6:g}">{space.positions:,}</text>')
        marks.append(f'<text class="label" x="{left + 19}" y="268">{rank}</text>')
    legend = "positions after k moves; for the player to move won (green), drawn (brown), lost (red)"
    return above(Picture("\n".join(marks), 590, 276), words(legend, 590))


PICTURES = ("openings", "classes", "ranks")
