"""One case of the record from its parts: question, key, answer, grade, and what else was found.

Nothing is decided here: a new measure of a trial is a field of `GradedTrial` and a line below it.
"""

from dataclasses import dataclass

from goldsuite.model.answer import Answer, Reply
from goldsuite.model.coincidence import Coincidence
from goldsuite.model.diagnosis import Diagnosis
from goldsuite.model.grade import Component, Grade, Similarity
from goldsuite.model.key import GoldCase
from goldsuite.model.process import ProcessScores
from goldsuite.model.question import Trial
from goldsuite.model.run import CallRecord, CaseRecord
from goldsuite.pipeline.json_value import json_value
from goldsuite.suite.case_hash import case_sha256

__all__ = ["GradedTrial", "case_record", "query_of"]


@dataclass(frozen=True, kw_only=True, slots=True)
class GradedTrial:
    """All that is known of one trial once it was graded."""

    trial: Trial
    case: GoldCase
    answer: Answer
    grade: Grade
    gold_drift: str | None
    """One sentence where the stored value is no longer the recomputed one."""
    similarity: Similarity | None
    """None where there are no two texts to compare."""
    components: dict[Component, bool] | None
    """None also where a text cannot be read."""
    diagnosis: Diagnosis | None
    """None unless the trial failed."""
    flags: tuple[str, ...]
    """Those of the grade, and those that need more than the grade's inputs; sorted."""
    coincidence: Coincidence | None = None
    """None unless the trial passed by SQL and was examined."""
    process: ProcessScores | None = None
    """None where the case asks for none, or the analyst broke."""
    suspicions: tuple[str, ...] = ()
    """Why its trace looks as if the key had been seen; whole sentences."""
    lineage: tuple[str, ...] = ()
    """What its SQL reads against the rules, or lacks of a definition that it claims; sentences."""


def query_of(reply: Reply) -> str | None:
    """The SQL that a reply gives; a blank one is none."""
    return reply.query if reply.query and reply.query.strip() else None


def case_record(graded: GradedTrial) -> CaseRecord:
    """The record of one trial."""
    case, grade, answer = graded.case, graded.grade, graded.answer
    reply, similar, diagnosis = answer.reply, graded.similarity, graded.diagnosis
    return CaseRecord(
        id=case.id,
        trial=graded.trial.number,
        split=graded.trial.question.split,
        question=case.question,
        tags=case.tags,
        difficulty=case.difficulty,
        kind=grade.kind,
        verdict=grade.verdict,
        passed=grade.passed,
        matched=grade.matched,
        unit_adjusted=grade.matched == "unit_adjusted",
        reason=grade.reason,
        gold_value=json_value(grade.gold_value),
        gold_stored=json_value(case.gold_value) if case.has_gold_value else None,
        gold_drift=graded.gold_drift,
        paraphrase=None if graded.trial.paraphrase is None else graded.trial.text,
        analyst_value=reply.value,
        gold_sql=case.gold_sql[grade.gold_sql_index] if case.gold_sql else None,
        analyst_query=reply.query,
        query_diff=similar.query_diff if similar else None,
        query_similarity=round(similar.query_similarity, 4) if similar else None,
        exact_match=None if graded.components is None else all(graded.components.values()),
        component_match=graded.components,
        execution_match=grade.execution_match,
        mismatches=grade.mismatches,
        partial_score=grade.partial_score,
        faithfulness=grade.faithfulness,
        definition_source=reply.definition_source,
        decimal_mark=None if case.decimal_mark == "auto" else case.decimal_mark,
        latency_ms=answer.latency_ms,
        waited_ms=answer.waited_ms,
        retries=answer.retries,
        tokens=reply.usage.by_kind() if reply.usage else None,
        cost=None if reply.cost is None else float(reply.cost),
        turns=reply.turns,
        tools=reply.tools,
        calls=_calls(reply),
        skills=reply.skills,
        queries_run=None if reply.queries is None else len(reply.queries),
        error=reply.error,
        error_source=reply.error_source,
        must_pass=case.must_pass,
        failure_mode=diagnosis.mode if diagnosis else None,
        failure_labels=diagnosis.labels if diagnosis else (),
        diagnosis=diagnosis,
        coincidence=graded.coincidence,
        target=case.target,
        metric=case.metric,
        case_sha256=case_sha256(case),
        process=graded.process,
        flags=graded.flags,
        suspicions=graded.suspicions,
        lineage=graded.lineage,
    )


def _calls(reply: Reply) -> tuple[CallRecord, ...] | None:
    if reply.calls is None:
        return None
    return tuple(CallRecord(name=call.name, accepted=call.accepted) for call in reply.calls)
