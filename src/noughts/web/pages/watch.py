"""Watch it think: a search of a position of one's choice, a step at a time.

    /watch                                                              a small position, alpha-beta, the first step
    /watch?game=tictactoe&position=XOX/.O./...&how=minimax&step=17      any step of any search, to link to
    /watch?game=tictactoe&position=XOX/OOX/...&how=figure1&first=c3     with a move that is tried before the others
    /watch.svg?…                                                        the tree at the end, as a file, if it is small
    /watch?game=achi&step=3                                             where stones move: the third wave

A page is a function of its address. The search itself is worked out beside the server (`watch_runs`), if it is not
very small, and comes as a whole; what it shows of a step is drawn here (`watch_tree`), and where few positions can
follow as a tree of boards with letters, as `noughts watch --svg` draws it (`draw_tree`). A search of more than
`MOST_STEPS` steps is not shown: the page says how many there are, and what to do.
"""

from functools import lru_cache
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote, urlencode

from cachetools import LRUCache
from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from markupsafe import Markup

from noughts.games import SIDES, Game, Outcome, Position
from noughts.games import game as find_game
from noughts.insight.searching import (
    How,
    Run,
    StepKind,
    Wave,
    explain,
    find_how,
    game_tree,
    has_waves,
    hows_of,
    in_order,
    is_drawn,
    program,
    search,
    tree_file,
)
from noughts.players import name_of
from noughts.web.asking.thinker import Question
from noughts.web.asking.thinking import BusyError, StillThinkingError, Thinking
from noughts.web.boards.thumbnails import Link, in_words, inline, picture_of, thumbnail
from noughts.web.limits import PICTURE_POLICY
from noughts.web.pages.watch_runs import (
    CHIPS,
    MOST_STEPS,
    Cost,
    Overview,
    check_watched,
    is_small,
    read_steps,
    search_costs,
    search_steps,
    wave_overview,
)
from noughts.web.pages.watch_tree import draw_lettered, draw_line, draw_whole
from noughts.web.rendering import page
from noughts.web.sitting import GAMES, SAFE, BadAddressError, explore_url

__all__ = ["router", "watch_url"]

router = APIRouter(include_in_schema=False)

USUAL = "alpha-beta"
SAMPLES = {"tictactoe": "XOX/.O./...", "square4": "XOXO/OXOX/O.../X..."}
"""Positions to begin with, whose trees are small; of other games the start."""
KEPT = {"Cache-Control": "public, max-age=300"}
UNFINISHED = {"Cache-Control": "no-store", "Refresh": "1", "Retry-After": "1"}
LONGEST = 100
STEPS_KEPT = 60_000
"""Steps of all searches together that the server has at hand."""
FAR, FURTHER = 10, 100

_runs: LRUCache[tuple[str, str, str, str], Run] = LRUCache(STEPS_KEPT, getsizeof=lambda run: len(run.steps))

GameName = Annotated[str, Query(alias="game", max_length=LONGEST)]
PositionText = Annotated[str, Query(max_length=LONGEST)]
HowName = Annotated[str, Query(max_length=20)]
StepNumber = Annotated[int, Query(ge=0, le=MOST_STEPS)]


class Watched(NamedTuple):
    """What is watched, as the address has it."""

    game: Game
    position: Position
    how: str
    """Empty where stones move: then there are waves."""
    first: str = ""
    """A move that is tried before the others."""

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Game, position, search and first move as they are written."""
        return self.game.name, self.game.write(self.position), self.how, self.first

    def url(self, step: int = 0) -> str:
        """The address of a step."""
        return watch_url(self.game, self.position, self.how, step, self.first)


def watch_url(game: Game, position: Position, how: str = "", step: int = 0, first: str = "") -> str:
    """The page that shows a step of a search."""
    query: dict[str, str | int] = {"game": game.name, "position": game.write(position)}
    query |= {"how": how} if how else {}
    query |= {"first": first} if first else {}
    query |= {"step": step} if step else {}
    return f"/watch?{urlencode(query, safe=SAFE)}"


@router.get("/watch")
async def watch(
    request: Request,
    name: GameName = "tictactoe",
    position: PositionText = "",
    how: HowName = "",
    first: HowName = "",
    step: StepNumber = 0,
) -> Response:
    """A step of a search."""
    watched = _watched(name, position, how, first)
    if not watched.how:
        return await _waves(request, watched, step)
    return await _search(request, watched, find_how(watched.how), step)


@router.get("/watch.svg")
def picture(
    name: GameName = "tictactoe", position: PositionText = "", how: HowName = "", first: HowName = ""
) -> Response:
    """The whole tree of a search that is done, as a file."""
    watched = _watched(name, position, how, first)
    game, here = watched.game, watched.position
    if not watched.how:
        raise BadAddressError(f"{game.title} has no tree to draw: expected a game as tictactoe")
    game_tree(game, here)  # or it is too large, and not searched either
    asked = find_how(watched.how)
    run = Run(game, asked, list(search(in_order(game, here, watched.first), here, asked)))
    headers = {**KEPT, "Content-Security-Policy": PICTURE_POLICY}
    return Response(tree_file(run, watched.first), media_type="image/svg+xml", headers=headers)


def _watched(name: str, position: str, how: str, first: str) -> Watched:
    """What an address means."""
    game = find_game(name)
    check_watched(game)
    text = position.strip() or SAMPLES.get(game.name)
    here = game.read(text) if text else game.start()
    if has_waves(game):
        return Watched(game, here, "")
    asked = find_how(how or USUAL)
    if asked not in hows_of(game):
        names = ", ".join(one.name for one in hows_of(game))
        raise BadAddressError(f"{asked.name!r} does not search {game.title}: expected {names}")
    return Watched(game, here, asked.name, game.write_move(game.read_move(here, first)) if first else "")


async def _search(request: Request, watched: Watched, how: How, step: int) -> Response:
    """A search forward."""
    run, waits = await _run(request, watched, how)
    costs, costs_wait = await _soon(request, watched, search_costs, *watched.key[:2], watched.first)
    if run and step >= len(run.steps):
        raise BadAddressError(f"step {step} is behind the search: expected 0 to {len(run.steps) - 1}")
    return page(
        request,
        "watch.html",
        status=202 if waits or costs_wait else 200,
        headers=UNFINISHED if waits or costs_wait else KEPT,
        run=run,
        waiting=waits,
        how=how,
        hows=_things(watched, costs or []),
        rows=_rows(watched, costs or []),
        counting=costs_wait,
        too_long=_too_long(how, costs or []),
        **_common(watched),
        **(_shown(watched, run, step) if run else {}),
    )


def _shown(watched: Watched, run: Run, step: int) -> dict[str, Any]:
    """What the page shows of one step."""
    here = run.steps[step]
    kinds = [one.kind for one in run.steps[: step + 1]]
    return {
        "step": step,
        "last": len(run.steps) - 1,
        "kind": here.kind.value,
        "sentence": explain(run.game, run.how, here, run.steps[step - 1] if step else None),
        "so_far": {
            "visited": sum(kind not in (StepKind.CUT, StepKind.RETURN) for kind in kinds),
            "cut_offs": kinds.count(StepKind.CUT),
            "looked_up": kinds.count(StepKind.TABLE) + kinds.count(StepKind.IMAGE),
        },
        "line": draw_line(run, step),
        "tree": draw_lettered(run, step),
        "file": watched.url().replace("/watch?", "/watch.svg?"),
        "whole": draw_whole(run, step),
        "firsts": _firsts(watched, run),
        "positions": len(run.visits),
        "program": [{"text": line.text, "now": here.kind in line.kinds} for line in program(run.how)],
        "steps": _links(watched, step, len(run.steps) - 1, run),
        "slider": watched,
    }


def _firsts(watched: Watched, run: Run) -> list[dict[str, Any]]:
    """The order of moves, where it matters and there are few: as the points are, or one before the others."""
    if not run.how.cuts or not is_drawn(run.game, watched.position):
        return []
    moves = ["", *(run.game.write_move(move) for move in run.game.moves(watched.position))]
    return [
        {"text": move or "as they stand", "url": watched._replace(first=move).url(), "here": move == watched.first}
        for move in moves
    ]


def _links(watched: Watched, step: int, last: int, run: Run | None) -> list[dict[str, Any]]:
    """Where the links of a step lead: nowhere if that is not a step."""
    goals = [
        ("first", "first", "first step", 0),
        ("back10", f"−{FAR}", "ten steps back", step - FAR),
        ("back", "−1", "one step back", step - 1),
        ("on", "+1", "one step on", step + 1),
        ("on10", f"+{FAR}", "ten steps on", step + FAR),
        ("last", "end", "to the end", last),
    ]
    if run is None:  # a few waves
        goals = [goal for goal in goals if not goal[0].endswith("10")]
    elif run.how.cuts:
        goals.append(("reply", "next cut-off", "to the next cut-off", _next(run.cuts, step)))
    if run and run.how.table:
        goals.append(("hit", "next look-up", "to the next position that is looked up", _next(run.hits, step)))
    goals.append(("on100", "", "", step + FURTHER))  # not shown: the script presses it
    return [
        {"key": key, "text": text, "label": label, "url": watched.url(to) if 0 <= to <= last and to != step else ""}
        for key, text, label, to in goals
    ]


def _next(steps: list[int], step: int) -> int:
    """The first of some steps that comes after one; that one itself if none does."""
    return next((one for one in steps if one > step), step)


async def _run(request: Request, watched: Watched, how: How) -> tuple[Run | None, bool]:
    """The search, unless it is too long or not there yet; and whether it is worth coming back for it."""
    known = _runs.get(watched.key)
    if known:
        return known, False
    answer, waits = await _soon(request, watched, search_steps, *watched.key)
    steps = read_steps(answer) if answer else None
    if steps is None:
        return None, waits
    run = Run(watched.game, how, steps)
    _runs[watched.key] = run
    return run, False


async def _soon(request: Request, watched: Watched, question: Question, *arguments: str) -> tuple[Any, bool]:
    """An answer, or nothing and whether to come again; of a small position the answer, always."""
    if is_small(watched.game, watched.position):
        return _at_once(question, *arguments), False
    thinking: Thinking = request.app.state.thinking
    try:
        return await thinking.ask(question, *arguments, patience=request.app.state.settings.glance), False
    except (StillThinkingError, BusyError):
        return None, True


@lru_cache(128)
def _at_once(question: Question, *arguments: str) -> Any:
    """An answer that takes less time than asking somebody else."""
    return question(*arguments)


def _common(watched: Watched) -> dict[str, Any]:
    """The choice of game and position."""
    game, here = watched.game, watched.position
    after = {move: game.after(here, move) for move in game.moves(here) if move.to is not None and move.source is None}
    links = {
        move.to: Link(
            watched._replace(position=then, first="").url(),
            f"put {SIDES[here.turn].upper()} on {game.write_move(move)}",
        )
        for move, then in after.items()
        if move.to is not None
    }
    watchable = []
    for name, words in GAMES.items():
        offered = find_game(name)
        if has_waves(offered) or name in SAMPLES:
            watchable.append((name, words.title))
    return {
        "watched": watched,
        "game": game,
        "games": watchable,
        "position": game.write(here),
        "turn": SIDES[here.turn].upper(),
        "over": game.over(here) is not None,
        "board": inline(picture_of(game, here, links=links), in_words(game, here), "large", role="group"),
        "start": watched._replace(position=game.start(), first="").url(),
        "is_start": here == game.start(),
        "explore": explore_url(game.name, game.write(here)),
    }


def _rows(watched: Watched, costs: list[Cost]) -> list[dict[str, Any]]:
    """The table of counts: a search a row, and the chips that search alike."""
    counts = {cost.how: cost.counts for cost in costs}
    rows = []
    for cost in costs:
        chip = cost.cycles is not None
        like = CHIPS.get(cost.how, cost.how)
        found = counts.get(like)
        rows.append(
            {
                "title": name_of(cost.how) if chip else find_how(cost.how).title,
                "url": _chip_url(cost) if chip else watched._replace(how=cost.how).url(),
                "here": cost.how == watched.how,
                "counts": found,
                "cycles": cost.cycles,
                "watchable": chip or (found is not None and found.steps <= MOST_STEPS),
                "like": find_how(like).title if chip else "",
            }
        )
    return rows


def _things(watched: Watched, costs: list[Cost]) -> list[dict[str, Any]]:
    """What there is to watch: the searches, and the chips, whose pages are elsewhere."""
    things = [
        {"title": one.short, "url": watched._replace(how=one.name).url(), "here": one.name == watched.how}
        for one in hows_of(watched.game)
    ]
    chips = [cost for cost in costs if cost.cycles is not None and ":" not in cost.how]
    return things + [{"title": name_of(cost.how), "url": _chip_url(cost), "here": False} for cost in chips]


def _chip_url(cost: Cost) -> str:
    """The page of a chip, with the game that has led here if it plays such."""
    return f"/silicon/{quote(cost.how, safe='')}" + (f"?moves={cost.moves}" if cost.moves else "")


def _too_long(how: How, costs: list[Cost]) -> str:
    """Why a search is not shown, in words."""
    found = next((cost.counts for cost in costs if cost.how == how.name), None)
    if found and found.steps <= MOST_STEPS:
        return ""
    many = f"{found.visited:,} positions" if found else "more positions than are counted here"
    return f"{how.title} visits {many} from here: too many to watch one by one."


async def _waves(request: Request, watched: Watched, step: int) -> Response:
    """The waves of a game in which stones move."""
    overview, _ = await _soon(request, watched, wave_overview, *watched.key[:2])
    values: dict[str, Any] = _common(watched)
    if overview is None:
        return page(request, "waves.html", status=202, headers=UNFINISHED, overview=None, **values)
    last = len(overview.waves.waves) - 1
    if step > last:
        raise BadAddressError(f"step {step} is behind the last wave: expected 0 to {last}")
    wave: Wave = overview.waves.waves[step]
    return page(
        request,
        "waves.html",
        headers=KEPT,
        overview=overview,
        wave=wave,
        step=step,
        last=last,
        sentence=_wave_words(overview, step),
        own=_own_words(watched, overview),
        bars=_bars(watched, overview, step),
        examples=[_example(watched, one) for one in wave.examples],
        decided=sum(one.size for one in overview.waves.waves[: step + 1]),
        steps=_links(watched, step, last, None),
        slider=watched,
        **values,
    )


def _wave_words(overview: Overview, step: int) -> str:
    """What a wave is, as a sentence or two."""
    wave = overview.waves.waves[step]
    if wave.plies == 0:
        why = "The end, where the analysis begins: the player to move has lost."
    elif wave.outcome is Outcome.WIN:
        why = f"A move leads to a position that wave {wave.plies - 1} has found lost: a win in {_plies(wave.plies)}."
    else:
        last = f"the last of them in wave {wave.plies - 1}"
        why = f"Every move leads to a position found won before, {last}: a loss in {_plies(wave.plies)}."
    return f"{why} There are {wave.size:,} such positions, {wave.classes:,} but for symmetry."


def _plies(count: int) -> str:
    return "1 ply" if count == 1 else f"{count} plies"


def _own_words(watched: Watched, overview: Overview) -> str:
    """What becomes of the position of one's choice."""
    here = "The start" if watched.position == watched.game.start() else "Your position"
    if overview.own is None:
        return f"{here} is in no wave: nobody can force a win, a draw."
    who = watched.position.turn if overview.own % 2 else 1 - watched.position.turn
    return f"{here} is in wave {overview.own}: {SIDES[who].upper()} wins."


def _bars(watched: Watched, overview: Overview, step: int) -> list[dict[str, Any]]:
    """All waves as a chart; those that are still to come stay empty."""
    most = max(wave.size for wave in overview.waves.waves)
    return [
        {
            "plies": wave.plies,
            "outcome": wave.outcome.value,
            "size": wave.size,
            "width": round(100 * wave.size / most, 2),
            "url": watched.url(number),
            "seen": number <= step,
            "here": number == step,
        }
        for number, wave in enumerate(overview.waves.waves)
    ]


def _example(watched: Watched, position: Position) -> tuple[str, Markup]:
    """A position of a wave, and its page."""
    game = watched.game
    return explore_url(game.name, game.write(position)), thumbnail(game, position)
