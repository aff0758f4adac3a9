"""The same question several times: whether the answers agree, and whether they are right."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from statistics import fmean
from typing import Literal, TypeAlias

from goldsuite.comparison.answer_values import Value, read_values
from goldsuite.comparison.trial_answers import TrialAnswer
from goldsuite.model.question import Split
from goldsuite.stats.pass_k import pass_at_k, pass_hat_k
from goldsuite.stats.proportion import Interval, clustered_interval
from goldsuite.stats.spread import coefficient_of_variation, relative_range, sample_deviation

__all__ = [
    "CLOSE",
    "DEFAULT_TRIALS",
    "CaseReliability",
    "PassRate",
    "Reliability",
    "Stability",
    "ValueCount",
    "judge_case",
    "judge_reliability",
]

CLOSE = Decimal("0.02")
"""(max - min) / |mean| up to which answers are one value in practice."""
DEFAULT_TRIALS = 5

How: TypeAlias = Literal["exact", "within_tolerance"]


class Stability(StrEnum):
    """Whether the trials of a case agree."""

    STABLE = "STABLE"
    DRIFT = "DRIFT"
    DEFINITIONS_DIFFER = "DEFINITIONS_DIFFER"
    """A drift whose trials do not agree either on where their definition came from."""
    UNKNOWN = "UNKNOWN"
    """Fewer than two answers, or fewer than half of them, could be read."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ValueCount:
    """One distinct value."""

    value: str
    """As the first trial with this value said it."""
    number: float | None
    """None where it is a text."""
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseReliability:
    """One case over all of its trials."""

    id: str
    split: Split | None
    """None where the answers come from a file that does not say."""
    trials: int
    """Those in which the analyst's service failed are left out."""
    left_out: int
    """Trials in which it did."""
    read: int
    """Answers that could be read."""
    values: tuple[ValueCount, ...]
    """Distinct values, the most frequent first."""
    agreement: float | None
    """Share of all trials that gave the most frequent value; None where none could be read."""
    mean: float | None
    """None, as the next three, where the answers are no numbers."""
    deviation: float | None
    """With n - 1."""
    variation: float | None
    """Coefficient of variation on |mean|; None also for a mean of 0."""
    relative_range: float | None
    stability: Stability
    how: How | None
    """How it is stable; None where it is not."""
    used_dictionary: int
    """Trials that named the metric dictionary as the source of their definition."""
    told_definition: int
    """Trials that named any."""
    graded: int
    """Trials that were held to a gold."""
    passed: int

    @property
    def is_flaky(self) -> bool:
        """Whether some trials were right and some were not."""
        return 0 < self.passed < self.graded


@dataclass(frozen=True, kw_only=True, slots=True)
class PassRate:
    """One k, over the cases that were graded at least k times."""

    k: int
    cases: int
    pass_at: float
    pass_at_interval: Interval
    pass_hat: float
    pass_hat_interval: Interval


@dataclass(frozen=True, kw_only=True, slots=True)
class Reliability:
    """All cases."""

    runs: tuple[str, ...]
    """Where the trials come from."""
    cases: tuple[CaseReliability, ...]
    rates: tuple[PassRate, ...]
    """By k from 1; empty where nothing was graded."""
    agreement: float | None
    """Mean over the cases in which something could be read."""
    agreement_interval: Interval | None

    def counts(self) -> Mapping[Stability, int]:
        """Cases of each kind, also of those that none is of."""
        found = Counter(case.stability for case in self.cases)
        return {kind: found[kind] for kind in Stability}


def judge_reliability(answers: Iterable[TrialAnswer], *, runs: Sequence[str]) -> Reliability:
    """Judge every case by all of its trials, in the order of their first ones."""
    by_case: dict[str, list[TrialAnswer]] = {}
    for answer in answers:
        by_case.setdefault(answer.case, []).append(answer)
    cases = tuple(judge_case(trials) for trials in by_case.values())
    agreements = [case.agreement for case in cases if case.agreement is not None]
    trials = sum(case.trials for case in cases if case.agreement is not None)
    return Reliability(
        runs=tuple(runs),
        cases=cases,
        rates=_rates(cases),
        agreement=fmean(agreements) if agreements else None,
        agreement_interval=clustered_interval(agreements, trials) if agreements else None,
    )


def judge_case(answers: Sequence[TrialAnswer]) -> CaseReliability:
    """Judge one case by its trials; there is at least one."""
    counting = [answer for answer in answers if not answer.service_failed]
    first = answers[0]
    kind = next((answer.kind for answer in answers if answer.kind), None)
    values = read_values(
        [answer.value for answer in counting], kind=kind, decimal_mark=first.decimal_mark
    )
    read = [value for value in values if value is not None]
    numbers = [value for value in read if isinstance(value, Decimal)]
    stability, how = _stability(counting, values, numbers)
    graded = [answer.passed for answer in counting if answer.passed is not None]
    said = [answer.definition for answer in counting if answer.definition]
    counted = _counted(counting, values)
    return CaseReliability(
        id=first.case,
        split=first.split,
        trials=len(counting),
        left_out=len(answers) - len(counting),
        read=len(read),
        values=counted,
        agreement=counted[0].count / len(counting) if counted else None,
        mean=float(sum(numbers) / len(numbers)) if numbers else None,
        deviation=_float(sample_deviation(numbers)),
        variation=_float(coefficient_of_variation(numbers)),
        relative_range=_float(relative_range(numbers)),
        stability=stability,
        how=how,
        used_dictionary=sum(source == "metric dictionary" for source in said),
        told_definition=len(said),
        graded=len(graded),
        passed=sum(graded),
    )


def _stability(
    trials: Sequence[TrialAnswer], values: Sequence[Value], numbers: Sequence[Decimal]
) -> tuple[Stability, How | None]:
    read = [value for value in values if value is not None]
    if len(read) < 2 or 2 * len(read) < len(trials):
        return Stability.UNKNOWN, None
    if len(set(read)) == 1:
        return Stability.STABLE, "exact"
    width = relative_range(numbers) if len(numbers) == len(read) else None
    if width is not None and width <= CLOSE:
        return Stability.STABLE, "within_tolerance"
    sources = {
        trial.definition
        for trial, value in zip(trials, values, strict=True)
        if value is not None and trial.definition
    }
    return (Stability.DEFINITIONS_DIFFER if len(sources) > 1 else Stability.DRIFT), None


def _counted(trials: Sequence[TrialAnswer], values: Sequence[Value]) -> tuple[ValueCount, ...]:
    said: dict[Decimal | str, list[str]] = {}
    for trial, value in zip(trials, values, strict=True):
        if value is not None:
            said.setdefault(value, []).append(trial.value or "")
    # sorted keeps the order of first sight among equals.
    ranked = sorted(said.items(), key=lambda found: -len(found[1]))
    return tuple(
        ValueCount(
            value=texts[0],
            number=float(value) if isinstance(value, Decimal) else None,
            count=len(texts),
        )
        for value, texts in ranked
    )


def _rates(cases: Sequence[CaseReliability]) -> tuple[PassRate, ...]:
    most = max((case.graded for case in cases), default=0)
    return tuple(_rate(k, [case for case in cases if case.graded >= k]) for k in range(1, most + 1))


def _rate(k: int, cases: Sequence[CaseReliability]) -> PassRate:
    one = [pass_at_k(case.graded, case.passed, k) for case in cases]
    every = [pass_hat_k(case.graded, case.passed, k) for case in cases]
    trials = sum(case.graded for case in cases)
    return PassRate(
        k=k,
        cases=len(cases),
        pass_at=fmean(one),
        pass_at_interval=clustered_interval(one, trials),
        pass_hat=fmean(every),
        pass_hat_interval=clustered_interval(every, trials),
    )


def _float(value: Decimal | None) -> float | None:
    return None if value is None else float(value)
