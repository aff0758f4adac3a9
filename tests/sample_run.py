"""A small finished run, written by hand, that the tests of records and reports share."""

from datetime import UTC, datetime

from goldsuite.model.diagnosis import Diagnosis, FailureCluster, FailureMode
from goldsuite.model.grade import Component, Verdict
from goldsuite.model.question import Split
from goldsuite.model.run import (
    Aggregate,
    CaseRecord,
    ContextState,
    DoorExecutions,
    Environment,
    Executions,
    RunRecord,
    SuiteInfo,
    WarehouseInfo,
)


def _passed(split: Split) -> CaseRecord:
    return CaseRecord(
        id="orders-2025",
        trial=1,
        split=split,
        question="How many orders were placed in 2025?",
        kind="number",
        verdict=Verdict.CORRECT,
        passed=True,
        matched="exact",
        reason="equal to the gold",
        gold_value=31200,
        gold_stored=31100,
        gold_drift="stored 31100, recomputed 31200",
        analyst_value="31,200",
        gold_sql="select count(*) from orders",
        analyst_query="select count(*) from orders",
        query_diff="identical",
        query_similarity=1.0,
        exact_match=True,
        component_match={Component.SELECT: True, Component.FROM: True},
        execution_match=True,
        faithfulness="supported",
        definition_source="metric dictionary",
        latency_ms=120.0,
        tokens={"input": 1200, "output": 80},
        cost=0.25,
    )


def _failed(split: Split) -> CaseRecord:
    return CaseRecord(
        id="net-revenue",
        trial=1,
        split=split,
        question="What was net revenue in 2025?",
        kind="number",
        verdict=Verdict.WRONG,
        passed=False,
        reason="1200 is not 1000.5 within 0.5 %",
        gold_value=1000.5,
        gold_stored=1000.5,
        analyst_value="1200 <b>|`sure`|\x1b[2J",
        gold_sql="select sum(net)\nfrom secret_orders",
        analyst_query="select sum(gross) from orders -- ```",
        query_diff="changed",
        query_similarity=0.5,
        exact_match=False,
        component_match={Component.SELECT: False, Component.FROM: False},
        execution_match=False,
        faithfulness="supported",
        definition_source="my own choice",
        latency_ms=80.0,
        cost=0.25,
        failure_mode=FailureMode.UNDEFINED_METRIC_DRIFT,
        failure_labels=(FailureMode.UNDEFINED_METRIC_DRIFT,),
        diagnosis=Diagnosis(
            mode=FailureMode.UNDEFINED_METRIC_DRIFT,
            labels=(FailureMode.UNDEFINED_METRIC_DRIFT,),
            evidence=("The dictionary does not define net revenue.",),
            confidence="medium",
        ),
        flags=("currency_undeclared",),
    )


def _broken(split: Split) -> CaseRecord:
    return CaseRecord(
        id="crash",
        trial=1,
        split=split,
        question="Which store sold most?",
        verdict=Verdict.ANALYST_ERROR,
        passed=False,
        reason="exit code 3",
        error="exit code 3",
        gold_value="North",
        gold_sql="select name from secret_orders",
        faithfulness="not_checkable",
    )


def sample_record(split: Split = "train") -> RunRecord:
    """One passed, one failed and one broken case."""
    return RunRecord(
        run_id=f"20260102-030405-{split}-abcd",
        started_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        key_checked_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        answers_locked_at=datetime(2026, 1, 2, 3, 4, 9, tzinfo=UTC),
        key_opened_at=datetime(2026, 1, 2, 3, 4, 10, tzinfo=UTC),
        finished_at=datetime(2026, 1, 2, 3, 4, 11, tzinfo=UTC),
        answers_sha256="0123456789abcdef" * 4,
        split=split,
        suite=SuiteInfo(
            name="shop",
            file="gold-cases.yaml",
            sha256="a" * 64,
            sha256_at_grading="a" * 64,
            cases=3,
            as_of="2025-12-31",
        ),
        warehouse=WarehouseInfo(
            dialect="duckdb",
            engine="DuckDB 2.0.1",
            url="duckdb:///x.duckdb",
            time_zone="UTC",
            snapshot="read-only file",
        ),
        analyst="baseline",
        model=None,
        isolation="in-process",
        changelog="first run",
        context_state=ContextState(
            dataset="shop",
            source="local",
            commit=None,
            metrics=("orders",),
            count=1,
            sha256="b" * 64,
            files_sha256="c" * 64,
        ),
        environment=Environment(
            goldsuite="0.1.0",
            python="3.11.7",
            platform="Linux x86_64",
            packages={"duckdb": "2.0.1"},
            git_revision=None,
            git_dirty=None,
        ),
        executions=Executions(
            gold=DoorExecutions(asked=3, executed=3, cache_hits=0),
            analyst=DoorExecutions(asked=2, executed=2, cache_hits=0),
        ),
        aggregate=Aggregate(
            selected=3,
            gradable=3,
            passed=1,
            failed=1,
            errors=1,
            gold_errors=0,
            verdicts={"correct": 1, "wrong": 1, "analyst_error": 1},
            accuracy=1 / 3,
            accuracy_interval=(0.0615, 0.7923),
            accuracy_graded=0.5,
            strict_accuracy=1 / 3,
            execution_accuracy=1 / 3,
            faithfulness=1.0,
            avg_query_similarity=0.75,
            avg_latency_ms=100.0,
            total_cost=0.5,
            costed_trials=2,
            cost_per_correct=None,
            exact_match=0.5,
            component_match={Component.SELECT: 0.5, Component.FROM: 0.5},
            total_tokens={"input": 1200, "output": 80},
        ),
        failure_modes=(
            FailureCluster(
                mode=FailureMode.UNDEFINED_METRIC_DRIFT, count=1, cases=("net-revenue",)
            ),
        ),
        cases=(_passed(split), _failed(split), _broken(split)),
    )
