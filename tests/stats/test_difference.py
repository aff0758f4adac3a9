"""Two shares: of train and test, and of the same cases twice."""

import pytest
from scipy.stats import fisher_exact as scipy_fisher  # type: ignore[import-untyped]
from statsmodels.stats.proportion import (  # type: ignore[import-untyped]
    confint_proportions_2indep,
)

from goldsuite.stats.difference import newcombe_interval, newcombe_paired_interval
from goldsuite.stats.fisher import fisher_exact
from goldsuite.stats.proportion import Proportion


@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    [
        # Newcombe (1998), Statistics in Medicine 17, 873-890, table II, method 10.
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((10, 10), (0, 20), 0.6791, 1.0000),
    ],
)
def test_the_interval_is_the_published_one(
    first: tuple[int, int], second: tuple[int, int], low: float, high: float
) -> None:
    found = newcombe_interval(Proportion(*first), Proportion(*second))
    assert found is not None
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


TABLES = [((12, 14), (2, 5)), ((3, 4), (1, 4)), ((0, 6), (0, 3)), ((30, 50), (9, 50))]


@pytest.mark.parametrize(("first", "second"), TABLES)
def test_the_interval_is_that_of_statsmodels(
    first: tuple[int, int], second: tuple[int, int]
) -> None:
    found = newcombe_interval(Proportion(*first), Proportion(*second))
    theirs = confint_proportions_2indep(*first, *second, method="newcomb", compare="diff")
    assert found is not None
    assert (found.low, found.high) == pytest.approx(theirs, abs=1e-9)


def test_the_lady_tasting_tea_has_fishers_own_p() -> None:
    # Three of four cups right: (16 + 1 + 16 + 1) / 70 of the tables are no likelier.
    assert fisher_exact(Proportion(3, 4), Proportion(1, 4)) == pytest.approx(34 / 70)


@pytest.mark.parametrize(("first", "second"), TABLES)
def test_the_p_is_scipys(first: tuple[int, int], second: tuple[int, int]) -> None:
    (a, n), (b, m) = first, second
    expected = scipy_fisher([[a, n - a], [b, m - b]]).pvalue
    assert fisher_exact(Proportion(a, n), Proportion(b, m)) == pytest.approx(expected, rel=1e-9)


def test_what_was_not_measured_has_no_p_and_no_interval() -> None:
    assert fisher_exact(Proportion(0, 0), Proportion(1, 2)) is None
    assert newcombe_interval(Proportion(1, 2), Proportion(0, 0)) is None


@pytest.mark.parametrize(
    ("kept", "fixed", "broken", "failing", "low", "high"),
    [
        # Newcombe (1998), Statistics in Medicine 17, 2635-2650, table II, method 10.
        (36, 12, 2, 0, 0.0569, 0.3404),
        # Fagerland, Lydersen and Laake (2014), Statistics in Medicine 33, 2850-2875, table III.
        (1, 1, 7, 12, -0.507, -0.026),
    ],
)
def test_the_interval_of_the_same_cases_twice_is_the_published_one(
    kept: int, fixed: int, broken: int, failing: int, low: float, high: float
) -> None:
    found = newcombe_paired_interval(kept, fixed, broken, failing)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-4)


def test_where_nothing_changed_the_difference_is_not_known_to_be_zero() -> None:
    # Wilson for 14 of 14 ends at 14 / (14 + 3.8415) = 0.7847 and 1: 0.2153 to each side.
    found = newcombe_paired_interval(14, 0, 0, 0)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((-0.2153, 0.2153), abs=1e-4)


def test_without_cases_there_is_no_difference() -> None:
    assert newcombe_paired_interval(0, 0, 0, 0) is None
    with pytest.raises(ValueError, match="cannot be negative"):
        newcombe_paired_interval(1, -1, 0, 0)
