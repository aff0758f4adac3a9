"""`goldsuite reliability`: whether the same question gets the same answer, and the right one."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goldsuite.cli import run_options as run
from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.options import (
    ContextOption,
    Format,
    FormatOption,
    RunsDirOption,
    SuiteOption,
    WarehouseOption,
    settings_from,
)
from goldsuite.errors import RecordError, RefusedError, UsageError

if TYPE_CHECKING:
    from goldsuite.comparison.reliability import Reliability
    from goldsuite.comparison.trial_answers import TrialAnswer
    from goldsuite.model.run import RunRecord
    from goldsuite.pipeline.settings import Settings

__all__ = ["reliability"]


def reliability(
    runs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RUN]...",
            help="Run ids, records or answers files; the latest run with repeats if left out.",
            show_default=False,
        ),
    ] = None,
    *,
    ask: Annotated[
        bool, typer.Option("--ask", help="Run the analyst on the train split first.")
    ] = False,
    trials: Annotated[
        int | None,
        typer.Option(
            metavar="K",
            min=2,
            max=1000,
            help="With --ask: how often each wording of a question is asked.  [default: 5]",
            show_default=False,
        ),
    ] = None,
    suite: SuiteOption = None,
    warehouse: WarehouseOption = None,
    context: ContextOption = None,
    analyst: Annotated[
        str | None,
        typer.Option("--analyst", metavar="ANALYST", help="With --ask.", show_default=False),
    ] = None,
    runs_dir: RunsDirOption = None,
    case: run.CaseOption = None,
    tag: run.TagOption = None,
    output: FormatOption = Format.TEXT,
    force: Annotated[
        bool, typer.Option("--force", help="Put runs together that are not comparable.")
    ] = False,
) -> int:
    """Tell how far the answers to one question agree, over the trials of one run or several.

    Needs neither key nor warehouse, but for --ask. Paraphrases count as further trials.

    Example: goldsuite reliability --ask --trials 5
    """
    settings = settings_from(
        suite=suite, warehouse=warehouse, context=context, analyst=analyst, runs_dir=runs_dir
    )
    named = tuple(runs or ())
    if ask and named:
        raise UsageError("--ask makes a run of its own; leave RUN out, or --ask")
    asking = {"--trials": trials, "--case": case, "--tag": tag, "--analyst": analyst}
    for option, given in asking.items():
        if given and not ask:
            raise UsageError(f"{option} is for a run that is made now; give --ask too")
    if ask:
        named = (str(_ask(settings, trials, tuple(case or ()), tuple(tag or ()))),)
    sys.stdout.write(_text(_judge(named, settings.runs_dir, force=force), output))
    return ExitCode.DONE


def _ask(
    settings: "Settings", trials: int | None, cases: tuple[str, ...], tags: tuple[str, ...]
) -> Path:
    from goldsuite.cli.progress import progress_display
    from goldsuite.comparison.reliability import DEFAULT_TRIALS
    from goldsuite.pipeline.asking import RunRequest
    from goldsuite.pipeline.one_run import run_once
    from goldsuite.suite.place import shown_path

    request = RunRequest(
        split="train", cases=cases, tags=tags, repeat=trials or DEFAULT_TRIALS, paraphrases=True
    )
    with progress_display(sys.stderr, plain=False) as display:
        path = run_once(settings, request, display)
    print(f"record: {shown_path(path)}", file=sys.stderr)
    return path


def _judge(runs: Sequence[str], runs_dir: Path, *, force: bool) -> "Reliability":
    from goldsuite.comparison.reliability import judge_reliability
    from goldsuite.comparison.trial_answers import from_record
    from goldsuite.records.file import read_record
    from goldsuite.records.runs_dir import find_record

    if not runs:
        record = _latest_repeated(runs_dir)
        return judge_reliability(from_record(record), runs=[record.run_id])
    answers: list[TrialAnswer] = []
    records: list[RunRecord] = []
    names: list[str] = []
    for name in dict.fromkeys(runs):
        if Path(name).suffix == ".jsonl":
            answers += _from_file(Path(name))
            names.append(name)
            continue
        record = read_record(find_record(name, runs_dir))
        if record.run_id in names:
            continue
        records.append(record)
        names.append(record.run_id)
        answers += from_record(record)
    _must_fit(records, force=force)
    return judge_reliability(answers, runs=names)


def _from_file(path: Path) -> "Iterator[TrialAnswer]":
    from goldsuite.comparison.trial_answers import from_answers
    from goldsuite.runner.journal import read_journal

    if not path.is_file():
        raise RecordError(f"{path}: no such answers file")
    return from_answers(read_journal(path))


def _must_fit(records: "Sequence[RunRecord]", *, force: bool) -> None:
    """Trials of one case are of one question, with one gold."""
    from goldsuite.comparison.comparable import obstacles_between
    from goldsuite.report.compare_wording import changes_of

    for record in records[1:]:
        first = records[0]
        found = [obstacle.text for obstacle in obstacles_between(first, record)]
        pair = f"runs {first.run_id} and {record.run_id}"
        if found and not force:
            raise RefusedError(
                f"{pair} are not comparable: {'; '.join(found)}. "
                "--force puts them together all the same, and says so."
            )
        for reason in found:
            print(f"goldsuite: not comparable, put together by --force: {reason}", file=sys.stderr)
        for change in changes_of(first, record):
            print(f"goldsuite: {pair} differ, and so may their answers: {change}", file=sys.stderr)


def _latest_repeated(runs_dir: Path) -> "RunRecord":
    from goldsuite.records.file import read_record
    from goldsuite.records.runs_dir import record_paths

    for path in reversed(record_paths(runs_dir)):
        record = read_record(path)
        if len(record.cases) > len({case.id for case in record.cases}):
            return record
    raise RecordError(
        f"{runs_dir}: no run asked its questions several times. Make one with "
        "`goldsuite eval train --repeat 5` or `goldsuite reliability --ask`, or name several runs."
    )


def _text(found: "Reliability", output: Format) -> str:
    from goldsuite.report.reliability_view import (
        reliability_json,
        reliability_markdown,
        reliability_text,
    )

    write = {
        Format.TEXT: reliability_text,
        Format.MARKDOWN: reliability_markdown,
        Format.JSON: reliability_json,
    }[output]
    return write(found)
