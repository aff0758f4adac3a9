"""`goldsuite judge`: have a model judge a run by rubrics, and hold the judge against a human."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.held_out import LedgerOption, RevealReasonOption, confirm_reveal
from goldsuite.cli.options import (
    Format,
    FormatOption,
    RevealOption,
    RunsDirOption,
    ShortFormat,
    SuiteOption,
    settings_from,
)
from goldsuite.cli.show import show_record
from goldsuite.errors import GoldsuiteError, UsageError

if TYPE_CHECKING:
    from goldsuite.model.run import RunRecord
    from goldsuite.pipeline.calibrating import Calibrated
    from goldsuite.pipeline.settings import Settings

__all__ = [
    "JudgeAllOption",
    "JudgeOption",
    "JudgePassOption",
    "JudgeWish",
    "judge_app",
    "judge_graded",
    "read_pass",
]

PASS_PRESETS = {"development": 3.0, "production": 4.0}

JudgeOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--judge",
        metavar="MODEL",
        help="Model that judges every case; as a setting (`judge`), those with a rubric alone.",
        show_default=False,
    ),
]
JudgeAllOption: TypeAlias = Annotated[
    bool, typer.Option("--judge-all", help="Judge also what the deterministic checks failed.")
]
JudgePassOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--judge-pass",
        metavar="SCORE",
        help="Score from which the judge passes a trial: 0 to 5, `development` (3) or "
        "`production` (4).",
    ),
]

judge_app = typer.Typer(
    help="Have a model judge a run by its rubrics, and compare it with a human.",
    rich_markup_mode=None,
    no_args_is_help=True,
)


def read_pass(text: str) -> float:
    """The score that `text` means.

    Raises:
        UsageError: it is neither a score nor the name of one.
    """
    word = text.strip().lower()
    try:
        score = PASS_PRESETS[word] if word in PASS_PRESETS else float(word)
    except ValueError:
        score = -1.0
    if not 0 <= score <= 5:
        raise UsageError(
            f"--judge-pass {text!r}: a score from 0 to 5 is expected, or "
            f"{' or '.join(PASS_PRESETS)}"
        )
    return score


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeWish:
    """What a run is to be judged by, once it is graded."""

    every_case: bool
    also_failed: bool
    pass_at: float


def judge_graded(path: Path, settings: "Settings", wish: JudgeWish) -> None:
    """Judge the run that was just graded, where a judge is named; no failure takes its grades."""
    if settings.judge is None:
        return
    from goldsuite.comparison.gate import floors_missed
    from goldsuite.pipeline.judging import JudgeRequest, judge_record
    from goldsuite.records.file import read_record

    record = read_record(path)
    if floors_missed(record):
        print("goldsuite: not judged: the trigger floor comes first", file=sys.stderr)
        return
    request = JudgeRequest(
        every_case=wish.every_case, also_failed=wish.also_failed, pass_at=wish.pass_at
    )
    try:
        judge_record(settings, path, request, say=_say)
    except GoldsuiteError as error:
        print(f"goldsuite: not judged to the end: {error}", file=sys.stderr)
        print(
            f"the grades are kept; go on with: goldsuite judge run {record.run_id}", file=sys.stderr
        )


def _say(line: str) -> None:
    print(line, file=sys.stderr)


@judge_app.command("run", short_help="Judge the answers of a run.")
def judge_run(
    run: Annotated[
        str | None,
        typer.Argument(help="Run id or path of a record; the latest run if left out."),
    ] = None,
    *,
    model: JudgeOption = None,
    suite: SuiteOption = None,
    runs_dir: RunsDirOption = None,
    rubric_only: Annotated[
        bool, typer.Option("--rubric-only", help="Judge cases with a rubric alone.")
    ] = False,
    judge_all: JudgeAllOption = False,
    line: JudgePassOption = "3.5",
    messages: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Of a trace, the judge sees the last N steps (40).",
            show_default=False,
        ),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Judge anew what this judge has judged already.")
    ] = False,
    markdown: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Write a table there, named by date, time and commit.",
            show_default=False,
        ),
    ] = None,
    output: FormatOption = Format.TEXT,
    reveal: RevealOption = False,
    peek: RevealReasonOption = None,
    ledger: LedgerOption = None,
) -> int:  # fmt: skip
    """Judge the locked answers of a run by the suite's rubrics, and add the scores to its record.

    Verdicts stay as they are. Example: goldsuite judge run --judge claude-sonnet-5-5
    """
    from goldsuite.pipeline.judging import DEFAULT_LAST_MESSAGES, JudgeRequest, judge_record
    from goldsuite.records.file import read_record
    from goldsuite.records.runs_dir import find_record

    pass_at = read_pass(line)
    settings = settings_from(runs_dir=runs_dir, suite=suite, judge=model, ledger=ledger)
    path = find_record(run, settings.runs_dir)
    # Before the judge is paid: what may not be shown should not be asked for.
    confirm_reveal(read_record(path), path, settings, reveal=reveal, peek=peek)
    request = JudgeRequest(
        every_case=model is not None and not rubric_only,
        also_failed=judge_all,
        pass_at=pass_at,
        last_messages=DEFAULT_LAST_MESSAGES if messages is None else messages,
        again=again,
    )
    record = judge_record(settings, path, request, say=_say)
    if markdown is not None:
        print(f"table: {_write_table(record, markdown, reveal=reveal)}", file=sys.stderr)
    show_record(record, path, output=output, reveal=reveal)
    return ExitCode.ANALYST if _has_errors(record) else ExitCode.DONE


def _write_table(record: "RunRecord", folder: Path, *, reveal: bool) -> Path:
    from goldsuite.report.judged import write_judged_markdown

    try:
        return write_judged_markdown(record, folder, reveal=reveal)
    except OSError as error:
        raise UsageError(f"--markdown {folder}: cannot be written: {error.strerror}") from None


def _has_errors(record: "RunRecord") -> bool:
    figures = record.aggregate.judge
    return figures is not None and figures.errors > 0


@judge_app.command("calibrate", short_help="Compare the judge with a human.")
def judge_calibrate(
    scores: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="CSV or JSONL: run, case, criterion, score (and trial)."
        ),
    ],
    *,
    runs_dir: RunsDirOption = None,
    output: Annotated[ShortFormat, typer.Option("--format", help="How to print.")] = (
        ShortFormat.TEXT
    ),
) -> int:
    """Compare judge scores with a human's: agreement, weighted kappa, and a confusion table.

    Example: goldsuite judge calibrate human.csv
    """
    from goldsuite.pipeline.calibrating import calibrate_file

    found = calibrate_file(scores, runs_dir=settings_from(runs_dir=runs_dir).runs_dir)
    for line in found.unpaired:
        print(f"goldsuite: {line}", file=sys.stderr)
    if output is ShortFormat.JSON:
        from dataclasses import asdict

        print(json.dumps(asdict(found), indent=2, ensure_ascii=False))
    else:
        print(_calibration_text(found))
    return ExitCode.DONE if found.calibration.pairs else ExitCode.USAGE


def _calibration_text(found: "Calibrated") -> str:
    figures = found.calibration
    if not figures.pairs:
        return "no score of the file has a judge's score beside it"
    kappa = (
        "not defined: no disagreement was to be expected"
        if figures.weighted_kappa is None
        else f"{figures.weighted_kappa:.3f} (quadratic weights; 1 is perfect, 0 is chance)"
    )
    header = "".join(f"{score:>6}" for score in range(6))
    rows = [
        f"{score:>7}" + "".join(f"{count:>6}" for count in row)
        for score, row in enumerate(figures.confusion)
    ]
    title = (
        f"judge {', '.join(found.judges)}: {figures.pairs} scores compared, "
        f"{len(found.unpaired)} without a judge's"
    )
    return "\n".join(
        [
            title,
            f"agreement       {figures.agreement:.1%}",
            f"within a point  {figures.within_one:.1%}",
            f"weighted kappa  {kappa}",
            f"judge - human   {figures.mean_difference:+.2f} points on average",
            "",
            "human \\ judge",
            f"       {header}",
            *rows,
        ]
    )
