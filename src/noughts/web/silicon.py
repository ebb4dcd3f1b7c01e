"""The pages of `silicon`."""

from fastapi import APIRouter

__all__ = ["router"]

router = APIRouter()
