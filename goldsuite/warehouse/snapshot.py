"""Copies one DuckDB file while a read-only connection keeps writers out.

Runs as a program of its own (`python -P snapshot.py SOURCE TARGET`): inside a process that has the
database open, closing a second handle on the file would drop the engine's lock on it.
"""

import shutil
import sys
from pathlib import Path

import duckdb


def copy_database(source: Path, target: Path) -> None:
    """Copy `source`, and what of it still stands in its write-ahead log, to `target`.

    Raises:
        duckdb.Error: the file is no DuckDB database, or is being written to.
        OSError: it cannot be read, or `target` cannot be written.
    """
    settings: dict[str, str | bool | int | float | list[str]] = {"autoload_known_extensions": False}
    with duckdb.connect(str(source), read_only=True, config=settings):
        shutil.copyfile(source, target)
        log = Path(f"{source}.wal")
        if log.is_file():
            shutil.copyfile(log, f"{target}.wal")


if __name__ == "__main__":
    try:
        copy_database(Path(sys.argv[1]), Path(sys.argv[2]))
    except (duckdb.Error, OSError) as error:
        sys.exit(str(error))
