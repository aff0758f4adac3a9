"""The time phrases of a question as windows: periods, what joins them, and changes between two.

`until`, `through`, `by` and the ends of `between A and B` include the named period; `before` and
`after` exclude it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TypeAlias

from goldsuite.analysts.baseline.periods import Found, named_periods
from goldsuite.analysts.baseline.plan import Times, UnresolvedError
from goldsuite.analysts.baseline.reading import Reading
from goldsuite.analysts.baseline.relative import relative_periods
from goldsuite.analysts.baseline.windows import Grain, Window, one_day, unit_of

Bend: TypeAlias = Callable[[Window], Window]


def _from_start(window: Window) -> Window:
    return Window(start=window.start, end=None)


def _to_end(window: Window) -> Window:
    return Window(start=None, end=window.end)


def _before(window: Window) -> Window:
    return Window(start=None, end=window.start)


def _after(window: Window) -> Window:
    return Window(start=window.end, end=None)


def _whole_week(window: Window) -> Window:
    return unit_of(window.start, Grain.WEEK) if window.start else window


def _week_from(window: Window) -> Window:
    return replace(window, end=window.start and window.start + timedelta(days=7))


def _week_until(window: Window) -> Window:
    return replace(window, start=window.end and window.end - timedelta(days=7))


_MODIFIERS: tuple[tuple[str, Bend], ...] = (
    ("on or after", _from_start),
    ("on or before", _to_end),
    ("week of", _whole_week),
    ("week starting", _week_from),
    ("week starting on", _week_from),
    ("week beginning", _week_from),
    ("week ending", _week_until),
    ("week ending on", _week_until),
    ("since", _from_start),
    ("starting in", _from_start),
    ("starting from", _from_start),
    ("starting on", _from_start),
    ("before", _before),
    ("prior to", _before),
    ("earlier than", _before),
    ("after", _after),
    ("later than", _after),
    ("until", _to_end),
    ("till", _to_end),
    ("through", _to_end),
    ("up to", _to_end),
    ("by", _to_end),
    ("by the end of", _to_end),
    ("by end of", _to_end),
    ("as of", _to_end),
    ("as of the end of", _to_end),
    ("at the end of", _to_end),
)
"""Words before a period that bend it; the longest that fits counts."""

_RANGE_WORDS = frozenset({"to", "through", "thru", "until", "till", "up to", "to the end of"})
_UNION_WORDS = frozenset({"and", "or", ""})
_FILLERS = frozenset({"in", "on", "during", "for", "of", "within", "over", "the", "from", "at"})
_JOINERS = _FILLERS | {
    "to",
    "between",
    "and",
    "vs",
    "versus",
    "compared",
    "with",
    "against",
    "than",
}
_OPEN_AFTER = frozenset({"on", "onward", "onwards", "forward"})

_CHANGE = re.compile(
    r"\b(?:percent(?:age)? |relative )?(?P<cue>growth|grow|grew|grown|change[ds]?|increased?"
    r"|decreased?|declined?|dropp?(?:ed)?|rise|rose|fall|fell|difference)\b(?: rate)?(?: in)?"
)
_LAG = re.compile(
    r"\b(?:(?P<unit>year|quarter|month|week) (?:over|on) (?P=unit)|(?P<short>yoy|qoq|mom|wow)"
    r"|(?:compared (?:to|with)|versus|vs|over|from|than|on) (?:the )?(?:same \w+ (?:in |of )?)?"
    r"(?:the )?(?:previous|prior|preceding|last) (?P<earlier>year|quarter|month|week))\b"
)
_SHORT = {"yoy": Grain.YEAR, "qoq": Grain.QUARTER, "mom": Grain.MONTH, "wow": Grain.WEEK}


@dataclass(frozen=True, kw_only=True, slots=True)
class _Placed:
    where: range
    window: Window


def read_times(reading: Reading, today: date, year_start: int) -> tuple[Reading, Times]:
    """The question's windows, and the reading with their words used.

    Raises:
        UnresolvedError: an impossible date, or periods whose relation the words do not tell.
    """
    cue = next(reading.find(_CHANGE), None)
    lag = next(reading.find(_LAG), None)
    asked_lag = lag if lag and (cue or not lag["earlier"]) else None
    rest = reading.take(reading.span(asked_lag)) if asked_lag else reading
    found = _periods(rest, today, year_start)
    placed = _dated(found, today)
    rest = rest.take(i for one in placed for i in one.where)
    relative = any(one.relative or not one.has_year for one in found) and _uses_today(found)
    if (cue and len(placed) == 2) or (asked_lag and len(placed) == 1):
        windows = _compared(placed, asked_lag)
        rest = _swallow(rest.take(reading.span(cue) if cue else ()), placed, _JOINERS)
        kind = "absolute" if cue and cue["cue"] == "difference" else "relative"
        return rest, Times(windows=windows, change=kind, relative=relative)
    if asked_lag or (cue and cue["cue"].startswith(("gr", "difference"))):
        raise UnresolvedError("a change was asked for, but not between which two periods")
    rest, joined = _joined(rest, placed)
    return rest, Times(windows=joined, relative=relative)


def _periods(reading: Reading, today: date, year_start: int) -> list[Found]:
    named = list(named_periods(reading, year_start))
    rest = reading.take(i for one in named for i in one.where)
    return sorted(
        [*named, *relative_periods(rest, today, year_start)], key=lambda one: one.where.start
    )


def _uses_today(found: list[Found]) -> bool:
    return any(one.relative for one in found) or not any(one.has_year for one in found)


def _dated(found: list[Found], today: date) -> list[_Placed]:
    """Each period with its year: its own, else that of the next one that has, else today's."""
    placed = []
    for index, one in enumerate(found):
        nearby = [*found[index + 1 :], *reversed(found[:index])]
        dated = next((o for o in nearby if o.has_year and not o.relative), None)
        if one.has_year or dated is None:
            window = one.window(today.year)
            if not one.has_year and window.start and window.start > today:
                window = one.window(today.year - 1)
        else:
            start = dated.window(today.year).start
            window = one.window(start.year if start else today.year)
        placed.append(_Placed(where=one.where, window=window))
    return placed


def _compared(placed: list[_Placed], lag: re.Match[str] | None) -> tuple[Window, ...]:
    if len(placed) == 1 and lag is not None:
        grain = _SHORT.get(lag["short"] or "") or Grain(lag["unit"] or lag["earlier"])
        later = placed[0].window
        return (later.shifted(grain, -1), later)
    # "in 2025 compared with 2024" names the later one first.
    first, second = (one.window for one in placed)
    return tuple(sorted((first, second), key=lambda w: (w.start or date.min, w.end or date.max)))


def _joined(reading: Reading, placed: list[_Placed]) -> tuple[Reading, tuple[Window, ...]]:
    windows: list[Window] = []
    index = 0
    while index < len(placed):
        one = placed[index]
        follower = placed[index + 1] if index + 1 < len(placed) else None
        before = reading.lower[max(0, one.where.start - 5) : one.where.start]
        between = _between(reading, one, follower)
        if follower and _is_range(before, between):
            window = Window(start=one.window.start, end=follower.window.end)
            reading = _take_range(reading, one, follower)
            index += 2
        else:
            reading, window = _bent(reading, one)
            index += 1
        if windows and index <= len(placed) and not _is_union(reading, placed, index):
            raise UnresolvedError("the question names several periods that stand in no relation")
        windows.append(window)
    return reading, tuple(windows)


def _between(reading: Reading, one: _Placed, follower: _Placed | None) -> str | None:
    if follower is None:
        return None
    return " ".join(reading.lower[one.where.stop : follower.where.start])


def _is_range(before: tuple[str, ...], between: str | None) -> bool:
    if between in _RANGE_WORDS:
        return True
    return between == "and" and "between" in before[-2:]


def _is_union(reading: Reading, placed: list[_Placed], index: int) -> bool:
    gap = reading.lower[placed[index - 2].where.stop : placed[index - 1].where.start]
    return " ".join(w for w in gap if w not in _FILLERS) in _UNION_WORDS


def _take_range(reading: Reading, one: _Placed, follower: _Placed) -> Reading:
    reading = reading.take(range(one.where.start, follower.where.stop))
    return _swallow(reading, [one], _FILLERS | {"between"})


def _bent(reading: Reading, one: _Placed) -> tuple[Reading, Window]:
    start = one.where.start
    fitting = [
        (words.split(), bend)
        for words, bend in _MODIFIERS
        if reading.lower[max(0, start - len(words.split())) : start] == tuple(words.split())
    ]
    if fitting:
        words, bend = max(fitting, key=lambda pair: len(pair[0]))
        reading = reading.take(range(start - len(words), start))
        return _swallow(reading, [_at(start - len(words))], _FILLERS), bend(one.window)
    follows = reading.lower[one.where.stop : one.where.stop + 1]
    if reading.lower[start - 1 : start] == ("from",) and set(follows) & _OPEN_AFTER:
        return reading.take((start - 1, one.where.stop)), _from_start(one.window)
    return _swallow(reading, [one], _FILLERS), one.window


def _at(start: int) -> _Placed:
    return _Placed(where=range(start, start), window=one_day(date.min))


def _swallow(reading: Reading, placed: list[_Placed], words: frozenset[str]) -> Reading:
    """Use the prepositions right before each period too."""
    for one in placed:
        index = one.where.start - 1
        while index >= 0 and index not in reading.used and reading.lower[index] in words:
            reading = reading.take((index,))
            index -= 1
    return reading
