"""DuckDB: a file opened read-only, with files, network and settings out of reach.

One process can open one DuckDB file with one configuration only, so both doors share it, and every
statement gets a session of its own inside.
"""

import json
import threading
from collections.abc import Collection, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

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
from goldsuite.warehouse.adapter import Redaction
from goldsuite.warehouse.base import Limits
from goldsuite.warehouse.duckdb_dialect import DuckDBConnection, register
from goldsuite.warehouse.files import first_bytes, path_redactions

_REPEAT_S = 0.05
_OPENING = threading.Lock()

# Nodes of DuckDB's own syntax tree that only read.
_READING_NODES = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"})


def configuration(limits: Limits) -> dict[str, str | bool | int | float | list[str]]:
    """The settings that a locked DuckDB is opened with."""
    return {
        "enable_external_access": "false",
        "allow_community_extensions": "false",
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "allow_persistent_secrets": "false",
        "python_enable_replacements": "false",
        "memory_limit": f"{limits.memory_bytes}B",
        "temp_directory": "",
        "max_temp_directory_size": "0GB",
    }


class InterruptTimer:
    """Interrupts a session once its time is up, again and again until the statement ends.

    Again, because an interrupt that comes before the engine has begun is forgotten.
    """

    def __init__(self, raw: duckdb.DuckDBPyConnection, seconds: float) -> None:
        self.expired = False
        self._raw = raw
        self._seconds = seconds
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="duckdb-time-limit", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        if self._done.wait(self._seconds):
            return
        self.expired = True
        while True:
            self._raw.interrupt()
            if self._done.wait(_REPEAT_S):
                return


class DuckDBFile:
    """Implements `goldsuite.warehouse.adapter.Adapter` for one DuckDB file."""

    dialect = "duckdb"
    errors: tuple[type[Exception], ...] = (duckdb.Error,)
    probe: str | None = None

    def __init__(self, path: Path, limits: Limits) -> None:
        """Open `path`.

        Raises:
            duckdb.Error: it cannot be opened; `open_hint` says what to try.
        """
        self.name = f"DuckDB {duckdb.__version__}"
        self.redactions: tuple[Redaction, ...] = path_redactions(path)
        self._path = path
        self._root = _open_locked(path, limits)
        register()

    def engine(self, *, guarded: bool) -> Engine:  # noqa: ARG002 - one configuration per process
        url = URL.create("duckdb", database=str(self._path))
        # One statement is its own transaction here; a BEGIN around it would cost a third more.
        return create_engine(
            url, creator=self._session, poolclass=NullPool, isolation_level="AUTOCOMMIT"
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
        try:
            statements = raw.raw.extract_statements(sql)
        except duckdb.Error:
            return None  # No DuckDB SQL at all: running it gives the engine's own message.
        if len(statements) != 1:
            why = f"DuckDB reads {len(statements)} statements where one is expected"
            return Refusal(rule=Rule.ONE_STATEMENT, message=why)
        kind = statements[0].type
        # A PIVOT whose values are not listed is MULTI: DuckDB looks the values up first.
        pivot = kind == duckdb.StatementType.MULTI and (parsed or _is_subquery(raw.raw, sql))
        if kind != duckdb.StatementType.SELECT and not pivot:
            why = f"DuckDB calls this statement {kind.name}, which is no query"
            return Refusal(rule=Rule.QUERY_ONLY, message=why)
        if parsed or (pivot and not guarded):
            return None
        if pivot:
            return _check_tokens(raw.raw, sql, allow_functions)
        return _check_tree(raw.raw, sql, guarded=guarded, allow_functions=allow_functions)

    def time_limit(self, raw: Any, seconds: float) -> InterruptTimer:
        return InterruptTimer(raw.raw, seconds)

    def problem_kind(self, error: BaseException) -> ProblemKind:
        if isinstance(error, (duckdb.OutOfMemoryException, MemoryError)):
            return "too_large"
        if isinstance(error, duckdb.PermissionException) or "read-only mode" in str(error):
            return "refused"
        return "failed"

    def column_type(self, described: Any) -> str | None:
        return str(described[1])

    def close(self) -> None:
        self._root.close()

    def _session(self) -> DuckDBConnection:
        # `cursor()` is DuckDB's word for a new session: no temporary table, macro or variable
        # of another one is seen in it.
        return DuckDBConnection(self._root.cursor())


def open_hint(error: BaseException, path: Path) -> str:
    """What to try when `path` cannot be opened; empty where nothing is known."""
    text = str(error)
    if "lock" in text and "PID" in text:
        return "Another process is writing to the file: end it, or use a copy."
    if "different configuration" in text:
        return "This process has the file open with other limits: close that one first."
    # Only now: opening and closing a file drops the locks that the engine holds on it.
    if first_bytes(path, 15) == b"SQLite format 3":
        return f"The file is a SQLite database: use sqlite:///{path.name}."
    if "not a valid" in text:
        return "The file is no DuckDB database, or it is damaged: build it again."
    if "version" in text:
        return "The file was written by another version of DuckDB: export and build it again."
    return ""


def _open_locked(path: Path, limits: Limits) -> duckdb.DuckDBPyConnection:
    with _OPENING:
        root = duckdb.connect(str(path), read_only=True, config=configuration(limits))
        locked = root.execute("select current_setting('lock_configuration')").fetchone()
        if locked is not None and not locked[0]:
            # The time zone belongs to an extension that is not there yet while a file is opened.
            root.execute("set global TimeZone = 'UTC'")
            root.execute("set lock_configuration = true")
        return root


def _is_subquery(raw: duckdb.DuckDBPyConnection, sql: str) -> bool:
    # Only split into statements, never run.
    wrapped = "select * from ({}\n)".format(sql.rstrip().rstrip(";"))  # noqa: S608
    try:
        return len(raw.extract_statements(wrapped)) == 1
    except duckdb.Error:
        return False


def _check_tokens(
    raw: duckdb.DuckDBPyConnection, sql: str, allow_functions: Collection[str]
) -> Refusal | None:
    """Check every word of a PIVOT that sqlglot cannot read and DuckDB cannot show as a tree."""
    rows = raw.execute(
        "select distinct lower(function_name) from duckdb_functions() "
        "where function_type not in ('scalar', 'aggregate', 'macro', 'window')"
    ).fetchall()
    try:
        references = token_references(sql, "duckdb", {name for (name,) in rows})
    except SqlglotError:
        return Refusal(rule=Rule.NOT_PARSED, message="its words cannot be told apart")
    return check_references(references, "duckdb", sql=sql, allow_functions=allow_functions)


def _check_tree(
    raw: duckdb.DuckDBPyConnection, sql: str, *, guarded: bool, allow_functions: Collection[str]
) -> Refusal | None:
    """Check the names in DuckDB's own syntax tree, where sqlglot could not read the text."""
    row = raw.execute("select json_serialize_sql(?)", [sql]).fetchone()
    tree = json.loads(row[0]) if row else {"error": True}
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
