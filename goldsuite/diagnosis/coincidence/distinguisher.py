"""The generator of small databases for others: are these two queries told apart?"""

from threading import Lock

from goldsuite.diagnosis.coincidence.examine import Bounds, Examiner
from goldsuite.model.coincidence import CoincidenceVerdict
from goldsuite.warehouse.base import Catalog

__all__ = ["Distinguisher"]

_BOUNDS = Bounds(databases=96, executions=400, deadline_s=2.0)
"""Less than for a pass: a repair is tried several times, and a miss costs little."""


class Distinguisher:
    """Implements `goldsuite.diagnosis.bench.Distinguishes`; what was asked is remembered.

    Always in a DuckDB of our own: a search for repairs has no executions to spare in the warehouse.
    """

    def __init__(self, catalog: Catalog, *, dialect: str, bounds: Bounds = _BOUNDS) -> None:
        self._examiner = Examiner(catalog, dialect=dialect, bounds=bounds)
        self._known: dict[tuple[str, str], bool | None] = {}
        self._lock = Lock()

    def __call__(self, sql_a: str, sql_b: str) -> bool | None:
        """True where a database that keeps to all keys tells them apart; None: cannot be told."""
        pair = (sql_a, sql_b)
        with self._lock:
            if pair in self._known:
                return self._known[pair]
        found = self._examiner.examine(sql_b, sql_a).verdict
        told = None if found is CoincidenceVerdict.NOT_APPLICABLE else (
            found is CoincidenceVerdict.REFUTED
        )  # fmt: skip
        with self._lock:
            self._known[pair] = told
        return told

    def close(self) -> None:
        """Give the memory back."""
        self._examiner.close()
