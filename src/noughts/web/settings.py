"""What can be set of the server, with the values that suit one person on one machine."""

from dataclasses import dataclass

__all__ = ["Settings"]


@dataclass(frozen=True)
class Settings:
    """How much work visitors may cause, and where finished games go."""

    database_url: str | None = None
    """Where finished games are kept; None for the user's own file, or what NOUGHTS_DATABASE_URL says."""
    thinkers: int = 2
    """Processes that work out what takes long."""
    waiting: int = 16
    """Questions that may wait for one of them; more are turned away."""
    patience: float = 1.5
    """Seconds a request waits for an answer before it says "still thinking"."""
    limit: float = 60.0
    """Seconds after which a question is given up."""
    kept_answers: int = 20_000
    """Answers that are remembered."""
