"""The same question several times."""

from decimal import Decimal

import pytest

from goldsuite.comparison.answer_values import Value, read_values
from goldsuite.comparison.reliability import Stability, judge_case, judge_reliability
from goldsuite.comparison.trial_answers import TrialAnswer, from_record
from goldsuite.stats.proportion import wilson_interval
from tests.comparison.made_runs import run_of


def _trials(
    *values: str | None, kind: str | None = "number", sources: tuple[str, ...] = ()
) -> list[TrialAnswer]:
    said = [*sources, *[None] * (len(values) - len(sources))]
    return [
        TrialAnswer(case="a", value=value, definition=source, kind=kind)
        for value, source in zip(values, said, strict=True)
    ]


READ: list[tuple[list[str | None], str | None, list[Value]]] = [
    (["25%", "0.25", "2500 bps"], "number", [Decimal("0.25")] * 3),
    (["25%", "25"], "number", [Decimal("0.25"), Decimal("0.25")]),  # the sign was left out
    (["25", "0.25"], "number", [Decimal(25), Decimal("0.25")]),
    (["$1.2M", "1,200,000"], "number", [Decimal(1_200_000)] * 2),
    (["5", "about ten or so", None], "number", [Decimal(5), None, None]),
    (["North", " north "], "text", ["north", "north"]),
    (["North", "South"], None, ["north", "south"]),
    (["5", "North"], None, [Decimal(5), None]),
    (["(3 rows)", None], "table", [None, None]),
]


@pytest.mark.parametrize(("answers", "kind", "values"), READ)
def test_answers_are_compared_by_value(
    answers: list[str | None], kind: str | None, values: list[Value]
) -> None:
    assert list(read_values(answers, kind=kind)) == values


def test_the_decimal_mark_of_the_case_holds() -> None:
    assert read_values(["1.234"], kind="number", decimal_mark=",") == (Decimal(1234),)


DICTIONARY, OWN = "metric dictionary", "my own choice"
VERDICTS = [
    (("25%", "0.25", "0.25"), (), Stability.STABLE, "exact"),
    (("100", "101", "102"), (), Stability.STABLE, "within_tolerance"),  # 2 / 101
    (("-100", "-102"), (), Stability.STABLE, "within_tolerance"),
    (("99", "101"), (), Stability.STABLE, "within_tolerance"),  # 2 / 100 is still close
    (("98.9", "101"), (), Stability.DRIFT, None),
    (("0", "0"), (), Stability.STABLE, "exact"),
    (("-1", "1"), (), Stability.DRIFT, None),  # a mean of 0
    (("5", "9"), (DICTIONARY, OWN), Stability.DEFINITIONS_DIFFER, None),
    (("5", "9"), (OWN, OWN), Stability.DRIFT, None),
    (("5", "5"), (DICTIONARY, OWN), Stability.STABLE, "exact"),
    (("5",), (), Stability.UNKNOWN, None),
    (("5", "5", None, None, None), (), Stability.UNKNOWN, None),  # fewer than half
    (("5", "5", None, None), (), Stability.STABLE, "exact"),
    ((None, None), (), Stability.UNKNOWN, None),
]


@pytest.mark.parametrize(("values", "sources", "stability", "how"), VERDICTS)
def test_a_case_is_stable_or_drifts(
    values: tuple[str | None, ...], sources: tuple[str, ...], stability: Stability, how: str | None
) -> None:
    found = judge_case(_trials(*values, sources=sources))
    assert (found.stability, found.how) == (stability, how)


def test_the_figures_of_a_case_are_worked_out_by_hand() -> None:
    found = judge_case(_trials("2", "4", "4.0", "6", None, sources=(DICTIONARY, DICTIONARY, OWN)))
    assert [(value.value, value.number, value.count) for value in found.values] == [
        ("4", 4.0, 2),
        ("2", 2.0, 1),
        ("6", 6.0, 1),
    ]
    assert found.agreement == 2 / 5
    assert found.mean == 4.0
    assert found.deviation == pytest.approx((8 / 3) ** 0.5)
    assert found.variation == pytest.approx((8 / 3) ** 0.5 / 4)
    assert found.relative_range == 1.0
    assert (found.used_dictionary, found.told_definition) == (2, 3)
    assert (found.read, found.trials) == (4, 5)


def test_a_negative_mean_has_a_positive_variation() -> None:
    found = judge_case(_trials("-2", "-4", "-6"))
    assert (found.mean, found.variation) == (-4.0, 0.5)


def test_pass_rates_are_unbiased_and_clustered_by_case() -> None:
    found = judge_reliability(from_record(run_of({"a": "+++-", "b": "++++"})), runs=["r"])
    rates = {rate.k: rate for rate in found.rates}
    assert rates[1].pass_at == rates[1].pass_hat == 0.875
    assert (rates[2].pass_at, rates[2].pass_hat) == (1.0, 0.75)  # 1 and 1; 3/6 and 1
    assert (rates[4].pass_at, rates[4].pass_hat) == (1.0, 0.5)
    # Two cases are two, however often they were asked; 0 and 1 are as far apart as can be.
    whole = wilson_interval(1, 2)
    assert rates[4].pass_hat_interval.low == pytest.approx(whole.low)
    assert rates[4].pass_hat_interval.high == pytest.approx(whole.high)
    assert [case.id for case in found.cases if case.is_flaky] == ["a"]


def test_trials_that_the_service_failed_are_no_trials_of_the_analyst() -> None:
    found = judge_reliability(from_record(run_of({"a": "+s+!"})), runs=["r"])
    (case,) = found.cases
    assert (case.trials, case.left_out, case.graded, case.passed) == (3, 1, 3, 2)


def test_what_was_not_graded_has_no_pass_rate() -> None:
    found = judge_reliability(_trials("5", "5"), runs=["answers.jsonl"])
    assert found.rates == ()
    assert found.agreement == 1.0


def test_nothing_read_is_no_agreement_of_zero() -> None:
    found = judge_reliability(_trials(None, None), runs=["r"])
    assert (found.agreement, found.cases[0].agreement, found.cases[0].mean) == (None, None, None)
