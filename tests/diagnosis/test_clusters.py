"""Failures are ranked by count, then by precedence, in the order of the suite."""

from goldsuite.diagnosis.clusters import commonest, rank
from goldsuite.diagnosis.parents import PARENTS, PRECEDENCE
from goldsuite.model.diagnosis import Diagnosis, FailureMode


def diagnosis(mode: FailureMode) -> Diagnosis:
    return Diagnosis(mode=mode, labels=(mode,), evidence=("It differs.",), confidence="low")


def test_the_largest_group_comes_first_and_equal_ones_by_precedence() -> None:
    modes = {
        "e": FailureMode.WRONG_GRAIN,
        "d": FailureMode.WRONG_FILTER,
        "c": FailureMode.FAN_OUT,
        "b": FailureMode.WRONG_FILTER,
        "a": FailureMode.UNDEFINED_METRIC_DRIFT,
    }
    ranked = rank({case: diagnosis(mode) for case, mode in modes.items()}, order="abcde")
    assert [(c.mode, c.count, c.cases) for c in ranked] == [
        (FailureMode.WRONG_FILTER, 2, ("b", "d")),
        (FailureMode.UNDEFINED_METRIC_DRIFT, 1, ("a",)),
        (FailureMode.FAN_OUT, 1, ("c",)),
        (FailureMode.WRONG_GRAIN, 1, ("e",)),
    ]


def test_a_case_that_the_order_does_not_name_comes_last() -> None:
    same = diagnosis(FailureMode.FAN_OUT)
    (cluster,) = rank({"y": same, "x": same, "known": same}, order=["known"])
    assert cluster.cases == ("known", "x", "y")


def test_no_failures_are_no_clusters() -> None:
    assert rank({}, order=["a"]) == ()


def test_every_mode_has_a_place_and_a_parent() -> None:
    assert set(PRECEDENCE) == set(FailureMode)
    assert {mode for modes in PARENTS.values() for mode in modes} == set(FailureMode)
    assert all(PARENTS[mode] == (mode,) for mode in FailureMode)


def test_a_case_that_was_asked_several_times_has_the_mode_of_most_of_its_trials() -> None:
    grain, filtered = diagnosis(FailureMode.WRONG_GRAIN), diagnosis(FailureMode.WRONG_FILTER)
    trials = [
        ("a", grain), ("b", None), ("c", grain), ("a", filtered), ("c", filtered), ("a", filtered),
    ]  # fmt: skip
    # c has one of each: the first seen counts.
    assert commonest(trials) == {"a": filtered, "c": grain}
