"""Laws of grading, tried on generated replies and golds."""

from decimal import Decimal
from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from goldsuite.grading.flags import FLAGS
from goldsuite.grading.verdicts import grade_answer
from goldsuite.model.answer import Reply
from goldsuite.model.grade import Grade, Matched, Verdict
from goldsuite.model.key import AnswerKind, GoldCase
from goldsuite.model.result_set import Cell, Column, Execution, Problem, ProblemKind, ResultSet

law = settings(derandomize=True, deadline=None, database=None, max_examples=200)

cells: st.SearchStrategy[Cell] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-200, 200),
    st.floats(),
    st.decimals(allow_nan=True, allow_infinity=True),
    st.text(max_size=5),
    st.dates(),
    st.datetimes(),
    st.timedeltas(),
    st.binary(max_size=3),
)
texts = st.one_of(
    st.none(),
    st.text(max_size=12),
    st.text(alphabet="0123456789.,-()%$ kmxe:=[]|\n\"'NULLyesnoi", max_size=16),
)


@st.composite
def executions(draw: st.DrawFn) -> Execution:
    if draw(st.integers(0, 5)) == 0:
        kind: ProblemKind = draw(st.sampled_from(get_args(ProblemKind)))
        return Execution(sql="s", problem=Problem(kind=kind, message="m"))
    width = draw(st.integers(1, 3))
    rows = draw(st.lists(st.tuples(*[cells] * width), max_size=3))
    columns = tuple(Column(name=f"c{at}") for at in range(width))
    return Execution(sql="s", result=ResultSet(columns=columns, rows=tuple(rows)))


@law
@given(
    executions(),
    st.one_of(st.none(), executions()),
    texts,
    st.sampled_from([None, *get_args(AnswerKind)]),
    st.sampled_from([None, "count", "rate", "percent", "days", "EUR", "kg"]),
    st.booleans(),
)
def test_every_reply_gets_one_verdict_and_grading_again_gives_it_again(
    gold: Execution,
    own: Execution | None,
    value: str | None,
    kind: AnswerKind | None,
    unit: str | None,
    null_is_zero: bool,
) -> None:
    key = GoldCase(
        id="c",
        question="q",
        line=1,
        gold_sql=("s",),
        answer=kind,
        unit=unit,
        null_is_zero=null_is_zero,
    )

    def grade() -> Grade:
        return grade_answer(
            reply=Reply(value=value, query="s" if own else None),
            key=key,
            golds=[gold],
            predicted=own,
            gold_orders=[False],
            dialect="duckdb",
        )

    found = grade()
    assert repr(found) == repr(grade())
    assert found.reason.endswith((".", "m"))
    assert set(found.flags) <= set(FLAGS)
    assert (found.matched is not None) is (found.verdict is Verdict.CORRECT)
    if found.verdict is Verdict.CORRECT:
        assert found.passed
        assert found.matched in get_args(Matched)


@law
@given(
    st.decimals(min_value=-(10**9), max_value=10**9, places=3),
    st.decimals(min_value=-(10**9), max_value=10**9, places=3),
    st.sampled_from(["0", "0.001", "0.005", "0.5"]),
    st.sampled_from(["0.001", "0.25"]),
)
def test_a_larger_tolerance_never_fails_an_answer_that_passed(
    gold: Decimal, said: Decimal, small: str, more: str
) -> None:
    def passes(tolerance: Decimal) -> bool:
        key = GoldCase(
            id="c",
            question="q",
            line=1,
            gold_sql=("s",),
            tolerance=tolerance,
            tolerance_given=True,
        )
        result = ResultSet(columns=(Column(name="x"),), rows=((gold,),))
        return grade_answer(
            reply=Reply(value=str(said)),
            key=key,
            golds=[Execution(sql="s", result=result)],
            predicted=None,
            gold_orders=[False],
        ).passed

    if passes(Decimal(small)):
        assert passes(Decimal(small) + Decimal(more))


@law
@given(st.decimals(min_value=-(10**9), max_value=10**9, places=2))
def test_the_gold_itself_is_always_exact(gold: Decimal) -> None:
    key = GoldCase(id="c", question="q", line=1, gold_sql=("s",))
    for cell in (gold, float(gold)):
        result = ResultSet(columns=(Column(name="x"),), rows=((cell,),))
        for said in (f"{gold:,}", f"{gold}"):
            found = grade_answer(
                reply=Reply(value=said),
                key=key,
                golds=[Execution(sql="s", result=result)],
                predicted=None,
                gold_orders=[False],
            )
            assert found.matched == "exact"
