"""Noughts plays, solves, explains and builds the games of a row."""

__version__ = "0.1.0"
