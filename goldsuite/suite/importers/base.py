"""What an importer finds in a file of another tool, and what it could not take.

An importer only reads: running, translating, splitting and writing are the same for every kind and
are done by `goldsuite.pipeline.import_suite`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Protocol

from goldsuite.errors import Fault, SuiteError
from goldsuite.suite.nodes import Plain

__all__ = ["Candidate", "Importer", "Reading", "Source", "Untaken"]

_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """One question with its trusted SQL, before anything was run."""

    place: str
    """Where it stands in the file, such as `line 12` or `metrics[3]`."""
    question: str
    gold_sql: tuple[str, ...]
    """Any of them is right."""
    id: str | None = None
    """The file's own name of it; None where it has none."""
    database: str | None = None
    """Of a file that holds questions on several databases."""
    hint: str | None = None
    """What the benchmark tells its systems beside the question."""
    fields: Mapping[str, Plain] = field(default_factory=dict)
    """Further keys of a gold file, as the file says them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Untaken:
    """One entry that is no case of the new suite, or not with all that it says, and why."""

    place: str
    name: str | None
    """Its id or question, shortened."""
    reason: str

    def __str__(self) -> str:
        name = f" ({self.name})" if self.name else ""
        return f"{self.place}{name}: {self.reason}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """A whole file: each of its entries is in `candidates` or in `untaken`."""

    candidates: tuple[Candidate, ...]
    untaken: tuple[Untaken, ...] = ()
    ignored: Mapping[str, int] = field(default_factory=dict)
    """Keys and columns that a gold file has no place for, and how many entries had them."""
    as_of: date | None = None
    """The day that "today" means, where the file says one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """The text of one file."""

    shown: str
    """How messages name it."""
    text: str

    @classmethod
    def read(cls, path: Path, *, shown: str) -> "Source":
        """The file at `path`; a byte order mark is taken off.

        Raises:
            SuiteError: it cannot be read, is empty, or is no UTF-8.
        """
        try:
            raw = path.read_bytes()
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise _error(shown, None, f"the file cannot be read: {reason}.") from None
        if raw.startswith(_UTF16):
            raise _error(shown, 1, "the file is UTF-16. Save it as UTF-8.")
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = raw.count(b"\n", 0, error.start) + 1
            message = f"byte 0x{raw[error.start]:02X} is no UTF-8. Save the file as UTF-8."
            raise _error(shown, line, message) from None
        if not text.strip():
            raise _error(shown, 1, "the file is empty.")
        return cls(shown=shown, text=text)

    def error(self, line: int | None, message: str) -> SuiteError:
        """What is raised where the file as a whole is not what it should be."""
        return _error(self.shown, line, message)


class Importer(Protocol):
    """Reads one kind of file."""

    def __call__(self, source: Source, /) -> Reading:
        """All that `source` holds.

        Raises:
            SuiteError: it is no file of this kind at all.
        """
        ...


def _error(shown: str, line: int | None, message: str) -> SuiteError:
    return SuiteError([Fault(file=shown, line=line, message=message)])
