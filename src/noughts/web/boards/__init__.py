"""Boards inside pages: `linked`, whose points are links, and `thumbnails`, to look at."""
