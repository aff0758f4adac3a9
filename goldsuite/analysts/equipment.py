"""What an analyst gets to work with, whoever made it: nothing here leads to the suite."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from goldsuite.analysts.base import Pace
from goldsuite.analysts.toolbox import Toolbox

__all__ = ["Equipment"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Equipment:
    """The same for all trials of a run."""

    dialect: str
    """sqlglot's name of the warehouse's SQL dialect."""
    toolbox: Callable[[], Toolbox]
    """Makes the tools of one trial: tables, read-only SQL through a guarded door, the context."""
    pace: Pace
    """Sends every request to a service, at the rate that it bears."""
    warehouse_url: Callable[[], str]
    """The warehouse as it is handed out: a read-only copy where it is a file. May hold a secret."""
    lay_out: Callable[[Path], None] | None
    """Writes the context (`.knowledge/`) into a folder; None without one."""
    options: Mapping[str, str] = field(default_factory=dict)
    """What the user wrote behind the analyst's name, `NAME=VALUE`."""
