"""`X rate`: the share of rows that a flag, a value or a filled-in time marks as X."""

import re

from sqlglot import exp

from goldsuite.analysts.baseline import writing
from goldsuite.analysts.baseline.filters import flag_predicate
from goldsuite.analysts.baseline.lookup import Lookup, mentioned_tables
from goldsuite.analysts.baseline.plan import Measure
from goldsuite.analysts.baseline.reading import Reading
from goldsuite.analysts.baseline.schema import Field, Kind
from goldsuite.analysts.baseline.words import folded, related

_RATE = re.compile(r"\b(?P<of>[^| ]+(?: [^| ]+)?) (?:rate|ratio)s?\b")


def rate_measure(reading: Reading, lookup: Lookup) -> tuple[Reading, Measure] | None:
    """What a plain look at the columns makes of `X rate`; None where nothing reads as X."""
    for match, where in reading.places(_RATE):
        words = reading.words(reading.span(match, "of"))
        mentioned = mentioned_tables(lookup.schema, reading.folded)
        found = [
            ((kind, field.table not in mentioned, field.place), value, field)
            for field in lookup.schema.fields()
            if (hit := _meaning(field, words)) is not None
            for kind, value in (hit,)
        ]
        if found:
            _, value, field = min(found, key=lambda one: one[0])
            return reading.take_subject(where), Measure(value=value, source=field.table)
    return None


def _meaning(field: Field, words: tuple[str, ...]) -> tuple[int, exp.Expr] | None:
    """How directly a column tells the rate of `words`, and the rate; None if it does not."""
    last = words[-1]
    column = writing.column(field)
    if field.measurable and field.words[-1:] in {("rate",), ("ratio",)} and last in field.words:
        return 0, exp.Avg(this=column)
    if field.kind is Kind.FLAG and _marks(field.condition_words, words):
        return 1, writing.share(flag_predicate(field, wanted=True))
    for value in field.values:
        if _marks(folded(value), words):
            return 2, writing.share(exp.EQ(this=column, expression=writing.text(value)))
    if field.kind is Kind.TIME and len(field.words) > 1 and related(field.words[0], last):
        return 3, writing.share(exp.Not(this=exp.Is(this=column, expression=exp.Null())))
    return None


def _marks(marked: tuple[str, ...], words: tuple[str, ...]) -> bool:
    if len(marked) == 1:
        return related(marked[0], words[-1])
    return len(marked) == len(words) and all(map(related, marked, words))
