"""Records with chosen verdicts, for tests that compare them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from goldsuite.comparison.summary import summarise
from goldsuite.model.grade import Verdict
from goldsuite.model.question import Split
from goldsuite.model.run import CaseRecord, RunRecord
from tests.sample_run import sample_record

SIGNS = {
    "+": Verdict.CORRECT,
    "-": Verdict.WRONG,
    "!": Verdict.ANALYST_ERROR,
    "#": Verdict.GOLD_ERROR,
    "0": Verdict.NO_GOLD,
}


def trial(
    case: str, sign: str, *, number: int = 1, split: Split = "train", **fields: Any
) -> CaseRecord:
    """A trial of `case` with the verdict that `sign` stands for; `s` is a service's error."""
    verdict = SIGNS["!" if sign == "s" else sign]
    if verdict is Verdict.ANALYST_ERROR:
        source = "service" if sign == "s" else "timeout"
        fields = {"error": "it broke", "error_source": source} | fields
    known: dict[str, Any] = {"gold_sql": "select 1", "gold_value": 1} | fields
    return CaseRecord(
        id=case,
        trial=number,
        split=split,
        question=f"What is {case}?",
        kind="number",
        verdict=verdict,
        passed=verdict is Verdict.CORRECT,
        matched="exact" if verdict is Verdict.CORRECT else None,
        **known,
    )


def run_of(
    cases: Mapping[str, str] | Sequence[CaseRecord], *, number: int = 1, split: Split = "train"
) -> RunRecord:
    """A record of trials, or of one trial for each sign: `{"a": "+-+"}` is one case, three times.

    A later `number` began later.
    """
    if isinstance(cases, Mapping):
        cases = [
            trial(case, sign, number=at, split=split)
            for case, signs in cases.items()
            for at, sign in enumerate(signs, start=1)
        ]
    record = sample_record(split)
    return replace(
        record,
        run_id=f"20260102-03040{number}-{split}-abcd",
        started_at=record.started_at + timedelta(hours=number),
        cases=tuple(cases),
        aggregate=summarise(cases),
        repeat=max((case.trial for case in cases), default=1),
        failure_modes=(),
    )
