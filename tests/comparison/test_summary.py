"""The figures of the headline, by hand; what was not measured is absent."""

from dataclasses import replace

import pytest

from goldsuite.comparison.gate import judge_run
from goldsuite.comparison.summary import summarise
from goldsuite.model.grade import Component, Verdict
from goldsuite.model.process import ProcessScores
from goldsuite.model.run import CaseRecord
from goldsuite.runner.limits import ErrorLimit
from tests.sample_run import sample_record

ANY = ErrorLimit(share=1)


def _case(number: int, verdict: Verdict, *, cost: float | None = None) -> CaseRecord:
    passed = verdict is Verdict.CORRECT
    return CaseRecord(
        id=f"c{number}",
        trial=1,
        split="train",
        question="q",
        verdict=verdict,
        passed=passed,
        matched="exact" if passed else None,
        cost=cost,
    )


def _cases(*verdicts: Verdict, cost: float | None = None) -> list[CaseRecord]:
    return [_case(number, verdict, cost=cost) for number, verdict in enumerate(verdicts)]


ALL = _cases(
    Verdict.CORRECT,
    Verdict.CORRECT,
    Verdict.WRONG,
    Verdict.NO_ANSWER,
    Verdict.UNPARSEABLE,
    Verdict.ANALYST_ERROR,
    Verdict.NOT_GRADABLE,
    Verdict.GOLD_ERROR,
)


def test_every_case_is_counted_once() -> None:
    found = summarise(ALL)
    counts = (found.selected, found.passed, found.failed, found.errors, found.gold_errors)
    assert counts == (8, 2, 3, 2, 1)


def test_a_crash_stays_in_the_denominator_and_a_broken_gold_does_not() -> None:
    found = summarise(ALL)
    # 8 selected, 1 gold error: 2 of 7; among the graded 2 of 2 + 3.
    assert found.accuracy == pytest.approx(2 / 7)
    assert found.accuracy_graded == pytest.approx(2 / 5)


def test_a_case_without_gold_is_counted_and_leaves_the_accuracy() -> None:
    crashed = replace(_case(9, Verdict.NO_GOLD), error="exit code 3")
    found = summarise([*ALL, _case(8, Verdict.NO_GOLD), crashed])
    assert found.accuracy == pytest.approx(2 / 7)
    counted = found.passed + found.failed + found.errors + found.gold_errors + found.without_gold
    assert (found.selected, counted, found.without_gold, found.errors) == (10, 10, 2, 2)


def test_a_crash_in_a_case_without_gold_is_an_error_of_the_analyst() -> None:
    crashed = replace(_case(0, Verdict.NO_GOLD), error="exit code 3")
    record = replace(sample_record(), cases=(crashed,))
    assert judge_run(record, fail_under=None, max_errors=ErrorLimit(share=0)).too_many_errors


@pytest.mark.parametrize(
    ("floor", "accuracy", "missed"),
    [("0.8", 0.75, True), ("0.8", 0.8, False), ("0.8", None, False), ("0", 0.1, False),
     (None, 0.1, False)],
)  # fmt: skip
def test_a_target_below_the_run_s_floor_ends_it_with_an_exit_code(
    floor: str | None, accuracy: float | None, missed: bool
) -> None:
    scored = replace(
        _case(0, Verdict.CORRECT), target="t", process=ProcessScores(trigger_accuracy=accuracy)
    )
    record = replace(
        sample_record(),
        cases=(scored,),
        limits={} if floor is None else {"trigger_floor": floor},
        aggregate=summarise([scored]),
    )
    found = judge_run(record, fail_under=None, max_errors=ANY)
    assert found.below_trigger_floor is missed
    assert any("'t'" in line for line in found.messages) is missed


def test_process_means_are_over_cases_and_their_trials() -> None:
    def trial(case: int, number: int, tools: float | None) -> CaseRecord:
        scores = ProcessScores(tool_accuracy=tools, score=tools)
        return replace(_case(case, Verdict.CORRECT), trial=number, process=scores)

    found = summarise([trial(0, 1, 1.0), trial(0, 2, 0.0), trial(1, 1, 1.0), trial(2, 1, None)])
    assert found.process is not None
    # By hand: (0.5 + 1) / 2
    assert (found.process.tool_accuracy, found.process.trials) == (0.75, 4)
    assert found.process.turn_efficiency is None
    assert summarise(ALL).process is None
    assert summarise(ALL).judge is None


def test_what_was_not_measured_is_absent() -> None:
    found = summarise(_cases(Verdict.GOLD_ERROR))
    assert found.accuracy is None
    assert found.accuracy_interval is None
    assert found.execution_accuracy is None
    assert found.avg_latency_ms is None
    assert found.total_cost is None


def test_a_right_answer_is_paid_for_with_the_wrong_ones() -> None:
    found = summarise(_cases(Verdict.CORRECT, Verdict.CORRECT, Verdict.WRONG, cost=0.1))
    # 0.30 dollars for two right answers.
    assert found.total_cost == pytest.approx(0.3)
    assert found.cost_per_correct == pytest.approx(0.15)


def test_the_cost_of_a_right_answer_is_unknown_where_one_cost_is() -> None:
    found = summarise([_case(0, Verdict.CORRECT, cost=0.1), _case(1, Verdict.WRONG)])
    assert found.costed_trials == 1
    assert found.cost_per_correct is None


def test_an_extra_column_is_no_strict_match() -> None:
    exact = _case(0, Verdict.CORRECT)
    wide = replace(_case(1, Verdict.CORRECT), flags=("extra_columns",))
    assert summarise([exact, wide]).strict_accuracy == pytest.approx(1 / 2)


@pytest.mark.parametrize("flag", ["data_moved", "settled_by_sql"])
def test_what_needs_the_log_or_the_sql_is_no_strict_match(flag: str) -> None:
    cases = [_case(0, Verdict.CORRECT), replace(_case(1, Verdict.CORRECT), flags=(flag,))]
    assert summarise(cases).strict_accuracy == pytest.approx(1 / 2)


def test_a_clause_is_measured_over_the_cases_that_have_it() -> None:
    one, two, three = _cases(Verdict.CORRECT, Verdict.WRONG, Verdict.WRONG)
    found = summarise([
        replace(one, exact_match=True, component_match={Component.SELECT: True}),
        replace(
            two,
            exact_match=False,
            component_match={Component.WHERE: False, Component.SELECT: True},
        ),
        three,
    ])  # fmt: skip
    # Of two measured cases one matches wholly; only the second has a WHERE.
    assert found.exact_match == pytest.approx(1 / 2)
    assert found.component_match == {Component.SELECT: 1.0, Component.WHERE: 0.0}
    assert list(found.component_match or ()) == [Component.SELECT, Component.WHERE]
    assert summarise([three]).exact_match is None
    assert summarise([three]).component_match is None


def test_tokens_are_added_up_by_kind() -> None:
    one, two, three = _cases(Verdict.CORRECT, Verdict.WRONG, Verdict.WRONG)
    told = [
        replace(one, tokens={"input": 10, "output": 3}),
        replace(two, tokens={"input": 5, "cache_read": 7}),
        three,
    ]
    assert summarise(told).total_tokens == {"input": 15, "output": 3, "cache_read": 7}
    assert summarise([three]).total_tokens is None


def test_value_and_sql_that_part_ways_are_counted() -> None:
    one, two, three, four = _cases(Verdict.CORRECT, Verdict.WRONG, Verdict.WRONG, Verdict.WRONG)
    rounding = ("correct_rounding", "right_sql_wrong_value")
    found = summarise([
        replace(one, flags=("right_value_wrong_sql", "vacuous")),
        replace(two, flags=rounding, execution_match=True),
        replace(three, flags=("correct_rounding",), execution_match=False),
        four,
    ])  # fmt: skip
    assert found.correct_roundings == 1
    assert (found.right_value_wrong_sql, found.right_sql_wrong_value, found.vacuous) == (1, 1, 1)
    assert summarise([four]).correct_roundings == 0


@pytest.mark.parametrize(("fail_under", "below"), [(None, False), (0.3, False), (0.34, True)])
def test_a_threshold_is_held_against_the_accuracy(fail_under: float | None, below: bool) -> None:
    # The sample passes 1 of 3.
    assert judge_run(sample_record(), fail_under=fail_under, max_errors=ANY).below is below


def test_a_must_pass_case_that_failed_is_below_at_any_accuracy() -> None:
    record = sample_record()
    cases = (record.cases[0], replace(record.cases[1], must_pass=True), record.cases[2])
    found = judge_run(replace(record, cases=cases), fail_under=0, max_errors=ANY)
    assert found.below
    assert "net-revenue" in found.messages[0]


@pytest.mark.parametrize(
    ("max_errors", "too_many"),
    [("0.33", True), ("0.34", False), ("33%", True), ("34 %", False), ("0", True), ("1", False)],
)
def test_analyst_errors_above_the_share_allowed_are_too_many(
    max_errors: str, too_many: bool
) -> None:
    # 1 of 3 ended in an error: 0.333...
    found = judge_run(sample_record(), fail_under=None, max_errors=ErrorLimit.parse(max_errors))
    assert found.too_many_errors is too_many


def _trials(case: str, *verdicts: Verdict) -> list[CaseRecord]:
    return [
        replace(_case(0, verdict), id=case, trial=number)
        for number, verdict in enumerate(verdicts, start=1)
    ]


RIGHT, WRONG, BROKE = Verdict.CORRECT, Verdict.WRONG, Verdict.ANALYST_ERROR


def test_the_accuracy_of_repeated_cases_is_the_mean_over_cases() -> None:
    repeated = [
        *_trials("a", RIGHT, RIGHT, WRONG),
        *_trials("b", RIGHT),
        *_trials("c", Verdict.GOLD_ERROR, Verdict.GOLD_ERROR),
        *_trials("d", BROKE, RIGHT),
    ]
    found = summarise(repeated)
    # 2/3, 1 and 1/2, although 4 of 6 gradable trials passed; graded, d is 1 of 1.
    assert found.accuracy == pytest.approx((2 / 3 + 1 + 1 / 2) / 3)
    assert found.strict_accuracy == found.accuracy
    assert found.accuracy_graded == pytest.approx((2 / 3 + 1 + 1) / 3)
    counts = (found.cases, found.selected, found.gradable, found.passed, found.failed, found.errors)
    assert counts == (4, 8, 6, 4, 1, 1)


def test_more_trials_of_the_same_outcome_make_the_interval_no_narrower() -> None:
    once = summarise([*_trials("a", RIGHT), *_trials("b", WRONG)])
    often = summarise([*_trials("a", *[RIGHT] * 9), *_trials("b", *[WRONG] * 9)])
    assert often.accuracy_interval == pytest.approx(once.accuracy_interval)


def test_a_cost_known_for_the_whole_run_is_the_total_and_no_cases() -> None:
    found = summarise(_cases(RIGHT, RIGHT, WRONG), run_cost=0.9)
    assert (found.total_cost, found.costed_trials) == (0.9, 0)
    assert found.cost_per_correct == pytest.approx(0.45)
    assert summarise(_cases(WRONG), run_cost=0.9).cost_per_correct is None


def test_waiting_and_retries_are_summed_where_they_were_told() -> None:
    right, wrong = _cases(RIGHT, WRONG)
    assert summarise([right, wrong]).waited_ms is None
    found = summarise([replace(right, waited_ms=1500.0, retries=2), wrong])
    assert (found.waited_ms, found.retries) == (1500.0, 2)
