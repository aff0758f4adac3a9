"""What the settings ask of a sandbox, in the words of the analyst that is put into it."""

from pathlib import Path

from goldsuite.analysts.sandbox import SandboxRequest
from goldsuite.errors import ConfigurationError
from goldsuite.pipeline.settings import Settings
from goldsuite.warehouse.files import parse_url

__all__ = ["check_sandbox", "sandbox_request"]

_IN_PROCESS = "python:"
_FILE_BACKENDS = frozenset({"duckdb", "sqlite"})
_BESIDE = ("", ".wal", "-wal", "-shm")
"""What engines put beside a database file."""


def check_sandbox(settings: Settings) -> None:
    """Make sure that `sandbox` does not promise what it cannot hold.

    It is for programs. Our own analysts run no code but ours, and a service runs elsewhere; but a
    function of the user's runs in this very process.

    Raises:
        ConfigurationError: a sandbox is asked for such a function.
    """
    if settings.sandbox and (settings.analyst or "").startswith(_IN_PROCESS):
        raise ConfigurationError(
            "sandbox: a `python:` analyst runs in this process, which no sandbox can confine. Make "
            "it a program (`command:python FILE`), or leave the sandbox out (--no-sandbox)."
        )


def sandbox_request(settings: Settings, warehouse_url: str) -> SandboxRequest | None:
    """The sandbox for a program that opens `warehouse_url`; None where none is asked for."""
    if not settings.sandbox:
        return None
    url = parse_url(warehouse_url)
    is_file = url.get_backend_name() in _FILE_BACKENDS
    files = [Path(f"{url.database}{ending}") for ending in _BESIDE] if is_file else []
    return SandboxRequest(
        secrets=(settings.suite, settings.runs_dir),
        readable=(*(path for path in files if path.exists()), *settings.allow_paths),
        mounts=settings.mounts,
    )
