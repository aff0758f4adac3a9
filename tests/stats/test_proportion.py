"""Wilson's interval against hand arithmetic, published numbers and scipy."""

import math

import pytest
from scipy.stats import binomtest  # type: ignore[import-untyped]

from goldsuite.stats.proportion import (
    Interval,
    Proportion,
    clustered_interval,
    wilson_interval,
)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        # Newcombe (1998), Statistics in Medicine 17, 857-872, table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_interval_is_the_published_one(successes: int, n: int, low: float, high: float) -> None:
    interval = wilson_interval(successes, n)
    assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)


def test_half_of_four_is_worked_out_by_hand() -> None:
    # z = 1.96: centre 0.5; half = z/(1 + z2/4) * sqrt(0.25/4 + z2/64) = z / (2 sqrt(4 + z2))
    z2 = 1.959963984540054**2
    half = math.sqrt(z2) / (2 * math.sqrt(4 + z2))
    interval = wilson_interval(2, 4)
    assert interval.low == pytest.approx(0.5 - half, abs=1e-12)
    assert interval.high == pytest.approx(0.5 + half, abs=1e-12)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize(("successes", "n"), [(0, 1), (1, 1), (3, 7), (12, 14), (40, 40), (1, 999)])
def test_the_interval_is_scipys(successes: int, n: int, level: float) -> None:
    theirs = binomtest(successes, n).proportion_ci(confidence_level=level, method="wilson")
    ours = wilson_interval(successes, n, level)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_the_ends_are_exact() -> None:
    assert wilson_interval(0, 9).low == 0.0
    assert wilson_interval(9, 9).high == 1.0


@pytest.mark.parametrize(
    ("successes", "n", "level"),
    [(0, 0, 0.95), (-1, 3, 0.95), (4, 3, 0.95), (1, 3, 1.0), (1, 3, 0.0), (0, -2, 0.95)],
)
def test_what_cannot_be_meant_is_an_error(successes: int, n: int, level: float) -> None:
    with pytest.raises(ValueError, match=r"cannot be out of|at least one|between 0 and 1"):
        wilson_interval(successes, n, level)


def test_nothing_measured_is_not_zero_per_cent() -> None:
    assert Proportion(0, 0).share is None
    assert Proportion(0, 0).interval() is None
    assert Proportion(0, 4).share == 0.0
    assert Proportion(3, 4).interval() == wilson_interval(3, 4)
    assert isinstance(Proportion(3, 4).interval(level=0.9), Interval)


def test_a_proportion_refuses_more_successes_than_trials() -> None:
    with pytest.raises(ValueError, match="5 successes cannot be out of 4"):
        Proportion(5, 4)


@pytest.mark.parametrize(
    ("shares", "trials", "successes", "n"),
    [
        # Asked once each, it is Wilson's own.
        ([1, 1, 0], 3, 2, 3),
        # Trials of a case that always agree are worth one: mean 2/3, variance (1 + 1 + 4) / 81,
        # so the size is (2/9) / (6/81) = 3.
        ([1, 1, 0], 6, 2, 3),
        # Mean 3/4, variance 2 (1/16) / 4 = 1/32, size (3/16) / (1/32) = 6: no more than 4 trials.
        ([1, 0.5], 4, 3, 4),
        # Every case passes half of the time: all trials count.
        ([0.5, 0.5], 8, 4, 8),
        # All passed: nothing is known of how trials of a case differ.
        ([1, 1, 1], 15, 3, 3),
        ([0, 0], 6, 0, 2),
    ],
)
def test_trials_of_one_case_are_no_independent_ones(
    shares: list[float], trials: int, successes: int, n: int
) -> None:
    found, whole = clustered_interval(shares, trials), wilson_interval(successes, n)
    assert (found.low, found.high) == pytest.approx((whole.low, whole.high), abs=1e-12)


def test_a_size_between_cases_and_trials_is_worked_out_by_hand() -> None:
    # Mean 5/8; variance (9/64 + 25/64 + 9/64 + 1/64) / 16 = 11/256; size (15/64) / (11/256).
    n, p, z2 = 60 / 11, 5 / 8, 1.959963984540054**2
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2) / (1 + z2 / n) * math.sqrt(p * (1 - p) / n + z2 / (4 * n**2))
    found = clustered_interval([1, 0, 1, 0.5], 8)
    assert (found.low, found.high) == pytest.approx((centre - half, centre + half), abs=1e-12)


@pytest.mark.parametrize(
    ("shares", "trials", "level"), [([], 0, 0.95), ([1, 1], 1, 0.95), ([1.5], 2, 0.95), ([1], 1, 1)]
)
def test_an_interval_of_what_cannot_be_is_an_error(
    shares: list[float], trials: int, level: float
) -> None:
    with pytest.raises(ValueError, match=r"cannot be of|between 0 and 1"):
        clustered_interval(shares, trials, level)
