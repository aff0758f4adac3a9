"""Putting a record on stdout in the format asked for; the report and the end of a run share it."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from goldsuite.cli.drawing import put_report
from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.options import Format, ReportFormat
from goldsuite.cli.step_summary import append_step_summary

if TYPE_CHECKING:
    from goldsuite.model.run import RunRecord
    from goldsuite.report.view import ReportView
    from goldsuite.runner.limits import ErrorLimit

__all__ = ["exit_code", "show_and_judge", "show_engines", "show_record"]


def show_record(
    record: "RunRecord",
    path: Path,
    *,
    output: Format | ReportFormat,
    reveal: bool,
    full: bool = False,
    out: Path | None = None,
    redact: bool = False,
) -> bool:
    """Draw `record`, which stands at `path`; False where it or its answers were changed.

    With `redact` there is no value and no row of the warehouse in it.
    """
    view = _view(record, path, reveal=reveal, redact=redact)
    put_report(view, output, path=path, full=full, out=out, redact=redact)
    if out is None and ReportFormat(output) in {ReportFormat.TEXT, ReportFormat.MARKDOWN}:
        # What is written for another program is no reading matter.
        append_step_summary(view)
    return _is_trusted(view, path)


def _view(record: "RunRecord", path: Path, *, reveal: bool, redact: bool = False) -> "ReportView":
    from goldsuite.pipeline.revealing import ledger_state
    from goldsuite.records.labels import labels_of
    from goldsuite.records.runs_dir import answers_path
    from goldsuite.report.labelled import labelled
    from goldsuite.report.view import view_record
    from goldsuite.runner.lock import verify_lock

    integrity = verify_lock(answers_path(path), sha256=record.answers_sha256)
    shown = labelled(record, labels_of(path))
    if redact:
        from goldsuite.report.redacted import redacted

        shown = redacted(shown)
    view = view_record(shown, integrity=integrity, reveal=reveal)
    return replace(view, notices=(*ledger_state(record, path).lines, *view.notices))


def _is_trusted(view: "ReportView", path: Path) -> bool:
    """Whether record, answers and ledger are as they were written; else stderr says so."""
    from goldsuite.pipeline.revealing import ledger_state
    from goldsuite.runner.lock import LockState

    looks = ledger_state(view.record, path)
    if looks.broken:
        print("\n".join(f"goldsuite: {line}" for line in looks.lines), file=sys.stderr)
    if view.integrity is LockState.CHANGED:
        print(f"goldsuite: {path}: {view.integrity_text}", file=sys.stderr)
    as_written = is_as_written(view.record, path)
    intact = view.integrity is not LockState.CHANGED and as_written
    return intact and not looks.broken


def is_as_written(record: "RunRecord", path: Path) -> bool:
    """Whether the record file was not changed after it was written; else stderr says so."""
    if record.altered:
        print(f"goldsuite: {path}: this record was changed after it was written", file=sys.stderr)
    return not record.altered


def show_and_judge(
    path: Path,
    *,
    output: Format,
    reveal: bool,
    fail_under: float | None,
    max_errors: "ErrorLimit",
    gates: Mapping[str, float] | None = None,
    html: Path | None = None,
) -> ExitCode:
    """Print the record of a run that has just ended, and say what the command ends with.

    It is also drawn as a page in the file `html`, where that is given.
    """
    from goldsuite.records.file import read_record

    record = read_record(path)
    view = _view(record, path, reveal=reveal)
    put_report(view, output, path=path, out=None)
    if html is not None:
        put_report(view, ReportFormat.HTML, path=path, out=html)
    _is_trusted(view, path)
    return exit_code(record, fail_under=fail_under, max_errors=max_errors, gates=gates, view=view)


def show_engines(
    paths: Sequence[Path],
    *,
    output: Format,
    reveal: bool,
    fail_under: float | None,
    max_errors: "ErrorLimit",
    gates: Mapping[str, float] | None = None,
) -> list[ExitCode]:
    """Print the records of several analysts over the same cases, then a table of all.

    With `--format json` it is a list of the records. Returns what each one ends with.
    """
    from goldsuite.records.file import read_record
    from goldsuite.report.engines import engines_table

    records = [read_record(path) for path in paths]
    views: list[ReportView] = []
    json = output is Format.JSON
    for number, (record, path) in enumerate(zip(records, paths, strict=True)):
        sys.stdout.write(("[\n" if number == 0 else ",\n") if json else "\n" * bool(number))
        views.append(_view(record, path, reveal=reveal))
        put_report(views[-1], output, path=path, out=None)
        _is_trusted(views[-1], path)
    if json:
        sys.stdout.write("]\n" if records else "[]\n")
    elif records:
        markdown = output is Format.MARKDOWN
        sys.stdout.write(f"\n{engines_table(records, markdown=markdown)}")
    return [
        exit_code(record, fail_under=fail_under, max_errors=max_errors, gates=gates, view=view)
        for record, view in zip(records, views, strict=True)
    ]


def exit_code(
    record: "RunRecord",
    *,
    fail_under: float | None,
    max_errors: "ErrorLimit",
    gates: Mapping[str, float] | None,
    view: "ReportView | None" = None,
) -> ExitCode:
    """What a run ends with, after what it falls short of was said on stderr.

    Args:
        view: as it was shown; it then stands in the step summary of GitHub Actions too.
    """
    from goldsuite.comparison.gate import Gate, judge_run

    judgement = judge_run(
        record,
        fail_under=fail_under,
        max_errors=max_errors,
        gates=[Gate(tag=tag, least=least) for tag, least in (gates or {}).items()],
    )
    for line in judgement.messages:
        print(f"goldsuite: {line}", file=sys.stderr)
    if view is not None:
        append_step_summary(view, failings=judgement.messages)
    if judgement.too_many_errors or judgement.below_trigger_floor:
        return ExitCode.ANALYST
    if judgement.broken_golds:
        return ExitCode.WAREHOUSE
    return ExitCode.BELOW_THRESHOLD if judgement.below else ExitCode.DONE
