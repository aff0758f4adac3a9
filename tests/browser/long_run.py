"""A run of many cases, some of them hostile, for pages to show."""

from dataclasses import replace
from datetime import timedelta

from goldsuite.model.answer import TraceEvent
from goldsuite.model.coincidence import (
    Coincidence,
    CoincidenceVerdict,
    Counterexample,
    ShownTable,
)
from goldsuite.model.diagnosis import (
    Cause,
    Diagnosis,
    FailureCluster,
    FailureMode,
    Repair,
    RootCluster,
    Suggestion,
)
from goldsuite.model.grade import Verdict
from goldsuite.model.run import CaseRecord, RunRecord
from goldsuite.records.header import RunHeader, header_of
from tests.sample_run import sample_record

HOSTILE = (
    "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>"
    "<svg onload='window.hacked = 1'><!-- <a href='javascript:window.hacked = 1'>"
)
HOSTILE_ID = "<b>hostile</b>\"'"


def _hostile(failed: CaseRecord) -> CaseRecord:
    """Hostile text wherever a record has text of others."""
    table = ShownTable(name=HOSTILE, columns=(HOSTILE,), rows=((HOSTILE,),))
    return replace(
        failed,
        id=HOSTILE_ID,
        question=HOSTILE,
        tags=(HOSTILE,),
        analyst_value=HOSTILE,
        gold_value=[[HOSTILE]],
        reason=HOSTILE,
        definition_source=HOSTILE,
        gold_sql=f'select 1 from "{HOSTILE}"',
        analyst_query=f"select '{HOSTILE.replace(chr(39), '')}' from t -- {HOSTILE}",
        diagnosis=Diagnosis(
            mode=FailureMode.WRONG_SOURCE,
            labels=(FailureMode.WRONG_SOURCE,),
            evidence=(HOSTILE,),
            confidence="high",
            cause=Cause.WRONG_SOURCE,
            causes=(Cause.WRONG_SOURCE,),
            repair=Repair(edits=(HOSTILE,), sql=HOSTILE, returns=HOSTILE),
        ),
        coincidence=Coincidence(
            verdict=CoincidenceVerdict.REFUTED,
            databases=3,
            method="local",
            counterexample=Counterexample(tables=(table,), gold=table, analyst=table),
            reason=HOSTILE,
        ),
        failure_mode=FailureMode.WRONG_SOURCE,
    )


HOSTILE_TRACE = (TraceEvent(kind="tool_call", name=HOSTILE, text=HOSTILE),)


def _filler(passed: CaseRecord, number: int) -> CaseRecord:
    return replace(
        passed,
        id=f"filler-{number}",
        tags=("even",) if number % 2 == 0 else (),
        latency_ms=float(number),
        cost=None,
        gold_drift=None,
    )


def long_run(fillers: int = 200) -> RunRecord:
    """The sample run, a hostile case, and `fillers` that passed, of which each second is `even`."""
    record = sample_record()
    passed, failed, broken = record.cases
    root = RootCluster(
        id="wrong-source-1a2b",
        cause=Cause.WRONG_SOURCE,
        root=HOSTILE,
        cases=(HOSTILE_ID,),
        suggestion=Suggestion(text=HOSTILE, file="notes.md", entry=HOSTILE),
    )
    cluster = FailureCluster(
        mode=FailureMode.WRONG_SOURCE, count=1, cases=(HOSTILE_ID,), clusters=(root,)
    )
    more = tuple(_filler(passed, number) for number in range(1, fillers + 1))
    # The drift of the one that passed is a notice; it must have an answer that compares.
    return replace(
        record,
        changelog=HOSTILE,
        failure_modes=(*record.failure_modes, cluster),
        aggregate=replace(
            record.aggregate,
            verdicts={
                Verdict.CORRECT.value: fillers + 1,
                Verdict.WRONG.value: 2,
                Verdict.ANALYST_ERROR.value: 1,
            },
        ),
        cases=(passed, failed, broken, _hostile(failed), *more),
    )


def earlier_runs(record: RunRecord, number: int) -> list[RunHeader]:
    """Headers of `number` runs of the same suite, a day apart, the last of them `record` itself."""
    import json

    from goldsuite.records.file import record_json

    header = header_of(json.loads(record_json(record)), file="x.json")
    return [
        replace(header, started_at=header.started_at - timedelta(days=back))
        for back in reversed(range(number))
    ]
