"""Every error that goldsuite raises on purpose.

    GoldsuiteError
    |-- UsageError              an option or argument that cannot be meant
    |-- ConfigurationError      goldsuite.toml, pyproject.toml or GOLDSUITE_* is wrong
    |-- SuiteError              faults of the gold file, all of them at once
    |-- ContextError            the context directory or its git source cannot be resolved
    |-- RecordError             a run record or journal cannot be read
    |-- WarehouseError          the warehouse cannot be used
    |   `-- PreflightError      `select 1` failed: nothing else was run
    |-- AnalystError            one analyst broke on one question
    |   `-- ServiceError        ... for a fault of the service behind it: asking again may help
    |-- NumberError             a text that is not, for sure, one number
    |-- RunStoppedError         the run stopped before its end, and can be resumed
    |   `-- SpendLimitError     the service will answer nothing more: its spend limit is reached
    |-- NothingToDoError        all is done already, which is no failure: exit code 0
    `-- RefusedError             goldsuite will not go on: trust would be lost

A message says where, what (`!r`), and what to do. Only `goldsuite.cli` turns an error into text on
stderr and an exit code. A statement that fails is no exception: it is an
`goldsuite.model.result_set.Execution` with a problem.
"""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = [
    "AnalystError",
    "ConfigurationError",
    "ContextError",
    "Fault",
    "GoldsuiteError",
    "NothingToDoError",
    "NumberError",
    "PreflightError",
    "RecordError",
    "RefusedError",
    "RunStoppedError",
    "ServiceError",
    "SpendLimitError",
    "SuiteError",
    "UsageError",
    "WarehouseError",
]


class GoldsuiteError(Exception):
    """Base of all: catch this one to catch them all."""


class UsageError(GoldsuiteError):
    """An option or argument that cannot be meant."""


class ConfigurationError(GoldsuiteError):
    """A configuration file or a `GOLDSUITE_*` variable is wrong."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """One fault of an input file."""

    file: str
    line: int | None
    """1-based; None where the fault has no place of its own."""
    message: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.message}"


class SuiteError(GoldsuiteError):
    """The gold file is not usable; `faults` lists everything that is wrong with it."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))


class ContextError(GoldsuiteError):
    """The context directory or its git source cannot be resolved."""


class RecordError(GoldsuiteError):
    """A run record or journal cannot be read, or is newer than this version."""


class WarehouseError(GoldsuiteError):
    """The warehouse cannot be used."""


class PreflightError(WarehouseError):
    """`select 1` failed, so nothing else was run."""


class AnalystError(GoldsuiteError):
    """One analyst broke on one question; the run goes on."""


class ServiceError(AnalystError):
    """The service behind an analyst failed, not the analyst: 429, 529, 5xx, or the network."""

    def __init__(
        self, message: str, *, retry_after_s: float | None = None, overloaded: bool = False
    ) -> None:
        self.retry_after_s = retry_after_s
        """Seconds that the service asked to wait; None where it did not say."""
        self.overloaded = overloaded
        """True for 429 and 529: fewer requests at once would help."""
        super().__init__(message)


class NumberError(GoldsuiteError):
    """A text that is not, for sure, one number; `candidates` are the numbers seen in it."""

    def __init__(self, text: str, reason: str, candidates: Sequence[str] = ()) -> None:
        self.text = text
        self.reason = reason
        self.candidates = tuple(candidates)
        named = ", ".join(map(repr, self.candidates[:10])) + ", ..." * (len(candidates) > 10)
        seen = f"; numbers seen: {named}" if candidates else ""
        shown = text if len(text) <= 80 else text[:79] + "…"
        super().__init__(f"{shown!r} is no single number: {reason}{seen}")


class RunStoppedError(GoldsuiteError):
    """The run stopped before its end; what was answered is kept, and the run can be resumed."""


class SpendLimitError(RunStoppedError):
    """The account's spend limit is reached: every further question would fail."""


class NothingToDoError(GoldsuiteError):
    """All is done already: a command that was asked to do what is left ends well."""


class RefusedError(GoldsuiteError):
    """goldsuite will not go on, because the result could not be trusted."""
