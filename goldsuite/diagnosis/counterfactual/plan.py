"""A query as parts that can be exchanged one by one.

Plans are changed in place while two of them are brought to the same names (`renaming`), and by
nothing afterwards.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from sqlglot import exp

__all__ = [
    "CondKind",
    "Condition",
    "Part",
    "Plan",
    "Projection",
    "SelectPlan",
    "SetPlan",
    "Source",
    "Tail",
    "parts_of",
    "plans_below",
    "refers_to",
    "tables_of",
]

CondKind: TypeAlias = Literal["tie", "time", "filter"]
"""tie: an equality between two sources; time: a window; filter: all else."""


@dataclass(kw_only=True, slots=True)
class Part:
    """One expression; each subquery in it is a plan of its own, and `node` has a gap for it."""

    node: exp.Expr
    holes: tuple["Plan", ...] = ()
    """In the order of the gaps, which are placeholders called `gap0`, `gap1` ..."""


@dataclass(kw_only=True, slots=True)
class Condition:
    """One conjunct."""

    part: Part
    kind: CondKind
    text: str = ""
    """Canonical; written once the names are final."""


@dataclass(kw_only=True, slots=True)
class Projection:
    """One output column."""

    name: str
    part: Part


@dataclass(kw_only=True, slots=True)
class Source:
    """One thing that is read in FROM; either `node` or `plan` is there."""

    alias: str
    node: exp.Expr | None = None
    """A table, or another source that is taken as it is, such as VALUES."""
    plan: "Plan | None" = None
    """A derived table."""
    side: str = ""
    """`left`, `right`, `full`, or empty for an inner join and for the first one."""
    on: list[Condition] = field(default_factory=list)
    """Of an outer join alone: an inner join's conditions stand in the block."""

    @property
    def table(self) -> str | None:
        """The table's bare name; None for anything else."""
        return self.node.name if isinstance(self.node, exp.Table) else None


@dataclass(kw_only=True, slots=True)
class Tail:
    """ORDER BY, LIMIT and OFFSET."""

    order: list[Part] = field(default_factory=list)
    """Each an `exp.Ordered`."""
    limit: exp.Expr | None = None
    offset: exp.Expr | None = None

    @property
    def cuts(self) -> bool:
        """Whether rows are left out."""
        return self.limit is not None or self.offset is not None


@dataclass(kw_only=True, slots=True)
class SelectPlan:
    """One SELECT."""

    sources: list[Source]
    conditions: list[Condition]
    """WHERE, and ON of inner joins."""
    group: list[Part]
    group_node: exp.Group | None
    """The clause itself; None where there is none."""
    having: list[Condition]
    """HAVING; QUALIFY stands in `qualify`."""
    qualify: list[Condition]
    projections: list[Projection]
    distinct: exp.Expr | None
    tail: Tail

    @property
    def aggregates(self) -> bool:
        """Whether rows are grouped, be it all into one."""
        if self.group_node is not None:
            return True
        return any(_own_aggregate(p.part.node) for p in self.projections)


@dataclass(kw_only=True, slots=True)
class SetPlan:
    """UNION and the like of two plans."""

    operator: type[exp.SetOperation]
    distinct: bool
    left: "Plan"
    right: "Plan"
    tail: Tail


Plan: TypeAlias = SelectPlan | SetPlan


def _own_aggregate(node: exp.Expr) -> bool:
    return any(not isinstance(found.parent, exp.Window) for found in node.find_all(exp.AggFunc))


def parts_of(plan: Plan) -> Iterator[Part]:
    """The expressions of a plan itself, without those of derived tables and subqueries."""
    yield from plan.tail.order
    if isinstance(plan, SetPlan):
        return
    for condition in (*plan.conditions, *plan.having, *plan.qualify):
        yield condition.part
    for source in plan.sources:
        yield from (condition.part for condition in source.on)
    yield from plan.group
    yield from (projection.part for projection in plan.projections)


def plans_below(plan: Plan) -> Iterator[Plan]:
    """`plan`, and every plan in it."""
    yield plan
    if isinstance(plan, SetPlan):
        yield from plans_below(plan.left)
        yield from plans_below(plan.right)
    else:
        for source in plan.sources:
            if source.plan is not None:
                yield from plans_below(source.plan)
    for part in parts_of(plan):
        for hole in part.holes:
            yield from plans_below(hole)


def tables_of(plan: Plan) -> frozenset[str]:
    """Every table that a plan reads, subqueries included; bare names."""
    found = {
        source.table
        for below in plans_below(plan)
        if isinstance(below, SelectPlan)
        for source in below.sources
    }
    return frozenset(table for table in found if table is not None)


def refers_to(part: Part) -> frozenset[tuple[str, str]]:
    """Alias and column of every qualified column, those inside its subqueries included."""
    found = {(c.table, c.name) for c in part.node.find_all(exp.Column) if c.table}
    for hole in part.holes:
        for below in plans_below(hole):
            for inner in parts_of(below):
                found |= {(c.table, c.name) for c in inner.node.find_all(exp.Column) if c.table}
    return frozenset(found)
