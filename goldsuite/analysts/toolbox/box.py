"""A toolbox: the tools of one trial, and the log of what ran through them."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Protocol

from goldsuite.analysts.toolbox.catalog_text import describe, list_tables
from goldsuite.analysts.toolbox.context_text import list_context, read_context
from goldsuite.analysts.toolbox.result_text import result_text, single_value
from goldsuite.analysts.toolbox.tools import (
    TOOLS,
    Arguments,
    ArgumentsError,
    DescribeTable,
    ListContext,
    ListTables,
    ReadContext,
    RunQuery,
    ToolResult,
    ToolSpec,
    read_arguments,
)
from goldsuite.context.files import ContextFile
from goldsuite.errors import WarehouseError
from goldsuite.model.answer import LoggedQuery
from goldsuite.model.result_set import Execution
from goldsuite.warehouse.base import Catalog, Door

__all__ = ["MAX_FETCHED_ROWS", "MAX_RESULT_ROWS", "MAX_TEXT", "Context", "Toolbox"]

MAX_FETCHED_ROWS = 1_000
"""What a door for a toolbox is best limited to: enough to say how much was left out."""
MAX_RESULT_ROWS = 100
MAX_TEXT = 20_000
_MAX_SQL = 100_000
"""Characters of one query."""


class Context(Protocol):
    """What a toolbox reads of a `goldsuite.context.resolve.ResolvedContext`."""

    @property
    def files(self) -> tuple[ContextFile, ...]:
        """All that may be read."""
        ...


class Toolbox:
    """The tools of one trial. Several may work at once over one door."""

    def __init__(
        self,
        door: Door,
        catalog: Catalog | Callable[[], Catalog],
        context: Context | None,
        *,
        max_result_rows: int = MAX_RESULT_ROWS,
        max_text: int = MAX_TEXT,
        on_query: Callable[[LoggedQuery], None] | None = None,
    ) -> None:
        """Nothing is read or run yet.

        Args:
            door: the analyst's, through which every query goes.
            catalog: the tables, or what reads them when they are first asked for.
            context: the files that the analyst may read; None for no context.
            max_result_rows: rows of a result that are shown.
            max_text: characters of a tool's text, a closing remark on what is cut not counted.
            on_query: told of every query that ran, in a thread of its own.
        """
        self._door = door
        self._catalog = catalog
        self._files = () if context is None else context.files
        self._max_rows = max_result_rows
        self._max_text = max_text
        self._on_query = on_query
        self._queries: list[LoggedQuery] = []

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        """What the agent is told; the same for every toolbox."""
        return TOOLS

    @property
    def queries(self) -> tuple[LoggedQuery, ...]:
        """What `run_query` ran so far, refused and failed ones too, in the order of their ends."""
        return tuple(self._queries)

    async def call(self, name: str, arguments: Mapping[str, object]) -> ToolResult:
        """Run the tool `name`; what is wrong with the call or the query is told in the result.

        A query of a task that is cancelled goes on until its end or its time limit, and is logged.
        """
        try:
            read = read_arguments(name, arguments)
        except ArgumentsError as error:
            return ToolResult(text=str(error), ok=False)
        try:
            return await asyncio.to_thread(self._run, read)
        except WarehouseError as error:
            return ToolResult(text=str(error), ok=False)

    def _run(self, arguments: Arguments) -> ToolResult:
        limit = self._max_text
        match arguments:
            case ListTables(containing=part):
                text = list_tables(
                    self._tables(), self._door.dialect, containing=part, max_text=limit
                )
                return ToolResult(text=text, ok=True)
            case DescribeTable(table=name):
                return describe(self._tables(), self._door, name, max_text=limit)
            case RunQuery(sql=sql):
                return self._query(sql)
            case ListContext(containing=part):
                text = list_context(self._files, containing=part, max_text=limit)
                return ToolResult(text=text, ok=True)
            case ReadContext(file=name, offset=offset):
                return read_context(self._files, name, offset=offset, max_text=limit)
        raise TypeError(f"no tool takes {type(arguments).__name__}")

    def _tables(self) -> Catalog:
        if not isinstance(self._catalog, Catalog):
            self._catalog = self._catalog()
        return self._catalog

    def _query(self, sql: str) -> ToolResult:
        if not sql.strip():
            return ToolResult(text="sql is empty, and a query is expected", ok=False)
        if len(sql) > _MAX_SQL:
            why = f"sql has {len(sql):,} characters, and at most {_MAX_SQL:,} are taken"
            return ToolResult(text=why, ok=False)
        execution = self._door.execute(sql)
        self._log(execution)
        text = result_text(execution, max_rows=self._max_rows, max_text=self._max_text)
        return ToolResult(text=text, ok=execution.problem is None)

    def _log(self, execution: Execution) -> None:
        result, problem = execution.result, execution.problem
        query = LoggedQuery(
            sql=execution.sql,
            rows=None if result is None else len(result.rows),
            value=None if result is None else single_value(result),
            error=None if problem is None else f"{problem.kind}: {problem.message}",
        )
        self._queries.append(query)
        if self._on_query is not None:
            self._on_query(query)
