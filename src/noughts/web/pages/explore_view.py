"""What the page of Explore shows: the board of a walk, its choices, the tree of best lines, and the way back.

A position in which the game is over has no choices: it says how it ended and leads back, along the walk or, where
nobody has walked there, to positions that may have come before.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from markupsafe import Markup

from noughts.games import SIDES, Game, Outcome, Position, kind_of
from noughts.games.legality import fault
from noughts.games.picture import Note
from noughts.games.playing import Playing
from noughts.games.points import members
from noughts.players import Human
from noughts.solve import TO_CAPTURE, Look
from noughts.solve.look import dot
from noughts.web.boards.clicking import Clicking
from noughts.web.boards.linked import STEP, Click, Marks, draw_cube, draw_large, draw_links, is_large
from noughts.web.boards.thumbnails import thumbnail
from noughts.web.pages.play_view import Button, lead_words, searched, worth
from noughts.web.pages.watch import watch_url
from noughts.web.pages.watch_runs import is_watched
from noughts.web.sitting import GAMES, BadAddressError, explore_url, play_on_url, usual_opponent
from noughts.web.walk import Walk

__all__ = ["PART", "chain_view", "explore_view", "verdict"]

PART = "explored"
"""The id of the part of the page that changes."""
MOST_DRAWN = 25
"""Points of the largest board that is drawn many times on a page."""
SHOWN_MOVES, SHOWN_LOOKS = 24, 12
"""Choices that are listed at once, and where they are only estimated; all others at a click."""
MOST_LISTED = 60
"""Choices that are listed at all: all there are, but on the largest boards."""
NAMED_ALIKE = 3
"""Moves alike that are named; more are counted."""
MOST_BEFORE = 6
"""Positions shown from which a finished one may have come."""
PROOFS = {
    "first player wins (proved)": ", as the proof of Qubic shows",
    "a chain of threats": ", by a chain of threats",
}
"""How a value without a number of plies is known, to go on with after "wins" or "loses"."""


class Card(NamedTuple):
    """A choice as the page shows it."""

    move: str
    alike: str
    """The moves that are the same seen differently, in words."""
    colour: str
    words: str
    note: str
    href: str
    why: str
    picture: Any


class Twig(NamedTuple):
    """A branch of the tree as the page shows it."""

    side: str
    move: str
    alike: int
    colour: str
    words: str
    href: str
    twigs: list["Twig"]


def explore_view(
    walk: Walk,
    found: dict[str, Any] | None,
    grouped: list[dict[str, Any]] | None,
    rest: dict[str, Any] | None,
    tried: str,
) -> dict[str, Any]:
    """The values for the template: what was found, and the choices and the rest as far as they are there."""
    game, position = walk.game, walk.position
    moves = found["moves"] if found else []
    listed = grouped or [{**one, "alike": [one["move"]], "note": ""} for one in moves]
    few = SHOWN_LOOKS if found and found["lead"] else SHOWN_MOVES
    # Moves of which there is nothing to say stand behind the fold.
    silent = (number for number, one in enumerate(listed) if _worth(one) == "not known" and not one["note"])
    few = min(few, max(1, next(silent, few)))
    # Until it is known which moves are alike, only a few are listed.
    kept = listed[: MOST_LISTED if grouped or len(listed) <= MOST_LISTED else few]
    cards = [_card(walk, one, draw=number < SHOWN_MOVES) for number, one in enumerate(kept)]
    notes = _notes(game, position, moves)
    clicking = _clicking(walk)
    over = game.over(position) is not None
    return {
        "game": game,
        "swap": PART,
        "title": game.title,
        "picked": kind_of(game).example,
        "games": [(name, words.title) for name, words in GAMES.items()],
        "boards": _boards(walk, clicking, moves, notes),
        "large": is_large(game),
        "hidden": _hidden(walk),
        "cube": walk.cube,
        "four": len(game.layout.rows) > 1 and not walk.cube,
        "views": _views(walk),
        "wrong": _wrong(clicking, tried, over),
        "picking": bool(walk.part),
        "put_back": replace(walk, part="").url(),
        "noted": bool(notes),
        "timed": any(character.isdigit() for note in notes.values() for character in note.text),
        "guessed": searched(found) if found and any(one["look"] for one in moves) else "",
        "hand": None if game.placing_only or position.hand == (0, 0) else position.hand,
        "turn": SIDES[position.turn].upper(),
        "trail": _trail(walk),
        "back": walk.back().url() if walk.playing.moves else None,
        "start": None if position == game.start() else f"/explore/{game.name}",
        "set_up": _set_up(walk),
        "watch": None if over or not is_watched(game, position) else watch_url(game, position),
        "over": over,
        "before": [_before(game, one) for one in _predecessors(game, position)]
        if over and not walk.playing.moves
        else [],
        "verdict": verdict(game, position, found) if found else "What this position is worth is being worked out …",
        "looked_up": _looked_up(found["reason"]) if found else "",
        "colour": _colour(found["value"]) if found else "soft",
        "cards": cards[:few],
        "more_cards": cards[few:],
        "unlisted": len(listed) - len(cards),
        "counted": (len(moves), len(listed)),
        "remoteness": found["remoteness"] if found else None,
        "winner": _winner(position, found) if found else "",
        "by_proof": found is not None and found["reason"] in PROOFS,
        "line": _film(walk, rest["line"]["plies"]) if rest else [],
        "tree": _twigs(walk, rest["tree"]) if rest else [],
        "images": [_frame(game, image) for image in rest["images"]["shown"]] if rest and rest["images"] else [],
        "here": game.write(position),
        "play": None if over else _play(game, walk),
    }


def chain_view(walk: Walk, moves: list[str]) -> list[tuple[str, str]]:
    """A chain of threats: who moves and where, and the address after it, move by move."""
    steps = []
    for move in moves:
        side = SIDES[walk.position.turn].upper()
        walk = walk.then(move)
        steps.append((f"{side} {move}", walk.url()))
    return steps


def verdict(game: Game, position: Position, found: dict[str, Any]) -> str:
    """What a position is worth, as a sentence."""
    mover, other = SIDES[position.turn].upper(), SIDES[1 - position.turn].upper()
    result = Playing.begin(game, position).result
    if result is not None:
        return f"Over: a draw, {result.reason}." if result.winner is None else f"{other} has won: {result.reason}."
    plies = found["remoteness"]
    when = "" if plies is None else f" in {_plies(plies)}"
    if plies is None and found["at_most"] is not None:
        when = f" in at most {_plies(found['at_most'])}"
    if when and found["reason"].endswith(TO_CAPTURE):
        when = f": the winner's next capture, or the end, comes{when}"
    how = PROOFS.get(found["reason"], "")
    match found["value"]:
        case Outcome.WIN:
            return f"{mover} is to move and wins{when}{how}."
        case Outcome.LOSS:
            return f"{mover} is to move and loses{when}{how}."
        case Outcome.DRAW:
            end = "neither side can force more" if plies is None else f"the board is full after {_plies(plies)}"
            return f"{mover} is to move. With best play it is a draw: {end}."
    looks = f"; {lead_words(mover, found)}" if found["lead"] else ": no search reaches the end from here"
    return f"{mover} is to move. What this is worth is not known here{looks}."


def _winner(position: Position, found: dict[str, Any]) -> str:
    """The side that wins with best play, nothing where neither does or it is not known."""
    if found["value"] not in (Outcome.WIN, Outcome.LOSS):
        return ""
    return SIDES[position.turn if found["value"] == Outcome.WIN else 1 - position.turn].upper()


def _clicking(walk: Walk) -> Clicking:
    """The board, where every click leads to another step of the walk."""
    plain = replace(walk, part="", move=None)
    return Clicking(
        game=walk.game,
        position=walk.position,
        part=walk.part,
        after=plain.after,
        picking=lambda part: replace(plain, part=part).url(),
        trying=lambda name: replace(plain, part=walk.part).url(**{"try": name}),
        closed=walk.game.over(walk.position) is not None,
    )


def _boards(walk: Walk, clicking: Clicking, moves: list[dict[str, Any]], notes: dict[int, Note]) -> list[Markup]:
    game, shown = walk.game, clicking.shown
    words = {one["move"]: _worth(one) for one in moves}
    clicks = [_labelled(click, words) for click in clicking.clicks()]
    won = game.winning_rows(walk.position)
    last = walk.playing.moves[-1] if walk.playing.moves and not walk.part else None
    marks: Marks = clicking.marks()._replace(last=last, won=won)
    if is_large(game):
        return [draw_large(game, shown, clicks, notes, marks)]
    if walk.cube:
        return [draw_cube(game, shown, clicks, notes, marks, walk.rotation)]
    return draw_links(game, shown, clicks, notes, marks)


def _labelled(click: Click, words: dict[str, str]) -> Click:
    """A click that says what its best move is worth, and changes the part of this page."""
    known = next((found for move in click.moves if (found := words.get(move))), "")
    return click._replace(swap=PART, label=f"{click.label}; {known}" if known else click.label)


def _hidden(walk: Walk) -> list[tuple[str, str]]:
    """What a form of a large board has to send besides the point."""
    moves = ".".join(walk.game.write_move(move) for move in walk.playing.moves)
    start = walk.game.write(walk.playing.positions[0])
    return [("position", start), *([("moves", moves)] if moves else [])]


def _wrong(clicking: Clicking, tried: str, over: bool) -> str:
    """Why a click leads nowhere."""
    if not tried:
        return ""
    if tried not in clicking.game.layout.index:
        raise BadAddressError(f"try={tried[:20]!r} is not a point of this board: expected one, as b2")
    return "The game is over here: go a step back." if over else clicking.what_is_wrong(tried)


def _views(walk: Walk) -> list[Button]:
    """The other view, and both ways to rotate the cube."""
    if len(walk.game.layout.rows) == 1:
        return []
    if not walk.cube:
        return [Button("view", "Cube", walk.seen_as("cube").url(), "c")]
    left, right = (replace(walk, rotation=(walk.rotation + step) % 360).url() for step in (STEP, -STEP))
    return [
        Button("left", "Rotate left", left, "["),
        Button("right", "Rotate right", right, "]"),
        Button("view", "Four boards", walk.seen_as("boards").url(), "c"),
    ]


def _trail(walk: Walk) -> list[tuple[str, str]]:
    """The steps of the walk, the first of them where it began."""
    playing, count = walk.playing, len(walk.playing.moves)
    if not count:
        return []
    first = "start" if playing.positions[0] == walk.game.start() else "first"
    steps = [(first, walk.back(count).url())]
    for number, move in enumerate(playing.moves):
        side = SIDES[playing.positions[number].turn].upper()
        steps.append((f"{side} {walk.game.write_move(move)}", walk.back(count - number - 1).url()))
    return steps


def _set_up(walk: Walk) -> str:
    """Where this position can be changed."""
    return explore_url(walk.game.name, "edit", None, {"position": walk.game.write(walk.position)})


def _predecessors(game: Game, position: Position) -> Iterator[Position]:
    """Positions from which one move that captures nothing leads to this one; at most `MOST_BEFORE`."""
    mover = 1 - position.turn
    count = 0
    for point in members(position.stones[mover]):
        own = position.stones[mover] & ~(1 << point)
        hand = position.hand[mover]
        empty = members(game.layout.everywhere & ~position.occupied)
        for stones, left in [(own, hand + 1), *((own | 1 << source, hand) for source in empty)]:
            before = Position(
                (stones, position.stones[1]) if mover == 0 else (position.stones[0], stones),
                (left, position.hand[1]) if mover == 0 else (position.hand[0], left),
                mover,
            )
            if fault(game.layout, game.rules, before) is None and any(
                game.after(before, move) == position for move in game.moves(before)
            ):
                yield before
                count += 1
                if count == MOST_BEFORE:
                    return


def _before(game: Game, position: Position) -> tuple[str, Any]:
    picture = thumbnail(game, position) if len(game.layout) <= MOST_DRAWN else game.write(position)
    return explore_url(game.name, game.write(position)), picture


def _looked_up(reason: str) -> str:
    """Where a value is from, as a sentence, if it was looked up."""
    return f"{reason[0].upper()}{reason[1:].partition(';')[0]}." if reason.startswith("from ") else ""


def _plies(count: int) -> str:
    return "1 ply" if count == 1 else f"{count} plies"


def _worth(one: dict[str, Any]) -> str:
    """What a move is worth, in a word or five; a draw with its plies, too."""
    drawn = one["value"] == Outcome.DRAW and one["remoteness"] is not None
    return f"draw in {one['remoteness']}" if drawn else worth(one)


def _colour(value: str) -> str:
    """The class that colours a word about a value."""
    return "soft" if value == Outcome.UNKNOWN else value


def _notes(game: Game, position: Position, moves: list[dict[str, Any]]) -> dict[int, Note]:
    """On every point the best that moving there is worth, as W3, where that is known; else a dot for how it looks.

    The first in the list is best.
    """
    notes: dict[int, Note | None] = {}
    for one in moves:
        to = game.read_move(position, one["move"]).to
        if to is None or to in notes:
            continue
        if one["value"] == Outcome.UNKNOWN:
            notes[to] = dot(Look(one["look"])) if one["look"] else None
        else:
            plies = "" if one["remoteness"] is None else one["remoteness"]
            notes[to] = Note(f"{one['value'][0].upper()}{plies}", one["value"])
    return {to: note for to, note in notes.items() if note}


def _card(walk: Walk, one: dict[str, Any], draw: bool) -> Card:
    drawn = draw and len(walk.game.layout) <= MOST_DRAWN
    others = [move for move in one["alike"] if move != one["move"]]
    alike = f"alike: {', '.join(others)}" if 0 < len(others) <= NAMED_ALIKE else f"and {len(others)} alike"
    return Card(
        one["move"],
        alike if others else "",
        _colour(one["value"]),
        _worth(one),
        one["note"],
        walk.after(one["move"]),
        replace(walk, part="", move=one["move"]).url() + "#why",
        thumbnail(walk.game, walk.game.read(one["position"])) if drawn else "",
    )


def _film(walk: Walk, plies: list[dict[str, str]]) -> list[tuple[str, str, str, Any]]:
    """The line of best play: who moves, the move, where it leads, and a picture of small boards."""
    frames = []
    for ply in plies:
        side = SIDES[walk.position.turn].upper()
        walk = walk.then(ply["move"])
        picture = thumbnail(walk.game, walk.position) if len(walk.game.layout) <= MOST_DRAWN else ""
        frames.append((side, ply["move"], walk.url(), picture))
    return frames


def _twigs(walk: Walk, branches: list[dict[str, Any]]) -> list[Twig]:
    side = SIDES[walk.position.turn].upper()
    twigs = []
    for one in branches:
        then = walk.then(one["move"])
        plies = None if one["value"] == Outcome.DRAW else one["remoteness"]
        words = "" if plies is None else f"{one['value']} in {plies}"
        further = _twigs(then, one["branches"])
        twigs.append(Twig(side, one["move"], one["alike"], _colour(one["value"]), words, then.url(), further))
    return twigs


def _frame(game: Game, position: str) -> tuple[str, str, Any]:
    return position, explore_url(game.name, position), thumbnail(game, game.read(position))


def _play(game: Game, walk: Walk) -> str:
    """Where to play on from here."""
    opponent = usual_opponent()
    names = (Human.name, opponent) if walk.position.turn == 0 else (opponent, Human.name)
    return play_on_url(Playing.begin(game, walk.position), names)
