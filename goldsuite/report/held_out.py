"""What may be shown of a held-out case: that it passed or failed, never what was asked for."""

from dataclasses import replace

from goldsuite.comparison.slices import slices_of
from goldsuite.model.diagnosis import FailureCluster, RootCluster
from goldsuite.model.grade import Verdict
from goldsuite.model.judge import JudgeResult
from goldsuite.model.run import CaseRecord, RunRecord

__all__ = ["visible"]


def visible(record: RunRecord, *, reveal: bool) -> RunRecord:
    """`record` as it may be shown: without `reveal`, test cases keep id, verdict, error and scores.

    Counts of failure modes stay; which held-out case has which mode does not.
    """
    if reveal or not any(case.split == "test" for case in record.cases):
        return record
    held_out = {case.id for case in record.cases if case.split == "test"}
    cases = tuple(_hide(case) if case.id in held_out else case for case in record.cases)
    slices = None if record.aggregate.slices is None else slices_of(cases)
    return replace(
        record,
        aggregate=replace(record.aggregate, slices=slices),
        cases=cases,
        failure_modes=tuple(_without(cluster, held_out) for cluster in record.failure_modes),
    )


def _hide(case: CaseRecord) -> CaseRecord:
    return replace(
        case,
        reason=case.reason if case.verdict is Verdict.ANALYST_ERROR else None,
        gold_value=None,
        gold_stored=None,
        gold_drift=None,
        gold_sql=None,
        analyst_value=None,
        analyst_query=None,
        exact_match=None,
        component_match=None,
        mismatches=(),
        partial_score=None,
        failure_mode=None,
        failure_labels=(),
        diagnosis=None,
        # A counterexample shows what both queries make of the data.
        coincidence=None,
        # A flag such as `unit_scale` tells how the answer lies to the gold.
        flags=tuple(flag for flag in case.flags if flag == "suspicious_trace"),
        lineage=(),
        label=None,
        # It may be the name of an expected skill.
        target=None,
        # The name that the dictionary has for it.
        metric=None,
        process=case.process and replace(case.process, missing_tools=(), missing_skills=()),
        judge=case.judge and _hide_judge(case.judge),
        # A guess at the gold could be tried against it.
        case_sha256=None,
        hidden=True,
    )


def _hide_judge(judge: JudgeResult) -> JudgeResult:
    """Scores alone: a rubric is key, and what is said of an answer tells how it lies to it."""
    criteria = (replace(each, criterion=None, reasoning=()) for each in judge.criteria)
    return replace(judge, criteria=tuple(criteria), feedback=None, recommendations=())


def _without(cluster: FailureCluster, held_out: set[str]) -> FailureCluster:
    roots = (_root_without(root, held_out) for root in cluster.clusters)
    return replace(
        cluster,
        cases=_kept(cluster.cases, held_out),
        # What is wrong with a held-out answer tells its gold, and so does what mends it.
        clusters=tuple(root for root in roots if root.cases),
    )


def _root_without(root: RootCluster, held_out: set[str]) -> RootCluster:
    return replace(
        root,
        cases=_kept(root.cases, held_out),
        proven=_kept(root.proven, held_out),
        flips=_kept(root.flips, held_out),
    )


def _kept(cases: tuple[str, ...], held_out: set[str]) -> tuple[str, ...]:
    return tuple(case for case in cases if case not in held_out)
