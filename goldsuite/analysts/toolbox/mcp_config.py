"""The files by which an outside agent starts `goldsuite mcp` for one trial.

`mcp.json` is what agents read: how to start the server. It names `server.json`, which only the
server reads: the warehouse, the context, the token and the log. Neither names the suite or the
runs. The warehouse's address stands in the file and not on the command line, because it may hold a
password.
"""

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from goldsuite.analysts.environment import TOKEN
from goldsuite.errors import ConfigurationError, UsageError

__all__ = [
    "QUERY_LOG",
    "SERVER_NAME",
    "ServerConfig",
    "read_server_config",
    "server_command",
    "server_places",
    "write_mcp_config",
]

SERVER_NAME = "goldsuite"
"""Agents call the tools by it, such as `mcp__goldsuite__run_query`."""
MCP_CONFIG = "mcp.json"
SERVER_CONFIG = "server.json"
QUERY_LOG = "queries.jsonl"
MEMORY_BYTES = 1_000_000_000
TIMEOUT_S = 60.0


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerConfig:
    """What a server of one trial goes by."""

    warehouse_url: str
    """May hold a secret; a file's path in it is absolute."""
    context: Path | None
    """The folder that holds the trial's copy of `.knowledge`; None for no context."""
    token: str
    log: Path
    allow_functions: tuple[str, ...] = ()
    allow_paths: tuple[Path, ...] = ()
    """Files and folders that the views of a DuckDB warehouse read."""
    memory_bytes: int = MEMORY_BYTES
    """What the engine may take for the queries of this one trial."""
    timeout_s: float = TIMEOUT_S
    """Seconds for one query."""


def server_command() -> tuple[str, ...]:
    """How the server is started; its options follow. The place of our Python shows in it."""
    # -P: a file called goldsuite.py in the agent's folder must not be taken for the package.
    return (sys.executable, "-P", "-m", "goldsuite", "mcp")


def server_places() -> tuple[Path, ...]:
    """What a sandbox must show so that the server starts: our Python and our packages."""
    package = Path(__file__).parents[2]
    return tuple(dict.fromkeys((Path(sys.prefix), Path(sys.base_prefix), package)))


def write_mcp_config(
    folder: Path,
    *,
    warehouse_url: str,
    context: Path | None,
    token: str,
    log: Path | None = None,
    allow_functions: Sequence[str] = (),
    allow_paths: Sequence[Path] = (),
    memory_bytes: int = MEMORY_BYTES,
    timeout_s: float = TIMEOUT_S,
) -> Path:
    """Write the files for one trial into `folder`, and return the one that its agent reads.

    Args:
        folder: made if it is not there, for its owner alone.
        warehouse_url: with an absolute path where it names a file.
        context: the folder that holds the trial's copy of `.knowledge`.
        token: of the trial; also marks the server's processes.
        log: where the queries are logged; None for `queries.jsonl` in `folder`.
        allow_functions: SQL functions that are let through besides the known ones.
        allow_paths: files and folders, absolute, that the views of a DuckDB warehouse read.
        memory_bytes: what the engine may take for the queries of this trial.
        timeout_s: seconds for one query.

    Raises:
        UsageError: a file cannot be written.
    """
    folder = folder.absolute()
    server = {
        "warehouse": warehouse_url,
        "context": None if context is None else str(context.absolute()),
        "token": token,
        "log": str((log or folder / QUERY_LOG).absolute()),
        "allow_functions": list(allow_functions),
        "allow_paths": list(map(str, allow_paths)),
        "memory_bytes": memory_bytes,
        "timeout_s": timeout_s,
    }
    command, *arguments = server_command()
    agent = {
        "mcpServers": {
            SERVER_NAME: {
                "type": "stdio",
                "command": command,
                "args": [*arguments, "--config", str(folder / SERVER_CONFIG)],
                "env": {TOKEN: token},
            }
        }
    }
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write(folder / SERVER_CONFIG, server)
        return _write(folder / MCP_CONFIG, agent)
    except OSError as error:
        raise UsageError(
            f"{error.filename or folder}: the configuration of the MCP server cannot be written "
            f"({error.strerror})."
        ) from None


def read_server_config(path: Path) -> ServerConfig:
    """What `write_mcp_config` wrote for the server.

    Raises:
        ConfigurationError: the file is not there, or no such configuration; quotes none of it.
    """
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read ({error.strerror}).") from None
    except ValueError:
        raise ConfigurationError(f"{path}: is no JSON. {_EXPECTED}") from None
    try:
        return _server_config(table)
    except (KeyError, TypeError, ValueError) as error:
        what = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
        raise ConfigurationError(f"{path}: {what}. {_EXPECTED}") from None


_EXPECTED = "A file that goldsuite wrote for a trial is expected."


def _server_config(table: Any) -> ServerConfig:
    if not isinstance(table, dict):
        raise TypeError("no JSON object")
    context = table["context"]
    return ServerConfig(
        warehouse_url=_text(table, "warehouse"),
        context=None if context is None else Path(_text(table, "context")),
        token=_text(table, "token"),
        log=Path(_text(table, "log")),
        allow_functions=_names(table, "allow_functions"),
        allow_paths=tuple(map(Path, _names(table, "allow_paths"))),
        memory_bytes=int(_number(table, "memory_bytes")),
        timeout_s=_number(table, "timeout_s"),
    )


def _text(table: dict[str, Any], key: str) -> str:
    value = table[key]
    if not isinstance(value, str) or not value:
        raise ValueError(f"{key!r} is no text")
    return value


def _number(table: dict[str, Any], key: str) -> float:
    value = table[key]
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
        raise ValueError(f"{key!r} is no number above 0")
    return value


def _names(table: dict[str, Any], key: str) -> tuple[str, ...]:
    value = table[key]
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise ValueError(f"{key!r} is no list of names")
    return tuple(value)


def _write(path: Path, content: object) -> Path:
    # Never readable for others, not even for a moment.
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(content, file, indent=2)
    return path
