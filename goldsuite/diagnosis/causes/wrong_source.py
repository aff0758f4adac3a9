"""The measure is read from other tables than the gold's, or they are tied together otherwise."""

from collections.abc import Iterator

from goldsuite.diagnosis.causes.base import Case, Evidence
from goldsuite.diagnosis.difference import bare_names
from goldsuite.diagnosis.wording import quoted
from goldsuite.model.diagnosis import FailureMode
from goldsuite.sqltext.blocks import Block
from goldsuite.sqltext.shape import QueryShape

__all__ = ["WrongSource"]


class WrongSource:
    """See the module."""

    mode = FailureMode.WRONG_SOURCE

    def find(self, case: Case) -> Evidence | None:
        """Evidence of another main table, another join condition or another kind of join."""
        difference = case.difference
        if difference.swap is not None:
            swap = difference.swap
            return (
                f"The analyst measures from `{swap.predicted}`, the gold from `{swap.gold}`.",
                *_other_schema(case),
            )
        found = (
            *_other_schema(case),
            *_other_conditions(difference.gold, difference.predicted),
            *_other_kinds(difference.gold, difference.predicted),
        )
        return found or None


def _other_schema(case: Case) -> Iterator[str]:
    """One name, written with two schemas."""
    gold = {t.rpartition(".")[2]: t for t in case.difference.gold.tables if "." in t}
    for table in case.difference.predicted.tables:
        schema, _, name = table.rpartition(".")
        if schema and name in gold and gold[name] != table:
            yield f"The analyst reads `{table}`, the gold `{gold[name]}`."


def _other_conditions(gold: QueryShape, predicted: QueryShape) -> Iterator[str]:
    """Two tables that both queries join, by other columns."""
    ours, theirs = _ties(gold), _ties(predicted)
    for pair in sorted(ours.keys() & theirs.keys()):
        if ours[pair] != theirs[pair]:
            yield (
                f"The analyst joins {quoted(pair)} by {quoted(sorted(theirs[pair]))},"
                f" the gold by {quoted(sorted(ours[pair]))}."
            )


def _ties(shape: QueryShape) -> dict[tuple[str, str], set[str]]:
    found: dict[tuple[str, str], set[str]] = {}
    for tie in (tie for block in shape.blocks for tie in block.equalities):
        ends = sorted((table, f"{table}.{column}") for _, table, column in tie.sides)
        (first, left), (second, right) = ends
        found.setdefault((first, second), set()).add(f"{left} = {right}")
    return found


def _other_kinds(gold: QueryShape, predicted: QueryShape) -> Iterator[str]:
    """A table that may be without a match in one query and not in the other."""
    both = bare_names(gold.tables) & bare_names(predicted.tables)
    ours, theirs = _optional(gold), _optional(predicted)
    for table in sorted((ours - theirs) & both):
        yield (
            f"The gold keeps rows without a match in `{table}` (an outer join);"
            " the analyst's query loses them."
        )
    for table in sorted((theirs - ours) & both):
        yield (
            f"The analyst's outer join keeps rows without a match in `{table}`;"
            " the gold leaves them out."
        )


def _optional(shape: QueryShape) -> frozenset[str]:
    """Tables whose columns an outer join may fill with NULL, and no condition then removes."""
    filled = {table for block in shape.blocks if not block.semi for table in _filled(block)}
    kept = [p for p in shape.predicates if p.outer_join is None and not p.keeps_null]
    required = {c.rpartition(".")[0] for p in kept for c in p.columns}
    return frozenset(filled - required)


def _filled(block: Block) -> set[str]:
    filled: set[str] = set()
    before: set[str] = set()
    for reading in block.readings:
        if reading.how in ("left", "full"):
            filled.add(reading.table)
        if reading.how in ("right", "full"):
            filled |= before
        before.add(reading.table)
    return filled
