"""The pages of `history`."""

from fastapi import APIRouter

__all__ = ["router"]

router = APIRouter()
