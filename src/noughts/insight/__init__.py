"""Why a position is what it is: Knuth's classes, reasons in words, and pictures."""
