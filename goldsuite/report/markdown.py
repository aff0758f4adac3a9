"""The report as Markdown, for a pull request or a page. Text of agents is escaped.

What a reviewer needs at a glance stands open, all else in parts that fold out. Where a report has
to fit into a comment, the last entries of the long parts are left out, and counted.
"""

from collections.abc import Iterator

from goldsuite.report import wording
from goldsuite.report.figures import ABSENT, printable, shorten
from goldsuite.report.luck import LuckyPass
from goldsuite.report.markdown_parts import (
    Part,
    fitting,
    markdown_code,
    markdown_table,
    markdown_text,
)
from goldsuite.report.roots import RootRow
from goldsuite.report.view import CaseRow, Evidence, ModeRow, ReportView
from goldsuite.runner.lock import LockState

__all__ = ["COMMENT_LIMIT", "markdown_report", "markdown_table", "markdown_text"]

COMMENT_LIMIT = 65_536
"""Bytes: GitHub refuses a longer comment, and GitLab's and Bitbucket's limits are no smaller."""

_MOST_IDS = 10
_CASE_HEAD = ("case", "verdict", "answer", "gold", "how or why", "similarity")


def markdown_report(view: ReportView, *, limit: int | None = None) -> str:
    """The report as one Markdown text, with a newline at its end.

    Args:
        limit: bytes in UTF-8 that the text is fitted to, by leaving out the last entries of its
            folded parts; None leaves nothing out.
    """
    return fitting("\n".join(_open(view)), tuple(_parts(view)), limit)


def _open(view: ReportView) -> Iterator[str]:
    """What is read without unfolding anything."""
    yield f"# {markdown_text(view.title)}"
    yield ""
    yield markdown_text(view.subtitle)
    yield ""
    for warning in _warnings(view):
        yield f"> **{markdown_text(warning)}**"
        yield ""
    yield f"**{view.headline.label} {view.headline.value}** ({view.headline.detail})"
    yield ""
    cases = view.figures[0]
    yield f"{cases.label}: {markdown_text(cases.value)}"
    yield ""
    yield f"**{markdown_text(view.advice)}**"
    yield ""
    if view.modes:
        yield "## Why the failures failed"
        yield ""
        yield markdown_table(("mode", "count", "fix", "cases"), map(_mode, view.modes))


def _warnings(view: ReportView) -> Iterator[str]:
    if view.integrity is LockState.CHANGED:
        yield view.integrity_text
    if view.record.altered:
        yield wording.ALTERED


def _mode(mode: ModeRow) -> tuple[str, ...]:
    return mode.mode.value, str(mode.count), markdown_text(mode.fix), _ids(mode.cases)


def _ids(cases: tuple[str, ...]) -> str:
    more = f" and {len(cases) - _MOST_IDS} more" if len(cases) > _MOST_IDS else ""
    return ", ".join(map(markdown_text, cases[:_MOST_IDS])) + more or ABSENT


def _parts(view: ReportView) -> Iterator[Part]:
    """The folded parts, in the order in which room is given to them."""
    yield Part(title="Figures", head="\n".join(_figures(view)))
    if view.slices:
        yield Part(title="Slices", head="\n".join(_slices(view)))
    yield Part(title="Notes", head="\n".join(_notes(view)))
    roots = [root for mode in view.modes for root in mode.roots]
    if roots:
        yield Part(
            title="Clusters of failures",
            head=markdown_table(("cluster", "root", "proof", "what to write down"), ()).rstrip(),
            entries=tuple(f"| {' | '.join(_root(root))} |" for root in roots),
        )
    table = markdown_table(_CASE_HEAD, ()).rstrip("\n")
    yield Part(
        title=f"{view.figures[0].label.capitalize()} ({len(view.rows):,})",
        head=table,
        entries=tuple(f"| {' | '.join(_case(row))} |" for row in view.rows),
    )
    if view.evidence:
        entries = tuple("\n".join(_evidence(item)) for item in view.evidence)
        yield Part(title="Evidence", entries=entries)
    if view.lucky:
        yield Part(title="Lucky passes", entries=tuple("\n".join(_lucky(p)) for p in view.lucky))


def _figures(view: ReportView) -> Iterator[str]:
    measured = [(f.label, markdown_text(f.value)) for f in view.figures if f.value != ABSENT]
    yield markdown_table(("figure", "value"), measured)
    told = (
        ("Context", (view.context,)),
        ("Warehouse", (view.warehouse,)),
        ("SQL texts", (view.closeness,)),
        ("Tokens", (view.usage,)),
        ("Lucky passes", (view.luck,)),
        ("Process", view.process),
        ("Judge", view.judging),
    )
    for label, lines in told:
        yield from (f"- {label}: {markdown_text(line)}" for line in lines if line)


def _slices(view: ReportView) -> Iterator[str]:
    head = ("by", "slice", "cases", "passed", "accuracy", "95 % interval")
    rows = [
        (
            table.by,
            markdown_text(row.name),
            str(row.cases),
            f"{row.passed} of {row.gradable}",
            row.accuracy,
            row.interval,
        )
        for table in view.slices
        for row in table.rows
    ]
    yield markdown_table(head, rows).rstrip("\n")


def _notes(view: ReportView) -> Iterator[str]:
    yield from (f"- {markdown_text(notice)}" for notice in view.notices)
    yield f"- {markdown_text(view.integrity_text)}"


def _case(row: CaseRow) -> tuple[str, ...]:
    flags = f" ({', '.join(row.flags)})" if row.flags else ""
    return (
        markdown_text(row.id),
        f"{row.mark} {row.verdict.value}",
        markdown_text(shorten(row.answer, 80)),
        markdown_text(shorten(row.gold, 80)),
        markdown_text(shorten(row.detail, 120) + flags),
        row.similarity,
    )


def _root(root: RootRow) -> tuple[str, ...]:
    advice = markdown_text(root.suggestion.text) if root.suggestion else ABSENT
    return markdown_text(root.id), markdown_text(root.root), root.proof, advice


def _evidence(item: Evidence) -> Iterator[str]:
    yield f"### {markdown_text(item.id)}"
    yield ""
    yield markdown_text(item.question)
    yield ""
    for sentence in item.sentences:
        yield f"- {markdown_text(sentence)}"
    if item.clauses:
        yield f"- clauses that differ: {item.clauses}"
    yield ""
    for label, sql in (("gold", item.gold_sql), ("analyst", item.analyst_query)):
        if sql:
            yield f"{label}:"
            yield ""
            yield from markdown_code("sql", sql)
            yield ""


def _lucky(item: LuckyPass) -> Iterator[str]:
    yield f"### {markdown_text(item.id)}"
    yield ""
    yield f"{markdown_text(item.question)} {markdown_text(item.sentence)}"
    yield ""
    # Indented by four, a line is shown as it is.
    yield from (f"    {printable(line)}" for line in item.lines)
    yield ""
