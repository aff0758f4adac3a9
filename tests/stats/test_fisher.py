"""Train against test: different cases."""

import pytest
from scipy.stats import fisher_exact as scipy_fisher  # type: ignore[import-untyped]
from statsmodels.stats.proportion import (  # type: ignore[import-untyped]
    confint_proportions_2indep,
)

from goldsuite.stats.fisher import fisher_exact, newcombe_interval
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
