"""The games in the registries of the learning libraries, so that their users make them as they make any other.

    gymnasium.make("noughts/tictactoe-v0", opponent="perfect")
    pettingzoo.make("aec", "noughts/tictactoe-v0")

One entry for every kind of the catalogue; a board of another size or other options is asked for with `game`, as
`gymnasium.make("noughts/mnk-v0", game="mnk:4,4,3")`. Importing `noughts.rl` registers them where these libraries are
installed: they know of no other way, since Gymnasium 1.0 no longer loads plugins by itself. PettingZoo has a registry
since 1.27.
"""

from importlib.util import find_spec

from noughts.games import KINDS

__all__ = ["register"]


def register() -> None:
    """Enter all games in the registries that there are, unless they are there already."""
    if find_spec("gymnasium") is None:
        return
    import gymnasium  # noqa: PLC0415  an extra

    ids = {f"noughts/{kind.base}-v0": {"game": kind.example} for kind in KINDS}
    for name, game in ids.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, "noughts.rl:SingleEnv", kwargs=game)
    if find_spec("pettingzoo") is None:
        return
    import pettingzoo  # noqa: PLC0415  an extra

    known = getattr(pettingzoo, "aec_registry", None)
    for name, game in ids.items():
        if known is not None and name not in known:
            pettingzoo.register("aec", name, "noughts.rl:env", kwargs=game)
