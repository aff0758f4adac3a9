"""Grading one value: a number, a text, a date, or yes and no."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from goldsuite.errors import NumberError
from goldsuite.grading.cells import to_form
from goldsuite.grading.gold import Gold
from goldsuite.grading.number_answers import (
    GoldNumber,
    NumberRules,
    Outcome,
    match_number,
)
from goldsuite.grading.said import number_of_cell, read_said_number, says_null
from goldsuite.grading.tolerance import tolerance_of
from goldsuite.grading.written import (
    declines,
    names_exactly,
    read_boolean,
    same_text,
    stated_date,
)
from goldsuite.model.grade import Verdict
from goldsuite.model.key import GoldCase
from goldsuite.model.result_set import Cell, ResultSet

_ZERO_ONE = {"0": False, "1": True}

__all__ = ["Judged", "judge_cell", "judge_text", "rules_of"]


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
    own_result: ResultSet | None = None,
) -> Judged:
    """The verdict on a value as said.

    Args:
        own_result: of the answer's SQL; settles which of several numbers in prose is meant.
    """
    if gold.value is None:
        return _judge(_null_outcome(is_null=says_null(text), said=text))
    if isinstance(gold.value, GoldNumber):
        return _judge_number(text, gold.value, key, own_result)
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
    text: str, gold: GoldNumber, key: GoldCase, own_result: ResultSet | None
) -> Judged:
    if key.null_is_zero and says_null(text):
        text = "0"
    try:
        said = read_said_number(text, own_result, decimal_mark=key.decimal_mark)
    except NumberError as error:
        return _unread(text, f"{error.reason}{_seen(error.candidates)}")
    found = match_number(said.number, gold, rules_of(key))
    return _judge(replace(found, flags=tuple(sorted({*found.flags, *said.flags}))))


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
        # What a warehouse writes follows no convention of the suite's people.
        return judge_text(cell, gold, key=replace(key, decimal_mark="auto"))
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
