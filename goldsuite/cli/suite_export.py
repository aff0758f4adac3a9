"""`goldsuite suite export`: a suite or a run's answers for other tools."""

from pathlib import Path
from typing import Annotated

import typer

from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.grade import GradedSplit
from goldsuite.cli.held_out import LedgerOption, RevealReasonOption
from goldsuite.cli.options import RevealOption, RunsDirOption, SuiteOption, settings_from
from goldsuite.suite.exporters.kind import ExportKind


def export(
    kind: Annotated[ExportKind, typer.Argument(metavar="KIND", help=f"{', '.join(ExportKind)}.")],
    *,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The file to write.")],
    suite: SuiteOption = None,
    split: Annotated[
        GradedSplit, typer.Option("--split", help="Which cases; test and all need --reveal.")
    ] = GradedSplit.TRAIN,
    run: Annotated[
        str | None,
        typer.Option(
            "--run",
            metavar="RUN",
            help="Export the SQL that this run answered with, for spider or bird.",
            show_default=False,
        ),
    ] = None,
    runs_dir: RunsDirOption = None,
    database: Annotated[
        str | None,
        typer.Option(
            "--database",
            metavar="NAME",
            help="What spider and bird call it; the suite's name if left out.",
            show_default=False,
        ),
    ] = None,
    dialect: Annotated[
        str | None,
        typer.Option("--dialect", metavar="DIALECT", help="Of the golds.", show_default=False),
    ] = None,
    reveal: RevealOption = False,
    peek: RevealReasonOption = None,
    ledger: LedgerOption = None,
) -> int:
    """Write a suite as golds, promptfoo tests or an inspect dataset, or a run as predictions.

    Example: goldsuite suite export inspect --out dataset.json
    """
    settings = settings_from(suite=suite, runs_dir=runs_dir, ledger=ledger)
    from goldsuite.pipeline.export_suite import ExportRequest, export_suite
    from goldsuite.report.figures import counted

    report = export_suite(
        settings,
        ExportRequest(
            kind=kind,
            out=out,
            split=split.value,
            run=run,
            database=database,
            dialect=dialect,
            reveal=reveal,
            peek=peek,
        ),
    )
    typer.echo(f"wrote      {report.out}: {counted(report.cases, 'case')}")
    if report.without:
        what = "SQL" if run is not None else "a stored value"
        typer.echo(f"without    {what}: {', '.join(report.without)}")
    if report.left_out:
        typer.echo(f"left out   without gold SQL: {', '.join(report.left_out)}")
    return ExitCode.DONE
