"""Files that outlive a crash: written whole or not at all, and known to be on the disk."""

import os
import tempfile
from pathlib import Path

__all__ = ["sync_folder", "write_whole"]


def write_whole(path: Path, text: str | bytes) -> None:
    """Put `text` at `path`: a reader sees the old file or the new one, never a part.

    It is written in UTF-8, bytes as they are. The folder is made where it is not there.

    Raises:
        OSError: the folder cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode() if isinstance(text, str) else text)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes files for their owner alone; these are to be shared like any other file.
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in `folder` as lasting as the files' bytes."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
