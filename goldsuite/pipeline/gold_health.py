"""What the golds' own results do not show: rows that tie at a LIMIT, and results that change.

A gold with `ORDER BY ... LIMIT` gets a second query that shows the rows behind the limit. A gold is
run a second time where its text leaves something to chance, or where every one is asked for.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from goldsuite.grading.inner_ties import cuts_inner_tie, inner_tie_probes
from goldsuite.grading.limit_ties import TieAtLimit, TieProbe, read_tie, tie_probe
from goldsuite.grading.result_sets import ComparisonPolicy, compare_result_sets
from goldsuite.grading.tolerance import EXACT
from goldsuite.model.result_set import Execution, ResultSet
from goldsuite.sqltext.chance import depends_on_chance

__all__ = ["GoldHealth", "Rerun", "examine_golds"]

Rerun: TypeAlias = Callable[[Sequence[str]], Sequence[Execution]]
"""Runs each of the statements, which are distinct, at the key's door, even one that ran before."""

_SAME = ComparisonPolicy(tolerance=EXACT, max_extra_columns=0)


@dataclass(frozen=True, kw_only=True, slots=True)
class GoldHealth:
    """What was found, by the text of the gold query."""

    ties: Mapping[str, TieAtLimit]
    unstable: frozenset[str]
    """Those that gave two different results."""
    tied_inside: frozenset[str]
    """Those that cut through a tie in a subquery or by a row number."""

    def ties_of(self, statements: Sequence[str]) -> list[TieAtLimit | None]:
        """For each of the golds of a case, in its order."""
        return [self.ties.get(sql) for sql in statements]

    def flags_of(self, statements: Sequence[str]) -> set[str]:
        """What holds of any of the golds of a case."""
        found = {"gold_unstable": self.unstable, "gold_tie_inside": self.tied_inside}
        return {flag for flag, golds in found.items() if not golds.isdisjoint(statements)}


def examine_golds(
    golds: Mapping[str, Execution], *, dialect: str, rerun: Rerun, all_twice: bool = False
) -> GoldHealth:
    """Look at golds that were executed, on the state of the data that they saw.

    Args:
        golds: the execution of each, by its text as the suite has it.
        all_twice: run every gold again, not only those that leave something to chance.
    """
    results = {sql: done.result for sql, done in golds.items() if done.result is not None}
    probes = {sql: probe for sql in results if (probe := _probe(sql, results[sql], dialect))}
    inner = {sql: found for sql in results if (found := inner_tie_probes(sql, dialect))}
    again = [sql for sql in results if all_twice or depends_on_chance(sql, dialect)]
    asked = [*probes.values(), *(probe for found in inner.values() for probe in found)]
    statements = [*dict.fromkeys([*(probe.sql for probe in asked), *again])]
    done = dict(zip(statements, rerun(statements), strict=True))
    ties = {
        sql: tie
        for sql, probe in probes.items()
        if (tie := read_tie(results[sql], done[probe.sql], probe)) is not None
    }
    changed = frozenset(sql for sql in again if not _is_same(results[sql], done[sql]))
    tied_inside = frozenset(
        sql
        for sql, found in inner.items()
        if any(cuts_inner_tie(done[probe.sql], probe) for probe in found)
    )
    return GoldHealth(ties=ties, unstable=changed, tied_inside=tied_inside)


def _probe(sql: str, result: ResultSet, dialect: str) -> TieProbe | None:
    """Only where the limit was reached: else it cuts nothing off."""
    probe = tie_probe(sql, dialect)
    return probe if probe is not None and len(result.rows) == probe.limit else None


def _is_same(first: ResultSet, second: Execution) -> bool:
    if first.truncated:
        return True  # a result that was cut off has a verdict of its own
    return (
        second.result is not None and compare_result_sets(first, second.result, policy=_SAME).equal
    )
