"""A part of a split does not stand for it."""

from dataclasses import replace

from goldsuite.comparison.partial import is_partial, partial_text
from tests.sample_run import sample_record


def test_a_run_over_earlier_failures_is_a_partial_one() -> None:
    whole = sample_record()
    again = replace(whole, selection={"failed_from": "20260102-x", "case": "a, b"})
    assert (is_partial(whole), is_partial(again)) == (False, True)
    assert (partial_text(whole), partial_text(again)) == ("", "failed in 20260102-x; case a, b")
