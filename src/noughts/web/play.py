"""The pages of `play`."""

from fastapi import APIRouter

__all__ = ["router"]

router = APIRouter()
