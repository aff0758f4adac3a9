"""Working directories of outside analysts: fresh for each trial, holding the context alone."""

import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from goldsuite.analysts.environment import lies_in
from goldsuite.errors import UsageError

__all__ = ["TEMP_NAME", "WorkArea", "remove_tree"]

TEMP_NAME = ".tmp"
"""The folder inside a trial's directory that TMPDIR points to."""


class WorkArea:
    """One private folder per run, outside of every hidden folder, with one folder per trial.

    It cannot be listed from below, and its folders have names that cannot be guessed, so that a
    trial that looks about finds no other one.
    """

    def __init__(self, prepare: Callable[[Path], None] | None, *, hidden: Sequence[str]) -> None:
        """Make the folder, and in it the copy of the context that every trial starts from.

        Args:
            prepare: lays out the context in the directory it is given; None for no context.
            hidden: absolute folders that the area must not lie in.

        Raises:
            UsageError: there is no place for temporary files outside of `hidden`.
        """
        self._root = Path(tempfile.mkdtemp(prefix="goldsuite-", dir=_place(hidden)))
        try:
            self._template = self._new()
            if prepare is not None:
                prepare(self._template)
            self._root.chmod(0o300)
        except BaseException:
            remove_tree(self._root)
            raise

    def create(self) -> Path:
        """A fresh directory (mode 0700) with a read-only copy of the context."""
        path = self._new()
        for entry in os.scandir(self._template):
            target = path / entry.name
            if entry.is_dir(follow_symlinks=False):
                shutil.copytree(entry.path, target, symlinks=True)
            else:
                shutil.copy2(entry.path, target, follow_symlinks=False)
        _make_read_only(path)
        (path / TEMP_NAME).mkdir(mode=0o700)
        return path

    def close(self) -> None:
        """Remove everything."""
        remove_tree(self._root)

    def _new(self) -> Path:
        path = self._root / secrets.token_hex(8)
        path.mkdir(mode=0o700)
        return path


def remove_tree(path: Path) -> None:
    """Delete `path` with all in it, read-only folders too; links are not followed.

    What an analyst left undeletable (another user's file) stays: no run ends because of it.
    """
    if path.is_symlink():
        # An analyst put it in the place of its directory; what it points to is not ours.
        with suppress(OSError):
            path.unlink()
        return
    if path.is_dir():
        _unlock(path)
        for folder, names, _ in os.walk(path):
            for name in names:
                _unlock(Path(folder, name))
    shutil.rmtree(path, ignore_errors=True)


def _unlock(path: Path) -> None:
    try:
        if not path.is_symlink():
            path.chmod(0o700)
    except OSError:  # another user's, or gone meanwhile: see remove_tree
        return


def _make_read_only(root: Path) -> None:
    for folder, names, files in os.walk(root, topdown=False):
        for name in files:
            _set_mode(Path(folder, name), 0o444)
        for name in names:
            _set_mode(Path(folder, name), 0o555)


def _set_mode(path: Path, mode: int) -> None:
    if not path.is_symlink():
        path.chmod(mode)


def _place(hidden: Sequence[str]) -> str:
    candidates = (tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm")  # noqa: S108
    for candidate in candidates:
        place = os.path.realpath(candidate)
        if not lies_in(place, hidden) and os.access(place, os.W_OK | os.X_OK):
            return place
    raise UsageError(
        f"No place for temporary files: each of {', '.join(dict.fromkeys(candidates))} is not "
        "writable or lies in the folder of the suite, the runs or the project. Set TMPDIR to a "
        "folder outside of them."
    )
