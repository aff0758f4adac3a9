"""The record file: JSON, versioned, written atomically, read back as the same object."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldsuite.collector import without_collector
from goldsuite.durable import write_whole
from goldsuite.errors import RecordError
from goldsuite.model.run import SCHEMA_VERSION, RunRecord
from goldsuite.records.head import split_head
from goldsuite.records.latest import point_latest
from goldsuite.records.migrate import migrate
from goldsuite.records.seal import SealState, seal_state, sealed_text

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError

__all__ = ["read_head", "read_plain", "read_record", "record_json", "write_record"]


def record_json(record: RunRecord) -> str:
    """The file's text: two-space JSON, keys in the order of the model, a newline at the end."""
    return _adapter().dump_json(record, indent=2).decode() + "\n"


def write_record(record: RunRecord, path: Path) -> None:
    """Write `record` with its hash to `path`, wholly or not at all; `latest.json` beside it then
    points to the newest record of the folder.
    """
    write_whole(path, sealed_text(record_json(replace(record, record_sha256=None))))
    point_latest(path.parent)


def read_record(path: Path | str) -> RunRecord:
    """Read a record file. Where it was changed after it was written, the record says `altered`.

    Raises:
        RecordError: there is no such file, it is no run record, or a newer goldsuite wrote it.
    """
    with without_collector():
        return _read(Path(path))


def _read(path: Path) -> RunRecord:
    raw = _bytes(path)
    # Straight from the bytes: half the memory, which a record of many cases needs.
    return _decode(path, raw if _intact_head(raw) is not None else _read_slowly(path, raw))


def read_plain(path: Path) -> dict[str, Any]:
    """A record file's content, brought up to this version, `altered` set where it was changed.

    Raises:
        RecordError: as `read_record`, but that its fields are not checked.
    """
    raw = _bytes(path)
    if _intact_head(raw) is None:
        return _read_slowly(path, raw)
    from pydantic_core import from_json

    return dict(from_json(raw))


def read_head(path: Path) -> dict[str, Any]:
    """The same, but that `failure_modes` and `cases` may be missing.

    Raises:
        RecordError: as `read_plain`.
    """
    raw = _bytes(path)
    head = _intact_head(raw)
    return _read_slowly(path, raw) if head is None else head


def _intact_head(raw: bytes) -> dict[str, Any] | None:
    """The fields before the cases of a record of this version that is as it was written.

    Its hash vouches for all that comes after them. None for any other file.
    """
    head = split_head(raw)
    if head is None or head.get("schema_version") != SCHEMA_VERSION:
        return None
    state = seal_state(raw, SCHEMA_VERSION, head.get("record_sha256"), None)
    return head if state is SealState.INTACT else None


def _read_slowly(path: Path, raw: bytes) -> dict[str, Any]:
    """What is of another version, was laid out anew, or was changed."""
    plain = _read_json(path, raw)
    version = plain.get("schema_version")
    if not isinstance(version, int):
        raise RecordError(f"{path}: no run record of goldsuite: it has no 'schema_version'")
    if version > SCHEMA_VERSION:
        raise RecordError(
            f"{path}: written in record format {version}; this version of goldsuite reads up to "
            f"{SCHEMA_VERSION}. Upgrade goldsuite to read it."
        )
    state = seal_state(raw, version, plain.get("record_sha256"), plain)
    try:
        plain = migrate(plain)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise RecordError(
            f"{path}: not a whole run record: it has not the fields of record format {version}"
        ) from None
    return plain | {"altered": True} if state is SealState.CHANGED else plain


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise RecordError(f"{path}: no such run record") from None
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error}") from None


def _read_json(path: Path, raw: bytes) -> dict[str, Any]:
    try:
        plain = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise RecordError(f"{path}: cannot be read: {error}") from None
    except json.JSONDecodeError as error:
        raise RecordError(
            f"{path}:{error.lineno}: not valid JSON ({error.msg}); a record is written in one "
            "piece, so the file was changed or cut afterwards"
        ) from None
    except (RecursionError, ValueError) as error:
        # Nested too deeply, or a number of thousands of digits.
        raise RecordError(f"{path}: no run record of goldsuite: {error}") from None
    if not isinstance(plain, dict):
        raise RecordError(f"{path}: no run record of goldsuite: the top level is no object")
    return plain


def _decode(path: Path, content: bytes | dict[str, Any]) -> RunRecord:
    from pydantic import ValidationError

    try:
        if isinstance(content, bytes):
            return _adapter().validate_json(content)
        return _adapter().validate_python(content)
    except ValidationError as error:
        raise RecordError(f"{path}: not a whole run record: {_first_fault(error)}") from None


def _first_fault(error: "ValidationError") -> str:
    fault = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in fault["loc"]) or "the top level"
    more = error.error_count() - 1
    return f"{place}: {fault['msg']}" + (f" (and {more} more)" if more else "")


@cache
def _adapter() -> "TypeAdapter[RunRecord]":
    from pydantic import TypeAdapter

    return TypeAdapter(RunRecord)
