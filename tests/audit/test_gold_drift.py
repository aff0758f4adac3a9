"""Is the stored reference still the recomputed gold?"""

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest

from goldsuite.audit.gold_drift import gold_drift
from goldsuite.model.key import GoldCase, GoldValue
from goldsuite.model.result_set import Cell, Column, ResultSet

D = Decimal


def drift(stored: GoldValue, rows: list[tuple[Cell, ...]], **key: Any) -> str | None:
    case = GoldCase(
        id="c", question="q", line=1, gold_sql=("s",), gold_value=stored, has_gold_value=True, **key
    )
    width = len(rows[0]) if rows else 1
    columns = tuple(Column(name=f"c{at}") for at in range(width))
    return gold_drift(stored, ResultSet(columns=columns, rows=tuple(rows)), case)


SAME: list[tuple[GoldValue, list[tuple[Cell, ...]], dict[str, Any]]] = [
    (D("4823910.55"), [(4823910.55,)], {}),
    (D("200"), [(D("200.9"),)], {}),
    (10696803, [(10696802.967462039,)], {}),
    (600, [(D("600.00"),)], {"unit": "count"}),
    (600, [(603,)], {"unit": "count", "tolerance": D("0.01"), "tolerance_given": True}),
    (18833712, [("$18,833,712",)], {}),
    ("Kentucky", [("Kentucky",)], {}),
    ("kentucky", [("Kentucky",)], {"case_sensitive": False}),
    (date(2025, 3, 4), [(datetime(2025, 3, 4),)], {}),  # noqa: DTZ001
    (date(2025, 3, 4), [("2025-03-04",)], {}),
    ("2025-03-04", [(date(2025, 3, 4),)], {}),
    (True, [(True,)], {}),
    (True, [(1,)], {}),
    (None, [(None,)], {}),
    (0, [(None,)], {"null_is_zero": True}),
    ((("Ann", 1), ("Bob", 2)), [("Bob", 2), ("Ann", 1)], {}),
    ((("Ann", D("1.5")),), [("Ann", 1.5000000001)], {}),
    ((), [], {}),
]


@pytest.mark.parametrize(("stored", "rows", "key"), SAME)
def test_a_reference_that_still_holds_has_not_drifted(
    stored: GoldValue, rows: list[tuple[Cell, ...]], key: dict[str, Any]
) -> None:
    assert drift(stored, rows, **key) is None


DRIFTED: list[tuple[GoldValue, list[tuple[Cell, ...]], dict[str, Any], str]] = [
    (6012840, [(5887899,)], {}, "The stored gold is 6,012,840, recomputed it is 5,887,899."),
    (D("2.50"), [(3.5,)], {}, "The stored gold is 2.50, recomputed it is 3.5."),
    (600, [(601,)], {"unit": "count"}, "The stored gold is 600, recomputed it is 601."),
    (0, [(D("0.1"),)], {}, "The stored gold is 0, recomputed it is 0.1."),
    (D("0.25"), [(25,)], {}, "The stored gold is 0.25, recomputed it is 25."),
    (0, [(None,)], {}, "The stored gold is 0, recomputed it is NULL."),
    (None, [(5,)], {}, "The stored gold is NULL, recomputed it is 5."),
    ("Ann", [("ann",)], {}, "The stored gold is 'Ann', recomputed it is 'ann'."),
    (
        date(2025, 3, 4),
        [(date(2025, 3, 5),)],
        {},
        "The stored gold is 2025-03-04, recomputed it is 2025-03-05.",
    ),
    (5, [(5,), (6,)], {}, "The stored gold is 5, but the query returns 2 x 1 values."),
    (5, [], {}, "The stored gold is 5, but the query returns 0 x 1 values."),
    (
        (("Ann", 1),),
        [("Ann", 2)],
        {},
        "The stored gold rows are no longer the recomputed ones: 1 row differs.",
    ),
    (
        (("Ann",),),
        [("Ann",), ("Bob",)],
        {},
        (
            "The stored gold rows are no longer the recomputed ones: 2 rows instead of 1; "
            "1 row is not in the gold."
        ),
    ),
    ((("Ann",),), [("Ann", 1)], {}, "The stored gold has 1 column, recomputed it has 2."),
]


@pytest.mark.parametrize(("stored", "rows", "key", "sentence"), DRIFTED)
def test_drift_is_one_sentence(
    stored: GoldValue, rows: list[tuple[Cell, ...]], key: dict[str, Any], sentence: str
) -> None:
    assert drift(stored, rows, **key) == sentence
