"""Runs what the analyst's query would be with some of its parts taken from the gold."""

import math
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal

from goldsuite.diagnosis.counterfactual.atoms import Atom
from goldsuite.diagnosis.counterfactual.consequences import ColumnsOf, Consequences
from goldsuite.diagnosis.counterfactual.filling import fill
from goldsuite.diagnosis.counterfactual.merged import Merged
from goldsuite.diagnosis.counterfactual.walking import all_slots
from goldsuite.diagnosis.counterfactual.writing import write_plan
from goldsuite.model.result_set import Cell, Execution, ResultSet
from goldsuite.sqltext.parsing import UNREADABLE

__all__ = ["Allowance", "Experiment", "Trial", "same_result"]

Execute = Callable[[str], Execution]
_NOISE = 1e-9
"""Relative: sums of floats in another order differ by less."""


class Allowance:
    """Executions and time that one diagnosis may take; what was executed is remembered."""

    def __init__(self, execute: Execute, *, executions: int, deadline: float) -> None:
        """`deadline` is a moment of `time.monotonic`."""
        self._execute = execute
        self._left = executions
        self._deadline = deadline
        self._known: dict[str, Execution] = {}
        self.used = 0

    @property
    def spent(self) -> bool:
        """Whether nothing may be executed any more."""
        return self._left <= 0 or time.monotonic() >= self._deadline

    @property
    def left(self) -> int:
        """Executions that are left."""
        return 0 if time.monotonic() >= self._deadline else self._left

    def remember(self, execution: Execution | None, sql: str) -> None:
        """A statement that was executed before."""
        if execution is not None:
            self._known[sql] = execution

    def run(self, sql: str) -> Execution | None:
        """What the statement gives; None where nothing may be executed any more."""
        if sql not in self._known:
            if self.spent:
                return None
            self._left -= 1
            self.used += 1
            self._known[sql] = self._execute(sql)
        return self._known[sql]

    def result(self, sql: str) -> ResultSet | None:
        """What the statement returns; None also where it fails or was cut off."""
        execution = self.run(sql)
        found = execution.result if execution is not None else None
        return None if found is None or found.truncated else found


@dataclass(frozen=True, kw_only=True, slots=True)
class Trial:
    """One set of repairs, tried."""

    atoms: tuple[Atom, ...]
    taken: frozenset[int]
    """Slots from the gold, consequences included."""
    changed: int
    """How many of them say something else than the analyst's."""
    sql: str
    result: ResultSet | None
    flips: bool
    """Whether this gives the gold's result."""


class Experiment:
    """All trials on one pair of queries."""

    def __init__(
        self,
        merged: Merged,
        *,
        dialect: str,
        columns_of: ColumnsOf,
        allowance: Allowance,
        gold: ResultSet,
        matches: Callable[[ResultSet], bool],
    ) -> None:
        self._merged = merged
        self._dialect = dialect
        self._consequences = Consequences(merged, columns_of)
        self._unequal = frozenset(s.number for s in all_slots(merged) if not s.equal)
        self._gold = gold
        self._matches = matches
        self._tried: dict[frozenset[int], Trial | None] = {}
        self.allowance = allowance

    def sql(self, slots: Collection[int]) -> str | None:
        """The query with exactly these slots from the gold."""
        try:
            tree = write_plan(fill(self._merged, frozenset(slots)))
            return str(tree.sql(dialect=self._dialect, comments=False))
        except UNREADABLE:
            return None

    def whole(self) -> str | None:
        """The gold's query as the merged tree writes it."""
        return self.sql({slot.number for slot in all_slots(self._merged)})

    def trial(self, atoms: Sequence[Atom]) -> Trial | None:
        """Try a set of repairs; None where it makes no query, or nothing may be executed."""
        chosen = frozenset(number for atom in atoms for number in atom.numbers)
        if chosen not in self._tried:
            if self.allowance.spent:
                return None
            self._tried[chosen] = self._try(atoms, chosen)
        return self._tried[chosen]

    def _try(self, atoms: Sequence[Atom], chosen: frozenset[int]) -> Trial | None:
        taken = self._consequences.complete(chosen)
        sql = self.sql(taken) if taken is not None else None
        if taken is None or sql is None:
            return None
        result = self.allowance.result(sql)
        return Trial(
            atoms=tuple(atoms),
            taken=taken,
            changed=len(taken & self._unequal),
            sql=sql,
            result=result,
            flips=result is not None and same_result(result, self._gold, self._matches),
        )


def same_result(result: ResultSet, gold: ResultSet, matches: Callable[[ResultSet], bool]) -> bool:
    """One value must be the gold's but for noise; rows must match as the case demands.

    A case's tolerance is for answers. Under it a repair that only comes near would do.
    """
    ours, theirs = only_cell(result), only_cell(gold)
    if ours is not None and theirs is not None:
        return same_cell(ours[0], theirs[0])
    return matches(result)


def only_cell(result: ResultSet) -> tuple[Cell] | None:
    """The one value that a result is, in a tuple of its own; None where it is none or several."""
    if len(result.rows) == 1 and len(result.columns) == 1:
        return (result.rows[0][0],)
    return None


def same_cell(one: Cell, other: Cell) -> bool:
    """Equal, floats but for noise; NaN and NULL are no value, and equal each other."""
    numbers = [_number(cell) for cell in (one, other)]
    if numbers[0] is not None and numbers[1] is not None:
        if any(math.isnan(n) for n in numbers if n is not None):
            return all(math.isnan(n) for n in numbers if n is not None)
        return math.isclose(numbers[0], numbers[1], rel_tol=_NOISE, abs_tol=1e-12)
    return one == other


def _number(cell: Cell) -> float | None:
    if isinstance(cell, bool) or not isinstance(cell, int | float | Decimal):
        return None
    return float(cell)
