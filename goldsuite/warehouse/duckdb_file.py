"""DuckDB: a file opened read-only, with files, network and settings out of reach.

Every statement runs in a worker process, because DuckDB's interrupt is only a request: a function
that does not look for it runs on, in time and in memory, until its process is killed. Gold has
workers of its own. This process only keeps the file open, so that nobody writes to it meanwhile.
"""

import json
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
from sqlalchemy.engine import Engine, create_engine
from sqlalchemy.engine.url import URL
from sqlalchemy.pool import NullPool
from sqlglot.errors import SqlglotError

from goldsuite.model.result_set import ProblemKind
from goldsuite.sqltext.gate import (
    Reference,
    ReferenceKind,
    Refusal,
    Rule,
    check_references,
    token_references,
)
from goldsuite.warehouse.adapter import PlainHold, Redaction
from goldsuite.warehouse.base import Limits, Snapshot
from goldsuite.warehouse.confine import can_forbid_changes
from goldsuite.warehouse.duckdb_dialect import register
from goldsuite.warehouse.duckdb_session import open_locked
from goldsuite.warehouse.files import allowed_redactions, first_bytes, path_redactions
from goldsuite.warehouse.worker_connection import (
    StatementLimit,
    WorkerConnection,
    error_maker,
)
from goldsuite.warehouse.worker_pool import (
    OverdueError,
    WorkerLostError,
    WorkerOrder,
    WorkerPool,
    WorkerStartError,
)

DEFAULT_WORKERS = 4

_HOLDER_BYTES = 100_000_000
"""For the connection that runs nothing. Always the same: all that one process opens of one file
must have one configuration."""

# Nodes of DuckDB's own syntax tree that only read.
_READING_NODES = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"})


class DuckDBFile:
    """Implements `goldsuite.warehouse.adapter.Adapter` for one DuckDB file."""

    dialect = "duckdb"
    time_zone = "UTC"
    errors: tuple[type[Exception], ...] = (duckdb.Error, WorkerStartError)
    probe: str | None = None

    def __init__(
        self,
        path: Path,
        limits: Limits,
        workers: int = DEFAULT_WORKERS,
        *,
        allow_paths: Sequence[Path] = (),
        folder: Path = Path("/"),
    ) -> None:
        """Open `path`.

        Args:
            workers: statements that each door may run at once, each in a process of its own; those
                of the analyst's door have an equal share of the memory.
            allow_paths: files and folders that views may read besides; absolute.
            folder: what a relative path in a view counts from.

        Raises:
            duckdb.Error: it cannot be opened; `open_hint` says what to try.
        """
        self.name = f"DuckDB {duckdb.__version__}"
        self.redactions: tuple[Redaction, ...] = (
            *path_redactions(path),
            *allowed_redactions(allow_paths),
        )
        self._path = path
        self._allow_paths = tuple(allow_paths)
        self._folder = folder
        self._max_bytes = limits.max_bytes
        self._holder = open_locked(path, _HOLDER_BYTES)
        self._gold = self._workers(limits.memory_bytes, workers, guarded=False)
        self._pool = self._workers(limits.memory_bytes // workers, workers, guarded=True)
        self._make_error = error_maker(duckdb)
        register()

    @property
    def warnings(self) -> tuple[str, ...]:
        if not self._allow_paths or can_forbid_changes():
            return ()
        return (
            (
                "allow_paths: this system cannot forbid a process to write files (Linux can, by "
                "Landlock, since 5.13), so that only the gate and file permissions keep the "
                "allowed paths from being written to"
            ),
        )

    def engine(self, *, guarded: bool) -> Engine:
        url = URL.create("duckdb", database=str(self._path))
        pool = self._pool if guarded else self._gold
        # One statement is its own transaction here.
        return create_engine(
            url,
            creator=lambda: WorkerConnection(pool, self._make_error),
            poolclass=NullPool,
            isolation_level="AUTOCOMMIT",
        )

    def check(
        self,
        raw: Any,
        sql: str,
        *,
        parsed: bool,
        guarded: bool,
        allow_functions: Collection[str] = (),
    ) -> Refusal | None:
        kinds = raw.statement_kinds(sql)
        if kinds is None:
            return None  # No DuckDB SQL at all: running it gives the engine's own message.
        if len(kinds) != 1:
            why = f"DuckDB reads {len(kinds)} statements where one is expected"
            return Refusal(rule=Rule.ONE_STATEMENT, message=why)
        kind = kinds[0]
        # A PIVOT whose values are not listed is MULTI: DuckDB looks the values up first.
        pivot = kind == "MULTI" and (parsed or _is_subquery(raw, sql))
        if kind != "SELECT" and not pivot:
            why = f"DuckDB calls this statement {kind}, which is no query"
            return Refusal(rule=Rule.QUERY_ONLY, message=why)
        if parsed or (pivot and not guarded):
            return None
        if pivot:
            return _check_tokens(raw, sql, allow_functions)
        return _check_tree(raw, sql, guarded=guarded, allow_functions=allow_functions)

    def time_limit(self, raw: WorkerConnection, seconds: float) -> StatementLimit:
        return raw.time_limit(seconds)

    def problem_kind(self, error: BaseException) -> ProblemKind:
        # A crash says nothing of the SQL, and it is mostly memory that was refused.
        if isinstance(error, (duckdb.OutOfMemoryException, MemoryError, WorkerLostError)):
            return "too_large"
        if isinstance(error, OverdueError):
            return "timed_out"
        if isinstance(error, duckdb.PermissionException) or "read-only mode" in str(error):
            return "refused"
        return "failed"

    def column_type(self, described: Any) -> str | None:
        return str(described[1])

    def hold_still(self) -> PlainHold:
        """Nothing to do: as long as this file is open, the engine lets nobody write to it."""
        return PlainHold(snapshot=Snapshot.READ_ONLY_FILE)

    def worker_processes(self) -> Sequence[int]:
        """The process ids of the analyst's workers that are there, sorted."""
        return self._pool.processes()

    def close(self) -> None:
        self._gold.close()
        self._pool.close()
        self._holder.close()

    def _workers(self, memory_bytes: int, count: int, *, guarded: bool) -> WorkerPool:
        order = WorkerOrder(
            engine="duckdb",
            path=self._path,
            memory_bytes=memory_bytes,
            max_value_bytes=self._max_bytes,
            file_bytes=0,
            guarded=guarded,
            allow_paths=self._allow_paths,
            folder=self._folder,
        )
        return WorkerPool(order, count)


def open_adapter(
    path: Path, limits: Limits, workers: int, allow_paths: Sequence[Path], folder: Path
) -> DuckDBFile:
    """Open `path`, whose views may read `allow_paths`; relative ones count from `folder`."""
    return DuckDBFile(path, limits, workers, allow_paths=allow_paths, folder=folder)


def open_hint(error: BaseException, path: Path) -> str:
    """What to try when `path` cannot be opened; empty where nothing is known."""
    text = str(error)
    if "lock" in text and "PID" in text:
        return "Another process is writing to the file: end it, or use a copy."
    if "different configuration" in text:
        return "This process has the file open with other settings: close that one first."
    # Only now: opening and closing a file drops the locks that the engine holds on it.
    if first_bytes(path, 15) == b"SQLite format 3":
        return f"The file is a SQLite database: use sqlite:///{path}."
    if "not a valid" in text:
        return "The file is no DuckDB database, or it is damaged: build it again."
    if "version" in text:
        return "The file was written by another version of DuckDB: export and build it again."
    return ""


def _is_subquery(raw: Any, sql: str) -> bool:
    # Only split into statements, never run.
    kinds = raw.statement_kinds("select * from ({}\n)".format(sql.rstrip().rstrip(";")))  # noqa: S608
    return kinds is not None and len(kinds) == 1


def _check_tokens(raw: Any, sql: str, allow_functions: Collection[str]) -> Refusal | None:
    """Check every word of a PIVOT that sqlglot cannot read and DuckDB cannot show as a tree."""
    rows = _rows(
        raw,
        "select distinct lower(function_name) from duckdb_functions() "
        "where function_type not in ('scalar', 'aggregate', 'macro', 'window')",
    )
    try:
        references = token_references(sql, "duckdb", {name for (name,) in rows})
    except SqlglotError:
        return Refusal(rule=Rule.NOT_PARSED, message="its words cannot be told apart")
    return check_references(references, "duckdb", sql=sql, allow_functions=allow_functions)


def _check_tree(
    raw: Any, sql: str, *, guarded: bool, allow_functions: Collection[str]
) -> Refusal | None:
    """Check the names in DuckDB's own syntax tree, where sqlglot could not read the text."""
    tree = json.loads(_rows(raw, "select json_serialize_sql(?)", sql)[0][0])
    unsafe = Refusal(
        rule=Rule.NOT_PARSED, message="neither parser can show that it only reads; write it simpler"
    )
    if tree["error"]:
        return unsafe if guarded else None
    nodes = list(_nodes(tree))
    if any(_writes(node) for node in nodes):
        return Refusal(rule=Rule.NO_WRITES, message="a part of the query writes")
    if not guarded:
        return None
    try:
        references = list(_tree_references(nodes))
    except (KeyError, TypeError):
        return unsafe
    return check_references(references, "duckdb", allow_functions=allow_functions)


def _rows(raw: Any, sql: str, *parameters: str) -> list[Any]:
    cursor = raw.cursor()
    cursor.execute(sql, parameters)
    rows: list[Any] = cursor.fetchall()
    return rows


def _writes(node: dict[str, Any]) -> bool:
    kind = node.get("type")
    return isinstance(kind, str) and kind.endswith("_NODE") and kind not in _READING_NODES


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            yield node
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)


def _tree_references(nodes: list[dict[str, Any]]) -> Iterator[Reference]:
    sources = {id(node["function"]) for node in nodes if node.get("type") == "TABLE_FUNCTION"}
    for node in nodes:
        if node.get("type") == "BASE_TABLE":
            yield Reference(kind="table", name=node["table_name"])
        elif node.get("class") == "FUNCTION":
            kind: ReferenceKind = "table function" if id(node) in sources else "function"
            yield Reference(kind=kind, name=node["function_name"])
