"""Each kind of fault that graders are known for has a row of its own in the tables of cases."""

from pathlib import Path
from typing import Any

import pytest
import yaml

FIXTURES = Path(__file__).parents[2] / "fixtures"


def table(name: str) -> Any:
    return yaml.safe_load((FIXTURES / name).read_text(encoding="utf-8"))


NUMBERS = {
    "signs": ["(123)", "-$1.2M", "−1.2M", "1,234-"],
    "dots and exponents": [".5", "1e6", "1e-6", "42."],
    "magnitudes": ["5 million", "1.2T", "5 tn", "5mn"],
    "conventions": ["1 234,56", "1.234,56", "1,234", "1.234"],
    "units": ["12 bps", "5min", "2x", "5 pp", "1.5h"],
    "fractions": ["1/3", "1 in 4", "3:1"],
    "one number in prose": ["Q4 revenue: 1200", "2024 revenue was $5M"],
    "several numbers": ["$1.2M (up 5%)", "10-20"],
    "no numbers": ["NaN", "None", "inf", "", "true"],
    "forms of one number": ["6", "6.0", "6.00"],
}


@pytest.mark.parametrize("kind", NUMBERS)
def test_every_kind_of_number_has_its_row(kind: str) -> None:
    rows = table("numbers.yml")
    texts = {row[0] for part in ("read", "hedged", "refuse") for row in rows[part]}
    assert [text for text in NUMBERS[kind] if text not in texts] == []


RESULTS = {
    "sets in place of multisets": "a fan-out list is not the list",
    "columns sorted apart": "columns sorted on their own would be equal and are not",
    "cells sorted in a row": "cells sorted within each row would be equal and are not",
    "payer and payee": "payer and payee swapped in one row differ",
    "one column for two": "one predicted column cannot serve two gold columns",
    "a shotgun": "a shotgun of columns matches nothing",
    "a subset": "a lacking column is a mismatch",
    "an alias": "an alias does not decide",
    "duplicate names": "duplicate column names decide nothing",
}


@pytest.mark.parametrize("kind", RESULTS)
def test_every_kind_of_result_has_its_row(kind: str) -> None:
    names = {row["name"] for rows in table("result_pairs.yml").values() for row in rows}
    assert RESULTS[kind] in names


SQL = {
    "an operator": ("select * from t where x > 5", "select * from t where x < 5"),
    "plus and minus": ("select a - b from t", "select a + b from t"),
    "operands": ("select sum(a) / count(b) from t", "select sum(b) / count(a) from t"),
    "case of a literal": ("select 'ABC'", "select 'abc'"),
    "a comment": ("select a from t -- the t", "select a from t"),
    "order by in a literal's place": (
        "select a from t order by a",
        "select a from t order by a desc",
    ),
}


@pytest.mark.parametrize("kind", SQL)
def test_every_kind_of_text_has_its_row(kind: str) -> None:
    assert SQL[kind] in {(row["a"], row["b"]) for row in table("sql_pairs.yml")}


def test_the_tables_are_as_large_as_they_should_be() -> None:
    assert sum(map(len, table("numbers.yml").values())) >= 250
    assert sum(map(len, table("result_pairs.yml").values())) >= 120
    assert len(table("sql_pairs.yml")) >= 80
