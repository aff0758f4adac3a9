"""How one value of a gold file is read: exact, and strict about its type.

Each reader raises ValueError with a sentence that says what is expected and how to write it. It
never repeats the value: what stands in a wrong place may be gold.
"""

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from difflib import get_close_matches
from typing import Any, cast, get_args

from goldsuite.model.key import GoldScalar, GoldValue
from goldsuite.model.number import DecimalMark
from goldsuite.suite.findings import named, or_known

__all__ = [
    "KNOWN_UNITS",
    "one_of",
    "optional",
    "read_abs_tolerance",
    "read_currency",
    "read_date",
    "read_decimal_mark",
    "read_flag",
    "read_gold_sql",
    "read_gold_value",
    "read_id",
    "read_text",
    "read_texts",
    "read_tolerance",
    "read_turns",
    "read_unit",
    "read_weight",
]

_MAX_ID = 200

KNOWN_UNITS = (
    "count",
    "currency",
    "rate",
    "percent",
    "pp",
    "bps",
    "ratio",
    "x",
    "seconds",
    "minutes",
    "hours",
    "days",
    "weeks",
    "months",
    "quarters",
    "years",
)
"""Units that grading treats in a way of its own, or reads out of an answer; others are free."""

_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "%": "percent"}
_UNIT_ALIASES = {"percentage": "percent", "pct": "percent", "number": "count", "money": "currency"}
_UNIT_CLOSENESS = 0.85
"""Below it a word is a unit of the user's own, such as `orders`, and no misspelling."""


def _seen(raw: object) -> str:
    """What YAML made of a value, in words and without the value."""
    names: tuple[tuple[type | tuple[type, ...], str], ...] = (
        (bool, "true or false"),
        ((int, Decimal), "a number"),
        (date, "a date"),
        (str, "a text"),
        (list, "a list"),
        (dict, "a mapping"),
    )
    return next((name for kind, name in names if isinstance(raw, kind)), "nothing")


def _expected(what: str, raw: object, fix: str) -> ValueError:
    return ValueError(f"{what} is expected, and {_seen(raw)} is given. {fix}")


def optional(reader: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Let null pass: it takes a default of the suite back."""
    return lambda raw: None if raw is None else reader(raw)


def read_text(raw: object) -> str:
    if not isinstance(raw, str):
        simple = isinstance(raw, (bool, int, Decimal, date))
        fix = "Put it in quotes." if simple else "Write one text, in quotes."
        raise _expected("a text", raw, fix)
    if not raw.strip():
        raise ValueError("the text is empty. Write one.")
    return raw


def read_id(raw: object) -> str:
    """An id goes into file names, tables and command lines: it must be one plain line."""
    text = read_text(raw)
    if text != text.strip():
        raise ValueError("an id has no spaces at its ends. Remove them.")
    if len(text) > _MAX_ID:
        raise ValueError(f"an id has at most {_MAX_ID} characters, not {len(text)}. Shorten it.")
    if not text.isprintable():
        raise ValueError("an id is one line of printable characters. Remove the others.")
    if {"/", "\\"} & set(text) or text in {".", ".."}:
        raise ValueError("an id holds no / or \\ and is not . or .., since files are named by it.")
    return text


def read_texts(raw: object) -> tuple[str, ...]:
    if not isinstance(raw, list):
        raise _expected("a list of texts", raw, "Write it in brackets: [first, second].")
    return tuple(map(read_text, raw))


def read_flag(raw: object) -> bool:
    if not isinstance(raw, bool):
        raise _expected("true or false", raw, "Write true or false, without quotes.")
    return raw


def one_of(choices: Any, *, shown: bool = True) -> Callable[[Any], str]:
    """A reader for one word of a closed set, given as a Literal.

    Args:
        shown: whether a message may repeat an unknown word.
    """
    words = get_args(choices)

    def read(raw: object) -> str:
        if not isinstance(raw, str):
            raise _expected(f"one of {', '.join(words)}", raw, "Write one of these words.")
        if raw not in words:
            word = named(raw) if shown else ""
            raise ValueError(f"unknown word{word}. {or_known(raw, words)}")
        return raw

    return read


def read_date(raw: object) -> date:
    fix = "Write a day such as 2025-12-31."
    if isinstance(raw, str):
        try:
            return date.fromisoformat(raw)
        except ValueError:
            raise _expected("a date", raw, fix) from None
    if isinstance(raw, datetime) or not isinstance(raw, date):
        what = "a date without a time" if isinstance(raw, datetime) else "a date"
        raise _expected(what, raw, fix)
    return raw


def _number(raw: object, fix: str) -> Decimal:
    if isinstance(raw, bool) or not isinstance(raw, (int, Decimal)):
        raise _expected("a number", raw, fix)
    return Decimal(raw)


def read_tolerance(raw: object) -> Decimal:
    number = _number(raw, "Write 0.005 for 0.5 %, without quotes or a percent sign.")
    if number < 0:
        raise ValueError("a tolerance is not negative. 0 means exact.")
    if number >= 1:
        raise ValueError("a tolerance is relative and below 1: 0.005 means 0.5 %.")
    return number


def read_abs_tolerance(raw: object) -> Decimal:
    number = _number(raw, "Write it in the gold's own unit, without quotes.")
    if number < 0:
        raise ValueError("a tolerance is not negative. 0 means exact.")
    return number


def read_weight(raw: object) -> Decimal:
    number = _number(raw, "Write a number above 0, without quotes.")
    if number <= 0:
        raise ValueError("a weight is above 0. Remove a criterion that does not count.")
    return number


def read_turns(raw: object) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int):
        raise _expected("a whole number", raw, "Write 1 or more, without quotes.")
    if raw < 1:
        raise ValueError("a number of turns is 1 or more.")
    return raw


def read_unit(raw: object) -> str:
    text = read_text(raw).strip()
    sign = _SIGNS.get(text)
    if sign == "percent" or text.lower() in _UNIT_ALIASES:
        raise ValueError(f"unknown unit. Write {_UNIT_ALIASES.get(text.lower(), 'percent')!r}.")
    if sign or (text.isupper() and len(text) == 3 and text.isascii() and text.isalpha()):
        raise ValueError("unknown unit. Write `unit: currency`, and the code under `currency`.")
    if text.lower() in KNOWN_UNITS:
        return text.lower()
    near = _near_unit(text.lower())
    if near:
        raise ValueError(f"unknown unit{named(text)}. Did you mean {near!r}?")
    return text


def _near_unit(word: str) -> str | None:
    units = [unit for unit in KNOWN_UNITS if len(unit) > 3]
    near = get_close_matches(word, units, n=1, cutoff=_UNIT_CLOSENESS)
    return near[0] if near else None


def read_currency(raw: object) -> str:
    text = read_text(raw).strip()
    sign = _SIGNS.get(text)
    if sign and sign != "percent":
        raise ValueError(f"a currency is a code of three letters. Write {sign!r}.")
    if not (len(text) == 3 and text.isascii() and text.isalpha()):
        raise ValueError("a currency is a code of three letters, as in ISO 4217: EUR, USD.")
    return text.upper()


def read_decimal_mark(raw: object) -> DecimalMark:
    fix = """Write "." or "," in quotes, or auto."""
    if not isinstance(raw, str):
        raise _expected("a decimal mark", raw, fix)
    if raw not in get_args(DecimalMark):
        raise ValueError(f"unknown decimal mark{named(raw)}. {fix}")
    return cast(DecimalMark, raw)


def read_gold_sql(raw: object) -> tuple[str, ...]:
    """One query or several; whether each is a query is for the checks to say."""
    if isinstance(raw, str):
        return (raw,)
    if not isinstance(raw, list):
        raise _expected("a query, or a list of queries", raw, "Write the SQL as one text.")
    if not raw:
        raise ValueError("the list is empty. Write at least one query.")
    if not all(isinstance(item, str) for item in raw):
        raise ValueError("each item of the list is one query, written as a text.")
    return tuple(raw)


def read_gold_value(raw: object) -> GoldValue:
    """One value, or rows; a flat list is one column."""
    if isinstance(raw, dict):
        raise _expected("one value, or rows,", raw, "Write rows as [[a, 1], [b, 2]].")
    if not isinstance(raw, list):
        return _scalar(raw)
    if any(isinstance(item, dict) for item in raw):
        raise ValueError(
            "rows are lists of values, not mappings. Leave the column names out: [[a, 1], [b, 2]]."
        )
    nested = [isinstance(item, list) for item in raw]
    if any(nested) and not all(nested):
        raise ValueError("rows and single values are mixed. Put each row in brackets.")
    rows = tuple(tuple(map(_scalar, item if isinstance(item, list) else [item])) for item in raw)
    if len({len(row) for row in rows}) > 1:
        raise ValueError("the rows have different lengths. Write null where a value is NULL.")
    if rows and not rows[0]:
        raise ValueError("a row holds no value. Write [] for a table without rows.")
    return rows


def _scalar(raw: object) -> GoldScalar:
    if isinstance(raw, (list, dict)):
        raise _expected("one value in each cell", raw, "Write rows as [[a, 1], [b, 2]].")
    if raw is None or isinstance(raw, (bool, int, Decimal, str, date)):
        return raw
    raise ValueError("a number, text, date, true, false, null or rows are expected.")
