"""Text, dates, booleans and lists as answers write them.

The rule for prose is conservative: every gold value is named, as a whole word and as often as the
gold has it, and nothing else is named. Beside the values only separators, bullets, quotes, and one
lead-in that ends in a colon or in is, are, was or were may stand; a lead-in that denies (not, no,
except, ...), offers a choice (or, either), points elsewhere (before, after, than) or is itself a
name (`Ann is Bob`) is no lead-in. What matched so is flagged `from_text`.
"""

import ast
import json
import re
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal

from goldsuite.grading.cells import money_value, normal_text, numeral
from goldsuite.grading.dates import read_date
from goldsuite.model.result_set import Cell, Column, ResultSet
from goldsuite.numbers.cleaning import unwrap

__all__ = [
    "after_lead_in",
    "declines",
    "is_question",
    "names_exactly",
    "read_boolean",
    "read_rows",
    "same_text",
    "stated_date",
]

MAX_TEXT = 100_000
"""Characters of a list in text; more is not read."""

_MARK = "\x00"
_DENIES = re.compile(
    r"\b(?:not|no|never|neither|nor|none|except|without|other than|rather than|instead of|or|"
    r"either|but|cannot|unlike|doubt|hardly|scarcely|unlikely|before|after|until|till|since|prior|"
    r"earlier|later|than|behind)\b|n't\b",
    re.IGNORECASE,
)
_LEADS_IN = re.compile(r":|=|\b(?:is|are|was|were)\b", re.IGNORECASE)
_SEPARATORS = re.compile(
    r"(?:[\s,;.!\"'“”‘’`*()\[\]|•·-]|\band\b|&|(?<!\w)\d{1,4}[.)](?=\s))*", re.IGNORECASE
)
_GENERAL = frozenset({
    "answer", "it", "he", "she", "they", "this", "that", "these", "those", "result", "results",
    "value", "winner", "name", "names",
})  # fmt: skip
"""Words that begin a sentence and name nobody."""
_LONGEST_NAME = 4
"""Words."""
_TRUE = frozenset({"yes", "true", "y", "t", "1"})
_FALSE = frozenset({"no", "false", "n", "f", "0"})
_FIRST_WORD = re.compile(r"(?P<word>yes|no|true|false)\s*[,.;:!—–-]\s", re.IGNORECASE)
_DECLINE = re.compile(
    r"\b(?:cannot|can't|can not|could not|couldn't|unable to|not able to|do(?:es)? not have|"
    r"do(?:es)?n't have|no data|not available|unavailable|insufficient|not possible|impossible|"
    r"don't know|do not know|unknown|undetermined|not enough)\b|\A(?:n/a|none|null|nothing)\Z",
    re.IGNORECASE,
)


def same_text(said: str, gold: str, *, case_sensitive: bool) -> bool:
    """Equal as cells are; an amount of money may be written with or without its signs."""
    one, other = (normal_text(text, case_sensitive=case_sensitive) for text in (said, gold))
    if one == other:
        return True
    if money_value(one) is None and money_value(other) is None:
        return False
    numbers = (numeral(one), numeral(other))
    return numbers[0] is not None and numbers[0] == numbers[1]


def names_exactly(text: str, values: Sequence[str], *, case_sensitive: bool) -> bool:
    """The rule for prose in the docstring of this module."""
    if len(text) > MAX_TEXT or not values:
        return False
    rest = normal_text(text, case_sensitive=case_sensitive)
    wanted = Counter(normal_text(value, case_sensitive=case_sensitive) for value in values)
    # Longest first, so that `York` does not eat a part of `New York`.
    for value in sorted(wanted, key=lambda v: (-len(v), v)):
        if not value:
            return False
        rest, count = re.subn(rf"(?<!\w){re.escape(value)}(?!\w)", _MARK, rest)
        if count != wanted[value]:
            return False
    head, *parts = rest.split(_MARK)
    return (
        _is_lead_in(head)
        and not _is_name(text)
        and all(_SEPARATORS.fullmatch(part) for part in parts)
    )


def _is_name(text: str) -> bool:
    """Whether what stands before the first verb of being is a name, and so a second value."""
    before, *after = re.split(r"\b(?:is|are|was|were)\b", unwrap(text), maxsplit=1)
    if not after:
        return False
    words = before.split()
    named = [word for word in words if word[:1].isupper() and word.lower() not in _GENERAL]
    return bool(words) and len(words) <= _LONGEST_NAME and len(named) == len(words)


def _is_lead_in(head: str) -> bool:
    if _SEPARATORS.fullmatch(head):
        return True
    return not _DENIES.search(head) and any(
        _SEPARATORS.fullmatch(head, end.end()) for end in _LEADS_IN.finditer(head)
    )


def after_lead_in(text: str) -> str:
    """What stands behind the last `is`, `was`, `:` or `=`; the whole text where there is none."""
    text = unwrap(text)
    parts = re.split(r"(?:(?<!\d):|=|\b(?:is|are|was|were|on)\b)\s+", text, flags=re.IGNORECASE)
    lead_in = text[: len(text) - len(parts[-1])]
    return text if _DENIES.search(lead_in) else unwrap(parts[-1])


def stated_date(text: str) -> tuple[date | datetime | None, bool]:
    """The date that a text states, and whether it had to be found in prose."""
    plain = read_date(unwrap(text))
    if plain is not None:
        return plain, False
    return read_date(after_lead_in(text)), True


def read_boolean(text: str) -> bool | None:
    """Yes or no; also as the first word of a sentence (`No, sales fell.`)."""
    word = unwrap(text).lower()
    if first := _FIRST_WORD.match(unwrap(text)):
        word = first["word"].lower()
    if word in _TRUE:
        return True
    return False if word in _FALSE else None


def declines(text: str) -> bool:
    """Whether a text says that there is no answer; a text with a digit never does."""
    return not any(map(str.isdigit, text)) and bool(_DECLINE.search(unwrap(text)))


def is_question(text: str) -> bool:
    """Whether a text asks back."""
    return text.rstrip().rstrip("\"'”*_)").endswith("?")


def read_rows(text: str) -> ResultSet | None:
    """Rows that a text spells out: a JSON or Python list, or a Markdown table; else None."""
    stripped = unwrap(re.sub(r"\A```\w*\n|\n```\Z", "", text.strip()))
    if len(stripped) > MAX_TEXT:
        return None
    return _read_literal(stripped) or _read_table(stripped)


def _read_literal(text: str) -> ResultSet | None:
    if text[:1] not in {"[", "("}:
        return None
    try:
        value = json.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError):
        try:
            value = ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            return None
    if not isinstance(value, list | tuple) or not value:
        return None
    return _from_items(list(value))


def _from_items(items: list[object]) -> ResultSet | None:
    first = items[0]
    if isinstance(first, dict):
        names = list(first)
        if any(not isinstance(item, dict) or list(item) != names for item in items):
            return None
        rows = [[item[name] for name in names] for item in items if isinstance(item, dict)]
        return _result([str(name) for name in names], rows)
    if isinstance(first, list | tuple):
        rows = [list(item) for item in items if isinstance(item, list | tuple)]
        return _result([""] * len(first), rows) if len(rows) == len(items) else None
    return _result([""], [[item] for item in items])


def _result(names: list[str], rows: list[list[object]]) -> ResultSet | None:
    cells: list[tuple[Cell, ...]] = []
    for row in rows:
        known = [c for c in row if c is None or isinstance(c, str | int | float | Decimal)]
        if len(row) != len(names) or len(known) != len(row):
            return None
        cells.append(tuple(known))
    return ResultSet(columns=tuple(Column(name=name) for name in names), rows=tuple(cells))


def _read_table(text: str) -> ResultSet | None:
    """A Markdown table and nothing else."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) < 3 or not re.fullmatch(r"\|?[\s:|-]+-[\s:|-]*", lines[1]):
        return None
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    names, _, *body = rows
    return _result(names, [list(row) for row in body])
