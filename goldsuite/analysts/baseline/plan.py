"""What the baseline decided to compute, before it is written as SQL."""

from dataclasses import dataclass
from typing import TypeAlias

from sqlglot import exp

from goldsuite.analysts.baseline.windows import Grain, Window

Joined: TypeAlias = tuple[exp.Join, ...]


class UnresolvedError(Exception):
    """The lookup found nothing to compute; the message says what it could not read."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Measure:
    """One aggregate over a source table."""

    value: exp.Expr
    source: str
    """Alias of the table."""
    joins: Joined = ()
    """Joins that belong to the definition."""
    filters: tuple[exp.Expr, ...] = ()
    """Predicates that belong to the definition."""
    time: exp.Column | None = None
    """What a window of time applies to; None where the definition does not say."""
    defined: bool = False
    """True if the dictionary defines it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Slice:
    """What to group by or to list: an expression over tables, or the measure's own time."""

    value: exp.Expr | None
    """None where `grain` says it."""
    grain: Grain | None = None
    table: str | None = None
    """Alias of the table that the value comes from; None for a grain."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Ranking:
    """The first `limit` groups by the measure."""

    descending: bool
    limit: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Times:
    """The windows of a question."""

    windows: tuple[Window, ...] = ()
    """Any of them holds; none: all time. With `change`: the earlier, then the later."""
    change: str | None = None
    """`relative` or `absolute`: the later window's value against the earlier one's."""
    relative: bool = False
    """True if today's date went into a window."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """All of one answer."""

    source: str
    measure: Measure | None
    """None: list the distinct slices."""
    slices: tuple[Slice, ...] = ()
    filters: tuple[exp.Expr, ...] = ()
    time: exp.Column | None = None
    """None where the question names no time, or the tables keep none."""
    times: Times = Times()
    ranking: Ranking | None = None
    averaged_over: Grain | None = None
    """The answer is the mean of the measure's values per day, week, month, ..."""
