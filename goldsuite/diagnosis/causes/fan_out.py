"""A join repeats rows, and an aggregate counts each repetition."""

from collections.abc import Iterator

from goldsuite.diagnosis.causes.base import Case, Evidence
from goldsuite.diagnosis.keys import Keys
from goldsuite.diagnosis.wording import fragment
from goldsuite.model.diagnosis import FailureMode
from goldsuite.sqltext.blocks import Block, Reading
from goldsuite.sqltext.shape import QueryShape

__all__ = ["FanOut", "repeating_joins"]


class FanOut:
    """See the module."""

    mode = FailureMode.FAN_OUT

    def find(self, case: Case) -> Evidence | None:
        """Evidence of a join that the gold has not, or whose repetitions the gold undoes."""
        gold, predicted = case.difference.gold, case.difference.predicted
        found = (
            *repeating_joins("The analyst", predicted, gold, case.keys),
            *_lost_distinct(predicted, gold, case.keys),
        )
        return found or None


def repeating_joins(whose: str, query: QueryShape, other: QueryShape, keys: Keys) -> Iterator[str]:
    """Sentences on joins of `query` that repeat rows under an aggregate, and `other` has not."""
    for block in query.blocks:
        for reading in block.readings if not block.semi and len(block.readings) > 1 else ():
            counted = _counted_more(block, reading, other)
            if counted is None or not _repeats(block, reading, keys):
                continue
            yield (
                f"{whose} joins `{reading.table}` under {fragment(counted)}: where it has several"
                " rows for one of the other side, that one is counted as often."
            )


def _counted_more(block: Block, reading: Reading, other: QueryShape) -> str | None:
    """An aggregate that counts rows once per row of `reading`, where `other` does not join so."""
    for aggregate in block.aggregates:
        if not aggregate.duplicate_sensitive:
            continue
        tables = {c.rpartition(".")[0] for c in aggregate.columns}
        if not aggregate.columns or aggregate.counts:
            tables = _counted_tables(block, other, tables)
        if reading.table not in tables and not _read_together(reading.table, tables, other):
            return aggregate.text
    return None


def _counted_tables(block: Block, other: QueryShape, named: set[str]) -> set[str]:
    """The tables whose rows a COUNT is meant to count: the other query's, where it is read."""
    read = {reading.table for reading in block.readings}
    if other.main_table in read:
        return {other.main_table}
    return named or {block.readings[0].table}


def _read_together(table: str, tables: set[str], shape: QueryShape) -> bool:
    for block in shape.blocks:
        read = {reading.table for reading in block.readings}
        if not block.semi and table in read and read & tables:
            return True
    return False


def _repeats(block: Block, reading: Reading, keys: Keys) -> bool:
    """Whether several rows of `reading` may match one combination of the other tables."""
    tied: set[str] = set()
    for tie in block.equalities:
        for (instance, _, column), bare in zip(tie.sides, tie.bare, strict=True):
            if instance == reading.instance and bare:
                if not all(tie.bare):
                    return False  # a column that equals an expression of another table: a calendar
                tied.add(column)
    return reading.how not in ("semi", "anti") and not keys.are_unique(reading.table, tied)


def _lost_distinct(query: QueryShape, gold: QueryShape, keys: Keys) -> Iterator[str]:
    """The gold counts distinct values over a join that repeats them; the analyst counts rows."""
    distinct = {m.columns: m.text for m in gold.measures if m.distinct}
    for block in query.blocks:
        for aggregate in block.aggregates:
            lost = distinct.get(aggregate.columns)
            if lost is None or aggregate.distinct or not aggregate.columns:
                continue
            table = aggregate.columns[0].rpartition(".")[0]
            for reading in block.readings:
                if reading.table != table and _repeats(block, reading, keys):
                    yield (
                        f"The join of `{reading.table}` repeats rows; the gold undoes that by"
                        f" {fragment(lost)}, the analyst counts them all by"
                        f" {fragment(aggregate.text)}."
                    )
