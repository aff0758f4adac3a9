"""What all failures of a run are diagnosed with."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from goldsuite.context.dictionary import MetricDictionary
from goldsuite.model.result_set import Execution
from goldsuite.warehouse.base import Catalog

__all__ = ["DEFAULT_BUDGET", "DEFAULT_DEADLINE_S", "Bench", "Distinguishes"]

DEFAULT_BUDGET = 40
"""Executions for one failure."""
DEFAULT_DEADLINE_S = 30.0
"""Seconds for one failure, beyond which nothing new is executed."""


class Distinguishes(Protocol):
    """Looks for a database on which two queries differ."""

    def __call__(self, sql_a: str, sql_b: str) -> bool | None:
        """True where one was found; False where none was; None where it cannot be told."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Bench:
    """The same for every failure; safe to use from several threads if `execute` is."""

    execute: Callable[[str], Execution] | None
    """The guarded door: it refuses, limits and never raises. None: nothing is executed."""
    dictionary: MetricDictionary
    """As the analyst saw it."""
    author_dictionary: MetricDictionary | None = None
    """As the suite's author has it; None where that is the same one."""
    catalog: Catalog | None = None
    budget: int = DEFAULT_BUDGET
    """Executions for one failure; with 0 only the queries' structure is compared."""
    deadline_s: float = DEFAULT_DEADLINE_S
    """After that nothing new is started; one statement is bounded by the door's own limits."""
    distinguishes: Distinguishes | None = None
    """Tells a repair that gives the gold's result by chance."""
