"""What is being released: a name that was given, else what git says, else a fingerprint."""

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path

from goldsuite.analysts.brief import write_brief, write_tool_brief
from goldsuite.context.git_command import Git
from goldsuite.model.context_state import ContextState
from goldsuite.model.question import Prompt
from goldsuite.records.ledger_entry import Release

__all__ = ["fingerprint_of", "release_of"]

_GIT_TIMEOUT_S = 20.0
_SHOWN = 12
"""Hex digits of a commit or a fingerprint that name a release."""


def release_of(
    name: str | None, *, project: Path, ignored: Sequence[Path], fingerprint: str
) -> Release:
    """The release that a run is for.

    Args:
        name: as given with `--release`; None to see it from git, or from the fingerprint.
        project: the folder whose checkout counts.
        ignored: files and folders that are no part of it, though they stand in its checkout: the
            ledger, which grows with every look, and the runs.
        fingerprint: of what is measured.
    """
    commit = _clean_commit(project, ignored)
    if name is not None:
        return Release(name=name, basis="option", commit=commit, fingerprint=fingerprint)
    if commit is None:
        return Release(name=fingerprint[:_SHOWN], basis="fingerprint", fingerprint=fingerprint)
    tag = _git(project)("describe", "--tags", "--exact-match", "HEAD")
    if tag.ok and tag.stdout.strip():
        return Release(
            name=tag.stdout.strip(), basis="git tag", commit=commit, fingerprint=fingerprint
        )
    return Release(name=commit[:_SHOWN], basis="git commit", commit=commit, fingerprint=fingerprint)


def fingerprint_of(*, analyst: str, model: str | None, context: ContextState | None) -> str:
    """A hash of context, model and prompt.

    Args:
        analyst: a hash of the analyst as it was asked for, or of the answers that are graded.
    """
    parts = [
        analyst,
        model,
        context.files_sha256 if context else None,
        write_brief(Prompt(token="", text=""), dialect=""),
        write_tool_brief(dialect="", as_of=None),
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _clean_commit(project: Path, ignored: Sequence[Path]) -> str | None:
    """The last commit that changed more than what is ignored; None with uncommitted changes."""
    top = _top(project)
    if top is None:
        return None
    git = _git(top)
    besides = [_excluding(path, top) for path in ignored if _is_below(path, top)]
    status = git("--no-optional-locks", "status", "--porcelain", "--", ".", *besides)
    if not status.ok or status.stdout.strip():
        return None
    last = git("log", "-1", "--format=%H", "HEAD", "--", ".", *besides)
    return last.stdout.strip() or None if last.ok else None


def _top(project: Path) -> Path | None:
    """The folder of the checkout that `project` is in."""
    folder = project.resolve()
    while not (folder / ".git").exists():
        if folder.parent == folder:
            return None
        folder = folder.parent
    return folder


def _git(folder: Path) -> Git:
    return Git(folder=_top(folder) or folder, url="", timeout_s=_GIT_TIMEOUT_S)


def _is_below(path: Path, top: Path) -> bool:
    return path.resolve().is_relative_to(top) and path.resolve() != top


def _excluding(path: Path, top: Path) -> str:
    # Literal: a name may hold characters that git reads as a pattern.
    return f":(exclude,literal){os.path.relpath(path.resolve(), top)}"
