"""The words and signs beside a number: magnitudes, units, currencies, hedges."""

from decimal import Decimal

from goldsuite.numbers.parsed import NumberUnit

__all__ = [
    "BOUNDS",
    "CURRENCIES",
    "DIRECTIONS",
    "HEDGES",
    "MAGNITUDES",
    "MAGNITUDE_LETTERS",
    "MONTHS",
    "UNITS",
]

_POWERS = {
    2: "hundred",
    3: "k thousand thousands tsd",
    5: "lakh lakhs",
    6: "m mn mln mio mil million millions",
    7: "crore crores",
    9: "b bn bln mrd billion billions",
    12: "t tn trn trillion trillions",
}

MAGNITUDES: dict[str, Decimal] = {
    word: Decimal(10) ** power for power, words in _POWERS.items() for word in words.split()
} | {"dozen": Decimal(12)}
"""Lower case, to the factor."""

MAGNITUDE_LETTERS = ("bn", "mn", "tn", "k", "m", "b", "t")
"""Those that may be glued to a currency code: `5MUSD`."""

_WORDS_OF_UNIT: dict[NumberUnit, str] = {
    "percent": "%|percent|per cent|pct",
    "pp": (
        "pp|pps|p.p.|p.p|ppt|ppts|%-point|%-points|% point|% points|percent points|pct points|"
        "percentage point|percentage points"
    ),
    "bps": "bp|bps|basis point|basis points",
    "x": "x|×|times",
    "ms": "ms|msec|millisecond|milliseconds",
    "s": "s|sec|secs|second|seconds",
    "min": "min|mins|minute|minutes",
    "h": "h|hr|hrs|hour|hours",
    "days": "d|day|days",
    "weeks": "wk|wks|week|weeks",
    "months": "mo|month|months",
    "quarters": "quarter|quarters",
    "years": "yr|yrs|year|years",
}

UNITS: dict[str, tuple[NumberUnit, Decimal]] = {
    word: (unit, Decimal(1)) for unit, words in _WORDS_OF_UNIT.items() for word in words.split("|")
} | {"‰": ("percent", Decimal("0.1")), "per mille": ("percent", Decimal("0.1"))}
"""Lower case, to the unit and the factor that the value is multiplied by."""

_DOLLARS = ("USD", "CAD", "AUD", "NZD", "HKD", "SGD", "TWD", "MXN", "CLP", "COP", "ARS")
_CODES = (
    "USD EUR GBP JPY CNY CHF CAD AUD NZD SEK NOK DKK ISK PLN CZK HUF RON BGN TRY RUB UAH INR PKR "
    "BDT LKR NPR IDR MYR SGD THB VND PHP KRW TWD HKD BRL MXN ARS CLP COP PEN UYU ZAR NGN KES GHS "
    "EGP MAD TND ILS SAR AED QAR KWD BHD OMR JOD KZT GEL AMD AZN RSD"
)

CURRENCIES: dict[str, tuple[str, ...]] = {
    **{code: (code,) for code in _CODES.split()},
    "US$": ("USD",),
    "USD$": ("USD",),
    "C$": ("CAD",),
    "CA$": ("CAD",),
    "CAD$": ("CAD",),
    "A$": ("AUD",),
    "AU$": ("AUD",),
    "AUD$": ("AUD",),
    "NZ$": ("NZD",),
    "HK$": ("HKD",),
    "S$": ("SGD",),
    "NT$": ("TWD",),
    "MX$": ("MXN",),
    "R$": ("BRL",),
    "RMB": ("CNY",),
    "Rs.": ("INR", "PKR", "LKR", "NPR"),
    "Rs": ("INR", "PKR", "LKR", "NPR"),
    "kr.": ("SEK", "NOK", "DKK", "ISK"),
    "kr": ("SEK", "NOK", "DKK", "ISK"),
    "zł": ("PLN",),
    "Kč": ("CZK",),
    "Ft": ("HUF",),
    "Fr.": ("CHF",),
    "Fr": ("CHF",),
    "$": _DOLLARS,
    "€": ("EUR",),
    "£": ("GBP", "EGP"),
    "¥": ("JPY", "CNY"),
    "₹": ("INR",),
    "₩": ("KRW",),
    "₽": ("RUB",),
    "₺": ("TRY",),
    "₫": ("VND",),
    "₪": ("ILS",),
    "₴": ("UAH",),
    "₦": ("NGN",),
    "₱": ("PHP",),
    "฿": ("THB",),
    "₸": ("KZT",),
    "dollar": _DOLLARS,
    "dollars": _DOLLARS,
    "US dollars": ("USD",),
    "euro": ("EUR",),
    "euros": ("EUR",),
    "yen": ("JPY",),
    "yuan": ("CNY",),
    "rupees": ("INR", "PKR", "LKR", "NPR"),
    "pounds": ("GBP", "EGP"),
    "francs": ("CHF",),
}
"""Sign, code or word, with its case, to the codes it may mean, the likeliest first."""

HEDGES = (
    "~",
    "≈",
    "≃",
    "∼",
    "about",
    "approximately",
    "approx.",
    "approx",
    "around",
    "roughly",
    "circa",
    "ca.",
    "some",
    "nearly",
    "almost",
)
"""Before a number: it is stated, but not as exact."""

BOUNDS = (
    ">=",
    "<=",
    ">",
    "<",
    "≥",
    "≤",
    "±",
    "more than",
    "less than",
    "fewer than",
    "greater than",
    "at least",
    "at most",
    "up to",
    "over",
    "under",
    "above",
    "below",
    "beyond",
    "exceeding",
    "not",
)
"""Before a number: it is no value, only a limit to one or a denial of one."""

_DOWNWARD = (
    "down decline declined declines declining decrease decreased decreases decreasing drop dropped "
    "drops dropping fall falls fell fallen falling loss losses lose lost deficit shortfall lower "
    "lowered reduced reduces reduction shrank shrink shrunk shrinking minus negative plunged sank "
    "slipped"
)
DIRECTIONS = frozenset(_DOWNWARD.split())
"""Words that say which way a number goes without writing its sign."""

MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|"
    "jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec"
)
"""Alternatives of a regular expression, the longer ones first."""
