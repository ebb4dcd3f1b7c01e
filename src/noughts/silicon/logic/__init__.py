"""Logic: circuits without registers that play at once, and how small they can be.

    netlist, blif       gates of two inputs as a value, and its two text forms
    specification       what a logic must do: A, A-any, B, C, D, E-B, E-C, E-D
    verify, proof       whether it does: on every position by trying, and by a solver
    fewest              how few gates can do: a lower bound
    counts              what it is made of: gates, inverters, depth, LUTs, cells, transistors
    component           a netlist as a component of Amaranth
    best/               the smallest that are known here, a file each

Nothing here but `component`, `proof` and a part of `counts` needs more than the core of Noughts.
"""
