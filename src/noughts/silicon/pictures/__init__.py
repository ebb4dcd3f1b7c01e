"""Pictures of chips, as SVG: diagrams of blocks and states, the front with its keys and lamps, waveforms."""
