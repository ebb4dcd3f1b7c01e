"""The lessons of games in which a row is a mill and captures."""

from collections.abc import Iterator
from dataclasses import replace

from noughts.games import Game, Move, Outcome, Position
from noughts.games.numbers import counted
from noughts.games.points import members
from noughts.insight.lessons.lesson import Lesson, lesson
from noughts.insight.lessons.looking import Sought, but_one, full_board, late, placed, threatened
from noughts.insight.lessons.rows import blockade, moving, repetition
from noughts.insight.lessons.words import diagonal_runs, length_of, many, spot, way

__all__ = ["mill_lessons"]

FEW = 300
"""Positions that are looked at for one that is better than needed."""
NO_MILL = "it closes no mill."


def mill_lessons(game: Game) -> Iterator[Lesson | None]:
    """The further lessons of a game in which mills capture."""
    moved, opened = moving(game), _open(game)
    yield _mill(game)
    yield _block(game)
    yield _safe(game)
    yield _all_in_mills(game)
    yield moved
    yield opened
    yield _close(game, opened)
    yield _double(game)
    yield _fly(game)
    yield _short(game)
    yield blockade(game)
    yield _full(game)
    yield repetition(game, moved)


def _captures(_: Position, move: Move) -> bool:
    return move.capture is not None


def _mill(game: Game) -> Lesson | None:
    length = length_of(game)
    diagonal = ", and a diagonal is none" if diagonal_runs(game.layout, length) else ""
    if any(way(game.layout, line) == "diagonal" for line in game.layout.lines):
        diagonal = ", but it may run along a diagonal that is drawn"
    sought = Sought(
        game, placed(game, length), (length, length), _captures, lambda position: not threatened(game, position)
    )
    return lesson(
        game,
        sought.first(but_one(game.layout.lines)),
        _captures,
        name="mill",
        title="Close a mill",
        words=(
            f"{many(length).capitalize()} of yours on one line are a mill. It does not go around a corner{diagonal}.",
            "Whoever closes a mill captures a stone of the other at once: one, even if two mills close together.",
        ),
        task="Close your mill, then pick the stone of O’s that you capture.",
        praise="{row} is a mill, and the stone that you captured is out of the game.",
        missed=NO_MILL,
    )


def _block(game: Game) -> Lesson | None:
    """The other is about to close a mill."""
    length = length_of(game)

    def done(position: Position, move: Move) -> bool:
        return not threatened(game, game.after(position, move)._replace(turn=0))

    def quiet(position: Position) -> bool:
        return not any(move.capture is not None for move in game.moves(position))

    sought = Sought(game, placed(game, length), (length, length), done, quiet, shuffle=1)
    return lesson(
        game,
        sought.first([0], but_one(game.layout.lines)),
        done,
        name="block",
        title="Watch the other",
        words=("O closes mills, too. A stone of yours on the last point of the line is in the way.",),
        task="O is about to close a mill. Stop it.",
        praise="O cannot close that mill now.",
        missed="O would close a mill and capture.",
    )


def _safe(game: Game) -> Lesson | None:
    """Stones in mills are safe from capture, as long as there are others."""
    number = length_of(game) + 2

    def loose(position: Position) -> bool:
        """Whether just the stones outside O's mill can be captured."""
        return len({move.capture for move in game.moves(position)} - {None}) == 2

    sought = Sought(game, placed(game, number), (number - 1, number), _captures, loose, shuffle=2)
    return lesson(
        game,
        sought.first(but_one(game.layout.lines), game.layout.line_sets),
        _captures,
        name="safe",
        title="Stones in mills are safe",
        words=("O has a mill. A stone that stands in a mill cannot be captured, as long as there are others.",),
        task="Close your mill, and capture a stone that is not in O’s mill.",
        praise="{row} is a mill. The stones of O’s mill were safe, and one of the others is gone.",
        missed=NO_MILL,
    )


def _all_in_mills(game: Game) -> Lesson | None:
    """Where all stones stand in mills, none is safe."""
    length = length_of(game)
    sought = Sought(game, placed(game, length), (length - 1, length), _captures, shuffle=3)
    return lesson(
        game,
        sought.first(but_one(game.layout.lines), game.layout.line_sets),
        _captures,
        name="all-in-mills",
        title="Unless all are in mills",
        words=("If all stones of a player stand in mills, none of them is safe: any may be captured.",),
        task="Close your mill, and break O’s.",
        praise="{row} is a mill. All stones of O’s stood in a mill, so none of them was safe.",
        missed=NO_MILL,
    )


def _open(game: Game) -> Lesson | None:
    """Moving out of a mill, to close it again with the next move."""

    def leaves(position: Position, move: Move) -> bool:
        own = game.layout.rows_of(position.stones[0])
        return move.source is not None and any(mill >> move.source & 1 for mill in own)

    def done(position: Position, move: Move) -> bool:
        """Whether it leaves a mill, and none of the other's stones can step into the gap."""
        near = 0 if move.source is None else game.layout.neighbours[move.source] & position.stones[1]
        return leaves(position, move) and move.capture is None and not near

    def careless(position: Position) -> list[Move]:
        """The moves that leave a mill to a stone that steps into it."""
        return [move for move in game.moves(position) if leaves(position, move) and not done(position, move)]

    def plain(position: Position) -> bool:
        """Whether no other mill is there or about to be closed."""
        closing = any(move.capture is not None for move in game.moves(position))
        return not closing and not threatened(game, position) and not game.layout.has_row(position.stones[1])

    mills = game.layout.line_sets
    usual = Sought(game, (0, 0), late(game), done, plain, shuffle=4)
    # On the board of six no move is careless: what leaves a mill there leaves nobody room beside the gap.
    best = replace(usual, good=lambda position: plain(position) and bool(careless(position)), tries=FEW)
    position = best.first(mills) or usual.first(mills)
    return lesson(
        game,
        position,
        done,
        name="open",
        title="Open a mill",
        words=(
            "A mill captures when it is closed, not while it stands. So one opens it, to close it again.",
            "Take care that O cannot step into the gap.",
        ),
        task="Slide a stone out of your mill, so that O cannot step into the gap.",
        praise="The mill is open, and no stone of O’s is beside the gap. Your next move can close it again.",
        missed="your mill stays closed.",
        traps=dict.fromkeys(careless(position), "a stone of O’s is beside the gap and steps into it.")
        if position
        else {},
    )


def _close(game: Game, opened: Lesson | None) -> Lesson | None:
    """The mill that was opened in the lesson before, closed again."""
    if opened is None:
        return None
    for opening in opened.right:
        between = game.after(opened.position, opening)
        for answer in game.moves(between):
            position = game.after(between, answer)
            legal = game.moves(position)
            closing = sum(_captures(position, move) for move in legal)
            if answer.capture is None and 0 < closing < len(legal):
                return lesson(
                    game,
                    position,
                    _captures,
                    name="close",
                    title="Close it again",
                    words=("O has moved elsewhere. Every time that a mill is closed, it captures a stone.",),
                    task="Slide a stone back into your mill, and capture.",
                    praise="{row} is a mill again, and one more stone is captured.",
                    missed=NO_MILL,
                )
    return None


def _double(game: Game) -> Lesson | None:
    """A stone between two mills, of which every move opens one and closes the other."""
    layout = game.layout

    def done(position: Position, move: Move) -> bool:
        mills = layout.rows_of(position.stones[0])
        return move.capture is not None and any(mill >> (move.source or 0) & 1 for mill in mills)

    def clear(position: Position) -> bool:
        """Whether every mill within reach is of this sort, and O can neither come between nor close one itself."""
        if position.stones[1].bit_count() <= game.rules.flying + 1:
            return False
        closing = [move for move in game.moves(position) if move.capture is not None]
        beside = (layout.neighbours[move.source or 0] & position.stones[1] for move in closing)
        return all(done(position, move) for move in closing) and not any(beside) and not threatened(game, position)

    pairs = [
        mill | other & ~(1 << gap)
        for mill in layout.line_sets
        for other in layout.line_sets
        for gap in members(other)
        if not mill & other and layout.neighbours[gap] & mill
    ]
    return lesson(
        game,
        Sought(game, (0, 0), late(game), done, clear, shuffle=5).first(pairs),
        done,
        name="double-mill",
        title="The double mill",
        words=("A stone that moves from one mill into another closes a mill with every move.",),
        task="Slide a stone from your mill into another one, and capture.",
        praise="{row} is a mill now. Your next move can slide back and close the other one again.",
        missed=NO_MILL,
    )


def _fly(game: Game) -> Lesson | None:
    flying = game.rules.flying

    def done(_: Position, move: Move) -> bool:
        """Whether a stone flies into a mill: not from beside it."""
        near = 0 if move.source is None else game.layout.neighbours[move.source]
        return move.to is not None and not near >> move.to & 1 and move.capture is not None

    def far(position: Position) -> bool:
        """Whether no mill can be closed by sliding."""
        closing = [move for move in game.moves(position) if move.capture is not None]
        return all(done(position, move) for move in closing) and not threatened(game, position)

    sought = Sought(game, (0, 0), (flying, late(game)[1]), done, far, shuffle=6)
    return lesson(
        game,
        sought.first(but_one(game.layout.lines)) if flying else None,
        done,
        name="fly",
        title=f"With {many(flying)}, fly",
        words=(
            f"A player with {many(flying)} left, and none in hand, need not slide: a stone flies to any empty "
            f"{spot(game)}.",
        ),
        task=f"You have {many(flying)}. Fly into your mill, and capture.",
        praise="Your stone has flown across the board, and {row} is a mill.",
        missed="it closes no mill. Any stone of yours may go to any empty point.",
    )


def _full(game: Game) -> Lesson | None:
    """The draw that leaves nobody a move, where the stones are as many as the points."""
    if not game.rules.full_board_draws or sum(game.rules.stones) < len(game.layout):
        return None
    position = full_board(game)
    words = "If every point holds a stone, nobody has lost for having no move: the game is a draw."
    return position and Lesson(
        name="draw", title="A full board is a draw", words=(words,), game=game, position=position
    )


def _short(game: Game) -> Lesson | None:
    """Winning by the last capture."""
    fewest = game.rules.fewest

    def done(position: Position, move: Move) -> bool:
        return move.capture is not None and game.over(game.after(position, move)) is Outcome.LOSS

    sought = Sought(game, (0, 0), (late(game)[0], fewest), done, shuffle=7)
    why = "can close no mill any more, and " if fewest <= length_of(game) else ""
    return lesson(
        game,
        sought.first(but_one(game.layout.lines)),
        done,
        name="too-few",
        title=f"{counted(fewest - 1).capitalize()} left is lost",
        words=(f"A player with fewer than {many(fewest)} {why}has lost.",),
        task=f"O has {many(fewest)} left. Capture one, and win.",
        praise=f"{{row}} is a mill. O has {many(fewest - 1)} left, and you have won.",
        missed="it captures nothing.",
    )
