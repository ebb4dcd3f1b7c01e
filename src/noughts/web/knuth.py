"""The pages of `knuth`."""

from fastapi import APIRouter

__all__ = ["router"]

router = APIRouter()
