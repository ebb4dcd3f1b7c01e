"""Revision 1: finished games."""

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None


def upgrade() -> None:
    """Make the table of games."""
    op.create_table(
        "games",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("token", sa.String(40), nullable=False),
        sa.Column("game", sa.String(100), nullable=False),
        sa.Column("x", sa.String(60), nullable=False),
        sa.Column("o", sa.String(60), nullable=False),
        sa.Column("start", sa.String(400)),
        sa.Column("moves", sa.String(2000), nullable=False),
        sa.Column("result", sa.String(4), nullable=False),
        sa.Column("reason", sa.String(300), nullable=False),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Double),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sa.UniqueConstraint("fingerprint", name="uq_games_fingerprint"),
        sa.CheckConstraint("result IN ('x', 'o', 'draw')", name="ck_games_result"),
    )
    for column in ("game", "x", "o"):
        op.create_index(f"ix_games_{column}_id", "games", [column, "id"])
