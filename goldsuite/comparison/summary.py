"""From graded cases to the figures of the headline. A figure that was not measured is None."""

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import fmean

from goldsuite.model.grade import ERRORS, FAILED, Verdict
from goldsuite.model.run import Aggregate, CaseRecord
from goldsuite.stats.cost import cost_per_correct
from goldsuite.stats.proportion import wilson_interval

__all__ = ["summarise"]


def summarise(cases: Sequence[CaseRecord]) -> Aggregate:
    """The aggregate over one trial per case.

    accuracy = passed / gradable and gradable = selected - gold errors, so that an agent that
    crashes does not gain by it.
    """
    verdicts = Counter(case.verdict for case in cases)
    passed = sum(case.passed for case in cases)
    gold_errors = verdicts[Verdict.GOLD_ERROR]
    gradable = len(cases) - gold_errors
    failed = sum(case.verdict in FAILED and not case.passed for case in cases)
    graded = [case for case in cases if case.verdict is not Verdict.GOLD_ERROR]
    costs = [case.cost for case in cases if case.cost is not None]
    return Aggregate(
        selected=len(cases),
        gradable=gradable,
        passed=passed,
        failed=failed,
        errors=sum(verdicts[verdict] for verdict in ERRORS),
        gold_errors=gold_errors,
        verdicts={verdict.value: verdicts[verdict] for verdict in Verdict if verdicts[verdict]},
        accuracy=_share(passed, gradable),
        accuracy_interval=_interval(passed, gradable),
        accuracy_graded=_share(passed, passed + failed),
        strict_accuracy=_share(sum(_is_strict(case) for case in graded), gradable),
        execution_accuracy=_execution_accuracy(graded),
        faithfulness=_faithfulness(cases),
        avg_query_similarity=_mean(case.query_similarity for case in cases),
        avg_latency_ms=_mean(case.latency_ms for case in cases if case.error is None),
        total_cost=sum(costs) if costs else None,
        costed_trials=len(costs),
        cost_per_correct=_cost_per_correct(cases, passed),
    )


def _cost_per_correct(cases: Sequence[CaseRecord], passed: int) -> float | None:
    dollars = cost_per_correct((case.cost for case in cases), passed)
    return None if dollars is None else float(dollars)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _mean(values: Iterable[float | None]) -> float | None:
    measured = [value for value in values if value is not None]
    return fmean(measured) if measured else None


def _interval(successes: int, n: int) -> tuple[float, float] | None:
    if not n:
        return None
    interval = wilson_interval(successes, n)
    return (interval.low, interval.high)


def _is_strict(case: CaseRecord) -> bool:
    """Equal at the precision stated, with no extra column; a right refusal counts too."""
    if not case.passed:
        return False
    return case.matched in {"exact", None} and "extra_columns" not in case.flags


def _execution_accuracy(graded: Sequence[CaseRecord]) -> float | None:
    if not any(case.analyst_query for case in graded):
        return None
    return _share(sum(case.execution_match is True for case in graded), len(graded))


def _faithfulness(cases: Sequence[CaseRecord]) -> float | None:
    supported = sum(case.faithfulness == "supported" for case in cases)
    return _share(supported, supported + sum(c.faithfulness == "unsupported" for c in cases))
