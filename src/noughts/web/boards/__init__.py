"""Boards inside pages: `linked` ones, on which moves are made by `clicking`; `thumbnails` and PNGs (`raster`)."""
