"""Trials as the reliability sees them: from graded records, or from answers alone."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from goldsuite.model.answer import Answer
from goldsuite.model.grade import OUTSIDE
from goldsuite.model.number import DecimalMark
from goldsuite.model.question import Split
from goldsuite.model.run import CaseRecord, RunRecord

__all__ = ["TrialAnswer", "from_answers", "from_record", "trial_answer"]


@dataclass(frozen=True, kw_only=True, slots=True)
class TrialAnswer:
    """What one trial of a case came to."""

    case: str
    value: str | None
    """As said."""
    definition: str | None
    """Where the definition came from, as said, in lower case."""
    service_failed: bool = False
    """The analyst could not answer for a fault of its service: it is no trial of the analyst."""
    passed: bool | None = None
    """None where it was not held to a gold."""
    split: Split | None = None
    kind: str | None = None
    decimal_mark: DecimalMark | None = None


def from_record(record: RunRecord) -> Iterator[TrialAnswer]:
    """Every trial of a record, paraphrases included."""
    return map(trial_answer, record.cases)


def trial_answer(trial: CaseRecord) -> TrialAnswer:
    """One trial of a record."""
    return TrialAnswer(
        case=trial.id,
        value=trial.analyst_value,
        definition=_source(trial.definition_source),
        service_failed=trial.error_source == "service",
        passed=None if trial.verdict in OUTSIDE else trial.passed,
        split=trial.split,
        kind=trial.kind,
        decimal_mark=trial.decimal_mark,
    )


def from_answers(answers: Iterable[Answer]) -> Iterator[TrialAnswer]:
    """Every trial of an answers file, which no key was held to."""
    for answer in answers:
        reply = answer.reply
        yield TrialAnswer(
            case=answer.id,
            value=reply.value,
            definition=_source(reply.definition_source),
            service_failed=reply.error is not None and reply.error_source == "service",
        )


def _source(said: str | None) -> str | None:
    return " ".join((said or "").split()).casefold() or None
