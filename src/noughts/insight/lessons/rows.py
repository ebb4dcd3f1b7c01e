"""The lessons of games in which a row wins: those of placing alone, and those in which stones move as well."""

from collections.abc import Iterator
from dataclasses import replace

from noughts.games import PASS, Game, Move, Outcome, Position
from noughts.games.numbers import counted
from noughts.games.playing import REPETITIONS
from noughts.games.points import members
from noughts.games.rules import Blocked
from noughts.insight.lessons.lesson import Lesson, lesson, rows_made
from noughts.insight.lessons.looking import (
    Sought,
    but_one,
    full_board,
    late,
    placed,
    rows_at_hand,
    shut_in,
    threatened,
)
from noughts.insight.lessons.words import (
    aim,
    diagonal_runs,
    directions,
    length_of,
    many,
    moves,
    spot,
    straights,
    way,
)
from noughts.solve.at_once import loses_at_once, wins_at_once

__all__ = ["blockade", "moving", "moving_lessons", "place", "placing_lessons", "repetition"]

WON = "{row} is a row, and you have won."
NO_ROW = "it completes no row."


def place(game: Game) -> Lesson:
    """The first lesson of every game: what it is about, and a stone."""
    where = f"on any empty {spot(game)}"
    words = f"You are X and begin. In turn, each places a stone {where}, and there it stays."
    if not game.placing_only:
        x, o = game.rules.stones
        theirs = "so has O" if x == o else f"O has {counted(o)}"
        words = f"You are X and begin. You have {many(x)}, and {theirs}; in turn, each places one {where}."
    start = game.start()
    next_turn = " Now it would be O’s turn." if length_of(game) > 1 else ""
    return Lesson(
        name="place",
        title="Take turns",
        words=(aim(game), words),
        game=game,
        position=start,
        task=f"Place a stone {where}.",
        right=tuple(game.moves(start)),
        praise=f"Your stone is on the board.{next_turn}",
    )


def placing_lessons(game: Game) -> Iterator[Lesson | None]:
    """The further lessons of a game in which stones stay where they are placed."""
    rows = [_row(game, which) for which in ("straight", "diagonal", "upright", "slanting", "through")]
    yield from rows if any(rows) else [_any_row(game)]
    yield _idle(game)
    yield _block(game)
    yield _draw(game)


def moving_lessons(game: Game) -> Iterator[Lesson | None]:
    """The further lessons of a game in which stones move, and a row wins."""
    moved = moving(game)
    if not game.rules.row_while_placing:
        yield _too_early(game)
        yield moved
    yield _row(game, "straight")
    yield _row(game, "diagonal") or _no_diagonals(game)
    if game.rules.row_while_placing:
        yield _block(game)
        yield moved
        yield _row_by_moving(game)
    yield blockade(game)
    yield repetition(game, moved)


def _row(game: Game, which: str) -> Lesson | None:
    """Completing a row that runs one way, with a stone from the hand if that counts."""
    lines = [line for line in game.layout.lines if way(game.layout, line) == which]
    title, words, task = _row_words(game, which)
    placing = game.rules.row_while_placing

    def done(position: Position, move: Move) -> bool:
        made = [members(row) for row in rows_made(game, position, move)]
        return _wins(game, position, move) and any(row in lines for row in made)

    def clear(position: Position) -> bool:
        """Whether every move that wins does it by such a row."""
        return all(done(position, move) for move in wins_at_once(game, position))

    number = length_of(game) - 1
    hand, count = (placed(game, number), (number, number)) if placing else ((0, 0), late(game))
    best = Sought(game, hand, count, done, clear)
    position = best.first(but_one(lines))
    if position is None and not placing:  # where every move into the one empty point completes the row
        position = replace(best, choice=False).first(but_one(lines))
    return lesson(
        game,
        position,
        done,
        name=f"row-{which}",
        title=title,
        words=words,
        task=task if placing else f"{moves(game).capitalize()} a stone: {task[0].lower()}{task[1:]}",
        praise=WON,
        missed=NO_ROW,
    )


def _row_words(game: Game, which: str) -> tuple[str, tuple[str, ...], str]:
    """Title, sentences and task of a row that runs one way."""
    length, levels = counted(length_of(game)), counted(len(game.layout.rows))
    if which == "straight":
        words = (
            f"Whoever first has {many(length_of(game))} in a row wins: next to each other, {straights(game.layout)}."
        )
        early = game.rules.row_while_placing and not game.placing_only
        also = ("This counts while stones are still being placed, too.",) if early else ()
        return f"{length.capitalize()} in a row", (words, *also), "Complete the row and win."
    if which == "diagonal":
        return "Diagonals", ("A row may run along a diagonal, too.",), "Complete the diagonal and win."
    if which == "upright":
        words = f"The {levels} boards are the levels of one cube, one below the other."
        same = f"The same square on all {levels} of them is a row."
        task = f"Complete the row that goes straight down through all {levels} levels."
        return "Straight through the levels", (words, same), task
    if which == "slanting":
        words = "A row may go down like stairs: with every level one square further, always in the same direction."
        return "Down the stairs", (words,), "Complete the stairs and win."
    words = "The longest rows run from a corner of the cube to the opposite one."
    how = "With every level they go one square further across and one further up or down."
    title = f"A diagonal through all {levels} levels"
    return title, (words, how), f"Complete the diagonal through all {levels} levels."


def _any_row(game: Game) -> Lesson | None:
    """Completing a row on a board so small that nearly every move does."""
    number = length_of(game) - 1

    def done(position: Position, move: Move) -> bool:
        return _wins(game, position, move)

    sought = Sought(game, placed(game, number), (number, number), done, choice=False)
    return lesson(
        game,
        sought.first(but_one(game.layout.lines)),
        done,
        name="row",
        title=f"{counted(length_of(game)).capitalize()} in a row",
        words=(f"Whoever first has {many(length_of(game))} in a row wins, in whatever direction.",),
        task="Complete a row and win.",
        praise=WON,
        missed=NO_ROW,
    )


def _no_diagonals(game: Game) -> Lesson | None:
    """Where a diagonal could be taken for a row, and is none."""
    length = length_of(game)
    runs = diagonal_runs(game.layout, length)

    def done(position: Position, move: Move) -> bool:
        return _wins(game, position, move) and bool(rows_made(game, position, move))

    def traps(position: Position) -> list[Move]:
        """The moves that fill a diagonal and no row."""
        after = ((move, game.after(position, move).stones[0]) for move in game.moves(position))
        filled = (move for move, own in after if any(own & run == run for run in runs))
        return [move for move in filled if not done(position, move)]

    def clear(position: Position) -> bool:
        """Whether there is a diagonal to be taken for a row, and no other way to win."""
        return bool(traps(position)) and all(done(position, move) for move in wins_at_once(game, position))

    placing = game.rules.row_while_placing
    hand, count = (placed(game, length), (length, length)) if placing else ((0, 0), late(game))
    sought = Sought(game, hand, count, done, clear)
    position = sought.first(but_one(game.layout.lines)) if runs else None
    return lesson(
        game,
        position,
        done,
        name="no-diagonals",
        title="Diagonals do not count",
        words=(f"Only rows {straights(game.layout)} win. A diagonal is no row in this game.",),
        task="Complete a row that counts.",
        praise=WON,
        missed=NO_ROW,
        traps=dict.fromkeys(traps(position), "a diagonal does not count.") if position else {},
    )


def _idle(game: Game) -> Lesson | None:
    """Points on no line, as the three boards beside the one that counts."""
    layout = game.layout
    idle = layout.everywhere & ~layout.on_lines
    if not idle:
        return None
    counting = {layout.places[point].level for point in members(layout.on_lines)}

    def done(position: Position, move: Move) -> bool:
        return bool(rows_made(game, position, move))

    number = length_of(game) - 1
    sought = Sought(game, placed(game, number), (number, number), done)
    position = sought.first(but_one(layout.lines), preferred=idle)
    lost = [Move(point) for point in members(idle)]
    return lesson(
        game,
        position,
        done,
        name="idle",
        title="A lost turn",
        words=(
            f"{'Only level 1' if counting == {0} else 'Not every square'} counts. A stone anywhere else is in no row: "
            "it is a lost turn.",
        ),
        task="O has lost some turns. Complete your row.",
        praise=WON,
        missed=NO_ROW,
        traps=dict.fromkeys(lost, "nothing counts there: it is a lost turn."),
    )


def _block(game: Game) -> Lesson | None:
    """The other is about to win."""

    def done(position: Position, move: Move) -> bool:
        return not loses_at_once(game, position, [move])

    number = length_of(game) - 1
    quiet = Sought(
        game, placed(game, number), (number, number), done, lambda position: not wins_at_once(game, position)
    )
    return lesson(
        game,
        quiet.first([0], but_one(game.layout.lines)),
        done,
        name="block",
        title="Watch the other",
        words=("O plays for a row, too. A stone of yours in the gap keeps it from being filled.",),
        task="O is about to win. Stop it.",
        praise="O cannot fill that row any more.",
        missed="O would fill a row and win.",
    )


def _draw(game: Game) -> Lesson | None:
    position = full_board(game)
    if position is None:
        return None
    idle = game.layout.everywhere & ~game.layout.on_lines
    full = "all squares that count are full" if idle else "the board is full"
    words = f"If {full} and nobody has a row, nobody has won: the game is a draw."
    return Lesson(name="draw", title="A full board is a draw", words=(words,), game=game, position=position)


def _too_early(game: Game) -> Lesson | None:
    """A row that does not count while stones are in hand."""

    def done(position: Position, move: Move) -> bool:
        return bool(rows_made(game, position, move)) and not _wins(game, position, move)

    number = length_of(game) - 1
    return lesson(
        game,
        Sought(game, placed(game, number), (number, number), done).first(but_one(game.layout.lines)),
        done,
        name="early-row",
        title="Not while placing",
        words=(
            f"The aim is {counted(length_of(game))} in a row, but rows do not count before all stones are placed.",
            "From then on, whoever has a row at the end of a turn has won.",
        ),
        task="Complete a row, and see that the game goes on.",
        praise="{row} is a row, but it does not count yet: the game goes on.",
        missed=NO_ROW,
    )


def moving(game: Game) -> Lesson | None:
    """Moving at all: sliding or jumping."""

    def done(_: Position, move: Move) -> bool:
        return move.source is not None

    def free(position: Position) -> bool:
        """Whether several stones can move, and no row is about to be filled."""
        quiet = not any(game.layout.has_row(stones) for stones in position.stones)
        return quiet and len({move.source for move in game.moves(position)}) > 1 and not rows_at_hand(game, position)

    slides, early = moves(game) == "slide", game.rules.moving_while_placing
    to = f"to the next {spot(game)}, if that is empty: {directions(game.layout)}"
    hand, count = (placed(game, length_of(game)), (length_of(game),) * 2) if early else ((0, 0), late(game))
    return lesson(
        game,
        Sought(game, hand, count, done, free, choice=early, shuffle=8).first([0]),
        done,
        name=moves(game),
        title=moves(game).capitalize(),
        words=(
            "While you have stones in hand, you may move one on the board instead of placing one; then you must."
            if early
            else "Once all stones are on the board, you move one of yours in every turn.",
            f"A stone slides along a line {to}."
            if slides
            else f"A stone jumps to any empty {spot(game)}, near or far.",
        ),
        task=f"{moves(game).capitalize()} with one of your stones: pick it, then where it goes.",
        praise=f"Your stone has {'slid along the line' if slides else 'jumped'}.",
        missed="it places a stone.",
    )


def _row_by_moving(game: Game) -> Lesson | None:
    """A row by moving a stone into it."""

    def done(position: Position, move: Move) -> bool:
        return _wins(game, position, move) and bool(rows_made(game, position, move))

    def clear(position: Position) -> bool:
        """Whether there is no other way to win, and nothing to fear."""
        wins = wins_at_once(game, position)
        return all(done(position, move) for move in wins) and not threatened(game, position)

    sought = Sought(game, (0, 0), late(game), done, clear)
    return lesson(
        game,
        sought.first(but_one(game.layout.lines)),
        done,
        name="row-by-moving",
        title=f"{moves(game).capitalize()} into a row",
        words=("A row that is made by moving a stone wins as well.",),
        task="Move a stone so that your row is complete.",
        praise=WON,
        missed=NO_ROW,
    )


def blockade(game: Game) -> Lesson | None:
    """Leaving the other without a move, or having none."""
    passes = game.rules.blocked is Blocked.PASSES

    def done(position: Position, move: Move) -> bool:
        if passes:
            return move == PASS
        after = game.after(position, move)
        return game.over(after) is not None and not game.layout.has_row(after.stones[0])

    position = shut_in(game, done, oneself=passes)
    title, words, task, praise = {
        Blocked.LOSES: (
            "Shut in is lost",
            f"A player who cannot move any stone has lost{game.rules.full_board_draws * ', while a point is empty'}.",
            "Shut O in, so that no stone of O’s can move.",
            "O has no move left, and you have won.",
        ),
        Blocked.DRAWS: (
            "Shut in is a draw",
            "If a player cannot move any stone, the game is a draw.",
            "Shut O in, so that no stone of O’s can move.",
            "O has no move left: the game is a draw.",
        ),
        Blocked.PASSES: (
            "Shut in: pass",
            "A player who cannot move any stone passes: the turn goes to the other.",
            "None of your stones can move. Pass.",
            "You have passed, and it is O’s turn.",
        ),
    }[game.rules.blocked]
    rows = rows_at_hand(game, position) if position and not game.rules.captures else []
    return lesson(
        game,
        position,
        done,
        name="shut-in",
        title=title,
        words=(words,),
        task=task,
        praise=praise,
        missed="O can still move.",
        traps=dict.fromkeys(rows, "that is a row: here O is to be shut in."),
    )


def repetition(game: Game, moved: Lesson | None) -> Lesson | None:
    """The draw that ends games without an end; shown with the position of the lesson on moving."""
    if moved is None:
        return None
    times = {2: "second", 3: "third", 4: "fourth"}.get(REPETITIONS, f"{REPETITIONS}th")
    return Lesson(
        name="repetition",
        title="To and fro is a draw",
        words=(
            "Stones could go to and fro forever.",
            f"So the {times} time that the same position comes up, with the same player to move, the game is a draw.",
        ),
        game=game,
        position=moved.position,
    )


def _wins(game: Game, position: Position, move: Move) -> bool:
    return game.over(game.after(position, move)) is Outcome.LOSS
