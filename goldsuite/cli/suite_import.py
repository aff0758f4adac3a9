"""`goldsuite suite import`: a suite of another tool as a gold file."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.options import ShortFormat, WarehouseOption, read_share, settings_from
from goldsuite.suite.importers.kind import Kind

if TYPE_CHECKING:
    from goldsuite.pipeline.import_suite import ImportReport


def import_(
    kind: Annotated[Kind, typer.Argument(metavar="KIND", help=f"{', '.join(Kind)}.")],
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The file to import.")],
    *,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The gold file to write.")],
    warehouse: WarehouseOption = None,
    from_dialect: Annotated[
        str | None,
        typer.Option(
            "--from-dialect",
            metavar="DIALECT",
            help="Translate the SQL from it, such as sqlite, to the warehouse's.",
            show_default=False,
        ),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            "--database",
            metavar="NAME",
            help="Take the questions on this one of the file's databases.",
            show_default=False,
        ),
    ] = None,
    hints: Annotated[
        bool,
        typer.Option("--hints", help="Put a benchmark's hints into the question, not a note."),
    ] = False,
    test_share: Annotated[
        str, typer.Option("--test-share", metavar="SHARE", help="Held out: 0.3 or 30%.")
    ] = "0.3",
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Another one draws anew.")] = 0,
    output: Annotated[
        ShortFormat, typer.Option("--format", help="How to print.")
    ] = ShortFormat.TEXT,
) -> int:
    """Import questions with trusted SQL, run each gold, and say what could not be taken and why.

    Example: goldsuite suite import spider dev.json --out suite.yaml --database pets_1
    --warehouse sqlite:///pets_1.sqlite
    """
    share = read_share("--test-share", test_share) or 0.0
    settings = settings_from(warehouse=warehouse)
    from goldsuite.pipeline.import_suite import ImportRequest, import_suite

    request = ImportRequest(
        kind=kind,
        path=path,
        out=out,
        from_dialect=from_dialect,
        database=database,
        hints=hints,
        test_share=share,
        seed=seed,
    )
    report = import_suite(settings, request)
    if output is ShortFormat.JSON:
        sys.stdout.write(json.dumps(asdict(report), indent=2, ensure_ascii=False) + "\n")
    else:
        from goldsuite.report.figures import printable

        sys.stdout.write("".join(f"{printable(line)}\n" for line in _lines(report)))
    return ExitCode.DONE


def _lines(report: "ImportReport") -> Iterator[str]:
    from goldsuite.report.figures import counted

    taken = sum(report.splits.values())
    sides = f"{report.splits['train']} train, {report.splits['test']} test"
    yield f"wrote      {report.out}: {counted(taken, 'case')} of {report.entries} ({sides})"
    if report.translated:
        golds = counted(report.translated, "gold")
        yield f"translated {golds}: another dialect may answer otherwise"
    if not report.executed:
        yield "not run    no warehouse is named, so no gold was run: give --warehouse URL"
    if report.clock_dependent:
        asking = counted(report.clock_dependent, "gold")
        yield f"clock      {asking} asked what day it is: set as_of in the suite"
    for key, count in report.ignored.items():
        yield f"left out   the key {key!r}, which {counted(count, 'case')} had"
    for note in report.notes:
        yield f"note       {note}"
    for untaken in report.untaken:
        yield f"not taken  {untaken}"
