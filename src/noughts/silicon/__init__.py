"""The chips: the three designs of the sources in Amaranth, and everything that makes and checks hardware of them.

`parts` are the circuits that designs share; `chip1990`, `elements2021` and `referee2021` are the designs, each a
component whose pins are those of its source; `designs` lists them. The rest is the flow, a file a step: Verilog,
compiled simulation, traces and waveforms, exhaustive games, gates, timing, bitstreams, proofs.

Nothing here is imported before it is needed: the package works without Amaranth, and says so when a chip is asked for.
"""
