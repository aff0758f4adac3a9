"""`goldsuite try`: what a suggested definition mends and breaks, before it is written down."""

import json
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.options import (
    ContextOption,
    RunsDirOption,
    ShortFormat,
    SuiteOption,
    WarehouseOption,
    read_dollars,
    settings_from,
)
from goldsuite.cli.run_options import ConcurrencyOption, MaxCostOption, PassEnvOption, TimeoutOption

if TYPE_CHECKING:
    from goldsuite.pipeline.try_fix import TryResult


def try_fix(
    run: Annotated[
        str, typer.Argument(help="Run id or path of a record; `latest` for the latest run.")
    ],
    cluster: Annotated[str, typer.Argument(help="A cluster's id, as `failures` shows it.")],
    *,
    guard: Annotated[
        int,
        typer.Option(
            "--guard", metavar="N", min=0, help="Ask so many cases again that passed, at most."
        ),
    ] = 5,
    suite: SuiteOption = None,
    warehouse: WarehouseOption = None,
    context: ContextOption = None,
    analyst: Annotated[
        str | None,
        typer.Option(
            "--analyst", metavar="ANALYST", help="Whom to ask, as in `eval`.", show_default=False
        ),
    ] = None,
    runs_dir: RunsDirOption = None,
    concurrency: ConcurrencyOption = None,
    timeout: TimeoutOption = None,
    max_cost: MaxCostOption = None,
    pass_env: PassEnvOption = None,
    output: Annotated[
        ShortFormat, typer.Option("--format", help="How to print.")
    ] = ShortFormat.TEXT,
) -> int:
    """Lay a cluster's suggestion over a copy of the context and ask its cases again, train only.

    No file of yours is changed; the answers are recorded as a partial run.

    Example: goldsuite try latest define-net-revenue
    """
    settings = settings_from(
        suite=suite,
        warehouse=warehouse,
        context=context,
        analyst=analyst,
        runs_dir=runs_dir,
        concurrency=concurrency,
        timeout=timeout,
        pass_env=pass_env or (),
    )
    from goldsuite.cli.progress import progress_display
    from goldsuite.pipeline import try_fix as pipeline
    from goldsuite.runner.limits import Limits

    request = pipeline.TryRequest(
        run=None if run == "latest" else run,
        cluster=cluster,
        guard=guard,
        limits=Limits(max_cost=read_dollars("--max-cost", max_cost)),
    )
    with progress_display(sys.stderr) as display:
        result = pipeline.try_fix(settings, request, display)
    if output is ShortFormat.JSON:
        sys.stdout.write(_json(result))
    else:
        sys.stdout.writelines(f"{line}\n" for line in _text(result))
    return ExitCode.DONE


def _json(result: "TryResult") -> str:
    from dataclasses import asdict

    return json.dumps(asdict(result) | {"record": str(result.record)}, indent=2) + "\n"


def _text(result: "TryResult") -> Iterator[str]:
    from goldsuite.report.figures import counted, money, printable

    failed = len(result.fixed) + len(result.still_failing)
    guarded = len(result.broken) + len(result.kept)
    yield f"{result.cluster}, laid over a copy of the context; {result.analyst} was asked again"
    yield f"  fixed   {len(result.fixed)} of {failed}{_names(result.fixed)}"
    if result.still_failing:
        yield f"  failing {len(result.still_failing)}{_names(result.still_failing)}"
    guards = counted(guarded, "case")
    yield f"  broken  {len(result.broken)} of {guards} that passed{_names(result.broken)}"
    if result.errors:
        yield f"  errors  {len(result.errors)}{_names(result.errors)}"
    yield f"  cost    {money(result.total_cost)}"
    yield f"  record  {result.run_id}, a partial run"
    yield ""
    yield _advice(result)
    if result.fixed and not result.broken:
        yield from (printable(line) for line in result.entry.splitlines())


def _names(cases: Sequence[str]) -> str:
    return f": {', '.join(cases)}" if cases else ""


def _advice(result: "TryResult") -> str:
    if not result.fixed:
        return "It mends nothing: read the cases with `goldsuite show` before you write it down."
    if result.broken:
        return "It breaks cases that passed: read them with `goldsuite show` before you go on."
    return f"To keep it, add this to {result.file}:"
