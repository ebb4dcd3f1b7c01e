"""The players, by name.

A new player is a class, in a file of its own or beside its relatives, and a line in `PLAYERS`; all that is told about
it anywhere, in the terminal and on the web, stands in the class.
"""

from noughts.games import NoughtsError
from noughts.players.basic1977 import Basic1, Basic2, Basic3, BasicF
from noughts.players.c1990 import C1990
from noughts.players.chip1990 import Chip1990
from noughts.players.elements2021 import Elements2021
from noughts.players.ladder import LEVELS, Casual, Novice, RandomPlayer, Strong
from noughts.players.noughts2026 import Noughts2026
from noughts.players.perfect import Expert, Knuth, Perfect
from noughts.players.player import Human, Player, PlayerOptionError

__all__ = ["PLAYERS", "UnknownPlayerError", "player"]

_KINDS: tuple[type[Player], ...] = (
    Human,
    RandomPlayer,
    Novice,
    Casual,
    Strong,
    Expert,
    Perfect,
    *LEVELS,
    C1990,
    Chip1990,
    Elements2021,
    Noughts2026,
    Basic1,
    Basic2,
    Basic3,
    BasicF,
    Knuth,
)

PLAYERS = {kind.name: kind for kind in _KINDS}
"""From the weakest to the strongest, then the rungs of the ladder, then the machines with a history."""


class UnknownPlayerError(NoughtsError):
    """A name that no player has."""


def player(name: str, seed: int | None = None) -> Player:
    """The player of this name that needs no person.

    A player with options takes them after a colon, as `basic2:harder=yes`.

    Args:
        name: The name of the player, with its options, as `casual` or `basic2:harder=yes`.
        seed: Decides everything random; another one every time if left out.

    Raises:
        UnknownPlayerError: If no player has this name.
        PlayerOptionError: If an option is not one of its own, or has no such value.
    """
    base, colon, text = name.partition(":") if isinstance(name, str) else ("", "", "")
    automatic = [known for known in PLAYERS if known != Human.name]
    if base not in automatic:
        from noughts.silicon.designs import DESIGNS  # noqa: PLC0415  a tenth of a second that others need not wait

        if name in DESIGNS:
            chip = DESIGNS[name]
            how = f"`noughts play {chip.game} --o {name} --rtl`" if chip.plays else "a player, as perfect"
            raise UnknownPlayerError(f"{name!r} is a chip{'' if chip.plays else ' that does not play'}: expected {how}")
        raise UnknownPlayerError(f"{name!r} is not a player that moves by itself: expected {', '.join(automatic)}")
    options: dict[str, str] = {}
    for word in text.split(",") if colon else []:
        option, _, value = word.partition("=")
        if option in options:
            raise PlayerOptionError(f"{option!r} is given twice in {name!r}: expected every option once")
        options[option] = value
    return PLAYERS[base](seed, options)
