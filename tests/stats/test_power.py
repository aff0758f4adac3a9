"""What a suite of some size can show."""

import pytest
from scipy.stats import binom  # type: ignore[import-untyped]

from goldsuite.stats.power import cases_needed, minimum_detectable_gain, paired_power


@pytest.mark.parametrize(("cases", "points"), [(10, 69), (20, 41), (50, 21), (100, 14)])
def test_the_gain_that_is_noticed_shrinks_with_the_cases(cases: int, points: int) -> None:
    gain = minimum_detectable_gain(cases)
    assert gain is not None
    assert points - 1 < 100 * gain <= points


def test_a_handful_of_cases_can_show_nothing() -> None:
    # Five fixed of five are p = 0.031, but one in twenty gets broken beside them.
    assert minimum_detectable_gain(4) is None
    assert minimum_detectable_gain(5) is None


def test_with_no_loss_the_power_is_a_binomial_tail() -> None:
    # Five fixed and none broken are the fewest that mid-p calls a gain.
    expected = binom.sf(4, 14, 2 / 14)
    assert paired_power(14, fixed=2 / 14, broken=0) == pytest.approx(expected, rel=1e-9)


def test_the_power_is_summed_over_every_outcome() -> None:
    # Six cases: 5 or 6 changed and all fixed are a gain (p 1/32, 1/64); 5 of 6 fixed are not.
    p, q = 0.6, 0.2
    by_hand = 6 * p**5 * (1 - p - q) + p**6
    assert paired_power(6, fixed=p, broken=q) == pytest.approx(by_hand, rel=1e-12)


def test_the_cases_needed_are_the_fewest_with_that_power() -> None:
    # P(at least 5 of n) with 1/7 each: 0.793 for 45 cases, 0.808 for 46.
    assert binom.sf(4, 45, 1 / 7) < 0.8 <= binom.sf(4, 46, 1 / 7)
    assert cases_needed(fixed=1 / 7, broken=0) == 46
    assert cases_needed(fixed=0, broken=1 / 7) == 46


def test_no_number_of_cases_shows_what_is_not_there() -> None:
    assert cases_needed(fixed=0.1, broken=0.1) is None
    assert cases_needed(fixed=0, broken=0) is None


def test_many_cases_are_connors_number() -> None:
    # (1.959964 sqrt(0.03) + 0.841621 sqrt(0.0299))^2 / 0.0001 = 0.485006^2 / 0.0001 = 2352.3
    assert cases_needed(fixed=0.02, broken=0.01) == 2353


def test_the_power_of_many_cases_is_near_the_exact_one_and_quick() -> None:
    exact = paired_power(300, fixed=0.10, broken=0.04)
    assert paired_power(301, fixed=0.10, broken=0.04) == pytest.approx(exact, abs=0.02)
    # 2.8016^2 * about 0.1 / 50,000 has the root 0.0040: a gain of 0.4 points.
    assert minimum_detectable_gain(50_000) == pytest.approx(0.0040, abs=2e-4)


@pytest.mark.parametrize(("fixed", "broken"), [(-0.1, 0.2), (0.7, 0.4)])
def test_shares_that_cannot_be_are_an_error(fixed: float, broken: float) -> None:
    with pytest.raises(ValueError, match="no shares"):
        cases_needed(fixed=fixed, broken=broken)


def test_no_case_has_no_power() -> None:
    with pytest.raises(ValueError, match="at least one case"):
        paired_power(0, fixed=0.1, broken=0)
