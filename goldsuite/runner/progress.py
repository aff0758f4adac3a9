"""How far a run has come: data for whoever shows it. Nothing here knows which answers are right."""

from dataclasses import dataclass

__all__ = ["Progress"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """One look at a run that is under way."""

    answered: int
    """Trials with an answer, those that ended in an error included."""
    total: int
    """Trials that are asked in this go; a resumed run counts what it still asks."""
    in_flight: int
    errors: int
    elapsed_s: float
    """Seconds since the first question."""
    eta_s: float | None
    """Seconds to the end at the mean pace so far; None before the first answer."""
