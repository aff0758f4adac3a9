"""Settings: the nearest configuration file, then `GOLDSUITE_*`, then options.

A relative path in a file is taken from that file's folder; one in a variable or an option from the
working folder.
"""

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from goldsuite.analysts.sandbox_view import Mount, read_mount
from goldsuite.diagnosis.lineage_rules import check_patterns
from goldsuite.errors import ConfigurationError
from goldsuite.grading.process_presets import DEFAULT_PRESET, PRESETS
from goldsuite.nearest import did_you_mean
from goldsuite.warehouse.base import Limits

__all__ = [
    "DEFAULT_CONCURRENCY",
    "DEFAULT_MAX_WAIT_S",
    "DEFAULT_TIMEOUT_S",
    "Settings",
    "read_settings",
]

DEFAULT_CONCURRENCY = 4
DEFAULT_TIMEOUT_S = 300.0
DEFAULT_MAX_WAIT_S = 600.0
DEFAULT_LIMITS = Limits()

_PREFIX = "GOLDSUITE_"
_LEAST_MEMORY = 50_000_000
_UNITS = {
    "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40,
    "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12, "b": 1,
}  # fmt: skip
"""The longer ones first: each ends with the last."""
_NOT_SETTINGS = frozenset({"GOLDSUITE_WAREHOUSE_URL", "GOLDSUITE_TOKEN"})
"""Variables that are given to analysts; found here when goldsuite runs inside one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """What a command goes by. Every path is absolute."""

    suite: Path
    warehouse: str | None = None
    """SQLAlchemy URL, as written."""
    warehouse_base: Path
    """What a relative file in `warehouse` is relative to."""
    analyst_warehouse: str | None = None
    """URL that outside analysts get in place of `warehouse`."""
    analyst_warehouse_base: Path
    context: Path | None = None
    analyst: str | None = None
    analyst_base: Path
    """What a relative file in a `command:` line is relative to."""
    runs_dir: Path
    ledger: Path | None = None
    """Where looks at the held-out cases are written down; None for beside the suite."""
    concurrency: int = DEFAULT_CONCURRENCY
    timeout: float = DEFAULT_TIMEOUT_S
    """Seconds that the analyst may work on one question."""
    max_wait: float = DEFAULT_MAX_WAIT_S
    """Seconds that one question may wait for the analyst's service besides."""
    tolerance: Decimal | None = None
    """Relative; in place of the default 0.005 where neither case nor suite names one."""
    as_of: date | None = None
    """In place of a missing `as_of` of the suite."""
    pass_env: tuple[str, ...] = ()
    sandbox: bool = False
    """Whether a `command:` analyst sees nothing but what it needs."""
    mounts: tuple[Mount, ...] = ()
    """What it sees in the sandbox besides."""
    allow_functions: tuple[str, ...] = ()
    allow_paths: tuple[Path, ...] = ()
    """Files and folders that the views of a DuckDB warehouse read."""
    query_timeout: float = DEFAULT_LIMITS.timeout_s
    """Seconds for one statement in the warehouse."""
    max_rows: int = DEFAULT_LIMITS.max_rows
    """Of one result; what is beyond is cut off and told."""
    max_bytes: int = DEFAULT_LIMITS.max_bytes
    """Of one result, roughly."""
    memory_bytes: int = DEFAULT_LIMITS.memory_bytes
    """Of the engine, where it runs on this machine."""
    diagnose_budget: int = 40
    """Statements that may be run to find out why one answer failed; 0: none."""
    luck_budget: int = 200
    """Small databases on which each pass is tried to see whether it was luck; 0: none."""
    strict: bool = False
    """Whether a pass that small databases refute counts as failed."""
    forbid: tuple[str, ...] = ()
    """Tables and columns that no answer's SQL may read, such as `customers.email`, `staging.*`."""
    require: tuple[str, ...] = ()
    """Tables and columns of each of which it must read one."""
    process_preset: str = DEFAULT_PRESET
    """By which parts of the process become one score."""
    judge: str | None = None
    """Model that judges the cases with a rubric after grading; None for nobody."""
    judge_base: Path = field(default_factory=Path)
    """What a relative file in `judge` is relative to."""
    root: Path
    """The configuration file's folder, else the working folder."""
    origin: str = field(default="no configuration file")
    """Where the settings came from, for messages."""


_PATHS = ("suite", "context", "runs_dir", "ledger")
_LOCATED = ("warehouse", "analyst_warehouse", "analyst", "judge")
_KEYS = tuple(
    f.name
    for f in fields(Settings)
    if not f.name.endswith("_base") and f.name not in {"root", "origin"}
)


def read_settings(
    options: Mapping[str, Any],
    *,
    folder: Path,
    environ: Mapping[str, str] | None = None,
    over: Path | None = None,
) -> Settings:
    """Combine file, variables and options; an option of None or () was not given.

    `over` is a second file, with the same keys, that stands over the first and the variables.

    Raises:
        ConfigurationError: a key is unknown, a value cannot be meant, or a file is not there.
    """
    environ = os.environ if environ is None else environ
    found = _find_file(folder)
    values: dict[str, Any] = {"root": folder}
    if found is not None:
        path, table = found
        values |= {"root": path.parent, "origin": str(path)}
        values |= _located(table, place=str(path), base=path.parent)
    values |= _located(_from_environment(environ), place="environment", base=folder)
    if over is not None:
        path = folder / over
        values |= _located(_read_toml(path), place=str(over), base=path.parent)
    given = {key: value for key, value in options.items() if value not in (None, (), [])}
    values |= _located(given, place="options", base=folder)
    return _with_defaults(values, folder)


def _with_defaults(values: dict[str, Any], folder: Path) -> Settings:
    values.setdefault("suite", folder / "gold-cases.yaml")
    values.setdefault("runs_dir", values["suite"].parent / "runs")
    for name in _LOCATED:
        values.setdefault(f"{name}_base", folder)
    return Settings(**values)


def _find_file(folder: Path) -> tuple[Path, dict[str, Any]] | None:
    for place in (folder, *folder.parents):
        for path, inside in _candidates(place):
            table = _read_toml(path)
            for name in inside:
                table = table.get(name) if isinstance(table, dict) else None
            if isinstance(table, dict):
                return path, table
    return None


def _candidates(place: Path) -> Iterator[tuple[Path, tuple[str, ...]]]:
    for name, inside in (("goldsuite.toml", ()), ("pyproject.toml", ("tool", "goldsuite"))):
        path = place / name
        if path.is_file():
            yield path, inside


def _read_toml(path: Path) -> Any:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise ConfigurationError(f"{path}: not readable as TOML: {error}") from None


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    names = [n for n in environ if n.startswith(_PREFIX) and n not in _NOT_SETTINGS and environ[n]]
    table: dict[str, Any] = {}
    for name in sorted(names):
        key = name.removeprefix(_PREFIX).lower()
        if key == "allow_paths":
            table[key] = [path for path in environ[name].split(os.pathsep) if path]
            continue
        many = key in {"pass_env", "allow_functions", "mounts", "forbid", "require"}
        table[key] = environ[name].replace(",", " ").split() if many else environ[name]
    return table


def _located(table: Mapping[str, Any], *, place: str, base: Path) -> dict[str, Any]:
    """The values of one source, checked, with what they are relative to."""
    values: dict[str, Any] = {}
    for key, raw in table.items():
        if key not in _KEYS:
            raise ConfigurationError(_unknown(key, place))
        values[key] = _checked(key, raw, place=place, base=base)
        if key in _LOCATED:
            values[f"{key}_base"] = base
    return values


def _unknown(key: str, place: str) -> str:
    shown = f"{_PREFIX}{key.upper()}" if place == "environment" else key
    hint = did_you_mean(key, _KEYS) or f" Known settings: {', '.join(_KEYS)}."
    return f"{place}: unknown setting {shown!r}.{hint}"


def _checked(key: str, raw: Any, *, place: str, base: Path) -> Any:
    try:
        return _READERS.get(key, _text)(raw, base) if key not in _PATHS else _path(raw, base)
    except (ValueError, InvalidOperation, TypeError) as error:
        raise ConfigurationError(f"{place}: {key} = {raw!r}: {error}") from None


def _path(raw: Any, base: Path) -> Path:
    return Path(os.path.normpath(base / Path(_text(raw, base)).expanduser()))


def _text(raw: Any, _base: Path) -> str:
    if isinstance(raw, os.PathLike):
        return str(os.fspath(raw))
    if not isinstance(raw, str) or not raw.strip():
        raise ValueError("a text that is not empty is expected")
    return raw


def _names(raw: Any, base: Path) -> tuple[str, ...]:
    if not isinstance(raw, (list, tuple)):
        raise TypeError("a list of names is expected")
    return tuple(_text(name, base) for name in raw)


def _paths(raw: Any, base: Path) -> tuple[Path, ...]:
    if not isinstance(raw, (list, tuple)):
        raise TypeError("a list of paths is expected")
    return tuple(_path(path, base) for path in raw)


def _mounts(raw: Any, base: Path) -> tuple[Mount, ...]:
    return tuple(read_mount(text, base_dir=base) for text in _names(raw, base))


def _flag(raw: Any, _base: Path) -> bool:
    known = {"true": True, "1": True, "false": False, "0": False}
    if isinstance(raw, str) and raw.lower() in known:
        return known[raw.lower()]
    if not isinstance(raw, bool):
        raise ValueError("true or false is expected")  # noqa: TRY004 - told like the others
    return raw


def _count(raw: Any, _base: Path) -> int:
    number = _whole(raw)
    if number < 1:
        raise ValueError("a number from 1 on is expected")
    return number


def _size(raw: Any, _base: Path) -> int:
    """A number of bytes, also as a text such as `500 MB` or `4 GiB`."""
    text = raw.strip() if isinstance(raw, str) else raw
    unit = next((u for u in _UNITS if isinstance(text, str) and text.lower().endswith(u)), "")
    try:
        number = _decimal(text[: len(text) - len(unit)].strip() if unit else text)
    except ValueError:
        raise ValueError("a size such as 2000000000, 500 MB or 4 GB is expected") from None
    size = number * _UNITS.get(unit, 1)
    if size < 1:
        raise ValueError("a size from 1 byte on is expected")
    return int(size)


def _memory(raw: Any, base: Path) -> int:
    size = _size(raw, base)
    if size < _LEAST_MEMORY:
        raise ValueError(f"an engine needs {_LEAST_MEMORY:,} bytes or more")
    return size


def _concurrency(raw: Any, _base: Path) -> int:
    number = _whole(raw)
    if not 1 <= number <= 1000:
        raise ValueError("a number from 1 to 1000 is expected")
    return number


def _budget(raw: Any, _base: Path) -> int:
    number = _whole(raw)
    if not 0 <= number <= 10_000:
        raise ValueError("a number from 0 to 10000 is expected")
    return number


def _patterns(raw: Any, base: Path) -> tuple[str, ...]:
    return check_patterns(_names(raw, base))


def _preset(raw: Any, base: Path) -> str:
    name = _text(raw, base)
    if name not in PRESETS:
        hint = did_you_mean(name, PRESETS) or f" Known: {', '.join(PRESETS)}."
        raise ValueError(f"there is no such preset.{hint}")
    return name


def _whole(raw: Any) -> int:
    if isinstance(raw, bool) or not isinstance(raw, (int, str)):
        raise TypeError("a whole number is expected")
    try:
        return int(raw)
    except ValueError:
        raise ValueError("a whole number is expected") from None


def _timeout(raw: Any, _base: Path) -> float:
    seconds = _decimal(raw)
    if not 0 < seconds <= 86_400:
        raise ValueError("seconds above 0, up to a day (86400), are expected")
    return float(seconds)


def _tolerance(raw: Any, _base: Path) -> Decimal:
    share = _decimal(raw)
    if not 0 <= share < 1:
        raise ValueError("a relative tolerance from 0 to below 1 is expected; 0.005 means 0.5 %")
    return share


def _decimal(raw: Any) -> Decimal:
    if isinstance(raw, bool) or not isinstance(raw, (int, float, str, Decimal)):
        raise TypeError("a number is expected")
    try:
        number = Decimal(str(raw))
    except InvalidOperation:
        raise ValueError("a number is expected") from None
    if not number.is_finite():
        raise ValueError("a finite number is expected")
    return number


def _date(raw: Any, _base: Path) -> date:
    if isinstance(raw, date):
        return date(raw.year, raw.month, raw.day)
    try:
        return date.fromisoformat(str(raw))
    except ValueError:
        raise ValueError("a date such as 2025-12-31 is expected") from None


_READERS = {
    "concurrency": _concurrency,
    "timeout": _timeout,
    "max_wait": _timeout,
    "tolerance": _tolerance,
    "as_of": _date,
    "pass_env": _names,
    "allow_functions": _names,
    "allow_paths": _paths,
    "sandbox": _flag,
    "mounts": _mounts,
    "query_timeout": _timeout,
    "max_rows": _count,
    "max_bytes": _size,
    "memory_bytes": _memory,
    "diagnose_budget": _budget,
    "luck_budget": _budget,
    "strict": _flag,
    "forbid": _patterns,
    "require": _patterns,
    "process_preset": _preset,
}
