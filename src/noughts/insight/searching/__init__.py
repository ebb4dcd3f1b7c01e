"""Searches that can be watched: minimax and its cut-offs a step at a time, and the waves of a retrograde analysis."""

from noughts.insight.searching.drawing import MOST_NODES, TreeTooLargeError, draw_tree, game_tree, is_drawn, letters
from noughts.insight.searching.drawing import STYLE as TREE_STYLE
from noughts.insight.searching.run import Run, TriedFirst
from noughts.insight.searching.search import (
    HOWS,
    LEAST,
    MOST,
    Counts,
    How,
    Step,
    StepKind,
    Tree,
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
    "MOST_NODES",
    "TREE_STYLE",
    "Counts",
    "How",
    "Line",
    "Run",
    "Step",
    "StepKind",
    "Tree",
    "TreeTooLargeError",
    "TriedFirst",
    "UnknownSearchError",
    "Wave",
    "Waves",
    "bound_words",
    "count",
    "draw_tree",
    "explain",
    "find_how",
    "game_tree",
    "has_waves",
    "hows_of",
    "is_drawn",
    "letters",
    "number",
    "program",
    "reckon",
    "retrograde",
    "search",
    "value_words",
    "whole_tree",
]
