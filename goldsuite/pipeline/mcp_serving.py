"""What `goldsuite mcp` serves: the warehouse and the context of a trial, or those of the settings.

A trial's server goes by the trial's own file and reads no settings, so that it never learns where
the suite lies.
"""

from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

from goldsuite.analysts.mcp_server import serve
from goldsuite.analysts.toolbox import MAX_FETCHED_ROWS, Toolbox
from goldsuite.analysts.toolbox.mcp_config import read_server_config
from goldsuite.analysts.toolbox.query_log import QueryLog
from goldsuite.context.resolve import ResolvedContext, resolve_context
from goldsuite.pipeline.session import open_session_warehouse, read_context
from goldsuite.pipeline.settings import Settings
from goldsuite.warehouse.base import Limits
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse

__all__ = ["serve_settings", "serve_trial"]

_CONCURRENCY = 2
"""Queries of one trial that run at once; agents rarely ask more than one."""
_MAX_BYTES = 100_000_000


def serve_trial(config: Path, *, on_end: Callable[[], None]) -> None:
    """Serve one trial by the file that was written for it.

    Raises:
        ConfigurationError: the file is no such configuration.
        WarehouseError: the warehouse does not answer.
        ContextError: the trial's copy of the context cannot be read.
    """
    trial = read_server_config(config)
    limits = Limits(
        timeout_s=trial.timeout_s,
        max_rows=MAX_FETCHED_ROWS,
        max_bytes=_MAX_BYTES,
        memory_bytes=trial.memory_bytes,
    )
    with ExitStack() as stack:
        # First of all: that the server was started at all must show in the log.
        log = stack.enter_context(QueryLog(trial.log, token=trial.token))
        warehouse = open_warehouse(
            trial.warehouse_url,
            limits=limits,
            concurrency=_CONCURRENCY,
            allow_functions=trial.allow_functions,
            allow_paths=trial.allow_paths,
        )
        stack.enter_context(closing(warehouse))
        context = None if trial.context is None else resolve_context(trial.context, refresh=False)
        serve(_toolbox(warehouse, context, log), on_end=on_end)


def serve_settings(settings: Settings, *, log: Path | None, on_end: Callable[[], None]) -> None:
    """Serve the warehouse and the context of `settings`, without the suite and the runs.

    Args:
        settings: where `analyst_warehouse` is set, that one is served.
        log: a file to append every query to; None for no log.
        on_end: see `goldsuite.analysts.mcp_server.serve`.

    Raises:
        ConfigurationError: no warehouse is named.
        WarehouseError: it does not answer.
        ContextError: the context cannot be read.
    """
    if settings.analyst_warehouse is not None:
        settings = replace(
            settings,
            warehouse=settings.analyst_warehouse,
            warehouse_base=settings.analyst_warehouse_base,
            # It may be another engine's, which has no such files.
            allow_paths=(
                settings.allow_paths if settings.analyst_warehouse.startswith("duckdb") else ()
            ),
        )
    with ExitStack() as stack:
        queries = None if log is None else stack.enter_context(QueryLog(log, token=None))
        warehouse = stack.enter_context(open_session_warehouse(settings))
        context = read_context(settings, refresh=True).resolved
        serve(_toolbox(warehouse, context, queries), on_end=on_end)


def _toolbox(
    warehouse: OpenWarehouse, context: ResolvedContext | None, log: QueryLog | None
) -> Toolbox:
    return Toolbox(
        warehouse.analyst.limited_to(MAX_FETCHED_ROWS),
        warehouse.catalog,
        context,
        on_query=None if log is None else log.write,
    )
