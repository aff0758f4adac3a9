"""`goldsuite eval`: ask, lock, grade, record, report."""

import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from goldsuite.cli import run_options as run
from goldsuite.cli.exit_codes import ExitCode, code_of
from goldsuite.cli.held_out import (
    AllowLeaksOption,
    LedgerOption,
    PeekOption,
    ReleaseOption,
    confirm_reveal,
)
from goldsuite.cli.judge import (
    JudgeAllOption,
    JudgeOption,
    JudgePassOption,
    JudgeWish,
    judge_graded,
    read_pass,
)
from goldsuite.cli.options import (
    AnalystsOption,
    ContextOption,
    DiagnoseBudgetOption,
    FailUnderOption,
    Format,
    FormatOption,
    GatesOption,
    LuckBudgetOption,
    MaxErrorsOption,
    RevealOption,
    RunsDirOption,
    StrictOption,
    SuiteOption,
    WarehouseOption,
    read_dollars,
    read_gates,
    read_share,
    settings_from,
)
from goldsuite.errors import NothingToDoError, RefusedError, RunStoppedError, UsageError
from goldsuite.pipeline.settings import Settings
from goldsuite.runner.limits import ErrorLimit, Limits
from goldsuite.warehouse.urls import mask_url

if TYPE_CHECKING:
    from goldsuite.pipeline.asking import RunRequest


@dataclass(frozen=True, kw_only=True, slots=True)
class _Ending:
    """How what a run gave is shown, and what it is held to at its end."""

    output: Format
    html: Path | None
    reveal: bool
    peek: str | None
    plain: bool
    fail_under: float | None
    gates: Mapping[str, float]
    max_errors: ErrorLimit
    judge: JudgeWish


def evaluate(
    split: Annotated[
        run.SplitChoice,
        typer.Argument(help="train is iterated on; test is held out for a release."),
    ] = run.SplitChoice.TRAIN,
    *,
    suite: SuiteOption = None,
    warehouse: WarehouseOption = None,
    analyst_warehouse: run.AnalystWarehouseOption = None,
    context: ContextOption = None,
    analyst: AnalystsOption = None,
    runs_dir: RunsDirOption = None,
    case: run.CaseOption = None,
    tag: run.TagOption = None,
    first: run.SliceOption = None,
    failed_from: run.FailedFromOption = None,
    errors_from: run.ErrorsFromOption = None,
    since: run.SinceOption = None,
    repeat: run.RepeatOption = 1,
    paraphrases: run.ParaphrasesOption = False,
    changelog: run.ChangelogOption = None,
    concurrency: run.ConcurrencyOption = None,
    timeout: run.TimeoutOption = None,
    max_wait: run.MaxWaitOption = None,
    max_cost: run.MaxCostOption = None,
    max_tokens: run.MaxTokensOption = None,
    run_cost: run.RunCostOption = None,
    trigger_floor: run.TriggerFloorOption = "0.8",
    pass_env: run.PassEnvOption = None,
    sandbox: run.SandboxOption = None,
    mount: run.MountOption = None,
    resume: run.ResumeOption = None,
    fail_under: FailUnderOption = None,
    gate: GatesOption = None,
    max_errors: MaxErrorsOption = "0.05",
    diagnose_budget: DiagnoseBudgetOption = None,
    judge: JudgeOption = None,
    judge_all: JudgeAllOption = False,
    judge_line: JudgePassOption = "3.5",
    luck_budget: LuckBudgetOption = None,
    strict: StrictOption = False,
    release: ReleaseOption = None,
    peek: PeekOption = None,
    ledger: LedgerOption = None,
    allow_leaks: AllowLeaksOption = False,
    html: run.HtmlOption = None,
    dry_run: run.DryRunOption = False,
    plain: run.PlainOption = False,
    output: FormatOption = Format.TEXT,
    reveal: RevealOption = False,
) -> int:
    """Run the analyst on a split, lock its answers, grade them, and write a run record.

    Example: goldsuite eval train --changelog "define net revenue"
    """
    places = {
        "suite": suite,
        "warehouse": warehouse,
        "analyst_warehouse": analyst_warehouse,
        "context": context,
        "runs_dir": runs_dir,
        "ledger": ledger,
        "pass_env": pass_env or (),
        "sandbox": sandbox,
        "mounts": mount or (),
        "diagnose_budget": diagnose_budget,
        "judge": judge,
        "luck_budget": luck_budget,
        "strict": strict or None,
    }
    ending = _Ending(
        output=output,
        html=html,
        reveal=reveal,
        peek=peek,
        plain=plain,
        fail_under=read_share("--fail-under", fail_under),
        gates=read_gates(gate),
        max_errors=ErrorLimit.parse(max_errors),
        judge=JudgeWish(
            every_case=judge is not None, also_failed=judge_all, pass_at=read_pass(judge_line)
        ),
    )
    cost_of_run = read_dollars("--run-cost", run_cost)
    limits = Limits(
        max_cost=read_dollars("--max-cost", max_cost),
        max_tokens=max_tokens,
        max_errors=ending.max_errors,
        trigger_floor=read_share("--trigger-floor", trigger_floor) or None,
    )
    if resume is not None:
        settled = {
            "--case": case, "--tag": tag, "--slice": first, "--failed-from": failed_from,
            "--errors-from": errors_from, "--since": since, "--repeat": repeat > 1,
            "--paraphrases": paraphrases, "--dry-run": dry_run,
            "a second --analyst": len(analyst or ()) > 1,
        }  # fmt: skip
        _check_resumed(name for name, given in settled.items() if given)
    names: list[str | None] = [*analyst] if analyst else [None]
    commands = [places | {"analyst": name} for name in names]
    settings = [
        settings_from(**words, concurrency=concurrency, timeout=timeout, max_wait=max_wait)
        for words in commands
    ]
    if html is not None and len(settings) > 1:
        raise UsageError(
            "--html is for one analyst; draw each run with goldsuite report --format html"
        )
    if mount and not settings[0].sandbox:
        raise UsageError("--mount is for the sandbox; give --sandbox too")
    from goldsuite.pipeline.asking import RunRequest
    from goldsuite.pipeline.held_out import HeldOutRequest
    from goldsuite.records.since import read_since

    request = RunRequest(
        split=split.value,
        cases=tuple(case or ()),
        tags=tuple(tag or ()),
        first=first,
        changelog=changelog,
        resume=resume,
        repeat=repeat,
        paraphrases=paraphrases,
        failed_from=failed_from,
        errors_from=errors_from,
        since=None if since is None else read_since(since, datetime.now(UTC)),
        limits=limits,
        run_cost=cost_of_run,
        held_out=HeldOutRequest(
            release=release,
            peek=peek,
            allow_leaks=allow_leaks,
            configurations=len(settings),
            reveal=reveal,
        ),
    )
    if dry_run:
        from goldsuite.cli.dry_run import show_dry_runs

        return show_dry_runs(settings, request, output)
    if len(settings) == 1:
        return _run_one(settings[0], request, commands[0], ending)
    return _run_several(list(zip(settings, commands, strict=True)), request, ending)


def _check_resumed(given: Iterable[str]) -> None:
    """A resumed run has settled what it asks when it was started."""
    for name in given:
        raise UsageError(f"{name} does not go with --resume: what a run asks is settled already")


def _run_one(
    settings: Settings, request: "RunRequest", places: Mapping[str, Any], ending: _Ending
) -> int:
    from goldsuite.cli.show import show_and_judge

    path = _run(settings, request, places, ending)
    _confirm(path, settings, ending)
    return show_and_judge(
        path,
        output=ending.output,
        html=ending.html,
        reveal=ending.reveal,
        fail_under=ending.fail_under,
        gates=ending.gates,
        max_errors=ending.max_errors,
    )


def _run_several(
    runs: Sequence[tuple[Settings, Mapping[str, Any]]], request: "RunRequest", ending: _Ending
) -> int:
    """One run after the other; one that stops keeps no other from being run."""
    from goldsuite.cli.show import show_engines

    codes, paths = [ExitCode.DONE], []
    for settings, places in runs:
        try:
            path = _run(settings, request, places, ending)
            _confirm(path, settings, ending)
            paths.append(path)
        except (RunStoppedError, RefusedError, NothingToDoError) as error:
            print(f"goldsuite: {error}", file=sys.stderr)
            codes.append(code_of(error))
    codes += show_engines(
        paths,
        output=ending.output,
        reveal=ending.reveal,
        fail_under=ending.fail_under,
        gates=ending.gates,
        max_errors=ending.max_errors,
    )
    return max(codes)


def _confirm(path: Path, settings: Settings, ending: _Ending) -> None:
    from goldsuite.records.file import read_record

    if ending.reveal:
        record = read_record(path)
        confirm_reveal(record, path, settings, reveal=True, peek=ending.peek, own_run=True)


def _run(
    settings: Settings, request: "RunRequest", places: Mapping[str, Any], ending: _Ending
) -> Path:
    """Run, and say how to go on where it is stopped; the path of the record."""
    from goldsuite.cli.progress import progress_display
    from goldsuite.pipeline.one_run import run_once
    from goldsuite.suite.place import shown_path

    if settings.judge is not None:
        from goldsuite.judging.spec import check_judge

        check_judge(settings.judge)
    with progress_display(sys.stderr, plain=ending.plain) as display:
        try:
            path = run_once(settings, request, display)
        except (KeyboardInterrupt, RunStoppedError):
            if display.run_id is not None:
                display.say(_how_to_resume(display.run_id, places))
            raise
    judge_graded(path, settings, ending.judge)
    print(f"record: {shown_path(path)}", file=sys.stderr)
    return path


_OPTION_OF = {"mounts": "mount"}
"""Options that are not called as their settings are."""


def _how_to_resume(run_id: str, places: Mapping[str, Any]) -> str:
    """The command that goes on with the run: options that were given must be given again."""
    words = ["goldsuite", "eval", "--resume", run_id]
    for name, given in places.items():
        values = given if isinstance(given, (list, tuple)) else [given]
        option = _OPTION_OF.get(name, name.replace("_", "-"))
        for value in values:
            if isinstance(value, bool):
                words.append(f"--{option}" if value else f"--no-{option}")
            elif value is not None:
                text = str(value)
                words += [f"--{option}", mask_url(text) if "://" in text else text]
    return f"what was answered is kept; go on with: {shlex.join(words)}"
