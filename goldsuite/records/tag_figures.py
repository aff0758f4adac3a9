"""Accuracy of the cases that have a tag, tag by tag."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import fmean
from typing import TypeAlias

from goldsuite.model.grade import OUTSIDE
from goldsuite.model.run import TagFigures
from goldsuite.stats.proportion import clustered_interval

__all__ = ["TaggedTrial", "figures_by_tag"]

TaggedTrial: TypeAlias = tuple[str, tuple[str, ...], str, bool]
"""Case id, its tags, the verdict, and whether it passed."""


@dataclass(slots=True)
class _Tally:
    """What was seen of one tag."""

    cases: set[str] = field(default_factory=set)
    graded: dict[str, list[bool]] = field(default_factory=dict)
    passed: int = 0

    def add(self, case: str, verdict: str, *, passed: bool) -> None:
        self.cases.add(case)
        self.passed += passed
        if verdict not in OUTSIDE:
            self.graded.setdefault(case, []).append(passed)

    def figures(self) -> TagFigures:
        shares = [sum(found) / len(found) for found in self.graded.values()]
        trials = sum(map(len, self.graded.values()))
        interval = clustered_interval(shares, trials) if shares else None
        return TagFigures(
            cases=len(self.cases),
            passed=self.passed,
            gradable=trials,
            accuracy=fmean(shares) if shares else None,
            accuracy_interval=(interval.low, interval.high) if interval else None,
        )


def figures_by_tag(trials: Iterable[TaggedTrial]) -> dict[str, TagFigures]:
    """The figures of each tag, sorted by tag: what `summarise` makes of its cases alone."""
    tallies: dict[str, _Tally] = {}
    for case, tags, verdict, passed in trials:
        for tag in dict.fromkeys(tags):
            tallies.setdefault(tag, _Tally()).add(case, verdict, passed=passed)
    return {tag: tallies[tag].figures() for tag in sorted(tallies)}
