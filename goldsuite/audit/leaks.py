"""What of the suite stands in the context that the analyst reads.

Searched for are the gold SQL in any writing, gold values from five significant digits on, the
questions word for word, and the ids of cases. What is found is told by case, kind, file and line;
no gold is. A leak that goes another way, such as through the warehouse's own history of queries, is
not seen here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, InvalidOperation
from itertools import pairwise

from sqlglot.tokenizer_core import TokenType

from goldsuite.audit.context_text import SearchedFile, significant_digits, words_of
from goldsuite.model.held_out import Leak, LeakKind
from goldsuite.model.key import GoldScalar, GoldValue
from goldsuite.model.question import Split
from goldsuite.sqltext.canonical import normal_form
from goldsuite.sqltext.parsing import parse_statements, tokenize

__all__ = ["LEAST_DIGITS", "Secret", "find_leaks", "numbers_in", "rounded_forms"]

LEAST_DIGITS = 5
"""Significant digits from which two equal numbers are no chance."""
_LEAST_ID = 5
_ID_SIGNS = frozenset("-_.")
_TELLING = frozenset({TokenType.VAR, TokenType.STRING, TokenType.NUMBER, TokenType.IDENTIFIER})


@dataclass(frozen=True, kw_only=True, slots=True)
class Secret:
    """What of one case must not be in the context."""

    case: str
    split: Split
    questions: tuple[str, ...]
    """With its paraphrases."""
    gold_sql: tuple[str, ...] = ()
    values: tuple[Decimal, ...] = ()
    """Numbers of the stored gold value."""
    metric: str | None = None
    """Its name may stand in the context, also where the case is called like it."""


def find_leaks(
    secrets: Sequence[Secret], files: Sequence[SearchedFile], *, dialect: str
) -> tuple[Leak, ...]:
    """Every leak, by the order of the cases; of each kind one place in a file, the first."""
    queries = _ContextQueries(files, dialect)
    metrics = {secret.metric for secret in secrets}
    found: dict[Leak, None] = {}
    for secret in secrets:
        found |= dict.fromkeys(queries.leaks_of(secret))
        for file in files:
            for kind, line in _places(secret, file, metrics):
                found[_leak(secret, kind, file.name, line)] = None
    return tuple(found)


def _places(
    secret: Secret, file: SearchedFile, metrics: set[str | None]
) -> Iterator[tuple[LeakKind, int]]:
    lines = [line for value in secret.values if (line := _line_of_value(value, file)) is not None]
    if lines:
        yield "gold value", min(lines)
    asked = (file.line_of_words(words_of(question)) for question in secret.questions)
    if lines := [line for line in asked if line is not None]:
        yield "question", min(lines)
    if secret.case not in metrics and (at := _line_of_id(secret.case, file)) is not None:
        yield "case id", at


def _line_of_value(value: Decimal, file: SearchedFile) -> int | None:
    for form in rounded_forms(value):
        if form in file.numbers:
            return file.numbers[form]
    return None


def rounded_forms(value: Decimal) -> tuple[Decimal, ...]:
    """The sizes under which `value` would be written with five or more significant digits.

    Exactly, and rounded to ever fewer digits; a share of at most one also in per cent.
    """
    size = abs(value).normalize()
    sizes = [size, (size * 100).normalize()] if size <= 1 else [size]
    forms: dict[Decimal, None] = {}
    for each in sizes:
        digits = significant_digits(each)
        for kept in range(digits, LEAST_DIGITS - 1, -1):
            step = Decimal(1).scaleb(each.adjusted() - kept + 1)
            for rule in (ROUND_HALF_UP, ROUND_HALF_EVEN):
                try:
                    form = each.quantize(step, rounding=rule).normalize()
                except InvalidOperation:
                    continue
                if significant_digits(form) >= LEAST_DIGITS:
                    forms[form] = None
    return tuple(forms)


def numbers_in(value: GoldValue) -> tuple[Decimal, ...]:
    """The numbers of a gold value, also of its rows, which are long enough to be told apart."""
    cells = [cell for row in value for cell in row] if isinstance(value, tuple) else [value]
    return tuple(dict.fromkeys(number for cell in cells if (number := _number(cell)) is not None))


def _number(cell: GoldScalar) -> Decimal | None:
    if isinstance(cell, bool) or not isinstance(cell, (int, Decimal)):
        return None
    number = Decimal(cell)
    return number if number.is_finite() and significant_digits(number) >= LEAST_DIGITS else None


def _line_of_id(case: str, file: SearchedFile) -> int | None:
    """A plain word proves nothing: it may be a table, or stand in any sentence."""
    telling = any(sign in _ID_SIGNS or sign.isdigit() for sign in case)
    if len(case) < _LEAST_ID or not telling:
        return None
    return file.names.get(case.casefold())


def _leak(secret: Secret, kind: LeakKind, file: str, line: int) -> Leak:
    return Leak(case=secret.case, split=secret.split, kind=kind, file=file, line=line)


@dataclass(frozen=True, slots=True)
class _Place:
    file: str
    line: int


class _ContextQueries:
    """The SQL of the context by its normal form."""

    def __init__(self, files: Iterable[SearchedFile], dialect: str) -> None:
        self._dialect = dialect
        self._forms: dict[str, list[_Place]] = {}
        self._telling: set[frozenset[str]] = set()
        for file in files:
            for text, line in file.queries():
                for statement in self._statements(text):
                    form = normal_form(statement, dialect)
                    if form.parsed:
                        place = _Place(file.name, line)
                        self._forms.setdefault(form.text, []).append(place)
                        self._telling.add(_telling_tokens(statement, dialect))

    def _statements(self, text: str) -> list[str]:
        """The texts of the statements; empty where it is no SQL."""
        if parse_statements(text, self._dialect) is None:
            return []
        tokens = tokenize(text, self._dialect) or ()
        ends = [token.start for token in tokens if token.token_type is TokenType.SEMICOLON]
        parts = [text[a:b] for a, b in pairwise([0, *ends, len(text)])]
        return [part.lstrip(";") for part in parts if part.strip("; \n\t")]

    def leaks_of(self, secret: Secret) -> Iterator[Leak]:
        """One place in each file."""
        named: Mapping[str, None] = {}
        for sql in secret.gold_sql:
            # A normal form takes milliseconds; names and literals rule nearly all of them out.
            if not self._forms or _telling_tokens(sql, self._dialect) not in self._telling:
                continue
            for place in self._forms.get(normal_form(sql, self._dialect).text, ()):
                if place.file not in named:
                    named = {**named, place.file: None}
                    yield _leak(secret, "gold SQL", place.file, place.line)


def _telling_tokens(sql: str, dialect: str) -> frozenset[str]:
    """Names and literals, without case."""
    tokens = tokenize(sql, dialect) or ()
    return frozenset(t.text.casefold() for t in tokens if t.token_type in _TELLING)
