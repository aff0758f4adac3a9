"""What a judge made of a run, as a Markdown table in a file named by date, time and commit."""

from pathlib import Path

from goldsuite.durable import write_whole
from goldsuite.model.run import CaseRecord, RunRecord
from goldsuite.report.figures import ABSENT, shorten
from goldsuite.report.held_out import visible
from goldsuite.report.markdown import markdown_table, markdown_text
from goldsuite.report.process import judge_lines, score_text

__all__ = ["judged_markdown", "write_judged_markdown"]

_HEAD = ("case", "input", "output", "score", "verdict", "feedback")
_LONGEST = 300


def write_judged_markdown(record: RunRecord, folder: Path, *, reveal: bool = False) -> Path:
    """Write the table into `folder`, which is made where it is missing; the path of the file.

    Raises:
        OSError: the folder cannot be made or written to.
    """
    when = record.judge.judged_at if record.judge else record.finished_at
    commit = (record.environment.git_revision or "no-commit")[:12]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{when:%Y-%m-%d-%H%M%S}-{commit}.md"
    write_whole(path, judged_markdown(record, reveal=reveal))
    return path


def judged_markdown(record: RunRecord, *, reveal: bool = False) -> str:
    """The table of all judged trials; without `reveal` nothing of a held-out answer is in it."""
    shown = visible(record, reveal=reveal)
    rows = [_row(case) for case in shown.cases if case.judge is not None]
    return "\n".join(
        [
            f"# {markdown_text(f'{shown.suite.name}: {shown.split}, judged')}",
            "",
            markdown_text(f"run {shown.run_id} · analyst {shown.analyst}"),
            "",
            *(f"{markdown_text(line)}\n" for line in judge_lines(shown)[:1]),
            markdown_table(_HEAD, rows),
        ]
    )


def _row(case: CaseRecord) -> tuple[str, ...]:
    result = case.judge
    if result is None:
        raise ValueError(f"case {case.id!r} was not judged")
    said = case.analyst_value or case.analyst_query or ABSENT
    output = "held out" if case.hidden else said
    return (
        _cell(f"{case.id} ({case.trial})" if case.trial > 1 else case.id),
        _cell(case.paraphrase or case.question),
        _cell(output),
        score_text(result.score),
        "ERROR" if result.verdict is None else markdown_text(result.verdict.value),
        _cell(result.error or result.feedback or ABSENT),
    )


def _cell(text: str) -> str:
    return markdown_text(shorten(text, _LONGEST))
