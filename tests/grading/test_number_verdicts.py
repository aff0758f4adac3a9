"""What a number said is worth against a gold number: tolerance, units, rounding."""

from decimal import Decimal
from typing import Any, NamedTuple

import pytest

from goldsuite.grading.verdicts import grade_answer
from goldsuite.model.answer import Reply
from goldsuite.model.grade import Grade
from goldsuite.model.key import GoldCase
from goldsuite.model.result_set import Cell, Column, Execution, ResultSet
from goldsuite.numbers import DecimalMark


def executed(value: Cell, sql: str = "select x") -> Execution:
    return Execution(sql=sql, result=ResultSet(columns=(Column(name="x"),), rows=((value,),)))


def grade(gold: Cell, said: str, *, sql: str = "select x", **key: Any) -> Grade:
    if "tolerance" in key:
        key = {**key, "tolerance": Decimal(key["tolerance"]), "tolerance_given": True}
    if "abs_tolerance" in key:
        key = {**key, "abs_tolerance": Decimal(key["abs_tolerance"])}
    case = GoldCase(id="c", question="q", line=1, gold_sql=(sql,), **key)
    return grade_answer(
        reply=Reply(value=said),
        key=case,
        golds=[executed(gold, sql)],
        predicted=None,
        gold_orders=[False],
        dialect="duckdb",
    )


class Row(NamedTuple):
    gold: Cell
    said: str
    how: str
    """`matched`, or the verdict where it is not correct."""
    flags: str = ""
    key: dict[str, Any] = {}  # noqa: RUF012 - never changed


RATIO = {"sql": "select sum(a) * 1.0 / count(*) from t"}
PERCENT = {"sql": "select 100.0 * sum(a) / count(*) from t"}
D = Decimal

TOLERANCE = [
    Row(1200, "1200", "exact"),
    Row(1200, "1,200", "exact"),
    Row(D("33.3333"), "33.33", "exact"),
    Row(33.333333333333336, "33.33", "exact"),
    Row(D("33.3333"), "33.3", "exact"),
    Row(D("33.3333"), "33.34", "within_tolerance"),
    Row(D("33.3333"), "~33.33", "within_tolerance"),
    Row(D("4823910.55"), "4.82M", "exact"),
    Row(D("4823910.55"), "4.8M", "exact"),
    Row(D("4823910.55"), "5M", "wrong", "correct_rounding"),
    Row(D("4823910.55"), "4.9M", "wrong"),
    Row(0.30000000000000004, "0.3", "exact"),
    Row(0.30000000000000004, "0.3", "exact", "", {"tolerance": "0"}),
    Row(D("0.3"), "0.30000000000000004", "wrong", "", {"tolerance": "0"}),
    Row(D(200), "201", "within_tolerance"),
    Row(D(200), "199", "within_tolerance"),
    Row(D(200), "201.1", "wrong"),
    Row(D(-200), "-201", "within_tolerance"),
    Row(D(-200), "200", "wrong", "sign_differs"),
    Row(D(-200), "(200)", "exact"),
    Row(D(-200), "−200", "exact"),
    Row(D(200), "200.5", "wrong", "", {"tolerance": "0"}),
    Row(D(200), "200.0", "exact", "", {"tolerance": "0"}),
    Row(D(200), "210", "within_tolerance", "", {"tolerance": "0.05"}),
    Row(D(200), "201", "wrong", "", {"tolerance": "0.001"}),
    Row(D(10), "11", "within_tolerance", "", {"abs_tolerance": "1"}),
    Row(D(10), "11.1", "wrong", "", {"abs_tolerance": "1"}),
    Row(D(1000), "1004", "within_tolerance", "", {"abs_tolerance": "1"}),
    Row(D(0), "0", "exact"),
    Row(0.0, "-0.0", "exact"),
    Row(D(0), "0.0001", "wrong"),
    Row(D(0), "0.0001", "within_tolerance", "", {"abs_tolerance": "0.001"}),
    Row(D("0.004"), "0.009", "wrong"),
    Row(9007199254740993, "9007199254740992", "wrong", "", {"tolerance": "0"}),
    Row(6, "6.0", "exact"),
    Row(6.0, "6", "exact"),
    Row(D("6.00"), "six", "exact"),
    Row("6", "6.0", "exact", "", {"answer": "number"}),
    Row("$47,607,350", "47607350", "exact", "", {"answer": "number"}),
]

COUNTS = [
    Row(100000, "100500", "within_tolerance", "loose_count"),
    Row(100000, "100000", "exact"),
    Row(100000, "100500", "wrong", "", {"unit": "count"}),
    Row(100000, "100000", "exact", "", {"unit": "count"}),
    Row(100000, "100k", "exact", "", {"unit": "count"}),
    Row(100000, "100500", "within_tolerance", "", {"unit": "count", "tolerance": "0.01"}),
    Row(100000, "100500", "within_tolerance", "", {"tolerance": "0.005"}),
    Row(100000, "100500", "within_tolerance", "", {"unit": "orders"}),
    Row(1, "100", "wrong", "unit_scale"),
    Row(1, "100", "wrong", "unit_scale", {"unit": "count"}),
    Row(1, "1%", "exact", "unit_unsure"),
    Row(5, "5%", "wrong", "unit_mismatch", {"unit": "count"}),
    Row(2024, "2025", "wrong", "year_like"),
    Row(2024.0, "2025", "wrong", "year_like"),
    Row(2024, "2024", "exact"),
    Row(2000, "2005", "within_tolerance", "", {"tolerance": "0.005"}),
]

UNDECLARED = [
    Row(D("0.3324"), "33.24", "unit_adjusted", "unit_adjusted unit_unsure"),
    Row(D("0.3324"), "33.24", "unit_adjusted", "unit_adjusted", RATIO),
    Row(D("0.3324"), "33.24%", "unit_adjusted", "unit_adjusted"),
    Row(D("0.3324"), "0.3324", "exact"),
    Row(D("0.3324"), "0.3324%", "wrong", "unit_scale", RATIO),
    Row(D("0.3324"), "0.3324%", "wrong", "unit_scale"),
    Row(D("0.3324"), "0.3324%", "exact", "", PERCENT),
    Row(D("0.3324"), "33.24%", "wrong", "unit_scale", PERCENT),
    Row(D("-0.05"), "-5%", "unit_adjusted", "unit_adjusted"),
    Row(D("-0.05"), "-5", "unit_adjusted", "unit_adjusted unit_unsure"),
    Row(D("-0.05"), "5%", "wrong", "sign_differs"),
    Row(D(1), "100%", "unit_adjusted", "unit_adjusted"),
    Row(1.0, "100", "unit_adjusted", "unit_adjusted unit_unsure"),
    Row(D("33.24"), "33.24%", "exact", "unit_unsure"),
    Row(D("1482837.91"), "1482837.91%", "exact", "unit_unsure"),
    Row(D("33.24"), "33.24 pp", "exact", "unit_unsure"),
    Row(33, "33%", "exact", "", PERCENT),
    Row(D(0), "0%", "exact"),
    Row(D("33.24"), "33.24%", "exact", "", PERCENT),
    Row(D("33.24"), "0.3324", "wrong", "unit_scale"),
    Row(D("33.24"), "3324", "wrong", "unit_scale"),
    Row(D("1.2"), "120%", "unit_adjusted", "unit_adjusted unit_unsure"),
    Row(D("1.2"), "120%", "unit_adjusted", "unit_adjusted", RATIO),
    Row(D("1.2"), "120%", "wrong", "unit_scale", PERCENT),
    Row(D("1.2"), "120", "wrong", "unit_scale"),
    Row(D("0.0012"), "12 bps", "unit_adjusted", "unit_adjusted"),
    Row(D(12), "12 bps", "exact", "unit_unsure"),
    Row(D("0.25"), "1/4", "exact"),
    Row(D("0.25"), "1 in 4", "exact", "unit_unsure"),
    Row(D("1.2"), "1.2x", "exact", "", RATIO),
    Row(D("1.2"), "1.2x", "exact", "unit_undeclared"),
    Row(D(3), "3:1", "exact", "unit_unsure"),
    Row(D("0.3324"), "33.24 pp", "unit_adjusted", "unit_adjusted"),
    Row(D("0.3324"), "3324 bps", "unit_adjusted", "unit_adjusted"),
    Row(D(5), "5 days", "exact", "unit_undeclared"),
    Row(D(5), "$5", "exact", "currency_undeclared"),
]

DECLARED = [
    Row(D("0.3324"), "0.3324", "exact", "", {"unit": "rate"}),
    Row(D("0.3324"), "33.24%", "exact", "", {"unit": "rate"}),
    Row(D("0.3324"), "33.3%", "within_tolerance", "", {"unit": "rate"}),
    Row(D("0.3324"), "33.24", "unit_adjusted", "unit_adjusted", {"unit": "rate"}),
    Row(D("0.3324"), "0.3324%", "wrong", "unit_scale", {"unit": "rate"}),
    Row(D("33.24"), "0.3324", "unit_adjusted", "unit_adjusted unit_unsure", {"unit": "rate"}),
    Row(D("2.5"), "250", "unit_adjusted", "unit_adjusted", {"unit": "rate"}),
    Row(D("1.2"), "120%", "exact", "", {"unit": "rate"}),
    Row(D("-0.05"), "-5%", "exact", "", {"unit": "rate"}),
    Row(D("0.0012"), "12 bps", "exact", "", {"unit": "rate"}),
    Row(D("0.25"), "1 in 4", "exact", "", {"unit": "rate"}),
    Row(1, "100%", "exact", "", {"unit": "rate"}),
    Row(D("0.05"), "5 pp", "wrong", "unit_mismatch", {"unit": "rate"}),
    Row(D("33.24"), "33.24", "exact", "", {"unit": "percent"}),
    Row(D("33.24"), "33.24%", "exact", "", {"unit": "percent"}),
    Row(D("33.24"), "0.3324", "unit_adjusted", "unit_adjusted", {"unit": "percent"}),
    Row(D("0.3324"), "33.24", "unit_adjusted", "unit_adjusted unit_unsure", {"unit": "percent"}),
    Row(D("0.3324"), "33.24%", "wrong", "unit_scale", {"unit": "percent"}),
    Row(D("120"), "1.2x", "exact", "", {"unit": "percent"}),
    Row(D(5), "5 pp", "exact", "", {"unit": "pp"}),
    Row(D(5), "5", "exact", "", {"unit": "pp"}),
    Row(D(5), "5%", "wrong", "unit_mismatch", {"unit": "pp"}),
    Row(D("0.5"), "50", "wrong", "unit_scale", {"unit": "pp"}),
    Row(D(5), "500 bps", "exact", "", {"unit": "pp"}),
    Row(D(12), "12 bps", "exact", "", {"unit": "bps"}),
    Row(D(12), "0.12%", "exact", "", {"unit": "bps"}),
    Row(D("0.25"), "1 in 4", "exact", "", {"unit": "ratio"}),
    Row(D(3), "3:1", "exact", "", {"unit": "ratio"}),
    Row(D(3), "3x", "exact", "", {"unit": "ratio"}),
    Row(D(14), "2 weeks", "exact", "", {"unit": "days"}),
    Row(D(14), "14 days", "exact", "", {"unit": "days"}),
    Row(D(14), "14", "exact", "", {"unit": "days"}),
    Row(D(90), "1.5h", "exact", "", {"unit": "minutes"}),
    Row(D(14), "14 months", "wrong", "unit_mismatch", {"unit": "days"}),
    Row(D(24), "2 years", "exact", "", {"unit": "months"}),
    Row(D(5), "5%", "wrong", "unit_mismatch", {"unit": "days"}),
    Row(D(5), "$5", "wrong", "unit_mismatch", {"unit": "days"}),
    Row(D(5), "€5", "exact", "", {"currency": "EUR"}),
    Row(D(5), "5", "exact", "", {"currency": "EUR"}),
    Row(D(5), "$5", "wrong", "currency_mismatch", {"currency": "EUR"}),
    Row(D(5), "$5", "exact", "", {"currency": "CAD"}),
    Row(D(5), "US$5", "wrong", "currency_mismatch", {"currency": "CAD"}),
    Row(D(5), "$5", "wrong", "currency_mismatch", {"unit": "EUR"}),
    Row(D(5), "$5", "exact", "currency_undeclared", {"unit": "currency"}),
    Row(D(5), "5%", "wrong", "unit_mismatch", {"currency": "EUR"}),
    Row(D(5), "5%", "wrong", "unit_mismatch", {"unit": "kg"}),
    Row(D(5), "5 kg", "exact", "", {"unit": "kg"}),
    Row(D(5), "5 days", "exact", "unit_undeclared", {"unit": "kg"}),
    Row(D(5), "5x", "exact", "unit_undeclared", {"unit": "kg"}),
    Row(D(5), "$5", "exact", "currency_undeclared", {"unit": "kg"}),
    Row(365, "365 days", "exact", "unit_undeclared", {"unit": "count"}),
    Row(D("33.24"), "3324 bps", "exact", "", {"unit": "percent"}),
    Row(D(25), "1 in 4", "exact", "", {"unit": "percent"}),
    Row(D("0.0525"), "5.25", "unit_adjusted", "unit_adjusted", {"unit": "rate"}),
    Row(D("-0.05"), "-5", "unit_adjusted", "unit_adjusted", {"unit": "rate"}),
    Row(D(12), "12", "exact", "", {"unit": "bps"}),
    Row(D(12), "0.12 pp", "exact", "", {"unit": "bps"}),
    Row(D(12), "12x", "wrong", "unit_mismatch", {"unit": "bps"}),
    Row(D("0.25"), "25%", "exact", "", {"unit": "ratio"}),
    Row(D("0.25"), "0.25", "exact", "", {"unit": "ratio"}),
    Row(D("0.25"), "0.25 pp", "wrong", "unit_mismatch", {"unit": "ratio"}),
    Row(D(3), "3", "exact", "", {"unit": "x"}),
    Row(D(5), "5", "exact", "", {"unit": "currency"}),
    Row(D(4), "1 year", "exact", "", {"unit": "quarters"}),
]

ROUNDING = [
    Row(D("3.3329"), "3.3%", "wrong", "correct_rounding", {"unit": "percent"}),
    Row(D("3.3329"), "3.3%", "rounded", "", {"unit": "percent", "accept_rounding": True}),
    Row(D("3.3329"), "3.4%", "wrong", "", {"unit": "percent", "accept_rounding": True}),
    Row(D("3.3329"), "3%", "rounded", "coarse_rounding unit_unsure", {"accept_rounding": True}),
    Row(D("0.033329"), "3.3%", "rounded", "", {"unit": "rate", "accept_rounding": True}),
    Row(D("0.033329"), "3.3%", "wrong", "correct_rounding", {"unit": "rate"}),
    Row(D("0.4"), "0", "wrong", "", {"accept_rounding": True}),
    Row(D("2.5"), "3", "rounded", "coarse_rounding", {"accept_rounding": True}),
    Row(D("2.5"), "2", "rounded", "coarse_rounding", {"accept_rounding": True}),
    Row(D("4823910.55"), "5M", "rounded", "coarse_rounding", {"accept_rounding": True}),
]

UNREADABLE = [
    Row(D("0.5"), "$1.2M (up 5%)", "unparseable"),
    Row(D(10), "10-20", "unparseable"),
    Row(D(5), "at least 5", "unparseable"),
    Row(D(-5), "down 5", "unparseable"),
    Row(D(5), "NaN", "unparseable"),
    Row(D(0), "inf", "unparseable"),
    Row(D(1), "true", "unparseable"),
    Row(D(5), "Widget A", "unparseable"),
    Row(D(5), "I cannot answer this", "no_answer"),
    Row(D(5), "not available", "no_answer"),
]

ROWS = [*TOLERANCE, *COUNTS, *UNDECLARED, *DECLARED, *ROUNDING, *UNREADABLE]


@pytest.mark.parametrize("row", ROWS, ids=lambda r: f"{r.gold} {r.said} {r.key}")
def test_a_number_is_worth_what_the_table_says(row: Row) -> None:
    found = grade(row.gold, row.said, **row.key)
    assert (found.matched or found.verdict.value) == row.how
    assert found.passed is (found.matched is not None)
    assert " ".join(found.flags) == row.flags


def test_an_unparseable_answer_names_its_candidates() -> None:
    found = grade(D(5), "$1.2M (up 5%)")
    assert "'$1.2M', '5%'" in found.reason


def test_a_wrong_number_is_named_beside_the_gold() -> None:
    found = grade(D("4823910.550"), "4.9M")
    assert found.reason == "The answer 4900000 is not the gold 4823910.55."
    scaled = grade(D("0.5"), "0.5%")
    assert scaled.reason == "The answer 0.5% is not the gold 0.5, but a factor of 100 apart."


# Text, what its SQL returns, and the number that is its answer (None: none is).
SEVERAL: list[tuple[str, Cell, str | None]] = [
    ("$1.2M (up 5%)", D(1200000), "1200000"),
    ("$1.2M (up 5%)", D(1204000), "1200000"),
    ("Revenue was 1,200 from 34 orders.", D(1200), "1200"),
    ("Revenue was 1,200 from 34 orders.", 34, "34"),
    ("34 of the orders were returned, which is 12.5% of them", D("12.5"), "12.5"),
    ("34 of the orders were returned, which is 12.5% of them", D("0.125"), "0.125"),
    ("2025 closed at 120 orders after 100 in the year before", 120, "120"),
    ("The answer is 1,200 from 34 orders", D(1200), "1200"),
    ("Final answer: **1,200** from 34 orders", D(1200), "1200"),
    # what its SQL returns is not among them, or twice
    ("$1.2M (up 5%)", D(7), None),
    ("it was 5 before and 5.0 after", D(5), None),
    ("Revenue was 1,200 from 34 orders.", None, None),
    # a choice, a condition, a bare list, a range, a bound
    ("it was 5 or 1200000", D(5), None),
    ("5 or 6", D(5), None),
    ("either 5 with tax, 6 without", D(5), None),
    ("maybe 5 in the north, 6 in the south", D(5), None),
    ("5 if tax counts, 6 in the books", D(5), None),
    ("5, 6", D(5), None),
    ("5 and 6", D(5), None),
    ("10-20", D(10), None),
    ("at least 5, measured 3 times", D(5), None),
    # an aside, or taken back, or another one is called the answer
    ("$1.2M (up 5%)", D(5), None),
    ("it isn't 5, we counted 6", D(5), None),
    ("not 5, we counted 6", D(5), None),
    ("we counted 6, twice 5", D(5), None),
    ("6 is the answer, and 5 what the query gives", D(5), None),
    ("6 is the answer, and 5 what came out", D(5), None),
    ("the answer is 6 where 5 came out", D(5), None),
    ("The answer is 1,200 from 34 orders", 34, None),
    ("5 came out, but 6 is right", D(5), None),
    ("down 5 from 6", D(5), None),
]


@pytest.mark.parametrize(("said", "own", "meant"), SEVERAL)
def test_of_several_numbers_only_what_its_own_sql_returns_is_the_answer(
    said: str, own: Cell, meant: str | None
) -> None:
    found = grade_answer(
        reply=Reply(value=said, query="select y"),
        key=GoldCase(id="c", question="q", line=1, gold_sql=("select x",)),
        golds=[executed(D(meant) if meant else own or 0)],
        predicted=executed(own),
        gold_orders=[False],
    )
    assert found.verdict.value == ("correct" if meant else "unparseable")
    assert ("settled_by_sql" in found.flags) is (meant is not None)
    assert (found.faithfulness == "supported") is (meant is not None)


def test_what_its_own_sql_settles_is_wrong_where_the_gold_is_another() -> None:
    found = grade_answer(
        reply=Reply(value="$1.2M (up 5%)", query="select y"),
        key=GoldCase(id="c", question="q", line=1, gold_sql=("select x",)),
        golds=[executed(D(1300000))],
        predicted=executed(D(1200000)),
        gold_orders=[False],
    )
    assert (found.verdict.value, found.flags) == ("wrong", ("settled_by_sql",))


@pytest.mark.parametrize(
    ("mark", "said", "gold", "how"),
    [
        ("auto", "1.234", 1234, "wrong"),
        (",", "1.234", 1234, "exact"),
        (",", "1,234", D("1.234"), "exact"),
        (",", "1.234,5", D("1234.5"), "exact"),
        ("auto", "1,234", D("1.234"), "wrong"),
        (".", "1,234", 1234, "exact"),
        (".", "1,23", D("1.23"), "unparseable"),
    ],
)
def test_a_case_settles_which_mark_is_decimal(
    mark: DecimalMark, said: str, gold: Cell, how: str
) -> None:
    found = grade(gold, said, decimal_mark=mark)
    assert (found.matched or found.verdict.value) == how


def test_what_a_warehouse_writes_follows_no_convention_of_the_suite() -> None:
    key = GoldCase(id="c", question="q", line=1, gold_sql=("select x",), decimal_mark=",")
    found = grade_answer(
        reply=Reply(query="select y"),
        key=key,
        golds=[executed(D("1.234"))],
        predicted=executed("1.234"),
        gold_orders=[False],
    )
    assert found.matched == "exact"
