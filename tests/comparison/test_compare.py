"""Two runs over the same cases, worked out by hand."""

from dataclasses import replace

import pytest

from goldsuite.comparison.compare import Comparison, Outcome, compare_records
from goldsuite.errors import RefusedError
from goldsuite.model.diagnosis import FailureMode
from goldsuite.model.judge import CriterionScore, JudgeResult, JudgeVerdict
from goldsuite.model.process import ProcessScores
from goldsuite.model.run import CaseRecord
from tests.comparison.made_runs import run_of, trial


def _compared(before: str, after: str) -> Comparison:
    """Each sign is a case of its own, asked once."""
    names = [f"c{at}" for at in range(len(before))]
    first = run_of(dict(zip(names, before, strict=True)))
    return compare_records(first, run_of(dict(zip(names, after, strict=True)), number=2))


@pytest.mark.parametrize(
    ("before", "after", "p_value", "outcome", "needed"),
    [
        # 12/14 against 14/14 on the same cases: two discordant pairs.
        ("+" * 12 + "--", "+" * 14, 0.25, Outcome.INCONCLUSIVE, 46),
        ("-----+++++", "++++++++++", 0.03125, Outcome.IMPROVED, None),
        ("++++++++++", "-----+++++", 0.03125, Outcome.REGRESSED, None),
        ("++--", "++--", 1.0, Outcome.INCONCLUSIVE, None),
        ("+-+-", "-+-+", 0.8125, Outcome.INCONCLUSIVE, None),  # 1 - (6/16) / 2
    ],
)
def test_the_outcome_claims_no_more_than_the_cases_bear(
    before: str, after: str, p_value: float, outcome: Outcome, needed: int | None
) -> None:
    found = _compared(before, after)
    assert (found.p_value, found.outcome, found.cases_needed) == (p_value, outcome, needed)


def test_the_gain_has_newcombes_interval() -> None:
    # Newcombe (1998), Statistics in Medicine 17, 2635-2650: 36 kept, 12 fixed, 2 broken.
    found = _compared("+" * 36 + "-" * 12 + "++", "+" * 48 + "--")
    assert found.gain == pytest.approx(0.2)
    assert found.gain_interval == pytest.approx((0.0569, 0.3404), abs=5e-5)


def test_what_cannot_be_compared_leaves_the_figures_of_both_sides() -> None:
    found = _compared("++s-", "+-+#")
    figures = {figure.name: figure for figure in found.figures}
    assert (figures["accuracy"].first, figures["accuracy"].second) == (1.0, 0.5)
    assert found.gain == -0.5


def test_repeated_cases_weigh_once_and_are_never_pooled() -> None:
    first = run_of({"a": "+-", "b": "--"})
    second = run_of({"a": "++", "b": "++"}, number=2)
    found = compare_records(first, second)
    # Differences 1/2 and 1: of four patterns of signs two lie as far, none beyond: 2 / (2 * 4).
    assert (found.test, found.p_value) == ("sign_flip_midp", 0.25)
    assert found.gain == 0.75
    # The t interval of 1/2 and 1 is 0.75 -+ 12.7 / 4, which no difference of shares can be.
    assert found.gain_interval == (-1.0, 1.0)


def test_the_gain_of_repeated_cases_has_the_t_interval_over_cases() -> None:
    first = run_of(dict.fromkeys("abcd", "--"))
    second = run_of({"a": "+-", "b": "--", "c": "+-", "d": "--"}, number=2)
    # Mean 1/4, deviation of the mean sqrt((4 / 16) / 3 / 4) = 0.14434, t(3) = 3.18245.
    found = compare_records(first, second)
    assert found.gain_interval == pytest.approx((0.25 - 0.45935, 0.25 + 0.45935), abs=1e-4)


def test_runs_without_a_common_case_are_refused() -> None:
    with pytest.raises(RefusedError, match="no case in common"):
        compare_records(run_of({"a": "+"}), run_of({"b": "+"}, number=2))


def test_cost_per_correct_has_an_interval_and_none_where_a_cost_is_missing() -> None:
    first = run_of([trial(f"c{at}", "+", cost=0.5) for at in range(4)])
    second = run_of([trial(f"c{at}", "+", cost=None if at else 0.5) for at in range(4)], number=2)
    found = compare_records(first, second)
    cost = next(figure for figure in found.figures if figure.name == "cost_per_correct")
    assert (cost.first, cost.first_interval) == (0.5, (0.5, 0.5))
    assert (cost.second, cost.second_interval, cost.delta) == (None, None, None)


def test_tokens_count_thinking_once() -> None:
    record = run_of([trial("a", "+", tokens={"input": 10, "output": 5, "thinking": 4})])
    found = compare_records(record, replace(record, run_id="other"))
    tokens = next(figure for figure in found.figures if figure.name == "total_tokens")
    assert tokens.first == 15


def test_modes_are_gained_and_lost_by_case() -> None:
    drift, grain = FailureMode.UNDEFINED_METRIC_DRIFT, FailureMode.WRONG_GRAIN
    first = run_of([trial("a", "-", failure_mode=drift), trial("b", "-", failure_mode=drift)])
    second = run_of([trial("a", "+"), trial("b", "-", failure_mode=grain)], number=2)
    changes = compare_records(first, second).modes
    assert [(change.mode, change.first, change.second) for change in changes] == [
        (drift, 2, 0),
        (grain, 0, 1),
    ]


def _scored(case: str, process: float, judge: float, criterion: int) -> CaseRecord:
    verdict = JudgeVerdict.COMPLETE
    criteria = (
        CriterionScore(
            criterion="explains", weight=1, scores=(criterion,), score=criterion, verdict=verdict
        ),
    )
    return trial(
        case,
        "+",
        process=ProcessScores(score=process),
        judge=JudgeResult(score=judge, verdict=verdict, passed=True, criteria=criteria),
    )


def test_scores_that_fall_by_much_are_flagged() -> None:
    first = run_of([_scored("a", 0.9, 4.0, 5), _scored("b", 0.9, 5.0, 5)])
    second = run_of([_scored("a", 0.8, 3.0, 4), _scored("b", 0.81, 3.9, 3)], number=2)
    found = compare_records(first, second)
    # 0.10 is enough for the process; the judge must fall by more than one point.
    assert [(drop.case, drop.kind) for drop in found.drops] == [
        ("a", "process"),
        ("b", "judge"),
        ("b", "criterion"),
    ]
    assert [pair.id for pair in found.regressions] == ["b", "a"]
    # The means fall by 0.095 and 1.05.
    assert [figure.name for figure in found.figure_drops] == ["judge_score"]


def test_the_worst_three_come_first() -> None:
    found = _compared("+++++-", "----++")
    assert len(found.regressions) == 3
    assert [pair.id for pair in found.wins] == ["c5"]
    must = run_of([trial("a", "-"), trial("b", "-", must_pass=True)], number=2)
    ranked = compare_records(run_of({"a": "+", "b": "+"}), must).regressions
    assert [pair.id for pair in ranked] == ["b", "a"]


def _said(case: str, *values: str) -> list[CaseRecord]:
    return [trial(case, "-", number=at, analyst_value=value) for at, value in enumerate(values, 1)]


def test_answers_that_are_stable_in_both_runs_and_differ_are_named() -> None:
    first = run_of([*_said("a", "10", "10"), *_said("b", "5", "9"), *_said("c", "25%", "25%")])
    second = run_of(
        [*_said("a", "12", "12.0"), *_said("b", "7", "7"), *_said("c", "0.25", "0.25")], number=2
    )
    found = compare_records(first, second).stable_but_differ
    assert [(case.case, case.first, case.second) for case in found] == [("a", "10", "12")]
