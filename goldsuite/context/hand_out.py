"""Handing the context to an analyst that is a program: a read-only copy in its own folder.

Permissions keep an honest program from changing what it was given; they do not hold against the
superuser, nor against a program that changes them back.
"""

import shutil
from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path

from goldsuite.context.files import KNOWLEDGE, ContextFile
from goldsuite.context.resolve import ResolvedContext
from goldsuite.context.state import hash_of_file
from goldsuite.errors import ContextError

_READ_ONLY_FILE = 0o444
_READ_ONLY_FOLDER = 0o555


def without_files(context: ResolvedContext, exclude: Collection[Path]) -> ResolvedContext:
    """`context` without the files and folders `exclude`, by whatever name they are in it.

    A file goes if it is one of them, stands in one of them, or has the same content as one. Give
    the suite: it must never be in what the analyst reads. A path that does not exist excludes
    nothing.

    Raises:
        ContextError: a file cannot be read.
    """
    excluded = [path.resolve() for path in exclude if path.exists()]
    hashes = {hash_of_file(path) for path in excluded if path.is_file() and path.stat().st_size}
    gone = {file for file in context.files if _is_excluded(file, excluded, hashes)}
    return replace(
        context,
        files=tuple(file for file in context.files if file not in gone),
        withheld=tuple(sorted((*context.withheld, *(file.name for file in gone)))),
    )


def _is_excluded(file: ContextFile, excluded: Iterable[Path], hashes: Collection[str]) -> bool:
    inside = any(file.path.is_relative_to(path) for path in excluded)
    return inside or (bool(hashes) and hash_of_file(file.path) in hashes)


def copy_context(
    context: ResolvedContext, destination: Path, *, exclude: Collection[Path] = ()
) -> None:
    """Write `.knowledge/` into `destination`: exactly the files that the analyst may read.

    Files get mode 0444 and folders 0555; `destination` itself stays as it is, or is made.
    `exclude` is as in `without_files`.

    Raises:
        ContextError: there is a `.knowledge` already, or a file cannot be read or written.
    """
    target = destination / KNOWLEDGE
    if target.is_symlink() or target.exists():
        raise ContextError(f"{target}: exists already. Give a fresh folder.")
    allowed = without_files(context, exclude)
    folders = {target}
    try:
        target.mkdir(parents=True)
        for file in allowed.files:
            copy = destination / file.name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file.path, copy)
            copy.chmod(_READ_ONLY_FILE)
            folders.update(p for p in copy.parents if p.is_relative_to(target))
        for folder in folders:
            folder.chmod(_READ_ONLY_FOLDER)
    except OSError as error:
        place = error.filename or destination
        raise ContextError(f"{place}: the context cannot be copied ({error.strerror}).") from error
