"""The pages of `api`."""

from fastapi import APIRouter

__all__ = ["router"]

router = APIRouter()
