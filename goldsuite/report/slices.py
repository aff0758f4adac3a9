"""The slices of a run as every format shows them: by tag, metric, difficulty and target."""

from collections.abc import Mapping
from dataclasses import dataclass

from goldsuite.comparison.slices import slices_of
from goldsuite.model.run import RunRecord, TagFigures
from goldsuite.records.tag_figures import figures_by_tag
from goldsuite.report.figures import ABSENT, percent

__all__ = ["SliceRow", "SliceTable", "slice_tables"]


@dataclass(frozen=True, kw_only=True, slots=True)
class SliceRow:
    """The cases that share one word."""

    name: str
    cases: int
    passed: int
    gradable: int
    """Trials, as `passed`; more than `cases` where questions were asked several times."""
    accuracy: str
    interval: str
    """Of 95 %; a dash where nothing was gradable."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SliceTable:
    """One way of cutting a run."""

    by: str
    """tag, metric, difficulty or target."""
    rows: tuple[SliceRow, ...]
    """Sorted by name; never empty. A case with several tags is in several rows."""


def slice_tables(record: RunRecord) -> tuple[SliceTable, ...]:
    """Those of `record` as it may be shown; a way of which no case has a word is left out.

    They are counted from the cases, so that a record of an earlier version has them too.
    """
    tags = figures_by_tag((case.id, case.tags, case.verdict, case.passed) for case in record.cases)
    parts = {"tag": tags, **slices_of(record.cases)}
    return tuple(_table(by, figures) for by, figures in parts.items() if figures)


def _table(by: str, figures: Mapping[str, TagFigures]) -> SliceTable:
    return SliceTable(by=by, rows=tuple(_row(name, found) for name, found in figures.items()))


def _row(name: str, found: TagFigures) -> SliceRow:
    return SliceRow(
        name=name,
        cases=found.cases,
        passed=found.passed,
        gradable=found.gradable,
        accuracy=percent(found.accuracy),
        interval=_interval(found.accuracy_interval),
    )


def _interval(interval: tuple[float, float] | None) -> str:
    if interval is None:
        return ABSENT
    low, high = interval
    return f"{100 * low:.0f} to {100 * high:.0f} %"
