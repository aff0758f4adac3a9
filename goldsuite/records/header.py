"""One run without its cases: what a listing and a trend need of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, TypeAlias, cast

from goldsuite.model.run import RunSplit, TagFigures
from goldsuite.stats.proportion import wilson_interval

__all__ = ["FIGURES", "RunHeader", "header_from_row", "header_of", "header_row"]

FIGURES = (
    "accuracy",
    "accuracy_graded",
    "strict_accuracy",
    "execution_accuracy",
    "exact_match",
    "faithfulness",
    "avg_query_similarity",
    "avg_latency_ms",
    "total_cost",
    "cost_per_correct",
)
"""Figures of the aggregate that may be measured or not."""
TagRow: TypeAlias = list[Any]
"""Cases, passed, gradable; and where cases were asked several times accuracy, low, high. Short,
since there are many: a folder may hold ten thousand runs of thirty tags."""

_COUNTS = ("selected", "gradable", "passed", "failed", "errors", "gold_errors", "cases")


@dataclass(frozen=True, kw_only=True, slots=True)
class RunHeader:
    file: str
    """Name of the record file in its folder."""
    run_id: str
    started_at: datetime
    split: RunSplit
    selection: dict[str, str]
    """What narrowed the run; empty for a whole split."""
    repeat: int
    suite: str
    suite_sha256: str
    """Of the file that the key was read from."""
    suite_cases: int
    as_of: str | None
    warehouse: str
    analyst: str
    model: str | None
    changelog: str | None
    metrics: tuple[str, ...] | None
    """Defined in the analyst's dictionary; None for a run without a context."""
    context_sha256: str | None
    """Over every file that the analyst could read."""
    altered: bool
    """Whether the record was changed after it was written."""
    counts: dict[str, int]
    """Of trials, as in the record's `aggregate`; `cases` are distinct ones."""
    figures: dict[str, float | None]
    """Each of `FIGURES`; None where it was not measured."""
    accuracy_interval: tuple[float, float] | None
    tags: dict[str, TagRow] = field(default_factory=dict)

    @property
    def is_partial(self) -> bool:
        """Whether only some cases of the split were asked: never to stand for it."""
        return bool(self.selection)

    def tag_figures(self, tag: str) -> TagFigures | None:
        """Over the cases with `tag`; None where none was asked."""
        if tag not in self.tags:
            return None
        cases, passed, gradable, *repeated = self.tags[tag]
        if not repeated and gradable:
            interval = wilson_interval(passed, gradable)
            repeated = [passed / gradable, interval.low, interval.high]
        accuracy, *bounds = repeated or [None]
        return TagFigures(
            cases=cases,
            passed=passed,
            gradable=gradable,
            accuracy=accuracy,
            accuracy_interval=_interval(bounds or None),
        )


def header_of(plain: Mapping[str, Any], *, file: str) -> RunHeader:
    """The header of a record from its content, with or without cases, in this version's format.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: it is no such content.
    """
    suite, aggregate, state = plain["suite"], plain["aggregate"], plain["context_state"]
    return RunHeader(
        file=file,
        run_id=plain["run_id"],
        started_at=datetime.fromisoformat(plain["started_at"]),
        split=plain["split"],
        selection=dict(plain.get("selection") or {}),
        repeat=plain.get("repeat", 1),
        suite=suite["name"],
        suite_sha256=suite["sha256_at_grading"],
        suite_cases=suite["cases"],
        as_of=suite["as_of"],
        warehouse=plain["warehouse"]["url"],
        analyst=plain["analyst"],
        model=plain["model"],
        changelog=plain["changelog"],
        metrics=None if state is None else tuple(state["metrics"]),
        context_sha256=None if state is None else state["files_sha256"],
        altered=plain.get("altered", False),
        counts={name: aggregate[name] for name in _COUNTS},
        figures={name: aggregate.get(name) for name in FIGURES},
        accuracy_interval=_interval(aggregate["accuracy_interval"]),
        tags={
            tag: _tag_row(row, repeated=aggregate["cases"] < aggregate["selected"])
            for tag, row in (aggregate.get("tags") or {}).items()
        },
    )


def header_row(header: RunHeader) -> dict[str, Any]:
    """What `header_from_row` reads back unchanged, in JSON's types."""
    row = {name: getattr(header, name) for name in _NAMES}
    return row | {"started_at": header.started_at.isoformat()}


def header_from_row(row: Mapping[str, Any]) -> RunHeader:
    """The header from its JSON.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: it is none.
    """
    metrics = row["metrics"]
    told = {
        **row,
        "started_at": datetime.fromisoformat(row["started_at"]),
        "metrics": None if metrics is None else tuple(metrics),
        "accuracy_interval": _interval(row["accuracy_interval"]),
    }
    return RunHeader(**told)


def _interval(bounds: Any) -> tuple[float, float] | None:
    return None if bounds is None else cast(tuple[float, float], tuple(bounds))


def _tag_row(figures: Mapping[str, Any], *, repeated: bool) -> TagRow:
    row = [figures["cases"], figures["passed"], figures["gradable"]]
    if repeated and figures["accuracy_interval"] is not None:
        row += [figures["accuracy"], *figures["accuracy_interval"]]
    return row


_NAMES = tuple(each.name for each in fields(RunHeader))
