"""The report as JUnit XML, which CI services show test by test: each trial is a test case.

A wrong answer is a failure with its reason, a broken analyst or gold an error with the real
message. Of a held-out case no more is said than that it failed. What was not measured is absent.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC
from xml.etree import ElementTree as ET

from goldsuite.model.grade import ERRORS, Verdict
from goldsuite.model.run import CaseRecord
from goldsuite.report import wording
from goldsuite.report.figures import ABSENT, printable_text, value_text
from goldsuite.report.view import Evidence, ReportView
from goldsuite.runner.lock import LockState

__all__ = ["junit_report"]

_COUNTED = {"failure": "failures", "error": "errors", "skipped": "skipped"}
_HELD_OUT = "held out: why it did not pass is not shown"
_LUCKY = "right on today's data by luck, which a strict run counts as failed"
_NO_GOLD = "scored by process or judge alone; it is in no share of right answers"


def junit_report(view: ReportView) -> str:
    """The whole report as one XML text, with a newline at its end."""
    evidence = {item.id: item for item in view.evidence}
    suite_name = view.record.suite.name
    pairs = zip(view.record.cases, view.rows, strict=True)
    cases = [_case(case, row.id, evidence.get(row.id), suite=suite_name) for case, row in pairs]
    cases += _distrust(view)
    root = ET.Element("testsuites", _totals(view, cases))
    suite = ET.SubElement(root, "testsuite", _totals(view, cases))
    # The format knows no time zone.
    suite.set("timestamp", f"{view.record.started_at.astimezone(UTC):%Y-%m-%dT%H:%M:%S}")
    properties = ET.SubElement(suite, "properties")
    for name, value in _properties(view):
        ET.SubElement(properties, "property", name=name, value=_line(value))
    suite.extend(cases)
    ET.SubElement(suite, "system-out").text = _xml("\n".join(_summary(view)))
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _totals(view: ReportView, cases: list[ET.Element]) -> dict[str, str]:
    found = Counter(child.tag for case in cases for child in case)
    times = [case.latency_ms for case in view.record.cases if case.latency_ms is not None]
    return {
        "name": _line(view.title),
        "tests": str(len(cases)),
        **{counted: str(found[tag]) for tag, counted in _COUNTED.items()},
        **({"time": _seconds(sum(times))} if times else {}),
    }


def _properties(view: ReportView) -> Iterator[tuple[str, str]]:
    record = view.record
    yield "run_id", record.run_id
    yield "split", record.split
    yield "analyst", record.analyst
    if record.model:
        yield "model", record.model
    if record.changelog:
        yield "changelog", record.changelog
    yield view.headline.label, f"{view.headline.value} ({view.headline.detail})"
    yield "integrity", view.integrity_text


def _summary(view: ReportView) -> Iterator[str]:
    """What stands over the cases, for whoever opens the file itself."""
    yield f"{view.headline.label} {view.headline.value}  {view.headline.detail}"
    for figure in view.figures:
        if figure.value != ABSENT:
            yield f"{figure.label}: {figure.value}"
    for table in view.slices:
        for row in table.rows:
            yield (
                f"{table.by} {row.name}: {row.passed} of {row.gradable} passed, "
                f"{row.accuracy}, 95 % interval {row.interval}"
            )
    for notice in view.notices:
        yield f"note: {notice}"
    yield view.advice


def _distrust(view: ReportView) -> Iterator[ET.Element]:
    """A case of its own where the record or its answers were touched: CI must not stay green."""
    if view.integrity is LockState.CHANGED:
        text = view.integrity_text
    elif view.record.altered:
        text = wording.ALTERED
    else:
        return
    name = "the record is as it was written"
    element = ET.Element("testcase", name=name, classname=_line(view.record.suite.name))
    ET.SubElement(element, "error", message=_line(text), type="integrity")
    yield element


def _case(case: CaseRecord, name: str, evidence: Evidence | None, *, suite: str) -> ET.Element:
    group = f"{suite}.{case.split}"
    element = ET.Element("testcase", name=_line(name), classname=_line(group))
    if case.latency_ms is not None:
        element.set("time", _seconds(case.latency_ms))
    outcome = _outcome(case)
    if outcome is not None:
        tag, kind, message = outcome
        child = ET.SubElement(element, tag, message=_line(message))
        if kind:
            child.set("type", kind)
        if evidence is not None:
            child.text = _xml("\n".join(_body(case, evidence)))
    return element


def _outcome(case: CaseRecord) -> tuple[str, str, str] | None:
    """Tag, type and message; None for a case that passed."""
    verdict = case.verdict
    if verdict in ERRORS or verdict is Verdict.GOLD_ERROR:
        return "error", verdict.value, case.error or case.reason or _HELD_OUT
    if verdict is Verdict.NO_GOLD:
        if case.error is not None:
            return "error", Verdict.ANALYST_ERROR.value, case.error
        return "skipped", "", _NO_GOLD
    if case.passed:
        return None
    if verdict is Verdict.CORRECT:
        return "failure", "lucky", _LUCKY
    kind = case.failure_mode.value if case.failure_mode else verdict.value
    return "failure", kind, _HELD_OUT if case.hidden else case.reason or verdict.value


def _body(case: CaseRecord, evidence: Evidence) -> Iterator[str]:
    yield f"question: {case.paraphrase or case.question}"
    if case.analyst_value:
        yield f"answer:   {case.analyst_value}"
    if case.verdict is not Verdict.GOLD_ERROR:
        yield f"gold:     {value_text(case.gold_value)}"
    yield from evidence.sentences
    for label, sql in (("gold", evidence.gold_sql), ("analyst", evidence.analyst_query)):
        if sql:
            yield f"\n{label} SQL:\n{sql.strip()}"


def _seconds(milliseconds: float) -> str:
    return f"{milliseconds / 1000:.3f}"


def _line(text: str) -> str:
    return " ".join(_xml(text).split())


def _xml(text: str) -> str:
    """`text` without what XML 1.0 has no place for, not even escaped."""
    # Control characters and lone surrogates are made visible; two code points are left.
    return printable_text(text).translate({0xFFFE: "\ufffd", 0xFFFF: "\ufffd"})
