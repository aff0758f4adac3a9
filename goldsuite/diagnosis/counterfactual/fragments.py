"""Parts of the queries as a reader sees them: with tables in place of aliases."""

from collections.abc import Iterable
from typing import Any

from sqlglot import exp

from goldsuite.diagnosis.counterfactual.merged import Merged, Slot
from goldsuite.diagnosis.counterfactual.plan import (
    Condition,
    Part,
    Plan,
    SelectPlan,
    Source,
    plans_below,
)
from goldsuite.diagnosis.counterfactual.walking import parts_in, selects
from goldsuite.diagnosis.counterfactual.writing import write_part

__all__ = ["Fragments"]

_LONGEST = 400


class Fragments:
    """Writes parts of one merged query."""

    def __init__(self, merged: Merged, dialect: str) -> None:
        self._dialect = dialect
        self._tables: tuple[dict[str, str], dict[str, str]] = ({}, {})
        for select in selects(merged):
            for side in (0, 1):
                self._learn(select.plans[side], side)

    def _learn(self, plan: Plan, side: int) -> None:
        for below in plans_below(plan):
            if isinstance(below, SelectPlan):
                for source in below.sources:
                    if source.table is not None:
                        self._tables[side][source.alias] = source.table

    def text(self, part: Part, *, gold: bool) -> str:
        """One expression."""
        node = write_part(part)
        tables = self._tables[gold]
        root = exp.Paren(this=node)
        for column in root.find_all(exp.Column):
            if column.table in tables:
                column.set("table", exp.to_identifier(tables[column.table]))
        for table in root.find_all(exp.Table):
            table.set("alias", None)
        written = str(root.this.sql(dialect=self._dialect, comments=False))
        if len(written) > _LONGEST:
            written = f"{written[: _LONGEST // 2]} ... {written[-_LONGEST // 2 :]}"
        return written

    def texts(self, fragment: Any, *, gold: bool) -> list[str]:
        """Every expression of what a slot holds."""
        return [self.text(part, gold=gold) for part in parts_in(fragment)]

    def of_slot(self, slot: Slot[Any], *, gold: bool) -> str:
        """What one side has there, as a condition would join it; empty where it has nothing."""
        return " AND ".join(self.texts(slot.gold if gold else slot.analyst, gold=gold))

    def source(self, source: Source | None) -> str:
        """A source by its table, or by what it is derived from."""
        if source is None:
            return "nothing"
        if source.table is not None:
            return source.table
        if source.plan is not None:
            return f"the derived table {source.alias}"
        return source.alias

    def conditions(self, conditions: Iterable[Condition], *, gold: bool) -> str:
        """Conditions joined by AND."""
        return " AND ".join(self.text(c.part, gold=gold) for c in conditions)
