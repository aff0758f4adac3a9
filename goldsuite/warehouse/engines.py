"""Opens a warehouse from its URL: which engine, is it there, does it answer."""

import sqlite3
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self

import duckdb
from sqlalchemy.engine.url import URL
from sqlalchemy.exc import NoSuchModuleError, SQLAlchemyError

from goldsuite.errors import PreflightError, WarehouseError
from goldsuite.warehouse import duckdb_file, sqlite_file
from goldsuite.warehouse.adapter import Adapter, PlainHold, Redaction, Steady
from goldsuite.warehouse.base import Catalog, Limits, Snapshot
from goldsuite.warehouse.catalog import read_catalog
from goldsuite.warehouse.door import SqlDoor, driver_error, one_line
from goldsuite.warehouse.files import check_allowed, locate_file, parse_url
from goldsuite.warehouse.moment import HeldMoment
from goldsuite.warehouse.server import (
    REFLECTING,
    SERVERS,
    Server,
    known_server,
    load_server,
    plain_url,
    secret_redactions,
)
from goldsuite.warehouse.urls import mask_url

DEFAULT_CONCURRENCY = 4
"""Statements that run at once through one door."""

CATALOG_TIMEOUT_S = 10.0
"""For one query of the catalog: a count, or the values of one table."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FileEngine:
    """An engine whose warehouse is one file."""

    open: Callable[[Path, Limits, int, Sequence[Path], Path], Adapter]
    """From the file, the limits, how many statements may run at once through one door, what may be
    read besides the file, and the folder that relative paths in the file count from."""
    hint: Callable[[BaseException, Path], str]
    drivers: frozenset[str]
    """Names after the `+` of a URL that mean the driver used here."""


ENGINES: dict[str, FileEngine] = {
    "duckdb": FileEngine(
        open=duckdb_file.open_adapter,
        hint=duckdb_file.open_hint,
        drivers=frozenset({"duckdb"}),
    ),
    "sqlite": FileEngine(
        open=sqlite_file.open_adapter, hint=sqlite_file.open_hint, drivers=frozenset({"pysqlite"})
    ),
}


class OpenWarehouse:
    """Implements `goldsuite.warehouse.base.Warehouse`."""

    def __init__(
        self,
        adapter: Adapter,
        *,
        masked_url: str,
        limits: Limits,
        concurrency: int,
        allow_functions: Collection[str],
        hint: Callable[[BaseException], str],
        warnings: tuple[str, ...] = (),
        estimates: str | None = None,
    ) -> None:
        self._adapter = adapter
        self._limits = limits
        self._concurrency = concurrency
        self._warnings = warnings
        self._estimates = estimates
        self._masked_url = masked_url
        self._hint = hint
        self._faults: tuple[type[Exception], ...] = (SQLAlchemyError, *adapter.errors)
        self._gold = SqlDoor(adapter, limits, guarded=False, concurrency=concurrency)
        self._analyst = SqlDoor(
            adapter,
            limits,
            guarded=True,
            concurrency=concurrency,
            allow_functions=allow_functions,
        )
        # Counting and sampling must not hold up a run: what takes long stays unknown.
        brief = replace(limits, timeout_s=min(limits.timeout_s, CATALOG_TIMEOUT_S))
        self._counter = SqlDoor(adapter, brief, guarded=False, concurrency=1)
        self._catalog: Catalog | None = None
        self._catalog_lock = threading.Lock()

    @property
    def dialect(self) -> str:
        return self._adapter.dialect

    @property
    def engine(self) -> str:
        return self._adapter.name

    @property
    def masked_url(self) -> str:
        return self._masked_url

    @property
    def warnings(self) -> tuple[str, ...]:
        return self._warnings

    @property
    def gold(self) -> SqlDoor:
        return self._gold

    @property
    def analyst(self) -> SqlDoor:
        return self._analyst

    @property
    def limits(self) -> Limits:
        """What one statement may take."""
        return self._limits

    @property
    def concurrency(self) -> int:
        """Statements that run at once through each door."""
        return self._concurrency

    @property
    def time_zone(self) -> str | None:
        """Of the sessions of both doors; None where the engine could not be held to one."""
        return self._adapter.time_zone if isinstance(self._adapter, Steady) else None

    @contextmanager
    def moment(self) -> Iterator[HeldMoment]:
        """Hold the data still, as far as the engine can, until the block ends."""
        steady = self._adapter if isinstance(self._adapter, Steady) else None
        hold = steady.hold_still() if steady else PlainHold(snapshot=Snapshot.NONE)
        with closing(hold):
            yield HeldMoment(self._gold, self._analyst, hold)

    def preflight(self) -> None:
        """Run `select 1` through the session's SQLAlchemy engine.

        Raises:
            PreflightError: it failed; says why, and what to try.
        """
        try:
            with self._gold.sqlalchemy_engine.connect() as connection:
                connection.exec_driver_sql("select 1").fetchall()
                if self._adapter.probe is not None:
                    connection.exec_driver_sql(self._adapter.probe).fetchall()
        except self._faults as error:
            cause = driver_error(error)
            raise preflight_error(
                self._masked_url, cause, self._hint(cause), self._adapter.redactions
            ) from None

    def catalog(self) -> Catalog:
        """Tables, columns, keys and low-cardinality values; read once, then cached.

        Raises:
            WarehouseError: the engine would not tell its tables.
        """
        with self._catalog_lock:
            if self._catalog is None:
                try:
                    self._catalog = read_catalog(
                        self._gold.sqlalchemy_engine.execution_options(
                            **{REFLECTING: True, "no_parameters": False}
                        ),
                        self._counter,
                        estimates=self._estimates,
                    )
                except self._faults as error:
                    reason = one_line(driver_error(error), self._adapter.redactions)
                    raise WarehouseError(
                        f"{self._masked_url}: the tables cannot be listed: {reason}"
                    ) from None
            return self._catalog

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the file back; whatever is asked afterwards fails."""
        self._counter.close()
        self._gold.close()
        self._analyst.close()
        self._adapter.close()


def open_warehouse(
    url: str,
    *,
    limits: Limits | None = None,
    base_dir: Path | None = None,
    concurrency: int = DEFAULT_CONCURRENCY,
    allow_functions: Collection[str] = (),
    allow_paths: Sequence[Path] = (),
) -> OpenWarehouse:
    """Open the warehouse that `url` names, read-only, and make sure that it answers `select 1`.

    Args:
        url: a SQLAlchemy URL; a relative path in it counts from `base_dir`.
        base_dir: the folder of the configuration that holds `url`; None: the working folder.
        concurrency: statements that may run at once through each door.
        allow_functions: functions that the analyst's door lets through besides the known ones.
        allow_paths: files and folders, absolute, that DuckDB's views may read (Parquet, CSV, JSON);
            nothing outside of the database file and of these is opened.

    Raises:
        PreflightError: the warehouse is not there or does not answer.
        WarehouseError: the URL names no warehouse that goldsuite can open.
    """
    limits = limits or Limits()
    masked = mask_url(url)
    parsed = parse_url(url)
    backend, _, driver = parsed.drivername.partition("+")
    server = known_server(parsed)
    if allow_paths and backend != "duckdb":
        raise WarehouseError(f"{masked}: allow_paths is for duckdb:/// alone; leave it out.")
    if server:
        return _open_server(
            server,
            plain_url(parsed),
            masked_url=masked,
            limits=limits,
            concurrency=concurrency,
            allow_functions=allow_functions,
        )
    engine = ENGINES.get(backend)
    if engine is None or (driver and driver not in engine.drivers):
        raise WarehouseError(f"{masked}: {_unsupported(parsed.drivername)}")
    file = locate_file(parsed, base_dir=base_dir, masked_url=masked)
    check_allowed(allow_paths, masked)
    try:
        folder = base_dir or Path.cwd()
        adapter = engine.open(file.path, limits, concurrency, allow_paths, folder)
    except (duckdb.Error, sqlite3.Error, OSError) as error:
        raise preflight_error(masked, error, engine.hint(error, file.path)) from None
    warehouse = OpenWarehouse(
        adapter,
        masked_url=masked,
        limits=limits,
        concurrency=concurrency,
        allow_functions=allow_functions,
        hint=lambda error: engine.hint(error, file.path),
        warnings=adapter.warnings,
    )
    return _answering(warehouse)


def _open_server(
    server: Server,
    url: URL,
    *,
    masked_url: str,
    limits: Limits,
    concurrency: int,
    allow_functions: Collection[str],
) -> OpenWarehouse:
    loaded = load_server(server, url, masked_url)
    redactions = secret_redactions(url)
    faults: tuple[type[Exception], ...] = (*loaded.errors, OSError)
    try:
        adapter = loaded.open(url, limits, redactions)
    except NoSuchModuleError:
        raise WarehouseError(f"{masked_url}: {_unsupported(url.drivername)}") from None
    except faults as error:
        raise preflight_error(masked_url, error, loaded.hint(error), redactions) from None
    warehouse = OpenWarehouse(
        adapter,
        masked_url=masked_url,
        limits=limits,
        concurrency=concurrency,
        allow_functions=allow_functions,
        hint=loaded.hint,
        warnings=adapter.warnings,
        estimates=loaded.estimates,
    )
    return _answering(warehouse)


def _answering(warehouse: OpenWarehouse) -> OpenWarehouse:
    try:
        warehouse.preflight()
    except PreflightError:
        warehouse.close()
        raise
    return warehouse


def preflight_error(
    masked_url: str, cause: BaseException, hint: str, redactions: tuple[Redaction, ...] = ()
) -> PreflightError:
    """The error for a warehouse that does not answer."""
    reason = one_line(cause, redactions).rstrip(".")
    # libpq ends by asking whether the server is running: no need to ask again.
    rest = "" if reason.endswith("?") else f". {hint}".rstrip()
    return PreflightError(f"{masked_url}: `select 1` failed: {reason}{rest}")


def _unsupported(drivername: str) -> str:
    files = " and ".join(f"{name}:///PATH" for name in sorted(ENGINES))
    servers = ", ".join(f"{name}://" for name in sorted(SERVERS))
    return (
        f"{drivername!r} is not supported by this version of goldsuite, which opens {files}, and "
        f"behind a server {servers}."
    )
