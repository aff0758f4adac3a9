"""pass@k and pass^k against counting by hand."""

from itertools import combinations

import pytest

from goldsuite.stats.pass_k import pass_at_k, pass_hat_k


@pytest.mark.parametrize(
    ("n", "correct", "k", "one", "all_of_them"),
    [
        (5, 3, 1, 0.6, 0.6),
        (5, 3, 2, 0.9, 0.3),  # 1 - 1/10; 3/10
        (5, 3, 5, 1.0, 0.0),
        (5, 5, 5, 1.0, 1.0),
        (5, 0, 3, 0.0, 0.0),
        (4, 1, 2, 0.5, 0.0),
    ],
)
def test_the_values_are_worked_out_by_hand(
    n: int, correct: int, k: int, one: float, all_of_them: float
) -> None:
    assert pass_at_k(n, correct, k) == pytest.approx(one)
    assert pass_hat_k(n, correct, k) == pytest.approx(all_of_them)


@pytest.mark.parametrize("correct", range(7))
@pytest.mark.parametrize("k", range(1, 7))
def test_they_are_the_means_over_every_choice_of_k_tries(correct: int, k: int) -> None:
    tries = [True] * correct + [False] * (6 - correct)
    chosen = list(combinations(tries, k))
    assert pass_at_k(6, correct, k) == pytest.approx(sum(map(any, chosen)) / len(chosen))
    assert pass_hat_k(6, correct, k) == pytest.approx(sum(map(all, chosen)) / len(chosen))


@pytest.mark.parametrize(("n", "correct", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 0), (3, 1, 4)])
def test_numbers_that_do_not_fit_are_an_error(n: int, correct: int, k: int) -> None:
    for statistic in (pass_at_k, pass_hat_k):
        with pytest.raises(ValueError, match=r"out of|k is"):
            statistic(n, correct, k)
