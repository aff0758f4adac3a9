"""Putting a record on stdout in the format asked for; the report and the end of a run share it."""

import sys
from pathlib import Path

from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.options import Format

__all__ = ["judged_exit_code", "show_record"]


def show_record(path: Path, *, output: Format, reveal: bool, full: bool = False) -> bool:
    """Print the record at `path`; False where its answers file is not the one that was locked."""
    from goldsuite.records.file import read_record, record_json
    from goldsuite.records.runs_dir import answers_path
    from goldsuite.report.view import view_record
    from goldsuite.runner.lock import LockState, verify_lock

    record = read_record(path)
    integrity = verify_lock(answers_path(path), sha256=record.answers_sha256)
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
    return integrity is not LockState.CHANGED


def judged_exit_code(path: Path, *, fail_under: float | None, max_errors: float) -> ExitCode:
    """What a run ends with, after what it falls short of was said on stderr."""
    from goldsuite.comparison.gate import judge_run
    from goldsuite.records.file import read_record

    judgement = judge_run(read_record(path), fail_under=fail_under, max_errors=max_errors)
    for line in judgement.messages:
        print(f"goldsuite: {line}", file=sys.stderr)
    if judgement.too_many_errors:
        return ExitCode.ANALYST
    if judgement.broken_golds:
        return ExitCode.WAREHOUSE
    return ExitCode.BELOW_THRESHOLD if judgement.below else ExitCode.DONE
