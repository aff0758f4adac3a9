"""Wilson's interval against hand arithmetic, published numbers and scipy."""

import math

import pytest
from scipy.stats import binomtest  # type: ignore[import-untyped]

from goldsuite.stats.proportion import Interval, Proportion, wilson_interval


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
