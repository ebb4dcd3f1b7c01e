"""The moves of a game, looked at beside the server, a few at a time.

Every move is a question of its own (`questions.reviewed`), so what one visitor has asked for is there for the next, and
two games share what they have in common. A few are asked for at the same time, those next to the move that is looked at
first: so a game of two hundred moves holds up nobody who plays meanwhile, and is finished by asking again.
"""

import asyncio

from noughts.games.playing import Playing
from noughts.insight.review import Ply, often, settled
from noughts.web.asking.questions import reviewed
from noughts.web.asking.thinking import BusyError, GivenUpError, StillThinkingError, Thinking

__all__ = ["ask_plies"]

AT_ONCE = 12
"""Moves that are asked for at the same time: thinkers are not kept from others for longer than these take."""


async def ask_plies(
    thinking: Thinking, playing: Playing, first: int, patience: float
) -> tuple[tuple[Ply | None, ...], bool]:
    """What is known of the moves after so many seconds, and whether it is worth asking again for the rest."""
    game, found, hopeless = playing.game, [], 0
    questions = []
    for position, move, twice in zip(playing.positions, playing.moves, often(playing), strict=False):
        seen = tuple(game.write(one) for one in twice)
        questions.append((game.name, game.write(position), game.write_move(move), seen))
        found.append(thinking.remembered(reviewed, *questions[-1]))
    missing = [number for number, ply in enumerate(found) if ply is None]
    missing.sort(key=lambda number: (abs(number - (first - 1)), number))
    loop = asyncio.get_running_loop()
    until = loop.time() + patience
    while missing and loop.time() < until:
        some, missing = missing[:AT_ONCE], missing[AT_ONCE:]
        left = max(0.0, until - loop.time())
        answers = await asyncio.gather(
            *(thinking.ask(reviewed, *questions[number], patience=left) for number in some), return_exceptions=True
        )
        for number, answer in zip(some, answers, strict=True):
            if isinstance(answer, Ply):
                found[number] = answer
            elif isinstance(answer, GivenUpError):
                hopeless += 1
            elif not isinstance(answer, StillThinkingError | BusyError):
                raise answer
    numbered = [ply and ply._replace(number=number) for number, ply in enumerate(found, 1)]
    return settled(numbered), sum(ply is None for ply in found) > hopeless
