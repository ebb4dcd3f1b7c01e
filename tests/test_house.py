"""The rooms lean only on rooms below them, nothing slow is loaded before it is needed, and kernels can be loaded."""

import ast
import subprocess
import sys
from pathlib import Path

import noughts

PACKAGE = Path(noughts.__file__).parent
FLOORS = [
    {"games"},
    {"solve"},
    {"silicon"},
    {"players", "insight"},
    {"arena"},
    {"records", "library"},
    {"rl"},
    {"web"},
    {"bench"},
    {"cli"},
]
LEVEL = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}


def imported_rooms(path: Path) -> set[str]:
    names = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} uses a relative import"
            module = node.module or ""
            names += [f"noughts.{a.name}" for a in node.names] if module == "noughts" else [module]
    return {name.split(".")[1] for name in names if name.startswith("noughts.")} & set(LEVEL)


def test_imports_point_downwards() -> None:
    seen = 0
    for path in PACKAGE.rglob("*.py"):
        room = path.relative_to(PACKAGE).parts[0]
        if room not in LEVEL:
            continue
        for other in imported_rooms(path) - {room}:
            seen += 1
            assert LEVEL[other] < LEVEL[room], f"{path} leans on {other}"
    assert seen > 10


def loaded_by(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint(*sys.modules, file=sys.stderr)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(run.stderr.split())


def test_importing_noughts_loads_no_numpy_and_no_compiler() -> None:
    assert not {"numpy", "numba", "rich", "typer"} & loaded_by("import noughts")


def test_the_rules_and_the_players_need_no_numpy() -> None:
    assert not {"numpy", "numba"} & loaded_by("import noughts.games, noughts.players, noughts.arena")


def test_the_value_of_tictactoe_needs_no_compiler_and_no_benchmarks() -> None:
    loaded = loaded_by("from noughts.cli.main import run\nrun(['value', 'tictactoe', '--json'])")
    assert "numpy" in loaded
    assert "numba" not in loaded
    assert "noughts.bench" not in loaded


def test_the_value_of_a_morris_ending_needs_no_compiler_and_no_table() -> None:
    ending = "X.X/.../.X./.X..O./..O/.O./.O. x"
    loaded = loaded_by(f"from noughts.cli.main import run\nrun(['value', 'nine-mens-morris', {ending!r}, '--json'])")
    assert "noughts.solve.morris.endings" in loaded
    assert not {"numba", "zarr"} & loaded


def test_only_their_command_leans_on_the_benchmarks() -> None:
    leaning = [path for path in PACKAGE.rglob("*.py") if "bench" in imported_rooms(path)]
    assert [path.relative_to(PACKAGE) for path in leaning if path.parent.name != "bench"] == [Path("cli/machine.py")]


def test_solving_square4_needs_no_compiler() -> None:
    code = "from noughts.games import game\nfrom noughts.solve import solve\nsolve(game('square4'))"
    assert "numba" not in loaded_by(code)


def calls(node: ast.FunctionDef) -> set[str]:
    return {ast.unparse(call.func) for call in ast.walk(node) if isinstance(call, ast.Call)}


def test_recursive_kernels_that_others_call_say_their_types() -> None:
    """Else Numba crashes when it loads them from its cache: at the second run, not at the first (numba issue 6061)."""
    seen = 0
    for path in PACKAGE.rglob("*.py"):
        if "@njit" not in path.read_text():
            continue
        functions = [node for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)]
        kernels = {node: ast.unparse(node.decorator_list[0]) for node in functions if node.decorator_list}
        for node, decorator in kernels.items():
            if node.name in calls(node) and any(node.name in calls(other) for other in kernels if other is not node):
                seen += 1
                assert not decorator.startswith("njit(cache"), f"{node.name} in {path}"
    assert seen > 1
