"""Revision 2: tournaments and their pairings."""

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"


def upgrade() -> None:
    """Make the two tables."""
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "tournaments",
        sa.Column("id", number, nullable=False),
        sa.Column("game", sa.String(100), nullable=False),
        sa.Column("played_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seed", sa.String(40), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
    )
    op.create_index("ix_tournaments_game_id", "tournaments", ["game", "id"])
    op.create_table(
        "pairings",
        sa.Column("id", number, nullable=False),
        sa.Column("tournament_id", number, nullable=False),
        sa.Column("first", sa.String(60), nullable=False),
        sa.Column("second", sa.String(60), nullable=False),
        sa.Column("wins", sa.Integer, nullable=False),
        sa.Column("draws", sa.Integer, nullable=False),
        sa.Column("losses", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_pairings"),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name="fk_pairings_tournament_id"),
        sa.CheckConstraint("wins >= 0 AND draws >= 0 AND losses >= 0", name="ck_pairings_counts"),
    )
    op.create_index("ix_pairings_tournament_id", "pairings", ["tournament_id"])
