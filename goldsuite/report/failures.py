"""The failures of a run by what exactly is wrong: text, Markdown, JSON."""

import json
from collections.abc import Iterator
from dataclasses import asdict

from goldsuite.model.run import RunRecord
from goldsuite.report.figures import ABSENT, counted, printable
from goldsuite.report.held_out import visible
from goldsuite.report.markdown import markdown_table, markdown_text
from goldsuite.report.roots import RootRow, root_rows

__all__ = ["failures_json", "failures_markdown", "failures_text"]

_INDENT = "    "
_NO_CLUSTERS = "The record tells no roots: it was written before they were told."


def failures_text(record: RunRecord, *, reveal: bool) -> str:
    """Each cluster with its cases, its proof and what to write down; plain lines.

    Held-out failures are counted, and named with `reveal` alone.
    """
    return "".join(f"{line}\n" for line in _text_lines(visible(record, reveal=reveal)))


def _text_lines(record: RunRecord) -> Iterator[str]:
    yield _heading(record)
    yield from _notes(record)
    for number, row in enumerate(root_rows(record.failure_modes), start=1):
        yield ""
        yield f"{number}. {row.id}  ({row.mode.value}; {row.proof})"
        yield f"{_INDENT}{printable(row.root)}"
        yield f"{_INDENT}cases: {', '.join(map(printable, row.cases))}"
        if row.suggestion is not None:
            yield f"{_INDENT}fix: {printable(row.suggestion.text)}"
            yield from _entry_lines(row)
    tryable = _tryable(record)
    if tryable is not None:
        yield ""
        yield f"Try one before you write it down: goldsuite try {record.run_id} {tryable}"


def _entry_lines(row: RootRow) -> Iterator[str]:
    found = row.suggestion
    if found is None or found.entry is None:
        return
    yield f"{_INDENT}in {found.file}:"
    for line in found.entry.splitlines():
        yield f"{_INDENT}  {printable(line)}"


def failures_markdown(record: RunRecord, *, reveal: bool) -> str:
    """The same as Markdown; text of agents and queries is escaped, entries stand in fences."""
    return "".join(f"{line}\n" for line in _markdown_lines(visible(record, reveal=reveal)))


def _markdown_lines(record: RunRecord) -> Iterator[str]:
    yield f"# {markdown_text(_heading(record))}"
    yield ""
    for note in _notes(record):
        yield markdown_text(note)
        yield ""
    rows = root_rows(record.failure_modes)
    yield markdown_table(
        ("cluster", "mode", "cases", "proof", "root"),
        [
            (
                markdown_text(row.id),
                row.mode.value,
                ", ".join(map(markdown_text, row.cases)) or ABSENT,
                row.proof,
                markdown_text(row.root),
            )
            for row in rows
        ],
    )
    for row in rows:
        yield from _markdown_suggestion(row)


def _markdown_suggestion(row: RootRow) -> Iterator[str]:
    found = row.suggestion
    if found is None:
        return
    yield f"## {markdown_text(row.id)}"
    yield ""
    yield markdown_text(found.text)
    yield ""
    if found.entry is not None:
        # Four spaces make a block that no back-ticks inside can end.
        yield f"In `{found.file}`:"
        yield ""
        yield from (f"    {printable(line)}" for line in found.entry.splitlines())
        yield ""


def failures_json(record: RunRecord, *, reveal: bool) -> str:
    """The clusters as one JSON object, the largest first."""
    shown = visible(record, reveal=reveal)
    plain = {
        "run_id": shown.run_id,
        "failed": sum(cluster.count for cluster in shown.failure_modes),
        "held_out": _held_out(shown),
        "clusters": [
            {"mode": row.mode.value, "count": row.count, **asdict(row.cluster)}
            for row in root_rows(shown.failure_modes)
        ],
    }
    return json.dumps(plain, indent=2, ensure_ascii=False) + "\n"


def _heading(record: RunRecord) -> str:
    failed = sum(cluster.count for cluster in record.failure_modes)
    clusters = sum(len(cluster.clusters) for cluster in record.failure_modes)
    if not failed:
        return f"run {record.run_id}: no case failed"
    case = "failed case" if failed == 1 else "failed cases"
    return f"run {record.run_id}: {failed} {case} in {counted(clusters, 'cluster')}"


def _notes(record: RunRecord) -> Iterator[str]:
    if hidden := _held_out(record):
        yield f"{counted(hidden, 'held-out failure')} not shown; --reveal names them."
    elif record.failure_modes and not root_rows(record.failure_modes):
        yield _NO_CLUSTERS


def _held_out(record: RunRecord) -> int:
    """Failures that are counted and not named."""
    return sum(cluster.count - len(cluster.cases) for cluster in record.failure_modes)


def _tryable(record: RunRecord) -> str | None:
    """The largest cluster whose suggestion can be laid over the context."""
    rows = root_rows(record.failure_modes)
    return next((r.id for r in rows if r.suggestion is not None and r.suggestion.entry), None)
