"""Process and judge over a whole run. Every mean is over cases, each the mean of its trials."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import fsum
from statistics import fmean
from typing import TypeAlias

from goldsuite.model.judge import JudgeFigures, JudgeResult
from goldsuite.model.process import ProcessFigures, ProcessScores, TargetFigures
from goldsuite.model.run import CaseRecord

__all__ = ["judge_figures", "process_figures"]

_Measure: TypeAlias = Callable[[CaseRecord], float | None]


def process_figures(cases: Sequence[CaseRecord]) -> ProcessFigures | None:
    """The figures of the trials that have process scores; None where no trial has any."""
    scored = [case for case in cases if case.process is not None]
    if not scored:
        return None
    return ProcessFigures(
        trials=len(scored),
        tool_accuracy=_mean(scored, _part("tool_accuracy")),
        trigger_accuracy=_mean(scored, _part("trigger_accuracy")),
        argument_accuracy=_mean(scored, _part("argument_accuracy")),
        turn_efficiency=_mean(scored, _part("turn_efficiency")),
        step_efficiency=_mean(scored, _part("step_efficiency")),
        score=_mean(scored, _part("score")),
        pass_rate=_mean(scored, _part("passed")),
        targets={
            target: _target([case for case in cases if case.target == target])
            for target in sorted({case.target for case in scored if case.target})
        },
    )


def judge_figures(cases: Iterable[CaseRecord]) -> JudgeFigures | None:
    """The figures of the judged trials; None where there is none."""
    judged = [case for case in cases if case.judge is not None]
    results = [case.judge for case in judged if case.judge is not None]
    if not results:
        return None
    return JudgeFigures(
        judged=sum(result.score is not None for result in results),
        passed=sum(result.passed is True for result in results),
        errors=sum(result.error is not None for result in results),
        pass_rate=_mean(judged, _judged("passed")),
        avg_score=_mean(judged, _judged("score")),
        avg_composite=_mean(judged, _judged("composite")),
        total_cost=_cost(results),
        total_tokens=_tokens(results),
    )


def _target(cases: Sequence[CaseRecord]) -> TargetFigures:
    return TargetFigures(
        cases=len({case.id for case in cases}),
        trigger_accuracy=_mean(cases, _part("trigger_accuracy")),
        score=_mean(cases, _part("score")),
        judge_score=_mean(cases, _judged("score")),
    )


def _part(name: str) -> _Measure:
    """A field of the process scores; a yes counts as 1."""
    return lambda case: _number(case.process, name)


def _judged(name: str) -> _Measure:
    return lambda case: _number(case.judge, name)


def _number(scores: ProcessScores | JudgeResult | None, name: str) -> float | None:
    value = None if scores is None else getattr(scores, name)
    return None if value is None else float(value)


def _mean(cases: Iterable[CaseRecord], measure: _Measure) -> float | None:
    by_case: dict[str, list[float]] = {}
    for case in cases:
        value = measure(case)
        if value is not None:
            by_case.setdefault(case.id, []).append(value)
    return fmean(map(fmean, by_case.values())) if by_case else None


def _cost(results: Iterable[JudgeResult]) -> float | None:
    """A sum that leaves some of the work out would look too cheap."""
    costs = [result.cost for result in results]
    return None if None in costs else fsum(cost for cost in costs if cost is not None)


def _tokens(results: Iterable[JudgeResult]) -> dict[str, int] | None:
    total: Counter[str] = Counter()
    for result in results:
        total.update(result.tokens or {})
    return dict(total) or None
