"""Every verdict, for every kind of answer."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest

from goldsuite.grading.verdicts import grade_answer
from goldsuite.model.answer import LoggedQuery, Reply
from goldsuite.model.grade import Grade, Verdict
from goldsuite.model.key import AnswerKind, GoldCase
from goldsuite.model.result_set import Cell, Column, Execution, Problem, ProblemKind, ResultSet

Table = list[tuple[Cell, ...]]


def ran(rows: Table, columns: str = "", *, truncated: bool = False, sql: str = "s") -> Execution:
    width = len(rows[0]) if rows else max(len(columns.split()), 1)
    names = columns.split() or [f"c{at}" for at in range(width)]
    result = ResultSet(
        columns=tuple(Column(name=name) for name in names), rows=tuple(rows), truncated=truncated
    )
    return Execution(sql=sql, result=result)


def stopped(kind: ProblemKind, message: str = "why") -> Execution:
    return Execution(sql="s", problem=Problem(kind=kind, message=message))


def grade(
    gold: Execution | list[Execution],
    *,
    value: str | None = None,
    own: Execution | None = None,
    ordered: bool = False,
    reply: dict[str, Any] | None = None,
    **key: Any,
) -> Grade:
    golds = gold if isinstance(gold, list) else [gold]
    case = GoldCase(id="c", question="q", line=1, gold_sql=tuple(g.sql for g in golds), **key)
    return grade_answer(
        reply=Reply(value=value, query="select 1" if own else None, **(reply or {})),
        key=case,
        golds=golds,
        predicted=own,
        gold_orders=[ordered] * len(golds),
        dialect="duckdb",
    )


NUMBER = ran([(Decimal("12.5"),)])
TEXT = ran([("LeBron James",)])
DAY = ran([(date(2025, 3, 4),)])
MOMENT = ran([(datetime(2025, 3, 4, 10, 30),)])  # noqa: DTZ001 - warehouses have naive ones
YES = ran([(True,)])
NAMES = ran([("Ann",), ("Bob, Jr.",), ("New York",)], "name")
WIDER = ran([("Ann", 10, 1), ("Bob", 20, 2)])
TOTALS = ran([("Ann", 10), ("Bob", 20)], "name total")


# --- verdicts that need no comparison ---


def test_a_broken_analyst_is_no_wrong_answer() -> None:
    found = grade(NUMBER, value="12.5", reply={"error": "timed out after 60 s"})
    assert found.verdict is Verdict.ANALYST_ERROR
    assert found.reason == "The analyst broke: timed out after 60 s"
    assert not found.passed
    assert found.gold_value == Decimal("12.5")


def test_declining_is_no_answer() -> None:
    found = grade(NUMBER, reply={"declined": "out of turns"})
    assert found.verdict is Verdict.NO_ANSWER
    assert found.reason == "The analyst declined: out of turns"


@pytest.mark.parametrize("value", [None, "", "  \n"])
def test_saying_nothing_is_no_answer(value: str | None) -> None:
    found = grade(NUMBER, value=value)
    assert (found.verdict, found.passed) == (Verdict.NO_ANSWER, False)
    assert found.faithfulness == "not_checkable"


GOLD_ERRORS: list[tuple[Execution, dict[str, Any], str]] = [
    (stopped("failed", "no such table: t"), {}, "The gold query failed: no such table: t."),
    (stopped("timed_out", "60 s"), {}, "The gold query failed: 60 s."),
    (ran([(1,)], truncated=True), {}, "cut off"),
    (ran([], "x"), {"answer": "number"}, "returned no row"),
    (ran([(1,), (2,)]), {"answer": "number"}, "2 x 1 values"),
    (ran([(1, 2)]), {"answer": "number"}, "1 x 2 values"),
    (ran([(1, 2)]), {"has_gold_value": True, "gold_value": 1}, "1 x 2 values"),
    (ran([(None,)]), {"answer": "number"}, "NULL"),
    (ran([(None,)]), {}, "NULL"),
    (ran([(float("nan"),)]), {}, "nan"),
    (ran([("x",)]), {"answer": "number"}, "but the gold is text"),
    (ran([("03/04/2025",)]), {"answer": "date"}, "date is asked, but the gold is '03/04/2025'"),
    (ran([(7,)]), {"answer": "boolean"}, "es or no is asked, but the gold is 7"),
]


@pytest.mark.parametrize(("gold", "key", "words"), GOLD_ERRORS)
def test_a_gold_that_is_no_answer_is_the_suites_fault(
    gold: Execution, key: dict[str, Any], words: str
) -> None:
    found = grade(gold, value="1", own=ran([(1,)]), **key)
    assert found.verdict is Verdict.GOLD_ERROR
    assert words in found.reason
    assert (found.passed, found.kind, found.gold_value) == (False, None, None)


def test_a_broken_gold_is_so_for_a_broken_analyst_too() -> None:
    found = grade(stopped("failed"), reply={"error": "crash"})
    assert found.verdict is Verdict.GOLD_ERROR


def test_of_several_golds_the_usable_ones_decide() -> None:
    found = grade([stopped("failed"), ran([(5,)])], value="5")
    assert (found.verdict, found.gold_sql_index) == (Verdict.CORRECT, 1)
    assert grade([stopped("failed"), stopped("failed")], value="5").verdict is Verdict.GOLD_ERROR


def test_any_of_several_golds_makes_it_correct_and_the_best_match_counts() -> None:
    golds = [ran([(Decimal("12.54"),)]), ran([(Decimal("12.5"),)])]
    found = grade(golds, value="12.50")
    assert (found.matched, found.gold_sql_index, found.gold_value) == ("exact", 1, Decimal("12.5"))
    missed = grade(golds, value="99")
    assert (missed.verdict, missed.gold_sql_index) == (Verdict.WRONG, 0)


def test_golds_and_orders_must_be_as_many() -> None:
    case = GoldCase(id="c", question="q", line=1, gold_sql=("s",))
    with pytest.raises(ValueError, match="1 golds, but 0 orders"):
        grade_answer(reply=Reply(), key=case, golds=[NUMBER], predicted=None, gold_orders=[])


# --- refusal and clarify ---

REFUSALS: list[tuple[AnswerKind, dict[str, Any], Verdict, bool]] = [
    ("refusal", {"declined": "no such data"}, Verdict.NO_ANSWER, True),
    ("refusal", {}, Verdict.NO_ANSWER, True),
    (
        "refusal",
        {"value": "I cannot answer that: there is no data on it."},
        Verdict.NO_ANSWER,
        True,
    ),
    ("refusal", {"value": "42"}, Verdict.WRONG, False),
    ("refusal", {"value": "cannot say, about 42"}, Verdict.WRONG, False),
    ("refusal", {"query": "select 1"}, Verdict.WRONG, False),
    ("refusal", {"error": "crash"}, Verdict.ANALYST_ERROR, False),
    ("clarify", {"value": "Which year do you mean?"}, Verdict.NO_ANSWER, True),
    ("clarify", {"declined": "Net or gross?"}, Verdict.NO_ANSWER, True),
    ("clarify", {"value": "42"}, Verdict.WRONG, False),
    ("clarify", {"declined": "no data"}, Verdict.NO_ANSWER, False),
    ("clarify", {}, Verdict.NO_ANSWER, False),
]


@pytest.mark.parametrize(("kind", "reply", "verdict", "passed"), REFUSALS)
def test_refusing_or_asking_back_is_right_where_the_case_says_so(
    kind: AnswerKind, reply: dict[str, Any], verdict: Verdict, passed: bool
) -> None:
    case = GoldCase(id="c", question="q", line=1, gold_sql=(), answer=kind)
    own = ran([(1,)]) if "query" in reply else None
    found = grade_answer(reply=Reply(**reply), key=case, golds=[], predicted=own, gold_orders=[])
    assert (found.verdict, found.passed, found.kind) == (verdict, passed, kind)


# --- what is asked is seen from the gold ---


@pytest.mark.parametrize(
    ("gold", "kind"),
    [
        (ran([(5,)]), "number"),
        (ran([(5.5,)]), "number"),
        (NUMBER, "number"),
        (TEXT, "text"),
        (DAY, "date"),
        (MOMENT, "date"),
        (YES, "boolean"),
        (NAMES, "table"),
        (TOTALS, "table"),
        (ran([], "a b"), "table"),
        (ran([(b"x",)]), "table"),
    ],
)
def test_the_kind_of_answer_is_seen_from_the_gold(gold: Execution, kind: str) -> None:
    assert grade(gold, reply={"declined": "x"}).kind == kind


# --- one value, by what was said or by SQL ---

SINGLE: list[tuple[Execution, str | None, Execution | None, dict[str, Any], str, str]] = [
    # the value decides, the SQL only adds to it
    (NUMBER, "12.5", None, {}, "exact", ""),
    (NUMBER, "12.5", ran([(99,)]), {}, "exact", "right_value_wrong_sql"),
    (NUMBER, "12.5", stopped("failed"), {}, "exact", "right_value_wrong_sql"),
    (NUMBER, "12.5", ran([(12.5,)]), {}, "exact", ""),
    (NUMBER, "99", ran([(99,)]), {}, "wrong", ""),
    (NUMBER, "99", ran([(12.5,)]), {}, "wrong", "right_sql_wrong_value"),
    (NUMBER, "10-20", ran([(12.5,)]), {}, "unparseable", "right_sql_wrong_value"),
    (NUMBER, "13", ran([(12.5,)]), {}, "wrong", "correct_rounding right_sql_wrong_value"),
    (NUMBER, "I cannot answer this", ran([(12.5,)]), {}, "no_answer", "declined_beside_sql"),
    (NUMBER, "I cannot answer this", ran([(99,)]), {}, "no_answer", ""),
    (NUMBER, "12.5", stopped("timed_out"), {}, "exact", ""),
    (NUMBER, "99", stopped("failed"), {}, "wrong", ""),
    # no value: the SQL decides
    (NUMBER, None, ran([(12.5,)]), {}, "exact", ""),
    (NUMBER, None, ran([(Decimal("12.54"),)]), {}, "within_tolerance", ""),
    (NUMBER, None, ran([("12.5",)]), {}, "exact", ""),
    (NUMBER, None, ran([("x",)]), {}, "unparseable", ""),
    (NUMBER, None, ran([(None,)]), {}, "wrong", ""),
    (NUMBER, None, ran([], "x"), {}, "unparseable", ""),
    (NUMBER, None, ran([(12.5,), (1,)]), {}, "unparseable", ""),
    (NUMBER, None, ran([("x", 12.5)]), {}, "unparseable", ""),
    (NUMBER, None, ran([(12.5,)], truncated=True), {}, "not_gradable", ""),
    (NUMBER, None, stopped("refused"), {}, "not_gradable", ""),
    (NUMBER, None, stopped("timed_out"), {}, "not_gradable", ""),
    (NUMBER, None, stopped("too_large"), {}, "not_gradable", ""),
    (NUMBER, None, stopped("failed"), {}, "wrong", ""),
    (ran([(0.25,)]), None, ran([(25,)]), {}, "unit_adjusted", "unit_adjusted unit_unsure"),
    # NULL, zero and no row
    (ran([(None,)]), "null", None, {"allow_null": True, "answer": "number"}, "exact", ""),
    (ran([(None,)]), None, ran([(None,)]), {"allow_null": True}, "exact", ""),
    (ran([(None,)]), "0", None, {"allow_null": True, "answer": "number"}, "wrong", ""),
    (ran([(None,)]), None, ran([(0,)]), {"allow_null": True}, "wrong", ""),
    (ran([(None,)]), "0", None, {"null_is_zero": True, "answer": "number"}, "exact", ""),
    (ran([(None,)]), None, ran([(None,)]), {"null_is_zero": True}, "exact", ""),
    (ran([(None,)]), None, ran([(0,)]), {"null_is_zero": True}, "exact", ""),
    (ran([(0,)]), None, ran([(None,)]), {"null_is_zero": True}, "exact", ""),
    (ran([(0,)]), None, ran([], "x"), {"null_is_zero": True}, "exact", ""),
    (ran([(0,)]), None, ran([(None,)]), {}, "wrong", ""),
    (ran([(0,)]), None, ran([], "x"), {}, "unparseable", ""),
    # text
    (TEXT, "LeBron James", None, {}, "exact", ""),
    (TEXT, " LeBron James\n", None, {}, "exact", ""),
    (TEXT, "lebron james", None, {}, "wrong", "case_differs"),
    (TEXT, "lebron james", None, {"case_sensitive": False}, "exact", ""),
    (TEXT, '"LeBron James"', None, {}, "exact", "from_text"),
    (TEXT, "The highest-paid player is LeBron James.", None, {}, "exact", "from_text"),
    (TEXT, "Answer: **LeBron James**", None, {}, "exact", "from_text"),
    (TEXT, "Kobe Bryant is LeBron James", None, {}, "wrong", ""),
    (TEXT, "It is not LeBron James", None, {}, "wrong", ""),
    (TEXT, "It is LeBron James or Chris Paul", None, {}, "wrong", ""),
    (TEXT, "LeBron James Jr.", None, {}, "wrong", ""),
    (TEXT, "LeBron", None, {}, "wrong", ""),
    (TEXT, "Either is LeBron James", None, {}, "wrong", ""),
    (TEXT, "I don't know", None, {}, "no_answer", ""),
    (ran([("York",)]), "It is New York", None, {}, "wrong", ""),
    (ran([("n/a",)]), "n/a", None, {}, "exact", ""),
    (ran([("caf\u00e9",)]), "cafe\u0301", None, {}, "exact", ""),
    (ran([("8",)]), "8", None, {}, "exact", ""),
    (ran([("8",)]), "8.0", None, {}, "exact", ""),
    (ran([("007",)]), "7", None, {}, "wrong", ""),
    (ran([("1.10",)]), "1.1", None, {}, "wrong", ""),
    (ran([("$18,833,712",)]), "18833712", None, {}, "exact", ""),
    (ran([("$18,833,712",)]), "$18,833,713", None, {}, "wrong", ""),
    (ran([(8,)]), "8", None, {"answer": "text"}, "exact", ""),
    (TEXT, None, TEXT, {}, "exact", ""),
    (TEXT, None, ran([("Chris Paul",)]), {}, "wrong", ""),
    (TEXT, None, ran([("LeBron James", "$47")]), {}, "exact", "extra_columns"),
    (TEXT, None, ran([("LeBron James", 1)]), {"extra_columns": "refused"}, "unparseable", ""),
    (TEXT, None, ran([("LeBron James",), ("LeBron James",)]), {}, "unparseable", ""),
    # dates
    (DAY, "2025-03-04", None, {}, "exact", ""),
    (DAY, "2025-03-04T00:00:00Z", None, {}, "exact", ""),
    (DAY, "2025-03-04 00:00:00", None, {}, "exact", ""),
    (DAY, "20250304", None, {}, "exact", ""),
    (DAY, "2025/03/04", None, {}, "exact", ""),
    (DAY, "March 4, 2025", None, {}, "exact", ""),
    (DAY, "4 Mar 2025", None, {}, "exact", ""),
    (DAY, "Tuesday, March 4th, 2025", None, {}, "exact", ""),
    (DAY, "The day was March 4, 2025.", None, {}, "exact", "from_text"),
    (DAY, "after: 2025-03-04", None, {}, "unparseable", ""),
    (DAY, "the day before is 2025-03-04", None, {}, "unparseable", ""),
    (DAY, "The day was not March 4, 2025.", None, {}, "unparseable", ""),
    (DAY, "03/04/2025", None, {}, "unparseable", ""),
    (DAY, "04.03.2025", None, {}, "unparseable", ""),
    (DAY, "March 2025", None, {}, "unparseable", ""),
    (DAY, "2025-03-05", None, {}, "wrong", ""),
    (DAY, "2025-02-30", None, {}, "unparseable", ""),
    (DAY, "2025-03-04 10:30", None, {}, "wrong", ""),
    (ran([(date(2025, 3, 14),)]), "03/14/2025", None, {}, "exact", ""),
    (ran([(date(2025, 3, 14),)]), "14.03.2025", None, {}, "exact", ""),
    (ran([("2025-03-04",)]), "March 4, 2025", None, {"answer": "date"}, "exact", ""),
    (MOMENT, "2025-03-04 10:30:00", None, {}, "exact", ""),
    (MOMENT, "2025-03-04", None, {}, "wrong", ""),
    (DAY, None, ran([(datetime(2025, 3, 4),)]), {}, "exact", ""),  # noqa: DTZ001
    (DAY, None, ran([("2025-03-04",)]), {}, "exact", ""),
    # yes and no
    (YES, "yes", None, {}, "exact", ""),
    (YES, "TRUE", None, {}, "exact", ""),
    (YES, "Yes, by 5 %.", None, {}, "exact", ""),
    (YES, "No", None, {}, "wrong", ""),
    (YES, "maybe", None, {}, "unparseable", ""),
    (YES, None, ran([(1,)]), {}, "exact", ""),
    (YES, None, ran([(False,)]), {}, "wrong", ""),
    (ran([(1,)]), "yes", None, {"answer": "boolean"}, "exact", ""),
    (ran([(0,)]), "No, it fell.", None, {"answer": "boolean"}, "exact", ""),
]


@pytest.mark.parametrize(("gold", "value", "own", "key", "how", "flags"), SINGLE)
def test_one_value_is_graded_as_the_table_says(
    gold: Execution,
    value: str | None,
    own: Execution | None,
    key: dict[str, Any],
    how: str,
    flags: str,
) -> None:
    found = grade(gold, value=value, own=own, **key)
    assert (found.matched or found.verdict.value) == how
    assert found.passed is (found.verdict is Verdict.CORRECT)
    assert " ".join(found.flags) == flags


# --- rows ---

CONTRADICTS = "right_sql_wrong_value text_contradicts"
THOUSANDS = ran([("Ann", 1234)], "name n")
SHOPS = ran([("Unknown", 1), ("Not available", 2)], "shop n")
ROWS: list[tuple[Execution, str | None, Execution | None, dict[str, Any], str, str]] = [
    (TOTALS, None, ran([("Bob", 20), ("Ann", 10)], "n t"), {}, "exact", ""),
    (TOTALS, None, ran([("Bob", 20)], "n t"), {}, "wrong", ""),
    (TOTALS, None, stopped("failed"), {}, "wrong", ""),
    (TOTALS, None, stopped("refused"), {}, "not_gradable", ""),
    (TOTALS, None, ran([("Ann", 10)], truncated=True), {}, "not_gradable", ""),
    (TOTALS, "see the SQL", TOTALS, {}, "exact", ""),
    (TOTALS, "Ann: 10, Bob: 20", TOTALS, {}, "exact", ""),
    (TOTALS, "Ann: 10, Bob: 35", TOTALS, {}, "wrong", CONTRADICTS),
    (THOUSANDS, "Ann: 1.234", THOUSANDS, {"decimal_mark": ","}, "exact", ""),
    (THOUSANDS, "Ann: 1.234", THOUSANDS, {}, "wrong", CONTRADICTS),
    (TOTALS, '[["Ann", 10], ["Bob", 35]]', TOTALS, {}, "wrong", CONTRADICTS),
    (TOTALS, "[('Ann', 10), ('Bob', 35)]", TOTALS, {}, "wrong", CONTRADICTS),
    (NAMES, '["Ann", "Bob, Jr.", "Boston"]', NAMES, {}, "wrong", CONTRADICTS),
    (TOTALS, "Bob had 3 of 5", TOTALS, {}, "exact", ""),
    (TOTALS, "I cannot answer this", TOTALS, {}, "no_answer", "declined_beside_sql"),
    (TOTALS, "There is no data for that.", TOTALS, {}, "no_answer", "declined_beside_sql"),
    (TOTALS, "I cannot answer this", ran([("Ann", 1)], "n t"), {}, "wrong", ""),
    (SHOPS, "Unknown and Not available", SHOPS, {}, "exact", ""),
    (SHOPS, "The shop is unknown to me, it's unavailable", SHOPS, {}, "no_answer",
     "declined_beside_sql"),
    (TOTALS, '[["Ann", 10], ["Bob", 20]]', None, {}, "exact", "from_text"),
    (TOTALS, '[{"n": "Ann", "t": 10}, {"n": "Bob", "t": 20}]', None, {}, "exact", "from_text"),
    (TOTALS, "| n | t |\n|---|--:|\n| Ann | 10 |\n| Bob | 20 |", None, {}, "exact",
     "from_text type_from_text"),
    (TOTALS, '[["Ann", 10], ["Bob", 21]]', None, {}, "wrong", "from_text"),
    (TOTALS, "there are two", None, {}, "wrong", ""),
    (TOTALS, "I am unable to say", None, {}, "no_answer", ""),
    (NAMES, "Ann, Bob, Jr., New York", None, {}, "exact", "from_text"),
    (NAMES, "The cities are:\n1. New York\n2. Ann\n3. Bob, Jr.", None, {}, "exact", "from_text"),
    (NAMES, "New York, Bob, Jr. and Ann", None, {}, "exact", "from_text"),
    (NAMES, "Ann and New York", None, {}, "wrong", ""),
    (NAMES, "Ann, Bob, Jr., New York and Cid", None, {}, "wrong", ""),
    (NAMES, "Ann, Ann, Bob, Jr., New York", None, {}, "wrong", ""),
    (NAMES, "not Ann, Bob, Jr., New York", None, {}, "wrong", ""),
    (ran([("Ann", 36)]), "Ann, 36", None, {}, "exact", "from_text"),
    (ran([("Ann", "Bob")]), "Bob, Ann", None, {}, "wrong", ""),
    (ran([("Ann", 36)]), "Ann", None, {}, "wrong", ""),
    (ran([(1,), (2,)]), "[2, 1]", None, {}, "exact", "from_text"),
    (ran([(1,), (2,)]), "[2, 1, 1]", None, {}, "wrong", "from_text"),
    (ran([], "a b"), None, ran([], "x y"), {}, "exact", "vacuous"),
    (ran([], "a b"), None, ran([], "x"), {}, "wrong", ""),
    (TOTALS, None, WIDER, {}, "exact", "extra_columns"),
    (TOTALS, None, WIDER, {"extra_columns": "refused"}, "wrong", ""),
    (TEXT, None, ran([("LeBron James", 1)]), {"answer": "table"}, "exact", "extra_columns"),
]  # fmt: skip


@pytest.mark.parametrize(("gold", "value", "own", "key", "how", "flags"), ROWS)
def test_rows_are_graded_as_the_table_says(
    gold: Execution,
    value: str | None,
    own: Execution | None,
    key: dict[str, Any],
    how: str,
    flags: str,
) -> None:
    found = grade(gold, value=value, own=own, **key)
    assert (found.matched or found.verdict.value) == how
    assert " ".join(found.flags) == flags


@pytest.mark.parametrize(
    ("ordered", "row_order", "verdict"),
    [
        (False, None, Verdict.CORRECT),
        (True, None, Verdict.WRONG),
        (True, "ignored", Verdict.CORRECT),
        (False, "required", Verdict.WRONG),
    ],
)
def test_order_is_demanded_where_the_gold_orders_or_the_case_says_so(
    ordered: bool, row_order: Any, verdict: Verdict
) -> None:
    backwards = ran([("Bob", 20), ("Ann", 10)], "name total")
    found = grade(TOTALS, own=backwards, ordered=ordered, row_order=row_order)
    assert found.verdict is verdict
    assert found.mismatches == (("order",) if verdict is Verdict.WRONG else ())


def test_ties_are_read_from_the_gold_query() -> None:
    sql = "select name, total from t order by total desc"
    gold = ran([("Ann", 9), ("Bob", 5), ("Cid", 5)], "name total", sql=sql)
    own = ran([("Ann", 9), ("Cid", 5), ("Bob", 5)], "name total")
    assert grade(gold, own=own, ordered=True).verdict is Verdict.CORRECT
    other = ran([("Bob", 5), ("Ann", 9), ("Cid", 5)], "name total")
    assert grade(gold, own=other, ordered=True).verdict is Verdict.WRONG


def test_a_failing_query_is_told_with_its_error() -> None:
    found = grade(TOTALS, own=stopped("failed", "no such column: x"))
    assert found.reason == "The answer's SQL fails: no such column: x"


def test_a_wrong_table_has_codes_and_a_partial_score() -> None:
    found = grade(TOTALS, own=ran([("Ann", 10)], "name total"))
    assert found.mismatches == ("row_count", "missing_rows")
    assert found.partial_score is not None
    assert (found.partial_score.precision, found.partial_score.recall) == (1.0, 0.5)
    assert found.gold_value == (("Ann", 10), ("Bob", 20))


# --- execution match and faithfulness ---

EVIDENCE: list[tuple[Execution, str | None, Execution | None, bool | None, str]] = [
    (NUMBER, "12.5", ran([(12.5,)]), True, "supported"),
    (NUMBER, "12.5", ran([(99,)]), False, "unsupported"),
    (NUMBER, "99", ran([(12.5,)]), True, "unsupported"),
    (NUMBER, "99", ran([(99,)]), False, "supported"),
    (NUMBER, "12.5", None, None, "not_checkable"),
    (NUMBER, "12.5", stopped("failed"), None, "not_checkable"),
    (NUMBER, "12.5", ran([(12.5,), (1,)]), False, "not_checkable"),
    (NUMBER, "13", ran([(12.6,)]), False, "supported"),
    (NUMBER, None, ran([(12.5,)]), True, "not_checkable"),
    (NUMBER, "about", ran([(12.5,)]), True, "not_checkable"),
    (ran([(0.25,)]), "25%", ran([(0.25,)]), True, "supported"),
    (ran([(0.25,)]), "24%", ran([(0.25,)]), True, "unsupported"),
    (TEXT, "LeBron James", TEXT, True, "supported"),
    (TEXT, "Chris Paul", TEXT, True, "unsupported"),
    (DAY, "March 4, 2025", DAY, True, "supported"),
    (DAY, "2025-03-05", DAY, True, "unsupported"),
    (YES, "no", YES, True, "unsupported"),
    (TOTALS, "x", TOTALS, True, "not_checkable"),
    (TOTALS, None, ran([("Ann", 1)]), False, "not_checkable"),
]


@pytest.mark.parametrize(
    ("own", "faithful"), [(4.908, "supported"), (0.04908, "supported"), (49.08, "unsupported")]
)
def test_a_percentage_is_supported_by_the_share_and_by_the_percentage(
    own: float, faithful: str
) -> None:
    found = grade_answer(
        reply=Reply(value="4.91 %", query="select x"),
        key=GoldCase(id="c", question="q", line=1, gold_sql=("select y",), unit="rate"),
        golds=[ran([(0.04908,)])],
        predicted=ran([(own,)]),
        gold_orders=[False],
    )
    assert found.passed
    assert found.faithfulness == faithful


@pytest.mark.parametrize(("gold", "value", "own", "match", "faithful"), EVIDENCE)
def test_the_sql_is_judged_beside_the_value(
    gold: Execution, value: str | None, own: Execution | None, match: bool | None, faithful: str
) -> None:
    found = grade(gold, value=value, own=own)
    assert found.execution_match is match
    assert found.faithfulness == faithful


# --- the data moved between the run and the grading ---

SQL = "select sum(amount) from sales"
AGAIN = "SELECT SUM(amount)\n  FROM sales; -- again"


def grade_logged(
    said: str,
    *logged: LoggedQuery,
    gold: Execution = NUMBER,
    own: Execution | None = None,
    query: str = SQL,
    **key: Any,
) -> Grade:
    return grade_answer(
        reply=Reply(value=said, query=query, queries=logged),
        key=GoldCase(id="c", question="q", line=1, gold_sql=("select x",), **key),
        golds=[gold],
        predicted=own or gold,
        gold_orders=[False],
        dialect="duckdb",
    )


@pytest.mark.parametrize("logged", [SQL, AGAIN])
def test_what_its_sql_gave_during_the_run_is_correct_where_it_gives_the_gold_now(
    logged: str,
) -> None:
    found = grade_logged("11.25", LoggedQuery(sql=logged, rows=1, value="11.25"))
    assert (found.verdict, found.matched, found.passed) == (Verdict.CORRECT, "exact", True)
    assert found.flags == ("data_moved",)
    assert found.faithfulness == "supported"
    assert found.gold_value == Decimal("12.5")
    assert found.reason == (
        "The data moved: the answer's SQL gave '11.25' during the run, as was said, and gives the "
        "gold now."
    )


def other(value: str | None, sql: str = SQL, error: str | None = None) -> LoggedQuery:
    return LoggedQuery(sql=sql, rows=None if value is None else 1, value=value, error=error)


NOT_MOVED: list[tuple[str, tuple[LoggedQuery, ...], Execution | None, str]] = [
    # it never ran, failed, or gave something else
    ("11.25", (), None, SQL),
    ("11.25", (other(None, error="no such table"),), None, SQL),
    ("11.25", (other("10.75"),), None, SQL),
    # another statement gave the value
    ("11.25", (other("11.25", sql="select sum(net) from sales"),), None, SQL),
    # its SQL does not give the gold now
    ("11.25", (other("11.25"),), ran([(99,)]), SQL),
    # it gives another value on the same data, by the clock or by chance
    ("11.25", (other("11.25", sql="select sum(a) from t where d = current_date"),), None,
     "select sum(a) from t where d = current_date"),
    ("11.25", (other("11.25", sql="select random()"),), None, "select random()"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "logged", "own", "query"), NOT_MOVED)
def test_without_proof_that_the_data_moved_the_value_decides(
    said: str, logged: tuple[LoggedQuery, ...], own: Execution | None, query: str
) -> None:
    found = grade_logged(said, *logged, own=own, query=query)
    assert found.verdict is Verdict.WRONG
    assert "data_moved" not in found.flags


@pytest.mark.parametrize(
    ("gold", "then", "said"),
    [
        (ran([(31,)]), "29", "29"),
        (TEXT, "Chris Paul", "It is Chris Paul."),
        (DAY, "2025-03-03", "March 3, 2025"),
        (YES, "false", "No"),
        (ran([(0.25,)]), "0.2", "20%"),
    ],
)
def test_the_data_may_move_under_every_kind_of_value(gold: Execution, then: str, said: str) -> None:
    found = grade_logged(said, other(then), gold=gold)
    assert found.passed
    assert "data_moved" in found.flags


def test_the_log_supports_a_value_that_its_sql_no_longer_gives() -> None:
    found = grade_logged("11.25", other("11.25"), own=ran([(99,)]))
    assert (found.verdict, found.faithfulness) == (Verdict.WRONG, "supported")


def test_grading_twice_gives_the_same_grade() -> None:
    assert grade(TOTALS, own=ran([("Ann", 1)])) == grade(TOTALS, own=ran([("Ann", 1)]))
