"""Weighted kappa against hand arithmetic, a published number, and statsmodels."""

import random

import pytest
from statsmodels.stats.inter_rater import cohens_kappa  # type: ignore[import-untyped]

from goldsuite.comparison.calibration import calibrate
from goldsuite.stats.agreement import quadratic_kappa


def test_the_kappa_of_a_small_table_is_that_of_hand_arithmetic() -> None:
    pairs = [(0, 0), (1, 1), (2, 2), (2, 0)]
    # Observed: 4 / 4 = 1. Expected: human 1, 1, 2 of 4 and judge 2, 1, 1 of 4:
    # By hand: (1*1*1 + 1*1*4 + 1*2*1 + 1*1*1 + 2*2*4 + 2*1*1) / 16 = 26 / 16
    assert quadratic_kappa(pairs) == pytest.approx(1 - 16 / 26)


def test_the_kappa_of_a_published_example() -> None:
    # The weighting example in the tests of scikit-learn's cohen_kappa_score: quadratic 0.9541.
    pairs = [(0, 0)] * 46 + [(1, 0)] * 4 + [(1, 1)] * 40 + [(2, 2)] * 10
    assert quadratic_kappa(pairs) == pytest.approx(0.9541, abs=5e-5)


def test_the_kappa_is_that_of_statsmodels() -> None:
    chance = random.Random(7)  # noqa: S311 - no secret
    pairs = [(chance.randrange(6), chance.randrange(6)) for _ in range(200)]
    table = [[pairs.count((row, column)) for column in range(6)] for row in range(6)]
    expected = cohens_kappa(table, weights=None, wt="quadratic").kappa
    assert quadratic_kappa(pairs) == pytest.approx(expected)


@pytest.mark.parametrize("pairs", [[], [(4, 4), (4, 4)]])
def test_kappa_is_absent_where_no_disagreement_was_to_be_expected(
    pairs: list[tuple[int, int]],
) -> None:
    assert quadratic_kappa(pairs) is None


def test_a_calibration_counts_by_the_lower_whole_score() -> None:
    found = calibrate([(4, 4.5), (4, 4.0), (2, 3.5), (5, 1.0)])
    assert (found.pairs, found.agreement, found.within_one) == (4, 0.5, 0.75)
    # By hand: (0.5 + 0 + 1.5 - 4) / 4
    assert found.mean_difference == pytest.approx(-0.5)
    assert (found.confusion[4][4], found.confusion[2][3], found.confusion[5][1]) == (2, 1, 1)
    assert sum(map(sum, found.confusion)) == 4


def test_nothing_to_compare_is_absent_and_not_zero() -> None:
    found = calibrate([])
    assert (found.agreement, found.within_one, found.mean_difference) == (None, None, None)
