"""The style of boards in pages: the one that pictures carry with them, as a file, since pages allow no style inside."""

from fastapi import APIRouter
from fastapi.responses import Response

from noughts.games.picture import STYLE

__all__ = ["router"]

router = APIRouter()
_CSS = STYLE.removeprefix("<style>").removesuffix("</style>").strip() + "\n"


@router.get("/static/boards.css", include_in_schema=False)
async def boards_css() -> Response:
    """Colours and strokes of boards, light and dark."""
    return Response(_CSS, media_type="text/css", headers={"Cache-Control": "public, max-age=300"})
