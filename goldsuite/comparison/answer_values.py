"""The answers to one question as values that can be compared with each other, without the key."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from goldsuite.errors import NumberError
from goldsuite.model.number import DecimalMark
from goldsuite.numbers import ParsedNumber, parse_number

__all__ = ["Value", "read_values"]

Value: TypeAlias = Decimal | str | None
"""A number, a text with case and spaces evened out, or None where the answer cannot be read."""

_TEXT_KINDS = frozenset({"text", "date", "boolean"})
_PER = {"percent": Decimal(100), "pp": Decimal(100), "bps": Decimal(10_000)}
_NEAR = Decimal("0.02")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Read:
    text: str | None
    number: ParsedNumber | None


def read_values(
    answers: Sequence[str | None], *, kind: str | None, decimal_mark: DecimalMark | None = None
) -> tuple[Value, ...]:
    """One value for each answer to one question, in their order.

    `25%`, `0.25` and `2500 bps` are one number; so is `25` where another answer says `25%`. Where
    `kind` is not known, the answers are numbers if at least one of them is, else texts.

    Args:
        answers: as said; None where nothing was.
        kind: what was asked for, as in `CaseRecord.kind`; rows are in no record, and never read.
        decimal_mark: what the case settles; None for the general rule.
    """
    if kind in {"table", "refusal", "clarify"}:
        return (None,) * len(answers)
    read = [_read(answer, decimal_mark or "auto") for answer in answers]
    as_text = kind in _TEXT_KINDS or (kind is None and not any(each.number for each in read))
    if as_text:
        return tuple(each.text for each in read)
    percents = [each.number.value for each in read if each.number and each.number.unit == "percent"]
    return tuple(_number(each.number, percents) for each in read)


def _read(answer: str | None, mark: DecimalMark) -> _Read:
    text = " ".join((answer or "").split()).casefold() or None
    try:
        number = parse_number(answer, decimal_mark=mark) if answer and text else None
    except NumberError:
        number = None
    return _Read(text=text, number=number)


def _number(parsed: ParsedNumber | None, percents: Sequence[Decimal]) -> Decimal | None:
    if parsed is None:
        return None
    value = parsed.value
    if parsed.unit in _PER:
        return value / _PER[parsed.unit]
    # The sign was left out, where another trial gave it: a slip of form and no other value.
    per_cent = parsed.unit is None and abs(value) > 1
    if per_cent and any(abs(value - other) <= _NEAR * abs(other) for other in percents):
        return value / 100
    return value
