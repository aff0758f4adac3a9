"""Whether the value that an answer says is what its own SQL returns, now or during the run."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from goldsuite.errors import NumberError
from goldsuite.grading.cells import to_form
from goldsuite.grading.number_answers import GoldNumber, NumberRules, match_number
from goldsuite.grading.said import number_of_cell, only_cell, read_said_number, says_null
from goldsuite.grading.tolerance import DEFAULT, tolerance_of
from goldsuite.grading.written import names_exactly, read_boolean, same_text, stated_date
from goldsuite.model.grade import Faithfulness
from goldsuite.model.key import GoldCase
from goldsuite.model.result_set import Cell, Column, ResultSet

__all__ = ["faithfulness_of"]

_RANK: tuple[Faithfulness, ...] = ("supported", "unsupported", "not_checkable")


def faithfulness_of(
    text: str, own_result: ResultSet | None, *, key: GoldCase, logged: Sequence[Cell] = ()
) -> Faithfulness:
    """Whether the value said is what the answer's own SQL returns.

    `supported` allows what the case allows, and a correct rounding to the precision stated.
    `not_checkable` where the SQL gave no single value, or the text cannot be read as its type.

    Args:
        logged: what the same SQL returned during the run; one of them is as good.
    """
    found = [_support_of(text, own_result, key)]
    found += [_support_of(text, _one_cell(cell), key) for cell in logged]
    return min(found, key=_RANK.index)


def _one_cell(cell: Cell) -> ResultSet:
    return ResultSet(columns=(Column(name=""),), rows=((cell,),))


def _support_of(text: str, own_result: ResultSet | None, key: GoldCase) -> Faithfulness:
    cell = only_cell(own_result)
    if cell is None:
        return "not_checkable"
    own = cell[0]
    if own is None:
        return "supported" if says_null(text) else "unsupported"
    number = None if isinstance(own, str) else number_of_cell(own)
    if number is not None:
        gold = GoldNumber(
            value=number.value, is_whole_type=type(own) is int, is_float=isinstance(own, float)
        )
        return _number_support(text, own_result, gold, key)
    form = to_form(own)
    if isinstance(form, date):
        found = stated_date(text)[0]
        return _support(None if found is None else found == form)
    if isinstance(form, tuple):
        said = read_boolean(text)
        return _support(None if said is None else said is form[1])
    own_text = str(form)
    sensitive = key.case_sensitive
    return _support(
        same_text(text, own_text, case_sensitive=sensitive)
        or names_exactly(text, [own_text], case_sensitive=sensitive)
    )


def _support(equal: bool | None) -> Faithfulness:  # noqa: FBT001
    if equal is None:
        return "not_checkable"
    return "supported" if equal else "unsupported"


def _number_support(
    text: str, own_result: ResultSet | None, own: GoldNumber, key: GoldCase
) -> Faithfulness:
    try:
        said = read_said_number(text, own_result, decimal_mark=key.decimal_mark).number
    except NumberError:
        return "not_checkable"
    rules = NumberRules(
        tolerance=tolerance_of(key) if key.tolerance_given else DEFAULT,
        tolerance_given=True,
        unit=key.unit,
        accept_rounding=True,
    )
    # `4.91 %` is supported by a query that gives the percentage itself as well as by the share.
    readings = [said, replace(said, unit=None)] if said.unit == "percent" else [said]
    return _support(any(match_number(r, own, rules).matched is not None for r in readings))
