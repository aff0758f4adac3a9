"""Counts, for one SELECT, how often a row of the table it measures is repeated by its joins."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from goldsuite.diagnosis.counterfactual.experiment import Allowance
from goldsuite.diagnosis.counterfactual.filling import Taken, fill_select
from goldsuite.diagnosis.counterfactual.merged import MergedSelect
from goldsuite.diagnosis.counterfactual.pairing import measured_alias
from goldsuite.diagnosis.counterfactual.plan import (
    Condition,
    Part,
    Projection,
    SelectPlan,
    Source,
    Tail,
)
from goldsuite.diagnosis.counterfactual.text import part_text
from goldsuite.diagnosis.counterfactual.writing import write_plan
from goldsuite.diagnosis.keys import Keys
from goldsuite.sqltext.measures import Measure, count_rows, read_measures
from goldsuite.sqltext.parsing import UNREADABLE

__all__ = ["Probes", "Repetition"]

_CANDIDATES = 6
"""Columns of a table without a declared key that are looked at for being unique."""
_MEANINGFUL = 1 + 1e-9


@dataclass(frozen=True, kw_only=True, slots=True)
class Repetition:
    """Rows that a SELECT aggregates, against the rows of the measured table among them."""

    alias: str
    table: str
    key: tuple[str, ...]
    """What tells the rows of the table apart."""
    rows: int
    distinct: int

    @property
    def ratio(self) -> float:
        """Rows for each row of the measured table; 1 where there are none."""
        return self.rows / self.distinct if self.distinct else 1.0

    @property
    def repeats(self) -> bool:
        """Whether any row counts more than once."""
        return self.ratio > _MEANINGFUL


class Probes:
    """Probes of one pair of queries; what they cost is taken from the allowance."""

    def __init__(self, allowance: Allowance, *, keys: Keys, dialect: str) -> None:
        self._allowance = allowance
        self._keys = keys
        self._dialect = dialect

    def analyst(self, select: MergedSelect, nested_in: Taken) -> Repetition | None:
        """Of the analyst's SELECT; None where nothing can be told, or nothing is counted twice."""
        plan = fill_select(select, nested_in)
        alias = self._counted(plan, other=select.plans[1])
        return self._measure(plan, alias)

    def gold(self, select: MergedSelect, taken: Taken, alias: str) -> Repetition | None:
        """Of the gold's SELECT, for the table that the analyst's measures."""
        plan = fill_select(select, taken)
        if all(source.alias != alias for source in plan.sources):
            return None
        return self._measure(plan, alias)

    def gold_itself(self, select: MergedSelect, taken: Taken) -> Repetition | None:
        """Of the gold's SELECT, for what it measures by name; None where it only counts rows."""
        plan = fill_select(select, taken)
        columns = [c for m in self._sensitive(plan) for c in m.columns if not m.counts]
        alias = columns[0].partition(".")[0] if columns else None
        return self._measure(plan, alias)

    def gold_measured(self, select: MergedSelect, taken: Taken) -> Repetition | None:
        """Of the gold's SELECT, for whatever it measures, be it rows."""
        plan = fill_select(select, taken)
        return self._measure(plan, self._counted(plan, other=select.plans[0]))

    def _counted(self, plan: SelectPlan, *, other: SelectPlan) -> str | None:
        """The source whose rows are meant to count once: of a COUNT, what the gold measures."""
        there = {source.alias for source in plan.sources}
        sensitive = self._sensitive(plan)
        if not plan.aggregates and plan.distinct is None:
            return measured_alias(other) if measured_alias(other) in there else None
        for measure in sensitive:
            if measure.columns and not measure.counts:
                alias = measure.columns[0].partition(".")[0]
                if alias in there:
                    return alias
        if not sensitive:
            return None
        meant = measured_alias(other)
        return meant if meant in there else measured_alias(plan)

    def _sensitive(self, plan: SelectPlan) -> list[Measure]:
        return [
            measure
            for projection in plan.projections
            for measure, _ in read_measures(projection.part.node, self._dialect)
            if measure.duplicate_sensitive
        ]

    def _measure(self, plan: SelectPlan, alias: str | None) -> Repetition | None:
        source = next((s for s in plan.sources if s.alias == alias), None)
        if source is None or len(plan.sources) < 2:
            return None
        key = self._key_of(source)
        counted = self._count(plan, source, key) if key else None
        if counted is None:
            return None
        table = source.table or source.alias
        rows, distinct = counted
        return Repetition(
            alias=source.alias, table=table, key=tuple(key), rows=rows, distinct=distinct
        )

    def _count(
        self, plan: SelectPlan, source: Source, key: Sequence[str]
    ) -> tuple[int, int] | None:
        columns = [exp.column(name, table=source.alias) for name in key]
        grouped = SelectPlan(
            sources=plan.sources,
            # A row that an outer join left without a partner is none of the measured table.
            conditions=[*plan.conditions, _not_null(columns[0])],
            group=[Part(node=column) for column in columns],
            group_node=exp.Group(),
            having=[],
            qualify=[],
            projections=[Projection(name="n", part=Part(node=count_rows()))],
            distinct=None,
            tail=Tail(),
        )
        try:
            inner = exp.Subquery(this=write_plan(grouped), alias=exp.TableAlias(this="repeated"))
            number = exp.column("n", table="repeated")
            select = exp.select(
                exp.alias_(exp.Sum(this=number), "all_rows"), exp.alias_(count_rows(), "own_rows")
            ).from_(inner)
            found = self._allowance.result(select.sql(dialect=self._dialect))
        except UNREADABLE:
            return None
        if found is None or len(found.rows) != 1:
            return None
        rows, distinct = found.rows[0]
        return int(rows or 0), int(distinct or 0)  # type: ignore[arg-type]

    def _key_of(self, source: Source) -> Sequence[str]:
        """Columns that tell the rows of a source apart; empty where none are known."""
        if isinstance(source.plan, SelectPlan):
            return _key_of_plan(source.plan)
        if source.table is None or not isinstance(source.node, exp.Table):
            return ()
        declared = self._keys.declared(source.table)
        return declared or self._unique_column(source.node)

    def _unique_column(self, table: exp.Table) -> Sequence[str]:
        """Without a declared key: a column that has another value in each row."""
        names = self._keys.candidates(table.name)[:_CANDIDATES]
        if not names:
            return ()
        counts = [
            exp.alias_(exp.Count(this=exp.Distinct(expressions=[exp.column(name)])), f"n{number}")
            for number, name in enumerate(names)
        ]
        bare = table.copy()
        bare.set("alias", None)
        select = exp.select(exp.alias_(count_rows(), "n"), *counts).from_(bare)
        found = self._allowance.result(select.sql(dialect=self._dialect))
        if found is None or len(found.rows) != 1:
            return ()
        rows, *distinct = found.rows[0]
        return next(
            ([name] for name, n in zip(names, distinct, strict=True) if n == rows and rows), ()
        )


def _key_of_plan(plan: SelectPlan) -> Sequence[str]:
    if plan.distinct is not None:
        return [projection.name for projection in plan.projections]
    keys = {part_text(part) for part in plan.group}
    named = {part_text(p.part): p.name for p in plan.projections}
    return [named[key] for key in sorted(keys)] if keys and keys <= named.keys() else ()


def _not_null(column: exp.Expr) -> Condition:
    test = exp.Not(this=exp.Is(this=column.copy(), expression=exp.null()))
    return Condition(part=Part(node=test), kind="filter")
