"""Python with nothing but the core installed, as far as imports can tell; run by `test_core.py`.

    python core_only.py < questions.json > answers.json

What lies in site-packages and is not needed by the core cannot be found: neither imported nor its version asked for.
A question is the arguments of a command, or a line of Python; its answer is the exit code, what was printed and what
was complained of. The process answers one after another, since starting one takes longer than most answers.
"""

import io
import json
import re
import sys
import traceback
from collections.abc import Iterable
from contextlib import redirect_stderr, redirect_stdout
from importlib import metadata
from importlib.machinery import ModuleSpec, PathFinder
from typing import Any


def closure(names: Iterable[str]) -> set[str]:
    """These packages and all that they require, with the names that `pip` has for them."""
    found: set[str] = set()
    todo = list(names)
    while todo:
        name = re.sub(r"[-_.]+", "-", todo.pop()).lower()
        if name in found:
            continue
        found.add(name)
        try:
            required = metadata.requires(name) or []
        except metadata.PackageNotFoundError:  # for another system or another Python
            continue
        todo += [re.split(r"[^\w.-]", line)[0] for line in required if "extra ==" not in line]
    return found


def modules_of(packages: Iterable[str]) -> set[str]:
    """What these packages let Python import."""
    found = set()
    for name in packages:
        try:
            files = metadata.files(name) or []
        except metadata.PackageNotFoundError:
            continue
        found |= {file.parts[0].partition(".")[0] for file in files if file.suffix in (".py", ".so")}
    return found


class CoreFinder(PathFinder):
    """Finds what Python finds, except packages that are not of the core."""

    modules: set[str]
    packages: set[str]

    @classmethod
    def find_spec(cls, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Where a module is, as if the others were not installed."""
        found = super().find_spec(name, path, target)
        if found is None or name.partition(".")[0] in cls.modules:
            return found
        return None if "site-packages" in str(found.origin or found.submodule_search_locations) else found

    @classmethod
    def find_distributions(cls, *arguments: Any, **names: Any) -> Any:
        """What is installed, without the others."""
        for one in super().find_distributions(*arguments, **names):
            if one.metadata["Name"].lower().replace("_", "-") in cls.packages:
                yield one


def answer(question: list[str] | str) -> dict[str, Any]:
    """Do as the command line does, or as Python does."""
    from noughts.cli.main import run  # noqa: PLC0415  not before the finder stands

    out, err, code = io.StringIO(), io.StringIO(), 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            if isinstance(question, str):
                exec(question, {})
            else:
                code = run(question)
        except Exception as error:
            code = 1
            err.write("".join(traceback.format_exception_only(error)))
    return {"code": code, "out": out.getvalue(), "err": err.getvalue()}


def main() -> None:
    """Answer all questions."""
    work = json.load(sys.stdin)
    CoreFinder.packages = closure(work["core"]) | {"noughts"}
    CoreFinder.modules = modules_of(CoreFinder.packages) | {"noughts"}
    # The other finders know what comes with Python, or Noughts alone.
    sys.meta_path[:] = [CoreFinder if finder is PathFinder else finder for finder in sys.meta_path]
    sys.stdin = io.StringIO()
    json.dump([answer(question) for question in work["questions"]], sys.stdout)


if __name__ == "__main__":
    main()
