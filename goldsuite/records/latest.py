"""`latest.json`: the newest record of a runs directory, under a name that never changes."""

import contextlib
import os
import tempfile
from pathlib import Path

from goldsuite.durable import write_whole

__all__ = ["LATEST", "point_latest", "record_paths"]

LATEST = "latest.json"


def record_paths(runs_dir: Path) -> tuple[Path, ...]:
    """All record files, oldest first: a run id starts with its time, so its name is its order."""
    try:
        with os.scandir(runs_dir) as entries:
            names = [entry.name for entry in entries if _is_record(entry)]
    except (FileNotFoundError, NotADirectoryError):
        return ()
    return tuple(runs_dir / name for name in sorted(names))


def _is_record(entry: "os.DirEntry[str]") -> bool:
    name = entry.name
    return name.endswith(".json") and name != LATEST and name[0] != "." and entry.is_file()


def point_latest(runs_dir: Path) -> None:
    """Let `latest.json` point to the newest record of the folder, from one moment to the next.

    It is a symbolic link by name alone, so that the folder can be moved; where the file system has
    none, a copy. That it cannot be made is no fault: the records are what counts.
    """
    paths = record_paths(runs_dir)
    if not paths:
        return
    with contextlib.suppress(OSError):
        try:
            _link(paths[-1])
        except OSError:
            write_whole(runs_dir / LATEST, paths[-1].read_text(encoding="utf-8"))


def _link(record: Path) -> None:
    # A folder of our own has room for a name that nobody else takes meanwhile.
    with tempfile.TemporaryDirectory(dir=record.parent, prefix=f".{LATEST}.") as folder:
        link = Path(folder) / "link"
        # Made in a folder that goes again: what counts is where the link is moved to.
        link.symlink_to(record.name)
        link.replace(record.parent / LATEST)
