"""Write what is known of the games into their pages, and the table of all games: `python docs/make_games.py` (seconds).

Every kind of the catalogue has a page, games/NAME.md. Between two marks stand its facts: the board, what perfect play
gives, how many positions there are and how they come out, what every first move is worth, what there is to do with it
here. Values are asked of the same sources as all answers of Noughts, in this order:

1. the whole solution, of games that are solved in memory;
2. the book or the table, of the morris games. Those with five, six and seven men are solved here for that. Nine men's
   morris takes an hour, so its counts are read from morris.json, where they were put when it was solved;
3. the proof, of Qubic.

Of a family of boards (`mnk`) a few small ones stand there instead, each solved whole. Moves that a symmetry makes alike
are one, as in `noughts.insight.choices`.
"""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from noughts.games import Game, Move, Outcome, Position, game
from noughts.games.catalogue import KINDS, LARGEST_SIDE, Kind
from noughts.games.numbers import counted
from noughts.games.rules import Movement
from noughts.insight.choices import alike
from noughts.insight.lessons import lessons
from noughts.insight.puzzles import games_with_puzzles, puzzles_of
from noughts.players.catalogue import PLAYERS
from noughts.players.player import CannotPlayError, Player
from noughts.solve import UNKNOWN, Rated, Subspace, Value, knowledge, solve
from noughts.solve.small import solvable
from noughts.solve.tables import VARIABLE, has_tables, table_folder, table_for

DOCS = Path(__file__).parent
BEGIN, END = "<!-- facts: made by docs/make_games.py -->\n", "<!-- end of facts -->\n"
OVERVIEW = DOCS / "games.md"
MORRIS = DOCS / "morris.json"
SMALL = ((4, 3, 3), (5, 3, 3), (4, 4, 3), (8, 2, 3))
"""Boards of a family that are solved in a second."""
TABLED = ("five-mens-morris", "six-mens-morris", "seven-mens-morris")
"""The morris games that are solved whole in a moment."""
COUNTED = ("nine-mens-morris", "lasker-morris", "eleven-mens-morris", "twelve-mens-morris", "morabaraba")
"""The games too large for that: morris.json has their counts."""


def page_of(kind: Kind) -> Path:
    """The page of a game."""
    return DOCS / "games" / f"{kind.base}.md"


def facts(kind: Kind) -> str:
    """What stands between the marks on the page of a game."""
    if kind.sizes:
        return _family(kind)
    rules = game(kind.name)
    layout = rules.layout
    rows = "mills" if rules.rules.captures else "rows"
    rated = known_moves(rules, rules.start())
    groups = _grouped(rules, rules.start(), rated)
    pairs = [
        ("board", f"{len(layout)} points, {len(layout.lines)} {rows}, {len(rules.symmetries)} symmetries"),
        ("stones", _stones(rules)),
        ("with best play", f"**{_best_play(rated, captures=rules.rules.captures)}**"),
        *_counts(rules),
        ("first moves", f"{len(rated)}, of which {counted(len(groups))} differ"),
        *_here(rules),
    ]
    lines = ["| | |", "|---|---|", *(f"| {name} | {said} |" for name, said in pairs), ""]
    lines += ["| first move | alike | worth to X | best replies |", "|---|--:|---|---|"]
    for group in groups:
        first = group[0]
        after = known_moves(rules, first.position)
        replies = _replies(rules, first.position, after)
        lines.append(f"| `{rules.write_move(first.move)}` | {len(group)} | {words(first.value)} | {replies} |")
    return "\n".join([*lines, "", "[How to read this](../games.md#the-facts-on-the-pages)", ""])


def overview() -> str:
    """The table of all games."""
    heads = ["| game | with best play | board | stones | a row | afterwards |", "|---|---|---|---|---|---|"]
    return "\n".join([*heads, *map(line_about, KINDS), ""])


def line_about(kind: Kind) -> str:
    """A game's line in the table of all."""
    rules = game(kind.example)
    played = rules.rules
    rows = f"{len(rules.layout.lines)} {'mills' if played.captures else 'rows'}"
    board, length = f"{len(rules.layout)} points, {rows}", str(len(rules.layout.lines[0]))
    if kind.sizes:
        board, length = f"M columns, N rows, each up to {LARGEST_SIDE}", "K or more"
    row = "captures a stone" if played.captures else f"of {length} wins"
    moves = {Movement.NONE: "", Movement.SLIDE: "stones slide", Movement.JUMP: "stones jump"}[played.movement]
    moves += ", or instead of placing" if played.moving_while_placing else ""
    moves += f"; {counted(played.flying)} fly" if played.flying else ""
    worth = (
        "by its size" if kind.sizes else _best_play(known_moves(rules, rules.start()), captures=rules.rules.captures)
    )
    cells = [f"[{kind.title}](games/{kind.base}.md) `{kind.name}`", worth, board, _stones(rules), row, moves]
    return f"| {' | '.join(cells)} |"


def words(value: Value) -> str:
    """A value, for people: a draw has no length worth telling."""
    if value == UNKNOWN:
        return "not known"
    return str(value.outcome) if value.outcome is Outcome.DRAW else str(value)


def known_moves(rules: Game, position: Position) -> list[Rated]:
    """What is known of the moves of a position without a search; unknown where nothing is."""
    answer = knowledge(rules).at_sight(position)
    if answer is not None:
        return answer.moves
    if rules.name == "qubic":
        from noughts.solve.qubic.known import examine, rate_moves  # noqa: PLC0415  loads the compiler

        found = examine(rules, position).value
        rated = rate_moves(rules, position, found.outcome is Outcome.WIN)
        # Whoever has lost has lost whatever he plays.
        return [one._replace(value=Value(Outcome.LOSS)) if found.outcome is Outcome.LOSS else one for one in rated]
    return [Rated(move, UNKNOWN, rules.after(position, move)) for move in rules.moves(position)]


def _best_play(rated: Sequence[Rated], *, captures: bool = False) -> str:
    value = rated[0].value
    who = {Outcome.WIN: "the first player wins", Outcome.LOSS: "the second player wins", Outcome.DRAW: "a draw"}
    plies = "" if value.remoteness is None or value.outcome is Outcome.DRAW else f", in {value.remoteness} plies"
    if plies and captures:
        plies = f", the first capture in {value.remoteness} plies"
    return who.get(value.outcome, "not known") + plies


def _stones(rules: Game) -> str:
    x, o = rules.rules.stones
    return "until full" if x + o == len(rules.layout) and rules.placing_only else f"{counted(x)} each"


def _grouped(rules: Game, position: Position, rated: Sequence[Rated]) -> list[list[Rated]]:
    """Moves that are alike, best first; of each group the first is shown."""
    by_move = {one.move: one for one in rated}
    return [[by_move[move] for move in group] for group in alike(rules, position, by_move)]


def _replies(rules: Game, position: Position, rated: Sequence[Rated]) -> str:
    """The best replies, of those alike the first in the order of the points, and how many are as good."""
    if rated[0].value == UNKNOWN:
        return ""
    best = [one.move for one in rated if one.value.preference() == rated[0].value.preference()]
    if len(best) == len(rated):
        return "any"
    shown = sorted((min(group, key=_order) for group in alike(rules, position, best)), key=_order)
    return f"{', '.join(f'`{rules.write_move(move)}`' for move in shown)} ({len(best)} of {len(rated)})"


def _order(move: Move) -> int:
    return -1 if move.to is None else move.to


def _counts(rules: Game) -> list[tuple[str, str]]:
    """How many positions there are, how they come out for the side to move, and the longest win."""
    if solvable(rules):
        return _counted("positions", solve(rules).subspaces, "plies")
    known = table_for(rules) if has_tables(rules) else None
    if known is None and rules.name not in COUNTED:
        return []
    unit = "plies to the next capture"
    if known is not None:
        from noughts.solve.store import Store  # noqa: PLC0415  loads Zarr

        return _counted("positions", Store.open(table_folder(rules)).rows(), unit)
    told = json.loads(MORRIS.read_text(encoding="utf-8"))
    fields = {"slots": 0, "seconds": 0.0}
    rows = [Subspace(**fields, **dict(zip(told["fields"], row, strict=True))) for row in told["games"][rules.name]]
    return _counted("positions", rows, unit)


def _counted(name: str, rows: Sequence[Subspace], unit: str) -> list[tuple[str, str]]:
    positions, wins, draws, losses = (
        sum(getattr(row, count) for row in rows) for count in ("positions", "wins", "draws", "losses")
    )
    longest = max(row.deepest_win or 0 for row in rows)
    drawn = f"{draws:,}" if draws else "none"
    return [
        (name, f"{positions:,}; for the side to move {wins:,} are won, {drawn} drawn, {losses:,} lost"),
        ("longest win", f"{longest} {unit}"),
    ]


def _here(rules: Game) -> list[tuple[str, str]]:
    """What there is to do with the game here, and the machines that play it."""
    ways = [f"`noughts play {rules.name}`", f"`noughts learn {rules.name}` ({len(lessons(rules))} lessons)"]
    if rules in games_with_puzzles():
        ways.append(f"`noughts puzzle {rules.name}` ({len(puzzles_of(rules))} puzzles)")
    ways.append(f"on the web `/play/{rules.name}`, `/explore/{rules.name}`")
    machines = [link_to_machine(kind) for kind in PLAYERS.values() if kind.machine and _plays(kind, rules)]
    return [("to try", ", ".join(ways)), *([("machines", ", ".join(machines))] if machines else [])]


def _plays(kind: type[Player], rules: Game) -> bool:
    try:
        kind().check(rules)
    except CannotPlayError:
        return False
    return True


def link_to_machine(kind: type[Player]) -> str:
    """The name of a machine, with its page; relatives share that of their file."""
    page = kind.name if (DOCS / "machines" / f"{kind.name}.md").exists() else kind.__module__.rpartition(".")[2]
    return f"[`{kind.name}`](../machines/{page}.md)"


def _family(kind: Kind) -> str:
    lines = ["| game | worth to X | positions | first moves | of which differ | as good as the best |"]
    lines.append("|---|---|--:|--:|--:|---|")
    for sizes in SMALL:
        rules = game(f"{kind.base}:{','.join(map(str, sizes))}")
        rated = known_moves(rules, rules.start())
        positions = sum(row.positions for row in solve(rules).subspaces)
        differ = len(_grouped(rules, rules.start(), rated))
        best = _replies(rules, rules.start(), rated)
        cells = [f"`{rules.name}`", words(rated[0].value), f"{positions:,}", str(len(rated)), str(differ), best]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join([*lines, ""])


@contextmanager
def small_tables() -> Iterator[None]:
    """Meanwhile these games have tables, whatever this machine's user keeps, and no others have."""
    from noughts.solve.morris.making import solve_into  # noqa: PLC0415  loads the compiler
    from noughts.solve.store import Store  # noqa: PLC0415  loads Zarr

    with TemporaryDirectory() as folder:
        for name in TABLED:
            solve_into(Store.create(Path(folder) / name, game(name)))
        before = os.environ.get(VARIABLE)
        os.environ[VARIABLE] = folder
        try:
            yield
        finally:
            os.environ.pop(VARIABLE)
            if before is not None:
                os.environ[VARIABLE] = before


def between(page: Path) -> str:
    """What stands between the marks of a page."""
    _, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    found, end, _ = rest.partition(END)
    assert end, f"{page}: expected {BEGIN.strip()!r} and {END.strip()!r}"
    return found


def write(page: Path, made: str) -> None:
    """Put something else there."""
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace(BEGIN + between(page) + END, BEGIN + made + END), encoding="utf-8")


if __name__ == "__main__":
    with small_tables():
        for kind in KINDS:
            write(page_of(kind), facts(kind))
        write(OVERVIEW, overview())
