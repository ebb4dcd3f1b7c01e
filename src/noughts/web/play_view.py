"""What the page of a game shows, worked out from its table: boards with notes and marks, buttons, moves so far."""

from dataclasses import replace
from typing import Any, NamedTuple

from noughts.games import PASS
from noughts.games.playing import Result
from noughts.games.points import point_set
from noughts.players import Human
from noughts.web.addresses import explore_url
from noughts.web.board_links import Marks, draw_links
from noughts.web.clicks import Click, choices, clicks, shown
from noughts.web.cube import STEP, draw_cube
from noughts.web.play_words import note, seat, worth, worth_words
from noughts.web.table import Table

__all__ = ["Button", "play_view"]

ROOMY = 7
"""Boards with more columns than this are scrolled rather than drawn so small that no finger can hit a point."""


class Button(NamedTuple):
    """A link that looks like a button."""

    name: str
    words: str
    href: str
    """Empty where there is nothing to do."""
    key: str = ""
    """The key that does the same."""
    on: bool = False
    """Whether it shows something that is shown now."""
    main: bool = False
    """Whether it is what most will want to press next."""


def play_view(table: Table, result: Result | None, analysis: dict[str, Any] | None, origin: str) -> dict[str, Any]:
    """The values for the template."""
    worths = _worths(table, analysis)
    points = [_labelled(click, worths.get(click.point)) for click in clicks(table)]
    notes = {point: note(rated) for point, rated in worths.items()}
    position, marks = shown(table), _marks(table, result, analysis)
    if table.view == "cube":
        boards = [draw_cube(table.game, position, points, notes, marks, table.turn)]
    else:
        boards = draw_links(table.game, position, points, notes, marks)
    widest = max(place.column for place in table.game.layout.places) + 1
    every = table.moves + table.future
    return {
        "table": table,
        "boards": boards,
        "roomy": widest > ROOMY,
        "levels": len(table.game.layout.rows) > 1,
        "title": table.game.title,
        "seats": [seat(table, side) for side in (0, 1)],
        "hand": None if table.game.placing_only else table.playing.position.hand,
        "buttons": _buttons(table, result),
        "steps": _steps(table, result),
        "turns": _turns(table),
        "moves": [(every[plies - 1] if plies else "start", table.url_at(plies)) for plies in range(len(every) + 1)],
        "legend": worth_words(table, analysis) if table.values and analysis else "",
        "explore": explore_url(table.game.name, table.game.write(table.playing.position)),
        "share": origin + table.shared(),
    }


def _buttons(table: Table, result: Result | None) -> list[Button]:
    over = table.over or result is not None
    open_for_advice = not over and not table.full
    back, forth = table.back(), table.forth()
    exchanged = (table.anew() if over else table).swapped()
    return [
        Button("undo", "Undo", back.url() if back is not table else "", "u"),
        Button("redo", "Redo", forth.url() if forth is not table else "", "r"),
        Button("hint", "Hint", table.url(hint="" if table.hint else "1") if open_for_advice else "", "h", table.hint),
        Button(
            "values",
            "Values",
            table.url(values="" if table.values else "1") if open_for_advice else "",
            "v",
            table.values,
        ),
        Button("swap", "Swap sides", exchanged.url() if table.names[0] != table.names[1] else "", "s"),
        Button("new", "New game", table.anew().url(), "n", main=over),
    ]


def _steps(table: Table, result: Result | None) -> list[Button]:
    """What can be done besides clicking a point: one button, even if it cannot be pressed now, so that nothing below
    it jumps when it can; none in games that never need one."""
    if not (table.over or result is not None or table.full):
        if table.machine_to_move and not table.answers_by_itself:
            return [Button("go", f"Let {table.turn_name} move", table.url(go="1"), "m", main=True)]
        if table.part:
            return [Button("cancel", "Put it back", table.url(part=""), "Escape", main=True)]
        if not table.machine_to_move and table.game.moves(table.playing.position) == [PASS]:
            return [Button("pass", "Pass", table.url_after("pass"), "p", main=True)]
    machines = [name for name in table.names if name != Human.name]
    if Human.name in table.names and not table.game.placing_only:
        return [Button("cancel", "Put it back", "")]
    return [Button("go", f"Let {machines[0]} move", "")] if machines else []


def _turns(table: Table) -> list[Button]:
    """The other view, and both ways to turn the cube."""
    if len(table.game.layout.rows) == 1:
        return []
    if table.view != "cube":
        return [Button("view", "Show as a cube", table.url(view="cube"), "c")]
    left, right = (replace(table, turn=(table.turn + step) % 360).url() for step in (STEP, -STEP))
    return [
        Button("left", "Turn left", left, "["),
        Button("right", "Turn right", right, "]"),
        Button("view", "Show as four boards", table.url(view="", turn=""), "c"),
    ]


def _worths(table: Table, analysis: dict[str, Any] | None) -> dict[int, dict[str, Any]]:
    """For every point that leads on, the best of the moves it leads to, if their worth is to be shown."""
    if analysis is None or not table.values:
        return {}
    rated = {rated["move"]: (rank, rated) for rank, rated in enumerate(analysis["moves"])}
    leads = choices(table, table.part)
    index = table.game.layout.index
    return {
        index[name]: min((rated[move] for move in moves), key=lambda ranked: ranked[0])[1]
        for name, moves in leads.items()
    }


def _labelled(click: Click, rated: dict[str, Any] | None) -> Click:
    """With the worth in the label, for those who hear it."""
    return click if rated is None or not click.moves else click._replace(label=f"{click.label}, {worth(rated)}")


def _marks(table: Table, result: Result | None, analysis: dict[str, Any] | None) -> Marks:
    """What to point out."""
    index, position = table.game.layout.index, table.playing.position
    won: tuple[int, ...] = ()
    if result is not None and result.winner is not None and not table.game.rules.captures:
        won = tuple(table.game.layout.rows_of(position.stones[result.winner]))
    moving = not table.game.placing_only and not position.hand[position.turn] and not table.machine_to_move
    hint = 0
    if table.hint and analysis is not None:
        advised = analysis["threats"][0] if analysis["threats"] else analysis["moves"][0]["move"]
        hint = _points(table, advised)
    return Marks(
        last=table.playing.moves[-1] if table.moves else None,
        won=won,
        picked=_points(table, table.part),
        open=point_set(index[name] for name in choices(table, table.part)) if moving or table.part else 0,
        hint=hint,
    )


def _points(table: Table, text: str) -> int:
    """The points that a move, or a part of one, names."""
    index = table.game.layout.index
    return point_set(index[name] for name in text.replace("x", "-").split("-") if name in index)
