"""From graded cases to the figures of the headline. A figure that was not measured is None."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from goldsuite.comparison.process import judge_figures, process_figures
from goldsuite.comparison.slices import slices_of
from goldsuite.model.grade import ERRORS, FAILED, OUTSIDE, Component, Verdict
from goldsuite.model.run import Aggregate, CaseRecord
from goldsuite.records.tag_figures import figures_by_tag
from goldsuite.stats.cost import cost_per_correct
from goldsuite.stats.mean import mean_measured
from goldsuite.stats.proportion import clustered_interval

__all__ = ["summarise"]

_Number = TypeVar("_Number", int, float)


def summarise(cases: Sequence[CaseRecord], *, run_cost: float | None = None) -> Aggregate:
    """The aggregate over all trials.

    accuracy = passed / gradable and gradable = selected - gold errors - cases without gold, so that
    an agent that crashes does not gain by it. Counts are of trials. Where cases were asked several
    times, every share is the mean over cases of the share of their trials, so that a case with more
    trials weighs no more.

    Args:
        cases: one entry for each trial.
        run_cost: US dollars of the whole run, where the trials do not tell.
    """
    verdicts = Counter(case.verdict for case in cases)
    passed = sum(case.passed for case in cases)
    gold_errors = verdicts[Verdict.GOLD_ERROR]
    graded = [case for case in cases if case.verdict not in OUTSIDE]
    failed = sum(map(_is_failure, cases))
    decided = [case for case in cases if case.passed or _is_failure(case)]
    costs = [case.cost for case in cases if case.cost is not None]
    return Aggregate(
        selected=len(cases),
        gradable=len(graded),
        passed=passed,
        failed=failed,
        errors=sum(verdicts[verdict] for verdict in ERRORS),
        gold_errors=gold_errors,
        verdicts={verdict.value: verdicts[verdict] for verdict in Verdict if verdicts[verdict]},
        accuracy=mean_measured(_shares(graded, _passed)),
        accuracy_interval=_interval(graded),
        accuracy_graded=mean_measured(_shares(decided, _passed)),
        strict_accuracy=mean_measured(_shares(graded, _is_strict)),
        execution_accuracy=_execution_accuracy(graded),
        faithfulness=_faithfulness(cases),
        avg_query_similarity=mean_measured(case.query_similarity for case in cases),
        avg_latency_ms=mean_measured(case.latency_ms for case in cases if case.error is None),
        total_cost=run_cost if run_cost is not None else sum(costs) if costs else None,
        costed_trials=len(costs),
        cost_per_correct=_cost_per_correct(cases, passed, run_cost),
        cases=len({case.id for case in cases}),
        waited_ms=_total(case.waited_ms for case in cases),
        retries=_total(case.retries for case in cases),
        exact_match=_exact_match(cases),
        component_match=_component_match(cases),
        total_tokens=_total_tokens(cases),
        correct_roundings=sum(map(_is_correct_rounding, cases)),
        right_value_wrong_sql=_flagged(cases, "right_value_wrong_sql"),
        right_sql_wrong_value=_flagged(cases, "right_sql_wrong_value"),
        vacuous=_flagged(cases, "vacuous"),
        lucky_passes=_lucky_passes(cases),
        without_gold=verdicts[Verdict.NO_GOLD],
        process=process_figures(cases),
        judge=judge_figures(cases),
        tags=figures_by_tag((case.id, case.tags, case.verdict, case.passed) for case in cases),
        slices=slices_of(cases),
    )


def _is_failure(case: CaseRecord) -> bool:
    """A wrong answer, or a right one that a strict run counts as luck."""
    return not case.passed and (case.verdict in FAILED or case.verdict is Verdict.CORRECT)


def _lucky_passes(cases: Sequence[CaseRecord]) -> int | None:
    examined = [case.coincidence for case in cases if case.coincidence is not None]
    return sum(found.is_lucky for found in examined) if examined else None


def _cost_per_correct(
    cases: Sequence[CaseRecord], passed: int, run_cost: float | None
) -> float | None:
    if run_cost is not None:
        return run_cost / passed if passed else None
    dollars = cost_per_correct((case.cost for case in cases), passed)
    return None if dollars is None else float(dollars)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _shares(trials: Iterable[CaseRecord], holds: Callable[[CaseRecord], bool]) -> list[float]:
    """Of each case, the share of its trials for which `holds`."""
    by_case: dict[str, list[bool]] = {}
    for trial in trials:
        by_case.setdefault(trial.id, []).append(holds(trial))
    # Of truths the sum is exact, so nothing better than it is needed, as for other numbers.
    return [sum(found) / len(found) for found in by_case.values()]


def _total(values: Iterable[_Number | None]) -> _Number | None:
    told = [value for value in values if value is not None]
    return sum(told[1:], told[0]) if told else None


def _interval(graded: Sequence[CaseRecord]) -> tuple[float, float] | None:
    if not graded:
        return None
    # With one trial for each case this is Wilson's own.
    interval = clustered_interval(_shares(graded, _passed), len(graded))
    return (interval.low, interval.high)


def _passed(case: CaseRecord) -> bool:
    return case.passed


_NOT_STRICT = frozenset({"extra_columns", "data_moved", "settled_by_sql"})
"""Flags of answers that are right only with something allowed."""


def _is_strict(case: CaseRecord) -> bool:
    """Equal at the precision stated, with nothing allowed; a right refusal counts too."""
    if not case.passed:
        return False
    return case.matched in {"exact", None} and _NOT_STRICT.isdisjoint(case.flags)


def _execution_accuracy(graded: Sequence[CaseRecord]) -> float | None:
    if not any(case.analyst_query for case in graded):
        return None
    return mean_measured(_shares(graded, lambda case: case.execution_match is True))


def _faithfulness(cases: Sequence[CaseRecord]) -> float | None:
    supported = sum(case.faithfulness == "supported" for case in cases)
    return _share(supported, supported + sum(c.faithfulness == "unsupported" for c in cases))


def _exact_match(cases: Sequence[CaseRecord]) -> float | None:
    measured = [case for case in cases if case.exact_match is not None]
    return mean_measured(_shares(measured, lambda case: case.exact_match is True))


def _component_match(cases: Sequence[CaseRecord]) -> dict[Component, float] | None:
    shares = {clause: _share_of_clause(cases, clause) for clause in Component}
    return {clause: share for clause, share in shares.items() if share is not None} or None


def _share_of_clause(cases: Sequence[CaseRecord], clause: Component) -> float | None:
    measured = [case for case in cases if case.component_match and clause in case.component_match]
    return mean_measured(_shares(measured, lambda case: (case.component_match or {})[clause]))


def _total_tokens(cases: Sequence[CaseRecord]) -> dict[str, int] | None:
    total: Counter[str] = Counter()
    for case in cases:
        total.update(case.tokens or {})
    return dict(total) or None


def _is_correct_rounding(case: CaseRecord) -> bool:
    """A failure that `accept_rounding` would let pass, beside SQL that gives the gold."""
    is_rounding = "correct_rounding" in case.flags and case.execution_match is True
    return is_rounding and not case.passed


def _flagged(cases: Iterable[CaseRecord], flag: str) -> int:
    return sum(flag in case.flags for case in cases)
