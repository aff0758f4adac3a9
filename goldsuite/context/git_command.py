"""Running the git command: no shell, no prompt, no hook, a time limit, and secrets masked."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from goldsuite.errors import ContextError

ALLOWED_SCHEMES = ("https", "http", "ssh", "git", "file")

# Set by git for its own hooks; inherited, they would point our commands at another repository.
_LOCAL_VARIABLES = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_CONFIG",
        "GIT_CONFIG_PARAMETERS",
        "GIT_DIR",
        "GIT_GRAFT_FILE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_NAMESPACE",
        "GIT_NO_REPLACE_OBJECTS",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_REPLACE_REF_BASE",
        "GIT_SHALLOW_FILE",
        "GIT_TEMPLATE_DIR",
        "GIT_WORK_TREE",
    }
)
_SETTINGS = (
    # The user's own hooks and watchers have no business in a cache.
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "submodule.recurse=false",
    # The same bytes on every machine, or the context's hash would differ.
    "core.autocrlf=false",
    "core.safecrlf=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "advice.detachedHead=false",
)
_STDERR_LINES = 5
_SHORTEST_SECRET = 3
"""Characters; shorter ones would blot out ordinary text."""
_SHORTEST_TOKEN = 8
"""Characters; a shorter user name, such as `git`, is no token."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GitResult:
    """What one git command gave."""

    ok: bool
    stdout: str
    reason: str
    """Why it failed: the last lines of stderr, secrets masked; empty where it did not."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Git:
    """Runs git on one clone."""

    folder: Path
    """The clone: its `.git` and its working tree; absolute."""
    url: str
    """Masked wherever it, or a secret of it, occurs in what git says."""
    timeout_s: float
    """For each command."""

    def __call__(self, *arguments: str) -> GitResult:
        """Run `git ARGUMENTS`.

        Raises:
            ContextError: there is no git command.
        """
        settings = [part for setting in _SETTINGS for part in ("-c", setting)]
        try:
            process = subprocess.Popen(
                ["git", *settings, *arguments],
                cwd=self.folder,
                env=_environment(os.environ, self.folder),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                # Its own group: git's transport helpers must end with it.
                start_new_session=True,
            )
        except FileNotFoundError as error:
            raise ContextError(
                "the context comes from git, but there is no `git` command. Install git."
            ) from error
        return self._finish(process)

    def _finish(self, process: subprocess.Popen[str]) -> GitResult:
        try:
            stdout, stderr = process.communicate(timeout=self.timeout_s)
        except subprocess.TimeoutExpired:
            _end_group(process)
            return GitResult(ok=False, stdout="", reason=f"no answer within {self.timeout_s:g} s")
        except BaseException:
            _end_group(process)
            raise
        if process.returncode == 0:
            return GitResult(ok=True, stdout=stdout, reason="")
        lines = mask_secrets(stderr, self.url).strip().splitlines()[-_STDERR_LINES:]
        reason = " / ".join(lines) or f"git ended with code {process.returncode}"
        return GitResult(ok=False, stdout=stdout, reason=reason)


def mask_url(url: str) -> str:
    """`url` without its secrets, fit for a record or an error message.

    In http(s) the user name is masked too: it is often the token.
    """
    scheme, separator, rest = url.partition("://")
    if not separator:
        return url
    # From the last `@`: a password may hold `/`, `?` and `@` although it should not.
    userinfo, at, place = rest.rpartition("@")
    if at and scheme.lower() in ("http", "https"):
        userinfo = "***"
    elif at and ":" in userinfo:
        userinfo = f"{userinfo.partition(':')[0]}:***"
    place, question, _ = place.partition("?")
    return f"{scheme}://{userinfo}{at}{place}{question}{'***' if question else ''}"


def mask_secrets(text: str, url: str) -> str:
    """`text` with `url` masked, and every secret of `url` replaced by `***`."""
    text = text.replace(url, mask_url(url))
    for secret in sorted(_secrets(url), key=len, reverse=True):
        text = text.replace(secret, "***")
    return text


def _secrets(url: str) -> set[str]:
    scheme, separator, rest = url.partition("://")
    if not separator:
        return set()
    userinfo, _, place = rest.rpartition("@")
    user, _, password = userinfo.partition(":")
    found = {password, place.partition("?")[2]}
    # `https://TOKEN@host` and `https://TOKEN:x-oauth-basic@host` carry the secret as the user.
    is_token = scheme.lower() in ("http", "https") and len(user) >= _SHORTEST_TOKEN
    if is_token and password in ("", "x-oauth-basic"):
        found.add(user)
    found |= {unquote(secret) for secret in found}
    return {secret for secret in found if len(secret) >= _SHORTEST_SECRET}


def _environment(inherited: Mapping[str, str], folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in inherited.items() if name not in _LOCAL_VARIABLES}
    return kept | {
        # Never found by search: from a damaged clone, git would go up to the user's own repository,
        # and what we overwrite and clean would be that.
        "GIT_DIR": str(folder / ".git"),
        "GIT_WORK_TREE": str(folder),
        "GIT_TERMINAL_PROMPT": "0",
        "GCM_INTERACTIVE": "never",
        "SSH_ASKPASS_REQUIRE": "never",
        # `ext::` and the like run commands.
        "GIT_ALLOW_PROTOCOL": ":".join(ALLOWED_SCHEMES),
        "GIT_NO_REPLACE_OBJECTS": "1",
        "LC_ALL": "C",
    }


def _end_group(process: subprocess.Popen[str]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
