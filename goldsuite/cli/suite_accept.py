"""`goldsuite suite accept`: take the analyst's SQL over as a further gold."""

from typing import Annotated

import typer

from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.options import RunsDirOption, SuiteOption, WarehouseOption, settings_from


def accept(
    run: Annotated[str, typer.Argument(help="Run id or path of a record.")],
    case: Annotated[str, typer.Argument(help="Id of the case.")],
    *,
    reviewer: Annotated[str, typer.Option(metavar="NAME", help="Who found the SQL right.")],
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why; one line.")],
    trial: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Which answer, of a run with --repeat."),
    ] = None,
    suite: SuiteOption = None,
    warehouse: WarehouseOption = None,
    runs_dir: RunsDirOption = None,
) -> int:
    """Write the SQL of an answer into the suite file as one more query of which any is right.

    Reviewer and reason stand above it as a comment; the rest of the file stays as it is written.
    `goldsuite runs regrade RUN` then grades the run by it.

    Example: goldsuite suite accept latest refunds-q2 --reviewer Ann --reason "net of VAT is right"
    """
    settings = settings_from(suite=suite, warehouse=warehouse, runs_dir=runs_dir)
    from goldsuite.pipeline.accept import accept as take_over
    from goldsuite.suite.place import shown_path

    done = take_over(settings, run, case, reviewer=reviewer, reason=reason, trial=trial)
    print(f"{done.case}: any of {done.golds} queries is right now, in {shown_path(done.suite)}")
    return ExitCode.DONE
