"""Masking of secrets, the limits of a git command, and the environment it runs in."""

import time
from pathlib import Path

import pytest

from goldsuite.context.git_command import Git, mask_secrets, mask_url
from goldsuite.errors import ContextError


@pytest.mark.parametrize(
    ("url", "masked"),
    [
        ("https://ada:hunter22@example.org/x.git", "https://***@example.org/x.git"),
        ("https://ghp_0123456789@example.org/x.git", "https://***@example.org/x.git"),
        ("https://a:b/c?d@example.org/x.git", "https://***@example.org/x.git"),
        ("https://example.org/x.git?token=abc", "https://example.org/x.git?***"),
        ("https://example.org/x.git", "https://example.org/x.git"),
        ("ssh://git@example.org/x.git", "ssh://git@example.org/x.git"),
        ("ssh://git:hunter22@example.org/x.git", "ssh://git:***@example.org/x.git"),
        ("git@example.org:team/x.git", "git@example.org:team/x.git"),
        ("/srv/context", "/srv/context"),
    ],
)
def test_a_url_is_masked(url: str, masked: str) -> None:
    assert mask_url(url) == masked


@pytest.mark.parametrize(
    ("text", "url", "masked"),
    [
        ("at https://ada:pa%40ss@h/x", "https://ada:pa%40ss@h/x", "at https://***@h/x"),
        ("password pa@ss refused", "https://ada:pa%40ss@h/x", "password *** refused"),
        ("user ghp_0123456789", "https://ghp_0123456789@h/x", "user ***"),
        ("ghp_0123456789", "https://ghp_0123456789:x-oauth-basic@h/x", "***"),
        ("fatal: not a git repository", "https://git@h/x", "fatal: not a git repository"),
    ],
)
def test_secrets_of_a_url_are_masked_wherever_they_occur(text: str, url: str, masked: str) -> None:
    assert mask_secrets(text, url) == masked


def _fake_git(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = folder / "git"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_a_command_that_hangs_is_ended_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The child holds the pipe open, as git's transport helpers do.
    _fake_git(tmp_path, "sleep 30 & sleep 30", monkeypatch)
    started = time.monotonic()
    result = Git(folder=tmp_path, url="x", timeout_s=0.3)("fetch")
    assert not result.ok
    assert result.reason == "no answer within 0.3 s"
    assert time.monotonic() - started < 25


def test_git_is_told_which_repository_and_never_prompts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fake_git(tmp_path, 'echo "$GIT_DIR|$GIT_INDEX_FILE|$GIT_TERMINAL_PROMPT"', monkeypatch)
    monkeypatch.setenv("GIT_DIR", "/of/a/hook")
    monkeypatch.setenv("GIT_INDEX_FILE", "/of/a/hook/index")
    result = Git(folder=tmp_path, url="x", timeout_s=10)("status")
    assert result.stdout == f"{tmp_path}/.git||0\n"


def test_the_reason_of_a_failure_is_masked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _fake_git(tmp_path, "echo refused for hunter22 >&2; exit 128", monkeypatch)
    result = Git(folder=tmp_path, url="https://ada:hunter22@h/x", timeout_s=10)("fetch")
    assert (result.ok, result.reason) == (False, "refused for ***")


def test_without_git_the_error_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ContextError, match="no `git` command"):
        Git(folder=tmp_path, url="x", timeout_s=10)("status")
