"""Cost per correct answer."""

from decimal import Decimal

import pytest

from goldsuite.stats.cost import cost_per_correct

CASES: list[tuple[list[Decimal | float | None], int, Decimal | None]] = [
    ([Decimal("0.10"), Decimal("0.20"), Decimal("0.30")], 2, Decimal("0.30")),
    ([0.1, 0.2], 1, Decimal("0.3")),  # not 0.30000000000000004
    ([Decimal("0.10"), None], 1, None),
    ([Decimal("0.10")], 0, None),
    ([], 0, None),
    ([Decimal(0), Decimal(0)], 2, Decimal(0)),
]


@pytest.mark.parametrize(("costs", "correct", "expected"), CASES)
def test_wrong_answers_are_paid_for_too(
    costs: list[Decimal | float | None], correct: int, expected: Decimal | None
) -> None:
    assert cost_per_correct(costs, correct) == expected


def test_more_correct_answers_than_trials_is_an_error() -> None:
    with pytest.raises(ValueError, match="2 correct answers cannot be out of 1"):
        cost_per_correct([Decimal(1)], 2)
