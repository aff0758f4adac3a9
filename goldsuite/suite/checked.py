"""A gold file, read and checked as a whole: the one way in, for the key and for its check."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from goldsuite.collector import without_collector
from goldsuite.errors import Fault
from goldsuite.suite.checks import check_entries, check_queries
from goldsuite.suite.decode import Entry, decode
from goldsuite.suite.file import GoldFile, read_gold_file
from goldsuite.suite.findings import Finding
from goldsuite.suite.wire import Head

__all__ = ["CheckedFile", "in_order", "query_faults", "read_checked"]

_SHOWN_ID = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckedFile:
    """What a gold file says, and everything that is wrong with it."""

    file: GoldFile
    name: str
    head: Head
    entries: tuple[Entry, ...]
    faults: tuple[Fault, ...]
    """Sorted by line; none of them holds a gold value or gold SQL."""


def read_checked(path: Path, *, shown: str) -> CheckedFile:
    """Read and check a gold file; whether its SQL is SQL is not looked at.

    Args:
        shown: how messages name the file.

    Raises:
        SuiteError: the file cannot be read at all. All other faults are returned.
    """
    with without_collector():
        file = read_gold_file(path, shown=shown)
        decoded = decode(file)
        return CheckedFile(
            file=file,
            name=decoded.head.name or path.stem,
            head=decoded.head,
            entries=decoded.entries,
            faults=_faults([*decoded.findings, *check_entries(decoded.entries)], file),
        )


def query_faults(checked: CheckedFile, dialect: str | None) -> tuple[Fault, ...]:
    """The faults of the gold queries; none of them repeats any SQL.

    Args:
        dialect: sqlglot's name of the warehouse's SQL; None for a general reading.
    """
    with without_collector():
        return _faults(check_queries(checked.entries, dialect), checked.file)


def _faults(findings: Iterable[Finding], file: GoldFile) -> tuple[Fault, ...]:
    faults = {_fault(finding, file): None for finding in findings}
    return in_order(faults)


def in_order(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """By line, as a person works through them."""
    return tuple(sorted(faults, key=lambda fault: (fault.line or 0, fault.message)))


def _fault(finding: Finding, file: GoldFile) -> Fault:
    line = finding.line or file.lines.of(finding.path)
    return Fault(file=file.shown, line=line, message=_label(finding, file) + finding.message)


def _label(finding: Finding, file: GoldFile) -> str:
    match finding.path:
        case ("defaults", *_):
            return "defaults: "
        case ("cases", int(index), *_):
            return f"{_case_name(file, index)}: "
        case _:
            return ""


def _case_name(file: GoldFile, index: int) -> str:
    cases = file.data.get("cases")
    case = cases[index] if isinstance(cases, list) else None
    name = case.get("id") if isinstance(case, dict) else None
    if isinstance(name, str) and name.strip() and len(name) <= _SHOWN_ID:
        return f"case {name!r}"
    return f"case number {index + 1}"
