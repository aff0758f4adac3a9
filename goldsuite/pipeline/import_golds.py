"""Running the golds of an import: which of them are golds, and what they give today."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from goldsuite.audit.gold_drift import gold_drift
from goldsuite.model.key import GoldCase, GoldScalar, GoldValue
from goldsuite.model.result_set import Cell, Execution, ResultSet
from goldsuite.pipeline.check import GoldStatus, check_gold
from goldsuite.pipeline.executions import CaseStatements, Executed, execute_cases
from goldsuite.suite.authoring import suite_text
from goldsuite.suite.importers.accept import case_fields
from goldsuite.suite.importers.base import Candidate, Untaken
from goldsuite.suite.key import load_key
from goldsuite.warehouse.engines import OpenWarehouse

__all__ = ["MOST_CELLS", "Stored", "Tried", "stored_value", "try_golds"]

MOST_CELLS = 200
"""Larger results are not written into a suite: they are recomputed, and nobody reads them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Tried:
    """The candidates whose golds hold, with their values, and what became of the others."""

    candidates: tuple[Candidate, ...]
    untaken: tuple[Untaken, ...] = ()
    notes: tuple[Untaken, ...] = ()
    dialect: str = ""
    translated: int = 0
    clock_dependent: int = 0


def try_golds(
    candidates: Sequence[Candidate],
    warehouse: OpenWarehouse,
    *,
    as_of: date | None,
    tolerance: Decimal | None,
) -> Tried:
    """Run every gold; one that fails is left out, and a case without a sound one is not taken.

    Args:
        as_of: the day that "today" means.
        tolerance: relative; where neither a case nor the default says otherwise.
    """
    if not candidates:
        return Tried(candidates=(), dialect=warehouse.dialect)
    statements = [CaseStatements(gold=each.gold_sql) for each in candidates]
    executed = execute_cases(warehouse, statements, as_of=as_of)
    taken: list[Candidate] = []
    untaken: list[Untaken] = []
    notes: list[Untaken] = []
    working = [_working(each, executed, notes) for each in candidates]
    keys = _keys([each for each, _ in working if each.gold_sql])
    clock = 0
    for candidate, failed in working:
        if not candidate.gold_sql:
            untaken.append(_about(candidate, failed))
            continue
        key = keys[candidate.id or ""]
        if tolerance is not None and not key.tolerance_given and key.unit != "count":
            key = replace(key, tolerance=tolerance)
        golds = [executed.gold[sql] for sql in candidate.gold_sql]
        found = check_gold(
            replace(key, has_gold_value=False),
            "train",
            golds,
            dialect=warehouse.dialect,
            health=executed.health,
            as_of=as_of,
            shown=True,
        )
        if found.status is not GoldStatus.SOUND:
            untaken.append(_about(candidate, found.message))
            continue
        clock += found.clock_dependent
        taken.append(_with_value(candidate, key, golds, notes))
    return Tried(
        candidates=tuple(taken),
        untaken=tuple(untaken),
        notes=tuple(notes),
        dialect=warehouse.dialect,
        clock_dependent=clock,
    )


def _working(
    candidate: Candidate, executed: Executed, notes: list[Untaken]
) -> tuple[Candidate, str]:
    """The candidate with the golds that run, and why the others do not."""
    failed = {
        sql: problem.message
        for sql in candidate.gold_sql
        if (problem := executed.gold[sql].problem) is not None
    }
    kept = tuple(sql for sql in candidate.gold_sql if sql not in failed)
    told = "; ".join(
        f"gold {number}: {failed[sql]}" if len(candidate.gold_sql) > 1 else failed[sql]
        for number, sql in enumerate(candidate.gold_sql, start=1)
        if sql in failed
    )
    if kept and failed:
        several = len(candidate.gold_sql)
        notes.append(_about(candidate, f"{len(kept)} of its {several} golds are taken; {told}"))
    return replace(candidate, gold_sql=kept), told


def _keys(candidates: Sequence[Candidate]) -> dict[str, GoldCase]:
    """The cases as grading will see them."""
    if not candidates:
        return {}
    text = suite_text(map(case_fields, candidates), name="import", as_of=None, header="")
    with tempfile.TemporaryDirectory(prefix="goldsuite-import-") as folder:
        path = Path(folder) / "suite.yaml"
        path.write_text(text, encoding="utf-8")
        return load_key(path).by_id


def _with_value(
    candidate: Candidate, key: GoldCase, golds: Sequence[Execution], notes: list[Untaken]
) -> Candidate:
    """The candidate with the value that its gold gives now in place of what the file stores."""
    result = next(gold.result for gold in golds if gold.result is not None)
    fields = {name: value for name, value in candidate.fields.items() if name != "gold_value"}
    if key.has_gold_value:
        # One of several golds may be the one that the stored value was taken from.
        drifts = [gold_drift(key.gold_value, g.result, key) for g in golds if g.result is not None]
        if all(drifts):
            notes.append(_about(candidate, f"{drifts[0]} The recomputed one is written"))
    stored = stored_value(result)
    if stored is None or gold_drift(stored.value, result, key) is not None:
        size = f"{len(result.rows):,} rows of {len(result.columns)}"
        notes.append(_about(candidate, f"no gold_value is written: its result has {size} values"))
        return replace(candidate, fields=fields)
    return replace(candidate, fields={**fields, "gold_value": _listed(stored.value)})


@dataclass(frozen=True, kw_only=True, slots=True)
class Stored:
    """What a gold file may store of a result."""

    value: GoldValue


def stored_value(result: ResultSet) -> Stored | None:
    """One value or rows; None where a gold file had better not store them.

    That is where there are more than `MOST_CELLS` cells, or one that YAML cannot hold exactly.
    """
    if result.truncated or len(result.rows) * len(result.columns) > MOST_CELLS:
        return None
    try:
        rows = tuple(tuple(map(_scalar, row)) for row in result.rows)
    except ValueError:
        return None
    return Stored(value=rows[0][0] if len(rows) == 1 and len(rows[0]) == 1 else rows)


def _scalar(cell: Cell) -> GoldScalar:
    """Raises: ValueError: YAML has no such value."""
    if isinstance(cell, float):
        cell = Decimal(repr(cell))
    if isinstance(cell, Decimal) and cell.is_finite():
        return cell
    if isinstance(cell, datetime):
        return cell.isoformat(sep=" ")
    if cell is None or isinstance(cell, (bool, int, str, date)):
        return cell
    raise ValueError(f"{type(cell).__name__} cannot be stored")


def _listed(value: GoldValue) -> Any:
    return [list(row) for row in value] if isinstance(value, tuple) else value


def _about(candidate: Candidate, message: str) -> Untaken:
    return Untaken(place=candidate.place, name=candidate.id, reason=message.rstrip("."))
