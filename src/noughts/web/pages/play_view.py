"""What the page of a game shows, worked out from its address: boards with notes and marks, buttons, moves, clicks.

How a move is clicked, point by point, is told in `noughts.web.boards.clicking`.
"""

from dataclasses import replace
from typing import Any, NamedTuple

from noughts.games import PASS, SIDES, Outcome, Position
from noughts.games.picture import Note
from noughts.games.playing import Playing, Result
from noughts.games.points import point_set
from noughts.players import LEVELS, PLAYERS, Human, called, name_of
from noughts.players.ladder import Level
from noughts.solve import TO_CAPTURE, Lead, Look
from noughts.solve.look import dot
from noughts.web.boards.clicking import Choices, Clicking, choices_of
from noughts.web.boards.linked import STEP, Click, Marks, draw_cube, draw_large, draw_links, is_large
from noughts.web.boards.thumbnails import side_stones
from noughts.web.sitting import BadAddressError, Sitting, picture_url, review_url
from noughts.web.walk import Walk

__all__ = [
    "Button",
    "choices",
    "clicks",
    "lead_words",
    "note",
    "play_view",
    "searched",
    "seat",
    "shown",
    "what_is_wrong",
    "worth",
    "worth_words",
]


def choices(sitting: Sitting, part: str = "") -> Choices:
    """By the name of the point to click next, the legal moves that begin with this part."""
    return {} if sitting.over or sitting.full else choices_of(sitting.game, sitting.playing.position, part)


def clicking(sitting: Sitting) -> Clicking:
    """The move that is being made."""
    return Clicking(
        sitting.game,
        sitting.playing.position,
        sitting.part,
        after=sitting.url_after,
        picking=lambda part: sitting.url(part=part),
        trying=lambda name: sitting.url(**{"try": name}),
        closed=sitting.over or sitting.full or sitting.machine_to_move,
    )


def clicks(sitting: Sitting) -> list[Click]:
    """What a click on each point means, in the order of the points."""
    return clicking(sitting).clicks()


def shown(sitting: Sitting) -> Position:
    """The position to show: with the stone where the part of the move has put it, if it has."""
    return clicking(sitting).shown


def what_is_wrong(sitting: Sitting, name: str) -> str:
    """Why a click on this point leads nowhere; empty if it does lead on."""
    if name not in sitting.game.layout.index:
        raise BadAddressError(f"try={name[:20]!r} is not a point of this board: expected one, as b2")
    if sitting.over:
        return "The game is over. Take a move back, or begin a new game."
    if sitting.full:
        return "The game can go no further: its address is full."
    if sitting.machine_to_move:
        return f"It is the turn of {called(sitting.turn_name)}."
    return clicking(sitting).what_is_wrong(name)


def seat(sitting: Sitting, side: int) -> str:
    """Who sits there, for the other one to read."""
    if sitting.names[side] != Human.name:
        return name_of(sitting.names[side])
    return "you" if sitting.names.count(Human.name) == 1 else "a person"


def note(rated: dict[str, Any]) -> Note | None:
    """The worth of a move as it stands on the board: W3, D, L4; a dot for how it looks; a question mark for neither."""
    if rated["look"]:
        return dot(Look(rated["look"]))
    letter = {Outcome.WIN: "W", Outcome.DRAW: "D", Outcome.LOSS: "L"}.get(rated["value"], "?")
    plies = rated["remoteness"] if letter in "WL" else None
    return Note(f"{letter}{'' if plies is None else plies}", rated["value"])


def worth(rated: dict[str, Any]) -> str:
    """The worth of a move or a position in two to five words; how it looks, where nothing is proved."""
    if rated["value"] == Outcome.UNKNOWN:
        return f"looks {rated['look']}" if rated["look"] else "not known"
    plies = rated["remoteness"] if rated["value"] != Outcome.DRAW else None
    if plies is None and rated["at_most"] is not None:
        return f"{rated['value']} in at most {rated['at_most']}"
    return f"{rated['value']}{'' if plies is None else f' in {plies}'}"


def worth_words(sitting: Sitting, analysis: dict[str, Any]) -> str:
    """What the position is worth to the player to move, or how it looks."""
    side = SIDES[sitting.playing.position.turn].upper()
    if analysis["value"] == Outcome.UNKNOWN:
        unknown = "How this ends with best play is not known here"
        return f"{unknown}; {lead_words(side, analysis)}." if analysis["lead"] else f"{unknown}."
    verb = {Outcome.WIN: "wins", Outcome.DRAW: "draws", Outcome.LOSS: "loses"}[analysis["value"]]
    plies = analysis["remoteness"] if analysis["value"] != Outcome.DRAW else None
    within = "" if plies is not None or analysis["at_most"] is None else "at most "
    plies = analysis["at_most"] if within else plies
    length = "" if plies is None else f" in {within}{plies} {'ply' if plies == 1 else 'plies'}"
    if length and analysis["reason"].endswith(TO_CAPTURE):
        length = f": the winner's next capture, or the end, comes{length}"
    return f"With best play {side} {verb}{length}."


def lead_words(side: str, analysis: dict[str, Any]) -> str:
    """How things look for the side to move, and how far ahead that was searched."""
    who = "it" if analysis["lead"] == Lead.EVEN else side
    return f"{who} looks {analysis['lead']}, {searched(analysis)}"


def searched(analysis: dict[str, Any]) -> str:
    """How far ahead the engine looked."""
    return f"searched {analysis['depth']} {'ply' if analysis['depth'] == 1 else 'plies'}"


class Button(NamedTuple):
    """A link that looks like a button. There is none for what cannot be done now; the others keep their slots."""

    name: str
    words: str
    href: str
    key: str = ""
    """The key that does the same."""
    slot: str = ""
    """Which place among the others it has."""
    on: bool = False
    """Whether it shows something that is shown now."""
    main: bool = False
    """Whether it is what most will want to press next."""
    swap: bool = True
    """Whether it leads to the same page, of which only a part changes."""


def play_view(sitting: Sitting, result: Result | None, analysis: dict[str, Any] | None, origin: str) -> dict[str, Any]:
    """The values for the template."""
    worths = _worths(sitting, analysis)
    points = [_labelled(click, worths.get(click.point)) for click in clicks(sitting)]
    notes = {point: found for point, rated in worths.items() if (found := note(rated))}
    position, marks = shown(sitting), _marks(sitting, analysis)
    if sitting.cube:
        boards = [draw_cube(sitting.game, position, points, notes, marks, sitting.rotation)]
    elif is_large(sitting.game):
        boards = [draw_large(sitting.game, position, points, notes, marks)]
    else:
        boards = draw_links(sitting.game, position, points, notes, marks)
    every = sitting.moves + sitting.future
    return {
        "sitting": sitting,
        "boards": boards,
        "large": is_large(sitting.game),
        "levels": len(sitting.game.layout.rows) > 1,
        "title": sitting.game.title,
        "seats": [seat(sitting, side) for side in (0, 1)],
        "stones": side_stones(sitting.game),
        "hand": None if sitting.game.placing_only else sitting.playing.position.hand,
        "buttons": _buttons(sitting, result),
        "rung": rung_of(sitting),
        "ended": ended(sitting, result),
        "views": _views(sitting),
        "moves": ["start", *every],
        "legend": worth_words(sitting, analysis) if sitting.values and analysis else "",
        "guessed": bool(analysis and any(rated["look"] for rated in analysis["moves"])),
        "preview": origin + picture_url(sitting.game.name, sitting.game.write(sitting.playing.position)),
        "description": f"{sitting.game.title}: {sitting.game.about}. Play it here, or look at every move of it.",
        "explore": Walk(sitting.game, _worth_exploring(sitting)).url(),
        "share": origin + sitting.shared(),
    }


def _buttons(sitting: Sitting, result: Result | None) -> list[Button]:
    """What can be done besides clicking a point, slot by slot: what leads on, then what leads back."""
    over = sitting.over or result is not None
    found = [*(_after_the_end(sitting, result) if over else _during(sitting)), *_back_and_forth(sitting)]
    if sitting.names[0] != sitting.names[1]:
        exchanged = (sitting.anew() if over else sitting).swapped()
        taken = any(button.slot == "new" for button in found)
        found.append(Button("swap", "Swap sides", exchanged.url(), "s", "swap" if taken else "new"))
    return found


def _during(sitting: Sitting) -> list[Button]:
    """What can be done while the game goes on."""
    new = Button("new", "New game", sitting.anew().url(), "n", "new")
    if sitting.full:
        return [new]
    if sitting.machine_to_move and not sitting.answers_by_itself:
        go = Button("go", f"Let {called(sitting.turn_name)} move", sitting.url(go="1"), "m", "both", main=True)
        return [go, new]
    values = Button(
        "values", "Values", sitting.url(values="" if sitting.values else "1"), "v", "second", on=sitting.values
    )
    if not sitting.machine_to_move and sitting.game.moves(sitting.playing.position) == [PASS]:
        return [Button("pass", "Pass", sitting.url_after("pass"), "p", "first", main=True), values, new]
    hint = Button("hint", "Hint", sitting.url(hint="" if sitting.hint else "1"), "h", "first", on=sitting.hint)
    return [hint, values, new]


def _after_the_end(sitting: Sitting, result: Result | None) -> list[Button]:
    """What most want when a game has ended: after a win the next level, after others to see why."""
    told = ended(sitting, result)
    level = _next_level(sitting, told)
    review = bool(sitting.moves)
    again = not review or (told == "won" and level is None) or not told
    found = [Button("new", "Play again", sitting.anew().url(), "n", "second" if review else "both", main=again)]
    if review:
        there = review_url(sitting.playing, sitting.names)
        seen = told in ("lost", "drawn")
        found.insert(0, Button("review", "Review this game", there, "w", "first", main=seen, swap=False))
    if level:
        names = [name if name == Human.name else level.name for name in sitting.names]
        url = sitting.anew().against(*names).url()
        found.append(Button("level", f"Meet {level.title}", url, "l", "new", main=told == "won"))
    return found


def _next_level(sitting: Sitting, told: str) -> type[Level] | None:
    """The level to meet next: one up after a win, one down after a loss, if there is one."""
    rung, step = rung_of(sitting), {"won": 1, "lost": -1}.get(told)
    return LEVELS[rung + step - 1] if rung and step and 1 <= rung + step <= len(LEVELS) else None


def _back_and_forth(sitting: Sitting) -> list[Button]:
    """A step back, which is first to put back a stone that was picked, and a step forth."""
    back, forth = sitting.back(), sitting.forth()
    found = []
    if sitting.part:
        found.append(Button("cancel", "Put it back", sitting.url(part=""), "Escape", "back", main=True))
    elif back is not sitting:
        found.append(Button("undo", "Undo", back.url(), "u", "back"))
    if forth is not sitting:
        found.append(Button("redo", "Redo", forth.url(), "r", "forth"))
    return found


def rung_of(sitting: Sitting) -> int | None:
    """The rung of the ladder that one person plays against, if it is one."""
    if sitting.names.count(Human.name) != 1:
        return None
    machine = PLAYERS[next(name for name in sitting.names if name != Human.name).partition(":")[0]]
    return machine.rung if issubclass(machine, Level) else None


def ended(sitting: Sitting, result: Result | None) -> str:
    """What the end was to the one person who played against a machine: won, lost or drawn; empty if there is none."""
    if result is None or sitting.names.count(Human.name) != 1:
        return ""
    outcome = result.outcome(sitting.names.index(Human.name))
    return {Outcome.WIN: "won", Outcome.LOSS: "lost", Outcome.DRAW: "drawn"}[outcome]


def _views(sitting: Sitting) -> list[Button]:
    """The other view, and both ways to rotate the cube."""
    if len(sitting.game.layout.rows) == 1:
        return []
    if not sitting.cube:
        return [Button("view", "Cube", sitting.seen_as("cube").url(), "c")]
    left, right = (replace(sitting, rotation=(sitting.rotation + step) % 360).url() for step in (STEP, -STEP))
    return [
        Button("left", "Rotate left", left, "["),
        Button("right", "Rotate right", right, "]"),
        Button("view", "Four boards", sitting.seen_as("boards").url(), "c"),
    ]


def _worth_exploring(sitting: Sitting) -> Playing:
    """The game so far; where nothing is left to be done in it, without the last move."""
    return sitting.playing.back(1 if sitting.over else 0)


def _worths(sitting: Sitting, analysis: dict[str, Any] | None) -> dict[int, dict[str, Any]]:
    """For every point that leads on, the best of the moves it leads to, if their worth is to be shown."""
    if analysis is None or not sitting.values:
        return {}
    rated = {rated["move"]: (rank, rated) for rank, rated in enumerate(analysis["moves"])}
    leads = choices(sitting, sitting.part)
    index = sitting.game.layout.index
    return {
        index[name]: min((rated[move] for move in moves), key=lambda ranked: ranked[0])[1]
        for name, moves in leads.items()
    }


def _labelled(click: Click, rated: dict[str, Any] | None) -> Click:
    """With the worth in the label, for those who hear it."""
    return click if rated is None or not click.moves else click._replace(label=f"{click.label}, {worth(rated)}")


def _marks(sitting: Sitting, analysis: dict[str, Any] | None) -> Marks:
    """What to point out."""
    won = sitting.game.winning_rows(sitting.playing.position)
    hint = 0
    if sitting.hint and analysis is not None:
        advised = analysis["threats"][0] if analysis["threats"] else analysis["moves"][0]["move"]
        hint = _points(sitting, advised)
    last = sitting.playing.moves[-1] if sitting.moves else None
    return clicking(sitting).marks()._replace(last=last, won=won, hint=hint)


def _points(sitting: Sitting, text: str) -> int:
    """The points that a move names."""
    index = sitting.game.layout.index
    return point_set(index[name] for name in text.replace("x", "-").split("-") if name in index)
