"""Mid-p McNemar against hand arithmetic, the exact test and published numbers."""

from fractions import Fraction

import pytest
from scipy.stats import binom  # type: ignore[import-untyped]
from statsmodels.stats.contingency_tables import mcnemar  # type: ignore[import-untyped]

from goldsuite.stats.mcnemar import mcnemar_midp, sign_flip_midp

BY_HAND = [
    (0, 0, 1.0),  # nothing changed
    (1, 0, 0.5),  # 2 * 1/2 - 1/2
    (2, 0, 0.25),  # 12/14 against 14/14 on the same cases: 2 * 1/4 - 1/4
    (5, 0, 0.03125),  # 2 * 1/32 - 1/32
    (0, 5, 0.03125),
    (1, 1, 0.75),  # 1 - (1/2) / 2
    (7, 1, 10 / 256),  # 2 * (1 + 8) / 256 - 8 / 256
]


@pytest.mark.parametrize(("fixed", "broken", "expected"), BY_HAND)
def test_the_p_value_is_worked_out_by_hand(fixed: int, broken: int, expected: float) -> None:
    assert mcnemar_midp(fixed, broken) == pytest.approx(expected, abs=1e-15)


def test_the_published_example_has_its_published_value() -> None:
    # Fagerland, Lydersen and Laake (2013), table 2: 1 and 7 discordant pairs; exact 0.070.
    assert round(mcnemar_midp(1, 7), 3) == 0.039


@pytest.mark.parametrize(("fixed", "broken"), [(3, 1), (10, 4), (0, 9), (40, 25), (700, 640)])
def test_it_is_the_exact_p_less_the_outcome_itself(fixed: int, broken: int) -> None:
    exact = mcnemar([[0, fixed], [broken, 0]], exact=True).pvalue
    own = binom.pmf(fixed, fixed + broken, 0.5)
    assert mcnemar_midp(fixed, broken) == pytest.approx(exact - own, rel=1e-9)


def test_negative_counts_are_an_error() -> None:
    with pytest.raises(ValueError, match="cannot be negative"):
        mcnemar_midp(-1, 2)


@pytest.mark.parametrize(("fixed", "broken"), [(0, 0), (1, 1), (5, 0), (2, 6), (30, 18)])
def test_flipping_signs_of_whole_cases_is_mcnemars_test(fixed: int, broken: int) -> None:
    differences = [Fraction(1)] * fixed + [Fraction(-1)] * broken + [Fraction(0)] * 3
    assert sign_flip_midp(differences) == pytest.approx(mcnemar_midp(fixed, broken), abs=1e-12)


def test_flipping_signs_of_parts_is_worked_out_by_hand() -> None:
    # Sums of +-1/2 +-1: 3/2, 1/2, -1/2, -3/2. Seen 3/2: two of four lie as far, none beyond.
    assert sign_flip_midp([Fraction(1, 2), Fraction(1)]) == 0.25
    # Seen 1/2 (1 - 1/2): two lie beyond, two as far.
    assert sign_flip_midp([Fraction(-1, 2), Fraction(1)]) == 0.75


def test_many_cases_are_taken_as_normal_near_the_exact_value() -> None:
    few = [Fraction(1, 3)] * 320 + [Fraction(-1, 3)] * 280
    # The same pattern over cases that weigh more steps passes the limit of exact sums.
    many = [*few, *[Fraction(1, 7001), Fraction(-1, 7001)]]
    assert sign_flip_midp(many) == pytest.approx(sign_flip_midp(few), abs=2e-3)
