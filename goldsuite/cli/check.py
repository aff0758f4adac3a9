"""`goldsuite check`: the warehouse and every gold, without asking an analyst."""

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.options import (
    ContextOption,
    Format,
    RevealOption,
    SuiteOption,
    WarehouseOption,
    settings_from,
)
from goldsuite.errors import UsageError

if TYPE_CHECKING:
    from goldsuite.pipeline.check import CheckReport


def check(
    *,
    suite: SuiteOption = None,
    warehouse: WarehouseOption = None,
    context: ContextOption = None,
    output: Annotated[
        Format, typer.Option("--format", help="How to print: text or json.")
    ] = Format.TEXT,
    reveal: RevealOption = False,
) -> int:
    """Test the warehouse, the suite and every gold: it runs, and gives the value that is stored.

    Example: goldsuite check --suite gold-cases.yaml --warehouse duckdb:///shop.duckdb
    """
    settings = settings_from(suite=suite, warehouse=warehouse, context=context)
    if output is Format.MARKDOWN:
        raise UsageError("--format markdown: `check` prints text or json")
    from goldsuite.pipeline.check import check_suite

    report = check_suite(settings, reveal=reveal)
    sys.stdout.write(_json(report) if output is Format.JSON else _text(report))
    return ExitCode.DONE if report.sound else ExitCode.WAREHOUSE


def _json(report: "CheckReport") -> str:
    from dataclasses import asdict

    return (
        json.dumps({**asdict(report), "sound": report.sound}, indent=2, ensure_ascii=False) + "\n"
    )


def _text(report: "CheckReport") -> str:
    from goldsuite.pipeline.check import GoldStatus
    from goldsuite.report.figures import counted, printable, value_text

    tables = counted(report.tables, "table")
    lines = [
        f"warehouse  {report.url}: {report.engine}, {tables}, `select 1` answered",
        f"suite      {report.suite}: {counted(len(report.cases), 'case')}, no faults",
    ]
    lines[1:1] = [f"warning    {line}" for text in report.warnings for line in text.splitlines()]
    if report.context is not None:
        metrics = counted(report.context.count, "metric")
        lines.append(f"context    dataset {report.context.dataset} defines {metrics}")
    for case in report.cases:
        if case.status is GoldStatus.SOUND and not (case.clock_dependent or case.message):
            continue
        note = case.message or "asks the clock, and the suite has no as_of"
        value = "" if case.value is None else f" = {value_text(case.value)}"
        lines.append(f"  {case.status.value:<8} line {case.line}: {case.id}{value}: {note}")
    sound = sum(case.status is GoldStatus.SOUND for case in report.cases)
    lines.append(f"golds      {sound} of {len(report.cases)} sound")
    return "".join(f"{printable(line)}\n" for line in lines)
