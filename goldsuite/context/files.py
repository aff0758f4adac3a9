"""Which files of a context the analyst may read.

Everything that reads a context (the dictionary, its state, the copy for a program) goes through
this list, so nothing that is withheld here can come in by another way.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from goldsuite.errors import ContextError

KNOWLEDGE = ".knowledge"

_BANNED_FOLDER = "reliability"
"""The history of earlier answers: an analyst who reads it repeats it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ContextFile:
    """One file that the analyst may read."""

    name: str
    """As the analyst sees it: `.knowledge/datasets/sales/schema.md`."""
    path: Path
    """Where it really stands, symbolic links resolved."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FileListing:
    """What one folder holds for the analyst."""

    files: tuple[ContextFile, ...] = ()
    """In the order of their names."""
    withheld: tuple[str, ...] = ()
    """Names that were there and are not handed out: the banned history, links that lead out."""


def list_files(folder: Path, *, name: str, boundaries: tuple[Path, ...]) -> FileListing:
    """The files in and under `folder`, shown to the analyst as `name/...`.

    Hidden files are left out. A symbolic link is followed only where it stays inside one of
    `boundaries` (resolved folders), and there outside of anything hidden or banned.

    Raises:
        ContextError: a folder cannot be listed.
    """
    files: list[ContextFile] = []
    withheld: list[str] = []
    for shown, path in _walk(folder.resolve(), name, boundaries, top=True):
        if path is None:
            withheld.append(shown)
        else:
            files.append(ContextFile(name=shown, path=path))
    return FileListing(
        files=tuple(sorted(files, key=lambda file: file.name)), withheld=tuple(sorted(withheld))
    )


def may_be_read(path: Path, boundaries: tuple[Path, ...]) -> bool:
    """True if `path` (resolved) is inside a boundary, and neither hidden nor banned there."""
    return any(_is_open(path.relative_to(b)) for b in boundaries if path.is_relative_to(b))


def _is_open(relative: Path) -> bool:
    # `.knowledge` may occur inside a repository, with the same layout below it.
    parts = relative.parts
    if KNOWLEDGE in parts:
        parts = parts[len(parts) - parts[::-1].index(KNOWLEDGE) :]
    if parts and parts[0].casefold() == _BANNED_FOLDER:
        return False
    return not any(part.startswith(".") and part != KNOWLEDGE for part in relative.parts)


def _walk(
    folder: Path,
    name: str,
    boundaries: tuple[Path, ...],
    *,
    top: bool = False,
    above: frozenset[Path] = frozenset(),
) -> Iterator[tuple[str, Path | None]]:
    """Names with the real path of each; None for one that is withheld."""
    here = above | {folder}
    for entry in _entries(folder):
        shown = f"{name}/{entry.name}"
        if entry.name.startswith("."):
            continue
        real = _real_path(entry)
        banned = top and entry.name.casefold() == _BANNED_FOLDER
        if real is None or banned or real in here or not may_be_read(real, boundaries):
            yield shown, None
        elif real.is_dir():
            yield from _walk(real, shown, boundaries, above=here)
        else:
            # A pipe or a device would block whoever reads it.
            yield shown, real if real.is_file() else None


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        raise ContextError(f"{folder}: cannot be listed ({error.strerror}).") from error


def _real_path(entry: os.DirEntry[str]) -> Path | None:
    try:
        return Path(entry.path).resolve(strict=True)
    except (OSError, RuntimeError):  # a dangling link, or links in a circle
        return None
