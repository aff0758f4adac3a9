"""What a program outside goldsuite gets of the warehouse: a copy of its own.

A command-line analyst opens the database itself, where no door guards it. With a private copy it
can neither damage the original nor learn where the project lies.
"""

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from sqlalchemy.engine import URL

from goldsuite.errors import WarehouseError
from goldsuite.warehouse import snapshot
from goldsuite.warehouse.door import one_line
from goldsuite.warehouse.files import locate_file, parse_url
from goldsuite.warehouse.urls import mask_url

DEFAULT_MAX_BYTES = 2 * 1024**3
_COPY_TIMEOUT_S = 600.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Handout:
    """The warehouse as an outside program gets it."""

    url: str
    """With an absolute path; may hold a secret where it is not a file's."""
    copied: bool
    """False if `url` is the original."""
    note: str
    """One sentence for the record, without secrets."""


def hand_out(
    url: str,
    directory: Path,
    *,
    base_dir: Path | None = None,
    max_bytes: int = DEFAULT_MAX_BYTES,
) -> Handout:
    """Put a read-only copy of the warehouse into `directory`, and say how to reach it.

    The copy is called `warehouse.duckdb` or `warehouse.sqlite`, whatever the original is called.
    A database larger than `max_bytes`, or behind a server, is handed out as it is.

    Raises:
        PreflightError: the file is not there.
        WarehouseError: the URL names no warehouse, or the file cannot be copied.
    """
    masked = mask_url(url)
    parsed = parse_url(url)
    backend = parsed.get_backend_name()
    copy = _COPIERS.get(backend)
    if copy is None:
        return Handout(url=url, copied=False, note="The analyst uses the warehouse itself.")
    source = locate_file(parsed, base_dir=base_dir, masked_url=masked).path
    size = source.stat().st_size
    if size > max_bytes:
        note = f"The analyst opens the original file: {size:,} bytes are too many for a copy."
        return Handout(url=_file_url(backend, source), copied=False, note=note)
    target = directory.absolute() / f"warehouse.{backend}"
    try:
        _replace(copy, source, target)
    except (sqlite3.Error, OSError, subprocess.SubprocessError) as error:
        raise WarehouseError(
            f"{masked}: no copy could be made for the analyst: {one_line(error, ())}. "
            "Check the free space, and that no other process is writing to the database."
        ) from None
    note = f"The analyst opens a read-only copy of the {backend} file."
    return Handout(url=_file_url(backend, target), copied=True, note=note)


def _replace(copy: Callable[[Path, Path], None], source: Path, target: Path) -> None:
    unfinished = target.with_name(f"{target.name}.part")
    unfinished.unlink(missing_ok=True)
    try:
        copy(source, unfinished)
        Path(f"{target}.wal").unlink(missing_ok=True)  # Of an earlier copy.
        for suffix in ("", ".wal"):
            part = Path(f"{unfinished}{suffix}")
            if part.exists():
                part.chmod(0o444)
                part.replace(f"{target}{suffix}")
    finally:
        for suffix in ("", ".wal"):
            Path(f"{unfinished}{suffix}").unlink(missing_ok=True)


def _copy_duckdb(source: Path, target: Path) -> None:
    command = [sys.executable, "-P", snapshot.__file__, str(source), str(target)]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, timeout=_COPY_TIMEOUT_S
    )
    if done.returncode != 0:
        raise OSError(done.stderr.strip() or f"the copy ended with code {done.returncode}")


def _copy_sqlite(source: Path, target: Path) -> None:
    with (
        closing(sqlite3.connect(f"file:{quote(str(source))}?mode=ro", uri=True)) as original,
        closing(sqlite3.connect(target)) as copy,
    ):
        original.backup(copy)
        # A copy in write-ahead mode could not be opened in a folder without write permission.
        copy.execute("pragma journal_mode = delete").fetchall()


_COPIERS: dict[str, Callable[[Path, Path], None]] = {
    "duckdb": _copy_duckdb,
    "sqlite": _copy_sqlite,
}


def _file_url(backend: str, path: Path) -> str:
    return URL.create(backend, database=str(path)).render_as_string(hide_password=False)
