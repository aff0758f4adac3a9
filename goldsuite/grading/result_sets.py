"""Is one result the other? A multiset of rows under a one-to-one assignment of columns.

Order counts only where the policy demands it, and rows that tie under the gold's sort keys may
stand in any order. NULL equals NULL. Two empty results are equal only with the same number of
columns, and prove little (`vacuous`). A truncated result equals nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from goldsuite.grading.assignment import assign_columns
from goldsuite.grading.candidates import AnyCandidates
from goldsuite.grading.columns import columns_of
from goldsuite.grading.matching import MatchingLimitError
from goldsuite.grading.mismatches import SHOWN_ROWS, Mismatch, MismatchCode, counted, explain
from goldsuite.grading.partial import score_rows
from goldsuite.grading.rows import PlainCandidates
from goldsuite.grading.tolerance import DEFAULT, Tolerance
from goldsuite.model.grade import PartialScore
from goldsuite.model.result_set import ResultSet

__all__ = ["Comparison", "ComparisonPolicy", "Mismatch", "MismatchCode", "compare_result_sets"]

VECTOR_ROWS = 5_000
"""From here on arrays are worth the loading of numpy; the verdict is the same either way."""


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
    gold: ResultSet,
    predicted: ResultSet,
    *,
    policy: ComparisonPolicy | None = None,
    vector_rows: int = VECTOR_ROWS,
) -> Comparison:
    """Compare `predicted` with `gold`; deterministic, and never an error.

    Args:
        vector_rows: results of so many rows are held as arrays. What is found is the same.
    """
    policy = policy or ComparisonPolicy()
    early = _shape_mismatch(gold, predicted, policy)
    if early is not None:
        return _differ([early])
    if not gold.rows and not predicted.rows:
        return _both_empty(gold, predicted)
    candidates = _candidates(gold, predicted, policy, vector_rows)
    if len(gold.rows) != len(predicted.rows):
        return _explained(gold, predicted, candidates, None)
    try:
        return _compare_rows(gold, predicted, candidates, policy)
    except MatchingLimitError:
        problem = "too many rows lie within tolerance of each other to be told apart"
        return _differ([Mismatch(code="value", message=problem)], flags=("matching_limit",))


def _candidates(
    gold: ResultSet, predicted: ResultSet, policy: ComparisonPolicy, vector_rows: int
) -> AnyCandidates:
    """Held as Python cells or, where that would take seconds, as arrays."""
    if max(len(gold.rows), len(predicted.rows)) < vector_rows or not gold.columns:
        return PlainCandidates(
            columns_of(gold, case_sensitive=policy.case_sensitive),
            columns_of(predicted, case_sensitive=policy.case_sensitive),
            policy.tolerance,
            loose=policy.loose_integers,
        )
    # Only here, since loading numpy takes longer than comparing what is small.
    from goldsuite.grading.vector_rows import vector_candidates

    return vector_candidates(
        gold,
        predicted,
        policy.tolerance,
        loose=policy.loose_integers,
        case_sensitive=policy.case_sensitive,
    )


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
        return Mismatch(code="column_count", message=f"{counted(have, 'column')} instead of {want}")
    return None


def _both_empty(gold: ResultSet, predicted: ResultSet) -> Comparison:
    if len(gold.columns) != len(predicted.columns):
        message = (
            f"{counted(len(predicted.columns), 'column')} instead of {len(gold.columns)}, no rows"
        )
        return _differ([Mismatch(code="column_count", message=message)])
    return Comparison(
        equal=True,
        exact=True,
        assignment=tuple(range(len(gold.columns))),
        flags=("vacuous",),
    )


def _compare_rows(
    gold: ResultSet, predicted: ResultSet, candidates: AnyCandidates, policy: ComparisonPolicy
) -> Comparison:
    found = assign_columns(candidates)
    if found.columns is None:
        return _explained(gold, predicted, candidates, found.problem)
    pairs = candidates.pairs(found.columns)
    extra = tuple(sorted(set(range(len(predicted.columns))) - set(found.columns)))
    flags = {"extra_columns"} if extra else set()
    flags |= {"type_from_text"} if any(pair.from_text for pair in pairs) else set()
    flags |= {"boolean_as_number"} if any(pair.view == "truth" for pair in pairs) else set()
    if policy.ordered and not candidates.rows_equal_in_order(found.columns, policy.sort_columns):
        unknown = policy.sort_columns is None
        return replace(
            _differ([_order_mismatch(gold, predicted)]),
            assignment=found.columns,
            flags=("ties_unknown",) if unknown else (),
            score=PartialScore(precision=1.0, recall=1.0, f1=1.0),
        )
    return Comparison(
        equal=True,
        exact=all(pair.used_no_tolerance for pair in pairs),
        assignment=found.columns,
        extra_columns=extra,
        flags=tuple(sorted(flags)),
        score=PartialScore(precision=1.0, recall=1.0, f1=1.0),
    )


def _order_mismatch(gold: ResultSet, predicted: ResultSet) -> Mismatch:
    return Mismatch(
        code="order",
        message="the rows are right, but not in the order that the gold demands",
        gold_rows=gold.rows[:SHOWN_ROWS],
        predicted_rows=predicted.rows[:SHOWN_ROWS],
    )


def _explained(
    gold: ResultSet, predicted: ResultSet, candidates: AnyCandidates, problem: str | None
) -> Comparison:
    columns, left, mismatches = explain(gold, predicted, candidates, problem)
    return replace(_differ(mismatches), score=score_rows(candidates, columns, left))
