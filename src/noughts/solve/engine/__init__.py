"""The engine: one compiled search for every game of the catalogue.

    think(game, position)     the best move, as far as so many positions looked at can tell
    rate(game, position)      the same, and an estimate of every move

Its parts, each standing on the ones before it: `patterns` are what morris is judged by; `state` holds a position and
makes moves; `work` is what a search writes down; `threats` finds wins by a chain of threats, and `endings` looks up
morris with few stones; `kernel` searches; `think` asks it and says what the answer is worth.
"""

from noughts.solve.engine.think import Found, rate, think

__all__ = ["Found", "rate", "think"]
