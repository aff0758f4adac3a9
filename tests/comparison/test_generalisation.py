"""Train against test: what may be claimed, and what may not."""

from dataclasses import replace

import pytest

from goldsuite.comparison.generalisation import compare_splits, split_score
from goldsuite.model.grade import Verdict
from goldsuite.model.question import Split
from goldsuite.model.run import RunRecord
from goldsuite.report.held_out_notices import held_out_notices
from goldsuite.stats.proportion import Proportion
from tests.sample_run import sample_record


def run(split: Split, passed: int, failed: int) -> RunRecord:
    record = sample_record(split)
    right, wrong, _ = record.cases
    cases = [replace(right, id=f"p{n}") for n in range(passed)]
    cases += [replace(wrong, id=f"f{n}") for n in range(failed)]
    return replace(record, cases=tuple(cases))


# Fisher's p by hand from the hypergeometric: 10/10 against 1/5 has the tables C(5,k)C(10,11-k) /
# C(15,11): 1365 ways in all, 5 for k=1, 100 for k=2, ...; only k=1 is as unlikely: 5/1365.
@pytest.mark.parametrize(
    ("train", "test", "p", "likely"),
    [
        ((10, 0), (1, 4), 5 / 1365, True),
        ((4, 0), (3, 1), 1.0, False),
        ((1, 4), (10, 0), 5 / 1365, False),
        ((5, 5), (5, 5), 1.0, False),
    ],
)
def test_only_a_significant_lead_of_train_is_called_overfit(
    train: tuple[int, int], test: tuple[int, int], p: float, likely: bool
) -> None:
    found = compare_splits(run("train", *train), run("test", *test))
    assert found is not None
    assert found.p == pytest.approx(p)
    assert found.overfit_likely is likely
    shown = replace(sample_record("test"), train_against_test=found)
    text = " ".join(held_out_notices(shown))
    assert ("overfit likely" in text) is likely
    assert ("cannot claim overfit" in text) is not likely


def test_nothing_is_said_where_nothing_was_measured() -> None:
    assert compare_splits(run("train", 3, 1), run("test", 0, 0)) is None


def test_of_several_trials_the_first_counts_and_broken_golds_do_not() -> None:
    record = run("test", 1, 1)
    right, wrong = record.cases
    cases = (
        right, replace(wrong, id=right.id, trial=2), wrong,
        replace(wrong, id="broken", verdict=Verdict.GOLD_ERROR),
        replace(right, id="other", split="train"),
    )  # fmt: skip
    assert split_score(cases, "test") == Proportion(1, 2)
