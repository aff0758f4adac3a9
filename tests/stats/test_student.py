"""Student's t against its table and scipy."""

import pytest
from scipy.stats import t as scipy_t  # type: ignore[import-untyped]

from goldsuite.stats.student import t_cdf, t_quantile


@pytest.mark.parametrize(
    ("df", "expected"), [(1, 12.706), (2, 4.303), (5, 2.571), (13, 2.160), (30, 2.042)]
)
def test_the_quantile_is_that_of_the_printed_table(df: int, expected: float) -> None:
    assert round(t_quantile(0.975, df), 3) == expected


@pytest.mark.parametrize("df", [1, 2.5, 9, 49, 5000])
@pytest.mark.parametrize("p", [0.001, 0.2, 0.5, 0.9, 0.975, 0.9999])
def test_it_is_scipys(p: float, df: float) -> None:
    assert t_quantile(p, df) == pytest.approx(scipy_t.ppf(p, df), rel=1e-9, abs=1e-9)
    assert t_cdf(scipy_t.ppf(p, df), df) == pytest.approx(p, rel=1e-9)


@pytest.mark.parametrize(("p", "df"), [(0.0, 3), (1.0, 3), (0.9, 0), (0.9, -1)])
def test_what_cannot_be_meant_is_an_error(p: float, df: float) -> None:
    with pytest.raises(ValueError, match=r"between 0 and 1|above 0"):
        t_quantile(p, df)
