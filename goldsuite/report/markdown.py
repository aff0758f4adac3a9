"""The report as Markdown, for a pull request or a page. Text of agents is escaped."""

from collections.abc import Iterable, Iterator

from goldsuite.report.figures import ABSENT, printable, shorten
from goldsuite.report.luck import LuckyPass
from goldsuite.report.view import CaseRow, Evidence, ModeRow, ReportView

__all__ = ["markdown_report", "markdown_table", "markdown_text"]

_SPECIAL = str.maketrans({c: f"\\{c}" for c in r"\`*_{}[]<>#|!~$@"})


def markdown_report(view: ReportView) -> str:
    """The whole report as one Markdown text, with a newline at its end."""
    return "\n".join(_lines(view)) + "\n"


def _lines(view: ReportView) -> Iterator[str]:
    yield f"# {_text(view.title)}"
    yield ""
    yield _text(view.subtitle)
    yield ""
    yield f"**{view.headline.label} {view.headline.value}** ({view.headline.detail})"
    yield ""
    yield from _table(
        ("figure", "value"), ((f.label, _text(f.value)) for f in view.figures if f.value != ABSENT)
    )
    yield f"Context: {_text(view.context)}"
    yield ""
    for label, text in (
        ("SQL texts", view.closeness),
        ("Tokens", view.usage),
        ("Lucky passes", view.luck),
    ):
        if text:
            yield f"{label}: {_text(text)}"
            yield ""
    for label, lines in (("Process", view.process), ("Judge", view.judging)):
        yield from (f"- {label}: {_text(line)}" for line in lines)
        if lines:
            yield ""
    yield from _modes(view.modes)
    yield "## Cases"
    yield ""
    yield from _table(
        ("case", "verdict", "answer", "gold", "how or why", "similarity"),
        (_case(row) for row in view.rows),
    )
    yield from _evidence(view.evidence)
    yield from _lucky(view.lucky)
    for notice in view.notices:
        yield f"- {_text(notice)}"
    yield f"- {_text(view.integrity_text)}"
    yield ""
    yield f"**{_text(view.advice)}**"


def _modes(modes: tuple[ModeRow, ...]) -> Iterator[str]:
    if not modes:
        return
    yield "## Why the failures failed"
    yield ""
    rows = (
        (mode.mode.value, str(mode.count), _text(mode.meaning), _text(mode.fix), _ids(mode.cases))
        for mode in modes
    )
    yield from _table(("mode", "count", "meaning", "fix", "cases"), rows)
    roots = [root for mode in modes for root in mode.roots]
    if roots:
        yield from _table(
            ("cluster", "root", "proof", "what to write down"),
            (
                (
                    _text(root.id),
                    _text(root.root),
                    root.proof,
                    _text(root.suggestion.text) if root.suggestion else ABSENT,
                )
                for root in roots
            ),
        )


def _ids(cases: tuple[str, ...]) -> str:
    return ", ".join(map(_text, cases)) or ABSENT


def _case(row: CaseRow) -> tuple[str, ...]:
    flags = f" ({', '.join(row.flags)})" if row.flags else ""
    return (
        _text(row.id),
        f"{row.mark} {row.verdict.value}",
        _text(shorten(row.answer, 80)),
        _text(shorten(row.gold, 80)),
        _text(shorten(row.detail, 120) + flags),
        row.similarity,
    )


def _evidence(items: tuple[Evidence, ...]) -> Iterator[str]:
    if not items:
        return
    yield "<details><summary>Evidence</summary>"
    yield ""
    for item in items:
        yield f"### {_text(item.id)}"
        yield ""
        yield _text(item.question)
        yield ""
        for sentence in item.sentences:
            yield f"- {_text(sentence)}"
        if item.clauses:
            yield f"- clauses that differ: {item.clauses}"
        yield ""
        yield from _sql("gold", item.gold_sql)
        yield from _sql("analyst", item.analyst_query)
    yield "</details>"
    yield ""


def _lucky(items: tuple[LuckyPass, ...]) -> Iterator[str]:
    if not items:
        return
    yield "## Lucky passes"
    yield ""
    for item in items:
        yield f"### {_text(item.id)}"
        yield ""
        yield f"{_text(item.question)} {_text(item.sentence)}"
        yield ""
        # Indented by four, a line is shown as it is.
        yield from (f"    {printable(line)}" for line in item.lines)
        yield ""


def _sql(label: str, sql: str) -> Iterator[str]:
    if not sql:
        return
    # A fence longer than any run of back-ticks inside cannot be closed by the text.
    fence = "`" * max(3, 1 + _longest_run(sql))
    yield f"{label}:"
    yield ""
    yield f"{fence}sql"
    yield from map(printable, sql.strip().splitlines())
    yield fence
    yield ""


def _longest_run(text: str) -> int:
    longest = run = 0
    for character in text:
        run = run + 1 if character == "`" else 0
        longest = max(longest, run)
    return longest


def markdown_table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A table of cells as they stand: what others wrote must have gone through `markdown_text`."""
    return "\n".join(_table(head, rows))


def markdown_text(text: str) -> str:
    """`text` on one line, so that Markdown shows it as it stands."""
    return _text(text)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join('---' for _ in head)} |"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


def _text(text: str) -> str:
    """One line that Markdown shows as it stands."""
    return " ".join(printable(text).translate(_SPECIAL).split())
