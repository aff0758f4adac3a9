"""Whether two records may be compared at all: the same questions, held to the same golds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isclose
from typing import Literal, TypeAlias

from goldsuite.model.grade import OUTSIDE
from goldsuite.model.run import CaseRecord, JsonScalar, JsonValue, RunRecord

__all__ = ["Obstacle", "ObstacleCode", "obstacles_between"]

ObstacleCode: TypeAlias = Literal[
    "altered", "suite", "split", "as_of", "warehouse", "question", "gold"
]

_SAME = 1e-9
"""Relative: sums of floats may differ in their last digits from one execution to the next."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Obstacle:
    """Something that two records differ in, and that is not the analyst."""

    code: ObstacleCode
    text: str
    """One sentence that names both sides; of held-out cases the ids alone."""
    cases: tuple[str, ...] = ()
    """Those that it concerns, where it is about cases."""


def obstacles_between(first: RunRecord, second: RunRecord) -> tuple[Obstacle, ...]:
    """Everything that forbids to compare `second` with `first`; empty where nothing does."""
    return tuple(_obstacles(first, second))


def _obstacles(first: RunRecord, second: RunRecord) -> Iterator[Obstacle]:
    for record in (first, second):
        if record.altered:
            yield Obstacle(
                code="altered", text=f"record {record.run_id} was changed after it was written"
            )
    same_suite = first.suite.sha256_at_grading == second.suite.sha256_at_grading
    if not same_suite:
        yield Obstacle(code="suite", text=_suites(first, second))
    if first.split != second.split:
        yield Obstacle(code="split", text=f"the split is {first.split}, then {second.split}")
    if first.suite.as_of != second.suite.as_of:
        dates = f"{first.suite.as_of or 'not set'}, then {second.suite.as_of or 'not set'}"
        yield Obstacle(code="as_of", text=f"the date that “today” means is {dates}")
    warehouses = [
        f"{record.warehouse.url} ({record.warehouse.dialect})" for record in (first, second)
    ]
    if warehouses[0] != warehouses[1]:
        yield Obstacle(
            code="warehouse", text=f"the warehouse is {warehouses[0]}, then {warehouses[1]}"
        )
    yield from _of_cases(first, second, same_suite=same_suite)


def _suites(first: RunRecord, second: RunRecord) -> str:
    one, two = first.suite, second.suite
    if one.name != two.name:
        return f"the suite is {one.name!r} ({one.file}), then {two.name!r} ({two.file})"
    hashes = f"sha256 {one.sha256_at_grading[:12]}, then {two.sha256_at_grading[:12]}"
    return f"the suite {one.name!r} was edited between the runs ({hashes})"


def _of_cases(first: RunRecord, second: RunRecord, *, same_suite: bool) -> Iterator[Obstacle]:
    before = {trial.id: trial for trial in reversed(first.cases)}
    after = {trial.id: trial for trial in reversed(second.cases)}
    shared = [case for case in dict.fromkeys(t.id for t in second.cases) if case in before]
    asked = [case for case in shared if before[case].question != after[case].question]
    if asked:
        yield Obstacle(
            code="question", text=f"the question was changed in {_named(asked)}", cases=tuple(asked)
        )
    gold = [
        case for case in shared if _other_gold(before[case], after[case], same_suite=same_suite)
    ]
    if gold:
        yield Obstacle(code="gold", text=f"the gold changed in {_named(gold)}", cases=tuple(gold))


def _named(cases: Sequence[str]) -> str:
    more = f" and {len(cases) - 10} more" if len(cases) > 10 else ""
    return ", ".join(cases[:10]) + more


def _other_gold(one: CaseRecord, two: CaseRecord, *, same_suite: bool) -> bool:
    if one.verdict in OUTSIDE or two.verdict in OUTSIDE:
        return False
    if one.gold_sql != two.gold_sql:
        # In one and the same suite the case has several golds, and another of them was nearest.
        return not same_suite
    return not _same_value(one.gold_value, two.gold_value)


def _same_value(one: JsonValue, two: JsonValue) -> bool:
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(
            len(a) == len(b) and all(map(_same_cell, a, b))
            for a, b in zip(sorted(one, key=_order), sorted(two, key=_order), strict=True)
        )
    if isinstance(one, list) or isinstance(two, list):
        return False
    return _same_cell(one, two)


def _same_cell(one: JsonScalar, two: JsonScalar) -> bool:
    if isinstance(one, int | float) and isinstance(two, int | float):
        return isclose(one, two, rel_tol=_SAME)
    return one == two


def _order(row: Sequence[JsonScalar]) -> tuple[str, ...]:
    return tuple(f"{cell:.8g}" if isinstance(cell, float) else str(cell) for cell in row)
