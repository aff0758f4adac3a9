"""Opening what a run needs: the warehouse first of all, then the context."""

import hashlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass

from goldsuite.context.dictionary import MetricDictionary
from goldsuite.context.hand_out import without_files
from goldsuite.context.read_dictionary import load_dictionary
from goldsuite.context.resolve import ResolvedContext, resolve_context
from goldsuite.errors import ConfigurationError
from goldsuite.pipeline.settings import Settings
from goldsuite.records.ledger import default_ledger
from goldsuite.suite.intake import Intake, take_in
from goldsuite.warehouse.base import Limits
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse

__all__ = [
    "AnalystContext",
    "open_analyst_warehouse",
    "open_session_warehouse",
    "read_context",
    "spec_sha256",
    "take_in_searched",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class AnalystContext:
    """What the analyst may read, and what it defines."""

    resolved: ResolvedContext | None
    """None where no context was given."""
    dictionary: MetricDictionary


@contextmanager
def open_session_warehouse(settings: Settings) -> Iterator[OpenWarehouse]:
    """The warehouse of `settings`, after it answered `select 1`.

    Raises:
        ConfigurationError: no warehouse is named.
        PreflightError: it does not answer; nothing else was run.
    """
    if settings.warehouse is None:
        raise ConfigurationError(
            "no warehouse: give --warehouse URL, set GOLDSUITE_WAREHOUSE, or write "
            f'`warehouse = "..."` in goldsuite.toml ({settings.origin}). '
            "`goldsuite init` lays out a suite with a warehouse of its own."
        )
    _check_allowed(settings)
    warehouse = open_warehouse(
        settings.warehouse,
        base_dir=settings.warehouse_base,
        allow_functions=settings.allow_functions,
        allow_paths=settings.allow_paths,
        limits=_limits(settings),
    )
    with closing(warehouse):
        yield warehouse


def _limits(settings: Settings) -> Limits:
    return Limits(
        timeout_s=settings.query_timeout,
        max_rows=settings.max_rows,
        max_bytes=settings.max_bytes,
        memory_bytes=settings.memory_bytes,
    )


def _check_allowed(settings: Settings) -> None:
    """No path that the engine may read holds the key, or answers and records of runs."""
    for path in settings.allow_paths:
        for name, withheld in (("suite", settings.suite), ("runs_dir", settings.runs_dir)):
            if withheld.resolve().is_relative_to(path.resolve()):
                raise ConfigurationError(
                    f"allow_paths: {str(path)!r} holds the {name}, {str(withheld)!r}, which no "
                    "query may read. Name the folder of the data alone, or move the data."
                )


def read_context(settings: Settings, *, refresh: bool) -> AnalystContext:
    """Resolve the context directory and read its dictionary."""
    if settings.context is None:
        return AnalystContext(resolved=None, dictionary=MetricDictionary())
    resolved = resolve_context(settings.context, refresh=refresh)
    # Suite and runs never count as context, wherever they stand and whatever they are called there.
    withheld = [settings.suite, settings.ledger or default_ledger(settings.suite)]
    if not resolved.directory.is_relative_to(settings.runs_dir.resolve()):
        withheld.append(settings.runs_dir)
    resolved = without_files(resolved, withheld)
    return AnalystContext(resolved=resolved, dictionary=load_dictionary(resolved))


def take_in_searched(settings: Settings, context: AnalystContext, *, dialect: str | None) -> Intake:
    """The questions of the suite, and where the context holds parts of its key.

    Both in a process of its own.

    Raises:
        SuiteError: the suite is missing or has faults.
    """
    files = context.resolved.files if context.resolved else ()
    return take_in(
        settings.suite,
        dialect=dialect,
        process="goldsuite.audit.intake_process",
        context={file.name: file.path for file in files},
    )


def spec_sha256(settings: Settings) -> str:
    """A hash of the analyst as it was asked for; the words themselves may hold a secret."""
    return hashlib.sha256((settings.analyst or "").encode()).hexdigest()


def open_analyst_warehouse(settings: Settings) -> OpenWarehouse | None:
    """The warehouse that analysts get in place of `warehouse`; None where they get the same.

    Raises:
        PreflightError: it does not answer.
    """
    if settings.analyst_warehouse is None:
        return None
    return open_warehouse(
        settings.analyst_warehouse,
        base_dir=settings.analyst_warehouse_base,
        allow_functions=settings.allow_functions,
        # It may be another engine's, which has no such files.
        allow_paths=settings.allow_paths if settings.analyst_warehouse.startswith("duckdb") else (),
        limits=_limits(settings),
    )
