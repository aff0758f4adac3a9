"""What an answer shows by itself, worked out by hand."""

from decimal import Decimal

import pytest

from goldsuite.diagnosis.answer_checks import check_answer, relation, shown
from goldsuite.diagnosis.failure import Failure
from goldsuite.model.diagnosis import Cause
from goldsuite.model.grade import Verdict
from goldsuite.model.result_set import Cell, Column, Execution, Problem, ResultSet


def result(cell: Cell) -> ResultSet:
    return ResultSet(columns=(Column(name="v"),), rows=((cell,),))


def failure(
    said: str | None, *, verdict: Verdict = Verdict.WRONG, sql: str | None = "s"
) -> Failure:
    return Failure(
        question="How much?",
        gold_sql="g",
        predicted_sql=sql,
        definition_source=None,
        reason="The value differs.",
        metric=None,
        dialect="duckdb",
        said=said,
        verdict=verdict,
    )


@pytest.mark.parametrize(
    ("value", "wanted", "expected"),
    [
        ("-12.5", "12.5", Cause.SIGN),
        ("1.2955", "1295.5", Cause.UNIT_SCALE),
        ("33.24", "0.3324", Cause.UNIT_SCALE),
        ("3", "180", Cause.UNIT_SCALE),
        ("0.1", "0.0877", Cause.ROUNDING),
        ("0.0877", "0.0877", None),
        ("5", "0", None),
        ("17", "12", None),
    ],
)
def test_a_number_and_the_wanted_one(value: str, wanted: str, expected: Cause | None) -> None:
    assert relation(Decimal(value), Decimal(wanted)) is expected


@pytest.mark.parametrize(
    ("said", "own", "gold", "causes", "settled"),
    [
        ("412", 300, 261, {Cause.UNSUPPORTED_ANSWER}, False),
        ("300", 300, 261, set(), False),
        ("33%", Decimal("0.3312"), Decimal("0.5"), set(), False),
        ("1.2M", 1_204_000, 999_000, set(), False),
        ("4711", 261, 261, {Cause.UNSUPPORTED_ANSWER}, True),
        ("-261", 261, 261, {Cause.SIGN}, True),
        ("quite a few", 261, 261, {Cause.FORMAT_ERROR}, True),
        ("quite a few", 300, 261, {Cause.FORMAT_ERROR}, False),
        (None, 300, 261, set(), False),
    ],
)
def test_what_was_said_against_what_the_sql_returns(
    said: str | None, own: Cell, gold: Cell, causes: set[Cause], settled: bool
) -> None:
    found = check_answer(failure(said), Execution(sql="s", result=result(own)), result(gold))
    assert (set(found.causes), found.settled) == (causes, settled)
    assert bool(found.evidence) is bool(causes)


def test_sql_that_fails_settles_the_matter_and_a_refused_one_does_not() -> None:
    for kind, causes in (("failed", (Cause.EXECUTION_ERROR,)), ("refused", ())):
        problem = Problem(kind=kind, message="no such column")  # type: ignore[arg-type]
        found = check_answer(failure("1"), Execution(sql="s", problem=problem), result(2))
        assert found.causes == causes


def test_nothing_said_and_no_sql_is_no_answer() -> None:
    assert check_answer(failure(None, sql=None), None, result(2)).causes == (Cause.NO_ANSWER,)
    declined = failure("I cannot tell", verdict=Verdict.NO_ANSWER)
    assert check_answer(declined, None, result(2)).causes == (Cause.NO_ANSWER,)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "NULL"), (1_234_567, "1,234,567"), (Decimal("938111.15"), "938,111.15"),
        (0.0469992, "0.0469992"), ("web", "'web'"), (Decimal("6.00"), "6"), (True, "True"),
    ],
)  # fmt: skip
def test_a_value_as_a_sentence_shows_it(value: Cell, expected: str) -> None:
    assert shown(value) == expected
