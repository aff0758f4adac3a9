"""What the answer itself shows, before any SQL is compared."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from goldsuite.diagnosis.counterfactual.experiment import only_cell, same_result
from goldsuite.diagnosis.failure import Failure
from goldsuite.errors import NumberError
from goldsuite.model.diagnosis import Cause
from goldsuite.model.grade import Verdict
from goldsuite.model.result_set import Cell, Execution, ResultSet
from goldsuite.numbers import parse_number

__all__ = ["AnswerFinding", "check_answer", "relation", "shown", "shown_result"]

_SCALES = tuple(
    Decimal(factor) for factor in (100, 1_000, 10_000, 1_000_000, 1_000_000_000, 60, 3_600, 24)
)
_CLOSE = Decimal("0.000001")
_SUPPORTED = Decimal("0.005")
_SAID_OTHERWISE = (Decimal(1), Decimal(100), Decimal("0.01"))
"""A share may be said in percent."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerFinding:
    """What was found; without causes the answer tells nothing."""

    causes: tuple[Cause, ...] = ()
    evidence: tuple[str, ...] = ()
    settled: bool = False
    """True where the analyst's SQL has nothing more to tell."""


def check_answer(
    failure: Failure, predicted: Execution | None, gold: ResultSet | None
) -> AnswerFinding:
    """Look at the answer, at what its own SQL returned, and at what the gold returns."""
    if failure.verdict is Verdict.NO_ANSWER or (
        failure.said is None and failure.predicted_sql is None
    ):
        return _settled(Cause.NO_ANSWER, failure.reason)
    if predicted is not None and predicted.problem is not None:
        if predicted.problem.kind == "failed":
            sentence = f"The analyst's SQL does not run: {predicted.problem.message.rstrip('.')}."
            return _settled(Cause.EXECUTION_ERROR, sentence)
        return AnswerFinding()
    result = predicted.result if predicted is not None else None
    if result is not None and result.truncated:
        result = None
    stored = _equals_stored(failure, gold)
    if stored is not None:
        return _settled(Cause.SUSPECT_GOLD, stored)
    right = result is not None and gold is not None and _same(failure, result, gold)
    return _said(failure, result, gold, right=right)


def _same(failure: Failure, result: ResultSet, gold: ResultSet) -> bool:
    if failure.matches is not None and failure.matches(result):
        return True
    return same_result(
        result, gold, lambda found: sorted(map(repr, found.rows)) == sorted(map(repr, gold.rows))
    )


def _said(
    failure: Failure, result: ResultSet | None, gold: ResultSet | None, *, right: bool
) -> AnswerFinding:
    value, wanted = _number(failure.said), _cell_number(gold)
    own = _cell_number(result)
    unread = failure.said is not None and value is None and wanted is not None
    if failure.verdict is Verdict.UNPARSEABLE or unread:
        sentence = f"No single value can be read from the answer {failure.said!r}."
        if failure.said is None:
            sentence = failure.reason
        return AnswerFinding(causes=(Cause.FORMAT_ERROR,), evidence=(sentence,), settled=right)
    if right:
        return _not_what_the_sql_gives(failure, value, wanted, own)
    if result is None and failure.predicted_sql is None:
        hint = relation(value, wanted)
        told = tuple(_relation_sentences(hint, value, wanted))
        return AnswerFinding(causes=(hint,) if hint else (), evidence=told, settled=True)
    unsupported = failure.faithfulness == "unsupported"
    if unsupported or (failure.faithfulness == "not_checkable" and _differs(value, own)):
        sentence = f"The analyst said {failure.said!r}, but its SQL returns {shown_result(result)}."
        return AnswerFinding(causes=(Cause.UNSUPPORTED_ANSWER,), evidence=(sentence,))
    return AnswerFinding()


def _not_what_the_sql_gives(
    failure: Failure, value: Decimal | None, wanted: Decimal | None, own: Decimal | None
) -> AnswerFinding:
    """The SQL is right, so the fault lies between its result and what was said."""
    if failure.said is None:
        return AnswerFinding(settled=True)
    hint = relation(value, wanted)
    if hint is not None:
        return AnswerFinding(
            causes=(hint,), evidence=tuple(_relation_sentences(hint, value, wanted)), settled=True
        )
    returned = shown(own) if own is not None else "the gold's rows"
    sentence = f"The analyst said {failure.said!r}, but its SQL returns {returned}, as the gold."
    return _settled(Cause.UNSUPPORTED_ANSWER, sentence)


def _settled(cause: Cause, *sentences: str) -> AnswerFinding:
    return AnswerFinding(causes=(cause,), evidence=sentences, settled=True)


def _equals_stored(failure: Failure, gold: ResultSet | None) -> str | None:
    """The answer is what the gold was when it was written down, and no longer is."""
    stored, value, now = failure.gold_stored, _number(failure.said), _cell_number(gold)
    if isinstance(stored, bool) or not isinstance(stored, int | Decimal):
        return None
    if value is None or now is None or not _near(value, Decimal(stored), _CLOSE):
        return None
    if _near(now, Decimal(stored), _CLOSE):
        return None
    return (
        f"The answer equals the stored gold value {shown(Decimal(stored))}, but the gold now"
        f" returns {shown(now)}: the data moved, or the stored value is out of date."
    )


def _near(one: Decimal, other: Decimal, share: Decimal) -> bool:
    return abs(one - other) <= share * max(abs(one), abs(other))


def _differs(value: Decimal | None, own: Decimal | None) -> bool:
    """Whether a number that was said cannot come from what the SQL returned."""
    if value is None or own is None:
        return False
    if any(_near(value, own * factor, _SUPPORTED) for factor in _SAID_OTHERWISE):
        return False
    return relation(value, own) is None


def relation(value: Decimal | None, wanted: Decimal | None) -> Cause | None:
    """Whether a number is the wanted one but for sign, scale or rounding."""
    if value is None or not wanted or value == wanted:
        return None
    if _near(value, -wanted, _CLOSE):
        return Cause.SIGN
    if value and any(
        _near(value, wanted * s, _CLOSE) or _near(value * s, wanted, _CLOSE) for s in _SCALES
    ):
        return Cause.UNIT_SCALE
    if any(round(wanted, places) == value for places in range(7)):
        return Cause.ROUNDING
    return None


def _relation_sentences(
    cause: Cause | None, value: Decimal | None, wanted: Decimal | None
) -> Iterator[str]:
    if cause is None or value is None or wanted is None:
        return
    how = {Cause.SIGN: "with the other sign", Cause.ROUNDING: "rounded"}.get(cause)
    how = how or f"times {shown(value / wanted)}"
    yield f"The answer {shown(value)} is the gold {shown(wanted)} {how}."


def _number(said: str | None) -> Decimal | None:
    if said is None:
        return None
    try:
        return parse_number(said).value
    except NumberError:
        return None


def _cell_number(result: ResultSet | None) -> Decimal | None:
    cell = only_cell(result) if result is not None else None
    if cell is None or isinstance(cell[0], bool) or not isinstance(cell[0], int | float | Decimal):
        return None
    number = Decimal(repr(cell[0])) if isinstance(cell[0], float) else Decimal(cell[0])
    return number if number.is_finite() else None


def shown_result(result: ResultSet | None) -> str:
    """A result as a sentence shows it: its one value, or its size."""
    if result is None:
        return "nothing"
    cell = only_cell(result)
    if cell is not None:
        return shown(cell[0])
    rows, columns = len(result.rows), len(result.columns)
    return (
        f"{rows:,} row{'' if rows == 1 else 's'} of {columns} column{'' if columns == 1 else 's'}"
    )


def shown(value: Cell) -> str:
    """One value as a sentence shows it."""
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return repr(value)
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return str(value)
    number = float(value)
    if isinstance(value, int) or (abs(number) < 1e15 and number == int(number)):
        return f"{int(value):,}"
    return f"{number:,.2f}" if abs(number) >= 1000 else f"{number:.6g}"
