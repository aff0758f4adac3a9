"""Why an answer is wrong, proven by running the analyst's query with parts of the gold's.

First what the answer itself shows; then the smallest set of differences whose repair gives the
gold's result; then a name for each of them, with probes where a name has to be proven. Where the
queries cannot be taken apart or nothing may be executed, their structure alone is compared.
"""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from goldsuite.diagnosis.answer_checks import AnswerFinding, check_answer
from goldsuite.diagnosis.bench import Bench
from goldsuite.diagnosis.classify import classify
from goldsuite.diagnosis.counterfactual.experiment import Allowance
from goldsuite.diagnosis.counterfactual.normal import NotApplicableError
from goldsuite.diagnosis.counterfactual.preparing import Schema
from goldsuite.diagnosis.failure import Failure
from goldsuite.diagnosis.parents import causes_in_order, parent_of
from goldsuite.diagnosis.proof import Proof, prove
from goldsuite.model.diagnosis import Cause, Diagnosis, FailureMode
from goldsuite.model.result_set import Execution, ResultSet
from goldsuite.sqltext.parsing import UNREADABLE

__all__ = ["diagnose", "diagnose_all"]

_SLIP = "the SQL is of a form that could not be taken apart"
"""Where sqlglot slips on a tree of its own."""


def diagnose(failure: Failure, bench: Bench, *, schema: Schema | None = None) -> Diagnosis:
    """Diagnose one failure. Raises nothing: what cannot be told is `unclassified`, and why.

    `schema` is what the bench's catalog tells, where it was read before.
    """
    started = time.monotonic()
    execute = bench.execute
    if execute is None or bench.budget <= 0:
        found = _without_running(failure, bench)
        return replace(found, elapsed_ms=_elapsed(started))
    allowance = Allowance(execute, executions=bench.budget, deadline=started + bench.deadline_s)
    found = _diagnose(failure, bench, allowance, schema or Schema.of(bench.catalog))
    return replace(found, executions=allowance.used, elapsed_ms=_elapsed(started))


def diagnose_all(
    failures: Sequence[Failure], bench: Bench, *, workers: int = 2
) -> tuple[Diagnosis, ...]:
    """Diagnose many failures at once, in threads: the warehouse does most of the work.

    Raises:
        ValueError: `workers` is less than 1.
    """
    if workers < 1:
        raise ValueError(f"{workers} workers diagnose nothing")
    schema = Schema.of(bench.catalog)
    with ThreadPoolExecutor(max_workers=workers, thread_name_prefix="goldsuite-diagnose") as pool:
        return tuple(pool.map(lambda failure: diagnose(failure, bench, schema=schema), failures))


def _elapsed(started: float) -> float:
    return round((time.monotonic() - started) * 1000, 1)


def _diagnose(failure: Failure, bench: Bench, allowance: Allowance, schema: Schema) -> Diagnosis:
    predicted = failure.predicted or _executed(failure.predicted_sql, allowance)
    gold = failure.gold or _executed(failure.gold_sql, allowance)
    if failure.predicted_sql is not None:
        allowance.remember(predicted, failure.predicted_sql)
    wanted = _complete(gold)
    answer = check_answer(failure, predicted, wanted)
    if answer.settled:
        return _from_answer(answer, failure)
    own = _complete(predicted)
    if failure.gold_sql is None or failure.predicted_sql is None or wanted is None or own is None:
        return _with_answer(_structure(failure, bench), answer)
    try:
        proof = prove(failure, bench, allowance, own=own, gold=wanted, schema=schema)
    except (NotApplicableError, *UNREADABLE) as error:
        reason = str(error) if isinstance(error, NotApplicableError) else _SLIP
        found = replace(_structure(failure, bench), not_applicable=f"{reason}.")
        return _with_answer(found, answer)
    if proof is None:
        return _with_answer(_unproven(failure, bench, allowance), answer)
    if proof.causes == (Cause.UNCLASSIFIED,):
        return _with_answer(_named_by_structure(_from_proof(proof, answer), failure, bench), answer)
    return _from_proof(proof, answer)


def _executed(sql: str | None, allowance: Allowance) -> Execution | None:
    return allowance.run(sql) if sql is not None else None


def _complete(execution: Execution | None) -> ResultSet | None:
    result = execution.result if execution is not None else None
    return None if result is None or result.truncated else result


def _without_running(failure: Failure, bench: Bench) -> Diagnosis:
    """Only what the answer and what was executed before tell, and the queries' structure."""
    answer = check_answer(failure, failure.predicted, _complete(failure.gold))
    if answer.settled and answer.causes:
        return _from_answer(answer, failure)
    return _with_answer(_structure(failure, bench), answer)


def _structure(failure: Failure, bench: Bench) -> Diagnosis:
    found = classify(failure, dictionary=bench.dictionary, catalog=bench.catalog)
    causes = tuple(Cause(mode.value) for mode in found.labels)
    return replace(found, cause=causes[0], causes=causes)


def _named_by_structure(found: Diagnosis, failure: Failure, bench: Bench) -> Diagnosis:
    """The queries had too little in common for small repairs; their structure may tell a cause."""
    told = _structure(failure, bench)
    if told.cause is Cause.UNCLASSIFIED:
        return found
    return replace(
        told, evidence=(*found.evidence, *told.evidence), repair=found.repair, confidence="low"
    )


def _unproven(failure: Failure, bench: Bench, allowance: Allowance) -> Diagnosis:
    found = _structure(failure, bench)
    why = (
        f"No repair was found within {allowance.used} executions; what follows is what the two"
        " queries' structure shows."
    )
    return replace(found, evidence=(why, *found.evidence), confidence="low")


def _from_answer(answer: AnswerFinding, failure: Failure) -> Diagnosis:
    causes = causes_in_order(answer.causes)
    labels = _modes(causes)
    return Diagnosis(
        mode=labels[0],
        labels=labels,
        evidence=answer.evidence or (failure.reason,),
        confidence="high" if answer.causes else "low",
        method="answer",
        cause=causes[0],
        causes=causes,
        root=causes[0].value,
    )


def _with_answer(found: Diagnosis, answer: AnswerFinding) -> Diagnosis:
    """What the answer shows beside what its SQL does."""
    if not answer.causes:
        return found
    own = [cause for cause in found.causes if cause is not Cause.UNCLASSIFIED]
    causes = causes_in_order((*answer.causes, *own))
    labels = found.labels if own else _modes(causes)
    return replace(
        found,
        mode=labels[0],
        labels=labels,
        evidence=(*answer.evidence, *found.evidence),
        cause=causes[0],
        causes=causes,
    )


def _from_proof(proof: Proof, answer: AnswerFinding) -> Diagnosis:
    causes = causes_in_order((*answer.causes, *proof.causes))
    labels = _modes(causes, measured=proof.measured)
    return Diagnosis(
        mode=labels[0],
        labels=labels,
        evidence=(*answer.evidence, *proof.evidence),
        confidence=proof.confidence,
        method="counterfactual",
        cause=causes[0],
        causes=causes,
        repair=proof.repair,
        latent=proof.latent,
        alternatives=proof.alternatives,
        root=proof.root,
    )


def _modes(causes: Sequence[Cause], *, measured: bool = False) -> tuple[FailureMode, ...]:
    """The modes that the causes are shown under, by the causes' precedence."""
    modes = dict.fromkeys(parent_of(cause, measured=measured) for cause in causes)
    told = tuple(mode for mode in modes if mode is not FailureMode.UNCLASSIFIED)
    return told if told and parent_of(causes[0]) in told else tuple(modes)
