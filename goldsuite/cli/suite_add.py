"""`goldsuite suite add` and `promote`: one more case."""

import sys
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.grade import GradedSplit
from goldsuite.cli.held_out import LedgerOption, RevealReasonOption
from goldsuite.cli.options import (
    RevealOption,
    RunsDirOption,
    SuiteOption,
    WarehouseOption,
    settings_from,
)
from goldsuite.errors import UsageError
from goldsuite.pipeline.settings import Settings

UnitOption = Annotated[
    str | None,
    typer.Option(
        metavar="UNIT", help="count, currency, percent, days ...; `none` asks nothing.",
        show_default=False,
    ),
]  # fmt: skip


def add(
    *,
    question: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What is asked.", show_default=False)
    ] = None,
    sql: Annotated[
        str | None, typer.Option(metavar="SQL", help="The trusted query.", show_default=False)
    ] = None,
    case_id: Annotated[
        str | None, typer.Option("--id", metavar="ID", help="A short name.", show_default=False)
    ] = None,
    split: Annotated[GradedSplit, typer.Option(help="train or test.")] = GradedSplit.TRAIN,
    unit: UnitOption = None,
    tag: Annotated[
        list[str] | None, typer.Option(metavar="WORD", help="Repeatable.", show_default=False)
    ] = None,
    verified_by: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who trusts it.", show_default=False)
    ] = None,
    suite: SuiteOption = None,
    warehouse: WarehouseOption = None,
) -> int:
    """Run a trusted query and add it as a case; what is not given is asked for.

    Example: goldsuite suite add --id orders --question "How many orders are there?"
    --sql "select count(*) from orders" --unit count
    """
    if split is GradedSplit.ALL:
        raise UsageError("--split all: a case is of one split, train or test")
    settings = settings_from(suite=suite, warehouse=warehouse)
    fields: dict[str, Any] = {
        "question": question or _asked("--question", "question"),
        "gold_sql": sql or _asked("--sql", "SQL"),
        "id": case_id or _asked("--id", "id"),
        "split": split.value,
    }
    fields |= {"tags": tag} if tag else {}
    fields |= {"verified_by": verified_by} if verified_by else {}
    return _write(settings, fields, unit)


def promote(
    run: Annotated[str, typer.Argument(help="Run id or path of a record, or `latest`.")],
    case: Annotated[str, typer.Argument(help="Id of the case in that run.")],
    *,
    reviewer: Annotated[str, typer.Option(metavar="NAME", help="Who found the answer right.")],
    case_id: Annotated[
        str | None,
        typer.Option("--id", metavar="ID", help="Of the new case.", show_default=False),
    ] = None,
    unit: UnitOption = None,
    suite: SuiteOption = None,
    warehouse: WarehouseOption = None,
    runs_dir: RunsDirOption = None,
    reveal: RevealOption = False,
    peek: RevealReasonOption = None,
    ledger: LedgerOption = None,
) -> int:
    """Add a question of a run to the suite, with the analyst's SQL as its gold, after a review.

    For a question that the suite has not; `goldsuite suite accept` adds SQL to a case it has.

    Example: goldsuite suite promote latest refunds-q2 --reviewer Ann --suite other.yaml
    """
    settings = settings_from(suite=suite, warehouse=warehouse, runs_dir=runs_dir, ledger=ledger)
    from goldsuite.pipeline.author import answer_of

    fields = answer_of(settings, run, case, reveal=reveal, peek=peek) | {"verified_by": reviewer}
    return _write(settings, fields | ({"id": case_id} if case_id else {}), unit)


def _write(settings: Settings, fields: Mapping[str, Any], unit: str | None) -> int:
    from goldsuite.pipeline.author import add_case, try_case
    from goldsuite.report.figures import printable
    from goldsuite.suite.place import shown_path

    case = try_case(settings, fields)
    value = case.fields.get("gold_value", "not stored")
    typer.echo(printable(f"value      {value}"))
    for note in case.notes:
        typer.echo(printable(f"note       {note}"))
    if unit is None and sys.stdin.isatty():
        unit = typer.prompt("unit (count, currency, percent, days ... or none)", default="none")
    add_case(settings, case, unit=None if unit == "none" else unit)
    typer.echo(f"added      {fields['id']} to {shown_path(settings.suite)}")
    return ExitCode.DONE


def _asked(option: str, what: str) -> str:
    if not sys.stdin.isatty():
        raise UsageError(f"{option} is missing, and there is no terminal to ask at")
    return str(typer.prompt(what))
