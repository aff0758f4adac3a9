"""Gold values in a record are exact."""

from datetime import date, datetime
from decimal import Decimal

import pytest

from goldsuite.model.key import GoldValue
from goldsuite.model.run import JsonValue
from goldsuite.pipeline.json_value import json_value


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        (7, 7),
        (2**53 + 1, "9007199254740993"),
        (Decimal("7.00"), 7),
        (Decimal("0.1"), 0.1),
        (Decimal("4823910.55"), 4823910.55),
        (Decimal("0.12345678901234567891"), "0.12345678901234567891"),
        ("7", "7"),
        (date(2025, 1, 2), "2025-01-02"),
        (datetime(2025, 1, 2, 3, 4, 5), "2025-01-02T03:04:05"),  # noqa: DTZ001 - engines give these
        ((("a", Decimal("1.5")), ("b", None)), [["a", 1.5], ["b", None]]),
        ((), []),
    ],
)
def test_a_gold_value_stands_exactly_in_the_record(value: GoldValue, expected: JsonValue) -> None:
    found = json_value(value)
    assert found == expected
    assert type(found) is type(expected)


def test_a_number_that_is_none_is_kept_as_text() -> None:
    assert json_value(Decimal("NaN")) == "NaN"
    assert json_value(Decimal("-Infinity")) == "-Infinity"
