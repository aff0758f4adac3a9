"""The runs of a folder at a glance, without reading all records every time.

`.index.jsonl` in the runs directory keeps what was read, under the name, size and times of each
file. A file that has changed since is read again; the index may be deleted at any time. Its first
line is the hash of the others, so that what was cut or edited is not believed.
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from goldsuite.collector import without_collector
from goldsuite.durable import write_whole
from goldsuite.errors import RecordError
from goldsuite.records.file import read_head
from goldsuite.records.header import RunHeader, header_from_row, header_of, header_row
from goldsuite.records.latest import record_paths

__all__ = ["INDEX", "Listing", "list_runs"]

INDEX = ".index.jsonl"
_FORMAT = 1
"""Of the index; one of another format is made anew."""

_PART = 100
"""Files that a thread reads in one go."""

_Stamp: TypeAlias = tuple[int, int, int]
_Entry: TypeAlias = RunHeader | str
"""A run, or why its file cannot be read."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Listing:
    """What a runs directory holds."""

    runs: tuple[RunHeader, ...]
    """Oldest first."""
    faults: tuple[str, ...]
    """Of files that are no record that can be read, one sentence each."""


def list_runs(runs_dir: Path) -> Listing:
    """All runs of a folder; none where there is no such folder.

    Records that were read before are not read again, see the module. What cannot be read is told,
    and keeps nothing else from being listed.
    """
    with without_collector():
        return _list_runs(runs_dir)


def _list_runs(runs_dir: Path) -> Listing:
    paths = {path.name: path for path in record_paths(runs_dir)}
    stamps = {name: stamp for name, path in paths.items() if (stamp := _stamp(path)) is not None}
    known = _read_index(runs_dir / INDEX)
    entries: dict[str, _Entry] = {
        name: known[name, stamp] for name, stamp in stamps.items() if (name, stamp) in known
    }
    new = [name for name in stamps if name not in entries]
    if new:
        # Reading and hashing leave the interpreter free for another thread.
        parts = [new[at : at + _PART] for at in range(0, len(new), _PART)]
        with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
            for part, read in zip(
                parts,
                pool.map(lambda part: [_read(paths[name]) for name in part], parts),
                strict=True,
            ):
                entries |= zip(part, read, strict=True)
    if new or len(known) != len(entries):
        # A folder that cannot be written to is listed all the same.
        with contextlib.suppress(OSError):
            write_whole(runs_dir / INDEX, _index_text(entries, stamps))
    runs = [entry for entry in entries.values() if isinstance(entry, RunHeader)]
    return Listing(
        runs=tuple(sorted(runs, key=lambda run: (run.started_at, run.run_id))),
        faults=tuple(
            f"{paths[name]}: {entry}"
            for name, entry in sorted(entries.items())
            if isinstance(entry, str)
        ),
    )


def _stamp(path: Path) -> _Stamp | None:
    try:
        found = path.stat()
    except OSError:
        return None
    # The time of change cannot be set by a program that sets the time of modification back.
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _read(path: Path) -> _Entry:
    try:
        return header_of(read_head(path), file=path.name)
    except RecordError as error:
        return str(error).removeprefix(f"{path}: ")
    except (KeyError, TypeError, ValueError, AttributeError):
        return "not a whole run record"


def _index_text(entries: Mapping[str, _Entry], stamps: Mapping[str, _Stamp]) -> str:
    rows = (
        [name, stamps[name], entry if isinstance(entry, str) else header_row(entry)]
        for name, entry in sorted(entries.items())
    )
    lines = "".join(f"{_compact(row)}\n" for row in rows)
    return f"{_compact([_FORMAT, _sha256(lines)])}\n{lines}"


def _read_index(path: Path) -> dict[tuple[str, _Stamp], _Entry]:
    try:
        first, _, lines = path.read_text(encoding="utf-8").partition("\n")
        if json.loads(first) != [_FORMAT, _sha256(lines)]:
            return {}
        return dict(map(_known, lines.splitlines()))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _known(line: str) -> tuple[tuple[str, _Stamp], _Entry]:
    name, (size, modified, changed), entry = json.loads(line)
    known = entry if isinstance(entry, str) else header_from_row(entry)
    return (name, (size, modified, changed)), known


def _compact(row: Iterable[Any]) -> str:
    # Escaped, so that no text has a character at which `splitlines` would part it.
    return json.dumps(row, separators=(",", ":"))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
