"""Why two results differ: codes with the rows concerned, under the likeliest assignment."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from goldsuite.grading.assignment import by_name
from goldsuite.grading.candidates import AnyCandidates, Leftovers
from goldsuite.grading.traits import PairTraits
from goldsuite.model.result_set import Cell, ResultSet

__all__ = ["SHOWN_ROWS", "Mismatch", "MismatchCode", "counted", "explain"]

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
class Mismatch:
    """One way in which the results differ."""

    code: MismatchCode
    message: str
    gold_rows: tuple[tuple[Cell, ...], ...] = ()
    """The first few that are concerned, as the warehouse gave them."""
    predicted_rows: tuple[tuple[Cell, ...], ...] = ()


def explain(
    gold: ResultSet, predicted: ResultSet, candidates: AnyCandidates, problem: str | None
) -> tuple[Sequence[int], Leftovers, list[Mismatch]]:
    """The likeliest assignment, the rows that have no partner under it, and what to say of them.

    Args:
        problem: why an assignment that makes the rows equal was not taken.
    """
    columns = _likeliest(candidates)
    left = candidates.leftovers(columns)
    mismatches: list[Mismatch] = []
    if problem:
        code: MismatchCode = "column_count" if "several" in problem else "value"
        mismatches.append(Mismatch(code=code, message=problem))
    mismatches += _count_mismatches(gold, predicted, left)
    if len(gold.rows) == len(predicted.rows) and not problem:
        pairs = candidates.pairs(columns)
        mismatches.append(_value_mismatch(gold, predicted, pairs, left))
    return columns, left, mismatches


def _likeliest(candidates: AnyCandidates) -> Sequence[int]:
    """By the names if they say it all; else by the cells in common, names and places.

    Cells are looked at even where the numbers of rows differ: by names and places alone, rows of
    an answer with other names in another order would all look wrong.
    """
    named = by_name(candidates)
    if named is not None:
        return named
    rows = max(*candidates.row_counts, 1)
    weighed = []
    for at, gold in enumerate(candidates.gold):
        for other, predicted in enumerate(candidates.predicted):
            is_namesake = gold.name == predicted.name != ""
            weight = 2 * candidates.pair(at, other).shared_cells() + rows * is_namesake
            weighed.append((-weight, at != other, at, other))
    found: dict[int, int] = {}
    for _, _, at, other in sorted(weighed):
        if at not in found and other not in found.values():
            found[at] = other
    return [found[at] for at in range(len(candidates.gold))]


def counted(count: int, noun: str) -> str:
    """`1 row`, `2,000 rows`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _count_mismatches(gold: ResultSet, predicted: ResultSet, left: Leftovers) -> list[Mismatch]:
    have, want = len(predicted.rows), len(gold.rows)
    if have == want:
        return []
    found = [Mismatch(code="row_count", message=f"{counted(have, 'row')} instead of {want:,}")]
    if left.gold:
        found.append(
            Mismatch(
                code="missing_rows",
                message=f"{counted(len(left.gold), 'row')} of the gold {_verb(left.gold)} missing",
                gold_rows=_pick(gold, left.gold),
            )
        )
    if left.predicted:
        found.append(
            Mismatch(
                code="extra_rows",
                message=f"{counted(len(left.predicted), 'row')} {_verb(left.predicted)}"
                " not in the gold",
                predicted_rows=_pick(predicted, left.predicted),
            )
        )
    return found


def _verb(rows: Sequence[int]) -> str:
    return "is" if len(rows) == 1 else "are"


def _pick(result: ResultSet, places: Sequence[int]) -> tuple[tuple[Cell, ...], ...]:
    return tuple(result.rows[at] for at in places[:SHOWN_ROWS])


def _value_mismatch(
    gold: ResultSet, predicted: ResultSet, pairs: Sequence[PairTraits[Any]], left: Leftovers
) -> Mismatch:
    other_type = any(pair.holds_other_type for pair in pairs)
    message = f"{counted(len(left.gold), 'row')} {'differs' if len(left.gold) == 1 else 'differ'}"
    if not left.gold:
        message = "each column has the gold's values, but not in the same rows"
    if other_type:
        message = "a column holds another type of value"
    return Mismatch(
        code="type" if other_type else "value",
        message=message,
        gold_rows=_pick(gold, left.gold),
        predicted_rows=_pick(predicted, left.predicted),
    )
