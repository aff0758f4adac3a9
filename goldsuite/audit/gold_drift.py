"""Does the stored reference of a case still equal the recomputed gold?

The stored value is a sanity check for the team, never what is graded against: data arrive late,
queries change. It may differ by the case's own tolerance, as an answer may.
"""

from datetime import date, datetime
from decimal import Decimal

from goldsuite.errors import NumberError
from goldsuite.grading.cells import Form, is_number, to_form
from goldsuite.grading.dates import read_date
from goldsuite.grading.result_sets import ComparisonPolicy, compare_result_sets
from goldsuite.grading.tolerance import tolerance_of
from goldsuite.model.key import GoldCase, GoldScalar, GoldValue
from goldsuite.model.result_set import Column, ResultSet
from goldsuite.numbers import parse_number

__all__ = ["gold_drift"]


def gold_drift(stored: GoldValue, recomputed: ResultSet, key: GoldCase) -> str | None:
    """One sentence where `stored` no longer equals `recomputed`; None where it does."""
    if isinstance(stored, tuple):
        return _drift_of_rows(stored, recomputed, key)
    if len(recomputed.rows) != 1 or len(recomputed.columns) != 1:
        shape = f"{len(recomputed.rows):,} x {len(recomputed.columns)} values"
        return f"The stored gold is {_show(stored)}, but the query returns {shape}."
    cell = recomputed.rows[0][0]
    if _same(to_form(stored), to_form(cell), key, is_float=isinstance(cell, float)):
        return None
    return f"The stored gold is {_show(stored)}, recomputed it is {_show(to_form(cell))}."


def _drift_of_rows(
    stored: tuple[tuple[GoldScalar, ...], ...], recomputed: ResultSet, key: GoldCase
) -> str | None:
    width = len(stored[0]) if stored else len(recomputed.columns)
    if width != len(recomputed.columns):
        columns = "column" if width == 1 else "columns"
        return (
            f"The stored gold has {width} {columns}, recomputed it has {len(recomputed.columns)}."
        )
    # Stored rows have no column names: they are compared place by place.
    names = tuple(Column(name="") for _ in range(width))
    policy = ComparisonPolicy(
        tolerance=tolerance_of(key),
        loose_integers=key.tolerance_given or key.abs_tolerance is not None,
        ordered=key.row_order == "required",
        max_extra_columns=0,
        case_sensitive=key.case_sensitive,
    )
    unnamed = ResultSet(columns=names, rows=recomputed.rows, truncated=recomputed.truncated)
    comparison = compare_result_sets(ResultSet(columns=names, rows=stored), unnamed, policy=policy)
    if comparison.equal:
        return None
    what = "; ".join(mismatch.message for mismatch in comparison.mismatches)
    return f"The stored gold rows are no longer the recomputed ones: {what}."


def _same(stored: Form, cell: Form, key: GoldCase, *, is_float: bool) -> bool:
    if cell is None and key.null_is_zero:
        return stored is None or stored == 0
    if isinstance(cell, str) and isinstance(stored, int | Decimal):
        try:
            cell = parse_number(cell).value
        except NumberError:
            return False
    if isinstance(stored, int | Decimal) and isinstance(cell, int | Decimal):
        return tolerance_of(key).allows(Decimal(stored), Decimal(cell), noisy=is_float)
    if isinstance(stored, date) != isinstance(cell, date):
        stored, cell = _as_date(stored), _as_date(cell)
    if isinstance(stored, str) and isinstance(cell, str) and not key.case_sensitive:
        return stored.casefold() == cell.casefold()
    if isinstance(stored, tuple) != isinstance(cell, tuple):
        stored, cell = _as_whole(stored), _as_whole(cell)
    return stored == cell


def _as_date(form: Form) -> Form | date | datetime:
    return (read_date(form) or form) if isinstance(form, str) else form


def _as_whole(form: Form) -> Form:
    """A boolean as the 1 or 0 that engines without booleans return."""
    return int(bool(form[1])) if isinstance(form, tuple) and form[0] == "boolean" else form


def _show(value: Form) -> str:
    if value is None:
        return "NULL"
    if is_number(value):
        return f"{value:,f}" if isinstance(value, Decimal) else f"{value:,}"
    if isinstance(value, tuple):
        return str(value[1]).lower()
    return value.isoformat() if isinstance(value, date) else repr(value)
