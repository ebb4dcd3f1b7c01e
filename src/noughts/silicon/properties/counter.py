"""The counter counts, whatever else happens."""

from noughts.silicon.formal import Harness, Property
from noughts.silicon.parts import Counter
from noughts.silicon.properties.scan import claim_scan_path

__all__ = ["COUNTER"]


def _claims(harness: Harness, counter: Counter) -> None:
    was = harness.past(counter.count)
    harness.claim(
        "the count is one more than in the cycle before",
        counter.count == (was + 1)[: len(was)],
        when=harness.began & ~harness.past(counter.scan),
    )
    claim_scan_path(harness, counter, counter.count)


COUNTER = Property(
    name="counter",
    statement="the counter is one more every cycle, through resets as well, and shifts by one bit when scanned",
    make=Counter,
    claims=_claims,
)
