"""What is proved of the parts and the chips, one file a thing."""

from noughts.silicon.properties.board_register import BOARD_REGISTER
from noughts.silicon.properties.chip1990_board import CHIP1990_BOARD
from noughts.silicon.properties.chip1990_scan import CHIP1990_SCAN
from noughts.silicon.properties.chip1990_search import CHIP1990_SEARCH
from noughts.silicon.properties.chip1990_stack import CHIP1990_STACK
from noughts.silicon.properties.counter import COUNTER
from noughts.silicon.properties.decoder import DECODER
from noughts.silicon.properties.full import FULL
from noughts.silicon.properties.illegal import ILLEGAL
from noughts.silicon.properties.next_free import NEXT_FREE
from noughts.silicon.properties.referee2021 import REFEREE2021
from noughts.silicon.properties.stack import STACK
from noughts.silicon.properties.win import WIN

__all__ = ["PROPERTIES"]

PROPERTIES = {
    known.name: known
    for known in (
        BOARD_REGISTER,
        WIN,
        FULL,
        NEXT_FREE,
        ILLEGAL,
        DECODER,
        COUNTER,
        STACK,
        CHIP1990_BOARD,
        CHIP1990_SCAN,
        CHIP1990_SEARCH,
        CHIP1990_STACK,
        *REFEREE2021,
    )
}
"""All properties by name."""
