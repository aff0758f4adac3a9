"""The record file: JSON, versioned, written atomically, read back as the same object."""

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldsuite.durable import write_whole
from goldsuite.errors import RecordError
from goldsuite.model.run import SCHEMA_VERSION, RunRecord

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError

__all__ = ["read_record", "record_json", "write_record"]


def record_json(record: RunRecord) -> str:
    """The file's text: two-space JSON, keys in the order of the model, a newline at the end."""
    plain = _adapter().dump_python(record, mode="json")
    return json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def write_record(record: RunRecord, path: Path) -> None:
    """Write `record` to `path`, wholly or not at all."""
    write_whole(path, record_json(record))


def read_record(path: Path | str) -> RunRecord:
    """Read a record file.

    Raises:
        RecordError: there is no such file, it is no run record, or a newer goldsuite wrote it.
    """
    path = Path(path)
    plain = _read_json(path)
    version = plain.get("schema_version")
    if not isinstance(version, int):
        raise RecordError(f"{path}: no run record of goldsuite: it has no 'schema_version'")
    if version > SCHEMA_VERSION:
        raise RecordError(
            f"{path}: written in record format {version}; this version of goldsuite reads up to "
            f"{SCHEMA_VERSION}. Upgrade goldsuite to read it."
        )
    return _decode(path, plain)


def _read_json(path: Path) -> dict[str, Any]:
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RecordError(f"{path}: no such run record") from None
    except (OSError, UnicodeDecodeError) as error:
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


def _decode(path: Path, plain: dict[str, Any]) -> RunRecord:
    from pydantic import ValidationError

    try:
        return _adapter().validate_python(plain)
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
