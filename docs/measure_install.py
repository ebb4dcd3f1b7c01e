"""Measure what the core and every extra bring: `python docs/measure_install.py` (minutes, and a package index).

The wheel is built once. For the core and for each extra it is then installed into a new virtual environment, by the
newest `pip`. *Megabytes* (of a million bytes) is what the environment has grown by, *seconds* the processor time that
took, which neither the network nor other users of the machine change much. What is printed is the table of install.md.
"""

import resource
import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

from noughts.extras import CORE, EXTRAS

PROJECT = Path(__file__).parents[1]


def pip(python: Path | str, *arguments: str | Path) -> None:
    """Let a Python's pip do something, silently unless it fails."""
    command = [python, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    subprocess.run(command, check=True, capture_output=True, text=True)


def size(folder: Path) -> int:
    """The bytes of all files in a folder; links count nothing."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def processor_time() -> float:
    """Seconds that the processes started from here have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(wheel: Path, extra: str, folder: Path) -> tuple[float, float]:
    """The megabytes that an extra brings, the core with it, and the seconds that takes."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    pip(python, "install", "--upgrade", "pip")
    before, began = size(folder), processor_time()
    pip(python, "install", f"{wheel}[{extra}]" if extra else wheel)
    return (size(folder) - before) / 1e6, processor_time() - began


def main() -> None:
    """Print the table, line by line."""
    print("| extra | megabytes | seconds | what it adds |\n|---|---|---|---|")
    with TemporaryDirectory() as name:
        folder = Path(name)
        pip(sys.executable, "wheel", "--no-deps", "--wheel-dir", folder, PROJECT)
        (wheel,) = folder.glob("*.whl")
        for number, (extra, adds) in enumerate({"": CORE, **EXTRAS}.items()):
            megabytes, seconds = measure(wheel, extra, folder / str(number))
            print(f"| {f'`{extra}`' if extra else 'none'} | {megabytes:,.0f} | {seconds:.0f} | {adds} |", flush=True)


if __name__ == "__main__":
    main()
