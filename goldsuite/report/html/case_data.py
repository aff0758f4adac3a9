"""The cases as the page's script gets them: rows of the list, and what opens behind each of them.

Both are plain JSON values. What is absent or empty is left out, so that five thousand cases stay
small.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from goldsuite.model.answer import TraceEvent
from goldsuite.model.coincidence import Counterexample, ShownTable
from goldsuite.model.diagnosis import Diagnosis, Repair
from goldsuite.model.judge import JudgeResult
from goldsuite.model.run import CaseRecord, JsonValue
from goldsuite.report.figures import ABSENT, counted, duration, money, percent, value_text
from goldsuite.report.html.sql_spans import sql_spans
from goldsuite.report.luck import coincidence_lines
from goldsuite.report.process import score_text
from goldsuite.report.view import CaseRow, ReportView
from goldsuite.sqltext.diff import BlockDiff, diff_queries
from goldsuite.sqltext.parsing import UNREADABLE, parse_query

__all__ = ["MOST_DIFFS", "Traces", "case_details", "case_rows"]

Traces = Mapping[tuple[str, int], Sequence[TraceEvent]]
"""The analyst's steps by case and trial."""

MOST_DIFFS = 1000
"""Pairs of queries that are compared part by part, failures first; each takes about 10 ms."""
_MOST_ROWS = 50
_MOST_STEPS = 200
_LONGEST_STEP = 4000
"""Characters."""


def case_rows(view: ReportView) -> list[dict[str, Any]]:
    """One row per trial, in the order of the suite."""
    return [
        _row(row, case) for row, case in zip(view.rows, view.record.cases, strict=True)
    ]  # fmt: skip


def _row(row: CaseRow, case: CaseRecord) -> dict[str, Any]:
    return _given(
        {
            "id": row.id,
            "question": case.paraphrase or case.question,
            "verdict": row.verdict.value,
            "mark": row.mark,
            "passed": row.passed,
            "mode": case.failure_mode and case.failure_mode.value,
            "detail": row.detail,
            "answer": row.answer,
            "gold": row.gold,
            "tags": list(case.tags),
            "similarity": case.query_similarity,
            "latency": case.latency_ms,
            "latency_text": _told(duration(case.latency_ms)),
            "cost": case.cost,
            "cost_text": _told(money(case.cost)),
        }
    )


def case_details(view: ReportView, traces: Traces) -> list[dict[str, Any]]:
    """What is shown of each trial when it is opened, in the order of `case_rows`."""
    dialect = view.record.warehouse.dialect
    diffs = _diffs(view.record.cases, dialect)
    return [
        _given(_detail(case, dialect, diffs, traces.get((case.id, case.trial), ())))
        for case in view.record.cases
    ]


def _detail(
    case: CaseRecord,
    dialect: str,
    diffs: Mapping[tuple[str, str], tuple[BlockDiff, ...] | None],
    trace: Sequence[TraceEvent],
) -> dict[str, Any]:
    pair = (case.analyst_query or "", case.gold_sql or "")
    found = case.diagnosis
    return {
        "asked_for": case.question if case.paraphrase is not None else None,
        "hidden": case.hidden or None,
        "facts": [[name, text] for name, text in _facts(case) if text],
        "reason": case.reason,
        "error": case.error,
        "gold_rows": _gold_rows(case.gold_value),
        "analyst_sql": sql_spans(pair[0], dialect),
        "gold_sql": sql_spans(pair[1], dialect),
        "diff": _diff(diffs.get(pair)),
        "diff_left_out": (_differs(case) and pair not in diffs) or None,
        "cause": found and _cause(found),
        "evidence": list(_evidence(case)),
        "latent": list(found.latent) if found else None,
        "repair": found and found.repair and _repair(found.repair, found, dialect),
        "luck": _luck(case),
        "counterexample": _tables(case.coincidence.counterexample if case.coincidence else None),
        "judge": case.judge and list(_judge(case.judge)),
        "trace": [] if case.hidden else list(_trace(trace)),
        "trace_more": None if case.hidden else max(len(trace) - _MOST_STEPS, 0) or None,
    }


def _given(plain: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in plain.items() if value not in (None, "", [], ())}


def _told(text: str) -> str | None:
    return None if text == ABSENT else text


def _facts(case: CaseRecord) -> Iterator[tuple[str, str | None]]:
    tokens = sum(count for kind, count in (case.tokens or {}).items() if kind != "thinking")
    similarity = case.query_similarity
    yield "split", case.split
    yield "tags", ", ".join(case.tags)
    yield "metric", case.metric
    yield "difficulty", case.difficulty
    yield "target", case.target
    yield "matched", (case.matched or "").replace("_", " ")
    yield "definition", case.definition_source
    yield "faithfulness", (case.faithfulness or "").replace("_", " ")
    yield "query similarity", None if similarity is None else f"{similarity:.2f}"
    yield "flags", ", ".join(case.flags)
    yield "gold drift", case.gold_drift
    yield "latency", _told(duration(case.latency_ms))
    yield "cost", _told(money(case.cost))
    yield "tokens", f"{tokens:,}" if tokens else None
    yield "turns", None if case.turns is None else f"{case.turns:,}"
    yield "tools", ", ".join(case.tools or ())
    yield from _process(case)


def _process(case: CaseRecord) -> Iterator[tuple[str, str | None]]:
    scores = case.process
    if scores is None:
        return
    yield "process score", _told(percent(scores.score))
    yield "expected and not used", ", ".join((*scores.missing_tools, *scores.missing_skills))


def _gold_rows(value: JsonValue) -> dict[str, Any] | None:
    if not isinstance(value, list):
        return None
    shown = [[value_text(cell) for cell in row] for row in value[:_MOST_ROWS]]
    return _given({"rows": shown, "more": max(len(value) - _MOST_ROWS, 0) or None})


def _differs(case: CaseRecord) -> bool:
    return bool(case.gold_sql and case.analyst_query and case.query_diff != "identical")


def _diffs(
    cases: Sequence[CaseRecord], dialect: str
) -> dict[tuple[str, str], tuple[BlockDiff, ...] | None]:
    failures_first = sorted(filter(_differs, cases), key=lambda case: case.passed)
    pairs = dict.fromkeys(
        (case.analyst_query or "", case.gold_sql or "") for case in failures_first
    )
    return {pair: diff_queries(*pair, dialect) for pair in islice(pairs, MOST_DIFFS)}


def _diff(found: tuple[BlockDiff, ...] | None) -> list[dict[str, Any]]:
    return [
        {"name": block.name, "lines": [[x.clause, x.side.value, x.text] for x in block.lines]}
        for block in found or ()
    ]


def _cause(found: Diagnosis) -> str:
    causes = ", ".join(cause.value for cause in found.causes) or found.mode.value
    return f"{causes} ({found.confidence} confidence, by {found.method})"


def _evidence(case: CaseRecord) -> Iterator[str]:
    found = case.diagnosis
    if found is not None:
        yield from found.evidence
        if found.not_applicable:
            yield f"No repair was tried: {found.not_applicable}"
    yield from case.lineage
    yield from case.suspicions
    if case.label is not None:
        note = f": {case.label.note}" if case.label.note else ""
        yield f"Labelled {case.label.cause.value} by hand{note}"


def _repair(repair: Repair, found: Diagnosis, dialect: str) -> dict[str, Any]:
    return {
        "edits": list(repair.edits),
        "returns": repair.returns,
        "sql": sql_spans(_pretty(repair.sql, dialect), dialect),
        "alternatives": list(found.alternatives),
    }


def _pretty(sql: str, dialect: str) -> str:
    """A clause a line, where the text can be read."""
    try:
        query = parse_query(sql, dialect)
        return sql if query is None else query.sql(dialect=dialect, pretty=True)
    except UNREADABLE:
        return sql


def _luck(case: CaseRecord) -> list[str]:
    """The sentences; the tables follow as tables."""
    found = case.coincidence
    sentences = 1 + (found is not None and found.reason is not None)
    return list(islice(coincidence_lines(found), sentences))


def _tables(example: Counterexample | None) -> list[dict[str, Any]]:
    if example is None:
        return []
    return [_table(table) for table in (*example.tables, example.gold, example.analyst)]


def _table(table: ShownTable) -> dict[str, Any]:
    rows = [["NULL" if cell is None else _cell(cell) for cell in row] for row in table.rows]
    return {"name": table.name, "columns": list(table.columns), "rows": rows}


def _cell(cell: float | str) -> str:
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def _judge(judge: JudgeResult) -> Iterator[str]:
    if judge.error is not None:
        yield f"Not judged: {judge.error}"
        return
    yield f"{score_text(judge.score)} of 5, {judge.verdict}"
    for each in judge.criteria:
        said = f": {each.reasoning[0]}" if each.reasoning else ""
        yield f"{each.criterion or 'criterion'}: {score_text(each.score)}{said}"
    if judge.feedback:
        yield judge.feedback
    yield from judge.recommendations


def _trace(trace: Sequence[TraceEvent]) -> Iterator[dict[str, str]]:
    for event in trace[:_MOST_STEPS]:
        rest = len(event.text) - _LONGEST_STEP
        more = f" … {counted(rest, 'character')} more" if rest > 0 else ""
        head = " ".join(filter(None, (event.kind.replace("_", " "), event.name)))
        yield {"head": head, "text": event.text[:_LONGEST_STEP] + more}
