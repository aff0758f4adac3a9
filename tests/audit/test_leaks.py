"""What of the key stands in a context: found in any writing, and nothing found by chance."""

from decimal import Decimal

import pytest

from goldsuite.audit.context_text import SearchedFile, significant_digits
from goldsuite.audit.leaks import Secret, find_leaks, numbers_in, rounded_forms

QUESTION = "What was net revenue in Q4 2025?"
GOLD = "select sum(net) from orders where state <> 'void' and placed >= date '2025-10-01'"
REWRITTEN = """\
SELECT SUM(Net)
FROM Orders -- all
WHERE state != 'void'
  AND placed >= DATE '2025-10-01'
"""
SECRET = Secret(
    case="revenue-q4", split="test", questions=(QUESTION,), gold_sql=(GOLD,),
    values=(Decimal("4823910.55"),), metric="net_revenue",
)  # fmt: skip


def leaks(text: str, *, name: str = "notes.md", secret: Secret = SECRET) -> list[tuple[str, int]]:
    found = find_leaks([secret], [SearchedFile(name=name, text=text)], dialect="duckdb")
    assert {leak.case for leak in found} <= {secret.case}
    return [(leak.kind, leak.line) for leak in found]


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.sql", f"{GOLD};\n", 1),
        ("a.md", f"Use this:\n\n```sql\n{GOLD}\n```\n", 4),
        ("a.md", f"Use `{GOLD}` here.\n", 1),
        ("a.md", f"Intro.\n\n{GOLD}\n\nOutro.\n", 3),
        ("verified_queries.yaml", f"- question: x\n  sql: >-\n    {GOLD}\n", 3),
        ("metrics/index.yaml", f'metrics:\n  - name: r\n    example: "{GOLD}"\n', 3),
        # Other letters, other line breaks, another sign for the same: one canonical form.
        ("a.sql", REWRITTEN, 1),
        ("a.sql", f"select 1;\n{GOLD};", 1),
    ],
)  # fmt: skip
def test_gold_sql_is_found_in_any_writing(name: str, text: str, line: int) -> None:
    assert leaks(text, name=name) == [("gold SQL", line)]


@pytest.mark.parametrize(
    "text",
    [
        GOLD.replace("'void'", "'open'"),
        GOLD.replace(">=", ">"),
        GOLD.replace("sum(net)", "avg(net)"),
        "select from where (",
    ],
)
def test_another_query_is_no_leak(text: str) -> None:
    assert leaks(text, name="a.sql") == []


@pytest.mark.parametrize(
    "text",
    [
        "4823910.55", "4,823,910.55", "4.823.910,55", "4'823'910.55", "EUR 4 823 910.55",
        "-4823910.55", "about 4,823,911", "4823910.6", "4,823,900 or so", "a|4823910.55|b",
    ],
)  # fmt: skip
def test_a_gold_value_is_found_as_people_write_it(text: str) -> None:
    assert leaks(f"first line\n{text}\n") == [("gold value", 2)]


@pytest.mark.parametrize(
    "text", ["4.82M", "4823", "48239105", "4823912", "col_4823910", "v4823911"]
)
def test_another_number_or_too_few_digits_are_no_leak(text: str) -> None:
    assert leaks(text) == []


@pytest.mark.parametrize(
    ("number", "digits"),
    [("0.0120", 2), ("31200", 3), ("12345", 5), ("0", 0), ("4823910.55", 9), ("-1.50", 2)],
)
def test_zeros_at_the_ends_are_not_significant(number: str, digits: int) -> None:
    assert significant_digits(Decimal(number)) == digits


def test_a_value_is_sought_exactly_rounded_and_in_per_cent() -> None:
    assert set(rounded_forms(Decimal("0.332415"))) == {
        Decimal("0.332415"), Decimal("0.33242"), Decimal("33.2415"), Decimal("33.242"),
    }  # fmt: skip
    assert rounded_forms(Decimal(1234)) == ()


def test_only_long_numbers_of_a_gold_are_sought() -> None:
    rows = ((1, Decimal("12.5"), "x"), (True, 123456, None))
    assert numbers_in(rows) == (Decimal(123456),)
    assert numbers_in("4823910.55") == ()
    assert numbers_in(1234) == ()


@pytest.mark.parametrize(
    "text",
    [QUESTION, "what was  net revenue\nin q4 2025", "- **What was net revenue in Q4 2025**"],
)
def test_a_question_is_found_word_for_word(text: str) -> None:
    assert leaks(f"Notes.\n{text}\n") == [("question", 2)]


@pytest.mark.parametrize(
    "text", ["What was net revenue in Q3 2025?", "net revenue in Q4 2025", "Revenue"]
)
def test_another_question_is_no_leak(text: str) -> None:
    assert leaks(text) == []


@pytest.mark.parametrize(
    ("case", "text", "found"),
    [
        ("revenue-q4", "see revenue-q4.", True),
        ("revenue-q4", "see Revenue-Q4:", True),
        ("revenue-q4", "revenue-q41 and xrevenue-q4", False),
        # A plain word may be anything; so may the name of the metric.
        ("revenue", "our revenue", False),
        ("net_revenue", "net_revenue", False),
        ("q-1", "q-1", False),
    ],
)
def test_an_id_is_found_where_it_tells(case: str, text: str, found: bool) -> None:
    secret = Secret(case=case, split="test", questions=(), metric="net_revenue")
    assert leaks(text, secret=secret) == ([("case id", 1)] if found else [])


def test_one_place_in_each_file_is_told() -> None:
    text = f"{QUESTION}\n{QUESTION}\n"
    files = [SearchedFile(name=name, text=text) for name in ("a.md", "b.md")]
    found = find_leaks([SECRET], files, dialect="duckdb")
    assert [(leak.file, leak.line) for leak in found] == [("a.md", 1), ("b.md", 1)]


@pytest.mark.parametrize("text", ["", "\x00\xff", "a: [", "```\nselect", "&a [*a]", "`" * 1000])
def test_odd_files_are_searched_without_harm(text: str) -> None:
    for name in ("a.yaml", "a.md", "a.sql", "a.bin"):
        assert leaks(text, name=name) == []
