"""Running chips: in an interpreter, compiled, with somebody beside them; runs to look at, and every game there is."""
