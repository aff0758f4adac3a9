"""Is the number that was said the gold's number?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from goldsuite.grading.tolerance import Tolerance, is_stated
from goldsuite.grading.units import (
    Reading,
    Scale,
    UnitConflict,
    declared_currency,
    readings,
)
from goldsuite.model.grade import Matched
from goldsuite.numbers import ParsedNumber

__all__ = ["GoldNumber", "NumberRules", "Outcome", "match_number"]


@dataclass(frozen=True, kw_only=True, slots=True)
class GoldNumber:
    """The gold, as the warehouse gave it."""

    value: Decimal
    is_whole_type: bool
    """True for an integer type: a count, unless the case says otherwise."""
    is_float: bool
    scale: Scale | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class NumberRules:
    """What the case says about numbers."""

    tolerance: Tolerance
    tolerance_given: bool
    unit: str | None = None
    currency: str | None = None
    accept_rounding: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """Whether and how a single value matched."""

    matched: Matched | None
    """None: it does not match."""
    reason: str
    flags: tuple[str, ...] = ()


def match_number(said: ParsedNumber, gold: GoldNumber, rules: NumberRules) -> Outcome:
    """Compare in every reading that the table of units allows, the likeliest first."""
    conflict = _currency_conflict(said, rules)
    if conflict:
        return Outcome(matched=None, reason=conflict, flags=("currency_mismatch",))
    try:
        ways = readings(
            said,
            gold=gold.value,
            gold_is_count=gold.is_whole_type,
            unit=rules.unit or ("currency" if rules.currency else None),
            scale=gold.scale,
        )
    except UnitConflict as excluded:
        return Outcome(matched=None, reason=f"Another unit: {excluded}.", flags=("unit_mismatch",))
    ways = tuple(_with_currency_flag(way, rules) for way in ways)
    for way in ways:
        if found := _within(said, way, gold, rules):
            return found
    for way in ways:
        if found := _rounded(said, way, gold, rules):
            return found
    return _mismatch(said, ways, gold, rules)


def _currency_conflict(said: ParsedNumber, rules: NumberRules) -> str | None:
    declared = declared_currency(rules.unit, rules.currency)
    if declared and said.currencies and declared not in said.currencies:
        return f"Another currency: the answer says {said.currency}, the gold is in {declared}."
    return None


def _with_currency_flag(way: Reading, rules: NumberRules) -> Reading:
    """A sign that the case's own currency allows needs no flag."""
    if not declared_currency(rules.unit, rules.currency) or "currency_undeclared" not in way.flags:
        return way
    return Reading(
        factor=way.factor, flags=tuple(f for f in way.flags if f != "currency_undeclared")
    )


def _within(
    said: ParsedNumber, way: Reading, gold: GoldNumber, rules: NumberRules
) -> Outcome | None:
    value = said.value * way.factor
    precision = None if said.precision is None else said.precision * way.factor
    if not rules.tolerance.allows(gold.value, value, noisy=gold.is_float):
        return None
    if _is_another_year(value, gold, rules):
        return None
    flags = set(way.flags)
    if _is_loose_count(value, gold, rules) and not way.adjusted:
        flags.add("loose_count")
    how: Matched = "within_tolerance"
    if way.adjusted:
        how = "unit_adjusted"
    elif is_stated(value, precision, gold.value) and not said.approximate:
        how = "exact"
    return Outcome(matched=how, reason=_WORDING[how], flags=tuple(sorted(flags)))


_WORDING: dict[Matched, str] = {
    "exact": "The answer is the gold value at the precision it states.",
    "within_tolerance": "The answer is within the tolerance of the gold value.",
    "unit_adjusted": "The answer is the gold value in another unit, a factor of 100 apart.",
    "rounded": "The answer is a correct rounding of the gold value.",
}


def _is_loose_count(value: Decimal, gold: GoldNumber, rules: NumberRules) -> bool:
    """A whole gold without a declared unit may be a count, which a tolerance makes loose."""
    return (
        gold.is_whole_type
        and not rules.unit
        and not rules.tolerance_given
        and value != gold.value
        and not Tolerance(
            relative=Decimal(0), absolute=rules.tolerance.absolute or Decimal(0)
        ).allows(gold.value, value)
    )


def _is_another_year(value: Decimal, gold: GoldNumber, rules: NumberRules) -> bool:
    """2024 is within 0.5 % of 2025, and another year: without a unit years are exact."""
    if rules.unit or rules.currency or rules.tolerance_given or value == gold.value:
        return False
    return all(1900 <= year <= 2100 and year == int(year) for year in (value, gold.value))


def _rounded(
    said: ParsedNumber, way: Reading, gold: GoldNumber, rules: NumberRules
) -> Outcome | None:
    if said.precision is None or way.adjusted or not rules.accept_rounding:
        return None
    value, precision = said.value * way.factor, said.precision * way.factor
    if not _is_rounding(value, precision, gold.value):
        return None
    flags = {*way.flags, *(("coarse_rounding",) if abs(value) < 10 * precision else ())}
    return Outcome(matched="rounded", reason=_WORDING["rounded"], flags=tuple(sorted(flags)))


def _is_rounding(value: Decimal, precision: Decimal, gold: Decimal) -> bool:
    """A 0 says nothing of a gold that is not 0, however coarse."""
    return value != 0 and 2 * abs(value - gold) <= precision


def _mismatch(
    said: ParsedNumber, ways: Sequence[Reading], gold: GoldNumber, rules: NumberRules
) -> Outcome:
    flags = tuple(sorted(_hints(said, ways, gold, rules)))
    stated = _plain(said.value) + _SUFFIX.get(said.unit or "", "")
    reason = f"The answer {stated} is not the gold {_plain(gold.value)}"
    if "correct_rounding" in flags:
        return Outcome(
            matched=None,
            reason=f"{reason}, though a correct rounding of it (see accept_rounding).",
            flags=flags,
        )
    return Outcome(matched=None, reason=f"{reason}{_HINTS.get(flags[:1], '')}.", flags=flags)


_SUFFIX = {"percent": "%", "pp": " pp", "bps": " bps", "x": "x"}
_HINTS: dict[tuple[str, ...], str] = {
    ("sign_differs",): ", but its negative",
    ("unit_scale",): ", but a factor of 100 apart",
    ("year_like",): ", and years are compared exactly",
}


def _hints(
    said: ParsedNumber, ways: Sequence[Reading], gold: GoldNumber, rules: NumberRules
) -> Iterator[str]:
    """What the failure looks like; a hint for the diagnosis, never a reason to pass."""
    settled = [way.factor for way in ways if not way.adjusted]
    for factor in settled if said.precision is not None else ():
        if _is_rounding(said.value * factor, (said.precision or 0) * factor, gold.value):
            yield "correct_rounding"
            return
    near = Tolerance(relative=max(rules.tolerance.relative, Decimal("0.005")))
    value = said.value * ways[0].factor
    if gold.value == 0:
        return
    if _is_another_year(value, gold, rules) and near.allows(gold.value, value):
        yield "year_like"
    elif near.allows(gold.value, -value):
        yield "sign_differs"
    elif any(near.allows(gold.value, value * f) for f in (Decimal(100), Decimal("0.01"))):
        yield "unit_scale"


def _plain(value: Decimal) -> str:
    """Without an exponent, and without the zeros that scaling left behind."""
    if not -30 < value.adjusted() < 30:
        return str(value)
    text = f"{value:f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) or "0"
