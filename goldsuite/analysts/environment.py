"""The environment of an outside analyst: built up from a short list, never cut down from ours.

What is not named here or by `--pass-env` is withheld, because any variable may tell where the suite
lies. No variable that holds a path of a hidden folder gets through.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from goldsuite.errors import UsageError

__all__ = [
    "TOKEN",
    "WAREHOUSE_URL",
    "Environment",
    "build_environment",
    "hidden_paths",
    "lies_in",
    "mentions",
    "names_the_suite",
]

WAREHOUSE_URL = "GOLDSUITE_WAREHOUSE_URL"
TOKEN = "GOLDSUITE_TOKEN"  # noqa: S105  a variable's name; it marks a trial's processes

_KEPT = frozenset(
    {
        "LANG",
        "LANGUAGE",
        "TZ",
        "TERM",
        "SSL_CERT_FILE",
        "SSL_CERT_DIR",
        "REQUESTS_CA_BUNDLE",
        "CURL_CA_BUNDLE",
        "NODE_EXTRA_CA_CERTS",
    }
)
_NEVER = frozenset({"PWD", "OLDPWD"})
_NOT_WORTH_TELLING = frozenset({*_NEVER, "SHLVL", "_", "PATH", "HOME", "TMPDIR"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Environment:
    """What every trial's program gets; the trial adds HOME, TMPDIR and its token."""

    variables: Mapping[str, str]
    passed: Mapping[str, str]
    """Those of `variables` that were asked for by name; their values are secret."""
    withheld: tuple[str, ...]
    """Names of our own variables that the program does not get, sorted."""
    unset: tuple[str, ...]
    """Names asked for that are not set here."""
    path_removed: int
    """Entries of PATH left out because they lie in a hidden folder or are relative."""


def build_environment(
    environ: Mapping[str, str], *, pass_env: Sequence[str], hidden: Sequence[str]
) -> Environment:
    """Choose from `environ` what a program may have.

    Args:
        environ: our own variables.
        pass_env: names to pass on besides the short list.
        hidden: absolute folders that no value may mention, as `hidden_paths` gives them.

    Raises:
        UsageError: a name of `pass_env` would give a hidden folder away.
    """
    for name in pass_env:
        _check_passable(name, environ, hidden)
    passed = {name: environ[name] for name in pass_env if name in environ}
    variables = {
        name: value
        for name, value in environ.items()
        if (name in _KEPT or name.startswith("LC_")) and not mentions(value, hidden)
    }
    path, removed = _clean_path(environ.get("PATH", os.defpath), hidden)
    variables |= {"PATH": path} | passed
    return Environment(
        variables=variables,
        passed=passed,
        withheld=tuple(sorted(set(environ) - set(variables) - _NOT_WORTH_TELLING)),
        unset=tuple(sorted(set(pass_env) - set(environ))),
        path_removed=removed,
    )


def hidden_paths(folders: Sequence[Path]) -> tuple[str, ...]:
    """Every way `folders` are written absolutely, links resolved and not; the root is left out.

    Everything lies below the root, so a suite that stands right there cannot be hidden this way.
    """
    written = {os.path.normpath(f.absolute()) for f in folders} | {
        str(f.resolve()) for f in folders
    }
    return tuple(sorted(path for path in written if path != os.sep))


def lies_in(path: str, hidden: Sequence[str]) -> bool:
    """Whether the file or folder `path` is one of the `hidden` folders or stands in one."""
    places = (Path(os.path.normpath(Path(path).absolute())), Path(path).resolve())
    return any(place.is_relative_to(folder) for place in places for folder in hidden)


def mentions(value: str, hidden: Sequence[str]) -> bool:
    """Whether `value`, perhaps percent-encoded, names one of the `hidden` folders or a file in it.

    `/srv/gold` is named by `a:/srv/gold/x.yaml`, and not by `/srv/golden`.
    """
    texts = {value, unquote(value)}
    return any(
        re.search(re.escape(path) + r"(?![\w-]|\.\w)", text) for path in hidden for text in texts
    )


def names_the_suite(name: str) -> bool:
    """Whether the variable `name` may tell where the suite lies, whatever it holds."""
    return name in _NEVER or name.startswith("GOLDSUITE_")


def _check_passable(name: str, environ: Mapping[str, str], hidden: Sequence[str]) -> None:
    if not name or "=" in name or "\0" in name:
        raise UsageError(f"--pass-env {name!r}: the name of a variable is expected, with no '='.")
    if names_the_suite(name):
        raise UsageError(
            f"--pass-env {name!r}: this variable is never passed on, because it tells an analyst "
            "where the suite lies. Leave it out."
        )
    if name in environ and mentions(environ[name], hidden):
        raise UsageError(
            f"--pass-env {name!r}: its value names a folder that is hidden from analysts (that of "
            "the suite, the runs or the project). Leave it out, or move what it points to."
        )


def _clean_path(path: str, hidden: Sequence[str]) -> tuple[str, int]:
    entries = [entry for entry in path.split(os.pathsep) if entry]
    kept = [entry for entry in entries if Path(entry).is_absolute() and not lies_in(entry, hidden)]
    return os.pathsep.join(kept) or os.defpath, len(entries) - len(kept)
