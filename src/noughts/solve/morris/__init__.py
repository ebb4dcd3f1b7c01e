"""The morris games once all stones are placed, solved backwards: every position with three stones a side or more.

`index` numbers positions, `blocks` says what a set of stones leaves of the board, `kernel` is the compiled work on one
position, `sweep` goes over whole tables, `retrograde` puts a solution together subspace by subspace, `verify` checks
one forwards.
"""
