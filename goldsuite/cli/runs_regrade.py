"""`goldsuite runs regrade`: grade locked answers again, against the suite as it is now."""

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from goldsuite.cli.held_out import LedgerOption, PeekOption
from goldsuite.cli.options import (
    ContextOption,
    FailUnderOption,
    GatesOption,
    MaxErrorsOption,
    RunsDirOption,
    ShortFormat,
    SuiteOption,
    WarehouseOption,
    read_gates,
    read_share,
    settings_from,
)
from goldsuite.runner.limits import ErrorLimit

if TYPE_CHECKING:
    from goldsuite.pipeline.regrade import Regraded


def regrade(
    run: Annotated[
        str | None, typer.Argument(help="Run id or path of a record; the latest if not given.")
    ] = None,
    *,
    suite: SuiteOption = None,
    warehouse: WarehouseOption = None,
    context: ContextOption = None,
    runs_dir: RunsDirOption = None,
    fail_under: FailUnderOption = None,
    gate: GatesOption = None,
    max_errors: MaxErrorsOption = "0.05",
    peek: PeekOption = None,
    ledger: LedgerOption = None,
    output: Annotated[
        ShortFormat, typer.Option("--format", help="How to print.")
    ] = ShortFormat.TEXT,
) -> int:
    """Grade the locked answers of a run again, without asking anyone, and list what changed.

    A new record is written that names the old one, which stays as it is; labels are taken over.

    Example: goldsuite runs regrade 20260102-030405-train-abcd
    """
    least, gates = read_share("--fail-under", fail_under), read_gates(gate)
    most_errors = ErrorLimit.parse(max_errors)
    settings = settings_from(
        suite=suite, warehouse=warehouse, context=context, runs_dir=runs_dir, ledger=ledger
    )
    from goldsuite.cli.progress import progress_display
    from goldsuite.cli.show import exit_code
    from goldsuite.pipeline.held_out import HeldOutRequest
    from goldsuite.pipeline.regrade import regrade as grade_again
    from goldsuite.suite.place import shown_path

    with progress_display(sys.stderr) as display:
        done = grade_again(settings, run, HeldOutRequest(peek=peek), display)
    print(f"record: {shown_path(done.path)}", file=sys.stderr)
    sys.stdout.write(_json(done) if output is ShortFormat.JSON else _text(done))
    return exit_code(done.new, fail_under=least, max_errors=most_errors, gates=gates)


def _json(done: "Regraded") -> str:
    from dataclasses import asdict

    plain: dict[str, Any] = {
        "run_id": done.new.run_id,
        "regraded_from": done.old.run_id,
        "accuracy_before": done.old.aggregate.accuracy,
        "accuracy": done.new.aggregate.accuracy,
        "changed": [asdict(change) for change in done.changed],
        "left_out": list(done.left_out),
        "labels": done.labels,
    }
    return json.dumps(plain, indent=2, ensure_ascii=False) + "\n"


def _text(done: "Regraded") -> str:
    from goldsuite.report.figures import counted, percent, printable

    before, after = done.old.aggregate, done.new.aggregate
    shares = f"{percent(before.accuracy)} -> {percent(after.accuracy)}"
    counts = f"{before.passed} of {before.gradable} -> {after.passed} of {after.gradable}"
    lines = [
        f"{done.old.run_id} graded again as {done.new.run_id}",
        f"accuracy {shares} ({counts})",
    ]
    repeated = any(case.trial > 1 for case in done.new.cases)
    for change in done.changed:
        trial = f" trial {change.trial}" if repeated else ""
        lines.append(f"  {change.id}{trial}: {change.before.value} -> {change.after.value}")
    if not done.changed:
        lines.append("  no verdict changed")
    if done.left_out:
        lines.append(f"left out, as the suite asks them no longer: {', '.join(done.left_out)}")
    if done.labels:
        lines.append(f"{counted(done.labels, 'label')} taken over")
    return "".join(f"{printable(line)}\n" for line in lines)
