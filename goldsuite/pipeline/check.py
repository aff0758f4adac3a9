"""Is the warehouse safe, and the suite sound on it? Asked without any analyst.

Each gold answers its own question: where even that is not graded as correct, the gold is at fault.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from goldsuite.audit.gold_drift import gold_drift
from goldsuite.context.state import context_state
from goldsuite.grading.flags import FLAGS
from goldsuite.grading.verdicts import grade_answer
from goldsuite.model.answer import Reply
from goldsuite.model.context_state import ContextState
from goldsuite.model.held_out import Leak
from goldsuite.model.key import GoldCase
from goldsuite.model.question import Split
from goldsuite.model.result_set import Execution
from goldsuite.model.run import JsonValue
from goldsuite.pipeline.check_warehouse import WarehouseReport, check_warehouse
from goldsuite.pipeline.executions import CaseStatements, execute_cases
from goldsuite.pipeline.gold_health import GoldHealth
from goldsuite.pipeline.held_out import ledger_path, reveal_held_out
from goldsuite.pipeline.json_value import json_value
from goldsuite.pipeline.session import open_session_warehouse, read_context, take_in_searched
from goldsuite.pipeline.settings import Settings
from goldsuite.sqltext.clock import asks_clock
from goldsuite.sqltext.shape import orders_at_top_level
from goldsuite.suite.key import load_key
from goldsuite.warehouse.engines import OpenWarehouse

__all__ = ["CheckReport", "GoldCheck", "GoldStatus", "SuiteReport", "check", "check_gold"]


class GoldStatus(StrEnum):
    """What a gold turned out to be."""

    SOUND = "sound"
    DRIFTED = "drifted"
    """It runs, but the stored value is no longer what it gives."""
    BROKEN = "broken"
    """It fails, or is no single value where one is asked."""
    NO_SQL = "no sql"
    """A case where refusing or asking back is right: there is nothing to run."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GoldCheck:
    """One case of the suite."""

    id: str
    split: Split
    line: int
    status: GoldStatus
    value: JsonValue
    """Recomputed; None where it is broken, and for held-out cases that are not revealed."""
    stored: JsonValue
    message: str
    """What is wrong, or weak in a sound gold; empty where nothing is."""
    clock_dependent: bool
    """The gold asks what day it is, and no `as_of` answers it."""
    flags: tuple[str, ...] = ()
    """Sorted codes of `goldsuite.grading.flags`; none of a held-out case that is not revealed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SuiteReport:
    """What the golds turned out to be."""

    name: str
    context: ContextState | None
    cases: tuple[GoldCheck, ...]
    leaks: tuple[Leak, ...] = ()
    """Where the context holds parts of cases."""

    @property
    def sound(self) -> bool:
        return all(case.status in {GoldStatus.SOUND, GoldStatus.NO_SQL} for case in self.cases)


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckReport:
    """What `goldsuite check` found."""

    warehouse: WarehouseReport
    suite: SuiteReport | None
    """None where only the warehouse was checked."""

    @property
    def sound(self) -> bool:
        return self.suite is None or self.suite.sound


def check(
    settings: Settings, *, with_suite: bool = True, reveal: bool = False, peek: str | None = None
) -> CheckReport:
    """Preflight, a write that must fail, the checks of the file, and every gold executed.

    Without `reveal` nothing of a held-out gold is told but its status; with it, that is a look at
    the held-out cases, counted with the reason `peek`.

    Raises:
        RefusedError: held-out golds are revealed without a reason.
        PreflightError: the warehouse does not answer.
        SuiteError: the file has faults.
    """
    with open_session_warehouse(settings) as warehouse:
        # The file first: its faults are found at once, and a catalog may take a while.
        suite = _check_suite(settings, warehouse, reveal, peek) if with_suite else None
        return CheckReport(warehouse=check_warehouse(warehouse), suite=suite)


def _check_suite(
    settings: Settings,
    warehouse: OpenWarehouse,
    reveal: bool,  # noqa: FBT001 - handed on
    peek: str | None,
) -> SuiteReport:
    context = read_context(settings, refresh=True)
    intake = take_in_searched(settings, context, dialect=warehouse.dialect)
    splits = {question.id: question.split for question in intake.questions.questions}
    held_out = sum(split == "test" for split in splits.values())
    if reveal and held_out:
        reveal_held_out(
            ledger_path(settings),
            suite=intake.questions.name,
            run_id=None,
            cases=held_out,
            reason=peek,
        )
    suite = load_key(settings.suite)
    as_of = suite.as_of or settings.as_of
    statements = [CaseStatements(gold=case.gold_sql) for case in suite.cases]
    executed = execute_cases(warehouse, statements, as_of=as_of, all_twice=True)
    return SuiteReport(
        name=suite.name,
        context=context_state(context.resolved, context.dictionary) if context.resolved else None,
        cases=tuple(
            check_gold(
                case,
                splits[case.id],
                [executed.gold[sql] for sql in case.gold_sql],
                dialect=warehouse.dialect,
                health=executed.health,
                as_of=as_of,
                shown=reveal or splits[case.id] == "train",
            )
            for case in suite.cases
        ),
        leaks=intake.leaks,
    )


def check_gold(
    case: GoldCase,
    split: Split,
    golds: Sequence[Execution],
    *,
    dialect: str,
    health: GoldHealth,
    as_of: date | None,
    shown: bool,
) -> GoldCheck:
    """What the gold of one case turned out to be; little of it is told unless `shown`."""
    status, value, message, flags = _judge(case, golds, dialect, health)
    hidden = "" if not message else "held out: see it with --reveal"
    return GoldCheck(
        id=case.id,
        split=split,
        line=case.line,
        status=status,
        value=value if shown else None,
        stored=json_value(case.gold_value) if shown and case.has_gold_value else None,
        message=message if shown else hidden,
        clock_dependent=asks_clock(case.gold_sql, dialect, as_of),
        flags=flags if shown else (),
    )


def _judge(
    case: GoldCase, golds: Sequence[Execution], dialect: str, health: GoldHealth
) -> tuple[GoldStatus, JsonValue, str, tuple[str, ...]]:
    """The status, the value, what is wrong or weak, and the flags of the gold itself."""
    if not golds:
        return GoldStatus.NO_SQL, None, "", ()
    grade = grade_answer(
        reply=Reply(query=golds[0].sql),
        key=case,
        golds=golds,
        predicted=golds[0],
        gold_orders=[bool(orders_at_top_level(sql, dialect)) for sql in case.gold_sql],
        dialect=dialect,
        gold_ties=health.ties_of(case.gold_sql),
    )
    flags = {flag for flag in grade.flags if flag.startswith("gold_")}
    flags |= health.flags_of(case.gold_sql)
    codes = tuple(sorted(flags))
    broken = [f"gold {n}: {g.problem.message}" for n, g in enumerate(golds, 1) if g.problem]
    if broken or not grade.passed:
        return GoldStatus.BROKEN, None, "; ".join(broken) or grade.reason, codes
    value = json_value(grade.gold_value)
    result = golds[grade.gold_sql_index].result
    drift = gold_drift(case.gold_value, result, case) if case.has_gold_value and result else None
    if drift is not None:
        return GoldStatus.DRIFTED, value, drift, codes
    return GoldStatus.SOUND, value, " ".join(FLAGS[code] for code in codes), codes
