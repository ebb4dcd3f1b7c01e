"""What the machines cost and gain: cold starts, replies of 1990, difficulty against opponents who err, the chips."""

import subprocess
import sys
from collections.abc import Iterable
from time import perf_counter
from typing import Any

from noughts.extras import need
from noughts.games import game as find_game
from noughts.players import player
from noughts.solve import Progress

__all__ = ["bench_difficulty", "bench_duels", "bench_replies", "bench_silicon", "bench_start"]

Row = dict[str, Any]


def bench_start(progress: Progress) -> list[Row]:
    """Cold starts, each in a process of its own."""
    commands = {
        "python, doing nothing": ["-c", ""],
        "import noughts": ["-c", "import noughts"],
        "noughts value tictactoe": ["-m", "noughts", "value", "tictactoe"],
        "noughts value achi": ["-m", "noughts", "value", "achi"],
        "noughts value square4": ["-m", "noughts", "value", "square4"],
    }
    rows = []
    for number, (name, arguments) in enumerate(commands.items()):
        progress(number, len(commands))
        best = min(_process_time([sys.executable, *arguments]) for _ in range(5))
        rows.append({"command": name, "seconds": round(best, 3)})
    return rows


def _process_time(command: list[str]) -> float:
    began = perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - began


def bench_replies(progress: Progress) -> list[Row]:
    """What the machines of 1990 need to answer each opening: stones tried, and clock cycles of the chip.

    As it was built, as figure 1 of the paper has it, as full minimax, and with a table of moves, which tries nothing.
    """
    game = find_game("tictactoe")
    searches = {"": "", "figure1 ": ":search=figure1", "minimax ": ":search=minimax"}
    rows: list[Row] = []
    for number, opening in enumerate(game.layout.points):
        progress(number, len(game.layout))
        position = game.play(opening)
        programs = {name: player(f"c1990{option}").choose(game, position) for name, option in searches.items()}
        options = {**searches, "table ": ":search=table"}
        chips = {name: player(f"chip1990{option}").choose(game, position) for name, option in options.items()}
        (reply,) = {choice.move for choice in (*programs.values(), *chips.values())}
        rows.append(
            {"opening": opening, "reply": game.write_move(reply)}
            | {f"{name}stones": choice.nodes for name, choice in programs.items()}
            | {f"{name}cycles": choice.cycles for name, choice in chips.items()}
        )
    most = {name: max(row[name] for row in rows) for name in rows[0] if name not in ("opening", "reply")}
    milliseconds = {name: f"{cycles / 6_000:.4f}"[:6] for name, cycles in most.items() if name.endswith("cycles")}
    return [
        *rows,
        {"opening": "slowest", "reply": "", **most},
        {"opening": "at 6 MHz", "reply": "ms", **dict.fromkeys(most), **milliseconds},
    ]


def bench_difficulty(progress: Progress) -> Iterable[Row]:
    """Does difficulty pay? What can be expected against opponents who err, exactly (`noughts.arena.fallible`).

    In drawn games nobody who keeps the value loses: what counts is the share of games won, with either side as often.
    Where the first player wins, what counts is how many points the second saves.
    """
    from noughts.arena.fallible import POLICIES, Opponent, Study  # noqa: PLC0415

    drawn, won = ("tictactoe", "mnk:4,2,3", "mnk:5,2,3", "mnk:5,2,4", "mnk:6,2,3"), ("mnk:4,3,3",)
    opponents = [Opponent(p, blind) for blind in (False, True) for p in (0.1, 0.5)]
    done, total = 0, len(drawn + won) * len(opponents) * len(POLICIES)
    for name in drawn + won:
        study = Study(find_game(name))
        for opponent in opponents:
            kind = f"{'blind' if opponent.blind else 'alert'} {opponent.p}"
            row: Row = {"game": name, "share": "won" if name in drawn else "points", "opponent": kind}
            for policy in POLICIES:
                first, second = (study.expectation(policy, opponent, side) for side in (0, 1))
                row[policy] = f"{(first.won + second.won) / 2 if name in drawn else second.points:.2%}"
                done += 1
                progress(done, total)
            yield row


def bench_silicon(progress: Progress) -> list[Row]:
    """Cycles, sizes and speed of the chips, a column each, next to what their sources report."""
    need("amaranth", "bench silicon")
    from noughts.silicon.designs import DESIGNS  # noqa: PLC0415
    from noughts.silicon.kept import figures  # noqa: PLC0415

    measured = []
    for number, design in enumerate(DESIGNS.values()):
        progress(number, len(DESIGNS))
        measured.append(figures(design))
    names = list(dict.fromkeys(name for row in measured for name in row if name != "design"))
    return [{"figure": name} | {row["design"]: row.get(name) for row in measured} for name in names]


def bench_duels(progress: Progress) -> list[Row]:
    """The chip of 1990 wired pin to pin to another chip: every game that they can play, and its cycles with each."""
    need("amaranth", "bench duels")
    from noughts.silicon.designs import design  # noqa: PLC0415
    from noughts.silicon.designs.duel1990.check import check_duel, games_of  # noqa: PLC0415
    from noughts.silicon.designs.duel1990.mixed import mixed  # noqa: PLC0415

    opponents = {
        "chip1990": (design("duel1990"), 8),
        "elements2021": (mixed(), 1),
        "elements2021:pruning=yes": (mixed(pruning=True), 1),
    }
    rows: dict[tuple[str, str], Row] = {}
    for number, (opponent, (circuit, starts)) in enumerate(opponents.items()):
        progress(number, len(opponents))
        found = check_duel(circuit, starts=(8, starts))
        for replies, cycles in zip(games_of(found), found.lengths, strict=True):
            begins = "chip1990" if replies[0].user_first else opponent.partition(":")[0]
            moves = " ".join(find_game(circuit.game).write_move(reply.move) for reply in replies)
            row = rows.setdefault((begins, moves), {"begins": begins, "moves": moves, **dict.fromkeys(opponents)})
            row[opponent] = cycles
    return [rows[key] for key in sorted(rows)]
