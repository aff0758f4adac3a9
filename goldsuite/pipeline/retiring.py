"""Retiring a held-out case: what was looked at may be iterated on, and judges no more."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from goldsuite.durable import write_whole
from goldsuite.pipeline.held_out import ledger_path
from goldsuite.pipeline.settings import Settings
from goldsuite.records.ledger import open_ledger
from goldsuite.records.ledger_entry import EntryKind
from goldsuite.suite.intake import take_in
from goldsuite.suite.place import shown_path
from goldsuite.suite.retire import retire_case

__all__ = ["RetiredCase", "retire"]


@dataclass(frozen=True, kw_only=True, slots=True)
class RetiredCase:
    """What became of a case that was retired."""

    case: str
    file: str
    line: int
    """Where the case says its split now, 1-based."""
    looks: int
    """At the held-out cases so far; with none there was no need to retire it."""
    left: int
    """Held-out cases that the suite still has."""


def retire(settings: Settings, case: str, *, reason: str | None) -> RetiredCase:
    """Move `case` from test to train in the suite's file, and write it down in the ledger.

    Raises:
        UsageError: there is no such case, or it is of the train split.
        SuiteError: the file has faults, or the split cannot be changed alone.
        RecordError: the ledger or the file cannot be written.
    """
    questions = take_in(settings.suite, dialect=None).questions
    path, shown = settings.suite.resolve(), shown_path(settings.suite)
    # Bytes, so that the line ends of the file stay as they are.
    retired = retire_case(path.read_bytes().decode("utf-8"), case, shown=shown)
    with open_ledger(ledger_path(settings)) as pen:
        looks = pen.ledger.looks
        pen.append(
            EntryKind.RETIRED, at=datetime.now(UTC), suite=questions.name, case=case, reason=reason
        )
        _write(path, retired.text)
    return RetiredCase(
        case=case,
        file=shown,
        line=retired.line,
        looks=looks,
        left=sum(question.split == "test" for question in questions.questions) - 1,
    )


def _write(path: Path, text: str) -> None:
    mode = path.stat().st_mode
    write_whole(path, text)
    path.chmod(mode)
