"""How much a suite can be trusted: its golds on the live warehouse, and what each case lets pass.

No analyst is asked. The audit reads the key, so it is for whoever keeps the suite.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import get_args

from goldsuite.audit.coverage import find_gaps
from goldsuite.audit.findings import CaseAudit, GoldFault, SplitPower, SuiteAudit
from goldsuite.audit.likeness import near_duplicates, shared_golds
from goldsuite.audit.mutants import Mutant, mutants_of
from goldsuite.audit.strength import CaseStrength, GoldRun, case_strength
from goldsuite.audit.tables import Tables
from goldsuite.grading.flags import FLAGS
from goldsuite.model.key import GoldCase
from goldsuite.model.question import Split
from goldsuite.model.result_set import Execution
from goldsuite.pipeline.check import GoldCheck, GoldStatus, check_gold
from goldsuite.pipeline.executions import CaseStatements, Executed, execute_cases
from goldsuite.pipeline.held_out import ledger_path, reveal_held_out
from goldsuite.pipeline.held_out_run import leak_lines
from goldsuite.pipeline.session import open_session_warehouse, read_context, take_in_searched
from goldsuite.pipeline.settings import Settings
from goldsuite.sqltext.clock import set_clock
from goldsuite.stats.power import minimum_detectable_gain
from goldsuite.suite.key import load_key
from goldsuite.warehouse.base import Moment
from goldsuite.warehouse.engines import OpenWarehouse

__all__ = ["DEFAULT_BUDGET", "audit_suite"]

DEFAULT_BUDGET = 60
"""Mutants for each case."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Bench:
    """What every case is tried with."""

    tables: Tables
    executed: Executed
    splits: Mapping[str, Split]
    as_of: date | None
    reveal: bool
    budget: int


def audit_suite(
    settings: Settings,
    *,
    budget: int = DEFAULT_BUDGET,
    reveal: bool = False,
    peek: str | None = None,
) -> SuiteAudit:
    """Run every gold twice, then its mutants; then look at the suite as a whole.

    Args:
        budget: mutants for each case at most; 0: none is run.
        reveal: whether to say of held-out cases too what their golds let pass. That is a look at
            them, which is counted in the ledger.
        peek: why; needed for `reveal` where there are held-out cases.

    Raises:
        PreflightError: the warehouse does not answer.
        RefusedError: held-out cases are to be revealed, and no reason is given.
        SuiteError: the file has faults.
    """
    with open_session_warehouse(settings) as warehouse:
        context = read_context(settings, refresh=True)
        intake = take_in_searched(settings, context, dialect=warehouse.dialect)
        questions = intake.questions
        splits: dict[str, Split] = {q.id: q.split for q in questions.questions}
        held_out = sum(split == "test" for split in splits.values())
        if reveal and held_out:
            reveal_held_out(
                ledger_path(settings),
                suite=questions.name,
                run_id=None,
                cases=held_out,
                reason=peek,
            )
        suite = load_key(settings.suite)
        cases = [_with_tolerance(case, settings.tolerance) for case in suite.cases]
        as_of = suite.as_of or settings.as_of
        statements = [CaseStatements(gold=case.gold_sql) for case in cases]
        bench = _Bench(
            tables=Tables(catalog=warehouse.catalog(), dialect=warehouse.dialect),
            executed=execute_cases(warehouse, statements, as_of=as_of, all_twice=True),
            splits=splits,
            as_of=as_of,
            reveal=reveal,
            budget=budget,
        )
        checks = [_checked(case, bench, shown=True) for case in cases]
        strengths = _strengths(cases, checks, bench, warehouse)
        return SuiteAudit(
            suite=suite.name,
            cases=tuple(
                _case_audit(case, check, strength, bench)
                for case, check, strength in zip(cases, checks, strengths, strict=True)
            ),
            near_duplicates=near_duplicates(cases),
            shared_golds=shared_golds(cases, splits, warehouse.dialect),
            coverage=find_gaps(
                cases,
                [_kind(case, bench) for case in cases],
                tables=bench.tables,
                dictionary=context.dictionary,
            ),
            power=tuple(_power(cases, splits)),
            leaks=tuple(leak_lines(intake.leaks)),
        )


def _with_tolerance(case: GoldCase, tolerance: Decimal | None) -> GoldCase:
    """As grading has it: the setting holds where neither case nor suite says anything."""
    if tolerance is None or case.tolerance_given or case.unit == "count":
        return case
    return replace(case, tolerance=tolerance)


def _checked(case: GoldCase, bench: _Bench, *, shown: bool) -> GoldCheck:
    return check_gold(
        case,
        bench.splits[case.id],
        [bench.executed.gold[sql] for sql in case.gold_sql],
        dialect=bench.tables.dialect,
        health=bench.executed.health,
        as_of=bench.as_of,
        shown=shown,
    )


def _strengths(
    cases: Sequence[GoldCase],
    checks: Sequence[GoldCheck],
    bench: _Bench,
    warehouse: OpenWarehouse,
) -> list[CaseStrength | None]:
    """Golds and mutants of each case back to back, so that data that move meanwhile move both."""
    sound = {GoldStatus.SOUND, GoldStatus.DRIFTED}
    with warehouse.moment() as moment:

        def examine(case: GoldCase, check: GoldCheck) -> CaseStrength | None:
            usable = check.status in sound and bench.budget > 0
            return _examine(case, bench, moment) if usable else None

        pool = ThreadPoolExecutor(max_workers=warehouse.concurrency, thread_name_prefix="audit")
        try:
            return list(pool.map(examine, cases, checks))
        finally:
            pool.shutdown(cancel_futures=True)


def _examine(case: GoldCase, bench: _Bench, moment: Moment) -> CaseStrength:
    mutants = _mutants(case, bench)
    needs = [mutant.needs for mutant in mutants if mutant.needs is not None]
    texts = [*dict.fromkeys([*case.gold_sql, *needs, *(mutant.sql for mutant in mutants)])]
    dialect = bench.tables.dialect
    dated = [set_clock(text, dialect, bench.as_of).sql for text in texts]
    done = dict(zip(texts, moment.execute(dated, ()).gold, strict=True))
    return case_strength(
        case,
        GoldRun(
            golds=[_as(done[sql], sql) for sql in case.gold_sql],
            ties=bench.executed.health.ties_of(case.gold_sql),
            dialect=dialect,
        ),
        mutants,
        {text: _as(execution, text) for text, execution in done.items()},
    )


def _as(execution: Execution, sql: str) -> Execution:
    return replace(execution, sql=sql)


def _mutants(case: GoldCase, bench: _Bench) -> tuple[Mutant, ...]:
    """Of all golds of the case, each distinct one once, within the budget."""
    share = max(1, bench.budget // max(1, len(case.gold_sql)))
    found = [
        mutant
        for sql in case.gold_sql
        for mutant in mutants_of(sql, bench.tables, others=case.gold_sql, most=share)
    ]
    return tuple({mutant.sql: mutant for mutant in found}.values())


def _case_audit(
    case: GoldCase, check: GoldCheck, strength: CaseStrength | None, bench: _Bench
) -> CaseAudit:
    hidden = check.split == "test" and not bench.reveal
    return CaseAudit(
        id=case.id,
        split=check.split,
        line=case.line,
        faults=_hidden_faults(check) if hidden else tuple(_faults(case, check, bench)),
        strength=_hide(strength) if hidden and strength else strength,
        hidden=hidden,
    )


def _hide(strength: CaseStrength) -> CaseStrength:
    """Counts alone: what was done to a gold tells what it is."""
    survivors = (replace(each, kind=None, what=None, sql=None) for each in strength.survivors)
    return replace(strength, survivors=tuple(survivors), suggestions=())


def _hidden_faults(check: GoldCheck) -> tuple[GoldFault, ...]:
    if check.status in {GoldStatus.BROKEN, GoldStatus.DRIFTED}:
        return (GoldFault(code=check.status.value, message="held out: see it with --reveal"),)
    return ()


def _faults(case: GoldCase, check: GoldCheck, bench: _Bench) -> Iterator[GoldFault]:
    if check.status in {GoldStatus.BROKEN, GoldStatus.DRIFTED}:
        yield GoldFault(code=check.status.value, message=check.message)
    if check.clock_dependent:
        yield GoldFault(code="clock_dependent", message=FLAGS["clock_dependent"])
    for flag in check.flags:
        yield GoldFault(code=flag, message=FLAGS[flag])
    results = [bench.executed.gold[sql].result for sql in case.gold_sql]
    for result in results:
        if result is None or case.allow_null or "gold_null" in check.flags:
            continue
        cells = sum(cell is None for row in result.rows for cell in row)
        if cells:
            what = f"A gold result holds {cells} NULL: an answer must have it as NULL too."
            yield GoldFault(code="null_cells", message=what)
        width = len(result.columns)
        if width > 1 and case.answer is None and len(result.rows) == 1:
            what = f"A gold returns one row of {width} columns, and the case names no `answer`."
            yield GoldFault(code="several_columns", message=what)


def _kind(case: GoldCase, bench: _Bench) -> str:
    """What a case asks for: as it says, else by the shape of its gold."""
    if case.answer is not None or not case.gold_sql:
        return case.answer or ""
    result = bench.executed.gold[case.gold_sql[0]].result
    if result is None:
        return ""
    if len(result.rows) != 1 or len(result.columns) != 1:
        return "table"
    cell = result.rows[0][0]
    kinds: tuple[tuple[type | tuple[type, ...], str], ...] = (
        (bool, "boolean"), ((int, float, Decimal), "number"), (date, "date"),
    )  # fmt: skip
    return next((kind for types, kind in kinds if isinstance(cell, types)), "text")


def _power(cases: Sequence[GoldCase], splits: Mapping[str, Split]) -> Iterator[SplitPower]:
    for split in get_args(Split):
        count = sum(
            splits[case.id] == split and (bool(case.gold_sql) or case.answer is not None)
            for case in cases
        )
        if count:
            gain = minimum_detectable_gain(count)
            yield SplitPower(split=split, cases=count, detectable_gain=gain)
