"""Opening what a run needs: the warehouse first of all, then the context, then the analyst."""

import hashlib
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from goldsuite.analysts.base import AnalystSource, Pace
from goldsuite.context.dictionary import MetricDictionary
from goldsuite.context.hand_out import copy_context, without_files
from goldsuite.context.read_dictionary import load_dictionary
from goldsuite.context.resolve import ResolvedContext, resolve_context
from goldsuite.errors import ConfigurationError
from goldsuite.pipeline.sandboxing import check_sandbox, sandbox_request
from goldsuite.pipeline.settings import Settings
from goldsuite.warehouse.base import Limits
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse

__all__ = [
    "AnalystContext",
    "open_analyst",
    "open_session_warehouse",
    "read_context",
    "spec_sha256",
]

_COMMAND = "command:"


@dataclass(frozen=True, kw_only=True, slots=True)
class AnalystContext:
    """What the analyst may read, and what it defines."""

    resolved: ResolvedContext | None
    """None where no context was given."""
    dictionary: MetricDictionary


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenAnalyst:
    """An analyst that is ready to be asked."""

    source: AnalystSource
    notes: Mapping[str, str] = field(default_factory=dict)
    """What the record should say besides the source's own notes; no secrets."""


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
    withheld = [settings.suite]
    if not resolved.directory.is_relative_to(settings.runs_dir.resolve()):
        withheld.append(settings.runs_dir)
    resolved = without_files(resolved, withheld)
    return AnalystContext(resolved=resolved, dictionary=load_dictionary(resolved))


def spec_sha256(settings: Settings) -> str:
    """A hash of the analyst as it was asked for; the words themselves may hold a secret."""
    return hashlib.sha256((settings.analyst or "").encode()).hexdigest()


@contextmanager
def open_analyst(
    settings: Settings,
    warehouse: OpenWarehouse,
    context: AnalystContext,
    *,
    pace: Pace,  # noqa: ARG001 - for analysts of a service
) -> Iterator[OpenAnalyst]:
    """The analyst of `settings`; what it needs besides is gone when the block ends.

    Raises:
        ConfigurationError: no analyst is named, or one that is not known.
    """
    spec = settings.analyst
    check_sandbox(settings)
    if spec is None:
        raise ConfigurationError(
            "no analyst: give --analyst baseline or --analyst 'command:PROGRAM', or write "
            f'`analyst = "..."` in goldsuite.toml ({settings.origin})'
        )
    if spec == "baseline":
        with _analyst_warehouse(settings, warehouse) as own:
            yield OpenAnalyst(source=_baseline(own, context))
    elif spec.startswith(_COMMAND):
        with tempfile.TemporaryDirectory(prefix="warehouse-") as folder:
            yield _command(settings, warehouse, context, Path(folder))
    else:
        raise ConfigurationError(
            f"unknown analyst {spec!r}: known are `baseline` and `command:PROGRAM ARGUMENTS`"
        )


@contextmanager
def _analyst_warehouse(settings: Settings, warehouse: OpenWarehouse) -> Iterator[OpenWarehouse]:
    if settings.analyst_warehouse is None:
        yield warehouse
        return
    own = open_warehouse(
        settings.analyst_warehouse,
        base_dir=settings.analyst_warehouse_base,
        allow_functions=settings.allow_functions,
        # It may be another engine's, which has no such files.
        allow_paths=settings.allow_paths if settings.analyst_warehouse.startswith("duckdb") else (),
        limits=_limits(settings),
    )
    with closing(own):
        yield own


def _baseline(warehouse: OpenWarehouse, context: AnalystContext) -> AnalystSource:
    from goldsuite.analysts.baseline import BaselineSource

    return BaselineSource(
        dictionary=context.dictionary, catalog=warehouse.catalog(), door=warehouse.analyst
    )


def _command(
    settings: Settings, warehouse: OpenWarehouse, context: AnalystContext, folder: Path
) -> OpenAnalyst:
    from goldsuite.analysts.command import CommandSource
    from goldsuite.warehouse.handout import hand_out

    handed = hand_out(
        settings.analyst_warehouse or settings.warehouse or "",
        folder,
        base_dir=(
            settings.analyst_warehouse_base
            if settings.analyst_warehouse
            else settings.warehouse_base
        ),
    )
    resolved = context.resolved

    def lay_out(destination: Path) -> None:
        if resolved is not None:
            copy_context(resolved, destination)

    source = CommandSource(
        (settings.analyst or "").removeprefix(_COMMAND),
        base_dir=settings.analyst_base,
        dialect=warehouse.dialect,
        warehouse_url=handed.url,
        hidden=(settings.suite.parent, settings.runs_dir, settings.root),
        prepare=None if resolved is None else lay_out,
        pass_env=settings.pass_env,
        sandbox=sandbox_request(settings, handed.url),
    )
    return OpenAnalyst(source=source, notes={"warehouse": handed.note})
