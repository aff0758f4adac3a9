"""The open half of a run: the key is read here, and only after the answers were locked."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal

from goldsuite.audit.gold_drift import gold_drift
from goldsuite.context.dictionary import MetricDictionary
from goldsuite.diagnosis.lineage_rules import LineageRules
from goldsuite.errors import Fault, SuiteError
from goldsuite.grading.claimed_query import NOT_RUN, check_claim
from goldsuite.grading.verdicts import grade_answer
from goldsuite.model.answer import Answer, Reply
from goldsuite.model.diagnosis import FailureCluster
from goldsuite.model.grade import Grade, Similarity
from goldsuite.model.held_out import Leak
from goldsuite.model.key import GoldCase, GoldSuite
from goldsuite.model.question import Trial
from goldsuite.model.result_set import Execution
from goldsuite.model.run import CaseRecord, Executions
from goldsuite.pipeline.advising import ranked_failures
from goldsuite.pipeline.asking import Clock
from goldsuite.pipeline.case_record import GradedTrial, case_record, query_of
from goldsuite.pipeline.diagnosing import Executions as Executed
from goldsuite.pipeline.diagnosing import diagnose_trials
from goldsuite.pipeline.executions import CaseStatements, execute_cases
from goldsuite.pipeline.gold_health import GoldHealth
from goldsuite.pipeline.lineage_checks import check_lineage
from goldsuite.pipeline.luck import examine_passes
from goldsuite.pipeline.processing import score_trials
from goldsuite.pipeline.settings import Settings
from goldsuite.pipeline.trace_checks import check_traces
from goldsuite.records.fewest_calls import fewest_calls
from goldsuite.sqltext.clock import asks_clock
from goldsuite.sqltext.components import nearest_components
from goldsuite.sqltext.shape import orders_at_top_level
from goldsuite.sqltext.similarity import compare_sql
from goldsuite.suite.key import load_key
from goldsuite.warehouse.base import Snapshot, Warehouse

__all__ = ["GradedRun", "grade_run"]


@dataclass(frozen=True, kw_only=True, slots=True)
class GradedRun:
    """Every case of a run with its verdict."""

    key_opened_at: datetime
    suite_sha256: str
    """Of the file that the key was read from."""
    cases: tuple[CaseRecord, ...]
    """In the order of the trials."""
    failure_modes: tuple[FailureCluster, ...]
    """Why the failures failed, the largest group first."""
    executions: Executions
    snapshot: Snapshot


@dataclass(frozen=True, kw_only=True, slots=True)
class _Bench:
    """What every case is graded with."""

    golds: Mapping[str, Execution]
    predictions: Mapping[str, Execution]
    dialect: str
    as_of: date | None
    health: GoldHealth


def grade_run(
    trials: Sequence[Trial],
    answers: Iterable[Answer],
    *,
    settings: Settings,
    warehouse: Warehouse,
    dictionary: MetricDictionary,
    as_of: date | None,
    now: Clock,
    run_id: str | None = None,
    leaks: Sequence[Leak] = (),
) -> GradedRun:
    """Open the key, recompute every gold, and grade each trial.

    Args:
        run_id: of this run; with it, steps are compared with those of earlier runs too.
        leaks: what of the key the analyst was given with the context.

    Raises:
        SuiteError: the file has faults now, or a case that was asked is not in it any more.
    """
    opened_at = now()
    suite = load_key(settings.suite)
    cases = [_case_of(trial, suite, settings.tolerance) for trial in trials]
    by_trial = {(answer.id, answer.trial): answer for answer in answers}
    given = [by_trial[trial.question.id, trial.number] for trial in trials]
    executed = execute_cases(
        warehouse,
        [_statements(case, answer) for case, answer in zip(cases, given, strict=True)],
        as_of=as_of,
    )
    bench = _Bench(
        golds=executed.gold,
        predictions=executed.analyst,
        dialect=warehouse.dialect,
        as_of=as_of,
        health=executed.health,
    )
    graded = diagnose_trials(
        [
            _grade(trial, case, answer, bench)
            for trial, case, answer in zip(trials, cases, given, strict=True)
        ],
        executed=Executed(golds=executed.gold, predictions=executed.analyst),
        warehouse=warehouse,
        dictionary=dictionary,
        as_of=as_of,
        budget=settings.diagnose_budget,
    )
    graded = examine_passes(
        graded,
        warehouse=warehouse,
        as_of=as_of,
        budget=settings.luck_budget,
        strict=settings.strict,
    )
    graded = score_trials(
        graded,
        preset=settings.process_preset,
        earlier=fewest_calls(settings.runs_dir, before=run_id, suite=suite.name),
    )
    graded = check_lineage(
        graded,
        rules=LineageRules(forbid=settings.forbid, require=settings.require),
        warehouse=warehouse,
        dictionary=dictionary,
    )
    graded = check_traces(
        graded, suite_file=settings.suite.name, leaks=leaks, dialect=warehouse.dialect
    )
    records = tuple(case_record(trial) for trial in graded)
    return GradedRun(
        key_opened_at=opened_at,
        suite_sha256=suite.sha256,
        cases=records,
        failure_modes=ranked_failures(graded, dictionary=dictionary, dialect=warehouse.dialect),
        executions=executed.counts,
        snapshot=executed.snapshot,
    )


def _case_of(trial: Trial, suite: GoldSuite, tolerance: Decimal | None) -> GoldCase:
    case = suite.by_id.get(trial.question.id)
    if case is None or case.question != trial.question.text:
        what = "is no longer in it" if case is None else "asks something else now"
        raise SuiteError(
            [
                Fault(
                    file=suite.file,
                    line=case.line if case else None,
                    message=(
                        f"case {trial.question.id!r} {what}, but was asked in this run. Restore "
                        "it, then resume the run: its answers are locked and kept."
                    ),
                )
            ]
        )
    if tolerance is None or case.tolerance_given or case.unit == "count":
        return case
    return replace(case, tolerance=tolerance)


def _statements(case: GoldCase, answer: Answer) -> CaseStatements:
    query = query_of(answer.reply)
    return CaseStatements(gold=case.gold_sql, analyst=(query,) if query else ())


def _grade(trial: Trial, case: GoldCase, answer: Answer, bench: _Bench) -> GradedTrial:
    reply = answer.reply
    query = query_of(reply)
    golds = [bench.golds[sql] for sql in case.gold_sql]
    grade = grade_answer(
        reply=reply,
        key=case,
        golds=golds,
        predicted=bench.predictions[query] if query else None,
        gold_orders=[bool(orders_at_top_level(sql, bench.dialect)) for sql in case.gold_sql],
        dialect=bench.dialect,
        gold_ties=bench.health.ties_of(case.gold_sql),
    )
    similar = compare_sql(query, case.gold_sql, bench.dialect) if query and case.gold_sql else None
    return GradedTrial(
        trial=trial,
        case=case,
        answer=answer,
        grade=grade,
        gold_drift=_drift(case, golds, grade),
        similarity=similar,
        components=nearest_components(query or "", case.gold_sql, bench.dialect),
        diagnosis=None,
        flags=_flags(case, reply, grade, similar, bench),
    )


def _drift(case: GoldCase, golds: Sequence[Execution], grade: Grade) -> str | None:
    """Only where the gold itself is sound: a broken gold has a verdict of its own."""
    if not case.has_gold_value or not golds or grade.kind is None:
        return None
    result = golds[grade.gold_sql_index].result
    return None if result is None else gold_drift(case.gold_value, result, case)


def _flags(
    case: GoldCase, reply: Reply, grade: Grade, similar: Similarity | None, bench: _Bench
) -> tuple[str, ...]:
    """Those of the grade, and what the texts and the second runs of the golds show."""
    flags = set(grade.flags) | bench.health.flags_of(case.gold_sql)
    if asks_clock(case.gold_sql, bench.dialect, bench.as_of):
        flags.add("clock_dependent")
    if check_claim(reply, bench.dialect) == "not_run":
        flags.add(NOT_RUN)
    if similar and not similar.parsed:
        flags.add("query_unparsed")
    return tuple(sorted(flags))
