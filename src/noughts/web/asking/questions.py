"""What is asked of Noughts on the web, as functions of plain values: they run in the server or in a process beside it.

The answers are plain values too, ready for JSON and for a template: what a position is worth, why a move is good, what
a machine replies, and what Explore shows besides (`aspects`: the line of best play, symmetric positions, Knuth's
score).

**What the web may cost.** On a command line somebody may wait for a game of 20 cells to be solved, 12 seconds and a
gigabyte; one of many visitors may not. Here only games of up to `MOST_CELLS` cells are solved, which takes a second or
two and less than 300 MB. While a question is answered, larger ones count as not solvable, for everybody who takes
part: the engine looks at them, as in any game too large to solve, for a fixed number of positions (`USUAL`), and they
are `unknown` where it does not see the end; `perfect` does not play them.
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from enum import Enum
from functools import lru_cache
from time import perf_counter
from typing import Any

from noughts.games import Game, IllegalPositionError, NoughtsError, Outcome, Position
from noughts.games import game as find_game
from noughts.games.playing import REPETITIONS, Playing
from noughts.games.symmetry import TooManySymmetriesError
from noughts.insight.choices import MOST_POINTS, Branch, tree
from noughts.insight.choices import choices as find_choices
from noughts.insight.knuth import classes, hexadecimal, in_words, opinion
from noughts.insight.plots import opening_map, rank_chart
from noughts.insight.puzzles import judge
from noughts.insight.reasons import why
from noughts.insight.review import Ply, look_at
from noughts.players import player
from noughts.solve import UNKNOWN, USUAL, Answer, Extent, Rated, Source, knowledge, solve
from noughts.solve.difficulty import MOST_CELLS as MOST_APPRAISED
from noughts.solve.small import solvable, solving_at_most

__all__ = [
    "LONGEST_LINE",
    "MOST_CELLS",
    "Effort",
    "analysis",
    "aspects",
    "choices",
    "effort",
    "judgement",
    "knuth_classes",
    "knuth_pictures",
    "reasons",
    "reply",
    "reviewed",
    "warm_up",
    "web_sized",
]

MOST_CELLS = 16
"""Of a placing game that the web solves; the moving games that are solvable at all are small."""
QUICK_POINTS = 12
"""Of a game whose questions are all quick: the largest of them is solved in a quarter of a second."""
AT_HAND = "tictactoe"
"""The game that is solved in milliseconds, and asked about most."""


class Effort(Enum):
    """How much work a question is."""

    NONE = "less than a millisecond"
    QUICK = "a fraction of a second"
    LONG = "seconds, or who knows"


@contextmanager
def web_sized() -> Iterator[None]:
    """Meanwhile, games larger than the web affords count as not solvable."""
    with solving_at_most(MOST_CELLS):
        yield


@web_sized()
def analysis(name: str, position: str) -> dict[str, Any]:
    """What a position is worth, and every move, best first."""
    game = find_game(name)
    here = game.read(position)
    found = knowledge(game).ask(here)
    return {
        "game": game.name,
        "position": game.write(here),
        "value": found.value.outcome.value,
        "remoteness": found.value.remoteness,
        "reason": found.reason,
        "threats": [game.layout.points[point] for point in found.threats],
        "surety": found.surety.name.lower(),
        "depth": found.depth,
        "at_most": found.at_most,
        "estimate": found.estimate,
        "lead": None if found.lead is None else found.lead.value,
        "moves": [_rated(game, rated) for rated in found.moves],
    }


def _rated(game: Game, rated: Rated) -> dict[str, Any]:
    """A move and what it is worth."""
    return {
        "move": game.write_move(rated.move),
        "value": rated.value.outcome.value,
        "remoteness": rated.value.remoteness,
        "position": game.write(rated.position),
        "at_most": rated.at_most,
        "estimate": rated.estimate if rated.value == UNKNOWN else None,
        "look": None if rated.look is None else rated.look.value,
    }


@web_sized()
def reasons(name: str, position: str, move: str) -> dict[str, Any]:
    """Why a move is good or bad."""
    game = find_game(name)
    here = game.read(position)
    chosen = game.read_move(here, move)
    reason = why(game, here, chosen)
    answer = {"game": game.name, "position": game.write(here), "move": game.write_move(chosen)}
    return answer | {
        "kind": reason.kind,
        "words": reason.words,
        "chain": [game.write_move(one) for one in reason.chain],
        "holding": None if reason.hardness is None else reason.hardness.holding,
        "replies": None if reason.hardness is None else reason.hardness.moves,
    }


@web_sized()
def judgement(name: str, position: str, move: str) -> dict[str, Any]:
    """Whether a move keeps what a position is worth, why, and the best answer to it (`noughts.insight.puzzles`)."""
    game = find_game(name)
    here = game.read(position)
    found = judge(game, here, game.read_move(here, move))
    return {
        "keeps": found.keeps,
        "words": found.words,
        "reply": None if found.reply is None else game.write_move(found.reply),
        "plies": found.plies,
        "made": found.made,
    }


@web_sized()
def reply(name: str, machine: str, start: str, moves: tuple[str, ...], seed: int) -> dict[str, Any]:
    """The move of a player after these moves from a position, and what it cost."""
    game = find_game(name)
    playing = Playing.begin(game, game.read(start))
    for text in moves:
        playing = playing.then(game.read_move(playing.position, text))
    if not game.moves(playing.position):
        text = game.write(playing.position)
        raise IllegalPositionError(f"{text!r} is over: expected a position with a move to make")
    who = player(machine, seed)
    who.check(game)
    began = perf_counter()
    choice = who.reply(playing)
    after = game.after(playing.position, choice.move)
    return {
        "game": game.name,
        "position": game.write(playing.position),
        "player": machine,
        "move": game.write_move(choice.move),
        "result_position": game.write(after),
        "nodes": choice.nodes,
        "cycles": choice.cycles,
        "statements": choice.statements,
        "remark": choice.remark,
        "seconds": round(perf_counter() - began, 6),
    }


REVIEWING = USUAL._replace(nodes=30_000)
"""What the engine may spend on each move of a review: a twentieth of a second, so that a game is there in seconds."""


@web_sized()
def reviewed(name: str, position: str, move: str, often: tuple[str, ...]) -> Ply:
    """What there is to say of a move of a game, where these positions have come up twice already."""
    game = find_game(name)
    here = game.read(position)
    history = [game.read(text) for text in often for _ in range(REPETITIONS - 1)]
    return look_at(game, here, game.read_move(here, move), history, REVIEWING)


@web_sized()
def choices(name: str, position: str) -> list[dict[str, Any]]:
    """What there is to choose from: moves as `analysis` has them, those alike as one, with what is special of each."""
    game = find_game(name)
    here = game.read(position)
    return [
        {
            **_rated(game, one.rated),
            "alike": [game.write_move(move) for move in one.alike],
            "note": one.note,
            "holding": None if one.hardness is None else one.hardness.holding,
            "replies": None if one.hardness is None else one.hardness.moves,
        }
        for one in find_choices(game, here, knowledge(game).ask(here))
    ]


def warm_up() -> None:
    """Have ready what is asked most; the first question after this finds it."""
    solve(find_game(AT_HAND))


def effort(question: Callable[..., Any], arguments: tuple[Hashable, ...]) -> Effort:
    """How much work a question is, judged by the game it is about, which comes first in its arguments."""
    about = arguments[0] if arguments else None
    if about == AT_HAND and question in (analysis, choices, reasons, judgement, reviewed):
        return Effort.NONE
    points = _points(about) if isinstance(about, str) else 0
    if question is reviewed and points and not _to_be_solved(str(about)):
        return Effort.QUICK
    return Effort.QUICK if 1 <= points <= QUICK_POINTS else Effort.LONG


@lru_cache(1_000)
def _to_be_solved(game: str) -> bool:
    """Whether a game is solved here before anything is said of it."""
    with web_sized():
        return solvable(find_game(game))


@lru_cache(1_000)
def _points(game: str) -> int:
    """The points of a game's board; 0 if there is no such game."""
    try:
        return len(find_game(game).layout)
    except NoughtsError:
        return 0


LONGEST_LINE = 60
QUICK = USUAL._replace(nodes=20_000)
"""What the engine may spend on each ply of a line that a proof knows."""
WIDTHS, PROOF_WIDTHS = (3, 3, 2), (1, 2, 1)
"""How wide the tree of best lines is, ply by ply."""
MOST_IMAGES = 8


@web_sized()
def aspects(name: str, position: str) -> dict[str, Any]:
    """Everything there is to say of a position besides its value and the values of its moves."""
    game = find_game(name)
    here = game.read(position)
    return {
        "line": _best_line(game, here),
        "tree": _tree(game, here),
        "images": _images(game, here),
        "knuth": _knuth(game, here),
    }


def knuth_classes() -> list[dict[str, Any]]:
    """Knuth's classes of tic-tac-toe in his order: the leader, score and digits of the difficulty, size."""
    game = find_game(AT_HAND)
    return [
        {
            "position": game.write(one.leader.position),
            "score": one.appraisal.score,
            "digits": list(one.appraisal.digits),
            "size": one.size,
        }
        for one in classes()
    ]


def knuth_pictures() -> dict[str, list[Any]]:
    """Two pictures of all of tic-tac-toe, each as the fields of a `Picture`."""
    return {"openings": list(opening_map()), "ranks": list(rank_chart())}


def _best_line(game: Game, position: Position) -> dict[str, Any]:
    """Best moves one after the other, to the end or as far as they are known.

    Where a position is lost for certain every move is as good as another, even if nothing is known of each of them.
    """
    known = knowledge(game)
    if known.extent is Extent.WINNER:
        found = known.ask(position, effort=QUICK)
        if found.source is Source.PROOF:
            return _proved_line(game, position)
    plies: list[dict[str, str]] = []
    seen = {position}
    while len(plies) < LONGEST_LINE:
        found = known.ask(position, effort=QUICK if known.extent is Extent.WINNER else USUAL)
        if not found.moves:
            return {"plies": plies, "end": "over"}
        best = _best(found.moves)
        if best.value.outcome is Outcome.UNKNOWN and found.value.outcome is not Outcome.LOSS:
            return {"plies": plies, "end": "unknown"}
        position = best.position
        plies.append({"move": game.write_move(best.move), "position": game.write(position)})
        if position in seen:
            return {"plies": plies, "end": "again"}
        seen.add(position)
    return {"plies": plies, "end": "long"}


def _proved_line(game: Game, position: Position) -> dict[str, Any]:
    """A line from a position that is proved to be won or lost, to its end.

    A proof goes on after every answer, so nothing need be proved again on the way: the winner plays what the proof has,
    and the loser what a short search takes for best.
    """
    plies: list[dict[str, str]] = []
    while game.over(position) is None:
        move = knowledge(game).best(position, effort=QUICK)[0]
        position = game.after(position, move)
        plies.append({"move": game.write_move(move), "position": game.write(position)})
    return {"plies": plies, "end": "over"}


def _best(moves: list[Rated]) -> Rated:
    """The first of the best; a win in sight before one of unknown length, a loss of unknown length before one in sight.

    Where the length is unknown (at Qubic) it is more than the little that can be seen at a glance.
    """
    outcome = moves[0].value.outcome
    in_sight = outcome is Outcome.WIN
    alike = [rated for rated in moves if rated.value.outcome is outcome]
    return next((rated for rated in alike if (rated.value.remoteness is not None) is in_sight), moves[0])


def _tree(game: Game, position: Position) -> list[dict[str, Any]]:
    """The tree of the best lines, each branch a move, what it is worth, how many are alike, and how it goes on.

    It grows where values are known without a search. A proof has one move for the winner, and is asked with little
    effort about a few answers to it.
    """
    known = knowledge(game)
    proved = known.extent is Extent.WINNER

    def ask(position: Position) -> Answer | None:
        if game.over(position) is not None:
            return None
        return known.ask(position, effort=QUICK) if proved else known.at_sight(position)

    def plain(branch: Branch) -> dict[str, Any]:
        return {
            "move": game.write_move(branch.rated.move),
            "value": branch.rated.value.outcome.value,
            "remoteness": branch.rated.value.remoteness,
            "alike": branch.alike,
            "branches": [plain(one) for one in branch.branches],
        }

    return [plain(branch) for branch in tree(game, position, ask, PROOF_WIDTHS if proved else WIDTHS)]


def _images(game: Game, position: Position) -> dict[str, Any] | None:
    """The position through the symmetries of the board: how many differ, and some of them, the standard one first.

    None for boards so large that looking for their symmetries takes long, or that have too many to list.
    """
    if len(game.layout) > MOST_POINTS:
        return None
    try:
        symmetries = game.symmetries
    except TooManySymmetriesError:
        return None
    images = sorted(game.images(position))
    return {
        "symmetries": len(symmetries),
        "count": len(images),
        "shown": [game.write(image) for image in images[:MOST_IMAGES]],
    }


def _knuth(game: Game, position: Position) -> dict[str, Any] | None:
    """Score, difficulty and what they mean; None where they are not defined."""
    if not game.placing_only or len(game.layout) > MOST_APPRAISED:
        return None
    found = opinion(position, game)
    return {
        "score": found.appraisal.score,
        "difficulty": hexadecimal(found.appraisal),
        "words": in_words(found.appraisal, position.occupied.bit_count()),
        "followers": [game.write(follower) for follower in found.followers],
    }
