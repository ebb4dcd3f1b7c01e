"""Placing games on boards of up to 25 points: every position, solved layer by layer and, if wanted, kept in a table.

Whoever reads a table needs `numbering` (which byte is whose) and `table` (any position and its moves): neither loads
a compiler. Whoever makes one needs `making`; the compiled work itself is in `kernel`, and for a GPU in `gpu_kernels`.
`check` works every value out again, by other means. Of up to 28 points a GPU tells win, draw and loss alone, in
`outcomes`.
"""
