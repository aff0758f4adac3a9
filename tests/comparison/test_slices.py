"""Parts of a run by a word of its cases: what is counted where, and what is left out."""

from dataclasses import replace

from goldsuite.comparison.slices import slices_of
from goldsuite.comparison.summary import summarise
from goldsuite.model.grade import Verdict
from tests.sample_run import sample_record


def test_cases_are_counted_under_their_metric_difficulty_and_target() -> None:
    passed, failed, broken = sample_record().cases
    cases = [
        replace(passed, metric="orders", difficulty="easy"),
        replace(failed, metric="net_revenue", difficulty="easy"),
        replace(broken, difficulty="hard"),
    ]
    found = slices_of(cases)
    assert list(found) == ["metric", "difficulty"]
    assert list(found["metric"]) == ["net_revenue", "orders"]
    easy, hard = found["difficulty"]["easy"], found["difficulty"]["hard"]
    assert (easy.cases, easy.passed, easy.gradable, easy.accuracy) == (2, 1, 2, 0.5)
    assert (hard.cases, hard.passed, hard.gradable, hard.accuracy) == (1, 0, 1, 0.0)


def test_a_slice_of_nothing_gradable_has_no_accuracy() -> None:
    case = replace(sample_record().cases[0], target="sql", verdict=Verdict.NO_GOLD, passed=False)
    figures = slices_of([case])["target"]["sql"]
    assert (figures.cases, figures.gradable) == (1, 0)
    assert (figures.accuracy, figures.accuracy_interval) == (None, None)


def test_trials_of_one_case_are_one_case_of_its_slice() -> None:
    case = replace(sample_record().cases[0], metric="orders")
    figures = slices_of([case, replace(case, trial=2, passed=False, verdict=Verdict.WRONG)])
    orders = figures["metric"]["orders"]
    assert (orders.cases, orders.passed, orders.gradable, orders.accuracy) == (1, 1, 2, 0.5)


def test_the_aggregate_of_a_run_holds_its_slices() -> None:
    cases = [replace(case, difficulty="easy") for case in sample_record().cases]
    assert summarise(cases).slices == slices_of(cases)
    assert summarise(sample_record().cases).slices == {}
