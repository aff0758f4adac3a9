"""The one view of a record that every format draws."""

from dataclasses import dataclass

from goldsuite.model.diagnosis import FailureMode
from goldsuite.model.grade import OUTSIDE, Verdict
from goldsuite.model.run import Aggregate, CaseRecord, RunRecord
from goldsuite.report import wording
from goldsuite.report.figures import ABSENT, counted, duration, money, percent, value_text
from goldsuite.report.held_out import visible
from goldsuite.report.luck import LuckyPass, luck_summary, lucky_passes
from goldsuite.report.notices import notices_of
from goldsuite.report.process import judge_lines, process_lines
from goldsuite.report.roots import RootRow, root_rows
from goldsuite.report.slices import SliceTable, slice_tables
from goldsuite.runner.lock import LockState

__all__ = ["CaseRow", "Evidence", "Figure", "ModeRow", "ReportView", "view_record"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    label: str
    value: str
    detail: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class ModeRow:
    mode: FailureMode
    count: int
    share: float
    """Of all failures, 0 to 1."""
    meaning: str
    fix: str
    cases: tuple[str, ...]
    """Empty where they are held-out."""
    roots: tuple[RootRow, ...]
    """What exactly is wrong, the largest first; empty where the record does not tell."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseRow:
    id: str
    mark: str
    verdict: Verdict
    passed: bool
    detail: str
    """How it matched, or the failure mode, or what broke."""
    question: str
    """As it was asked; empty for a held-out case."""
    answer: str
    gold: str
    similarity: str
    flags: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """What an analyst reads to mend one failure."""

    id: str
    question: str
    mode: FailureMode | None
    sentences: tuple[str, ...]
    clauses: str
    """Those in which the two queries differ; empty where that was not measured."""
    gold_sql: str
    analyst_query: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ReportView:
    title: str
    subtitle: str
    headline: Figure
    figures: tuple[Figure, ...]
    context: str
    warehouse: str
    """What was asked of it at grading; empty where the record does not tell."""
    closeness: str
    """Of the SQL texts, clause by clause; empty where it was not measured."""
    usage: str
    """Tokens by kind; empty where no analyst told."""
    process: tuple[str, ...]
    """How the analyst worked, one line each; empty where no case asks."""
    judging: tuple[str, ...]
    """What a judge made of it; empty where nobody judged."""
    luck: str
    """How many passes were tried on small databases, and what came of it; empty where none was."""
    lucky: tuple[LuckyPass, ...]
    """Passes that were luck; none of held-out cases."""
    modes: tuple[ModeRow, ...]
    slices: tuple[SliceTable, ...]
    """By tag, metric, difficulty and target, where cases name them."""
    rows: tuple[CaseRow, ...]
    evidence: tuple[Evidence, ...]
    notices: tuple[str, ...]
    """What a reader must know besides, such as a drifted gold."""
    advice: str
    integrity: LockState
    """Of the locked answers file, against the hash in the record."""
    integrity_text: str
    record: RunRecord
    """As it may be shown."""


def view_record(record: RunRecord, *, integrity: LockState, reveal: bool = False) -> ReportView:
    """Build the view; without `reveal` nothing of a held-out case's gold gets into it."""
    shown = visible(record, reveal=reveal)
    named = [(case, _name(case, shown.aggregate)) for case in shown.cases]
    return ReportView(
        title=f"{shown.suite.name}: {shown.split}",
        subtitle=_subtitle(shown),
        headline=_headline(shown.aggregate),
        figures=_figures(shown),
        context=_context(shown),
        warehouse=_warehouse(shown),
        modes=_modes(shown),
        slices=slice_tables(shown),
        rows=tuple(_row(case, name=name) for case, name in named),
        evidence=tuple(_evidence(case, name=name) for case, name in named if _explains(case)),
        closeness=_closeness(shown.aggregate),
        usage=_usage(shown.aggregate),
        process=process_lines(shown),
        judging=judge_lines(shown),
        luck=luck_summary(shown),
        lucky=lucky_passes(shown),
        notices=notices_of(shown, revealed=reveal),
        advice=wording.ADVICE[shown.split],
        integrity=integrity,
        integrity_text=_integrity_text(shown, integrity),
        record=shown,
    )


def _subtitle(record: RunRecord) -> str:
    parts = [f"run {record.run_id}", f"analyst {record.analyst}"]
    if record.model:
        parts.append(record.model)
    parts.append(record.warehouse.engine)
    if record.selection:
        parts.append("partial: " + ", ".join(f"{k} {v}" for k, v in record.selection.items()))
    if record.changelog:
        parts.append(f"“{record.changelog}”")
    return " · ".join(parts)


def _headline(aggregate: Aggregate) -> Figure:
    if aggregate.accuracy is None or aggregate.accuracy_interval is None:
        return Figure(label="accuracy", value=ABSENT, detail="no case could be graded")
    low, high = aggregate.accuracy_interval
    return Figure(
        label="accuracy",
        value=percent(aggregate.accuracy),
        detail=(
            f"{aggregate.passed} of {_gradable(aggregate)}; "
            f"95 % interval {100 * low:.0f} to {100 * high:.0f} %"
        ),
    )


def _is_repeated(aggregate: Aggregate) -> bool:
    """Whether cases were asked several times, so that counts are of trials."""
    return aggregate.cases is not None and aggregate.cases < aggregate.selected


def _gradable(aggregate: Aggregate) -> str:
    if not _is_repeated(aggregate):
        return f"{aggregate.gradable} gradable cases"
    return f"{aggregate.gradable} gradable trials of {counted(aggregate.cases or 0, 'case')}"


def _name(case: CaseRecord, aggregate: Aggregate) -> str:
    return f"{case.id} (trial {case.trial})" if _is_repeated(aggregate) else case.id


def _figures(record: RunRecord) -> tuple[Figure, ...]:
    aggregate = record.aggregate
    counts = (
        f"{aggregate.selected} = {aggregate.passed} passed + {aggregate.failed} failed "
        f"+ {counted(aggregate.errors, 'error')} + {counted(aggregate.gold_errors, 'gold error')}"
    )
    if aggregate.without_gold:
        counts += f" + {aggregate.without_gold} without gold"
    cost = money(aggregate.total_cost)
    if record.run_cost is not None:
        cost += " (of the whole run, as given)"
    elif aggregate.total_cost is not None and aggregate.costed_trials < aggregate.selected:
        cost += f" (told by {aggregate.costed_trials} of {aggregate.selected})"
    return (
        Figure(label="trials" if _is_repeated(aggregate) else "cases", value=counts),
        Figure(label="accuracy of the graded", value=percent(aggregate.accuracy_graded)),
        Figure(label="strict accuracy", value=percent(aggregate.strict_accuracy)),
        Figure(label="execution accuracy", value=percent(aggregate.execution_accuracy)),
        Figure(label="faithfulness", value=percent(aggregate.faithfulness)),
        Figure(label="query similarity", value=percent(aggregate.avg_query_similarity)),
        Figure(label="latency", value=duration(aggregate.avg_latency_ms)),
        *_waiting(aggregate),
        Figure(label="cost", value=cost),
        Figure(label="cost per correct", value=money(aggregate.cost_per_correct)),
    )


def _waiting(aggregate: Aggregate) -> tuple[Figure, ...]:
    """Of runs whose analyst calls a service through us."""
    if aggregate.waited_ms is None:
        return ()
    retries = f"{aggregate.retries or 0:,} {'retry' if aggregate.retries == 1 else 'retries'}"
    waited = f"{duration(aggregate.waited_ms)} in all, {retries}; not in the latency"
    return (Figure(label="waited for the service", value=waited),)


def _context(record: RunRecord) -> str:
    state = record.context_state
    if state is None:
        return "no context directory was given"
    origin = f" (git {state.commit[:12]})" if state.commit else ""
    metrics = counted(state.count, "metric")
    names = f": {', '.join(state.metrics)}" if state.metrics else ""
    return f"dataset {state.dataset}{origin} defines {metrics}{names}"


def _warehouse(record: RunRecord) -> str:
    done, info = record.executions, record.warehouse
    if done is None:
        return ""
    doors = (
        f"{name} {door.executed} run for {door.asked} asked"
        for name, door in (("gold", done.gold), ("analyst", done.analyst))
    )
    zone = f"; time zone {info.time_zone}" if info.time_zone else ""
    held = f"; snapshot: {info.snapshot}" if info.snapshot else ""
    return f"statements: {', '.join(doors)}{zone}{held}"


def _closeness(aggregate: Aggregate) -> str:
    if aggregate.exact_match is None:
        return ""
    clauses = (
        f"{clause.value.replace('_', ' ')} {percent(share)}"
        for clause, share in (aggregate.component_match or {}).items()
    )
    return f"exact match {percent(aggregate.exact_match)}; same clauses: {', '.join(clauses)}"


def _usage(aggregate: Aggregate) -> str:
    kinds = (aggregate.total_tokens or {}).items()
    return ", ".join(f"{kind.replace('_', ' ')} {count:,}" for kind, count in kinds)


def _modes(record: RunRecord) -> tuple[ModeRow, ...]:
    total = sum(cluster.count for cluster in record.failure_modes)
    return tuple(
        ModeRow(
            mode=cluster.mode,
            count=cluster.count,
            share=cluster.count / total if total else 0.0,
            meaning=wording.MEANING[cluster.mode],
            fix=wording.FIX[cluster.mode],
            cases=cluster.cases,
            roots=root_rows((cluster,)),
        )
        for cluster in record.failure_modes
    )


def _row(case: CaseRecord, *, name: str) -> CaseRow:
    similarity = ABSENT if case.query_similarity is None else f"{case.query_similarity:.2f}"
    return CaseRow(
        id=name,
        mark=wording.MARK[case.verdict],
        verdict=case.verdict,
        passed=case.passed,
        detail=_detail(case),
        question="" if case.hidden else case.paraphrase or case.question,
        answer=_hidden(case) or _answer(case),
        gold=_hidden(case) or _gold(case),
        similarity=similarity,
        flags=case.flags,
    )


def _detail(case: CaseRecord) -> str:
    if case.label is not None:
        return f"{case.label.cause.value} (by hand)"
    if case.failure_mode is not None:
        return case.failure_mode.value
    if case.error is not None:
        return case.error
    if case.verdict is Verdict.CORRECT and not case.passed:
        return "lucky, counted as failed"
    return (case.matched or "").replace("_", " ")


def _hidden(case: CaseRecord) -> str:
    return "held out" if case.hidden else ""


def _answer(case: CaseRecord) -> str:
    if case.analyst_value:
        return case.analyst_value
    return "rows of its SQL" if case.analyst_query else ABSENT


def _gold(case: CaseRecord) -> str:
    return ABSENT if case.verdict in OUTSIDE else value_text(case.gold_value)


def _explains(case: CaseRecord) -> bool:
    return not case.passed and not case.hidden and case.verdict is not Verdict.NO_GOLD


def _evidence(case: CaseRecord, *, name: str) -> Evidence:
    found = (*(case.diagnosis.evidence if case.diagnosis else ()), *case.lineage, *_label(case))
    return Evidence(
        id=name,
        question=case.question,
        mode=case.failure_mode,
        sentences=tuple(dict.fromkeys((*((case.reason,) if case.reason else ()), *found))),
        clauses=_differing(case),
        gold_sql=case.gold_sql or "",
        analyst_query=case.analyst_query or "",
    )


def _label(case: CaseRecord) -> tuple[str, ...]:
    """What a person says against what was found."""
    if case.label is None:
        return ()
    found = case.failure_mode.value if case.failure_mode else "nothing"
    note = f": {case.label.note}" if case.label.note else ""
    return (f"Labelled {case.label.cause.value} by hand (found: {found}){note}.",)


def _differing(case: CaseRecord) -> str:
    clauses = [c for c, same in (case.component_match or {}).items() if not same]
    return ", ".join(clause.value.replace("_", " ") for clause in clauses)


def _integrity_text(record: RunRecord, integrity: LockState) -> str:
    short = record.answers_sha256[:12]
    locked = record.answers_locked_at.isoformat(timespec="seconds")
    opened = record.key_opened_at.isoformat(timespec="seconds")
    if integrity is LockState.INTACT:
        return f"answers locked {locked}, key opened {opened}; sha256 {short} verified"
    if integrity is LockState.MISSING:
        return f"answers file not found beside the record: sha256 {short} could not be verified"
    return f"BROKEN: the answers file no longer has sha256 {short}; this record cannot be trusted"
