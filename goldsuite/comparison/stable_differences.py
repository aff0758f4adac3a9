"""Questions that both runs answer the same way every time, and not with the same answer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from goldsuite.comparison.answer_values import Value, read_values
from goldsuite.comparison.pairing import CasePair
from goldsuite.comparison.reliability import CLOSE, Stability, judge_case
from goldsuite.comparison.trial_answers import trial_answer
from goldsuite.model.question import Split
from goldsuite.model.run import CaseRecord
from goldsuite.stats.spread import relative_range

__all__ = ["StableDifference", "stable_differences"]


@dataclass(frozen=True, kw_only=True, slots=True)
class StableDifference:
    """One case: no chance of the analyst's explains why the runs differ."""

    case: str
    split: Split
    first: str
    """The most frequent answer, as said."""
    second: str


def stable_differences(pairs: Iterable[CasePair]) -> tuple[StableDifference, ...]:
    """The cases that were asked at least twice in both runs, stable in each, and differ.

    Values within 2 % of each other are taken as the same, as within one run.
    """
    found = (_difference(pair) for pair in pairs if min(len(pair.first), len(pair.second)) > 1)
    return tuple(difference for difference in found if difference is not None)


def _difference(pair: CasePair) -> StableDifference | None:
    first = judge_case([trial_answer(trial) for trial in pair.first])
    second = judge_case([trial_answer(trial) for trial in pair.second])
    if first.stability is not Stability.STABLE or second.stability is not Stability.STABLE:
        return None
    if _is_one(_values((*pair.first, *pair.second))):
        return None
    return StableDifference(
        case=pair.id,
        split=pair.split,
        first=first.values[0].value,
        second=second.values[0].value,
    )


def _values(trials: Sequence[CaseRecord]) -> list[Value]:
    # Read together, so that a percent sign in one run tells what the other one means.
    kind = next((trial.kind for trial in trials if trial.kind), None)
    read = read_values(
        [trial.analyst_value for trial in trials], kind=kind, decimal_mark=trials[0].decimal_mark
    )
    return [value for value in read if value is not None]


def _is_one(values: Sequence[Value]) -> bool:
    numbers = [value for value in values if isinstance(value, Decimal)]
    width = relative_range(numbers) if len(numbers) == len(values) else None
    return len(set(values)) == 1 or (width is not None and width <= CLOSE)
