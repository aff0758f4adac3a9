"""Build the embedded demo warehouse: `python warehouse/build.py [OUT.duckdb]`.

The file is written beside its target and moved there whole, so a reader never sees half of it. A
stamp beside the file (`OUT.duckdb.stamp`) tells which generator made which bytes; while both are as
they were, a further call does nothing.
"""

import argparse
import hashlib
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

HERE = Path(__file__).resolve().parent
DEFAULT_TARGET = HERE / "demo.duckdb"


class BuildError(Exception):
    """The warehouse could not be built; the message says what to do."""


def build(target: Path = DEFAULT_TARGET) -> bool:
    """Make `target` current.

    Returns:
        True if it was built, False if it was current already.

    Raises:
        BuildError: no such folder, `target` is no file, duckdb is missing, or writing failed.
    """
    target = target.absolute()
    if not target.parent.is_dir():
        raise BuildError(f"{target.parent}: no such folder. Create it first.")
    if target.is_dir():
        raise BuildError(f"{target}: is a folder. Name a file, such as {target / 'demo.duckdb'}.")
    fingerprint = _fingerprint()
    if _is_current(target, fingerprint):
        return False
    try:
        _write(target, fingerprint)
    except OSError as error:
        raise BuildError(f"{target}: cannot be written: {error.strerror or error}") from error
    return True


def stamp_of(target: Path) -> Path:
    """Where it is noted what `target` was made by."""
    return target.with_name(target.name + ".stamp")


def _write(target: Path, fingerprint: str) -> None:
    # Only now, since a call that finds the file current should not pay for the import.
    from warehouse.store import write_database

    scratch = Path(tempfile.mkdtemp(prefix=f"{target.name}.build-", dir=target.parent))
    try:
        fresh = scratch / "fresh.duckdb"
        write_database(fresh, scratch)
        stamp = scratch / "stamp"
        stamp.write_text(json.dumps({"generator": fingerprint, "file": _sha256(fresh)}) + "\n")
        # The log of a killed writer of the old file would be replayed into the new one.
        target.with_name(target.name + ".wal").unlink(missing_ok=True)
        fresh.replace(target)
        stamp.replace(stamp_of(target))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _is_current(target: Path, fingerprint: str) -> bool:
    try:
        stamp = json.loads(stamp_of(target).read_text(encoding="utf-8"))
        return bool(stamp == {"generator": fingerprint, "file": _sha256(target)})
    except (OSError, ValueError):
        return False


def _fingerprint() -> str:
    """Hash of the generator's source and of DuckDB's version, whose file format may change."""
    digest = hashlib.sha256(_duckdb_version().encode())
    for file in sorted([*HERE.glob("*.py"), *HERE.glob("*.sql")]):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def _duckdb_version() -> str:
    try:
        return version("duckdb")
    except PackageNotFoundError:
        raise BuildError(
            f"duckdb is not installed for {sys.executable}. Run `make eval`, or "
            "`python -m pip install duckdb`."
        ) from None


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Build the embedded demo warehouse.")
    parser.add_argument("out", nargs="?", type=Path, default=DEFAULT_TARGET, metavar="OUT.duckdb")
    target: Path = parser.parse_args(arguments).out
    started = time.monotonic()
    try:
        built = build(target)
    except BuildError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if built:
        print(f"{target}: built in {time.monotonic() - started:.1f} s", file=sys.stderr)
    else:
        print(f"{target}: is current", file=sys.stderr)
    return 0


if __name__ == "__main__":
    # Run as a script, Python looks for `warehouse.store` in this folder instead of above it.
    sys.path[0] = str(HERE.parent)
    sys.exit(main())
