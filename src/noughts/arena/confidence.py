"""How sure a rate is: Wilson's interval, which behaves at 0 and 1, where perfect players live."""

from math import sqrt

__all__ = ["wilson"]

Z = 1.959964
"""Standard deviations that hold 95 per cent."""


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """The 95 % confidence interval of a rate seen as so many successes in so many trials."""
    if trials == 0:
        return 0.0, 1.0
    rate = successes / trials
    middle = (rate + Z * Z / (2 * trials)) / (1 + Z * Z / trials)
    spread = Z / (1 + Z * Z / trials) * sqrt(rate * (1 - rate) / trials + Z * Z / (4 * trials * trials))
    return max(0.0, middle - spread), min(1.0, middle + spread)
