"""What is known of one failure before anyone asks why."""

from collections.abc import Callable
from dataclasses import dataclass

from goldsuite.model.grade import Faithfulness, Verdict
from goldsuite.model.key import GoldValue
from goldsuite.model.result_set import Execution, ResultSet

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
    said: str | None = None
    """The value as the analyst said it; None where it gave none."""
    verdict: Verdict | None = None
    faithfulness: Faithfulness = "not_checkable"
    """Whether what was said is what the analyst's own SQL returns."""
    predicted: Execution | None = None
    """What became of the analyst's SQL; None: it is run here."""
    gold: Execution | None = None
    """What became of the gold's SQL; None: it is run here."""
    gold_stored: GoldValue = None
    """The reference in the suite's file; None where it has none."""
    matches: Callable[[ResultSet], bool] | None = None
    """The case's own comparison of a result with the gold's; None: rows are compared as they are,
    in any order."""
