"""The morris games after placing, solved backwards: every position with three stones a side or more.

`index` numbers positions, `blocks` prepares what a kernel needs of a set of stones, `kernel` holds the compiled work,
`retrograde` puts a solution together subspace by subspace.
"""
