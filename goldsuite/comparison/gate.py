"""Whether a run is good enough for the thresholds that its user named."""

from collections.abc import Iterable
from dataclasses import dataclass

from goldsuite.model.grade import Verdict
from goldsuite.model.run import CaseRecord, RunRecord
from goldsuite.runner.limits import ErrorLimit

__all__ = ["Judgement", "judge_run"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgement:
    below: bool
    """Accuracy below the threshold, or a must-pass case that is not correct."""
    too_many_errors: bool
    """More analyst errors than allowed: the figure measures the service, not the analyst."""
    broken_golds: bool
    """A gold failed or gave no single value: the suite's fault, told apart from the analyst's."""
    messages: tuple[str, ...]


def judge_run(record: RunRecord, *, fail_under: float | None, max_errors: ErrorLimit) -> Judgement:
    """Hold `record` against the thresholds; `fail_under` is a share from 0 to 1.

    Must-pass cases count only where `fail_under` was asked for, at any accuracy. An accuracy that
    could not be measured is below every threshold.
    """
    messages: list[str] = []
    below = False
    if fail_under is not None:
        accuracy = record.aggregate.accuracy
        if accuracy is None or accuracy < fail_under:
            below = True
            shown = "not measured" if accuracy is None else f"{accuracy:.4f}"
            messages.append(f"accuracy {shown} is below --fail-under {fail_under}")
        missed = _ids(case for case in record.cases if case.must_pass and not case.passed)
        if missed:
            below = True
            messages.append(f"must-pass cases that are not correct: {', '.join(missed)}")
    errors = sum(case.verdict is Verdict.ANALYST_ERROR for case in record.cases)
    too_many = max_errors.exceeded(errors, len(record.cases))
    if too_many:
        hint = f"; `goldsuite eval --resume {record.run_id}` asks them again"
        messages.append(
            f"{errors} of {len(record.cases)} questions ended in an analyst error, above "
            f"--max-errors {max_errors}{'' if record.replayed else hint}"
        )
    broken = _ids(case for case in record.cases if case.verdict is Verdict.GOLD_ERROR)
    if broken:
        messages.append(
            f"the gold itself is at fault in {', '.join(broken)}; see `goldsuite check`"
        )
    return Judgement(
        below=below,
        too_many_errors=too_many,
        broken_golds=bool(broken),
        messages=tuple(messages),
    )


def _ids(trials: Iterable[CaseRecord]) -> list[str]:
    """Each case once, however often it was asked."""
    return list(dict.fromkeys(trial.id for trial in trials))
