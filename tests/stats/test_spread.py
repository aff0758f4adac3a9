"""Spread of the answers to one question, and means of clustered trials."""

from decimal import Decimal

import numpy as np
import pytest
import statsmodels.api as sm  # type: ignore[import-untyped]
from scipy.stats import t as student  # type: ignore[import-untyped]
from scipy.stats import variation

from goldsuite.stats.clustered import cluster_robust_interval
from goldsuite.stats.spread import coefficient_of_variation, relative_range, sample_deviation


def _numbers(*texts: str) -> list[Decimal]:
    return [Decimal(text) for text in texts]


@pytest.mark.parametrize(
    ("values", "deviation", "variation_", "width"),
    [
        (_numbers("2", "4", "6"), "2", "0.5", "1"),
        # The mean is -4: neither is negative.
        (_numbers("-2", "-4", "-6"), "2", "0.5", "1"),
        (_numbers("5", "5.0"), "0", "0", "0"),
        (_numbers("0", "0"), "0", None, "0"),
        (_numbers("-1", "0", "1"), "1", None, None),
        (_numbers("7"), None, None, "0"),
        ([], None, None, None),
    ],
)
def test_spread_is_worked_out_by_hand(
    values: list[Decimal], deviation: str | None, variation_: str | None, width: str | None
) -> None:
    expected = tuple(None if t is None else Decimal(t) for t in (deviation, variation_, width))
    assert (
        sample_deviation(values),
        coefficient_of_variation(values),
        relative_range(values),
    ) == expected


def test_the_coefficient_is_scipys_on_the_absolute_mean() -> None:
    values = _numbers("-3.5", "-2.25", "-9", "-4.125")
    ours = coefficient_of_variation(values)
    assert ours is not None
    assert float(ours) == pytest.approx(-variation([float(v) for v in values], ddof=1))


def test_a_clustered_interval_is_worked_out_by_hand() -> None:
    # Mean 1/2; deviations of whole cases 1/2 + 1/2 = 1 and -1: (1 + 1) * 2 / 1 = 4; sqrt(4) / 4.
    found = cluster_robust_interval([[1, 1], [0, 0]])
    assert found is not None
    assert (found.mean, found.low, found.high) == pytest.approx(
        (0.5, 0.5 - 12.706204736 / 2, 0.5 + 12.706204736 / 2)
    )


def test_a_clustered_interval_is_that_of_statsmodels() -> None:
    cases = [[1.0, 0.0, 1.0], [0.5], [0.0, 0.0], [1.0, 1.0, 1.0, 0.0], [0.25, 0.75]]
    values = np.array([value for case in cases for value in case])
    groups = np.array([number for number, case in enumerate(cases) for _ in case])
    fitted = sm.OLS(values, np.ones(len(values))).fit(
        cov_type="cluster", cov_kwds={"groups": groups, "use_correction": True}
    )
    half = student.ppf(0.975, len(cases) - 1) * fitted.bse[0]
    found = cluster_robust_interval(cases)
    assert found is not None
    assert (found.mean, found.low, found.high) == pytest.approx(
        (fitted.params[0], fitted.params[0] - half, fitted.params[0] + half), rel=1e-9
    )


def test_one_case_says_nothing_of_others() -> None:
    assert cluster_robust_interval([[1.0, 0.0, 1.0]]) is None


def test_a_case_without_a_value_is_an_error() -> None:
    with pytest.raises(ValueError, match="without a value"):
        cluster_robust_interval([[1.0], []])
