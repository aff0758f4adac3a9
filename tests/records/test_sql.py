"""SQL over the records: all that is in them, nothing else, and no gold of held-out cases."""

import csv
import io
import json
import os
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from goldsuite.errors import UsageError
from goldsuite.model.run import CaseRecord, RunRecord
from goldsuite.records.file import write_record
from goldsuite.records.frame import cases_frame
from goldsuite.records.index import list_runs
from goldsuite.records.sql import CASE_COLUMNS, SHOWN_OF_HELD_OUT, query_runs
from goldsuite.report.held_out import visible
from tests.command_line import goldsuite
from tests.comparison.made_runs import run_of, trial
from tests.sample_run import sample_record


def _write(folder: Path, *records: RunRecord) -> None:
    for record in records:
        write_record(record, folder / f"{record.run_id}.json")


def _ask(sql: str, folder: Path) -> list[tuple[Any, ...]]:
    return list(query_runs(sql, list_runs(folder).runs, folder).rows)


def test_runs_and_cases_are_tables_to_join(tmp_path: Path) -> None:
    _write(tmp_path, run_of({"a": "+", "b": "-"}, number=1), run_of({"a": "+", "b": "+"}, number=2))
    found = _ask(
        "select r.started_at::date::text, count(*) filter (c.passed), any_value(r.accuracy) "
        "from runs r join cases c using (run_id) group by r.run_id, 1 order by r.run_id",
        tmp_path,
    )
    assert found == [("2026-01-02", 1, 0.5), ("2026-01-02", 2, 1.0)]


def test_values_keep_their_types_and_what_was_not_measured_is_null(tmp_path: Path) -> None:
    case = trial("a", "-", tags=("x", "y"), latency_ms=1.5, tokens={"input": 7}, gold_value=2.5)
    _write(tmp_path, run_of([case]))
    assert _ask(
        "select id, trial, passed, tags, latency_ms, input_tokens, output_tokens, cost, gold_value "
        "from cases",
        tmp_path,
    ) == [("a", 1, False, ["x", "y"], 1.5, 7, None, None, "2.5")]
    assert _ask("select partial, altered, cases, total_cost from runs", tmp_path) == [
        (False, False, 1, None)
    ]


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("select * from read_text('{secret}')", "file system operations are disabled"),
        ("select * from '{secret}'", "file system operations are disabled"),
        ("select * from glob('{folder}/*')", "file system operations are disabled"),
        ("copy runs to '{folder}/out.csv'", "only a query is run"),
        ("attach '{folder}/x.db'", "only a query is run"),
        ("set enable_external_access = true", "only a query is run"),
        ("install httpfs", "only a query is run"),
        ("delete from runs", "only a query is run"),
        ("drop table runs", "only a query is run"),
        ("select 1; drop table runs", "not 2 statements"),
        ("", "not 0 statements"),
        ("selct 1", "Parser Error"),
        ("select acuracy from runs", "accuracy"),
        ("select getenv('HOME')", "getenv"),
        ("select * from rows", "rows does not exist"),
    ],
)
def test_only_the_records_can_be_reached(sql: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("gold\n42\n")
    _write(tmp_path / "runs", run_of({"a": "+"}))
    with pytest.raises(UsageError) as caught:
        _ask(sql.format(secret=tmp_path / "secret.csv", folder=tmp_path), tmp_path / "runs")
    assert words in str(caught.value)
    assert sorted(os.listdir(tmp_path)) == ["runs", "secret.csv"]  # noqa: PTH208


def test_nothing_of_a_held_out_gold_can_be_asked_for(tmp_path: Path) -> None:
    record = sample_record("test")
    _write(tmp_path, record)
    (shown,) = _ask("select string_agg(c::text, ' ') from cases c", tmp_path)
    assert "net-revenue" in shown[0]
    for secret in ("secret_orders", "select", "undefined-metric-drift"):
        assert secret not in shown[0]


def test_what_a_report_hides_of_a_held_out_case_is_not_loaded() -> None:
    case = replace(
        sample_record("test").cases[1],
        reason="r",
        flags=("vacuous",),
        exact_match=True,
        gold_value=1,
    )
    hidden = visible(replace(sample_record("test"), cases=(case,)), reveal=False).cases[0]
    changed = {
        each.name for each in fields(CaseRecord)
        if getattr(hidden, each.name) != getattr(case, each.name)
    }  # fmt: skip
    assert changed.isdisjoint(SHOWN_OF_HELD_OUT)
    assert CASE_COLUMNS.keys() >= SHOWN_OF_HELD_OUT
    assert {"gold_value", "gold_sql", "analyst_query", "reason", "flags"} <= changed


def test_columns_are_called_as_in_the_record(tmp_path: Path) -> None:
    made = {"input_tokens", "output_tokens"}
    assert CASE_COLUMNS.keys() - made <= set(cases_frame(sample_record()).columns)


def test_rows_are_printed_as_text_json_and_csv(tmp_path: Path) -> None:
    case = trial("a, b", "+", tags=("x", "y"), analyst_value="1\n2")
    _write(tmp_path / "runs", run_of([case]))
    sql = "select id, tags, analyst_value, cost, passed from cases"
    text, as_json, as_csv = (
        goldsuite("runs", "sql", sql, "--format", form, cwd=tmp_path).out
        for form in ("text", "json", "csv")
    )
    # Each column is as wide as its widest cell, here the name of all but the first; NULL is empty.
    assert text.splitlines()[:2] == [
        "id    tags  analyst_value  cost  passed",
        "a, b  x, y  1 2                  true",
    ]
    assert json.loads(as_json) == [
        {"id": "a, b", "tags": ["x", "y"], "analyst_value": "1\n2", "cost": None, "passed": True}
    ]
    assert list(csv.reader(io.StringIO(as_csv)))[1] == ["a, b", "x, y", "1\n2", "", "true"]


def test_a_refused_query_is_told_on_stderr(tmp_path: Path) -> None:
    _write(tmp_path / "runs", run_of({"a": "+"}))
    refused = goldsuite("runs", "sql", "select nothing from runs", cwd=tmp_path)
    assert (refused.code, refused.out) == (2, "")
    assert "the query failed" in refused.err
