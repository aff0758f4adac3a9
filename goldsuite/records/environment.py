"""What the run ran on: versions and the git revision of the suite's folder."""

import platform
import subprocess
from importlib import metadata
from pathlib import Path

from goldsuite import __version__
from goldsuite.model.run import Environment

_PACKAGES = ("sqlalchemy", "duckdb", "sqlglot", "pyyaml", "pydantic", "anthropic")
"""Those that a verdict or an answer may depend on."""


def describe_environment(folder: Path) -> Environment:
    """Versions in use, and the git revision of `folder` where it is in a checkout."""
    revision = _git(folder, "rev-parse", "HEAD")
    return Environment(
        goldsuite=__version__,
        python=platform.python_version(),
        platform=f"{platform.system()} {platform.machine()}",
        packages={name: version for name in _PACKAGES if (version := _version(name))},
        git_revision=revision,
        git_dirty=None if revision is None else bool(_git(folder, "status", "--porcelain")),
    )


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _git(folder: Path, *arguments: str) -> str | None:
    command = ("git", "-C", str(folder), *arguments)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
