"""Whether a run is good enough for the thresholds that its user named."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from goldsuite.model.grade import Verdict
from goldsuite.model.run import CaseRecord, RunRecord
from goldsuite.nearest import did_you_mean
from goldsuite.records.tag_figures import figures_by_tag
from goldsuite.runner.limits import ErrorLimit

__all__ = ["Gate", "Judgement", "floors_missed", "judge_run"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Gate:
    """The least accuracy that the cases of one tag must reach."""

    tag: str
    least: float
    """Share, 0 to 1."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgement:
    below: bool
    """Accuracy below the threshold, or a must-pass case that is not correct."""
    too_many_errors: bool
    """More analyst errors than allowed: the figure measures the service, not the analyst."""
    broken_golds: bool
    """A gold failed or gave no single value: the suite's fault, told apart from the analyst's."""
    messages: tuple[str, ...]
    below_trigger_floor: bool = False
    """Skills were triggered too seldom over a target."""


def judge_run(
    record: RunRecord,
    *,
    fail_under: float | None,
    max_errors: ErrorLimit,
    gates: Sequence[Gate] = (),
) -> Judgement:
    """Hold `record` against the thresholds; those that are shares go from 0 to 1.

    Must-pass cases count only where `fail_under` or a gate was asked for, at any accuracy. An
    accuracy that could not be measured is below every threshold, and so is that of a tag that no
    case of the run has.
    """
    messages: list[str] = []
    below = False
    if fail_under is not None:
        accuracy = record.aggregate.accuracy
        if accuracy is None or accuracy < fail_under:
            below = True
            shown = "not measured" if accuracy is None else f"{accuracy:.4f}"
            messages.append(f"accuracy {shown} is below --fail-under {fail_under}")
    unmet = [line for gate in gates if (line := _unmet(record, gate)) is not None]
    messages += unmet
    below |= bool(unmet)
    if fail_under is not None or gates:
        missed = _ids(case for case in record.cases if case.must_pass and not case.passed)
        if missed:
            below = True
            messages.append(f"must-pass cases that are not correct: {', '.join(missed)}")
    errors = sum(map(_broke, record.cases))
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
    floors = floors_missed(record)
    messages += floors
    return Judgement(
        below=below,
        below_trigger_floor=bool(floors),
        too_many_errors=too_many,
        broken_golds=bool(broken),
        messages=tuple(messages),
    )


def floors_missed(record: RunRecord) -> list[str]:
    """A sentence for each target below the run's own `trigger_floor`; unmeasured is not below."""
    floor = float(record.limits.get("trigger_floor", 0))
    if record.aggregate.process is None:
        return []
    return [
        f"trigger accuracy over target {name!r} is {figures.trigger_accuracy:.4f}, below "
        f"--trigger-floor {floor:g}: look at its skills before anything else"
        for name, figures in record.aggregate.process.targets.items()
        # The mean of shares may miss the floor by a rounding error.
        if figures.trigger_accuracy is not None and figures.trigger_accuracy < floor - 1e-9
    ]


def _unmet(record: RunRecord, gate: Gate) -> str | None:
    """What a tag falls short of; None where it does not."""
    tags = record.aggregate.tags
    if tags is None:
        tags = figures_by_tag((c.id, c.tags, c.verdict, c.passed) for c in record.cases)
    found = tags.get(gate.tag)
    named = f"--gate {gate.tag}={gate.least:g}"
    if found is None:
        hint = did_you_mean(gate.tag, sorted(tags))
        return f"{named} is not reached: no case of the run has the tag {gate.tag!r}.{hint}"
    if found.accuracy is None:
        return f"{named} is not reached: the accuracy of {gate.tag!r} was not measured"
    # A mean of shares may miss the gate by a rounding error.
    if found.accuracy < gate.least - 1e-9:
        cases = f"{found.passed} of {found.gradable}"
        return f"accuracy {found.accuracy:.4f} of tag {gate.tag!r} ({cases}) is below {named}"
    return None


def _broke(case: CaseRecord) -> bool:
    """Whether the analyst broke; a case without gold has no verdict for that."""
    is_outside = case.verdict is Verdict.NO_GOLD and case.error is not None
    return is_outside or case.verdict is Verdict.ANALYST_ERROR


def _ids(trials: Iterable[CaseRecord]) -> list[str]:
    """Each case once, however often it was asked."""
    return list(dict.fromkeys(trial.id for trial in trials))
