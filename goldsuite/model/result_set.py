"""What a warehouse gave back for one statement."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Literal, TypeAlias

Cell: TypeAlias = (
    int | Decimal | float | str | bool | date | datetime | time | timedelta | bytes | None
)
"""One value. JSON, arrays and structs come as their canonical text; NaN and infinities are kept."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """One column of a result: duplicate and empty names are kept as the engine gave them."""

    name: str
    type: str | None = None
    """The engine's own name of the type, where the driver tells it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ResultSet:
    """Rows that one statement returned, in the order the warehouse gave them."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    """One tuple per row, as wide as `columns`. Duplicates are kept."""
    truncated: bool = False
    """True if the warehouse had more rows than the limit; never graded as equal."""
    elapsed_s: float = 0.0
    """Seconds in the warehouse, transfer included."""


ProblemKind: TypeAlias = Literal["refused", "failed", "timed_out", "too_large"]
"""refused: our gate would not run it. failed: the engine's own error. The rest are limits."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """Why a statement gave no result."""

    kind: ProblemKind
    message: str
    """One line, without secrets; says which rule or what the engine said."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Execution:
    """What became of one statement: exactly one of `result` and `problem` is there."""

    sql: str
    result: ResultSet | None = None
    problem: Problem | None = None

    def __post_init__(self) -> None:
        if (self.result is None) == (self.problem is None):
            raise ValueError("an execution has either a result or a problem")
