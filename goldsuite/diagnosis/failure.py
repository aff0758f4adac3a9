"""What is known of one failure before anyone asks why."""

from dataclasses import dataclass

__all__ = ["Failure"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    """One wrong answer."""

    question: str
    gold_sql: str | None
    """The nearest of several; None where the case has none."""
    predicted_sql: str | None
    """The analyst's; None where it gave none."""
    definition_source: str | None
    """As the analyst said it."""
    reason: str
    """The grade's sentence."""
    metric: str | None
    """The metric that the case is about, where the suite says so."""
    dialect: str
    """sqlglot's name."""
