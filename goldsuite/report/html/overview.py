"""What the page says before the cases: headline, figures, slices, and what to know besides."""

from collections.abc import Iterator, Sequence

from goldsuite.model.grade import Verdict
from goldsuite.model.run import Aggregate
from goldsuite.report import wording
from goldsuite.report.figures import ABSENT, counted
from goldsuite.report.html.bars import interval_bar, verdict_bar
from goldsuite.report.html.elements import Element, element, section, table
from goldsuite.report.slices import SliceTable
from goldsuite.report.view import Figure, ReportView
from goldsuite.runner.lock import LockState

__all__ = ["figures", "header", "headline", "notes", "slices"]

_MOST_OPEN = 8
"""Rows of a table that stands open."""


def header(view: ReportView) -> Element:
    """Title, what was run, whether it can be trusted, and the switch of light and dark."""
    switch = element("button", "Dark", id="theme", type="button", hidden="")
    return element(
        "header",
        element("div", element("h1", view.title), switch, css="bar-row"),
        element("p", view.subtitle, css="dim"),
        _trust(view),
    )


def _trust(view: ReportView) -> Element:
    broken = view.integrity is LockState.CHANGED or view.record.altered
    words = wording.ALTERED if view.record.altered else view.integrity_text
    if not broken:
        return element("p", words, css="dim small")
    return element("p", f"! {words}", css="alarm", role="alert")


def headline(view: ReportView) -> Element:
    """Accuracy with its interval, and the verdicts as one bar."""
    found = view.record.aggregate
    bar = None
    if found.accuracy is not None and found.accuracy_interval is not None:
        bar = interval_bar(found.accuracy, found.accuracy_interval)
    scale = element(
        "div", *(element("span", f"{step} %") for step in (0, 25, 50, 75, 100)), css="ticks dim",
        aria_hidden="true",
    )  # fmt: skip
    return section(
        "Accuracy",
        element(
            "div",
            element("p", view.headline.value, css="figure"),
            element(
                "div",
                element("p", view.headline.detail),
                bar,
                scale if bar is not None else None,
                css="grow",
            ),
            css="headline",
        ),
        *_verdicts(found),
        element("p", view.advice, css="advice"),
        name="accuracy",
    )


def _verdicts(found: Aggregate) -> Iterator[Element]:
    parts = [(v, found.verdicts.get(v.value, 0)) for v in Verdict]
    parts = [(verdict, count) for verdict, count in parts if count]
    if not parts:
        return
    yield verdict_bar([(verdict.value, count) for verdict, count in parts])
    yield element(
        "ul",
        *(
            element(
                "li",
                element("span", wording.MARK[verdict], css=f"mark {verdict.value}",
                        aria_hidden="true"),
                f" {verdict.value.replace('_', ' ')} {count:,}",
            )
            for verdict, count in parts
        ),
        css="legend",
    )  # fmt: skip


def figures(view: ReportView) -> Element:
    """The other figures that were measured."""
    found = [
        *view.figures,
        Figure(label="tokens", value=view.usage or ABSENT),
        Figure(label="closeness of the SQL", value=view.closeness or ABSENT),
        Figure(label="lucky passes", value=view.luck or ABSENT),
    ]
    shown = [figure for figure in found if figure.value != ABSENT]
    return section(
        "Figures",
        element("dl", *(_pair(f.label, f.value) for f in shown), css="figures"),
        *_lines("How it worked", view.process),
        *_lines("What the judge says", view.judging),
        name="figures",
    )


def _pair(label: str, value: str) -> Element:
    return element("div", element("dt", label), element("dd", value))


def _lines(title: str, lines: Sequence[str]) -> Iterator[Element]:
    if lines:
        yield element("h3", title)
        yield element("ul", *(element("li", line) for line in lines))


def slices(view: ReportView) -> Element | None:
    """The run by tag, metric, difficulty and target; None where no case names any."""
    if not view.slices:
        return None
    tables = (_slice_table(each) for each in view.slices)
    return section("Slices", element("div", *tables, css="tables"), name="slices")


def _slice_table(found: SliceTable) -> Element:
    rows = (
        (row.name, f"{row.cases:,}", f"{row.passed:,} of {row.gradable:,}", row.accuracy,
         row.interval)
        for row in found.rows
    )  # fmt: skip
    heads = (found.by, "cases", "passed", "accuracy", "95 %")
    made = table(heads, rows, caption=f"By {found.by}")
    if len(found.rows) <= _MOST_OPEN:
        return made
    title = f"By {found.by}: {counted(len(found.rows), 'row')}"
    return element("details", element("summary", title), made)


def notes(view: ReportView, *, redacted: bool) -> Element:
    """What a reader must know to believe the number."""
    record = view.record
    lines = [view.integrity_text, *view.notices, f"context: {view.context}"]
    if view.warehouse:
        lines.append(view.warehouse)
    if redacted:
        lines.append(
            "Made with --redact: values, rows, evidence and traces are left out; in SQL every "
            "literal is `?`."
        )
    hidden = sum(case.hidden for case in record.cases)
    if hidden:
        lines.append(f"{counted(hidden, 'held-out trial')}: gold, SQL and evidence are not in here")
    return section("Notes", element("ul", *(element("li", line) for line in lines)), name="notes")
