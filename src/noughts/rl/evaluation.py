"""Policies judged exactly: what a best response gains, how often they err, how their games come out.

    judge = Judge("tictactoe")
    judge.exploitability(policy)            one number: 0 if nobody can gain anything
    judge.result(policy, "random")          the shares of games won, drawn and lost, on either side
    judge.mistakes(policy)                  how often it gives value away, over all positions
    judge.response(policy).line()           how to beat it
    judge.verdict(policy)                   all of it, to print

Nothing is played and nothing is sampled: everything is worked out over all positions of the game, or for best responses
over those that games against the policy can get to (`noughts.rl.reach`), in double precision (`noughts.rl.policy` says
what a policy may be).

**Exploitability.** A win counts 1, a draw 0, a loss -1. Let b(X) be the most that anybody can expect who plays X
against the policy as O, and b(O) the same for O against the policy as X: the values of the **best responses**. If both
sides play perfectly, X can expect v, the value of the game (-1, 0 or 1). So as O the policy gives away b(X) - v, and as
X it gives away v + b(O); neither is less than 0. The exploitability is their mean, (b(X) + b(O)) / 2: what a responder
gains on average who plays either side as often. It is 0 just for policies that never lose what they could keep, on any
way that a game against them can take, and never more than 1.

That is OpenSpiel's definition, too. Its NashConv is the sum of what each side gains by changing to a best response,
(b(X) - u) + (b(O) + u), where u is what X can expect if the policy plays both sides; its exploitability is NashConv
divided by the number of players.

**Accuracy.** Values are sums of at most 16 products, layer upon layer (`noughts.rl.backwards`), so errors stay near
1e-15. Where stones move, linear equations are solved (`noughts.rl.loops`) in a way that keeps ten digits however rarely
a policy errs. There a game that never ends is a draw, and a third occurrence of a position is not.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from noughts.games import SIDES, Game
from noughts.games import game as find_game
from noughts.players import CannotPlayError
from noughts.rl.answers import Odds, PolicyError, asked
from noughts.rl.backwards import NEVER, Counting, Meeting, Responding, Results, Shares, Work
from noughts.rl.layers import Layer, layers
from noughts.rl.policy import Given, Policy, as_policy
from noughts.rl.reach import reach
from noughts.solve import Progress

__all__ = ["Judge", "Line", "Response", "Results", "Shares", "Verdict"]


class Line(NamedTuple):
    """The shortest game that beats a policy: the responder plays best, and the policy what it may play."""

    side: str
    """The side that wins."""
    moves: tuple[str, ...]
    likely: float
    """How likely the policy makes its moves of it: 1 if it leaves nothing to chance."""

    def __str__(self) -> str:
        return " ".join(self.moves)


class Verdict(NamedTuple):
    """All that is worked out about a policy."""

    game: str
    policy: str
    exploitability: float
    gives_away: tuple[float, float]
    """What a best response gains over perfect play, the policy being X and being O; exploitability is the mean."""
    mistakes: float
    """How likely it gives value away, on average over all positions that are not over."""
    positions: int
    """How many those are."""
    results: tuple[Results, ...]
    lines: tuple[Line | None, Line | None]
    """How X beats it and how O does, if they can."""

    def __str__(self) -> str:
        rows = [
            f"{self.policy} at {self.game}, over all {self.positions:,} positions",
            f"  exploitability  {self.exploitability:.6f}   "
            f"(gives away {self.gives_away[0]:.6f} as X, {self.gives_away[1]:.6f} as O)",
            f"  mistakes        {self.mistakes:.2%}",
        ]
        wide = max((len(result.opponent) for result in self.results), default=0)
        rows += [" " * (15 + wide) + "".join(f"{word:>9}" for word in Shares._fields)] if self.results else []
        for result in self.results:
            for side, shares in (("X", result.as_x), ("O", result.as_o)):
                told = "".join(f"{share:>9.2%}" for share in shares)
                rows.append(f"  as {side} against {result.opponent:{wide}}{told}")
        for line in self.lines:
            if line is not None:
                chance = "" if line.likely == 1 else f"  (with probability {line.likely:.2g})"
                rows.append(f"  {line.side.upper()} beats it: {line}{chance}")
        return "\n".join(rows)


class Judge:
    """Judges policies of one game; all its positions are listed once, when it is made.

    Args:
        game: A placing game of at most 16 cells, or a moving game without captures of at most 9 points; or its name.
        progress: Called with how much is done and how much there is.

    Raises:
        UnknownGameError: If no game has this name.
        TooLargeError: If the game has too many positions.

    Example:
        >>> from noughts.rl import Judge
        >>> judge = Judge("tictactoe")
        >>> judge.exploitability("perfect")
        0.0
        >>> print(judge.response(lambda board: board.moves[0]).line())
        a1 b1 a2 c1 a3
    """

    def __init__(self, game: Game | str, progress: Progress | None = None) -> None:
        self.game = find_game(game)
        self.layers = layers(self.game, progress)
        self.positions = sum(map(len, self.layers))
        self.value = int(np.sign(self.layers[0].score[0]))
        """What X can expect if both sides play perfectly: 1, 0 or -1."""

    def exploitability(self, policy: Given, progress: Progress | None = None) -> float:
        """What a best response gains over perfect play, the mean over both sides.

        Args:
            policy: Whatever `as_policy` takes for one.
            progress: Called with how many positions are done and how many there are.

        Returns:
            A number from 0 to 1, OpenSpiel's exploitability; 0 if nobody gains anything.

        Raises:
            PolicyError: If it is no policy, or gives an answer that is none.
            NoOddsError: If it is a player whose moves can only be sampled.
        """
        return self.response(policy, progress).exploitability

    def response(self, policy: Given, progress: Progress | None = None) -> "Response":
        """The best responses to a policy.

        Args:
            policy: Whatever `as_policy` takes for one.
            progress: Called with how many positions are done and how many there are.
        """
        judged = as_policy(policy)
        responding = Responding()
        if self.layers[-1].loop:
            self._sweep(judged, [responding], progress)
            return Response(self, judged, responding, self.layers)
        judged.check(self.game)
        reached = reach(self.layers, judged, progress)
        for layer, odds in reversed(reached):
            responding.step(layer, odds, judged)
        return Response(self, judged, responding, [layer for layer, _ in reached])

    def result(self, policy: Given, against: Given = "random", progress: Progress | None = None) -> Results:
        """What comes of a policy's games against an opponent.

        Args:
            policy: Whatever `as_policy` takes for one.
            against: The same; the policy itself, too.
            progress: Called with how many positions are done and how many there are.

        Returns:
            The shares of games won, drawn and lost on either side, and how often the policy errs in them.
        """
        judged = as_policy(policy)
        meeting = Meeting(judged if against is policy else as_policy(against))
        self._sweep(judged, [meeting], progress)
        return meeting.result()

    def mistakes(self, policy: Given, progress: Progress | None = None) -> float:
        """How likely a policy gives value away, on average over all positions that are not over.

        Args:
            policy: Whatever `as_policy` takes for one.
            progress: Called with how many positions are done and how many there are.

        Returns:
            A share from 0 to 1. `result` tells the share among the moves of its games against somebody.
        """
        counting = Counting()
        self._sweep(as_policy(policy), [counting], progress)
        return counting.total / self.positions

    def verdict(
        self, policy: Given, against: Sequence[Given] | str = ("random", "perfect"), progress: Progress | None = None
    ) -> Verdict:
        """All of it, in one pass; print it.

        Args:
            policy: Whatever `as_policy` takes for one.
            against: Its opponents; a single name will do.
            progress: Called with how many positions are done and how many there are.

        Returns:
            Exploitability, mistakes, results and how to beat it.
        """
        judged = as_policy(policy)
        responding, counting = Responding(), Counting()
        opponents = [against] if isinstance(against, str) else against
        meetings = [Meeting(judged if one is policy else as_policy(one)) for one in opponents]
        self._sweep(judged, [responding, counting, *meetings], progress)
        response = Response(self, judged, responding, self.layers)
        return Verdict(
            self.game.name,
            judged.name,
            response.exploitability,
            response.gives_away,
            counting.total / self.positions,
            self.positions,
            tuple(meeting.result() for meeting in meetings),
            (response.line("x"), response.line("o")),
        )

    def _sweep(self, policy: Policy, works: list[Work], progress: Progress | None) -> None:
        """Go through the layers from the last to the first."""
        for player in (policy, *(work.opponent for work in works if isinstance(work, Meeting))):
            player.check(self.game)
        done = 0
        for layer in reversed(self.layers):
            odds = asked(policy, layer)
            for work in works:
                work.step(layer, odds, policy)
            done += len(layer)
            if progress:
                progress(done, self.positions)


class Response(Policy):
    """The best responses to a policy: what they gain, how they win, and themselves as a policy.

    As a policy it plays best whichever side it is given; of moves that are equally good the one with which the
    shortest line wins. Where no game against the policy gets, it plays perfectly.
    """

    def __init__(self, judge: Judge, policy: Policy, found: Responding, layers: list[Layer]) -> None:
        self.judge, self.policy, self.layers = judge, policy, layers
        self.name = f"the best response to {policy.name}"
        # Sums may be rounded to a little more than a win is worth.
        self.values = (min(float(found.values[0][0]), 1.0), min(float(found.values[1][0]), 1.0))
        """What X can expect who responds, and what O can."""
        self._wins = tuple(plies[0] < NEVER for plies in found.plies)
        self._best, self._quick, self._reply = found.best[::-1], found.quick[::-1], found.reply[::-1]

    @property
    def exploitability(self) -> float:
        """The mean of what the responders gain over perfect play."""
        return self.nash_conv / 2

    @property
    def nash_conv(self) -> float:
        """OpenSpiel's NashConv: the sum of what the responders gain."""
        return max(0.0, sum(self.values))

    @property
    def gives_away(self) -> tuple[float, float]:
        """What the policy gives away as X, and what as O."""
        return max(0.0, self.judge.value + self.values[1]), max(0.0, self.values[0] - self.judge.value)

    def check(self, game: Game) -> None:
        """Raise an error unless this is the game of the policy that it responds to.

        Args:
            game: The game to be played.

        Raises:
            CannotPlayError: If it is another game.
        """
        if game != self.judge.game:
            raise CannotPlayError(f"{self.name} plays {self.judge.game.name}, not {game.name}")

    def odds(self, layer: Layer) -> Odds:
        """All on one move.

        Args:
            layer: The positions, with their moves.
        """
        number = int(np.bitwise_count(layer.stones[0][0] | layer.stones[1][0]))
        move = layer.best.argmax(axis=1)
        if number < len(self.layers):
            keys = self.layers[number].keys
            rows = np.minimum(np.searchsorted(keys, layer.keys), len(keys) - 1)
            move = np.where(keys[rows] == layer.keys, self._best[number][rows], move)
        odds = np.zeros(layer.moves.shape)
        odds[np.arange(len(layer)), move] = 1
        return odds

    def line(self, side: str = "") -> Line | None:
        """The shortest game that beats the policy.

        Args:
            side: Who wins it, `x` or `o`; without it, whoever does so sooner.

        Returns:
            The line, in which the responder plays nothing but best moves; None if there is no such game.

        Raises:
            PolicyError: If this is no side.
        """
        if not side:
            lines = [line for line in map(self.line, SIDES) if line is not None]
            return min(lines, key=lambda line: len(line.moves), default=None)
        if side not in SIDES:
            raise PolicyError(f"{side!r} is no side: expected x or o")
        responder = SIDES.index(side)
        if not self._wins[responder]:
            return None
        moves: list[str] = []
        likely = 1.0
        number, row = 0, 0
        while row < len(self.layers[number]):
            layer = self.layers[number]
            if layer.turn[row] == responder:
                move = int(self._quick[number][row])
            else:
                move = int(self._reply[number][row])
                odds = self.policy.odds(layer.part(slice(row, row + 1)))[0]
                if not odds.any():
                    break
                likely *= float(odds[move])
            moves.append(layer.actions.names[layer.moves[row, move]])
            row = int(layer.after[row, move])
            if not layer.loop:
                number += 1
            if number == len(self.layers):
                break
        return Line(side, tuple(moves), likely)
