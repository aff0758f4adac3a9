"""CSV and Parquet: one row per trial, one type per column, nothing that a spreadsheet would run."""

import csv
import io
from dataclasses import replace

import pandas as pd
import pytest

from goldsuite.model.run import RunRecord
from goldsuite.report.case_table import cases_csv, cases_parquet
from goldsuite.report.held_out import visible
from tests.report.tagged_run import tagged_record
from tests.sample_run import sample_record


def _rows(record: RunRecord) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(cases_csv(record), newline="")))


def _answer(value: str) -> str:
    record = sample_record()
    case = replace(record.cases[0], analyst_value=value)
    return _rows(replace(record, cases=(case,)))[0]["analyst_value"]


def test_each_trial_is_a_row_in_the_order_of_the_record() -> None:
    passed, failed, broken = _rows(tagged_record())
    assert [row["id"] for row in (passed, failed, broken)] == [
        "orders-2025", "net-revenue", "crash",
    ]  # fmt: skip
    assert (passed["verdict"], passed["passed"], passed["trial"]) == ("correct", "True", "1")
    assert (passed["gold_value"], failed["gold_value"], broken["gold_value"]) == (
        "31200", "1000.5", "North",
    )  # fmt: skip
    assert failed["gold_sql"] == "select sum(net)\nfrom secret_orders"
    assert failed["tags"] == '["year", "revenue|net"]'
    assert passed["tokens"] == '{"input": 1200, "output": 80}'
    assert (passed["latency_ms"], broken["latency_ms"], broken["cost"]) == ("120.0", "", "")


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ('=HYPERLINK("http://x")', "'=HYPERLINK(\"http://x\")"),
        ("+1+cmd|' /C calc'!A0", "'+1+cmd|' /C calc'!A0"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("-12.5", "-12.5"),
        ("+3", "+3"),
        ("-$1.2M", "'-$1.2M"),
        ("a\x1b[2J", "a\\u001b[2J"),
        ("a,\"b\"\nc", "a,\"b\"\nc"),
    ],
)  # fmt: skip
def test_no_cell_is_a_formula_or_moves_the_cursor(said: str, written: str) -> None:
    assert _answer(said) == written


def test_parquet_holds_the_words_as_they_were_said() -> None:
    record = sample_record()
    said = replace(record.cases[0], analyst_value="=1+1\x1b")
    content = cases_parquet(replace(record, cases=(said,)))
    assert pd.read_parquet(io.BytesIO(content))["analyst_value"].tolist() == ["=1+1\x1b"]


def test_a_column_has_one_type_whatever_was_measured() -> None:
    import pyarrow.parquet as parquet

    record = tagged_record()
    bare = replace(record.cases[2], tags=(), difficulty=None, gold_value=None)
    schemas = [
        parquet.read_schema(io.BytesIO(cases_parquet(found))).remove_metadata()
        for found in (record, replace(record, cases=(bare,)), replace(record, cases=()))
    ]
    assert schemas[0] == schemas[1] == schemas[2]
    kinds = {name: str(schemas[0].field(name).type) for name in ("passed", "trial", "cost", "tags")}
    assert kinds == {"passed": "bool", "trial": "int64", "cost": "double", "tags": "large_string"}


@pytest.mark.parametrize("secret", ["secret", "1000.5", "31200", "gross", "North", "31,200"])
def test_a_held_out_case_is_hidden_in_both(secret: str) -> None:
    shown = visible(tagged_record("test"), reveal=False)
    assert secret not in cases_csv(shown)
    assert secret.encode() not in cases_parquet(shown)
