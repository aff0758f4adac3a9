"""Grading one value: a number, a text, a date, or yes and no."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal

from goldsuite.errors import NumberError
from goldsuite.grading.cells import to_form
from goldsuite.grading.gold import Gold
from goldsuite.grading.number_answers import (
    GoldNumber,
    NumberRules,
    Outcome,
    match_number,
)
from goldsuite.grading.said import (
    number_of_cell,
    only_cell,
    says_null,
)
from goldsuite.grading.tolerance import DEFAULT, tolerance_of
from goldsuite.grading.written import (
    declines,
    names_exactly,
    read_boolean,
    same_text,
    stated_date,
)
from goldsuite.model.grade import Faithfulness, Verdict
from goldsuite.model.key import GoldCase
from goldsuite.model.result_set import Cell, ResultSet
from goldsuite.numbers import DecimalMark, parse_number

_ZERO_ONE = {"0": False, "1": True}

__all__ = ["Judged", "faithfulness_of", "judge_cell", "judge_text", "rules_of"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """The verdict on one answer against one gold."""

    verdict: Verdict
    outcome: Outcome


def rules_of(key: GoldCase) -> NumberRules:
    """What the case says about numbers."""
    return NumberRules(
        tolerance=tolerance_of(key),
        tolerance_given=key.tolerance_given,
        unit=key.unit,
        currency=key.currency,
        accept_rounding=key.accept_rounding,
    )


def judge_text(
    text: str,
    gold: Gold,
    *,
    key: GoldCase,
    decimal_mark: DecimalMark,
) -> Judged:
    """The verdict on a value as said."""
    if gold.value is None:
        return _judge(_null_outcome(is_null=says_null(text), said=text))
    if isinstance(gold.value, GoldNumber):
        return _judge_number(text, gold.value, key, decimal_mark)
    if isinstance(gold.value, bool):
        said = read_boolean(text)
        if said is None:
            return _unread(text, "it is neither yes nor no")
        return _judge(_equal(same=said == gold.value, said=text, gold=gold.value))
    if isinstance(gold.value, date):
        found, in_prose = stated_date(text)
        if found is None:
            return _unread(text, "it names no single date for sure")
        return _judge(
            _equal(same=found == gold.value, said=text, gold=gold.value, from_text=in_prose)
        )
    return _judge_words(text, gold.value, key)


def _judge_number(
    text: str,
    gold: GoldNumber,
    key: GoldCase,
    decimal_mark: DecimalMark,
) -> Judged:
    if key.null_is_zero and says_null(text):
        text = "0"
    try:
        said = parse_number(text, decimal_mark=decimal_mark)
    except NumberError as error:
        return _unread(text, f"{error.reason}{_seen(error.candidates)}")
    return _judge(match_number(said, gold, rules_of(key)))


def _seen(candidates: Sequence[str]) -> str:
    return f" (seen: {', '.join(map(repr, candidates[:10]))})" if candidates else ""


def _judge_words(text: str, gold: str, key: GoldCase) -> Judged:
    sensitive = key.case_sensitive
    if same_text(text, gold, case_sensitive=sensitive):
        return _judge(_equal(same=True, said=text, gold=gold))
    if names_exactly(text, [gold], case_sensitive=sensitive):
        return _judge(_equal(same=True, said=text, gold=gold, from_text=True))
    if declines(text):
        return _unread(text, "it names no value")
    flags = ("case_differs",) if same_text(text, gold, case_sensitive=False) else ()
    return _judge(Outcome(matched=None, reason=_not_equal(text, gold), flags=flags))


def _unread(text: str, why: str) -> Judged:
    """Unparseable, or no answer where the text says that there is none."""
    if declines(text):
        reason = f"The analyst gave no answer: {_short(text)}."
        return Judged(verdict=Verdict.NO_ANSWER, outcome=Outcome(matched=None, reason=reason))
    reason = f"The answer {_short(text)} cannot be read: {why}."
    return Judged(verdict=Verdict.UNPARSEABLE, outcome=Outcome(matched=None, reason=reason))


def _judge(outcome: Outcome) -> Judged:
    verdict = Verdict.WRONG if outcome.matched is None else Verdict.CORRECT
    return Judged(verdict=verdict, outcome=outcome)


def _equal(*, same: bool, said: object, gold: object, from_text: bool = False) -> Outcome:
    if not same:
        return Outcome(matched=None, reason=_not_equal(said, gold))
    flags = ("from_text",) if from_text else ()
    return Outcome(matched="exact", reason="The answer is the gold value.", flags=flags)


def _not_equal(said: object, gold: object) -> str:
    return f"The answer {_short(said)} is not the gold {_short(gold)}."


def _short(value: object) -> str:
    if isinstance(value, date | datetime):
        return value.isoformat()
    shown = repr(value)
    return shown if len(shown) <= 80 else shown[:79] + "…"


def _null_outcome(*, is_null: bool, said: object) -> Outcome:
    if is_null:
        return Outcome(matched="exact", reason="The answer is NULL, as the gold is.")
    return Outcome(matched=None, reason=f"The answer {_short(said)} is not the gold NULL.")


def judge_cell(cell: Cell, gold: Gold, *, key: GoldCase) -> Judged:
    """The verdict on the one value that an answer's SQL returns."""
    if cell is None and key.null_is_zero and isinstance(gold.value, GoldNumber):
        cell = 0
    if gold.value is None or cell is None:
        same = gold.value is None and cell is None
        reason = "The answer's SQL returns NULL."
        return _judge(
            _null_outcome(is_null=same, said=cell)
            if cell is not None or same
            else Outcome(matched=None, reason=reason)
        )
    if isinstance(gold.value, GoldNumber):
        return _judge_number_cell(cell, gold.value, key)
    if isinstance(cell, str):
        return judge_text(cell, gold, key=key, decimal_mark="auto")
    form = to_form(cell)
    same = form == gold.value
    if isinstance(gold.value, bool):
        same = (form[1] if isinstance(form, tuple) else _ZERO_ONE.get(str(form))) is gold.value
    elif isinstance(gold.value, str):
        as_text = str(cell) if isinstance(form, tuple) else str(form)
        same = same_text(as_text, gold.value, case_sensitive=key.case_sensitive)
    return _judge(_equal(same=same, said=cell, gold=gold.value))


def _judge_number_cell(cell: Cell, gold: GoldNumber, key: GoldCase) -> Judged:
    number = number_of_cell(cell)
    if number is None:
        return _unread(str(cell), "the answer's SQL returns no number")
    is_float = gold.is_float or isinstance(cell, float)
    noisy = GoldNumber(
        value=gold.value,
        is_whole_type=gold.is_whole_type,
        is_float=is_float,
        scale=gold.scale,
    )
    return _judge(match_number(number, noisy, rules_of(key)))


def faithfulness_of(
    text: str, own_result: ResultSet | None, *, key: GoldCase, decimal_mark: DecimalMark
) -> Faithfulness:
    """Whether the value said is what the answer's own SQL returns.

    `supported` allows what the case allows, and a correct rounding to the precision stated.
    `not_checkable` where the SQL gave no single value, or the text cannot be read as its type.
    """
    cell = only_cell(own_result)
    if cell is None:
        return "not_checkable"
    own = cell[0]
    if own is None:
        return "supported" if says_null(text) else "unsupported"
    number = None if isinstance(own, str) else number_of_cell(own)
    if number is not None:
        return _number_support(text, own, number.value, key, decimal_mark)
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
    text: str,
    own: Cell,
    value: Decimal,
    key: GoldCase,
    decimal_mark: DecimalMark,
) -> Faithfulness:
    try:
        said = parse_number(text, decimal_mark=decimal_mark)
    except NumberError:
        return "not_checkable"
    rules = NumberRules(
        tolerance=tolerance_of(key) if key.tolerance_given else DEFAULT,
        tolerance_given=True,
        unit=key.unit,
        accept_rounding=True,
    )
    gold = GoldNumber(value=value, is_whole_type=type(own) is int, is_float=isinstance(own, float))
    # `4.91 %` is supported by a query that gives the percentage itself as well as by the share.
    readings = [said, replace(said, unit=None)] if said.unit == "percent" else [said]
    return _support(any(match_number(r, gold, rules).matched is not None for r in readings))
