"""What a question groups and ranks by: `by X`, `per X`, `monthly`, `top 5 X by`, `which X`."""

import re
from dataclasses import dataclass

from goldsuite.analysts.baseline.filters import terms
from goldsuite.analysts.baseline.lookup import Lookup
from goldsuite.analysts.baseline.plan import Ranking, UnresolvedError
from goldsuite.analysts.baseline.reading import Reading
from goldsuite.analysts.baseline.slices import GRAINS, Sliced, longest_slice
from goldsuite.analysts.baseline.windows import Grain
from goldsuite.analysts.baseline.words import NUMBER_WORDS, contains, word_set

_SPLIT = r"(?:broken (?:down|out)|split|grouped|sliced|segmented|aggregated|break down) (?:out )?"
_BY = re.compile(
    rf"(?<!\S)(?:(?P<split>{_SPLIT})by|by|per|(?:for|in|at|of|with|to)? ?(?:each|every))"
    r" (?:each |the |every )?"
)
_PASSIVE = re.compile(
    r"\w+ed|made|sold|bought|sent|taken|given|written|paid|spent|run|held|done|seen|led|lent|driven"
)
_ORDERED = frozenset({"sorted", "ordered", "ranked"})
_PERIODIC = re.compile(r"\b(?:daily|weekly|monthly|quarterly|yearly|annual)\b")
_FISCAL = re.compile(r"\bfiscal (?:year|quarter|month)s?\b")
_MEAN_PERIOD = re.compile(
    r"\b(?P<mean>average|mean|avg) (?:(?P<periodic>daily|weekly|monthly|quarterly|yearly|annual)\b"
    r"|(?=(?:number|count|total)\b)(?:.*?) (?P<per>per (?P<unit>day|week|month|quarter|year))\b)"
)

_N = r"(?:(?P<n>\d{1,6}|" + "|".join(NUMBER_WORDS) + ") )?"
_MOST = (
    r"(?P<most>most|highest|largest|greatest|biggest|longest|maximum|best|top|oldest|latest"
    r"|least|lowest|fewest|smallest|shortest|minimum|worst|youngest|cheapest)"
)
_LOW = word_set("least lowest fewest smallest shortest minimum worst bottom cheapest youngest")
_ADDED_UP = word_set("most least fewest top bottom best worst")
_TOP_BY = re.compile(
    rf"\b(?P<most>top|best|bottom|worst|largest|biggest|smallest) {_N}(?P<x>[^|]+?)"
    r" (?:by|in terms of|ranked by|based on) "
)
_COMMON = re.compile(
    r"\b(?P<most>most|least) (?:common|frequent|popular|often used|used)(?: \w+)*? (?P<x>[^|]+)"
)
_WHICH = re.compile(
    rf"\b(?:which|what|whose) {_N}(?P<x>[^|]+?)(?:(?: \|)*|.*?) (?:the )?(?<!at ){_MOST}"
    r"(?! recent| \d)(?:(?= )|$)"
)
_WITH_THE = re.compile(rf"(?P<x>[^|]+?) (?:with|having|that has|that have|by) (?:the )?{_MOST} ")


@dataclass(frozen=True, kw_only=True, slots=True)
class Ranked:
    """A question for the first groups by a measure."""

    sliced: Sliced
    ranking: Ranking
    focus: int
    """Index of the first word that names the measure."""
    counts: bool = False
    """True where the measure is how often each group occurs."""
    extreme: bool = False
    """True for `highest` and its like, which may mean one row's own value, unlike `most`."""


def read_ranking(reading: Reading, lookup: Lookup) -> tuple[Reading, Ranked | None]:
    """What is ranked and how, and the reading with those words used."""
    for rule in (_TOP_BY, _COMMON, _WHICH, _WITH_THE):
        for match, where in reading.places(rule):
            ranked = _ranked(reading, match, where, lookup, rule)
            if ranked is not None:
                return ranked
    return reading, None


def _ranked(
    reading: Reading, match: re.Match[str], where: range, lookup: Lookup, rule: re.Pattern[str]
) -> tuple[Reading, Ranked] | None:
    most = reading.span(match, "most")
    span = reading.span(match, "x")
    if rule is _WHICH:
        span = reading.until_used(range(span.start, most.start))
    named = _named(reading, span, lookup, last=rule is _WITH_THE)
    if named is None:
        return None
    sliced, at = named
    count = _count(match["n"] if "n" in rule.groupindex else _number_before(reading, at.start))
    ranking = Ranking(descending=match["most"] not in _LOW, limit=count)
    used = {*at, *most}
    used |= set(range(where.start, at.start)) if rule is not _WITH_THE else set()
    used |= {where.stop - 1} if rule is _TOP_BY else set()
    ranked = Ranked(
        sliced=sliced,
        ranking=ranking,
        focus=where.stop,
        counts=rule is _COMMON,
        extreme=match["most"] not in _ADDED_UP,
    )
    return reading.take(used), ranked


def _named(
    reading: Reading, span: range, lookup: Lookup, *, last: bool
) -> tuple[Sliced, range] | None:
    """What the words of `span` name: their longest beginning, or with `last` their longest end."""
    starts = span if last else range(span.start, span.start + 1)
    for start in starts:
        sliced = longest_slice(lookup, reading.words(range(start, span.stop)))
        if sliced and (not last or start + len(sliced.words) == span.stop):
            return sliced, range(start, start + len(sliced.words))
    return None


def _number_before(reading: Reading, index: int) -> str | None:
    word = reading.lower[index - 1] if index else ""
    return word if word.isdigit() or word in NUMBER_WORDS else None


def _count(said: str | None) -> int:
    return 1 if said is None else NUMBER_WORDS.get(said) or int(said)


def read_groups(reading: Reading, lookup: Lookup) -> tuple[Reading, tuple[Sliced, ...]]:
    """Everything that the question groups by, and the reading with those words used.

    Raises:
        UnresolvedError: `by` is followed by words that name nothing.
    """
    if next(reading.find(_FISCAL), None) and lookup.dictionary.fiscal_year_start_month != 1:
        raise UnresolvedError("cannot group by fiscal periods")
    groups: list[Sliced] = []
    for match, where in reading.places(_BY):
        if _is_passive(reading, match, where.start):
            continue
        if match[0].startswith("by") and _is_value(
            reading.words(reading.phrase_from(where.stop)), lookup
        ):
            continue
        reading, found = _listed(reading, where, lookup)
        groups.extend(found)
    for _, where in reading.places(_PERIODIC):
        periodic = longest_slice(lookup, reading.words(where))
        if periodic is not None and not _names_column(reading, where, lookup):
            groups.append(periodic)
            reading = reading.take(where)
    return reading, tuple(groups)


def read_mean_period(reading: Reading, lookup: Lookup) -> tuple[Reading, Grain | None]:
    """The unit in `average monthly sales` and `average number of visits per day`."""
    for match, _ in reading.places(_MEAN_PERIOD):
        if _names_column(reading, reading.span(match, "periodic"), lookup):
            continue
        used = [*reading.span(match, "mean"), *reading.span(match, "periodic")]
        used += reading.span(match, "per")
        return reading.take(used), GRAINS[match["periodic"] or match["unit"]]
    return reading, None


def _names_column(reading: Reading, where: range, lookup: Lookup) -> bool:
    """True where `monthly` and the next word are part of a column's name: `monthly_price`."""
    words = reading.words(range(where.start, min(where.stop + 1, len(reading.lower))))
    return len(words) > 1 and any(contains(f.words, words) for f in lookup.schema.fields())


def _is_passive(reading: Reading, match: re.Match[str], start: int) -> bool:
    """True for `made by members` and `sorted by`: no grouping."""
    if match["split"] or not match[0].startswith("by") or start == 0:
        return False
    before = reading.lower[start - 1]
    if start - 1 in reading.used:
        return False
    return before in _ORDERED or _PASSIVE.fullmatch(before) is not None


def _is_value(words: tuple[str, ...], lookup: Lookup) -> bool:
    """True where `by` leads to a value, as in `loans by students`: that is a filter."""
    values = {term.words for term in terms(lookup) if term.value is not None}
    return longest_slice(lookup, words) is None and any(
        words[: len(value)] == value for value in values
    )


def _listed(reading: Reading, where: range, lookup: Lookup) -> tuple[Reading, tuple[Sliced, ...]]:
    """`by X`, `by X and Y`, `by X, Y`."""
    found: list[Sliced] = []
    used = set(where)
    at = where.stop
    while True:
        sliced = longest_slice(lookup, reading.words(reading.phrase_from(at)))
        if sliced is None:
            break
        found.append(sliced)
        used |= set(range(at, at + len(sliced.words)))
        at += len(sliced.words)
        while at < len(reading.lower) and reading.lower[at] in {"and", "by", "the", "per", "each"}:
            at += 1
    if not found:
        phrase = " ".join(reading.lower[i] for i in reading.phrase_from(where.stop))
        raise UnresolvedError(f"no dimension, column or table reads as {phrase!r} to group by")
    return reading.take(used), tuple(found)
