"""Qubic, 4×4×4: proved to be won by the first player, and what is known of each of its positions.

`chains` searches for unbroken chains of threats, `prove` finds a proof with its help (`replies` is what the second
player can do about a move, `anneal` chooses a small proof among many), `dictionary` is the file a proof is kept in,
`check` checks one with no help from any of these, and `known` says what the shipped proof knows of a position.
"""
