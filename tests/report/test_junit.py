"""JUnit XML: valid by its schema, whatever agents say; one outcome a case; nothing held out."""

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import xmlschema

from goldsuite.model.grade import Verdict
from goldsuite.model.run import CaseRecord, RunRecord
from goldsuite.report.junit import junit_report
from goldsuite.report.view import view_record
from goldsuite.runner.lock import LockState
from tests.report.tagged_run import tagged_record
from tests.sample_run import sample_record

SCHEMA = xmlschema.XMLSchema(Path(__file__).parent / "junit.xsd")


def _drawn(record: RunRecord, *, integrity: LockState = LockState.INTACT) -> ET.Element:
    """The report as a reader has it, after it was held against the schema."""
    text = junit_report(view_record(record, integrity=integrity))
    SCHEMA.validate(text)
    return ET.fromstring(text)  # noqa: S314 - our own


def _outcome_of(**changes: object) -> ET.Element | None:
    """What the report says of one failed case, changed."""
    record = sample_record()
    case: CaseRecord = replace(record.cases[1], **changes)  # type: ignore[arg-type]
    element = _drawn(replace(record, cases=(case,))).find("testsuite/testcase")
    assert element is not None
    return next(iter(element), None)


@pytest.mark.parametrize(
    ("changes", "tag", "kind", "message"),
    [
        ({}, "failure", "undefined-metric-drift", "1200 is not 1000.5 within 0.5 %"),
        ({"failure_mode": None}, "failure", "wrong", "1200 is not 1000.5 within 0.5 %"),
        (
            {"verdict": Verdict.NO_ANSWER, "failure_mode": None, "reason": "it declined"},
            "failure", "no_answer", "it declined",
        ),
        (
            {"verdict": Verdict.ANALYST_ERROR, "error": "HTTP 503\nafter 3 tries"},
            "error", "analyst_error", "HTTP 503 after 3 tries",
        ),
        (
            {"verdict": Verdict.NOT_GRADABLE, "reason": "cut off at 10 rows"},
            "error", "not_gradable", "cut off at 10 rows",
        ),
        (
            {"verdict": Verdict.GOLD_ERROR, "reason": "no such table: x"},
            "error", "gold_error", "no such table: x",
        ),
        (
            {"verdict": Verdict.NO_GOLD}, "skipped", None,
            "scored by process or judge alone; it is in no share of right answers",
        ),
        ({"verdict": Verdict.NO_GOLD, "error": "crashed"}, "error", "analyst_error", "crashed"),
        (
            {"verdict": Verdict.CORRECT}, "failure", "lucky",
            "right on today's data by luck, which a strict run counts as failed",
        ),
    ],
)  # fmt: skip
def test_each_verdict_has_its_outcome_with_the_real_message(
    changes: dict[str, object], tag: str, kind: str | None, message: str
) -> None:
    outcome = _outcome_of(**changes)
    assert outcome is not None
    assert (outcome.tag, outcome.get("type"), outcome.get("message")) == (tag, kind, message)


def test_a_case_that_passed_has_no_outcome() -> None:
    assert _outcome_of(verdict=Verdict.CORRECT, passed=True) is None
    assert _outcome_of(verdict=Verdict.NO_ANSWER, passed=True) is None


def test_the_totals_are_those_of_the_cases() -> None:
    root = _drawn(tagged_record())
    for element in (root, root[0]):
        counts = {name: element.get(name) for name in ("tests", "failures", "errors", "skipped")}
        assert counts == {"tests": "3", "failures": "1", "errors": "1", "skipped": "0"}
        # 120 ms and 80 ms; the third was not measured.
        assert element.get("time") == "0.200"


def test_a_time_that_was_not_measured_is_absent() -> None:
    record = sample_record()
    assert _drawn(record).findall("testsuite/testcase")[2].get("time") is None
    untimed = tuple(replace(case, latency_ms=None) for case in record.cases)
    assert _drawn(replace(record, cases=untimed)).get("time") is None


def test_trials_of_one_case_are_told_apart() -> None:
    record = sample_record()
    first = record.cases[0]
    twice = replace(
        record,
        cases=(first, replace(first, trial=2)),
        aggregate=replace(record.aggregate, selected=2, cases=1),
    )
    names = [case.get("name") for case in _drawn(twice).iter("testcase")]
    assert names == ["orders-2025 (trial 1)", "orders-2025 (trial 2)"]


HOSTILE = "\x00\x08\x0b\x1b[2J\x7f\x85\ud800\ufffe\uffff]]> <!-- & \"'</failure>\u202e"


def test_no_text_of_an_agent_breaks_the_file() -> None:
    outcome = _outcome_of(
        reason=HOSTILE, analyst_value=HOSTILE, analyst_query=HOSTILE, question=HOSTILE, id=HOSTILE
    )
    assert outcome is not None
    assert outcome.get("message") == (
        "\\u0000\\u0008\\u000b\\u001b[2J\\u007f\\u0085\\ud800\ufffd\ufffd]]> <!-- & \"'</failure>"
        "\\u202e"
    )


@pytest.mark.parametrize("where", ["error", "changelog", "analyst", "model"])
def test_hostile_words_are_harmless_wherever_they_stand(where: str) -> None:
    record = sample_record()
    if where == "error":
        broken = replace(record.cases[2], error=HOSTILE)
        assert _drawn(replace(record, cases=(broken,)))[0].get("errors") == "1"
    else:
        assert len(list(_drawn(replace(record, **{where: HOSTILE})).iter("testcase"))) == 3  # type: ignore[arg-type]


def test_a_held_out_case_says_that_it_failed_and_no_more() -> None:
    root = _drawn(tagged_record("test"))
    passed, failed, broken = root.iter("testcase")
    assert len(passed) == 0
    assert failed[0].attrib == {
        "message": "held out: why it did not pass is not shown", "type": "wrong",
    }  # fmt: skip
    assert failed[0].text is None
    assert broken[0].attrib == {"message": "exit code 3", "type": "analyst_error"}
    assert broken[0].text is None


@pytest.mark.parametrize(
    ("changes", "integrity"),
    [({}, LockState.CHANGED), ({"altered": True}, LockState.INTACT)],
)
def test_a_record_that_was_touched_is_an_error_of_its_own(
    changes: dict[str, bool], integrity: LockState
) -> None:
    record = replace(sample_record(), **changes)  # type: ignore[arg-type]
    root = _drawn(record, integrity=integrity)
    last = list(root.iter("testcase"))[-1]
    assert (last.get("name"), last[0].get("type")) == (
        "the record is as it was written",
        "integrity",
    )
    assert (root.get("tests"), root.get("errors")) == ("4", "2")


def test_the_slices_stand_in_the_output_of_the_suite() -> None:
    text = _drawn(tagged_record()).findtext("testsuite/system-out") or ""
    assert "tag orders: 1 of 2 passed, 50.0 %, 95 % interval 9 to 91 %" in text.splitlines()


@pytest.mark.parametrize(
    "wrong",
    [
        '<testsuites name="a" tests="1" failures="0"/>',
        '<testsuites name="a" tests="-1" failures="0" errors="0"/>',
        '<testsuites name="a" tests="1" failures="0" errors="0"><testcase/></testsuites>',
    ],
)
def test_the_schema_tells_what_is_no_such_file(wrong: str) -> None:
    assert not SCHEMA.is_valid(wrong)
