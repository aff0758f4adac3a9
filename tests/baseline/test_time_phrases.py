"""Time phrases as half-open windows; today is Sunday, 15 June 2025, fiscal years begin on 1 Feb."""

from datetime import date

import pytest

from goldsuite.analysts.baseline.plan import UnresolvedError
from goldsuite.analysts.baseline.reading import Reading
from goldsuite.analysts.baseline.times import read_times

TODAY = date(2025, 6, 15)
FISCAL_START = 2

WINDOWS = [
    ("in 2025", ["2025-01-01..2026-01-01"]),
    ("2025 sales", ["2025-01-01..2026-01-01"]),
    ("in March 2025", ["2025-03-01..2025-04-01"]),
    ("in 2025-03", ["2025-03-01..2025-04-01"]),
    ("Sept 2025", ["2025-09-01..2025-10-01"]),
    ("in Q4 2025", ["2025-10-01..2026-01-01"]),
    ("2025 Q3", ["2025-07-01..2025-10-01"]),
    ("in the fourth quarter of 2025", ["2025-10-01..2026-01-01"]),
    ("in FY2025", ["2024-02-01..2025-02-01"]),
    ("in FY25", ["2024-02-01..2025-02-01"]),
    ("in fiscal year 2025", ["2024-02-01..2025-02-01"]),
    ("in fiscal Q2 2025", ["2024-05-01..2024-08-01"]),
    ("in Q2 FY25", ["2024-05-01..2024-08-01"]),
    ("in the first half of fiscal 2025", ["2024-02-01..2024-08-01"]),
    ("in H1 2025", ["2025-01-01..2025-07-01"]),
    ("on 2025-03-12", ["2025-03-12..2025-03-13"]),
    ("on March 12th, 2025", ["2025-03-12..2025-03-13"]),
    ("on 12 March 2025", ["2025-03-12..2025-03-13"]),
    ("on 29 February 2024", ["2024-02-29..2024-03-01"]),
    ("in the week of 2025-03-12", ["2025-03-10..2025-03-17"]),
    ("in the week starting 2025-03-12", ["2025-03-12..2025-03-19"]),
    ("between March and May 2025", ["2025-03-01..2025-06-01"]),
    ("between 2025-01-05 and 2025-01-10", ["2025-01-05..2025-01-11"]),
    ("from January 3, 2025 to 5 February 2025", ["2025-01-03..2025-02-06"]),
    ("from November 2024 through January 2025", ["2024-11-01..2025-02-01"]),
    ("since March 2025", ["2025-03-01..None"]),
    ("from 2024 onwards", ["2024-01-01..None"]),
    ("on or after 2025-03-12", ["2025-03-12..None"]),
    ("after March 2025", ["2025-04-01..None"]),
    ("before 2025", ["None..2025-01-01"]),
    ("prior to Q2 2025", ["None..2025-04-01"]),
    ("until March 2025", ["None..2025-04-01"]),
    ("by the end of 2024", ["None..2025-01-01"]),
    ("in January and March 2025", ["2025-01-01..2025-02-01", "2025-03-01..2025-04-01"]),
    ("last month", ["2025-05-01..2025-06-01"]),
    ("last quarter", ["2025-01-01..2025-04-01"]),
    ("last year", ["2024-01-01..2025-01-01"]),
    ("last week", ["2025-06-02..2025-06-09"]),
    ("this month", ["2025-06-01..2025-07-01"]),
    ("this fiscal quarter", ["2025-05-01..2025-08-01"]),
    ("last fiscal year", ["2024-02-01..2025-02-01"]),
    ("yesterday", ["2025-06-14..2025-06-15"]),
    ("today", ["2025-06-15..2025-06-16"]),
    ("in the last 30 days", ["2025-05-17..2025-06-16"]),
    ("over the past three months", ["2025-03-16..2025-06-16"]),
    ("last 2 full months", ["2025-04-01..2025-06-01"]),
    ("year to date", ["2025-01-01..2025-06-16"]),
    ("fiscal YTD", ["2025-02-01..2025-06-16"]),
    ("since last month", ["2025-05-01..None"]),
    # No year: the latest such month that has begun.
    ("in May", ["2025-05-01..2025-06-01"]),
    ("in November", ["2024-11-01..2024-12-01"]),
    # Nothing about time.
    ("more than 2010 items", []),
    ("how may I march on", []),
    ("orders over 2000", []),
]


def read(text: str) -> list[str]:
    _, times = read_times(Reading.of(text), TODAY, FISCAL_START)
    return [f"{window.start}..{window.end}" for window in times.windows]


@pytest.mark.parametrize(("text", "windows"), WINDOWS)
def test_a_time_phrase_is_a_half_open_window(text: str, windows: list[str]) -> None:
    assert read(text) == windows


CHANGES = [
    (
        "growth from Q1 2025 to Q2 2025",
        "relative",
        "2025-01-01..2025-04-01",
        "2025-04-01..2025-07-01",
    ),
    (
        "grew in 2025 compared with 2024",
        "relative",
        "2024-01-01..2025-01-01",
        "2025-01-01..2026-01-01",
    ),
    ("year over year in Q1 2025", "relative", "2024-01-01..2024-04-01", "2025-01-01..2025-04-01"),
    (
        "change in March 2025 from the previous month",
        "relative",
        "2025-02-01..2025-03-01",
        "2025-03-01..2025-04-01",
    ),
    (
        "difference between 2024 and 2025",
        "absolute",
        "2024-01-01..2025-01-01",
        "2025-01-01..2026-01-01",
    ),
]


@pytest.mark.parametrize(("text", "change", "earlier", "later"), CHANGES)
def test_a_change_compares_an_earlier_window_with_a_later_one(
    text: str, change: str, earlier: str, later: str
) -> None:
    _, times = read_times(Reading.of(text), TODAY, FISCAL_START)
    windows = [f"{window.start}..{window.end}" for window in times.windows]
    assert (times.change, windows) == (change, [earlier, later])


@pytest.mark.parametrize(
    "text", ["on 30 February 2025", "on 2025-13-01", "after 9999-12-31", "in 2025 versus 2024"]
)
def test_an_impossible_or_unclear_time_is_refused(text: str) -> None:
    with pytest.raises(UnresolvedError):
        read(text)


def test_only_phrases_told_from_today_are_marked_as_such() -> None:
    told = {
        text: read_times(Reading.of(text), TODAY, FISCAL_START)[1].relative
        for text in ("last month", "in May", "in May 2025", "between March and May 2025")
    }
    assert told == {
        "last month": True,
        "in May": True,
        "in May 2025": False,
        "between March and May 2025": False,
    }
