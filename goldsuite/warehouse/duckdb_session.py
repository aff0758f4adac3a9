"""DuckDB, opened read-only and locked, with nothing else loaded: what a worker process runs.

Both doors open their sessions here, in worker processes.
"""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb

_OPENING = threading.Lock()


def configuration(
    memory_bytes: int, *, sealed: bool
) -> dict[str, str | bool | int | float | list[str]]:
    """The settings that a DuckDB is opened with; not `sealed` where paths are still to be named."""
    return {
        "enable_external_access": not sealed,
        "allow_community_extensions": "false",
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "allow_persistent_secrets": "false",
        "python_enable_replacements": "false",
        "memory_limit": f"{memory_bytes}B",
        "temp_directory": "",
        "max_temp_directory_size": "0GB",
    }


def open_locked(
    path: Path, memory_bytes: int, allow_paths: Sequence[str] = ()
) -> duckdb.DuckDBPyConnection:
    """Open `path`, from which sessions are made by `cursor()`.

    Args:
        allow_paths: files and folders that views may read besides, absolute; all else is refused.

    Raises:
        duckdb.Error: it cannot be opened; `duckdb_file.open_hint` says what to try.
    """
    with _OPENING:
        config = configuration(memory_bytes, sealed=not allow_paths)
        root = duckdb.connect(str(path), read_only=True, config=config)
        locked = root.execute("select current_setting('lock_configuration')").fetchone()
        if locked is not None and not locked[0]:
            # The time zone belongs to an extension that is not there yet while a file is opened.
            root.execute("set global TimeZone = 'UTC'")
            if allow_paths:
                _allow(root, allow_paths)
            root.execute("set lock_configuration = true")
        return root


def _allow(root: duckdb.DuckDBPyConnection, paths: Sequence[str]) -> None:
    """Open `paths` and nothing else: both lists are closed with the access itself."""
    folders = [path for path in paths if Path(path).is_dir()]
    files = [path for path in paths if path not in folders]
    root.execute(f"set allowed_directories = {_list(folders)}")
    root.execute(f"set allowed_paths = {_list(files)}")
    root.execute("set enable_external_access = false")


def _list(texts: Sequence[str]) -> str:
    quoted = ["'" + text.replace("'", "''") + "'" for text in texts]
    return f"[{', '.join(quoted)}]"


def statement_kinds(raw: duckdb.DuckDBPyConnection, sql: str) -> list[str] | None:
    """What statements DuckDB reads in `sql`, such as `SELECT`; None where it is no DuckDB SQL."""
    try:
        return [statement.type.name for statement in raw.extract_statements(sql)]
    except duckdb.Error:
        return None


class DuckDBSession:
    """Implements `goldsuite.warehouse.worker.Session`."""

    def __init__(self, raw: duckdb.DuckDBPyConnection) -> None:
        self._raw = raw

    def kinds(self, sql: str) -> list[str] | None:
        return statement_kinds(self._raw, sql)

    def execute(self, sql: str, parameters: Sequence[Any]) -> list[tuple[str, str | None]] | None:
        if parameters:
            self._raw.execute(sql, parameters)
        else:
            self._raw.execute(sql)
        described: Any = self._raw.description
        if described is None:
            return None
        return [(str(entry[0] or ""), str(entry[1])) for entry in described]

    def fetch(self, size: int) -> Sequence[Sequence[Any]]:
        return self._raw.fetchmany(size)

    def interrupt(self) -> None:
        self._raw.interrupt()

    def close(self) -> None:
        self._raw.close()


class DuckDBDatabase:
    """Implements `goldsuite.warehouse.worker.Database`."""

    def __init__(self, root: duckdb.DuckDBPyConnection) -> None:
        self._root = root

    def session(self) -> DuckDBSession:
        return DuckDBSession(self._root.cursor())


def open_database(path: Path, memory_bytes: int, allow_paths: Sequence[str]) -> DuckDBDatabase:
    """Open `path` for a worker process; `allow_paths` as in `open_locked`."""
    return DuckDBDatabase(open_locked(path, memory_bytes, allow_paths))
