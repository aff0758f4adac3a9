"""Two aligned queries as one tree of slots, each filled by the analyst's part or by the gold's.

With no slot taken from the gold the tree is the analyst's query, with all of them it is the gold's.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeAlias, TypeVar

from sqlglot import exp

from goldsuite.diagnosis.counterfactual.plan import (
    Condition,
    Part,
    Plan,
    Projection,
    SelectPlan,
    Source,
    Tail,
)

__all__ = [
    "Chain",
    "Grouping",
    "Merged",
    "MergedSelect",
    "MergedSet",
    "Operator",
    "Slot",
    "SlotKind",
    "SourceSlot",
    "Whole",
]

Fragment = TypeVar("Fragment")


class SlotKind(StrEnum):
    """What a slot holds."""

    SOURCE = "source"
    TIE = "tie"
    TIME = "time"
    FILTER = "filter"
    HAVING = "having"
    GROUP = "group"
    PROJECTION = "projection"
    COLUMNS = "columns"
    DISTINCT = "distinct"
    TAIL = "tail"
    OPERATOR = "operator"
    SHELL = "shell"
    WHOLE = "whole"


@dataclass(frozen=True, kw_only=True, slots=True)
class Slot(Generic[Fragment]):
    """One place of the query."""

    number: int
    kind: SlotKind
    analyst: Fragment | None
    gold: Fragment | None
    equal: bool
    """True where both say the same, subqueries aside."""
    nested: tuple["Merged", ...] = ()
    """The subqueries of an expression whose text is the same in both."""

    @property
    def pair(self) -> tuple[Fragment, Fragment]:
        """The analyst's and the gold's, where both have one.

        Raises:
            ValueError: one of them has none.
        """
        if self.analyst is None or self.gold is None:
            raise ValueError(f"slot {self.number} ({self.kind}) is empty on one side")
        return self.analyst, self.gold


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceSlot:
    """One source, under the alias that it has in both queries."""

    alias: str
    slot: Slot[Source]
    nested: "Merged | None" = None
    """A derived table that both have."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Grouping:
    """GROUP BY."""

    parts: tuple[Part, ...]
    node: exp.Group | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Operator:
    """What combines the two sides of a set operation."""

    kind: type[exp.SetOperation]
    distinct: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class MergedSelect:
    """Two aligned SELECTs."""

    sources: tuple[SourceSlot, ...]
    conditions: tuple[Slot[list[Condition]], ...]
    having: tuple[Slot[list[Condition]], ...]
    qualify: tuple[Slot[list[Condition]], ...]
    group: Slot[Grouping]
    projections: tuple[Slot[Projection], ...]
    columns: Slot[list[Projection]] | None
    """All output columns as one, in place of `projections`, where the levels of the queries
    differ."""
    distinct: Slot[exp.Expr]
    tail: Slot[Tail]
    plans: tuple[SelectPlan, SelectPlan]
    """The analyst's and the gold's, names aligned."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MergedSet:
    """Two aligned set operations."""

    operator: Slot[Operator]
    left: "Merged"
    right: "Merged"
    tail: Slot[Tail]


@dataclass(frozen=True, kw_only=True, slots=True)
class Chain:
    """Queries that compute in a different number of levels over the same innermost one."""

    shell: Slot[tuple[SelectPlan, ...]]
    """The levels around it, outermost first; each reads the next one alone."""
    core: MergedSelect


@dataclass(frozen=True, kw_only=True, slots=True)
class Whole:
    """Queries that have too little in common."""

    slot: Slot[Plan]


Merged: TypeAlias = MergedSelect | MergedSet | Chain | Whole
