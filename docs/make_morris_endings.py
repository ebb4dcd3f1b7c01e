"""Make the endings that come with Noughts: python docs/make_morris_endings.py.

Six and nine men's morris with at most five stones a side are solved, which takes ten seconds, and the two files beside
`noughts.solve.morris.endings` are written again; they come out the same byte for byte. Then both are read back, and
every value is worked out once more from its successors (`noughts.solve.morris.check`), in another ten seconds.
"""

from functools import cache
from pathlib import Path

from noughts.games import game as find_game
from noughts.solve.morris import endings
from noughts.solve.morris.check import ProcessorChecker, Witness
from noughts.solve.morris.retrograde import solve_morris
from noughts.solve.morris.subspaces import ENDINGS, groups_placed, name_of

GAMES = ("six-mens-morris", "nine-mens-morris")


def make(name: str) -> None:
    """Solve a game, write its file, and check what it says."""
    game = find_game(name)
    solved = {one.key: one.by_mover for one in solve_morris(game, ENDINGS)}
    path = Path(endings.__file__).with_name(f"{name}.endings")
    packed = endings.pack(game, ENDINGS, lambda *key: solved[key])
    same = path.exists() and path.read_bytes() == packed
    path.write_bytes(packed)
    print(f"{path}: {len(packed):,} bytes, {'the same as before' if same else 'new'}")
    found = endings.Endings(path, game)
    witness, read = Witness(game, ProcessorChecker()), cache(found.read)
    for group in groups_placed(ENDINGS):
        witness.check(group, lambda key: read(*key), {})
        print(f"{name_of(group[0])}: every value follows from its successors")


if __name__ == "__main__":
    for one in GAMES:
        make(one)
