"""What Alembic runs for every migration: on the connection, and in the transaction, that `upgrade` opened."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
