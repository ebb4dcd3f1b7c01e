"""The pages of `home`."""

from fastapi import APIRouter

__all__ = ["router"]

router = APIRouter()
