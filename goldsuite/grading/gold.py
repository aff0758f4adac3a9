"""What one executed gold query gives to compare with, or why it gives nothing."""

from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from typing import TypeAlias

from goldsuite.errors import NumberError
from goldsuite.grading.cells import Form, is_number, normal_text, to_form
from goldsuite.grading.dates import read_date
from goldsuite.grading.limit_ties import TieAtLimit
from goldsuite.grading.number_answers import GoldNumber
from goldsuite.grading.projection import Projection, read_projection
from goldsuite.grading.written import read_boolean
from goldsuite.model.key import AnswerKind, GoldCase, GoldScalar, GoldValue
from goldsuite.model.result_set import Cell, Execution, ResultSet
from goldsuite.numbers import parse_number

__all__ = [
    "Gold",
    "GoldScalarValue",
    "UnusableGoldError",
    "gold_with",
    "other_tied_golds",
    "read_gold",
    "to_gold_value",
]

SINGLE: frozenset[AnswerKind] = frozenset({"number", "text", "date", "boolean"})
MAX_TIED_VALUES = 20
"""Values that may tie with a single gold and be accepted in its place; a gold with more says too
little, and then only what its query returned is right."""
MAX_KEPT_ROWS = 1_000
"""Rows of a table that stay in the grade; what is graded is the whole result."""

GoldScalarValue: TypeAlias = GoldNumber | str | date | datetime | bool | None


class UnusableGoldError(Exception):
    """The suite's fault: this gold says nothing that an answer could be compared with."""

    def __init__(self, flag: str, reason: str) -> None:
        """`flag` is one of `goldsuite.grading.flags`."""
        self.flag = flag
        super().__init__(reason)


@dataclass(frozen=True, kw_only=True, slots=True)
class Gold:
    """One usable gold."""

    index: int
    kind: AnswerKind
    result: ResultSet
    value: GoldScalarValue
    """For a single value, in the type of `kind`; None for NULL where that is allowed, and for a
    table."""
    ordered: bool
    projection: Projection
    tie: TieAtLimit | None = None
    """Where its limit cuts through rows that tie."""


def read_gold(
    execution: Execution,
    *,
    index: int,
    key: GoldCase,
    ordered: bool,
    dialect: str | None,
    tie: TieAtLimit | None = None,
) -> Gold:
    """Raises: UnusableGoldError: see the table of verdicts for `gold_error`."""
    if execution.result is None:
        message = execution.problem.message if execution.problem else "no result"
        raise UnusableGoldError("gold_failed", f"the gold query failed: {message}")
    result = execution.result
    if result.truncated:
        raise UnusableGoldError("gold_truncated", "the gold's result was cut off at the row limit")
    single = key.answer in SINGLE or (key.answer is None and _stores_one_value(key))
    is_cell = len(result.rows) == 1 and len(result.columns) == 1
    if single and not is_cell:
        raise UnusableGoldError(
            "gold_several_values" if result.rows else "gold_no_row", _shape_problem(result)
        )
    projection = read_projection(execution.sql, dialect) if dialect else Projection()
    kind: AnswerKind = key.answer or "table"
    value: GoldScalarValue = None
    if single or (key.answer is None and is_cell):
        cell = result.rows[0][0]
        kind = key.answer or _kind_of(cell, result)
        value = _scalar(cell, kind, key, projection) if kind != "table" else None
    return Gold(
        index=index,
        kind=kind,
        result=result,
        value=value,
        ordered=ordered,
        projection=projection,
        tie=tie,
    )


def _stores_one_value(key: GoldCase) -> bool:
    """A stored reference that is one value says that one value is asked."""
    return (
        key.has_gold_value and key.gold_value is not None and not isinstance(key.gold_value, tuple)
    )


def _shape_problem(result: ResultSet) -> str:
    if not result.rows:
        return "the gold query returned no row, where one value is asked"
    rows, columns = len(result.rows), len(result.columns)
    return f"the gold query returned {rows:,} x {columns} values, where one is asked"


def _kind_of(cell: Cell, result: ResultSet) -> AnswerKind:
    form = to_form(cell)
    if cell is None:
        numeric = ("int", "dec", "num", "float", "double", "real")
        named = (result.columns[0].type or "number").lower()
        return "number" if any(word in named for word in numeric) else "text"
    if isinstance(form, tuple):
        return {"boolean": "boolean", "float": "number"}.get(form[0], "table")  # type: ignore[return-value]
    if is_number(form):
        return "number"
    if isinstance(form, date):
        return "date"
    return "text" if isinstance(form, str) else "table"


def _scalar(cell: Cell, kind: AnswerKind, key: GoldCase, projection: Projection) -> GoldScalarValue:
    if cell is None:
        if key.null_is_zero and kind == "number":
            return GoldNumber(value=Decimal(0), is_whole_type=True, is_float=False)
        if key.allow_null or key.null_is_zero:
            return None
        raise UnusableGoldError(
            "gold_null", "the gold is NULL; say allow_null or null_is_zero if that is right"
        )
    form = to_form(cell)
    match kind:
        case "number":
            return _number(cell, form, projection)
        case "date":
            return _date(form)
        case "boolean":
            return _boolean(form)
        case _:
            return form if isinstance(form, str) else str(to_gold_scalar(cell))


def _number(cell: Cell, form: Form, projection: Projection) -> GoldNumber:
    value: Decimal
    if isinstance(form, int | Decimal):
        value = Decimal(form)
    elif isinstance(form, str):
        try:
            value = parse_number(form).value
        except NumberError as error:
            raise UnusableGoldError(
                "gold_type", f"a number is asked, but the gold is text: {error}"
            ) from error
    else:
        raise UnusableGoldError("gold_type", f"a number is asked, but the gold is {cell!r}")
    return GoldNumber(
        value=value,
        is_whole_type=type(form) is int,
        is_float=isinstance(cell, float),
        scale=projection.scale,
    )


def _date(form: Form) -> date | datetime:
    found = read_date(form) if isinstance(form, str) else form
    if not isinstance(found, date):
        raise UnusableGoldError("gold_type", f"a date is asked, but the gold is {form!r}")
    return found


def _boolean(form: Form) -> bool:
    if isinstance(form, tuple) and form[0] == "boolean":
        return bool(form[1])
    said = read_boolean(str(form)) if isinstance(form, int | str) else None
    if said is None:
        raise UnusableGoldError("gold_type", f"yes or no is asked, but the gold is {form!r}")
    return said


def other_tied_golds(gold: Gold, key: GoldCase) -> list[Gold]:
    """One gold for each other value that ties with a single value at the gold's limit."""
    rows = gold.tie.group if gold.tie else ()
    own = to_form(gold.result.rows[0][0])
    others = {to_form(row[0]): row for row in rows if to_form(row[0]) != own}
    if len(others) > MAX_TIED_VALUES:
        return []
    found = (gold_with(row[0], gold, key) for row in others.values())
    return [other for other in found if other is not None]


def gold_with(cell: Cell, gold: Gold, key: GoldCase) -> Gold | None:
    """`gold` as if its query had returned `cell`; None where that is no value of its kind."""
    try:
        value = _scalar(cell, gold.kind, key, gold.projection)
    except UnusableGoldError:
        return None
    columns = gold.result.columns[:1]
    return replace(gold, value=value, result=ResultSet(columns=columns, rows=((cell,),)))


def to_gold_value(gold: Gold) -> GoldValue:
    """The recomputed gold as the record keeps it; of a long table the first rows."""
    if gold.kind == "table":
        rows = gold.result.rows[:MAX_KEPT_ROWS]
        return tuple(tuple(to_gold_scalar(cell) for cell in row) for row in rows)
    if isinstance(gold.value, GoldNumber):
        cell = gold.result.rows[0][0]
        whole = isinstance(cell, int) and not isinstance(cell, bool)
        return int(cell) if whole and isinstance(cell, int) else gold.value.value
    return gold.value


def to_gold_scalar(cell: Cell) -> GoldScalar:
    """A cell as a record may keep it; what JSON has no type for becomes text."""
    form = to_form(cell)
    if isinstance(cell, str | bool):
        return cell
    if form is None or isinstance(form, int | Decimal | date):
        return form
    if isinstance(form, tuple):
        return form[1].hex() if isinstance(form[1], bytes) else str(form[1])
    return normal_text(str(form))
