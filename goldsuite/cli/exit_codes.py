"""What the exit code of every command means, and which error ends with which code."""

from enum import IntEnum

from goldsuite.errors import (
    AnalystError,
    GoldsuiteError,
    NothingToDoError,
    RefusedError,
    RunStoppedError,
    WarehouseError,
)


class ExitCode(IntEnum):
    """One sentence each; the README has the same table."""

    DONE = 0
    """The command did what it was asked."""
    BELOW_THRESHOLD = 1
    """Below --fail-under or a --gate, a must-pass case not correct, or a regression to fail on."""
    USAGE = 2
    """Wrong usage, suite or configuration."""
    WAREHOUSE = 3
    """The warehouse or a gold query failed."""
    ANALYST = 4
    """Too many analyst errors, or the run was stopped before its end."""
    REFUSED = 5
    """Refused, because the result could not be trusted."""
    INTERRUPTED = 130
    """Interrupted; the run can be resumed."""


_CODE_OF: tuple[tuple[type[GoldsuiteError], ExitCode], ...] = (
    (WarehouseError, ExitCode.WAREHOUSE),
    (AnalystError, ExitCode.ANALYST),
    (RunStoppedError, ExitCode.ANALYST),
    (RefusedError, ExitCode.REFUSED),
    (NothingToDoError, ExitCode.DONE),
    (GoldsuiteError, ExitCode.USAGE),
)


def code_of(error: GoldsuiteError) -> ExitCode:
    """The exit code that `error` ends a command with."""
    return next(code for kind, code in _CODE_OF if isinstance(error, kind))
