"""Every row of fixtures/numbers.yml."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml

from goldsuite.numbers import DecimalMark, NumberError, parse_number

TABLE: dict[str, list[list[Any]]] = yaml.safe_load(
    (Path(__file__).parents[2] / "fixtures" / "numbers.yml").read_text(encoding="utf-8")
)


def test_the_table_has_every_kind() -> None:
    assert sum(map(len, TABLE.values())) >= 250
    assert sorted(TABLE) == ["hedged", "marks", "read", "refuse"]
    texts = [(kind, *row[: 2 if kind == "marks" else 1]) for kind in TABLE for row in TABLE[kind]]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("row", TABLE["read"], ids=lambda row: repr(row[0]))
def test_a_number_is_read_as_it_is_meant(row: list[Any]) -> None:
    check(row, approximate=False)


@pytest.mark.parametrize("row", TABLE["hedged"], ids=lambda row: repr(row[0]))
def test_a_hedge_is_reported(row: list[Any]) -> None:
    check(row, approximate=True)


def check(row: list[Any], *, approximate: bool) -> None:
    text, value, precision, unit, currency = [*row, None, None][:5]
    number = parse_number(text)
    assert number.value == Decimal(value)
    assert number.precision == (None if precision is None else Decimal(precision))
    assert (number.unit, number.currency) == (unit, currency)
    assert number.approximate is approximate


@pytest.mark.parametrize("row", TABLE["marks"], ids=lambda row: f"{row[0]} {row[1]}")
def test_a_suite_may_settle_which_mark_is_decimal(row: list[Any]) -> None:
    mark: DecimalMark = "." if row[0] == "." else ","
    if row[2] is None:
        with pytest.raises(NumberError):
            parse_number(row[1], decimal_mark=mark)
    else:
        assert parse_number(row[1], decimal_mark=mark).value == Decimal(row[2])


@pytest.mark.parametrize("row", TABLE["refuse"], ids=lambda row: repr(row[0]))
def test_what_is_not_surely_one_number_names_its_candidates(row: list[Any]) -> None:
    with pytest.raises(NumberError) as caught:
        parse_number(row[0])
    assert list(caught.value.candidates) == row[1]
    assert caught.value.reason in str(caught.value)
