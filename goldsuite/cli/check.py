"""`goldsuite check`: the warehouse and every gold, without asking an analyst."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.held_out import LedgerOption, RevealReasonOption
from goldsuite.cli.options import (
    ContextOption,
    RevealOption,
    ShortFormat,
    SuiteOption,
    WarehouseOption,
    settings_from,
)

if TYPE_CHECKING:
    from goldsuite.pipeline.check import CheckReport, SuiteReport
    from goldsuite.pipeline.check_warehouse import CheckedLimits, WarehouseReport
    from goldsuite.pipeline.settings import Settings


def check(
    *,
    suite: SuiteOption = None,
    warehouse: WarehouseOption = None,
    context: ContextOption = None,
    output: Annotated[
        ShortFormat, typer.Option("--format", help="How to print.")
    ] = ShortFormat.TEXT,
    reveal: RevealOption = False,
    peek: RevealReasonOption = None,
    ledger: LedgerOption = None,
) -> int:
    """Test the warehouse, the suite and every gold: it runs, and gives the value that is stored.

    Without a suite the warehouse alone is tested: engine, limits, and a write that must be refused.

    Example: goldsuite check --suite gold-cases.yaml --warehouse duckdb:///shop.duckdb
    """
    settings = settings_from(suite=suite, warehouse=warehouse, context=context, ledger=ledger)
    from goldsuite.pipeline import check as pipeline

    named = suite is not None or warehouse is None
    with_suite = named or not _lacks_suite(settings)
    report = pipeline.check(settings, with_suite=with_suite, reveal=reveal, peek=peek)
    sys.stdout.write(_json(report) if output is ShortFormat.JSON else _text(report))
    return ExitCode.DONE if report.sound else ExitCode.WAREHOUSE


def _lacks_suite(settings: "Settings") -> bool:
    """Whether nobody named a suite, and there is none where it is looked for."""
    return settings.suite == Path.cwd() / "gold-cases.yaml" and not settings.suite.exists()


def _json(report: "CheckReport") -> str:
    from dataclasses import asdict

    suite = report.suite
    plain = {
        **asdict(report.warehouse),
        "suite": suite and suite.name,
        "context": asdict(suite.context) if suite and suite.context else None,
        "cases": [asdict(case) for case in suite.cases] if suite else [],
        "leaks": [asdict(leak) for leak in suite.leaks] if suite else [],
        "sound": report.sound,
    }
    return json.dumps(plain, indent=2, ensure_ascii=False) + "\n"


def _text(report: "CheckReport") -> str:
    from goldsuite.report.figures import printable

    lines = [*_warehouse_lines(report.warehouse)]
    if report.suite is None:
        lines.append("suite      none: goldsuite init writes a first one")
    else:
        lines += _suite_lines(report.suite)
    return "".join(f"{printable(line)}\n" for line in lines)


def _warehouse_lines(found: "WarehouseReport") -> Iterator[str]:
    from goldsuite.report.figures import counted

    tables = counted(found.tables, "table")
    yield f"warehouse  {found.url}: {found.engine}, {tables}, `select 1` answered"
    yield f"session    dialect {found.dialect}, time zone {found.time_zone or 'not set by us'}"
    yield f"snapshot   {found.snapshot}"
    yield f"read-only  {_read_only(found)}"
    yield f"limits     {_limits(found.limits)}"
    for warning in found.warnings:
        yield from (f"warning    {line}" for line in warning.splitlines())


def _read_only(found: "WarehouseReport") -> str:
    if found.read_only:
        return "yes: a write was tried and refused at the gold door and at the analyst's"
    told = "; ".join(
        f"{attempt.door} door: {attempt.outcome.value}"
        + (f" ({attempt.message})" if attempt.message else "")
        for attempt in found.write_attempts
    )
    return f"{'not known' if found.read_only is None else 'NO'}: {told}"


def _limits(limits: "CheckedLimits") -> str:
    size = f"{limits.max_rows:,} rows and {limits.max_bytes:,} bytes"
    parts = [f"{limits.timeout_s:g} s, {size} for one statement", f"{limits.concurrency} at once"]
    if limits.memory_bytes is not None:
        parts.append(f"{limits.memory_bytes:,} bytes of memory")
    return "; ".join(parts)


def _suite_lines(suite: "SuiteReport") -> Iterator[str]:
    from goldsuite.pipeline.check import GoldStatus
    from goldsuite.pipeline.held_out_run import leak_lines
    from goldsuite.report.figures import counted, value_text

    yield f"suite      {suite.name}: {counted(len(suite.cases), 'case')}, no faults"
    if suite.context is not None:
        metrics = counted(suite.context.count, "metric")
        yield f"context    dataset {suite.context.dataset} defines {metrics}"
    for case in suite.cases:
        if case.status is GoldStatus.SOUND and not (case.clock_dependent or case.message):
            continue
        note = case.message or "asks the clock, and no as_of answers it"
        value = "" if case.value is None else f" = {value_text(case.value)}"
        yield f"  {case.status.value:<8} line {case.line}: {case.id}{value}: {note}"
    for leak in leak_lines(suite.leaks):
        yield f"leak       {leak}"
    sound = sum(case.status is GoldStatus.SOUND for case in suite.cases)
    yield f"golds      {sound} of {len(suite.cases)} sound"
