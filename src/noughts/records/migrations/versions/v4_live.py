"""Revision 4: live games and classrooms."""

import sqlalchemy as sa
from alembic import op

revision = "4"
down_revision = "3"


def upgrade() -> None:
    """Make the two tables."""
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "classrooms",
        sa.Column("id", number, nullable=False),
        sa.Column("teacher_token", sa.String(23), nullable=False),
        sa.Column("pupils_token", sa.String(23), nullable=False),
        sa.Column("game", sa.String(100), nullable=False),
        sa.Column("opponent", sa.String(60), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_classrooms"),
        sa.UniqueConstraint("teacher_token", name="uq_classrooms_teacher_token"),
        sa.UniqueConstraint("pupils_token", name="uq_classrooms_pupils_token"),
    )
    op.create_index("ix_classrooms_began_at", "classrooms", ["began_at"])
    op.create_table(
        "live_games",
        sa.Column("id", number, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("x_token", sa.String(23), nullable=False),
        sa.Column("o_token", sa.String(23), nullable=False),
        sa.Column("watch_token", sa.String(23), nullable=False),
        sa.Column("game", sa.String(100), nullable=False),
        sa.Column("start", sa.String(400)),
        sa.Column("moves", sa.String(2000), nullable=False),
        sa.Column("x", sa.String(60), nullable=False),
        sa.Column("o", sa.String(60), nullable=False),
        sa.Column("x_name", sa.String(30), nullable=False),
        sa.Column("o_name", sa.String(30), nullable=False),
        sa.Column("x_deed", sa.String(40), nullable=False),
        sa.Column("o_deed", sa.String(40), nullable=False),
        sa.Column("offer", sa.String(10), nullable=False),
        sa.Column("result", sa.String(4), nullable=False),
        sa.Column("reason", sa.String(300), nullable=False),
        sa.Column("record_id", number),
        sa.Column("next_token", sa.String(23)),
        sa.Column("x_wins", sa.Integer, nullable=False),
        sa.Column("o_wins", sa.Integer, nullable=False),
        sa.Column("draws", sa.Integer, nullable=False),
        sa.Column("classroom_id", number),
        sa.Column("host", sa.String(1), nullable=False),
        sa.Column("waiting", sa.Boolean, nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("touched_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_live_games"),
        sa.UniqueConstraint("x_token", name="uq_live_games_x_token"),
        sa.UniqueConstraint("o_token", name="uq_live_games_o_token"),
        sa.UniqueConstraint("watch_token", name="uq_live_games_watch_token"),
        sa.ForeignKeyConstraint(["classroom_id"], ["classrooms.id"], name="fk_live_games_classroom_id"),
        sa.CheckConstraint("result IN ('', 'x', 'o', 'draw')", name="ck_live_games_result"),
    )
    op.create_index("ix_live_games_classroom_id", "live_games", ["classroom_id", "id"])
    op.create_index("ix_live_games_touched_at", "live_games", ["touched_at"])
