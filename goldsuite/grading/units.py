"""The table of units: in which ways may an answer's number be meant, given what the case declares?

| declared `unit` | the answer's own unit | read as | flag |
| --- | --- | --- | --- |
| rate (share, fraction, proportion) | `%`, `bps`, `x`, ratio | its share of one | |
| percent | `%`, `bps`, `x`, ratio | its percentage | |
| rate, percent | none | as it stands; else a hundredth, else a hundredfold | `unit_adjusted`; and \
`unit_unsure` for a hundredfold of a rate or a hundredth of a percentage |
| pp | none, `pp`, `bps` | points | |
| bps | none, `bps`, `%`, `pp` | basis points | |
| ratio (x, times, multiple) | none, `x`, ratio, `%` | the ratio | |
| count | none, a unit of time | as it stands | `unit_undeclared` for a unit of time |
| currency, or a code | none, currency | as it stands | `currency_undeclared` without a code |
| a unit of time | none; a unit of time of the same family | converted | |
| any other | none, currency, time, `x` | as it stands | `currency_undeclared`, `unit_undeclared` |
| none | none | as it stands | |
| none, gold 0 < abs <= 1 and no count | none | else a hundredth | `unit_adjusted`; and \
`unit_unsure` unless the gold's projection is a ratio |
| none, gold's projection is a percentage | `%`, `pp` | as it stands | |
| none, gold 0 < abs <= 1 and no count, or its projection is a ratio | `%`, `pp` | a hundredth | \
`unit_adjusted` |
| none, any other gold | `%`, `pp` | as it stands, else a hundredth | `unit_unsure`; and \
`unit_adjusted` for a hundredth |
| none | `bps` | as it stands, else a ten-thousandth | `unit_unsure`, else `unit_adjusted` |
| none | ratio | as it stands | `unit_unsure` |
| none | currency, time, `x` | as it stands | `currency_undeclared`, `unit_undeclared` |

Everything that the table does not list is another unit, and wrong. A reading without a flag is
settled by what the answer itself says. A percentage beside an undeclared gold up to 1 that may be
either is read as its share of one, since `0.33%` for a gold of 0.33 is wrong by a factor of 100
where that gold is a ratio: declare the unit to settle it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

from goldsuite.numbers import NumberUnit, ParsedNumber
from goldsuite.numbers.vocabulary import CURRENCIES, UNITS

__all__ = ["Reading", "Scale", "UnitConflict", "declared_currency", "readings"]

Scale: TypeAlias = Literal["ratio", "percent"]
"""What the gold's projection shows: a ratio as it is, or one multiplied by 100."""

_PERCENT_TO = {"rate": Decimal("0.01"), "percent": Decimal(1), "ratio": Decimal("0.01")}
_POINTS: dict[str, dict[str, Decimal]] = {
    "pp": {"pp": Decimal(1), "bps": Decimal("0.01")},
    "bps": {"bps": Decimal(1), "percent": Decimal(100), "pp": Decimal(100)},
}
_SECONDS: dict[str, Decimal] = {
    "ms": Decimal("0.001"),
    "s": Decimal(1),
    "min": Decimal(60),
    "h": Decimal(3600),
    "days": Decimal(86_400),
    "weeks": Decimal(604_800),
}
_MONTHS: dict[str, Decimal] = {
    "months": Decimal(1),
    "quarters": Decimal(3),
    "years": Decimal(12),
}
_DECLARED = {
    **dict.fromkeys(("rate", "share", "fraction", "proportion", "probability"), "rate"),
    **dict.fromkeys(("percent", "%", "pct", "percentage"), "percent"),
    **dict.fromkeys(("pp", "ppt", "percentage points", "percentage point"), "pp"),
    **dict.fromkeys(("bps", "bp", "basis points"), "bps"),
    **dict.fromkeys(("ratio", "x", "times", "multiple"), "ratio"),
    **dict.fromkeys(("count", "counts"), "count"),
    **dict.fromkeys(("currency", "money"), "currency"),
}
_HUNDREDTH, _HUNDRED = Decimal("0.01"), Decimal(100)


class UnitConflict(ValueError):  # noqa: N818 - a reason for a verdict, never shown as an error
    """The answer states a unit that the case's unit excludes."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """One way in which the answer's number may be meant."""

    factor: Decimal
    """The stated value times this is in the gold's unit."""
    flags: tuple[str, ...] = ()

    @property
    def adjusted(self) -> bool:
        """True where the answer did not itself settle its scale."""
        return "unit_adjusted" in self.flags


def declared_currency(unit: str | None, currency: str | None) -> str | None:
    """The case's currency, which may also stand as its unit."""
    code = (unit or "").strip().upper()
    return currency or (code if len(code) == 3 and CURRENCIES.get(code) == (code,) else None)


def readings(
    said: ParsedNumber,
    *,
    gold: Decimal,
    gold_is_count: bool,
    unit: str | None,
    scale: Scale | None,
) -> tuple[Reading, ...]:
    """The ways to read `said`, the likeliest first; the table above in code.

    Raises:
        UnitConflict: the answer's own unit cannot be the declared one.
    """
    if unit is None or not unit.strip():
        return tuple(_undeclared(said.unit, gold=gold, is_count=gold_is_count, scale=scale))
    declared = _declared_kind(unit)
    found = tuple(_declared(said.unit, declared))
    if not found:
        raise UnitConflict(f"the answer is in {_wording(said.unit)}, the gold in {unit!r}")
    return found


def _wording(unit: NumberUnit | None) -> str:
    return {"percent": "per cent", "pp": "percentage points", "bps": "basis points"}.get(
        unit or "", unit or "no unit"
    )


def _declared_kind(unit: str) -> str:
    word = " ".join(unit.lower().replace("_", " ").split())
    if word in _DECLARED:
        return _DECLARED[word]
    if declared_currency(unit, None):
        return "currency"
    known = UNITS.get(word)
    return known[0] if known and (known[0] in _SECONDS or known[0] in _MONTHS) else "other"


def _declared(said: NumberUnit | None, declared: str) -> Iterator[Reading]:
    match declared:
        case "rate" | "percent":
            yield from _share(said, declared)
        case "pp" | "bps":
            if (said or declared) in _POINTS[declared]:
                yield Reading(factor=_POINTS[declared][said or declared])
        case "ratio":
            if said in {None, "x", "ratio", "percent"}:
                yield Reading(factor=_HUNDREDTH if said == "percent" else Decimal(1))
        case "count":
            if said is None or said in _SECONDS or said in _MONTHS:
                yield Reading(factor=Decimal(1), flags=_unit_flag(said))
        case "currency":
            if said in {None, "currency"}:
                yield Reading(factor=Decimal(1), flags=_unit_flag(said))
        case "other":
            if said not in {"percent", "pp", "bps", "ratio"}:
                yield Reading(factor=Decimal(1), flags=_unit_flag(said))
        case _:
            yield from _time(said, declared)


def _unit_flag(said: NumberUnit | None) -> tuple[str, ...]:
    """For a unit that the case does not name, and that nothing settles."""
    if said is None:
        return ()
    return ("currency_undeclared",) if said == "currency" else ("unit_undeclared",)


def _share(said: NumberUnit | None, declared: str) -> Iterator[Reading]:
    per_cent = _PERCENT_TO[declared]
    settled = {"percent": per_cent, "bps": per_cent * _HUNDREDTH}
    settled |= dict.fromkeys(("x", "ratio"), per_cent * _HUNDRED)
    if said in settled:
        yield Reading(factor=settled[said])
    elif said is None:
        yield Reading(factor=Decimal(1))
        unsure = ("unit_adjusted", "unit_unsure")
        yield Reading(
            factor=_HUNDREDTH, flags=unsure if declared == "percent" else ("unit_adjusted",)
        )
        yield Reading(factor=_HUNDRED, flags=unsure if declared == "rate" else ("unit_adjusted",))


def _time(said: NumberUnit | None, declared: str) -> Iterator[Reading]:
    if said is None:
        yield Reading(factor=Decimal(1))
        return
    for family in (_SECONDS, _MONTHS):
        if said in family and declared in family:
            yield Reading(factor=family[said] / family[declared])


def _undeclared(
    said: NumberUnit | None, *, gold: Decimal, is_count: bool, scale: Scale | None
) -> Iterator[Reading]:
    adjusted: tuple[str, ...] = ("unit_adjusted",)
    unsure = adjusted if scale == "ratio" else ("unit_adjusted", "unit_unsure")
    small = 0 < abs(gold) <= 1 and not is_count
    match said:
        case None:
            yield Reading(factor=Decimal(1))
            if small:
                yield Reading(factor=_HUNDREDTH, flags=unsure)
        case "percent" | "pp":
            if scale == "percent":
                yield Reading(factor=Decimal(1))
            elif small or scale == "ratio":
                yield Reading(factor=_HUNDREDTH, flags=adjusted)
            else:
                # Nothing is 0 % as well as 0.
                yield Reading(factor=Decimal(1), flags=("unit_unsure",) if gold else ())
                yield Reading(factor=_HUNDREDTH, flags=unsure)
        case "bps":
            yield Reading(factor=Decimal(1), flags=("unit_unsure",))
            yield Reading(factor=_HUNDREDTH * _HUNDREDTH, flags=adjusted)
        case "ratio":
            yield Reading(factor=Decimal(1), flags=("unit_unsure",))
        case "x" if scale == "ratio":
            yield Reading(factor=Decimal(1))
        case _:
            yield Reading(factor=Decimal(1), flags=_unit_flag(said))
