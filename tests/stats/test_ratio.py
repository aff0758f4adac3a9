"""Cost per correct, with Fieller's interval."""

from math import sqrt

import pytest

from goldsuite.stats.ratio import fieller_interval
from goldsuite.stats.student import t_quantile


def test_where_all_are_correct_it_is_the_interval_of_the_mean() -> None:
    # Costs 1, 2, 3: mean 2, deviation 1, t(2) = 4.302653: 2 -+ 4.302653 / sqrt(3).
    found = fieller_interval([1.0, 2.0, 3.0], [1.0, 1.0, 1.0])
    assert found is not None
    assert found.high is not None
    assert found.ratio == 2.0
    assert found.low == 0.0  # 2 - 2.484 is below 0, which no cost is
    assert found.high == pytest.approx(2 + 4.302652729749 / sqrt(3), rel=1e-9)


def test_equal_costs_leave_the_share_of_correct_answers_alone_open() -> None:
    # Each costs 2; 8 of 10 are correct. Then it is 2 over the t interval of the share:
    # variance of the mean 0.16 / 9.
    half = t_quantile(0.975, 9) * sqrt(0.16 / 9)
    found = fieller_interval([2.0] * 10, [1.0] * 8 + [0.0] * 2)
    assert found is not None
    assert found.ratio == pytest.approx(2.5)
    assert found.low == pytest.approx(2 / (0.8 + half), rel=1e-9)
    assert found.high == pytest.approx(2 / (0.8 - half), rel=1e-9)


def test_a_share_that_may_be_zero_leaves_no_upper_end() -> None:
    half = t_quantile(0.975, 9) * sqrt(0.09 / 9)
    found = fieller_interval([2.0] * 10, [1.0] + [0.0] * 9)
    assert found is not None
    assert found.ratio == pytest.approx(20.0)
    assert found.low == pytest.approx(2 / (0.1 + half), rel=1e-9)
    assert found.high is None


def test_the_interval_holds_what_solves_its_equation() -> None:
    # The ends are where the t value of top - r bottom is the quantile itself.
    costs, right = [0.12, 0.3, 0.08, 0.2, 0.15, 0.4], [1.0, 1.0, 0.0, 1.0, 1.0, 1.0]
    found = fieller_interval(costs, right)
    assert found is not None
    assert found.high is not None
    for end in (found.low, found.high):
        rest = [x - end * y for x, y in zip(costs, right, strict=True)]
        mean = sum(rest) / 6
        deviation = sqrt(sum((r - mean) ** 2 for r in rest) / 5 / 6)
        assert abs(mean / deviation) == pytest.approx(t_quantile(0.975, 5), rel=1e-9)


@pytest.mark.parametrize(("costs", "correct"), [([1.0, 2.0], [0.0, 0.0]), ([], []), ([1.0], [1.0])])
def test_nothing_correct_is_undefined_and_not_free(
    costs: list[float], correct: list[float]
) -> None:
    assert fieller_interval(costs, correct) is None


def test_costs_without_their_cases_are_an_error() -> None:
    with pytest.raises(ValueError, match="one of each"):
        fieller_interval([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="negative"):
        fieller_interval([-1.0, 2.0], [1.0, 1.0])
