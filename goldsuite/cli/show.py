"""Putting a record on stdout in the format asked for; the report and the end of a run share it."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.options import Format

if TYPE_CHECKING:
    from goldsuite.model.run import RunRecord
    from goldsuite.runner.limits import ErrorLimit

__all__ = ["show_and_judge", "show_engines", "show_record"]


def show_record(
    record: "RunRecord", path: Path, *, output: Format, reveal: bool, full: bool = False
) -> bool:
    """Print `record`, which stands at `path`; False where it or its answers were changed."""
    from goldsuite.records.file import record_json
    from goldsuite.records.labels import labels_of
    from goldsuite.records.runs_dir import answers_path
    from goldsuite.report.labelled import labelled
    from goldsuite.report.view import view_record
    from goldsuite.runner.lock import LockState, verify_lock

    integrity = verify_lock(answers_path(path), sha256=record.answers_sha256)
    record = labelled(record, labels_of(path))
    view = view_record(record, integrity=integrity, reveal=reveal)
    if output is Format.JSON:
        sys.stdout.write(record_json(view.record))
    elif output is Format.MARKDOWN:
        from goldsuite.report.markdown import markdown_report

        sys.stdout.write(markdown_report(view))
    else:
        from goldsuite.report.terminal import print_report

        print_report(view, sys.stdout, full=full)
    if integrity is LockState.CHANGED:
        print(f"goldsuite: {path}: {view.integrity_text}", file=sys.stderr)
    if record.altered:
        print(f"goldsuite: {path}: this record was changed after it was written", file=sys.stderr)
    return integrity is not LockState.CHANGED and not record.altered


def show_and_judge(
    path: Path,
    *,
    output: Format,
    reveal: bool,
    fail_under: float | None,
    max_errors: "ErrorLimit",
) -> ExitCode:
    """Print the record of a run that has just ended, and say what the command ends with."""
    from goldsuite.records.file import read_record

    record = read_record(path)
    show_record(record, path, output=output, reveal=reveal)
    return _exit_code(record, fail_under=fail_under, max_errors=max_errors)


def show_engines(
    paths: Sequence[Path],
    *,
    output: Format,
    reveal: bool,
    fail_under: float | None,
    max_errors: "ErrorLimit",
) -> list[ExitCode]:
    """Print the records of several analysts over the same cases, then a table of all.

    With `--format json` it is a list of the records. Returns what each one ends with.
    """
    from goldsuite.records.file import read_record
    from goldsuite.report.engines import engines_table

    records = [read_record(path) for path in paths]
    json = output is Format.JSON
    for number, (record, path) in enumerate(zip(records, paths, strict=True)):
        sys.stdout.write(("[\n" if number == 0 else ",\n") if json else "\n" * bool(number))
        show_record(record, path, output=output, reveal=reveal)
    if json:
        sys.stdout.write("]\n" if records else "[]\n")
    elif records:
        markdown = output is Format.MARKDOWN
        sys.stdout.write(f"\n{engines_table(records, markdown=markdown)}")
    return [_exit_code(record, fail_under=fail_under, max_errors=max_errors) for record in records]


def _exit_code(
    record: "RunRecord", *, fail_under: float | None, max_errors: "ErrorLimit"
) -> ExitCode:
    """What a run ends with, after what it falls short of was said on stderr."""
    from goldsuite.comparison.gate import judge_run

    judgement = judge_run(record, fail_under=fail_under, max_errors=max_errors)
    for line in judgement.messages:
        print(f"goldsuite: {line}", file=sys.stderr)
    if judgement.too_many_errors or judgement.below_trigger_floor:
        return ExitCode.ANALYST
    if judgement.broken_golds:
        return ExitCode.WAREHOUSE
    return ExitCode.BELOW_THRESHOLD if judgement.below else ExitCode.DONE
