"""What a warehouse is, and what it would let through: the half of `check` that needs no suite."""

from dataclasses import dataclass

from goldsuite.warehouse.engines import OpenWarehouse
from goldsuite.warehouse.write_attempt import WriteAttempt, WriteOutcome, attempt_writes

__all__ = ["CheckedLimits", "WarehouseReport", "check_warehouse"]

_OUR_MEMORY = frozenset({"duckdb", "sqlite"})
"""Engines that run on this machine, within memory that goldsuite gives them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckedLimits:
    """What one statement may take, and how many may run."""

    timeout_s: float
    max_rows: int
    max_bytes: int
    """Rough size of a result's cells."""
    memory_bytes: int | None
    """Of the engine, for one door; None where it runs on a server of its own."""
    concurrency: int
    """Statements that run at once through each door."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WarehouseReport:
    """What `goldsuite check` found out about the warehouse."""

    url: str
    """Secrets masked."""
    engine: str
    """Name and version."""
    version: str
    dialect: str
    """sqlglot's name."""
    time_zone: str | None
    """Of the sessions of both doors; None where the engine could not be held to one."""
    snapshot: str
    """What will keep gold and analyst SQL on one state of the data."""
    read_only: bool | None
    """Whether a write was refused at both doors; None where that could not be told."""
    write_attempts: tuple[WriteAttempt, ...]
    limits: CheckedLimits
    tables: int
    """Tables and views."""
    warnings: tuple[str, ...]
    """What its owner should mend, such as a superuser's URL."""


def check_warehouse(warehouse: OpenWarehouse) -> WarehouseReport:
    """Ask an open warehouse for all of it, and try to write.

    Raises:
        WarehouseError: the engine would not tell its tables.
    """
    attempts = attempt_writes(warehouse)
    with warehouse.moment() as moment:
        snapshot = moment.snapshot
    return WarehouseReport(
        url=warehouse.masked_url,
        engine=warehouse.engine,
        version=warehouse.engine.rpartition(" ")[2],
        dialect=warehouse.dialect,
        time_zone=warehouse.time_zone,
        snapshot=snapshot.value,
        read_only=_read_only(attempts),
        write_attempts=attempts,
        limits=_limits(warehouse),
        tables=len(warehouse.catalog().tables),
        warnings=warehouse.warnings,
    )


def _read_only(attempts: tuple[WriteAttempt, ...]) -> bool | None:
    outcomes = {attempt.outcome for attempt in attempts}
    if WriteOutcome.LET_THROUGH in outcomes:
        return False
    return True if outcomes == {WriteOutcome.REFUSED} else None


def _limits(warehouse: OpenWarehouse) -> CheckedLimits:
    limits = warehouse.limits
    return CheckedLimits(
        timeout_s=limits.timeout_s,
        max_rows=limits.max_rows,
        max_bytes=limits.max_bytes,
        memory_bytes=limits.memory_bytes if warehouse.dialect in _OUR_MEMORY else None,
        concurrency=warehouse.concurrency,
    )
