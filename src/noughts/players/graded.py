"""Opponents that err: dice, and three grades of people who do not play like a broken machine.

A person who plays badly still sees most wins that are one move away, and most threats to lose at once; what
a weak player lacks is the look further ahead. So a graded player, in this order:

1. takes a win in one move, if there is one, at the rate `sees_win`;
2. leaves aside moves that let the opponent win at once, if there are others, at the rate `sees_threat`;
3. of the moves that remain picks any, at the rate `errs`, and otherwise the best that is known: by the solution of the
   game, its proof, book or table where there is one, by looking a few plies ahead where not.
"""

from collections.abc import Sequence
from typing import ClassVar

from noughts.games import Game, Position
from noughts.games.playing import Playing
from noughts.players.player import Choice, Player
from noughts.solve import knowledge
from noughts.solve.at_once import loses_at_once, wins_at_once

__all__ = ["Casual", "Graded", "Novice", "RandomPlayer", "Strong"]


class RandomPlayer(Player):
    """Any legal move, all equally likely: the weakest player that follows the rules, and a yardstick."""

    name = "random"
    about = "any legal move, all equally likely"
    title = "Dice"
    story = "Plays any legal move, all equally likely: the weakest player that knows the rules."
    strength = "easy to beat"

    def choose(self, game: Game, position: Position) -> Choice:
        """One of the legal moves."""
        return Choice(self.random.choice(game.moves(position)))


class Graded(Player):
    """Plays well, except at the stated rates."""

    sees_win: ClassVar[float]
    sees_threat: ClassVar[float]
    errs: ClassVar[float]

    def __init_subclass__(cls) -> None:
        """The rates say all there is to say about a grade."""
        super().__init_subclass__()
        rates = f"takes {cls.sees_win:.0%} of wins in one, parries {cls.sees_threat:.0%} of threats"
        cls.about = f"{rates}, else errs at {cls.errs:.0%}"

    def choose(self, game: Game, position: Position, history: Sequence[Position] = ()) -> Choice:
        """A win or a parry if it is seen, else the best move or any."""
        wins = wins_at_once(game, position)
        if wins and self.random.random() < self.sees_win:
            return Choice(self.random.choice(wins))
        moves = [move for move in game.moves(position) if move not in wins] or wins
        blunders = loses_at_once(game, position, moves)
        if len(blunders) < len(moves) and self.random.random() < self.sees_threat:
            moves = [move for move in moves if move not in blunders]
        if self.random.random() < self.errs:
            return Choice(self.random.choice(moves))
        if len(moves) == 1:
            return Choice(moves[0])
        return Choice(self.random.choice(knowledge(game).best(position, history, among=moves)))

    def reply(self, playing: Playing) -> Choice:
        """The same, with an eye on what would repeat."""
        return self.choose(playing.game, playing.position, playing.positions[:-1])


class Novice(Graded):
    """Sees most wins, misses many threats, and otherwise guesses every other move."""

    name = "novice"
    title = "Novice"
    story = "Has just learnt the rules. Sees most wins, misses many threats, and guesses every other move."
    strength = "easy to beat"
    sees_win = 0.75
    sees_threat = 0.6
    errs = 0.5


class Casual(Graded):
    """Rarely misses what is one move away, and errs in one move of five."""

    name = "casual"
    title = "Casual"
    story = "Plays now and then. Rarely misses what is one move away, and errs in one move of five."
    strength = "can be beaten"
    sees_win = 0.95
    sees_threat = 0.9
    errs = 0.2


class Strong(Graded):
    """Misses nothing that is one move away, and errs in one move of twenty."""

    name = "strong"
    title = "Strong"
    story = "Has played a lot. Misses nothing that is one move away, and errs in one move of twenty."
    strength = "hard to beat"
    sees_win = 1.0
    sees_threat = 1.0
    errs = 0.05
