"""Why a move is good or bad, in words a ten-year-old understands: from facts that are certain, as far as there are any.

The facts are of two sorts. **Values**: what the move is worth and what the best move is worth, as far as that is known.
**Deeds**: what the move does by the rules, at most two of them, the most telling first (`noughts.insight.rows` where a
row wins, `noughts.insight.mills` where it captures). The first that applies, in this order, is the reason:

1. it wins at once;
2. it gives a win or a draw away, and to what, with the answer that shows it;
3. every move loses: how long this one holds out, and what it does;
4. what it does, and if no other move keeps the value, that too;
5. it is the only move that holds, or any move would do, or it is one of several; and then how hard it makes things for
   the opponent (`noughts.insight.hardness`);
6. where nothing is proved: what it does, how it looks beside the best move, and how far ahead that was searched.
   "Looks" is never said of what is certain.

Where a mill can be closed in answer to a move that is not lost, that is told besides.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Literal, NamedTuple

from noughts.games import Game, Move, Outcome, Position
from noughts.insight.deeds import Deed, DeedKind, name_of_side
from noughts.insight.hardness import Hardness, hardness
from noughts.insight.mills import allows_mill, mill_deeds
from noughts.insight.rows import row_deeds
from noughts.solve import TO_CAPTURE, Answer, Rated, knowledge
from noughts.solve.at_once import wins_at_once
from noughts.solve.look import Look

__all__ = ["MOST_DEEDS", "Kind", "Reason", "deeds", "note", "why"]

MOST_DEEDS = 2
"""That are told of one move."""
PROVING = ("fork", "chain")
"""Deeds that win by force, so that no more need be said."""
MOST_COMPARED = 40
"""Moves whose hardness is compared."""


Kind = Literal["wins", "gives-away", "loses", "only", "any", "keeps", "estimate", "unknown"] | DeedKind


class Reason(NamedTuple):
    """What kind of reason it is, and the reason in words."""

    kind: Kind
    words: str
    chain: tuple[Move, ...] = ()
    """The chain of threats that the move begins, if it is one: threat and forced answer in turn."""
    hardness: Hardness | None = None
    """How hard the move makes it for the opponent, where that is the reason."""


def why(game: Game, position: Position, move: Move, answer: Answer | None = None) -> Reason:
    """The reason for or against a legal move; `answer` is what is known of the position, if it was asked already.

    Args:
        game: The game that is played.
        position: Where the move is made.
        move: A legal move.
        answer: What is known of the position; asked here if left out.
    """
    known = knowledge(game).ask(position) if answer is None else answer
    mine = next(rated for rated in known.moves if rated.move == move)
    if game.over(mine.position) is Outcome.LOSS:
        return Reason("wins", f"It wins at once{_how(game, mine.position)}.")
    if mine.value.outcome is not known.moves[0].value.outcome:
        return _gives_away(game, mine, known)
    done = list(islice(deeds(game, position, move, known.threats), MOST_DEEDS))
    if mine.value.outcome is Outcome.UNKNOWN:
        return _with_deeds(done, _looks(game, mine, known), game, mine)
    if mine.value.outcome is Outcome.LOSS:
        return _loses(game, mine, known, done)
    return _good(game, mine, known, done)


def note(game: Game, position: Position, rated: Rated, known: Answer, hard: Hardness | None = None) -> str:
    """What is special about a move, in one sentence for a list of moves in which each has its value beside it.

    How the opponent wins after a move that loses; else what it does, and how `hard` it makes it for him.

    Args:
        game: The game that is played.
        position: Where the move is made.
        rated: The move, and what it is worth.
        known: What is known of the position.
        hard: How hard the move makes it for the opponent, if that is known.
    """
    after, value = rated.position, rated.value.outcome
    if game.over(after) is not None:
        return ""
    if value is Outcome.LOSS and known.moves[0].value.outcome is not Outcome.LOSS:
        return _sentence(_refuted(game, rated, known, brief=True))
    done = next(deeds(game, position, rated.move, known.threats), None)
    drawback = allows_mill(game, after) if game.rules.captures else None
    said = [_sentence(done.brief)] if done else []
    if drawback:
        said.append(_sentence(f"but it {drawback.words}" if done else drawback.words))
    forced = done is not None and done.kind == "threat"  # the answer is told already
    if hard and hard.moves > 1 and not forced and (hard.holding < hard.moves or not said):
        said.append(_sentence(hard.words(after.turn)))
    return " ".join(said)


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def deeds(game: Game, position: Position, move: Move, threats: tuple[int, ...] = ()) -> Iterator[Deed]:
    """What a legal move does that does not win at once, the most telling first; `threats` is a chain that is known.

    Args:
        game: The game that is played.
        position: Where the move is made.
        move: A legal move that does not win at once.
        threats: A chain of threats that wins, if one is known.
    """
    if move.to is None:
        return iter(())
    return mill_deeds(game, position, move) if game.rules.captures else row_deeds(game, position, move, threats)


def _how(game: Game, after: Position) -> str:
    """How a game was won, unless by a row."""
    stones = after.stones[after.turn]
    if not game.rules.captures and game.layout.has_row(after.stones[1 - after.turn]):
        return ""
    left = stones.bit_count() + after.hand[after.turn]
    if left < game.rules.fewest:
        return f": {name_of_side(after.turn)} is left with {left} stones"
    return f": {name_of_side(after.turn)} can no longer move"


def _gives_away(game: Game, mine: Rated, known: Answer) -> Reason:
    best = known.moves[0].value
    if mine.value.outcome is Outcome.LOSS:
        how = _refuted(game, mine, known)
        if best.outcome is Outcome.UNKNOWN:
            return Reason("loses", f"It loses: {how}.")
        lost = "the win" if best.outcome is Outcome.WIN else "the draw"
        return Reason("gives-away", f"It gives {lost} away: {how}.")
    if mine.value.outcome is Outcome.DRAW:
        return Reason("gives-away", f"It gives the win away: now it is only a draw{_if_found(game, mine)}.")
    sure = "wins" if best.outcome is Outcome.WIN else "is sure to draw"
    first = game.write_move(known.moves[0].move)
    return Reason("unknown", f"What it leads to is not known here; {first} {sure}.")


def _if_found(game: Game, mine: Rated) -> str:
    """The answer that the opponent has to find, if there is only one."""
    hard = hardness(game, mine.position)
    then = knowledge(game).at_sight(mine.position)
    if hard is None or then is None or hard.holding != 1:
        return ""
    return f", if {name_of_side(mine.position.turn)} answers {game.write_move(then.moves[0].move)}"


def _refuted(game: Game, mine: Rated, known: Answer, *, brief: bool = False) -> str:
    """How the opponent wins after a move: at once, or in how many plies, with which answer and what that does."""
    other = name_of_side(mine.position.turn)
    answers = wins_at_once(game, mine.position)
    if answers:
        return f"{other} wins at once with {game.write_move(answers[0])}"
    then = knowledge(game).at_sight(mine.position)
    words = f"{other} can force a win" if brief else _later(other, mine, known)
    if then is None:
        return words
    reply = then.moves[0].move
    words += f", beginning with {game.write_move(reply)}"
    deed = next(deeds(game, mine.position, reply), None)
    return f"{words}, which {deed.brief if brief else deed.words}" if deed else words


def _later(other: str, mine: Rated, known: Answer) -> str:
    plies, most = mine.value.remoteness, mine.at_most
    if plies is not None and known.reason.endswith(TO_CAPTURE):
        return f"{other} can force a win"
    if plies is not None:
        return f"{other} can force a win in {plies - 1} moves, counting both sides'"
    if most is not None:
        return f"{other} can force a win in at most {most - 1} moves, counting both sides'"
    return f"{other} can force a win"


def _with_deeds(done: list[Deed], otherwise: Reason, game: Game, mine: Rated, *, told: bool = True) -> Reason:
    """A reason made of deeds, and of what else there is to say if it is `told` or there are no deeds."""
    sentences = [f"It {deed.words}." for deed in done]
    if told or not done:
        sentences.append(otherwise.words)
    drawback = allows_mill(game, mine.position) if game.rules.captures else None
    if drawback:
        sentences.append(f"It {drawback.words}." if not done else f"But it {drawback.words}.")
    kind = done[0].kind if done else otherwise.kind
    chain = next((deed.chain for deed in done if deed.chain), ())
    return Reason(kind, " ".join(sentences), chain, otherwise.hardness if told or not done else None)


def _looks(game: Game, mine: Rated, known: Answer) -> Reason:
    """How a move looks of which nothing is proved."""
    if mine.look is None or not known.depth:
        return Reason("unknown", "What it leads to is not known here.")
    best = game.write_move(known.moves[0].move)
    words = {
        Look.BEST: "looks best",
        Look.GOOD: f"looks as good as {best}",
        Look.WEAKER: f"looks weaker than {best}",
        Look.BAD: f"looks bad beside {best}",
    }[mine.look]
    return Reason("estimate", f"It {words}, searched {known.depth} {'ply' if known.depth == 1 else 'plies'}.")


def _loses(game: Game, mine: Rated, known: Answer, done: list[Deed]) -> Reason:
    """A move of a position that is lost."""
    moves = known.moves
    if len(moves) == 1:
        return Reason("only", "It is the only move, and it loses.")
    all_lose = all(rated.value.outcome is Outcome.LOSS for rated in moves)
    words = f"Every move loses{_resistance(mine, known)}." if all_lose else "It loses; what others do is not known."
    hard = hardness(game, mine.position)
    doing = [f"It {deed.words}." for deed in done[:1]]
    trap = [f"After it {hard.words(mine.position.turn)}."] if hard and hard.holding < hard.moves else []
    return Reason("loses", " ".join([words, *doing, *trap]), (), hard)


def _resistance(mine: Rated, known: Answer) -> str:
    """How long a move holds out next to the others, all of which lose."""
    if known.reason.endswith(TO_CAPTURE):
        return ""
    longest, plies = known.moves[0].value.remoteness, mine.value.remoteness or mine.at_most
    # What loses after the next move is seen at sight; a loss of unknown length takes longer.
    if plies is not None and plies < (3 if longest is None else longest):
        return ", and this one sooner than it must"
    if longest is not None and mine.value.remoteness == longest:
        return "; this one is as good as any"
    if mine.estimate is None:
        return "; this one is as good as any that is known"
    return (
        "; this one looks hardest to beat" if mine is known.moves[0] else "; how long this one holds out is not known"
    )


def _good(game: Game, mine: Rated, known: Answer, done: list[Deed]) -> Reason:
    """A move that keeps a win or a draw: what it does, or else the move next to the others, by their values."""
    moves = known.moves
    holds = "wins" if mine.value.outcome is Outcome.WIN else "holds the draw"
    alike = [rated for rated in moves if rated.value.outcome is mine.value.outcome]
    if len(moves) == 1:
        return _with_deeds(done, Reason("only", "It is the only move."), game, mine)
    if any(rated.value.outcome is Outcome.UNKNOWN for rated in moves):
        forced = any(deed.kind in PROVING for deed in done)
        words = f"It {holds}; of some other moves that is not known."
        return _with_deeds(done, Reason("keeps", words), game, mine, told=not forced)
    if len(alike) == 1:
        only = "It is the only move that" if not done else "No other move"
        return _with_deeds(done, Reason("only", f"{only} {holds}."), game, mine)
    hard, hardest = _compared(game, mine, alike)
    then = f" After {'this one' if hardest else 'it'} {hard.words(mine.position.turn)}" if hard else ""
    then += f"{'; no other is harder to answer' if hardest else ''}." if then else ""
    if len(alike) == len(moves):
        return _with_deeds(done, Reason("any", f"Any move {holds}.{then}", (), hard), game, mine, told=False)
    others = f", as {len(alike) - 1} other moves do" if len(alike) > 2 else ""
    return _with_deeds(done, Reason("keeps", f"It {holds}{others}.{then}", (), hard), game, mine, told=False)


def _compared(game: Game, mine: Rated, alike: list[Rated]) -> tuple[Hardness | None, bool]:
    """How hard a move makes it for the opponent, and whether it does so more than some and no less than any other."""
    hard = hardness(game, mine.position)
    if hard is None or len(alike) > MOST_COMPARED:
        return hard, False
    shares = [found.share for rated in alike if (found := hardness(game, rated.position)) is not None]
    return hard, len(set(shares)) > 1 and hard.share == min(shares)
