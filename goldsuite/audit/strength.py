"""How well a case tells its gold from queries with one fault: what the mutants' results show.

A mutant whose value passes as a right answer, by the case's own comparison, has survived: an
analyst who makes this mistake is graded as correct.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from goldsuite.audit.mutants import Mutant, MutantKind
from goldsuite.grading.cells import to_form
from goldsuite.grading.limit_ties import TieAtLimit
from goldsuite.grading.verdicts import grade_answer
from goldsuite.model.answer import Reply
from goldsuite.model.grade import Verdict
from goldsuite.model.key import GoldCase
from goldsuite.model.result_set import Execution
from goldsuite.sqltext.shape import orders_at_top_level

__all__ = ["CaseStrength", "GoldRun", "Survivor", "case_strength", "suite_score"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Survivor:
    """A faulty query that would be graded as correct."""

    kind: MutantKind | None
    what: str | None
    """What was done to the gold; None, as the kind and the SQL, where the case is held out."""
    sql: str | None
    is_same: bool
    """Whether it gives the very value of the gold; else one within the case's tolerance."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseStrength:
    """What became of the mutants of one case."""

    tried: int
    """Those that ran and could have shown a difference."""
    told_apart: int
    survivors: tuple[Survivor, ...]
    not_run: int
    """Those that failed, or hit a limit; they count for nothing."""
    needless: int
    """Those whose fault no data of the warehouse can show; neither do they count."""
    suggestions: tuple[str, ...]

    @property
    def score(self) -> float | None:
        """Share of the tried mutants that are told apart; None where none was tried."""
        return self.told_apart / self.tried if self.tried else None


@dataclass(frozen=True, kw_only=True, slots=True)
class GoldRun:
    """The golds of one case as they ran in the same moment as its mutants."""

    golds: Sequence[Execution]
    ties: Sequence[TieAtLimit | None]
    dialect: str


def case_strength(
    case: GoldCase, run: GoldRun, mutants: Sequence[Mutant], done: Mapping[str, Execution]
) -> CaseStrength:
    """Grade each mutant as if an analyst had given it.

    Args:
        done: the execution of each mutant, and of what it needs, by text.
    """
    survivors: list[Survivor] = []
    gaps: list[Decimal] = []
    tried = not_run = needless = 0
    for mutant in mutants:
        if mutant.needs is not None and not _has_row(done[mutant.needs]):
            needless += 1
            continue
        execution = done[mutant.sql]
        if execution.result is None or execution.result.truncated:
            not_run += 1
            continue
        tried += 1
        matched = _matched(case, run, execution)
        if matched is None:
            continue
        same = matched == "exact"
        survivors.append(Survivor(kind=mutant.kind, what=mutant.what, sql=mutant.sql, is_same=same))
        gap = None if same else _gap(run.golds[0], execution)
        if gap is not None:
            gaps.append(gap)
    return CaseStrength(
        tried=tried,
        told_apart=tried - len(survivors),
        survivors=tuple(survivors),
        not_run=not_run,
        needless=needless,
        suggestions=_suggestions(survivors, gaps),
    )


def suite_score(cases: Sequence[CaseStrength]) -> float | None:
    """Mean of the cases' scores, those without a mutant left out; None without any."""
    scores = [case.score for case in cases if case.score is not None]
    return sum(scores) / len(scores) if scores else None


def _matched(case: GoldCase, run: GoldRun, predicted: Execution) -> str | None:
    """How it would have passed; None where it would not."""
    grade = grade_answer(
        reply=Reply(query=predicted.sql),
        key=case,
        golds=run.golds,
        predicted=predicted,
        gold_orders=[bool(orders_at_top_level(sql, run.dialect)) for sql in case.gold_sql],
        dialect=run.dialect,
        gold_ties=run.ties,
    )
    passed = grade.passed and grade.verdict is Verdict.CORRECT
    return (grade.matched or "exact") if passed else None


def _has_row(execution: Execution) -> bool:
    return execution.result is not None and bool(execution.result.rows)


def _gap(gold: Execution, mutant: Execution) -> Decimal | None:
    """How far apart two single numbers are, as a share of the gold."""
    values = [_number(gold), _number(mutant)]
    if values[0] is None or values[1] is None or not values[0]:
        return None
    return abs(values[1] - values[0]) / abs(values[0])


def _number(execution: Execution) -> Decimal | None:
    rows = execution.result.rows if execution.result else ()
    if len(rows) != 1 or len(rows[0]) != 1:
        return None
    form = to_form(rows[0][0])
    return Decimal(form) if isinstance(form, int | Decimal) else None


def _off(gaps: Sequence[Decimal]) -> str:
    if not gaps:
        return ""
    least, most = (f"{100 * float(gap):.2g} %" for gap in (min(gaps), max(gaps)))
    return f", {least} off" if least == most else f", {least} to {most} off"


_DATA = frozenset({
    MutantKind.DROPPED_CONDITION, MutantKind.JOIN_KIND, MutantKind.FAN_OUT, MutantKind.NO_DISTINCT,
    MutantKind.SOURCE,
})  # fmt: skip


def _suggestions(survivors: Sequence[Survivor], gaps: Sequence[Decimal]) -> tuple[str, ...]:
    """What would tell the survivors apart, the cheapest first."""
    found = []
    near = sum(not each.is_same for each in survivors)
    if near:
        what = f"{near} wrong results pass" if near > 1 else "1 wrong result passes"
        found.append(f"Tighter tolerance: {what} as near enough{_off(gaps)}.")
    same = {each.kind for each in survivors if each.is_same and each.kind is not None}
    if {MutantKind.MOVED_BOUNDARY, MutantKind.TIME_COLUMN} & same:
        found.append("Another window: nothing lies where this one's edge could be mistaken.")
    if _DATA & same:
        kinds = ", ".join(sorted(kind.value for kind in _DATA & same))
        found.append(f"A second case, or another filter, on data that shows: {kinds}.")
    if {MutantKind.AGGREGATE, MutantKind.COLUMN} & same:
        found.append("A second case where the other aggregate or column gives another value.")
    return tuple(found)
