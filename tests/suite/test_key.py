"""The key half: exact values, the suite's defaults, and what reading a dumped suite gives."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldsuite.errors import SuiteError
from goldsuite.model.key import Criterion, GoldCase, GoldValue
from goldsuite.suite.key import load_key
from tests.suite.conftest import Write

CASE = """\
cases:
  - id: a
    question: How many?
    split: train
    gold_sql: select 1
"""


def only_case(path: Path) -> GoldCase:
    [case] = load_key(path).cases
    return case


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("4823910.55", Decimal("4823910.55")),
        ("0.1", Decimal("0.1")),
        ("12345678901234567890.123456789", Decimal("12345678901234567890.123456789")),
        ("9007199254740993", 9007199254740993),
        ("1_000", 1000),
        ("+5", 5),
        ("-0.5", Decimal("-0.5")),
        ("1.0e-6", Decimal("0.000001")),
        ("6.00", Decimal("6.00")),
        ("'42'", "42"),
        ("Stephen Curry", "Stephen Curry"),
        ("true", True),
        ("2025-10-01", date(2025, 10, 1)),
        ("2025-10-01T12:00:00Z", datetime(2025, 10, 1, 12, tzinfo=UTC)),
        ("[]", ()),
        ("[a, b]", (("a",), ("b",))),
        ("[[a, 1.5], [b, null]]", (("a", Decimal("1.5")), ("b", None))),
    ],
)
def test_a_stored_value_is_read_exactly(write: Write, written: str, value: GoldValue) -> None:
    case = only_case(write(f"{CASE}    gold_value: {written}\n"))
    assert case.has_gold_value
    assert case.gold_value == value
    assert type(case.gold_value) is type(value)


def test_a_case_without_a_stored_value_says_so(write: Write) -> None:
    case = only_case(write(CASE))
    assert (case.has_gold_value, case.gold_value) == (False, None)


def test_a_date_in_quotes_is_a_date_where_a_date_is_asked(write: Write) -> None:
    text = f"{CASE}    answer: date\n    gold_value: '2025-10-01'\n"
    assert only_case(write(text)).gold_value == date(2025, 10, 1)


# The relative tolerance is 0.005 unless named, and 0 for counts.
@pytest.mark.parametrize(
    ("defaults", "added", "tolerance", "is_given"),
    [
        ("", "", "0.005", False),
        ("", "unit: count", "0", False),
        ("", "tolerance: 0", "0", True),
        ("", "unit: count\n    tolerance: 0.01", "0.01", True),
        ("tolerance: 0.02", "", "0.02", True),
        ("tolerance: 0.02", "unit: count", "0.02", True),
        ("tolerance: 0.02", "tolerance: 0", "0", True),
        ("tolerance: 0.02", "tolerance: null", "0.005", False),
        ("unit: count", "", "0", False),
        ("unit: count", "unit: null", "0.005", False),
    ],
)
def test_the_nearest_tolerance_holds(
    write: Write, defaults: str, added: str, tolerance: str, *, is_given: bool
) -> None:
    head = f"defaults:\n  {defaults}\n" if defaults else ""
    case = only_case(write(f"{head}{CASE}    {added}\n"))
    assert (case.tolerance, case.tolerance_given) == (Decimal(tolerance), is_given)


@pytest.mark.parametrize(
    ("defaults", "added", "mark"),
    [
        ("", "", "auto"),
        ("", "decimal_mark: ','", ","),
        ("", "decimal_mark: .", "."),
        ("decimal_mark: ','", "", ","),
        ("decimal_mark: ','", "decimal_mark: auto", "auto"),
        ("decimal_mark: ','", "decimal_mark: null", "auto"),
        ("decimal_mark: ','", 'decimal_mark: "."', "."),
    ],
)
def test_the_nearest_decimal_mark_holds(write: Write, defaults: str, added: str, mark: str) -> None:
    head = f"defaults:\n  {defaults}\n" if defaults else ""
    assert only_case(write(f"{head}{CASE}    {added}\n")).decimal_mark == mark


def test_every_key_arrives(write: Write) -> None:
    path = write(
        """\
name: all keys
as_of: 2026-01-31
defaults:
  tags: [core]
  difficulty: easy
cases:
  - id: everything
    question: How much?
    split: test
    gold_sql: [select 1.5, select 3 / 2]
    gold_value: 1.5
    tolerance: 0.01
    abs_tolerance: 2
    unit: Currency
    currency: eur
    decimal_mark: ","
    answer: number
    null_is_zero: true
    allow_null: false
    row_order: ignored
    extra_columns: refused
    accept_rounding: yes
    must_pass: true
    case_sensitive: false
    metric: net revenue
    tags: [money]
    note: looked at
    verified_by: ann
    verified_at: 2025-12-31
    paraphrases: [What is it?]
    expected_tools: [query]
    expected_skills: [sql]
    max_turns: 5
    rubric:
      - {criterion: is polite, weight: 0.5}
      - {criterion: is short}
"""
    )
    suite = load_key(path)
    assert (suite.name, suite.as_of) == ("all keys", date(2026, 1, 31))
    assert suite.by_id["everything"] == GoldCase(
        id="everything",
        question="How much?",
        line=7,
        gold_sql=("select 1.5", "select 3 / 2"),
        gold_value=Decimal("1.5"),
        has_gold_value=True,
        tolerance=Decimal("0.01"),
        tolerance_given=True,
        abs_tolerance=Decimal(2),
        unit="currency",
        currency="EUR",
        decimal_mark=",",
        answer="number",
        null_is_zero=True,
        allow_null=False,
        row_order="ignored",
        extra_columns="refused",
        accept_rounding=True,
        must_pass=True,
        case_sensitive=False,
        metric="net revenue",
        tags=("money",),
        difficulty="easy",
        note="looked at",
        verified_by="ann",
        verified_at=date(2025, 12, 31),
        paraphrases=("What is it?",),
        expected_tools=("query",),
        expected_skills=("sql",),
        target="sql",
        max_turns=5,
        rubric=(
            Criterion(criterion="is polite", weight=Decimal("0.5")),
            Criterion(criterion="is short", weight=Decimal(1)),
        ),
    )


@pytest.mark.parametrize(
    ("added", "criteria"),
    [
        ("success_criteria: It is polite.", [("It is polite.", 1)]),
        ("rubric: [{criterion: short, weight: 2.5}]", [("short", Decimal("2.5"))]),
        ("tags: [x]", [("friendly", 3)]),
    ],
)
def test_success_criteria_are_a_rubric_of_one_criterion(
    write: Write, added: str, criteria: list[tuple[str, Decimal | int]]
) -> None:
    defaults = "defaults: {rubric: [{criterion: friendly, weight: 3}]}\n"
    rubric = only_case(write(f"{defaults}{CASE}    {added}\n")).rubric
    assert [(line.criterion, line.weight) for line in rubric] == criteria


def test_the_target_is_the_first_expected_skill_where_the_case_names_none(write: Write) -> None:
    skills = f"{CASE}    expected_skills: [revenue, dates]\n"
    assert only_case(write(CASE)).target is None
    assert only_case(write(skills)).target == "revenue"
    assert only_case(write(f"{skills}    target: finance agent\n")).target == "finance agent"


def test_a_default_must_pass_does_not_hold_for_a_case_without_gold(write: Write) -> None:
    text = CASE.replace("gold_sql: select 1", "max_turns: 3")
    assert "gold_sql" not in text
    assert not only_case(write(f"defaults: {{must_pass: true}}\n{text}")).must_pass
    assert only_case(write(f"defaults: {{must_pass: true}}\n{CASE}")).must_pass


def test_the_name_is_that_of_the_file_where_none_is_given(write: Write) -> None:
    assert load_key(write(CASE)).name == "gold"


def test_a_case_may_take_over_the_keys_of_another_by_an_anchor(write: Write) -> None:
    path = write(
        """\
cases:
  - &first {id: a, question: One?, split: train, gold_sql: select 1, unit: count}
  - {<<: *first, id: b, question: Two?}
"""
    )
    first, second = load_key(path).cases
    assert (second.id, second.question) == ("b", "Two?")
    assert (second.gold_sql, second.unit) == (first.gold_sql, "count")


def test_a_faulty_file_gives_no_key(write: Write) -> None:
    with pytest.raises(SuiteError, match="split"):
        load_key(write(CASE.replace("train", "dev")))


@dataclass(frozen=True)
class Exact:
    """A number as it stands in the file; yaml.dump would go through float."""

    digits: str


class _Dumper(yaml.SafeDumper):
    pass


def _as_written(dumper: yaml.SafeDumper, number: Exact) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:float", number.digits)


_Dumper.add_representer(Exact, _as_written)

_LINES = st.text(
    st.characters(exclude_categories=["C", "Z"], include_characters=" "), min_size=1
).filter(lambda text: text.strip())
_IDS = st.text(
    st.characters(categories=["L", "N"], include_characters="-_. "), min_size=1, max_size=30
).filter(lambda text: text == text.strip() and text not in {".", ".."} and text.isprintable())
_TEXTS = st.text(st.characters(exclude_categories=["Cs"])).filter(lambda text: text.strip())
_DECIMALS = st.decimals(
    min_value=-(10**12), max_value=10**12, places=4, allow_nan=False, allow_infinity=False
)
_VALUES = st.one_of(st.integers(), _DECIMALS, _TEXTS, st.booleans(), st.dates())


def _written(value: object) -> object:
    return Exact(format(value, "f")) if isinstance(value, Decimal) else value


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(
        st.tuples(_IDS, _LINES, st.sampled_from(["train", "test"]), _TEXTS, _VALUES),
        min_size=1,
        max_size=6,
        unique_by=(lambda row: row[0], lambda row: " ".join(row[1].casefold().split())),
    )
)
def test_what_is_dumped_is_loaded_back(
    write: Write, rows: list[tuple[str, str, str, str, GoldValue]]
) -> None:
    cases = [
        {
            "id": name,
            "question": question,
            "split": split,
            "gold_sql": sql,
            "gold_value": _written(value),
        }
        for name, question, split, sql, value in rows
    ]
    # Escaped: a line break of another kind (U+0085) written as such is folded, as YAML says.
    text = yaml.dump({"cases": cases}, Dumper=_Dumper, allow_unicode=False, sort_keys=False)
    loaded = load_key(write(text)).cases
    assert [(c.id, c.question, c.gold_sql, c.gold_value) for c in loaded] == [
        (name, question, (sql,), value) for name, question, _, sql, value in rows
    ]
