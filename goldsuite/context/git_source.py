"""Keeping `.knowledge/.context-cache` at the commit that the context source names.

The cache is a clone that belongs to goldsuite and to other tools that follow the same layout:
whatever was edited in it is overwritten. It is never used silently stale: where the repository
cannot be reached, a refresh is an error, even if an older clone is there.

A lock file beside the cache keeps two runs from writing to it at once. The secrets of the URL are
not stored in the cache.
"""

import contextlib
import fcntl
import hashlib
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from goldsuite.context.git_command import ALLOWED_SCHEMES, Git, mask_url
from goldsuite.context.source import ContextSource
from goldsuite.errors import ContextError
from goldsuite.nearest import did_you_mean

CACHE_NAME = ".context-cache"
GIT_TIMEOUT_S = 120.0

_MARK = "goldsuite.source"
"""The key in the clone's own configuration that tells which URL it is of, as a hash."""
_LOCK_POLL_S = 0.1
_COMMIT_NAME = re.compile(r"[0-9a-fA-F]{7,64}")
_FULL_COMMIT_NAME = re.compile(r"[0-9a-fA-F]{40}|[0-9a-fA-F]{64}")
_REFSPECS = ("+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*")


@dataclass(frozen=True, kw_only=True, slots=True)
class GitState:
    """What the cache holds."""

    repo: str
    """The URL, secrets masked."""
    ref: str
    commit: str
    """Full hash."""


def update_cache(
    source: ContextSource, knowledge: Path, *, refresh: bool, timeout_s: float = GIT_TIMEOUT_S
) -> GitState:
    """Bring the cache in `knowledge` to `source`, and say at which commit it is.

    With `refresh=False` nothing is fetched or written: the cache must already be a clone of the
    same repository at the same ref, as a resumed run needs it.

    Raises:
        ContextError: the URL or ref is refused, the repository cannot be reached, it has no such
            ref, or, with `refresh=False`, the cache is of another repository or ref.
    """
    url = _checked_url(source, knowledge.parent)
    if source.ref.startswith("-") or not source.ref.isprintable():
        raise ContextError(f"{source.place}: ref {source.ref!r} is refused. Name a branch or tag.")
    cache = knowledge / CACHE_NAME
    git = Git(folder=cache, url=url, timeout_s=timeout_s)
    if not refresh:
        return _state(source, url, _cached_commit(source, git))
    with _locked(knowledge / f"{CACHE_NAME}.lock", timeout_s):
        _remove_leftovers(knowledge)
        commit = _update(source, git) if _is_clone_of(git) else None
        if commit is None:
            commit = _clone_anew(source, git)
    return _state(source, url, commit)


def _state(source: ContextSource, url: str, commit: str) -> GitState:
    return GitState(repo=mask_url(url), ref=source.ref, commit=commit)


def _checked_url(source: ContextSource, base: Path) -> str:
    """The URL to fetch from; a folder's path is read from where `.knowledge` stands."""
    repo = source.repo or ""
    # `-x` would be an option, and `ext::command` would run the command.
    refused = repo.startswith("-") or "::" in repo.partition("/")[0] or not repo.isprintable()
    if not refused:
        folder = Path.home() / repo[2:] if repo.startswith("~/") else base / repo
        if folder.is_dir():
            return str(folder.resolve())
    scheme = repo.partition("://")[0] if "://" in repo else "ssh"
    if refused or scheme.lower() not in ALLOWED_SCHEMES:
        raise ContextError(
            f"{source.place}: the repository {mask_url(repo)!r} is refused. "
            f"Give a folder or a URL with {', '.join(ALLOWED_SCHEMES)}."
        )
    return repo


@contextlib.contextmanager
def _locked(path: Path, timeout_s: float) -> Iterator[None]:
    try:
        file = path.open("w")
    except OSError as error:
        raise ContextError(
            f"{path}: cannot be written ({error.strerror}), and the context's clone stands beside "
            "it. Make the folder writable."
        ) from error
    with file:
        deadline = time.monotonic() + timeout_s
        while not _try_lock(file.fileno()):
            if time.monotonic() > deadline:
                raise ContextError(
                    f"{path}: another run has been updating the context for {timeout_s:g} s. "
                    "Wait for it, or end it."
                )
            time.sleep(_LOCK_POLL_S)
        yield


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _remove_leftovers(knowledge: Path) -> None:
    """Delete what a killed run left; the lock is ours, so nobody is using it."""
    for leftover in knowledge.glob(f"{CACHE_NAME}.tmp-*"):
        shutil.rmtree(leftover, ignore_errors=True)


def _is_clone_of(git: Git) -> bool:
    """True if the cache is a clone of `git.url`, by goldsuite's mark or by its own origin."""
    cache = git.folder
    if cache.is_symlink() or (cache.exists() and not cache.is_dir()):
        raise ContextError(f"{cache}: is no folder. Remove it.")
    if not (cache / ".git").is_dir():
        if cache.is_dir() and any(cache.iterdir()):
            raise ContextError(f"{cache}: holds files but is no git clone. Move them away.")
        return False
    mark = git("config", "--local", "--get", _MARK).stdout.strip()
    if mark:
        return mark == _mark(git.url)
    # A clone that another tool made.
    return git("config", "--local", "--get", "remote.origin.url").stdout.strip() == git.url


def _mark(url: str) -> str:
    return hashlib.sha256(url.encode()).hexdigest()


def _update(source: ContextSource, git: Git) -> str | None:
    """Fetch and check out; None where the clone is broken and has to be made anew."""
    _fetch(source, git, cached=True)
    commit = _commit_of(source, git)
    return commit if _check_out(git, commit) == "" else None


def _clone_anew(source: ContextSource, git: Git) -> str:
    """Clone beside the cache, then put the clone in its place: a failure leaves the old one."""
    cache = git.folder
    fresh = Path(tempfile.mkdtemp(prefix=f"{CACHE_NAME}.tmp-", dir=cache.parent))
    try:
        clone = replace(git, folder=fresh)
        created = clone("init", "--quiet", "--template=", "--initial-branch=main")
        if not created.ok:
            raise ContextError(f"{source.place}: git cannot make a clone: {created.reason}.")
        clone("config", "--local", _MARK, _mark(git.url))
        _fetch(source, clone, cached=False)
        commit = _commit_of(source, clone)
        reason = _check_out(clone, commit)
        if reason:
            raise ContextError(f"{source.place}: cannot check out {commit}: {reason}.")
        if cache.exists():
            shutil.rmtree(cache)
        fresh.chmod(0o755)
        fresh.rename(cache)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return commit


def _fetch(source: ContextSource, git: Git, *, cached: bool) -> None:
    # The URL, not a remote: a remote would store the password in the clone's configuration.
    fetch = ("fetch", "--quiet", "--force", "--no-write-fetch-head", "--no-recurse-submodules")
    fetched = git(*fetch, "--prune", "--no-tags", "--", git.url, *_REFSPECS)
    if not fetched.ok:
        hint = (
            f" An older clone is in {git.folder}, but it may be out of date."
            " Resume a run to use it as it is, or try again when the repository can be reached."
            if cached
            else " Check `repo` and your access to it."
        )
        raise ContextError(
            f"{source.place}: cannot fetch {mask_url(git.url)}: {fetched.reason}.{hint}"
        )
    if _FULL_COMMIT_NAME.fullmatch(source.ref) and _find_commit(source.ref, git) is None:
        # A commit that no branch reaches any more; many servers still hand it out by name.
        git(*fetch, "--", git.url, source.ref)


def _commit_of(source: ContextSource, git: Git) -> str:
    commit = _find_commit(source.ref, git)
    if commit is not None:
        return commit
    listed = git("for-each-ref", "--format=%(refname:lstrip=2)", "refs/remotes/origin", "refs/tags")
    names = [name.removeprefix("origin/") for name in listed.stdout.split()]
    has = f" It has {', '.join(names[:8])}." if names else " It has no commits yet."
    raise ContextError(
        f"{source.place}: {mask_url(git.url)} has no branch, tag or commit "
        f"{source.ref!r}.{did_you_mean(source.ref, names)}{has} Set `ref`."
    )


def _find_commit(ref: str, git: Git) -> str | None:
    """The commit `ref` names, a branch before a tag before a commit; None where it names none."""
    names = [f"refs/remotes/origin/{ref}", f"refs/tags/{ref}"]
    if _COMMIT_NAME.fullmatch(ref):
        names.append(ref)
    for name in names:
        found = git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        if found.ok:
            return found.stdout.strip()
    return None


def _check_out(git: Git, commit: str) -> str:
    """Make the working tree that of `commit`, whatever was there; the reason where it fails."""
    for step in (
        ("checkout", "--quiet", "--force", "--detach", commit),
        ("reset", "--quiet", "--hard", commit),
        ("clean", "--quiet", "-ffdx"),
    ):
        result = git(*step)
        if not result.ok:
            return result.reason
    return ""


def _cached_commit(source: ContextSource, git: Git) -> str:
    if not (git.folder / ".git").is_dir():
        raise ContextError(
            f"{git.folder}: is no git clone, and nothing was to be fetched. Refresh the context."
        )
    if not _is_clone_of(git):
        raise ContextError(
            f"{source.place}: {git.folder} is a clone of another repository. Refresh the context."
        )
    head = git("rev-parse", "--verify", "--quiet", "HEAD^{commit}").stdout.strip()
    if not head or head != _find_commit(source.ref, git):
        raise ContextError(
            f"{source.place}: {git.folder} is not at {source.ref!r} but at "
            f"{head or 'no commit'}. Refresh the context."
        )
    return head
