"""What became of every case from one run to the next."""

from fractions import Fraction

import pytest

from goldsuite.comparison.pairing import CaseState, pair_records
from tests.comparison.made_runs import run_of

STATES = [
    ("+", "+", CaseState.KEPT),
    ("-", "+", CaseState.FIXED),
    ("+", "-", CaseState.BROKEN),
    ("-", "-", CaseState.STILL_FAILING),
    ("+", "!", CaseState.BROKEN),  # a timeout or a crash is the analyst's own
    ("!", "+", CaseState.FIXED),
    ("+", "s", CaseState.NOT_COMPARED),  # the service's error says nothing of the analyst
    ("s", "+", CaseState.NOT_COMPARED),
    ("#", "+", CaseState.NOT_COMPARED),
    ("0", "0", CaseState.NOT_COMPARED),
    # Asked several times: more than half of the trials decide.
    ("++-", "+--", CaseState.BROKEN),
    ("+-", "++", CaseState.FIXED),
    ("+++", "++-", CaseState.KEPT),
    ("++s", "s+s", CaseState.KEPT),  # trials that the service failed are left out
]


@pytest.mark.parametrize(("before", "after", "state"), STATES)
def test_each_case_has_one_state(before: str, after: str, state: CaseState) -> None:
    (pair,) = pair_records(run_of({"a": before}), run_of({"a": after})).pairs
    assert pair.state is state
    assert (pair.difference is None) == (state is CaseState.NOT_COMPARED)
    assert bool(pair.why_not) == (state is CaseState.NOT_COMPARED)


def test_the_difference_is_that_of_the_shares_of_trials() -> None:
    (pair,) = pair_records(run_of({"a": "++-"}), run_of({"a": "+---"})).pairs
    assert pair.difference == Fraction(1, 4) - Fraction(2, 3)


def test_cases_of_one_run_alone_are_named_and_not_compared() -> None:
    pairing = pair_records(run_of({"a": "+", "b": "+"}), run_of({"b": "-", "c": "+"}))
    assert [pair.id for pair in pairing.pairs] == ["b"]
    assert (pairing.only_first, pairing.only_second) == (("a",), ("c",))


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("s", "+", "the analyst's service failed in the first run"),
        ("+", "#", "the gold failed in the second run"),
        ("0", "0", "it has no gold"),
    ],
)
def test_a_case_that_is_not_compared_says_why(before: str, after: str, why: str) -> None:
    (pair,) = pair_records(run_of({"a": before}), run_of({"a": after})).pairs
    assert pair.why_not == why
