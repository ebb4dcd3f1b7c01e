"""The morris games: every position, stones in hand and all, solved backwards and kept in a table.

Whoever reads a table needs `subspaces` (names and sizes), `numbering` (which byte is whose), `store` (the files),
`book` (the first plies) and `table` (any position and its moves): none of them loads a compiler. Whoever makes one
needs `making`, which chooses the engine (`processor`, `gpu`, `cluster` with its `shard`s) for `retrograde`; the
compiled work itself is in `kernel`. `check` works every value out again, by other means.
"""
