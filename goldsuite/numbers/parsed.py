"""What a text turned out to say."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

from goldsuite.model.number import DecimalMark

__all__ = ["DecimalMark", "NumberUnit", "ParsedNumber"]

NumberUnit: TypeAlias = Literal[
    "percent",
    "pp",
    "bps",
    "x",
    "ratio",
    "currency",
    "ms",
    "s",
    "min",
    "h",
    "days",
    "weeks",
    "months",
    "quarters",
    "years",
]
"""`ratio` is how `1 in 4` and `3:1` were written; a unit that is not listed is not reported."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ParsedNumber:
    """One number as a text states it."""

    value: Decimal
    """Magnitudes applied (`$1.2M` is 1200000), units not (`33.2%` is 33.2)."""
    unit: NumberUnit | None = None
    currency: str | None = None
    """ISO 4217 code; for a sign that several currencies share, the one most often meant."""
    currencies: tuple[str, ...] = ()
    """Every code that the text may mean: `$` is many dollars, `US$` is one. Empty without one."""
    precision: Decimal | None = None
    """Size of the last stated digit, after scaling; None for an exact fraction."""
    approximate: bool = False
    """True where the text hedges: `~`, `about`, `nearly`."""
