"""From a circuit to hardware: synthesis, gates, timing, and bitstreams with a console to play at."""
