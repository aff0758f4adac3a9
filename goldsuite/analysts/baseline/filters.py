"""Values and flags named in the question, as predicates: `in the north`, `active`, `not cancelled`.

A value is one that the semantic notes word, or one of a column with few distinct values. Of several
columns that hold it, the one named beside it counts, else the one nearest to the source.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from sqlglot import exp

from goldsuite.analysts.baseline import writing
from goldsuite.analysts.baseline.lookup import Lookup
from goldsuite.analysts.baseline.reading import Reading
from goldsuite.analysts.baseline.schema import Field, Kind
from goldsuite.analysts.baseline.slices import dimension_slice
from goldsuite.analysts.baseline.words import STOPWORDS, folded, word_set

_NEGATIONS = word_set("not non excluding except without exclude excludes ignoring minus no never")
_SKIPPED = word_set("the a an any all yet been being be of for our are in from")
_NEGATING_PREFIXES = ("in", "un", "non")


@dataclass(frozen=True, kw_only=True, slots=True)
class Term:
    """One wording, and what it says about a row."""

    words: tuple[str, ...]
    """Folded."""
    column: exp.Expr
    table: str
    value: str | None
    """The stored value; None for a flag."""
    flag: Field | None
    beside: frozenset[tuple[str, ...]]
    """Names of the column or dimension, which may stand next to the value."""
    order: tuple[int, bool, str, int]
    """Notes before catalog, then by table and position."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Named:
    """A term at its place in the question."""

    where: range
    term: Term
    negated: bool


@lru_cache(maxsize=4)  # one per open warehouse: a lookup equals itself only
def terms(lookup: Lookup) -> tuple[Term, ...]:
    """Every wording of a value or a flag that the notes and the catalog hold."""
    return (*_noted(lookup), *_stored(lookup))


def _noted(lookup: Lookup) -> Iterator[Term]:
    for index, dimension in enumerate(lookup.dictionary.dimensions):
        if lookup.schema.entity(dimension.table) is None:
            continue
        sliced = dimension_slice(dimension, lookup)
        beside = frozenset(folded(name) for name in (dimension.name, *dimension.synonyms))
        for value, wordings in dimension.values.items():
            for words in dict.fromkeys(folded(w) for w in (value, *wordings)):
                if words and sliced.value is not None and sliced.table:
                    yield Term(
                        words=words,
                        column=sliced.value,
                        table=sliced.table,
                        value=value,
                        flag=None,
                        beside=beside,
                        order=(0, False, sliced.table, index),
                    )


def _stored(lookup: Lookup) -> Iterator[Term]:
    for entity in lookup.schema.entities:
        for field in entity.fields:
            column = writing.column(field)
            beside = frozenset({field.words, (*entity.words, *field.words)})
            order = (1, *field.place)
            for value in field.values if field.kind is Kind.TEXT else ():
                if words := folded(value):
                    yield Term(
                        words=words,
                        column=column,
                        table=field.table,
                        value=value,
                        flag=None,
                        beside=beside,
                        order=order,
                    )
            if field.kind is Kind.FLAG:
                yield Term(
                    words=field.condition_words,
                    column=column,
                    table=field.table,
                    value=None,
                    flag=field,
                    beside=frozenset(),
                    order=order,
                )


def find_terms(
    reading: Reading, lookup: Lookup, source: str, within: range | None = None
) -> tuple[Reading, tuple[Named, ...]]:
    """The terms that the free words name, longest first, and the reading with them used."""
    indices = within if within is not None else range(len(reading.lower))
    known: dict[tuple[str, ...], list[Term]] = {}
    for term in terms(lookup):
        known.setdefault(term.words, []).append(term)
    longest = max(map(len, known), default=0)
    found: list[Named] = []
    for length in range(longest, 0, -1):
        for start in range(indices.start, indices.stop - length + 1):
            where = range(start, start + length)
            named = _named(reading, where, known, lookup, source)
            if named is not None:
                reading = reading.take(named.where)
                found.append(named)
    return reading, tuple(sorted(found, key=lambda one: one.where.start))


def _named(
    reading: Reading,
    where: range,
    known: dict[tuple[str, ...], list[Term]],
    lookup: Lookup,
    source: str,
) -> Named | None:
    taken = reading.used.intersection(where)
    if len(taken) == len(where) or taken - reading.subject:
        return None
    words = reading.words(where)
    inverted = _without_prefix(words, known)
    reachable = [
        (not _beside(reading, where, term), distance, term.order, term)
        for term in (*known.get(words, ()), *inverted)
        if (distance := lookup.near(source, term.table)) is not None
        and _is_meant(reading, where, term)
    ]
    if not reachable:
        return None
    *_, term = min(reachable, key=lambda one: one[:3])
    negation = _negation(reading, where.start)
    beside = _beside(reading, where, term)
    covered = range(min([*where, *beside]), max([*where, *beside]) + 1)
    if negation is not None:
        covered = range(min(negation, covered.start), covered.stop)
    return Named(where=covered, term=term, negated=(negation is not None) != (term in inverted))


def _without_prefix(
    words: tuple[str, ...], known: dict[tuple[str, ...], list[Term]]
) -> tuple[Term, ...]:
    """Flags that a word denies: `inactive` for `active`."""
    return tuple(
        term
        for prefix in _NEGATING_PREFIXES
        if len(words) == 1 and words[0].startswith(prefix)
        for term in known.get((words[0][len(prefix) :],), ())
        if term.flag is not None
    )


def _is_meant(reading: Reading, where: range, term: Term) -> bool:
    """False for values that are everyday words, single letters or numbers, unless made plain."""
    if term.flag is not None or len(where) > 1:
        return True
    word = reading.lower[where.start]
    if word not in STOPWORDS and len(word) > 1 and not word.isdigit():
        return True
    shouted = reading.raw[where.start] == term.value and not term.value.islower()
    return bool(_beside(reading, where, term)) or (shouted and len(word) > 1 and word.isalpha())


def _beside(reading: Reading, where: range, term: Term) -> range:
    """The words of the column's name right after or before the value."""
    for words in sorted(term.beside, key=lambda w: (-len(w), w)):
        after = range(where.stop, where.stop + len(words))
        before = range(where.start - len(words), where.start)
        for place in (after, before):
            inside = place.start >= 0 and place.stop <= len(reading.lower)
            if inside and not reading.used.intersection(place) and reading.words(place) == words:
                return place
    return range(0)


def _negation(reading: Reading, start: int) -> int | None:
    index = start - 1
    while index >= 0 and index not in reading.used and reading.lower[index] in _SKIPPED:
        index -= 1
    if index < 0 or index in reading.used:
        return None
    if reading.lower[index] == "than" and reading.lower[index - 1 : index] == ("other",):
        return index - 1
    return index if reading.lower[index] in _NEGATIONS else None


def predicates(named: tuple[Named, ...]) -> tuple[exp.Expr, ...]:
    """One predicate per column and sign: several values of a column are alternatives."""
    made: list[exp.Expr] = []
    grouped: dict[tuple[str, bool], list[Named]] = {}
    for one in named:
        grouped.setdefault((one.term.column.sql(), one.negated), []).append(one)
    for (_, negated), group in grouped.items():
        term = group[0].term
        if term.flag is not None:
            made.append(flag_predicate(term.flag, wanted=not negated))
            continue
        values = [writing.text(v) for v in dict.fromkeys(one.term.value or "" for one in group)]
        made.append(_value_predicate(term.column, values, negated=negated))
    return tuple(made)


def _value_predicate(column: exp.Expr, values: list[exp.Literal], *, negated: bool) -> exp.Expr:
    if len(values) == 1:
        kind = exp.NEQ if negated else exp.EQ
        return kind(this=column.copy(), expression=values[0])
    chosen = exp.In(this=column.copy(), expressions=values)
    return exp.Not(this=chosen) if negated else chosen


def flag_predicate(flag: Field, *, wanted: bool) -> exp.Expr:
    """That a flag is set, or is not; NULL is neither, as a plain lookup has it."""
    column = writing.column(flag)
    if not flag.boolean:
        return exp.EQ(this=column, expression=writing.number(int(wanted)))
    return column if wanted else exp.Not(this=column)
