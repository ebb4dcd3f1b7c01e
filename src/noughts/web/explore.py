"""The pages of `explore`."""

from fastapi import APIRouter

__all__ = ["router"]

router = APIRouter()
