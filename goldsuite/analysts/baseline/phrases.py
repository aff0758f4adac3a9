"""Phrases after a cue, and the columns that they name: what the measure rules share."""

import re
from collections.abc import Callable
from typing import TypeAlias

from sqlglot import exp

from goldsuite.analysts.baseline import writing
from goldsuite.analysts.baseline.lookup import Lookup, best_field, mentioned_tables
from goldsuite.analysts.baseline.money import MONEY_WORDS, money_field
from goldsuite.analysts.baseline.plan import Measure
from goldsuite.analysts.baseline.reading import Reading
from goldsuite.analysts.baseline.schema import Entity, Field
from goldsuite.analysts.baseline.words import STOPWORDS, related

Found: TypeAlias = tuple[Reading, Measure]
Rule: TypeAlias = Callable[[Reading, Lookup], Found | None]

_OF = frozenset({"of"})


def of_field(name: str, field: Field) -> Measure:
    """The aggregate `name` of a column, over its own table."""
    return Measure(value=writing.aggregate(name, writing.column(field)), source=field.table)


def phrase_after(reading: Reading, pattern: re.Pattern[str]) -> tuple[range, range] | None:
    """Where a cue stands, and the noun phrase after it."""
    for match, where in reading.places(pattern):
        start = reading.span(match).stop
        return where, reading.phrase_from(start, connectors=_OF)
    return None


def named_field(
    reading: Reading, phrase: range, lookup: Lookup, accept: Callable[[Field], bool]
) -> Field | None:
    """The accepted column that the words of `phrase` name best; None where none is named."""
    words = reading.words(reading.content(phrase)) or reading.words(phrase)
    mentioned = mentioned_tables(lookup.schema, reading.folded)
    return best_field(lookup.schema, words, accept, mentioned=mentioned)


def claimed_words(reading: Reading, phrase: range, field: Field, lookup: Lookup) -> list[int]:
    """The words of `phrase` that the column stands for; the others may still name a filter."""
    own = {*field.words, *lookup.schema.owner(field).words}
    if not set(field.words).intersection(reading.words(phrase)):
        own |= MONEY_WORDS.keys()
    return [
        i
        for i in phrase
        if reading.lower[i] in STOPWORDS
        or reading.folded[i] in own
        or any(related(reading.folded[i], word) for word in field.words)
    ]


def measurable(field: Field) -> bool:
    """True for numbers that can be summed."""
    return field.measurable


def money_column(reading: Reading, phrase: range, lookup: Lookup) -> Field | None:
    """The likeliest money column, where `phrase` has a money word; else None."""
    word = next((w for w in reading.words(phrase) if w in MONEY_WORDS), None)
    if word is None:
        return None
    mentioned = mentioned_tables(lookup.schema, reading.folded)
    return money_field(lookup.schema, measurable, word=word, mentioned=mentioned)


def amount_column(reading: Reading, phrase: range, lookup: Lookup) -> Field | None:
    """The numeric column that `phrase` names, else the one that its money word may mean."""
    named = named_field(reading, phrase, lookup, measurable)
    return named or money_column(reading, phrase, lookup)


def count_rows(entity: Entity) -> Measure:
    """`count(*)` of a table."""
    return Measure(value=exp.Count(this=exp.Star()), source=entity.alias)
