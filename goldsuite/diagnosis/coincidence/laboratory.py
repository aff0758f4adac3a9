"""Where queries are tried on small databases; who tries need not know in which engine."""

from collections.abc import Sequence
from typing import Protocol

from goldsuite.diagnosis.coincidence.databases import TinyDatabase
from goldsuite.diagnosis.coincidence.subject import Subject
from goldsuite.model.coincidence import CoincidenceMethod
from goldsuite.model.result_set import ResultSet

__all__ = ["Laboratory"]


class Laboratory(Protocol):
    """Runs queries on small databases of one shape."""

    @property
    def method(self) -> CoincidenceMethod: ...

    @property
    def executions(self) -> int:
        """Statements run so far."""
        ...

    @property
    def spent(self) -> bool:
        """Whether time or executions are used up; nothing is run then."""
        ...

    @property
    def keeps_order(self) -> bool:
        """Whether `plain` gives rows in the order that the query asks for."""
        ...

    def batch(self, subject: Subject, databases: Sequence[TinyDatabase]) -> list[ResultSet | None]:
        """What the query gives on each database, rows in any order; None where it fails."""
        ...

    def plain(self, subject: Subject, databases: Sequence[TinyDatabase]) -> list[ResultSet | None]:
        """What the query's text as it is gives on each database; None where it fails."""
        ...
