"""Budgets and errors: what is still admitted, and when a run is past hope."""

from collections.abc import Sequence
from decimal import Decimal

import pytest

from goldsuite.errors import UsageError
from goldsuite.model.answer import Answer, Reply, Usage
from goldsuite.runner.limits import Budget, ErrorLimit, ErrorWatch, Limits, total_tokens


def _answer(
    cost: str | None = None, *, tokens: int | None = None, error: str | None = None
) -> Answer:
    return Answer(
        id="q",
        trial=1,
        reply=Reply(
            cost=None if cost is None else Decimal(cost),
            usage=None if tokens is None else Usage(input_tokens=tokens),
            error=error,
        ),
    )


@pytest.mark.parametrize(
    ("text", "share", "count"),
    [
        ("0.05", 0.05, None), ("5%", 0.05, None), ("5 %", 0.05, None), ("0", 0.0, None),
        ("1.0", 1.0, None), ("100%", 1.0, None), ("1", None, 1), ("10", None, 10),
        ("0%", 0.0, None),
    ],
)  # fmt: skip
def test_errors_are_limited_by_a_share_or_a_number(
    text: str, share: float | None, count: int | None
) -> None:
    assert ErrorLimit.parse(text) == ErrorLimit(share=share, count=count)


@pytest.mark.parametrize("text", ["", "many", "-1", "-0.1", "1.5", "101%", "nan", "inf", "5%%"])
def test_what_is_neither_a_share_nor_a_number_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--max-errors"):
        ErrorLimit.parse(text)


@pytest.mark.parametrize(
    ("limit", "errors", "exceeded"),
    [("5%", 2, False), ("5%", 3, True), ("0", 1, True), ("3", 3, False), ("3", 4, True)],
)
def test_of_forty_trials_so_many_may_be_errors(limit: str, errors: int, exceeded: bool) -> None:
    assert ErrorLimit.parse(limit).exceeded(errors, 40) is exceeded


def test_tokens_of_all_kinds_count_and_thinking_only_once() -> None:
    usage = Usage(
        input_tokens=1,
        cache_write_tokens=10,
        cache_write_1h_tokens=100,
        cache_read_tokens=1000,
        output_tokens=10_000,
        thinking_tokens=9_000,
    )
    assert total_tokens(usage) == 11_111
    assert total_tokens(Usage()) is None
    assert total_tokens(None) is None


@pytest.mark.parametrize(
    ("costs", "in_flight", "admitted"),
    [
        ([], 3, True),  # nothing is known yet
        (["0.30"], 0, True),
        (["0.30"], 1, True),  # 0.30 + 2 x 0.30
        (["0.30"], 2, False),  # 0.30 + 3 x 0.30 would be 1.20
        (["0.40", "0.20", "0.30"], 0, False),  # 0.90 + 0.30
        (["0.50"], 0, True),  # exactly one dollar
    ],
)
def test_a_question_is_admitted_that_is_expected_to_keep_the_budget(
    costs: Sequence[str], in_flight: int, admitted: bool
) -> None:
    budget = Budget(Limits(max_cost=Decimal(1)), map(_answer, costs))
    assert budget.admits(in_flight) is admitted


def test_what_broke_counts_as_much_as_the_others_on_the_average() -> None:
    budget = Budget(Limits(max_cost=Decimal(1)), [_answer("0.30"), _answer(error="timed out")])
    # 0.60 are spent as far as is known, and one more makes 0.90.
    assert budget.admits(0)
    budget.add(_answer(error="timed out"))
    assert not budget.admits(0)
    assert "about $0.9000 spent by 3 answers" in budget.reason


def test_a_budget_of_tokens_is_kept_as_well() -> None:
    budget = Budget(Limits(max_tokens=1000), [_answer(tokens=400)])
    assert budget.admits(0)
    budget.add(_answer("9.99", tokens=300))
    # 700, and 350 more on the average.
    assert not budget.admits(0)
    assert budget.reason.startswith("--max-tokens 1,000 tokens would be passed: 700 tokens spent")


def test_an_analyst_that_does_not_tell_its_cost_cannot_be_held_to_one() -> None:
    budget = Budget(Limits(max_cost=Decimal(1)), [_answer()])
    assert not budget.admits(0)
    assert "--max-cost cannot be kept" in budget.reason


def test_without_limits_everything_is_admitted() -> None:
    assert Budget(Limits(), [_answer("1000")]).admits(1000)


def _watch(limit: str, planned: int, answers: Sequence[bool]) -> int | None:
    """After how many answers the run is stopped; True is an error."""
    watch = ErrorWatch(ErrorLimit.parse(limit), planned=planned)
    for number, broke in enumerate(answers, start=1):
        if watch.add(_answer(error="down" if broke else None)):
            return number
    return None


@pytest.mark.parametrize(
    ("limit", "planned", "answers", "stopped_at"),
    [
        # More than 5 of 100 and ten in all.
        ("5%", 100, [True] * 50, 10),
        # 50 of 1000 are allowed.
        ("5%", 1000, [True] * 99, 51),
        # A single error above the limit of a small run does not stop it.
        ("5%", 12, [False, True, False, False], None),
        # One error in three: a poor run, but two thirds of it are of use.
        ("5%", 99, [True, False, False] * 33, None),
        # It broke down after 40 good answers: the 10th error is half of the latest 20.
        ("5%", 100, [False] * 40 + [True] * 20, 50),
        ("30", 100, [True] * 50, 31),
    ],
)
def test_a_run_past_hope_is_stopped(
    limit: str, planned: int, answers: list[bool], stopped_at: int | None
) -> None:
    assert _watch(limit, planned, answers) == stopped_at
