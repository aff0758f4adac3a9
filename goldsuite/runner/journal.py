"""`answers.jsonl`: one line per answer, on the disk before the run goes on.

A runner that is killed in the middle of a write leaves a torn last line: it is dropped when the
file is read, and cut off before the next answer is added. A later row of the same case and trial
takes the place of the earlier one.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from goldsuite.analysts.row import read_answer, write_answer
from goldsuite.durable import sync_folder
from goldsuite.errors import RecordError, RefusedError
from goldsuite.model.answer import Answer
from goldsuite.runner.lock import is_locked

__all__ = ["Journal", "read_all_rows", "read_journal"]


class Journal:
    """An answers file open for adding; use it as a context manager."""

    def __init__(self, path: Path) -> None:
        """Open or create `path`, and cut off a torn last line.

        Raises:
            RefusedError: the answers are locked.
            RecordError: the file cannot be opened.
        """
        if is_locked(path):
            raise RefusedError(f"{path}: the answers are locked, so none can be added.")
        self._path = path
        try:
            _mend_end(path)
            self._handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
            sync_folder(path.parent)
        except OSError as error:
            raise RecordError(f"{path}: cannot be opened for writing: {error.strerror}.") from error
        self._size = os.fstat(self._handle).st_size

    def append(self, answer: Answer) -> None:
        """Add `answer`: see `extend`."""
        self.extend((answer,))

    def extend(self, answers: Sequence[Answer]) -> None:
        """Add `answers`; when this returns, all of them are on the disk.

        Raises:
            RecordError: they could not be written; the file is as it was before.
        """
        lines = "".join(f"{write_answer(answer)}\n" for answer in answers).encode()
        try:
            _write_all(self._handle, lines)
            os.fsync(self._handle)
        except OSError as error:
            os.ftruncate(self._handle, self._size)
            more = f" and {len(answers) - 1} more" if len(answers) > 1 else ""
            raise RecordError(
                f"{self._path}: the answer to {answers[0].id!r}{more} cannot be written: "
                f"{error.strerror}. Make room, then resume the run."
            ) from error
        self._size += len(lines)

    def close(self) -> None:
        """Close the file."""
        os.close(self._handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def read_journal(path: Path) -> tuple[Answer, ...]:
    """The answers in `path`, one per case and trial, in the order of their first rows.

    An absent file holds none. Works for answers files from outside as well.

    Raises:
        RecordError: a line other than a torn last one is no row; the message says where and why.
    """
    return tuple({(answer.id, answer.trial): answer for answer in read_all_rows(path)}.values())


def read_all_rows(path: Path) -> tuple[Answer, ...]:
    """Every answer in `path`, those included that a later row took the place of.

    Raises:
        RecordError: as `read_journal`.
    """
    try:
        return tuple(_rows(path))
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}.") from error


def _rows(path: Path) -> Iterator[Answer]:
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                yield _row(line)
            except ValueError as error:
                if not line.endswith(b"\n"):
                    return  # torn: the runner was killed while it wrote this line
                raise RecordError(
                    f"{path}:{number}: {error}. Mend the line or take it out."
                ) from None


def _row(line: bytes) -> Answer:
    # A file from a Windows editor may begin with a byte order mark.
    return read_answer(line.decode("utf-8-sig"))


def _mend_end(path: Path) -> None:
    """Cut off a torn last line; give a whole one the line break that it lacks."""
    if not path.exists():
        return
    path.chmod(0o644)  # read-only if the runner was killed just before it wrote the lock
    with path.open("rb+") as file:
        last, start = b"", 0
        for line in file:
            last, start = line, start + len(last)
        if not last or last.endswith(b"\n"):
            return
        try:
            _row(last)
        except ValueError:
            file.truncate(start)
        else:
            file.seek(0, os.SEEK_END)
            file.write(b"\n")
        file.flush()
        os.fsync(file.fileno())


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]
