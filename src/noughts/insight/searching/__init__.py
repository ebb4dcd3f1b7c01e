"""Searches that can be watched: minimax and its cut-offs a step at a time, and the waves of a retrograde analysis."""

from noughts.insight.searching.search import (
    HOWS,
    LEAST,
    MOST,
    Counts,
    How,
    Step,
    StepKind,
    UnknownSearchError,
    count,
    find_how,
    hows_of,
    reckon,
    search,
    whole_tree,
)
from noughts.insight.searching.waves import Wave, Waves, has_waves, retrograde
from noughts.insight.searching.words import Line, bound_words, explain, number, program, value_words

__all__ = [
    "HOWS",
    "LEAST",
    "MOST",
    "Counts",
    "How",
    "Line",
    "Step",
    "StepKind",
    "UnknownSearchError",
    "Wave",
    "Waves",
    "bound_words",
    "count",
    "explain",
    "find_how",
    "has_waves",
    "hows_of",
    "number",
    "program",
    "reckon",
    "retrograde",
    "search",
    "value_words",
    "whole_tree",
]
