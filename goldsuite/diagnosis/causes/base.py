"""What a cause is to the classifier: something that looks for itself in a difference."""

from dataclasses import dataclass
from typing import Protocol, TypeAlias

from goldsuite.context.dictionary import MetricDictionary
from goldsuite.diagnosis.difference import Difference
from goldsuite.diagnosis.failure import Failure
from goldsuite.diagnosis.keys import Keys
from goldsuite.model.diagnosis import FailureMode

__all__ = ["Case", "Cause", "Evidence"]

Evidence: TypeAlias = tuple[str, ...]
"""Whole sentences, at least one; each names the fragments of SQL that differ."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """All that a cause may look at."""

    failure: Failure
    difference: Difference
    dictionary: MetricDictionary
    keys: Keys


class Cause(Protocol):
    """One mode of failure."""

    @property
    def mode(self) -> FailureMode:
        """What is proven when it finds evidence."""
        ...

    def find(self, case: Case) -> Evidence | None:
        """The evidence that this cause applies; None where it does not."""
        ...
