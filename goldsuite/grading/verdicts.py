"""From a reply and the executed queries to one verdict. Pure: what runs SQL hands it results in.

In this order:
0. The case has no gold, and asks for no refusal: `no_gold`. Process or a judge scores it.
1. Every gold is unusable: `gold_error`, whatever the analyst did, so that `gradable` is the same
   for every analyst.
2. The analyst broke: `analyst_error`.
3. It declined, or gave neither value nor SQL: `no_answer`.
4. For one value, what was said decides; where nothing was said, what its SQL returns. For rows the
   SQL's result decides; where there is no SQL, rows that the text spells out.
5. Where the SQL's result decides and there is none: our limit or gate makes it `not_gradable`, the
   engine's own error makes it `wrong`.

With several golds the best match counts.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from goldsuite.grading.faithfulness import faithfulness_of
from goldsuite.grading.gold import (
    Gold,
    UnusableGoldError,
    gold_with,
    other_tied_golds,
    read_gold,
    to_gold_value,
)
from goldsuite.grading.limit_ties import TieAtLimit
from goldsuite.grading.logged import logged_cell, logged_values
from goldsuite.grading.number_answers import GoldNumber, Outcome
from goldsuite.grading.result_sets import Comparison
from goldsuite.grading.said import only_cell
from goldsuite.grading.single import Judged, judge_cell, judge_text
from goldsuite.grading.tables import (
    compare_with_gold,
    contradiction,
    judge_comparison,
    judge_listed,
)
from goldsuite.grading.unanswered import declines_beside_rows, grade_without_gold, no_value
from goldsuite.model.answer import Reply
from goldsuite.model.grade import Faithfulness, Grade, Matched, Verdict
from goldsuite.model.key import GoldCase
from goldsuite.model.result_set import Execution, Problem, ResultSet

__all__ = ["grade_answer"]

_RANK: tuple[Matched | None, ...] = ("exact", "within_tolerance", "unit_adjusted", "rounded", None)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Trial:
    """What is graded, the same for every gold of the case."""

    key: GoldCase
    said: str | None
    """None where no value was given."""
    predicted: Execution | None
    logged: tuple[str, ...]
    """Values that the reply's SQL gave during the run, as text."""

    @property
    def result(self) -> ResultSet | None:
        """Of the analyst's SQL; None where it did not run, or was cut off."""
        found = self.predicted.result if self.predicted else None
        return None if found is None or found.truncated else found


@dataclass(frozen=True, kw_only=True, slots=True)
class _Attempt:
    """The verdict against one gold."""

    gold: Gold
    judged: Judged
    comparison: Comparison | None = None
    execution_match: bool | None = None


def grade_answer(
    *,
    reply: Reply,
    key: GoldCase,
    golds: Sequence[Execution],
    predicted: Execution | None,
    gold_orders: Sequence[bool],
    dialect: str | None = None,
    gold_ties: Sequence[TieAtLimit | None] = (),
) -> Grade:
    """Grade one reply.

    Args:
        golds: the execution of each of `key.gold_sql`, in that order.
        predicted: the execution of the reply's SQL; None where it has none.
        gold_orders: whether the top level of each gold query orders its rows.
        dialect: sqlglot's name; with it, ties under the gold's sort keys and the scale of a rate
            are read from the gold's text, and `reply.queries` tell whether the data moved. Without
            it every ordered row has its own place.
        gold_ties: for each gold the tie that its limit cuts through, if any; empty where that was
            not looked at.
        decimal_mark: which mark is decimal in the analyst's numbers.

    Raises:
        ValueError: `golds`, `gold_orders` and `gold_ties` differ in length.
    """
    ties = tuple(gold_ties) or (None,) * len(golds)
    if not len(golds) == len(gold_orders) == len(ties):
        raise ValueError(f"{len(golds)} golds, but {len(gold_orders)} orders and {len(ties)} ties")
    said = reply.value if reply.value and reply.value.strip() else None
    if key.answer in {"refusal", "clarify"}:
        return grade_without_gold(reply, key, said)
    if not key.gold_sql:
        reason = "The case has no gold: it is scored by process or judge alone."
        return no_value(Verdict.NO_GOLD, reason, kind=None)
    usable, faults = _usable(key, golds, gold_orders, ties, dialect)
    flags = {fault.flag for fault in faults}
    if not usable:
        reason = "; ".join(map(str, faults))
        grade = no_value(Verdict.GOLD_ERROR, f"{reason[:1].upper()}{reason[1:]}.", kind=None)
        return _flagged(grade, flags)
    if any(gold.tie for gold in usable):
        flags.add("gold_tie_at_limit")
    logged = logged_values(reply.query, reply.queries, dialect)
    trial = _Trial(key=key, said=said, predicted=predicted, logged=logged)
    return _flagged(_grade_with_gold(trial, reply, usable), flags)


def _flagged(grade: Grade, flags: Iterable[str]) -> Grade:
    return replace(grade, flags=tuple(sorted({*grade.flags, *flags})))


def _grade_with_gold(trial: _Trial, reply: Reply, usable: Sequence[Gold]) -> Grade:
    first = usable[0]
    if reply.error is not None:
        return _gave_nothing(Verdict.ANALYST_ERROR, f"The analyst broke: {reply.error}", first)
    if reply.declined is not None:
        return _gave_nothing(Verdict.NO_ANSWER, f"The analyst declined: {reply.declined}", first)
    if trial.said is None and trial.predicted is None:
        return _gave_nothing(Verdict.NO_ANSWER, "The analyst gave neither value nor SQL.", first)
    attempts = [_attempt(trial, value) for gold in usable for value in _tied_values(gold, trial)]
    best = min(attempts, key=lambda a: _RANK.index(a.judged.outcome.matched))
    grade = _to_grade(trial, best, attempts)
    recomputed = next(gold for gold in usable if gold.index == best.gold.index)
    if best.gold is recomputed or not grade.passed:
        return replace(grade, gold_value=to_gold_value(recomputed))
    reason = f"{grade.reason.removesuffix('.')}; it ties with the gold, whose LIMIT gave another."
    return replace(grade, gold_value=to_gold_value(recomputed), reason=reason)


def _tied_values(gold: Gold, trial: _Trial) -> list[Gold]:
    """The gold first; where one value is asked, then the others that tie with it at its limit."""
    if gold.tie is None or gold.kind == "table":
        return [gold]
    return [gold, *other_tied_golds(gold, trial.key)]


def _usable(
    key: GoldCase,
    golds: Sequence[Execution],
    orders: Sequence[bool],
    ties: Sequence[TieAtLimit | None],
    dialect: str | None,
) -> tuple[list[Gold], list[UnusableGoldError]]:
    usable, faults = [], []
    for index, (execution, ordered, tie) in enumerate(zip(golds, orders, ties, strict=True)):
        try:
            gold = read_gold(
                execution, index=index, key=key, ordered=ordered, dialect=dialect, tie=tie
            )
        except UnusableGoldError as fault:
            faults.append(fault)
        else:
            usable.append(gold)
    return usable, faults


def _gave_nothing(verdict: Verdict, reason: str, gold: Gold) -> Grade:
    grade = no_value(verdict, reason, kind=gold.kind)
    return replace(grade, gold_value=to_gold_value(gold), gold_sql_index=gold.index)


def _attempt(trial: _Trial, gold: Gold) -> _Attempt:
    if gold.kind == "table":
        return _attempt_table(trial, gold)
    attempt = _attempt_by_sql(trial, gold)
    if trial.said is None:
        return attempt
    judged = judge_text(trial.said, gold, key=trial.key, own_result=trial.result)
    if judged.verdict is Verdict.WRONG and attempt.execution_match:
        judged = _judge_moved(trial, gold) or judged
    return replace(attempt, judged=judged, comparison=None)


def _judge_moved(trial: _Trial, gold: Gold) -> Judged | None:
    """Correct where the answer's SQL gives the gold now, and gave the value said during the run."""
    for text in trial.logged:
        then = gold_with(logged_cell(text, gold.kind), gold, trial.key)
        if then is None or trial.said is None:
            continue
        judged = judge_text(trial.said, then, key=trial.key)
        if judged.verdict is Verdict.CORRECT:
            reason = (
                f"The data moved: the answer's SQL gave {text!r} during the run, as was said, and "
                "gives the gold now."
            )
            flags = (*judged.outcome.flags, "data_moved")
            return replace(judged, outcome=replace(judged.outcome, reason=reason, flags=flags))
    return None


def _attempt_by_sql(trial: _Trial, gold: Gold) -> _Attempt:
    """One value, given by the SQL alone."""
    result = trial.result
    if result is None:
        return _Attempt(gold=gold, judged=_no_result(trial.predicted))
    cell = only_cell(result)
    if cell is None and not result.rows and trial.key.null_is_zero:
        cell = (None,)
    if cell is not None:
        judged = judge_cell(cell[0], gold, key=trial.key)
        return _Attempt(
            gold=gold, judged=judged, execution_match=judged.outcome.matched is not None
        )
    if not isinstance(gold.value, GoldNumber):
        comparison = compare_with_gold(result, gold, trial.key)
        if comparison.equal:
            return _Attempt(
                gold=gold,
                judged=judge_comparison(comparison),
                comparison=comparison,
                execution_match=True,
            )
    rows, columns = len(result.rows), len(result.columns)
    reason = f"The answer's SQL returns {rows:,} x {columns} values, where one is asked."
    if not rows:
        reason = "The answer's SQL returns no row, where one value is asked."
    return _Attempt(gold=gold, judged=_failed(Verdict.UNPARSEABLE, reason), execution_match=False)


def _failed(verdict: Verdict, reason: str) -> Judged:
    return Judged(verdict=verdict, outcome=Outcome(matched=None, reason=reason))


def _no_result(predicted: Execution | None) -> Judged:
    """The SQL's result decides, and there is none."""
    if predicted is None:
        return _failed(Verdict.NO_ANSWER, "The analyst gave no SQL, where rows are asked.")
    problem: Problem | None = predicted.problem
    if problem is None:
        return _failed(
            Verdict.NOT_GRADABLE, "The result of the answer's SQL was cut off at the row limit."
        )
    if problem.kind == "failed":
        return _failed(Verdict.WRONG, f"The answer's SQL fails: {problem.message}")
    words = {"refused": "was refused", "timed_out": "ran out of time", "too_large": "is too large"}
    return _failed(
        Verdict.NOT_GRADABLE, f"The answer's SQL {words[problem.kind]}: {problem.message}"
    )


def _attempt_table(trial: _Trial, gold: Gold) -> _Attempt:
    if trial.predicted is None:
        judged, comparison = judge_listed(trial.said or "", gold, trial.key)
        return _Attempt(gold=gold, judged=judged, comparison=comparison)
    if trial.result is None:
        return _Attempt(gold=gold, judged=_no_result(trial.predicted))
    comparison = compare_with_gold(trial.result, gold, trial.key)
    judged = judge_comparison(comparison)
    if comparison.equal and trial.said:
        judged = _judge_beside_rows(trial.said, gold, trial.key) or judged
    return _Attempt(
        gold=gold, judged=judged, comparison=comparison, execution_match=comparison.equal
    )


def _judge_beside_rows(said: str, gold: Gold, key: GoldCase) -> Judged | None:
    """What a text beside the right rows makes of them; None where it leaves them as they are."""
    if declines_beside_rows(said, gold):
        return _failed(
            Verdict.NO_ANSWER, "The rows are the gold's, but the text says that there is no answer."
        )
    against = contradiction(said, gold, key)
    if against is None:
        return None
    judged = _failed(Verdict.WRONG, f"The rows are the gold's, but {against}.")
    return replace(judged, outcome=replace(judged.outcome, flags=("text_contradicts",)))


def _to_grade(trial: _Trial, best: _Attempt, attempts: Sequence[_Attempt]) -> Grade:
    outcome, comparison = best.judged.outcome, best.comparison
    matches = [a.execution_match for a in attempts if a.execution_match is not None]
    execution_match = any(matches) if matches else None
    faithfulness: Faithfulness = "not_checkable"
    if trial.said is not None and best.gold.kind != "table":
        logged = [logged_cell(text, best.gold.kind) for text in trial.logged]
        faithfulness = faithfulness_of(trial.said, trial.result, key=trial.key, logged=logged)
    told_apart = _value_against_sql(trial, best.judged.verdict, execution_match)
    return Grade(
        verdict=best.judged.verdict,
        kind=best.gold.kind,
        passed=best.judged.verdict is Verdict.CORRECT,
        matched=outcome.matched,
        reason=outcome.reason,
        gold_value=to_gold_value(best.gold),
        execution_match=execution_match,
        faithfulness=faithfulness,
        gold_sql_index=best.gold.index,
        flags=tuple(sorted({*outcome.flags, *told_apart})),
        mismatches=tuple(m.code for m in comparison.mismatches) if comparison else (),
        partial_score=comparison.score if comparison else None,
    )


def _value_against_sql(
    trial: _Trial,
    verdict: Verdict,
    execution_match: bool | None,  # noqa: FBT001
) -> tuple[str, ...]:
    """Where what was said and what the SQL gives part ways."""
    if trial.said is None or trial.predicted is None:
        return ()
    problem = trial.predicted.problem
    if verdict is Verdict.CORRECT:
        is_wrong = execution_match is False or (problem is not None and problem.kind == "failed")
        return ("right_value_wrong_sql",) if is_wrong else ()
    if not execution_match:
        return ()
    return ("declined_beside_sql" if verdict is Verdict.NO_ANSWER else "right_sql_wrong_value",)
