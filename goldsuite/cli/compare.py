"""`goldsuite compare`: two runs over the same cases, and whether the difference is one."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goldsuite.cli import run_options as run
from goldsuite.cli.context_compare import Questions, run_and_read
from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.options import (
    Format,
    FormatOption,
    RunsDirOption,
    SuiteOption,
    WarehouseOption,
    read_dollars,
    settings_from,
)
from goldsuite.collector import without_collector
from goldsuite.errors import RecordError, RefusedError, UsageError

if TYPE_CHECKING:
    from goldsuite.comparison.compare import Comparison
    from goldsuite.model.run import RunRecord

__all__ = ["compare"]


def compare(
    runs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FIRST] [SECOND]",
            help="Run ids or paths of records; the last two of one suite and split if left out. "
            "With --run two configuration files.",
            show_default=False,
        ),
    ] = None,
    *,
    runs_dir: RunsDirOption = None,
    output: FormatOption = Format.TEXT,
    force: Annotated[
        bool, typer.Option("--force", help="Compare what is not comparable, and say so.")
    ] = False,
    fail_on_regression: Annotated[
        bool, typer.Option("--fail-on-regression", help="Exit 1 where the second run regressed.")
    ] = False,
    ask: Annotated[
        bool,
        typer.Option("--run", help="Run two configuration files on the train split, in turns."),
    ] = False,
    suite: SuiteOption = None,
    warehouse: WarehouseOption = None,
    case: run.CaseOption = None,
    tag: run.TagOption = None,
    slice_: run.SliceOption = None,
    repeat: run.RepeatOption = 1,
    paraphrases: run.ParaphrasesOption = False,
    max_cost: run.MaxCostOption = None,
    plain: run.PlainOption = False,
) -> int:
    """Compare two runs case by case: kept, fixed, broken, and whether chance explains it.

    With one run it is compared with the one before it. With --run two files, each of which says
    what it has otherwise than goldsuite.toml, are run and compared; --case and the options after
    it are for that.

    Example: goldsuite compare --fail-on-regression
    """
    named = tuple(runs or ())
    if ask:
        questions = Questions(
            cases=tuple(case or ()),
            tags=tuple(tag or ()),
            first=slice_,
            repeat=repeat,
            paraphrases=paraphrases,
            max_cost=read_dollars("--max-cost", max_cost),
        )
        places = {"suite": suite, "warehouse": warehouse, "runs_dir": runs_dir}
        first, second = run_and_read(named, questions, places, plain=plain)
    else:
        asking = {
            "--case": case, "--tag": tag, "--slice": slice_, "--repeat": repeat > 1,
            "--paraphrases": paraphrases, "--max-cost": max_cost, "--warehouse": warehouse,
        }  # fmt: skip
        for option, given in asking.items():
            if given:
                raise UsageError(f"{option} is for runs that are made now; give --run too")
        first, second = _records(named, settings_from(suite=suite, runs_dir=runs_dir).runs_dir)
    return show_comparison(
        first, second, output=output, force=force, fail_on_regression=fail_on_regression
    )


def show_comparison(
    first: "RunRecord",
    second: "RunRecord",
    *,
    output: Format,
    force: bool,
    fail_on_regression: bool,
) -> ExitCode:
    """Compare, print, and say what the command ends with.

    Raises:
        RefusedError: the two are not comparable, and `force` was not given.
    """
    from goldsuite.comparison.compare import Outcome, compare_records

    with without_collector():
        found = compare_records(first, second)
    if found.obstacles and not force:
        reasons = "; ".join(obstacle.text for obstacle in found.obstacles)
        raise RefusedError(
            f"runs {first.run_id} and {second.run_id} are not comparable: {reasons}. "
            "--force compares them all the same, and says so."
        )
    sys.stdout.write(_text(found, output))
    if fail_on_regression and found.outcome is Outcome.REGRESSED:
        print(f"goldsuite: {second.run_id} regressed (p < 0.05)", file=sys.stderr)
        return ExitCode.BELOW_THRESHOLD
    return ExitCode.DONE


def _text(found: "Comparison", output: Format) -> str:
    if output is Format.JSON:
        from goldsuite.report.compare_json import compare_json

        return compare_json(found)
    from goldsuite.report.compare_view import view_comparison

    if output is Format.MARKDOWN:
        from goldsuite.report.compare_markdown import compare_markdown

        return compare_markdown(view_comparison(found))
    from goldsuite.report.compare_text import compare_text

    return compare_text(view_comparison(found))


def _records(runs: tuple[str, ...], runs_dir: Path) -> tuple["RunRecord", "RunRecord"]:
    from goldsuite.records.file import read_record
    from goldsuite.records.runs_dir import find_record

    if len(runs) > 2:
        raise UsageError(f"compare takes two runs, not {len(runs)}: {', '.join(runs)}")
    if len(runs) == 2:
        first, second = (read_record(find_record(run, runs_dir)) for run in runs)
        return first, second
    if runs:
        second = read_record(find_record(runs[0], runs_dir))
        return _before(second, _newest_first(runs_dir), runs_dir), second
    return _last_two(runs_dir)


def _before(
    record: "RunRecord", newest_first: "Iterator[RunRecord]", runs_dir: Path
) -> "RunRecord":
    from goldsuite.comparison.candidates import earlier_like

    first = earlier_like(record, newest_first)
    if first is None:
        raise RecordError(
            f"{runs_dir}: no whole run of suite {record.suite.name!r}, split {record.split}, "
            f"before {record.run_id}. Name two runs: goldsuite compare FIRST SECOND"
        )
    return first


def _last_two(runs_dir: Path) -> tuple["RunRecord", "RunRecord"]:
    from goldsuite.comparison.partial import is_partial

    # The run before it comes after it here: what was read once is not read again.
    newest_first = _newest_first(runs_dir)
    whole = next((each for each in newest_first if not is_partial(each)), None)
    if whole is None:
        raise RecordError(
            f"{runs_dir}: holds no record of a whole split yet. Run `goldsuite eval train` twice, "
            "name two runs, or name the folder of your runs with --runs-dir."
        )
    return _before(whole, newest_first, runs_dir), whole


def _newest_first(runs_dir: Path) -> "Iterator[RunRecord]":
    """Record after record, read only as far as they are looked at."""
    from goldsuite.records.file import read_record
    from goldsuite.records.runs_dir import record_paths

    return map(read_record, reversed(record_paths(runs_dir)))
