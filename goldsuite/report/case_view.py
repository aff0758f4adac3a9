"""One case of a run for someone who wants to mend it: what was asked, said, run and found.

The view is lines with a tone each, so that a terminal can colour them, and a pipe and Markdown can
do without: every line says by a sign what its colour says.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from goldsuite.model.answer import Answer, TraceEvent
from goldsuite.model.diagnosis import Diagnosis
from goldsuite.model.run import CaseRecord, RunRecord
from goldsuite.report import wording
from goldsuite.report.figures import ABSENT, counted, duration, money, shorten, value_text
from goldsuite.report.luck import coincidence_lines
from goldsuite.sqltext.diff import BlockDiff, DiffLine, Side, diff_queries
from goldsuite.sqltext.parsing import parse_query

__all__ = ["CaseView", "Line", "Section", "Tone", "view_case"]

_TRACE_SHOWN = 40
_TRACE_WIDTH = 200
_SIGN = {Side.BOTH: " ", Side.ANALYST: "-", Side.GOLD: "+"}


class Tone(StrEnum):
    """What a line is, for those who colour it."""

    PLAIN = "plain"
    DIM = "dim"
    ANALYST = "analyst"
    GOLD = "gold"
    SQL = "sql"


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    text: str
    tone: Tone = Tone.PLAIN
    indent: int = 0
    """Columns that what is wrapped stands in by."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Section:
    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseView:
    heading: str
    sections: tuple[Section, ...]
    diff: tuple[BlockDiff, ...] | None
    """None where there are no two queries that can be read."""
    case: CaseRecord
    trace: tuple[TraceEvent, ...]


def view_case(record: RunRecord, case: CaseRecord, answer: Answer | None) -> CaseView:
    """The view of `case`, which may be shown; `answer` is its row of the answers file."""
    diff = None
    if case.gold_sql and case.analyst_query:
        diff = diff_queries(case.analyst_query, case.gold_sql, record.warehouse.dialect)
    trace = answer.reply.trace if answer is not None else ()
    sections = (
        Section(title="Question", lines=tuple(_question(case))),
        Section(title="Answer", lines=tuple(_answer(case))),
        Section(title="SQL", lines=tuple(_sql(case, diff))),
        Section(title="Why", lines=tuple(_why(case))),
        Section(title="Luck", lines=tuple(_luck(case))),
        Section(title="Repair", lines=tuple(_repair(case.diagnosis, record.warehouse.dialect))),
        Section(title="The analyst's work", lines=tuple(_work(case, trace))),
    )
    trial = f", trial {case.trial}" if record.repeat > 1 or case.trial > 1 else ""
    mark = wording.MARK[case.verdict]
    return CaseView(
        heading=f"{mark} {case.id}{trial}: {case.verdict.value} (run {record.run_id})",
        sections=tuple(section for section in sections if section.lines),
        diff=diff,
        case=case,
        trace=trace,
    )


def _question(case: CaseRecord) -> Iterator[Line]:
    yield Line(text=case.paraphrase or case.question)
    if case.paraphrase is not None:
        yield Line(text=f"(a paraphrase of: {case.question})", tone=Tone.DIM)


def _answer(case: CaseRecord) -> Iterator[Line]:
    if case.hidden:
        yield Line(text="held out: --reveal shows answer, gold and SQL", tone=Tone.DIM)
        return
    said = case.analyst_value or ("the rows of its SQL" if case.analyst_query else ABSENT)
    yield Line(text=f"- analyst  {said}", tone=Tone.ANALYST, indent=11)
    yield Line(text=f"+ gold     {value_text(case.gold_value)}", tone=Tone.GOLD, indent=11)
    if case.reason:
        yield Line(text=case.reason)
    if case.definition_source:
        yield Line(text=f"definition: {case.definition_source}", tone=Tone.DIM)
    if case.flags:
        yield Line(text=f"flags: {', '.join(case.flags)}", tone=Tone.DIM)


def _sql(case: CaseRecord, diff: Sequence[BlockDiff] | None) -> Iterator[Line]:
    if diff is not None:
        yield Line(text="- only the analyst's   + only the gold's", tone=Tone.DIM)
        for block in diff:
            yield from _block(block)
        return
    for sign, tone, sql in (
        ("-", Tone.ANALYST, case.analyst_query),
        ("+", Tone.GOLD, case.gold_sql),
    ):
        for text in (sql or "").strip().splitlines():
            yield Line(text=f"{sign} {text}", tone=tone, indent=4)


def _block(block: BlockDiff) -> Iterator[Line]:
    if block.name:
        yield Line(text=f"in {block.name}:", tone=Tone.DIM)
    before = ""
    for line in block.lines:
        yield _diff_line(line, "" if line.clause == before else line.clause)
        before = line.clause


def _diff_line(line: DiffLine, clause: str) -> Line:
    tone = {Side.BOTH: Tone.PLAIN, Side.ANALYST: Tone.ANALYST, Side.GOLD: Tone.GOLD}[line.side]
    return Line(text=f"{_SIGN[line.side]} {clause:<9}{line.text}", tone=tone, indent=13)


def _why(case: CaseRecord) -> Iterator[Line]:
    found = case.diagnosis
    if found is not None:
        causes = ", ".join(cause.value for cause in found.causes) or found.mode.value
        yield Line(text=f"{causes}  ({found.confidence} confidence, by {found.method})")
        yield from (Line(text=f"* {sentence}", indent=2) for sentence in found.evidence)
        if found.not_applicable:
            yield Line(text=f"* No repair was tried: {found.not_applicable}", indent=2)
        yield from (Line(text=f"* {text}", tone=Tone.DIM, indent=2) for text in found.latent)
    yield from (Line(text=f"* {sentence}", indent=2) for sentence in case.lineage)
    if case.label is not None:
        note = f": {case.label.note}" if case.label.note else ""
        when = case.label.labelled_at.date().isoformat()
        yield Line(text=f"labelled {case.label.cause.value} by hand on {when}{note}", indent=2)


def _luck(case: CaseRecord) -> Iterator[Line]:
    """Tables are shown as they are: their columns stand under each other."""
    for number, text in enumerate(coincidence_lines(case.coincidence)):
        yield Line(text=text, tone=Tone.SQL if number else Tone.PLAIN, indent=2)


def _repair(found: Diagnosis | None, dialect: str) -> Iterator[Line]:
    if found is None or found.repair is None:
        return
    yield from (Line(text=f"* {edit}", indent=2) for edit in found.repair.edits)
    yield Line(text=f"It was run and returned {found.repair.returns}:")
    yield from (
        Line(text=text, tone=Tone.SQL, indent=2) for text in _pretty(found.repair.sql, dialect)
    )
    yield from (Line(text=f"or: {text}", tone=Tone.DIM, indent=4) for text in found.alternatives)


def _pretty(sql: str, dialect: str) -> list[str]:
    """A clause a line, where the text can be read."""
    query = parse_query(sql, dialect)
    text = sql if query is None else query.sql(dialect=dialect, pretty=True)
    return text.strip().splitlines()


def _work(case: CaseRecord, trace: Sequence[TraceEvent]) -> Iterator[Line]:
    tokens = sum(count for kind, count in (case.tokens or {}).items() if kind != "thinking")
    told = [
        f"latency {duration(case.latency_ms)}" if case.latency_ms is not None else "",
        f"{tokens:,} tokens" if tokens else "",
        f"cost {money(case.cost)}" if case.cost is not None else "",
        counted(case.turns, "turn") if case.turns is not None else "",
        f"tools: {', '.join(case.tools)}" if case.tools else "",
        f"error: {case.error}" if case.error else "",
    ]
    if line := "; ".join(filter(None, told)):
        yield Line(text=line, tone=Tone.DIM, indent=2)
    if case.hidden:
        return
    for event in trace[:_TRACE_SHOWN]:
        name = f" {event.name}" if event.name else ""
        text = shorten(event.text, _TRACE_WIDTH)
        yield Line(text=f"{event.kind.replace('_', ' ')}{name}: {text}", indent=2)
    if len(trace) > _TRACE_SHOWN:
        rest = len(trace) - _TRACE_SHOWN
        yield Line(text=f"... {counted(rest, 'step')} more in answers.jsonl", tone=Tone.DIM)
