"""The figures of two runs over the cases that both of them answered, side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from goldsuite.comparison.summary import summarise
from goldsuite.model.run import Aggregate, CaseRecord, RunRecord
from goldsuite.stats.ratio import RatioInterval, fieller_interval

__all__ = ["FigureChange", "Unit", "cost_interval", "figure_changes", "side_figures"]

Unit: TypeAlias = Literal["share", "score", "points", "ms", "dollars", "tokens"]


@dataclass(frozen=True, kw_only=True, slots=True)
class FigureChange:
    """One figure in both runs; None where it was not measured."""

    name: str
    """As in the record's aggregate."""
    unit: Unit
    first: float | None
    second: float | None
    first_interval: tuple[float, float | None] | None = None
    """95 %; the upper end is None where there is none."""
    second_interval: tuple[float, float | None] | None = None

    @property
    def delta(self) -> float | None:
        """Second less first; None unless both were measured."""
        if self.first is None or self.second is None:
            return None
        return self.second - self.first


def side_figures(record: RunRecord, trials: Sequence[CaseRecord]) -> Aggregate:
    """The aggregate over the trials that are compared, by the rules of the record's own.

    What the user gave as the cost of the whole run is left out where these are not all of it.
    """
    whole = len(trials) == len(record.cases)
    return summarise(trials, run_cost=record.run_cost if whole else None)


def figure_changes(
    first: Aggregate,
    second: Aggregate,
    costs: tuple[RatioInterval | None, RatioInterval | None],
) -> tuple[FigureChange, ...]:
    """Every figure that is compared, in the order of a report."""
    shares = ("accuracy_graded", "strict_accuracy", "execution_accuracy", "faithfulness")
    return (
        FigureChange(
            name="accuracy",
            unit="share",
            first=first.accuracy,
            second=second.accuracy,
            first_interval=first.accuracy_interval,
            second_interval=second.accuracy_interval,
        ),
        *(_change(name, "share", first, second) for name in shares),
        _change("avg_query_similarity", "share", first, second),
        _change("avg_latency_ms", "ms", first, second),
        _change("total_cost", "dollars", first, second),
        FigureChange(
            name="cost_per_correct",
            unit="dollars",
            first=first.cost_per_correct,
            second=second.cost_per_correct,
            first_interval=_ends(costs[0]),
            second_interval=_ends(costs[1]),
        ),
        FigureChange(
            name="total_tokens", unit="tokens", first=_tokens(first), second=_tokens(second)
        ),
        FigureChange(
            name="process_score",
            unit="score",
            first=first.process.score if first.process else None,
            second=second.process.score if second.process else None,
        ),
        FigureChange(
            name="judge_score",
            unit="points",
            first=first.judge.avg_score if first.judge else None,
            second=second.judge.avg_score if second.judge else None,
        ),
    )


def cost_interval(cases: Sequence[Sequence[CaseRecord]]) -> RatioInterval | None:
    """Fieller's interval of cost per correct, one value for each case.

    None where a trial did not tell its cost, nothing was correct, or there are fewer than two
    cases.

    Args:
        cases: the trials of each.
    """
    costs = [[trial.cost for trial in case] for case in cases]
    if any(cost is None for case in costs for cost in case):
        return None
    return fieller_interval(
        [sum(cost for cost in case if cost is not None) for case in costs],
        [float(sum(trial.passed for trial in case)) for case in cases],
    )


def _change(name: str, unit: Unit, first: Aggregate, second: Aggregate) -> FigureChange:
    return FigureChange(
        name=name, unit=unit, first=getattr(first, name), second=getattr(second, name)
    )


def _ends(interval: RatioInterval | None) -> tuple[float, float | None] | None:
    return None if interval is None else (interval.low, interval.high)


def _tokens(figures: Aggregate) -> float | None:
    """All kinds but thinking, which is a part of output."""
    counts = figures.total_tokens
    if not counts:
        return None
    return sum(count for kind, count in counts.items() if kind != "thinking")
