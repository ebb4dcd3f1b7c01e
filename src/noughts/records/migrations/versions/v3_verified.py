"""Revision 3: whether the moves of the machines in a game were replayed; nobody has looked at games saved before."""

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"


def upgrade() -> None:
    """Add the column."""
    op.add_column("games", sa.Column("verified", sa.Boolean))
