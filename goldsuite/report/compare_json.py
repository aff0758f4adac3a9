"""A comparison as JSON: every figure as a number, what was not measured as null."""

import json
from dataclasses import asdict
from typing import Any

from goldsuite.comparison.compare import Comparison
from goldsuite.comparison.pairing import CasePair, CaseState
from goldsuite.comparison.score_changes import ScoreChange
from goldsuite.comparison.stable_differences import StableDifference
from goldsuite.model.run import CaseRecord, RunRecord
from goldsuite.report.compare_view import PairRow, view_comparison

__all__ = ["compare_json"]


def compare_json(found: Comparison) -> str:
    """Two-space JSON; of held-out cases the ids, states and verdicts alone."""
    view = view_comparison(found)
    pairs = {pair.id: pair for pair in found.pairing.pairs}
    held_out = {pair.id for pair in pairs.values() if pair.split == "test"}
    plain = {
        "first": _side(found.first),
        "second": _side(found.second),
        "not_comparable": [asdict(obstacle) for obstacle in found.obstacles],
        "changes": view.changes,
        "verdict": found.outcome,
        "test": found.test,
        "p_value": found.p_value,
        "gain": found.gain,
        "gain_interval": found.gain_interval,
        "cases_needed": found.cases_needed,
        "counts": {"compared": len(found.pairing.compared)}
        | {state.value: len(found.pairing.of(state)) for state in CaseState},
        "figures": [asdict(figure) | {"delta": figure.delta} for figure in found.figures],
        "failure_modes": [asdict(change) for change in found.modes],
        "scores": [_score(c) for c in found.scores if c.case not in held_out],
        "stable_but_differ": [_stable(case) for case in found.stable_but_differ],
        "regressions": [row.id for row in view.regressions],
        "wins": [row.id for row in view.wins],
        "cases": [_case(row, pairs[row.id]) for row in view.rows],
        "only_first": found.pairing.only_first,
        "only_second": found.pairing.only_second,
        "notices": view.notices,
    }
    return json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _side(record: RunRecord) -> dict[str, Any]:
    return {
        "run_id": record.run_id,
        "started_at": record.started_at.isoformat(),
        "split": record.split,
        "suite": record.suite.name,
        "suite_sha256": record.suite.sha256_at_grading,
        "analyst": record.analyst,
        "model": record.model,
        "changelog": record.changelog,
        "accuracy": record.aggregate.accuracy,
        "accuracy_interval": record.aggregate.accuracy_interval,
    }


def _score(change: ScoreChange) -> dict[str, Any]:
    return asdict(change) | {"delta": change.delta, "flagged": change.is_drop}


def _stable(case: StableDifference) -> dict[str, str]:
    if case.split == "test":
        return {"case": case.case}
    return {"case": case.case, "first": case.first, "second": case.second}


def _case(row: PairRow, pair: CasePair) -> dict[str, Any]:
    case: dict[str, Any] = {
        "id": row.id,
        "split": pair.split,
        "state": row.state,
        "why_not": pair.why_not or None,
        "first_verdicts": [trial.verdict for trial in pair.first],
        "second_verdicts": [trial.verdict for trial in pair.second],
        "difference": None if pair.difference is None else float(pair.difference),
    }
    if not row.held_out:
        case["first"] = [_trial(trial) for trial in pair.first]
        case["second"] = [_trial(trial) for trial in pair.second]
    return case


def _trial(trial: CaseRecord) -> dict[str, Any]:
    return {
        "trial": trial.trial,
        "passed": trial.passed,
        "analyst_value": trial.analyst_value,
        "query_similarity": trial.query_similarity,
        "latency_ms": trial.latency_ms,
        "cost": trial.cost,
        "tokens": trial.tokens,
        "failure_mode": trial.failure_mode,
    }
