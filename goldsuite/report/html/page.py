"""The page: parts that stand in it as elements, cases as JSON, one style and one script."""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from goldsuite.records.header import RunHeader
from goldsuite.report.figures import printable_text
from goldsuite.report.html.case_data import MOST_DIFFS, Traces, case_details, case_rows
from goldsuite.report.html.charts import plots, same_kind
from goldsuite.report.html.elements import Element, element, section, written
from goldsuite.report.html.failures import failures, lucky
from goldsuite.report.html.overview import figures, header, headline, notes, slices
from goldsuite.report.view import ReportView

__all__ = ["html_report"]

_ICON = "data:,"


def html_report(
    view: ReportView,
    *,
    traces: Traces | None = None,
    runs: Sequence[RunHeader] = (),
    redacted: bool = False,
) -> str:
    """The report as one HTML file.

    Args:
        view: what may be shown, and no more: held-out cases and, with `redacted`, values are taken
            out of the record before the view is made.
        traces: the analyst's steps by case and trial; those of hidden cases are left out.
        runs: of the same folder, oldest first; those of this suite and split make the trend.
        redacted: whether `view` is of a record without values, and the page is to say so.
    """
    style, script = _asset("page.css"), _asset("page.js")
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy(style, script)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("link", rel="icon", href=_ICON),
        element("title", f"{view.title} – goldsuite"),
        _raw("style", style),
    )
    body = element(
        "body",
        element("a", "Skip to the cases", href="#cases", css="skip"),
        header(view),
        _main(view, runs=runs, redacted=redacted),
        element("dialog", id="case", aria_labelledby="case-title"),
        _data("rows", case_rows(view)),
        _data("details", case_details(view, {} if redacted else traces or {})),
        _data("page", {"most_diffs": MOST_DIFFS, "run": view.record.run_id}),
        _raw("script", script),
    )
    return f"<!doctype html>\n{written(element('html', head, body, lang='en'))}\n"


def _main(view: ReportView, *, runs: Sequence[RunHeader], redacted: bool) -> Element:
    record = view.record
    trend = same_kind(
        runs, suite=record.suite.name, split=record.split, until=record.started_at
    )  # fmt: skip
    return element(
        "main",
        headline(view),
        failures(view, redacted=redacted),
        lucky(view),
        figures(view),
        slices(view),
        plots(record.cases, trend),
        section(
            "Cases",
            element("noscript", element("p", "The list of cases needs JavaScript.")),
            element("div", id="list"),
            name="cases",
        ),
        notes(view, redacted=redacted),
    )


def _asset(name: str) -> str:
    return files("goldsuite.report.html").joinpath(name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """Nothing but this style and this script: no network, no frames, no handlers in attributes."""
    parts = {
        "default-src": "'none'",
        "style-src": _source(style),
        "script-src": _source(script),
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {source}" for name, source in parts.items())


def _source(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _raw(tag: str, text: str) -> Element:
    """Our own style or script, which HTML does not escape."""
    made = element(tag)
    made.text = text
    return made


def _data(name: str, value: Any) -> Element:
    """JSON in which no text can end the script: without `<` there is no tag and no comment."""
    text = json.dumps(_printable(value), ensure_ascii=False, separators=(",", ":"))
    made = element("script", type="application/json", id=f"{name}-data")
    made.text = text.replace("<", "\\u003c")
    return made


def _printable(value: Any) -> Any:
    """`value` with hidden characters of every text in it made visible, lone surrogates too."""
    if isinstance(value, str):
        return printable_text(value)
    if isinstance(value, Mapping):
        return {name: _printable(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_printable(each) for each in value]
    return value
