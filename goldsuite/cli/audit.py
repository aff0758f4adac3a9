"""`goldsuite audit`: how much the suite itself can be trusted, without asking an analyst."""

import json
import sys
from typing import Annotated

import typer

from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.held_out import LedgerOption, RevealReasonOption
from goldsuite.cli.options import (
    ContextOption,
    Format,
    FormatOption,
    RevealOption,
    SuiteOption,
    WarehouseOption,
    settings_from,
)


def audit(
    *,
    suite: SuiteOption = None,
    warehouse: WarehouseOption = None,
    context: ContextOption = None,
    budget: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            help="Faulty variants of the golds to run for each case; 0 for none.",
        ),
    ] = 60,
    output: FormatOption = Format.TEXT,
    reveal: RevealOption = False,
    peek: RevealReasonOption = None,
    ledger: LedgerOption = None,
) -> int:
    """Run every gold and faulty variants of it, and list the cases that would let a fault pass.

    Also: golds that drift or change, questions that repeat, golds on both sides of the split, what
    no case covers, and the gain that the suite could show.

    Example: goldsuite audit --format markdown
    """
    settings = settings_from(suite=suite, warehouse=warehouse, context=context, ledger=ledger)
    from goldsuite.pipeline.audit import audit_suite
    from goldsuite.report.audit_text import audit_json, audit_markdown, audit_text

    found = audit_suite(settings, budget=budget, reveal=reveal, peek=peek)
    if output is Format.JSON:
        sys.stdout.write(json.dumps(audit_json(found), indent=2, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write((audit_markdown if output is Format.MARKDOWN else audit_text)(found))
    return ExitCode.DONE if found.is_sound else ExitCode.WAREHOUSE
