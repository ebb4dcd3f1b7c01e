"""A step of a search as a plain sentence or two, which names both players, their moves and the numbers."""

from typing import NamedTuple

from noughts.games import SIDES, Game, Outcome
from noughts.insight.searching.search import IN_1990, LEAST, MOST, How, Step, StepKind

__all__ = ["Line", "bound_words", "explain", "number", "program", "value_words"]

SHOWN = 4
"""Moves that a sentence names; of more it gives the number."""


def number(value: int) -> str:
    """A value as it is written: +1, 0, −1, or an infinity.

    Args:
        value: A value of a search, for X.
    """
    return {LEAST: "−∞", -1: "−1", 0: "0", 1: "+1", MOST: "+∞"}[value]


def value_words(value: int) -> str:
    """A value in words and as a number.

    Args:
        value: A value of a search, for X.
    """
    return f"{_said(value)} ({number(value)})"


def bound_words(step: Step) -> str:
    """What a position that is done is worth, as surely as that is known, from X's point of view.

    Args:
        step: The step in which a position is done.
    """
    assert step.value is not None
    return f"{step.surely} {number(step.value)}".lstrip()


def explain(game: Game, how: How, step: Step, before: Step | None) -> str:
    """What happens in a step; `before` is the step before it, None at the first.

    Args:
        game: The game that is searched.
        how: The search.
        step: What happens.
        before: The step before it; None at the first.
    """
    match step.kind:
        case StepKind.ENTER:
            return _enter(game, how, step)
        case StepKind.LEAF:
            return _leaf(game, step)
        case StepKind.CUT:
            turn = step.position.turn
            surest = how.widest[1] == step.beta if turn == 0 else how.widest[0] == step.alpha
            return _cut_in_c(game, step) if how.name == "c1990" else (_cut_at_a_win if surest else _cut)(game, step)
        case StepKind.RETURN:
            return _return(game, how, step, cut=before is not None and before.kind is StepKind.CUT)
    return _looked_up(game, step)


def _enter(game: Game, how: How, step: Step) -> str:
    mover = _name(step.position.turn)
    if step.move is None:
        first = f"{mover} is to move. {how.about}"
        return f"{first} Its board has nine places." if how.name in IN_1990 else first
    sentence = f"{_name(1 - step.position.turn)} tries {game.write_move(step.move)}; now {mover} is to move."
    if how.name == "c1990":
        bound = step.beta if step.position.turn == 0 else -step.alpha
        return f"{sentence} A move of {mover} that is worth {number(bound)} to {mover} will do (a = {number(bound)})."
    elsewhere = []
    if how.cuts and step.alpha > how.widest[0]:
        elsewhere.append(f"X has {_article(step.alpha, 0)} (alpha = {number(step.alpha)})")
    if how.cuts and step.beta < how.widest[1]:
        elsewhere.append(f"O has {_article(step.beta, 1)} (beta = {number(step.beta)})")
    return f"{sentence} Elsewhere {', '.join(elsewhere)}." if elsewhere else sentence


def _leaf(game: Game, step: Step) -> str:
    assert step.value is not None
    mover = _name(1 - step.position.turn)
    if game.over(step.position) is Outcome.DRAW:
        what = f"{mover} plays {game.write_move(step.move)}: no more moves, " if step.move else "No move is left: "
        return f"{what}{value_words(step.value)}."
    what = f"{mover} plays {game.write_move(step.move)}, which makes" if step.move else f"{mover} has"
    return f"{what} a row: {value_words(step.value)}."


def _looked_up(game: Game, step: Step) -> str:
    assert step.value is not None
    assert step.known is not None
    assert step.move is not None
    mover = _name(1 - step.position.turn)
    same = "the same as" if step.kind is StepKind.TABLE else "the mirror image, or a turn, of"
    surely = {"": "", "≥": "at least ", "≤": "at most "}[step.surely]
    enough = ", and that is enough" if surely else ""
    return (
        f"{mover} plays {game.write_move(step.move)}: that is {same} position {step.known}, which was searched before. "
        f"The table says {surely}{value_words(step.value)}{enough}."
    )


def _cut(game: Game, step: Step) -> str:
    """Why the other moves of a position need not be looked at."""
    assert step.value is not None
    assert step.best is not None
    turn = step.position.turn
    bound = step.beta if turn == 0 else step.alpha
    mover, other = _name(turn), _name(1 - turn)
    letter = f"{'beta' if turn == 0 else 'alpha'} = {number(bound)}"
    gives = f"{game.write_move(step.best)} gives {mover} {_article(step.value, turn)}"
    if bound == (1 if turn == 0 else -1):
        why = f"{other} loses elsewhere ({letter}), and here it is no better: {gives}."
    else:
        has = f"{other} already has {_article(bound, 1 - turn)} elsewhere ({letter})"
        why = f"{has}; here {gives}, so {other} will not come here."
    return f"{why} {_rest(game, step)} need not be looked at: cut-off."


def _cut_in_c(game: Game, step: Step) -> str:
    """The same in the words of the program of 1990, whose values are those of the player who moves."""
    assert step.value is not None
    assert step.best is not None
    turn = step.position.turn
    worth, bound = (step.value, step.beta) if turn == 0 else (-step.value, -step.alpha)
    why = "nothing is better than a win" if bound == 1 else f"{_name(1 - turn)} would not allow more"
    return (
        f"{game.write_move(step.best)} is worth {number(worth)} to {_name(turn)}, which reaches a = {number(bound)}: "
        f"{why}. {_rest(game, step)} need not be looked at: the loop ends."
    )


def _cut_at_a_win(game: Game, step: Step) -> str:
    """The same where nothing but a win ends the loop."""
    assert step.best is not None
    return (
        f"{game.write_move(step.best)} wins for {_name(step.position.turn)}, and nothing is better than a win. "
        f"{_rest(game, step)} need not be looked at: the loop ends."
    )


def _return(game: Game, how: How, step: Step, cut: bool) -> str:
    assert step.value is not None
    assert step.best is not None
    turn = step.position.turn
    mover, best = _name(turn), game.write_move(step.best)
    if step.move is None:
        return _done(how, step, mover, best)
    back = f"Back to {_name(1 - turn)}’s move {game.write_move(step.move)}"
    if cut:
        surely = "at least " if step.surely else ""
        return f"{back}: after it {mover} has {surely}{_article(step.value, turn)} ({bound_words(step)})."
    if step.value >= step.beta if turn == 0 else step.value <= step.alpha:
        return f"{mover}’s last move, {best}, is good enough. {back}: {bound_words(step)}."
    if step.value == (-1 if turn == 0 else 1):
        return f"Every move of {mover} loses. {back}: {value_words(step.value)}."
    if step.surely:
        return f"No move of {mover} gets more than {_article(step.value, turn)}. {back}: {bound_words(step)}."
    return f"All moves of {mover} are looked at, and {best} is best. {back}: {value_words(step.value)}."


def _done(how: How, step: Step, mover: str, best: str) -> str:
    """The end of the search."""
    assert step.value is not None
    lost = step.value == (-1 if step.position.turn == 0 else 1)
    if lost and how.name == "c1990":
        return f"Done. Every move of {mover} loses, and the program says: “no move found”."
    if lost and how.name == "figure1":
        return f"Done. Every move of {mover} loses: none is better than −1, and so none is named."
    if lost:
        return f"Done: {value_words(step.value)}. Every move of {mover} loses; the first is {best}."
    return f"Done: {value_words(step.value)}. The move is {best}, the first of the best."


def _rest(game: Game, step: Step) -> str:
    if len(step.skipped) == 1:
        return f"The other move, {game.write_move(step.skipped[0])},"
    if len(step.skipped) > SHOWN:
        return f"The {len(step.skipped)} other moves"
    *most, last = (game.write_move(move) for move in step.skipped)
    return f"The other moves, {', '.join(most)} and {last},"


def _said(value: int) -> str:
    return {1: "X wins", 0: "a draw", -1: "O wins"}[value]


def _article(value: int, side: int) -> str:
    """A value as a thing that a side has."""
    return ("a draw", "a win", "a loss")[value if side == 0 else -value]


def _name(side: int) -> str:
    return SIDES[side].upper()


class Line(NamedTuple):
    """A line of a program, and the steps that it takes."""

    text: str
    kinds: tuple[StepKind, ...] = ()


def program(how: How) -> list[Line]:
    """The search as a program of a few lines.

    Args:
        how: The search.
    """
    lines = [
        Line("to find the value of a position:"),
        Line("    if the game is over: return +1, 0 or −1", (StepKind.LEAF,)),
    ]
    if how.table:
        images = ", or an image of it," if how.symmetries else ""
        lines.append(Line(f"    if it{images} is in the table: return that", (StepKind.TABLE, StepKind.IMAGE)))
    lines += [
        Line("    for every move, in the order of the points:", (StepKind.ENTER,)),
        Line("        find the value of the position after it"),
        Line("        keep the highest for X, the lowest for O"),
    ]
    if how.name == "c1990":
        lines.append(Line("        if it reaches a, what the opponent has: stop", (StepKind.CUT,)))
    elif how.name == "figure1":
        lines.append(Line("        if it is a win: stop", (StepKind.CUT,)))
    elif how.cuts:
        lines.append(Line("        raise alpha for X, lower beta for O"))
        lines.append(Line("        if alpha ≥ beta: stop", (StepKind.CUT,)))
    if how.table:
        lines.append(Line("    write the best into the table"))
    return [*lines, Line("    return the best", (StepKind.RETURN,))]
