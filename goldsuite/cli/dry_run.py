"""`goldsuite eval --dry-run`: what would be asked, on stdout."""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.options import Format

if TYPE_CHECKING:
    from goldsuite.pipeline.asking import RunRequest
    from goldsuite.pipeline.dry_run import DryRun
    from goldsuite.pipeline.settings import Settings

__all__ = ["show_dry_runs"]


def show_dry_runs(
    settings: "Sequence[Settings]", request: "RunRequest", output: Format
) -> ExitCode:
    """Print what each of the runs would ask."""
    from goldsuite.pipeline.dry_run import dry_run

    found = [dry_run(each, request) for each in settings]
    if output is Format.JSON:
        plain = [
            asdict(each)
            | {"input_cost": None if each.input_cost is None else float(each.input_cost)}
            for each in found
        ]
        print(json.dumps(plain[0] if len(plain) == 1 else plain, indent=2, ensure_ascii=False))
        return ExitCode.DONE
    from goldsuite.report.figures import printable

    for each in found:
        sys.stdout.writelines(f"{printable(line)}\n" for line in _lines(each))
    return ExitCode.DONE


def _lines(found: "DryRun") -> Iterator[str]:
    from goldsuite.report.figures import counted, money

    model = f", model {found.model}" if found.model else ""
    yield f"analyst    {found.analyst}{model}; isolation {found.isolation}"
    yield f"warehouse  {found.warehouse}"
    asked = f"{counted(found.trials, 'question')} for {counted(len(found.cases), 'case')}"
    yield f"would ask  {asked} of {found.suite}, split {found.split}"
    yield f"pace       {found.concurrency} at once, {found.timeout_s:g} s of work for each"
    if found.input_tokens is not None:
        cost = "" if found.input_cost is None else f", {money(float(found.input_cost))}"
        yield (
            f"at least   about {found.input_tokens:,} tokens of input{cost}: the first requests "
            "alone, uncached; further turns and answers come on top"
        )
    elif found.note:
        yield f"note       {found.note}"
    yield f"cases      {', '.join(found.cases)}"
    yield "nothing was asked"
