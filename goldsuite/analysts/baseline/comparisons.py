"""Comparisons with a number: `over 100`, `at least 3 seats`, `with more than 2 orders`."""

import re
from decimal import Decimal

from sqlglot import exp

from goldsuite.analysts.baseline import writing
from goldsuite.analysts.baseline.joins import Edge
from goldsuite.analysts.baseline.lookup import Lookup, best_field, named_table
from goldsuite.analysts.baseline.money import money_field
from goldsuite.analysts.baseline.plan import UnresolvedError
from goldsuite.analysts.baseline.reading import Reading
from goldsuite.analysts.baseline.schema import Field
from goldsuite.analysts.baseline.words import NUMBER_WORDS, STOPWORDS

_OPERATORS: tuple[tuple[str, type[exp.Binary]], ...] = (
    ("no more than|not more than|at most|up to|a maximum of", exp.LTE),
    ("no less than|no fewer than|not less than|at least|a minimum of", exp.GTE),
    (r"(?:more|greater|higher|larger|longer|older|later) than|over|above|exceed(?:s|ing)?", exp.GT),
    (r"(?:less|fewer|lower|smaller|shorter|younger|cheaper) than|under|below", exp.LT),
    ("exactly|equal to|equals", exp.EQ),
)
_AFTER = {"more": exp.GTE, "above": exp.GTE, "less": exp.LTE, "fewer": exp.LTE}
_NUMBER = r"(?P<n>\d[\d,]*(?:\.\d+)?(?P<k>k|m)?|" + "|".join(NUMBER_WORDS) + ")"
_SCALES = {"k": 3, "thousand": 3, "m": 6, "million": 6}
_COMPARED = re.compile(
    r"(?<!\S)(?P<op>"
    + "|".join(words for words, _ in _OPERATORS)
    + ") "
    + _NUMBER
    + r"(?: (?P<scale>thousand|million))?(?!\S)"
)
_OR_MORE = re.compile(rf"(?<!\S){_NUMBER} or (?P<op>more|above|less|fewer)(?!\S)")
_BETWEEN = re.compile(
    r"(?<!\S)between (?P<n>\d[\d,]*(?:\.\d+)?(?P<k>k|m)?) and (?P<to>\d[\d,]*(?:\.\d+)?)(?!\S)"
)
_HINTS = {
    "longer": ("length", "duration", "day", "hour", "minute"),
    "shorter": ("length", "duration", "day", "hour", "minute"),
    "older": ("age",),
    "younger": ("age",),
    "cheaper": ("price", "cost"),
}
_WORDS_BEFORE, _WORDS_AFTER = 4, 2


def bound_words(reading: Reading) -> frozenset[int]:
    """The words of every comparison and of its unit: they bound something, they measure nothing."""
    found: set[int] = set()
    for rule in (_COMPARED, _OR_MORE, _BETWEEN):
        for _, where in reading.places(rule):
            found |= {*where, *_units(reading, where)}
    return frozenset(found)


def _units(reading: Reading, where: range) -> list[int]:
    """What is counted by a number: the words right after it that can name something."""
    after = range(where.stop, min(where.stop + _WORDS_AFTER, len(reading.lower)))
    return [
        i
        for i in reading.phrase_from(where.stop, shared=reading.subject)
        if i in after and reading.lower[i] not in STOPWORDS
    ]


def read_comparisons(
    reading: Reading, lookup: Lookup, source: str
) -> tuple[Reading, tuple[exp.Expr, ...]]:
    """Every comparison as a predicate, and the reading with its words used.

    Raises:
        UnresolvedError: the question does not tell what a number bounds.
    """
    found: list[exp.Expr] = []
    for rule in (_COMPARED, _OR_MORE, _BETWEEN):
        for match, where in reading.places(rule):
            if reading.used.intersection(where):
                continue
            predicate, used = _predicate(reading, match, where, lookup, source)
            reading = reading.take(used)
            found.append(predicate)
    return reading, tuple(found)


def _predicate(
    reading: Reading, match: re.Match[str], where: range, lookup: Lookup, source: str
) -> tuple[exp.Expr, set[int]]:
    after = _units(reading, where)
    counted = _counted(reading, tuple(after), match, lookup, source)
    if counted is not None:
        return counted
    first = max(0, where.start - _WORDS_BEFORE)
    before = [i for i in range(first, where.start) if i not in reading.used - reading.subject]
    words = (*reading.words(before), *reading.words(after), *_HINTS.get(match[0].split()[0], ()))
    field = _bounded(words, lookup, source)
    if field is None:
        raise UnresolvedError(f"cannot tell which column {match[0]!r} is about")
    return _compare(writing.column(field), match), {*where, *after}


def _bounded(words: tuple[str, ...], lookup: Lookup, source: str) -> Field | None:
    def reachable(field: Field) -> bool:
        return field.measurable and lookup.near(source, field.table) is not None

    def own(field: Field) -> bool:
        return field.measurable and field.table == source

    schema = lookup.schema
    return (
        best_field(schema, words, own)
        or best_field(schema, words, reachable)
        or money_field(schema, own)
    )


def _counted(
    reading: Reading, after: tuple[int, ...], match: re.Match[str], lookup: Lookup, source: str
) -> tuple[exp.Expr, set[int]] | None:
    """`members with more than 2 loans`: the source's rows that so many rows refer to."""
    named = named_table(lookup.schema, reading.words(after))
    steps = lookup.graph.path(source, named[0].alias) if named else None
    if named is None or steps is None or len(steps) != 1 or steps[0].to_one:
        return None
    counts = _having(named[0].alias, steps[0], match, lookup)
    own = writing.column_of(source, steps[0].pairs[0][0])
    return exp.In(this=own, query=exp.Subquery(this=counts)), {*reading.span(match), *after}


def _having(alias: str, step: Edge, match: re.Match[str], lookup: Lookup) -> exp.Select:
    entity = next(e for e in lookup.schema.entities if e.alias == alias)
    reference = writing.column_of(alias, step.pairs[0][1])
    return (
        exp.select(reference.copy())
        .from_(writing.table(entity))
        .group_by(reference)
        .having(_compare(exp.Count(this=exp.Star()), match))
    )


def _compare(value: exp.Expr, match: re.Match[str]) -> exp.Expr:
    low = writing.number(_amount(match["n"], match["k"], match.groupdict().get("scale")))
    if "to" in match.re.groupindex:
        high = writing.number(_amount(match["to"], None, None))
        return exp.Between(this=value, low=low, high=high)
    if match.re is _OR_MORE:
        return _AFTER[match["op"]](this=value, expression=low)
    kind = next(k for words, k in _OPERATORS if re.fullmatch(words, match["op"]))
    return kind(this=value, expression=low)


def _amount(said: str, suffix: str | None, scale: str | None) -> str:
    if said in NUMBER_WORDS:
        number = Decimal(NUMBER_WORDS[said])
    else:
        number = Decimal(said.removesuffix(suffix or "").replace(",", ""))
    power = _SCALES.get(suffix or scale or "", 0)
    return format(number.scaleb(power).normalize(), "f")
