"""`goldsuite mcp`: warehouse and context for an agent that speaks the Model Context Protocol."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from goldsuite.cli.exit_codes import ExitCode
from goldsuite.cli.options import ContextOption, WarehouseOption, settings_from
from goldsuite.errors import UsageError


def mcp(
    *,
    warehouse: WarehouseOption = None,
    context: ContextOption = None,
    log: Annotated[
        Path | None,
        typer.Option(
            "--log",
            metavar="FILE",
            help="Append every query to this file, one JSON line each.",
            show_default=False,
        ),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config",
            metavar="FILE",
            help="The file that a run wrote for one trial; goes with no other option.",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Serve warehouse and context, read-only, to an agent over stdin and stdout (MCP).

    The agent can list and describe tables, run read-only SQL, and list and read the context. The
    suite and the runs are never served.

    Example: claude mcp add shop -- goldsuite mcp --warehouse duckdb:////data/shop.duckdb
    """
    if config is not None and any(option is not None for option in (warehouse, context, log)):
        raise UsageError("--config names all that a trial's server needs; leave the others out")
    if sys.stdin.isatty():
        print("goldsuite mcp speaks MCP over stdin and stdout; Ctrl-D ends it", file=sys.stderr)
    from goldsuite.pipeline import mcp_serving

    with _ended_by_signals():
        if config is not None:
            mcp_serving.serve_trial(config, on_end=_leave)
        else:
            settings = settings_from(warehouse=warehouse, context=context)
            mcp_serving.serve_settings(settings, log=log, on_end=_leave)
    return ExitCode.DONE


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    # Nothing has to be put in order, and a running query must not hold up the end.
    before = {n: signal.signal(n, signal.SIG_DFL) for n in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _leave() -> None:
    """End this process at once, also where a query still runs in a thread."""
    sys.stderr.flush()
    os._exit(ExitCode.DONE)
