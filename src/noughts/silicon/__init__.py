"""The chips: the designs of the sources in Amaranth, and everything that makes and checks hardware of them.

    design, designs/    what a design says of itself, and the designs, a folder each; `designs` lists them
    circuit, driver     what every tool takes, what runs somewhere, and who sits at its pins
    parts, proofs       the circuits that designs share, and what is proved of them (by `formal`)
    simulate/           running chips: interpreted, compiled, recorded, played through to the last game
    verilog/, flow/     what is made of a circuit: Verilog to be read; gates, timing, bitstreams
    trace, pictures/    a run as data, as a dump, as a waveform; diagrams and the front of a chip
    kept                what comes with a design as files: its figures and the recording of its sample run

Nothing here loads Amaranth before a circuit is needed: the facts of a design can be read without it.
"""
