"""`goldsuite suite retire`: move a held-out case that was looked at to train."""

import sys
from typing import Annotated

import typer

from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.held_out import LedgerOption
from goldsuite.cli.options import SuiteOption, settings_from

__all__ = ["retire"]


def retire(
    case: Annotated[str, typer.Argument(metavar="CASE", help="Id of a case of the test split.")],
    *,
    suite: SuiteOption = None,
    ledger: LedgerOption = None,
    reason: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Why; kept in the ledger.", show_default=False),
    ] = None,
) -> int:
    """Move a held-out case to train, where it may be iterated on; the rest of the file stays.

    Example: goldsuite suite retire revenue-march --reason "seen in the review"
    """
    from goldsuite.pipeline.retiring import retire as retire_case
    from goldsuite.report.figures import counted

    done = retire_case(settings_from(suite=suite, ledger=ledger), case, reason=reason)
    print(f"{done.file}:{done.line}: {done.case} is a train case now")
    print(f"{counted(done.left, 'held-out case')} left", file=sys.stderr)
    if not done.looks:
        print("no look at the held-out cases is recorded: it was still unseen", file=sys.stderr)
    return ExitCode.DONE
