"""Is one result the other? A multiset of rows under a one-to-one assignment of columns.

Order counts only where the policy demands it, and rows that tie under the gold's sort keys may
stand in any order. NULL equals NULL. Two empty results are equal only with the same number of
columns, and prove little (`vacuous`). A truncated result equals nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from goldsuite.grading.assignment import Candidates, assign_columns
from goldsuite.grading.columns import ColumnView, Pair, columns_of, kind_of
from goldsuite.grading.partial import score_rows
from goldsuite.grading.rows import MatchingLimitError, rows_differ, segments_equal
from goldsuite.grading.tolerance import DEFAULT, EXACT, Tolerance
from goldsuite.model.grade import PartialScore
from goldsuite.model.result_set import Cell, ResultSet

__all__ = ["Comparison", "ComparisonPolicy", "Mismatch", "MismatchCode", "compare_result_sets"]

MismatchCode: TypeAlias = Literal[
    "truncated",
    "column_count",
    "row_count",
    "missing_rows",
    "extra_rows",
    "type",
    "value",
    "order",
]

SHOWN_ROWS = 3
"""Offending rows that a mismatch shows."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ComparisonPolicy:
    """What one comparison demands and forgives."""

    tolerance: Tolerance = DEFAULT
    loose_integers: bool = False
    """True where the tolerance was named for this case: it then holds for whole numbers too."""
    ordered: bool = False
    """True where the order of rows is part of the answer."""
    sort_columns: tuple[int, ...] | None = None
    """Gold columns that it sorts by; None where unknown: then every row has its own place."""
    max_extra_columns: int | None = 2
    """Columns the prediction may have beside the gold's; None for any number."""
    case_sensitive: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class Mismatch:
    """One way in which the results differ."""

    code: MismatchCode
    message: str
    gold_rows: tuple[tuple[Cell, ...], ...] = ()
    """The first few that are concerned, as the warehouse gave them."""
    predicted_rows: tuple[tuple[Cell, ...], ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """What came of it."""

    equal: bool
    exact: bool
    """True where it is equal and no tolerance was used; extra columns are told by a flag."""
    mismatches: tuple[Mismatch, ...] = ()
    """In a fixed order; empty where equal."""
    assignment: tuple[int, ...] | None = None
    """For each gold column the predicted one; None where none makes the rows equal."""
    extra_columns: tuple[int, ...] = ()
    """Predicted columns that stand for none of the gold's."""
    flags: tuple[str, ...] = ()
    score: PartialScore | None = None


def compare_result_sets(
    gold: ResultSet, predicted: ResultSet, *, policy: ComparisonPolicy | None = None
) -> Comparison:
    """Compare `predicted` with `gold`; deterministic, and never an error."""
    policy = policy or ComparisonPolicy()
    early = _shape_mismatch(gold, predicted, policy)
    if early is not None:
        return _differ([early])
    if not gold.rows and not predicted.rows:
        return _both_empty(gold, predicted)
    candidates = Candidates(
        columns_of(gold, case_sensitive=policy.case_sensitive),
        columns_of(predicted, case_sensitive=policy.case_sensitive),
        policy.tolerance,
        loose=policy.loose_integers,
    )
    if len(gold.rows) != len(predicted.rows):
        return _explain(gold, predicted, candidates, None)
    try:
        return _compare_rows(gold, predicted, candidates, policy)
    except MatchingLimitError:
        problem = "too many rows lie within tolerance of each other to be told apart"
        return _differ([Mismatch(code="value", message=problem)], flags=("matching_limit",))


def _differ(mismatches: Sequence[Mismatch], flags: tuple[str, ...] = ()) -> Comparison:
    return Comparison(equal=False, exact=False, mismatches=tuple(mismatches), flags=flags)


def _shape_mismatch(
    gold: ResultSet, predicted: ResultSet, policy: ComparisonPolicy
) -> Mismatch | None:
    if gold.truncated or predicted.truncated:
        return Mismatch(code="truncated", message="a result was cut off at the row limit")
    have, want = len(predicted.columns), len(gold.columns)
    most = None if policy.max_extra_columns is None else want + policy.max_extra_columns
    if have < want or (most is not None and have > most):
        return Mismatch(code="column_count", message=f"{_n(have, 'column')} instead of {want}")
    return None


def _n(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _both_empty(gold: ResultSet, predicted: ResultSet) -> Comparison:
    if len(gold.columns) != len(predicted.columns):
        message = f"{_n(len(predicted.columns), 'column')} instead of {len(gold.columns)}, no rows"
        return _differ([Mismatch(code="column_count", message=message)])
    return Comparison(
        equal=True,
        exact=True,
        assignment=tuple(range(len(gold.columns))),
        flags=("vacuous",),
    )


def _compare_rows(
    gold: ResultSet, predicted: ResultSet, candidates: Candidates, policy: ComparisonPolicy
) -> Comparison:
    found = assign_columns(candidates)
    if found.columns is None:
        return _explain(gold, predicted, candidates, found.problem)
    pairs = candidates.pairs(found.columns)
    extra = tuple(sorted(set(range(len(predicted.columns))) - set(found.columns)))
    flags = {"extra_columns"} if extra else set()
    flags |= {"type_from_text"} if any(pair.from_text for pair in pairs) else set()
    if policy.ordered and not segments_equal(pairs, _segments(gold, candidates.gold, policy)):
        unknown = policy.sort_columns is None
        return replace(
            _differ([_order_mismatch(gold, predicted)]),
            assignment=found.columns,
            flags=("ties_unknown",) if unknown else (),
            score=PartialScore(precision=1.0, recall=1.0, f1=1.0),
        )
    return Comparison(
        equal=True,
        exact=all(_used_no_tolerance(pair) for pair in pairs),
        assignment=found.columns,
        extra_columns=extra,
        flags=tuple(sorted(flags)),
        score=PartialScore(precision=1.0, recall=1.0, f1=1.0),
    )


def _used_no_tolerance(pair: Pair) -> bool:
    """Equal but for the noise of floats."""
    return pair.equal_cells() or pair.with_tolerance(EXACT).same_cells


def _segments(
    gold: ResultSet, columns: Sequence[ColumnView], policy: ComparisonPolicy
) -> list[tuple[int, int]]:
    """Slices of gold rows whose sort keys are equal; within one the order is free."""
    count = len(gold.rows)
    if policy.sort_columns is None:
        return [(at, at + 1) for at in range(count)]
    keys = [tuple(columns[c].plain[at] for c in policy.sort_columns) for at in range(count)]
    starts = [at for at in range(count) if at == 0 or keys[at] != keys[at - 1]]
    return list(zip(starts, [*starts[1:], count], strict=True))


def _order_mismatch(gold: ResultSet, predicted: ResultSet) -> Mismatch:
    return Mismatch(
        code="order",
        message="the rows are right, but not in the order that the gold demands",
        gold_rows=gold.rows[:SHOWN_ROWS],
        predicted_rows=predicted.rows[:SHOWN_ROWS],
    )


def _explain(
    gold: ResultSet, predicted: ResultSet, candidates: Candidates, problem: str | None
) -> Comparison:
    """Codes and rows of two results that differ, under the likeliest assignment."""
    pairs = candidates.pairs(_likeliest(candidates))
    missing, extra = rows_differ(pairs)
    mismatches: list[Mismatch] = []
    if problem:
        code: MismatchCode = "column_count" if "several" in problem else "value"
        mismatches.append(Mismatch(code=code, message=problem))
    mismatches += _count_mismatches(gold, predicted, missing, extra)
    if len(gold.rows) == len(predicted.rows) and not problem:
        mismatches.append(_value_mismatch(gold, predicted, pairs, missing, extra))
    return replace(_differ(mismatches), score=score_rows(pairs, candidates))


def _likeliest(candidates: Candidates) -> list[int]:
    """By equal cells, else by name, else by place; each predicted column once."""
    columns: list[int] = []
    for at, gold in enumerate(candidates.gold):
        free = [c for c in range(len(candidates.predicted)) if c not in columns]
        fitting = [c for c in candidates.fitting(at) if c in free]
        named = [c for c in free if candidates.predicted[c].name == gold.name]
        columns.append((fitting or named or ([at] if at in free else free))[0])
    return columns


def _count_mismatches(
    gold: ResultSet, predicted: ResultSet, missing: list[int], extra: list[int]
) -> list[Mismatch]:
    have, want = len(predicted.rows), len(gold.rows)
    if have == want:
        return []
    found = [Mismatch(code="row_count", message=f"{_n(have, 'row')} instead of {want:,}")]
    if missing:
        found.append(
            Mismatch(
                code="missing_rows",
                message=f"{_n(len(missing), 'row')} of the gold {_verb(missing)} missing",
                gold_rows=_pick(gold, missing),
            )
        )
    if extra:
        found.append(
            Mismatch(
                code="extra_rows",
                message=f"{_n(len(extra), 'row')} {_verb(extra)} not in the gold",
                predicted_rows=_pick(predicted, extra),
            )
        )
    return found


def _verb(rows: list[int]) -> str:
    return "is" if len(rows) == 1 else "are"


def _pick(result: ResultSet, places: Sequence[int]) -> tuple[tuple[Cell, ...], ...]:
    return tuple(result.rows[at] for at in places[:SHOWN_ROWS])


def _value_mismatch(
    gold: ResultSet,
    predicted: ResultSet,
    pairs: Sequence[Pair],
    missing: list[int],
    extra: list[int],
) -> Mismatch:
    other_type = any(_other_type(pair) for pair in pairs)
    message = f"{_n(len(missing), 'row')} {'differs' if len(missing) == 1 else 'differ'}"
    if not missing:
        message = "each column has the gold's values, but not in the same rows"
    if other_type:
        message = "a column holds another type of value"
    return Mismatch(
        code="type" if other_type else "value",
        message=message,
        gold_rows=_pick(gold, missing),
        predicted_rows=_pick(predicted, extra),
    )


def _other_type(pair: Pair) -> bool:
    """Whether no cell of one side has a type of the other; a column of NULLs fits any."""
    gold, predicted = (
        {kind_of(form) for form in side if form is not None} for side in (pair.gold, pair.predicted)
    )
    return bool(gold and predicted) and gold.isdisjoint(predicted)
