"""The bytes of the HTML report: one file, a policy, and nothing in it that may not be shown."""

import importlib.util
import json
import re
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from goldsuite.model.answer import TraceEvent
from goldsuite.records.file import write_record
from goldsuite.report.html.charts import MISSING
from goldsuite.report.html.page import html_report
from goldsuite.report.html.sql_spans import sql_spans
from goldsuite.report.redacted import redacted, without_literals
from goldsuite.report.view import view_record
from goldsuite.runner.lock import LockState
from tests.browser.long_run import HOSTILE, long_run
from tests.command_line import goldsuite
from tests.sample_run import sample_record

TRACE = {("net-revenue", 1): (TraceEvent(kind="tool_result", text="the till says 4711"),)}


def _page(*, split: str = "train", reveal: bool = False, redact: bool = False) -> str:
    record = sample_record("test" if split == "test" else "train")
    record = redacted(record) if redact else record
    view = view_record(record, integrity=LockState.INTACT, reveal=reveal)
    return html_report(view, traces=TRACE, redacted=redact)


def test_the_same_record_gives_the_same_bytes() -> None:
    assert _page() == _page()


def test_nothing_in_the_file_is_fetched_from_elsewhere() -> None:
    page = _page()
    assert re.findall(r'(?:src|href)="(?!#|data:)', page) == []
    assert "http://" not in page
    assert "https://" not in page
    assert "default-src 'none'; style-src 'sha256-" in page


def test_no_element_has_a_style_or_a_handler_of_its_own() -> None:
    assert re.findall(r'<[^>]*\s(?:style|on[a-z]+)="', _page()) == []


def test_hostile_text_ends_no_script_and_opens_no_tag() -> None:
    view = view_record(long_run(3), integrity=LockState.INTACT)
    page = html_report(view)
    assert HOSTILE not in page
    assert "<img" not in page
    assert page.count("</script>") == 4


@pytest.mark.parametrize(
    "secret",
    ["1,000.5", "1000.5", "secret_orders", "sum(net)", "sum(gross)", "define net revenue", "North",
     "4711", "currency_undeclared"],
)  # fmt: skip
def test_nothing_of_a_held_out_gold_is_in_the_file(secret: str) -> None:
    assert secret not in _page(split="test")


@pytest.mark.parametrize("shown", ["1,000.5", "secret_orders", "4711"])
def test_what_is_held_out_is_in_the_file_of_who_reveals_it(shown: str) -> None:
    assert shown in _page(split="test", reveal=True)


@pytest.mark.parametrize(
    "value",
    ["1,000.5", "1000.5", "1200", "31200", "31,200", "31100", "North", "4711",
     "define net revenue", "exit code 3"],
)  # fmt: skip
def test_redacted_there_is_no_value_of_the_data(value: str) -> None:
    assert value not in _page(redact=True)


def test_redacted_the_queries_keep_their_build() -> None:
    page = _page(redact=True)
    assert "secret_orders" in page
    assert "Made with --redact" in page


@pytest.mark.parametrize(
    ("sql", "left"),
    [
        ("select 1 from t -- Acme", "SELECT\n  ?\nFROM t"),
        ("select a from t where b = 'Acme'", "SELECT\n  a\nFROM t\nWHERE\n  b = ?"),
        ("no query at all, Acme", "(left out)"),
    ],
)
def test_a_query_without_its_literals(sql: str, left: str) -> None:
    assert without_literals(sql, "duckdb") == left


@pytest.mark.parametrize(
    ("sql", "spans"),
    [
        ("", ()),
        ("select 1", ("k", "select ", "n", "1")),
        ("a -- b\n+ 'c'", ("", "a", "c", " -- b\n", "", "+ ", "s", "'c'")),
        ("never 'closed", ("", "never 'closed")),
    ],
)
def test_queries_are_parted_by_kind(sql: str, spans: tuple[str, ...]) -> None:
    assert sql_spans(sql, "duckdb") == spans


def test_the_spans_of_a_query_are_its_text_as_written() -> None:
    sql = "SELECT\t\"Ünï\" , $$q$$ /* c */\r\nfrom  t where x='it''s' and y >= 1.5e3;"
    assert "".join(sql_spans(sql, "postgres")[1::2]) == sql


def test_without_the_extra_the_page_says_that_plots_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    view = view_record(long_run(6), integrity=LockState.INTACT)
    assert MISSING not in html_report(view)
    found = importlib.util.find_spec
    monkeypatch.setattr(
        "goldsuite.report.html.charts.find_spec",
        lambda name: None if name == "vl_convert" else found(name),
    )
    page = html_report(view)
    assert MISSING in page
    assert "half took" in page


def test_the_command_writes_a_page_and_warns_that_its_answers_are_gone(tmp_path: Path) -> None:
    record = sample_record()
    write_record(record, tmp_path / "runs" / f"{record.run_id}.json")
    done = goldsuite("report", "--format", "html", "--out", "r.html", cwd=tmp_path)
    assert (done.code, done.out) == (0, "")
    page = (tmp_path / "r.html").read_text()
    assert page.startswith("<!doctype html>\n<html")
    assert "answers file not found beside the record" in page


def test_a_record_that_was_changed_is_an_alarm_at_the_top() -> None:
    view = view_record(replace(sample_record(), altered=True), integrity=LockState.INTACT)
    assert 'role="alert">! This record was changed' in html_report(view)


def test_every_trial_is_a_row_and_has_its_details() -> None:
    page = _page()
    found = re.findall(r'<script type="application/json" id="(\w+)-data">(.*?)</script>', page)
    data = {name: json.loads(text) for name, text in found}
    assert [row["id"] for row in data["rows"]] == ["orders-2025", "net-revenue", "crash"]
    assert len(data["details"]) == 3
    assert data["details"][1]["trace"] == [{"head": "tool result", "text": "the till says 4711"}]


def test_a_run_writes_its_page_at_its_end(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "shop.db") as shop:
        shop.execute("create table orders (n integer)")
        shop.execute("insert into orders values (42)")
    shop.close()
    (tmp_path / "gold-cases.yaml").write_text(
        "cases:\n"
        "  - {id: orders, question: How many orders?, split: train, gold_value: 42,\n"
        "     gold_sql: select n from orders}\n"
    )
    (tmp_path / "answers.jsonl").write_text('{"id": "orders", "analyst_value": "42"}\n')
    done = goldsuite(
        "eval", "train", "--analyst", "replay:answers.jsonl", "--warehouse", "sqlite:///shop.db",
        "--html", "report.html", cwd=tmp_path,
    )  # fmt: skip
    assert done.code == 0, done.err
    page = (tmp_path / "report.html").read_text()
    assert "<dd>1 = 1 passed + 0 failed + 0 errors + 0 gold errors</dd>" in page


def test_one_page_is_not_for_several_analysts(tmp_path: Path) -> None:
    done = goldsuite(
        "eval", "--analyst", "baseline", "--analyst", "replay:a.jsonl", "--html", "r.html",
        cwd=tmp_path,
    )  # fmt: skip
    assert done.code == 2
    assert "--html is for one analyst" in done.err
