"""Numbers in letters, as sentences about games have them: three in a row, two stones left."""

__all__ = ["counted"]

NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)


def counted(number: int) -> str:
    """A number in letters, as far as boards go.

    Args:
        number: Any number from 0 on.
    """
    return NUMBERS[number] if number < len(NUMBERS) else str(number)
