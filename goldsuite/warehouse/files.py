"""The database file that a URL such as `duckdb:///sales.duckdb` names."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from goldsuite.errors import PreflightError, WarehouseError
from goldsuite.warehouse.adapter import Redaction
from goldsuite.warehouse.urls import is_secret, mask_url

_DATABASE_ENDINGS = frozenset({".duckdb", ".ddb", ".db", ".sqlite", ".sqlite3", ".db3"})

_FILE_BACKENDS = frozenset({"duckdb", "sqlite"})


def secrets_of(url: URL) -> tuple[str, ...]:
    """Every secret text of `url`, as written and decoded, that no message may repeat."""
    values = [str(url.password)] if url.password else []
    for name, value in url.query.items():
        if is_secret(name):
            values.extend([value] if isinstance(value, str) else value)
    if url.host and "@" in url.host:
        # A password typed raw was cut at its own @: the rest of it stands before the host.
        values.append(url.host.rpartition("@")[0])
    return tuple(sorted({v for v in values if v}, key=lambda v: (-len(v), v)))


def parse_url(url: str) -> URL:
    """Parse `url`.

    Raises:
        WarehouseError: it is no SQLAlchemy URL; its secrets are masked.
    """
    try:
        return make_url(url)
    except (ArgumentError, ValueError):
        raise WarehouseError(
            f"{mask_url(url)!r} is no warehouse URL. "
            "Write it like duckdb:///warehouse/demo.duckdb, sqlite:////data/sales.sqlite or "
            "postgresql://user:password@host/database."
        ) from None


@dataclass(frozen=True, kw_only=True, slots=True)
class DatabaseFile:
    """The file that a URL such as `duckdb:///sales.duckdb` names."""

    path: Path
    """Absolute."""
    masked_url: str


def locate_file(url: URL, *, base_dir: Path | None, masked_url: str) -> DatabaseFile:
    """Find the database file that `url` names, relative to `base_dir` (else the working folder).

    Raises:
        WarehouseError: the URL names no file (`:memory:`, a host, nothing).
        PreflightError: there is no such file; names the files that may have been meant.
    """
    name = url.database or ""
    if url.host:
        raise WarehouseError(
            f"{masked_url}: a database file needs three slashes before a relative path and "
            f"four before an absolute one; this URL names the host {url.host!r}."
        )
    if name in {"", ":memory:"} or name.startswith("file:"):
        what = f"{name!r} is no database file" if name else "it names no file"
        raise WarehouseError(
            f"{masked_url}: {what}. The gold queries need data that exists: give the plain path "
            f"of a file, {url.get_backend_name()}:///PATH."
        )
    path = Path(name).expanduser()
    path = (path if path.is_absolute() else (base_dir or Path.cwd()) / path).absolute()
    if path.is_file():
        return DatabaseFile(path=path, masked_url=masked_url)
    raise PreflightError(f"{masked_url}: {_why_missing(path)}")


def absolute_url(url: str, *, base_dir: Path) -> str:
    """`url` with the path of its database file made absolute; a server's stays as it is.

    Raises:
        WarehouseError: the URL names no file.
        PreflightError: there is no such file.
    """
    parsed = parse_url(url)
    if parsed.get_backend_name() not in _FILE_BACKENDS:
        return url
    file = locate_file(parsed, base_dir=base_dir, masked_url=mask_url(url))
    return parsed.set(database=str(file.path)).render_as_string(hide_password=False)


def _why_missing(path: Path) -> str:
    if path.is_dir():
        return f"{str(path)!r} is a folder, not a database file.{_files_hint(path, '')}"
    if not path.parent.is_dir():
        return f"there is no file {str(path)!r}, nor its folder. Check the path, or build it first."
    hint = _files_hint(path.parent, path.name)
    return f"there is no file {str(path)!r}.{hint or ' Check the path, or build it first.'}"


def _files_hint(folder: Path, wanted: str) -> str:
    try:
        names = sorted(p.name for p in folder.iterdir() if p.is_file())
    except OSError:
        return ""
    if close := difflib.get_close_matches(wanted, names, n=1, cutoff=0.6):
        return f" Did you mean {close[0]!r}?"
    databases = [n for n in names if Path(n).suffix.lower() in _DATABASE_ENDINGS]
    if not databases:
        return ""
    more = "" if len(databases) <= 5 else f" and {len(databases) - 5} more"
    return f" Database files there: {', '.join(map(repr, databases[:5]))}{more}."


def first_bytes(path: Path, count: int) -> bytes:
    """The start of a file, to tell what it is; empty where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(count)
    except OSError:
        return b""


def allowed_redactions(paths: Sequence[Path]) -> tuple[Redaction, ...]:
    """What hides where the files lie that a warehouse reads besides."""
    texts = {str(place) for path in paths for place in (path, path.resolve())}
    ordered = sorted(texts - {"/"}, key=lambda text: (-len(text), text))
    return tuple(Redaction(text=text, shown="<allowed path>") for text in ordered)


def check_allowed(paths: Sequence[Path], masked_url: str) -> None:
    """Make sure that there are such files and folders, and that each of them is one's own choice.

    Raises:
        WarehouseError: one is not there, is not absolute, or is the root of all files.
    """
    for path in paths:
        if not path.is_absolute():
            raise WarehouseError(f"{masked_url}: allow_paths: {str(path)!r} is no absolute path.")
        if not path.exists():
            raise WarehouseError(
                f"{masked_url}: allow_paths: there is no file or folder {str(path)!r}. "
                "Name existing ones; a pattern is written as the folder that holds its files."
            )
        if path.resolve() == Path(path.anchor):
            raise WarehouseError(
                f"{masked_url}: allow_paths: {str(path)!r} would open every file of this machine. "
                "Name the folders that hold the data."
            )


def path_redactions(path: Path) -> tuple[Redaction, ...]:
    """What hides where the warehouse lies from whoever reads an engine's messages."""
    places = sorted({path, path.resolve()}, key=lambda p: (-len(str(p)), str(p)))
    files = [Redaction(text=str(p), shown="<warehouse>") for p in places]
    folders = [
        Redaction(text=str(p.parent), shown="<folder of the warehouse>")
        for p in places
        if p.parent != Path(p.anchor)
    ]
    return (*files, *folders)
