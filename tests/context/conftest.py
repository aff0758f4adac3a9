"""Contexts and git repositories that the tests write themselves, free of the user's own git."""

import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

Write = Callable[[Path, Mapping[str, str]], Path]
Commit = Callable[[Path, Mapping[str, str]], str]
RunGit = Callable[..., str]


@pytest.fixture(autouse=True)
def _no_git_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))


@pytest.fixture
def write() -> Write:
    """Write files, given as relative name to content, under a folder; gives the folder."""

    def write_files(folder: Path, files: Mapping[str, str]) -> Path:
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        return folder

    return write_files


@pytest.fixture
def run_git() -> RunGit:
    def run(folder: Path, *arguments: str) -> str:
        identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
        done = subprocess.run(
            ["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    return run


@pytest.fixture
def commit(write: Write, run_git: RunGit) -> Commit:
    """Write files into a repository, which is made on branch `main` if need be; gives the hash."""

    def commit_files(repository: Path, files: Mapping[str, str]) -> str:
        if not (repository / ".git").exists():
            repository.mkdir(parents=True, exist_ok=True)
            run_git(repository, "init", "--quiet", "--initial-branch=main")
        write(repository, files)
        run_git(repository, "add", "--all")
        run_git(repository, "commit", "--quiet", "--allow-empty", "--message", "x")
        return run_git(repository, "rev-parse", "HEAD")

    return commit_files


@pytest.fixture
def project(tmp_path: Path, write: Write) -> Path:
    """A project whose active dataset is `library`, with a dictionary of one metric."""
    return write(
        tmp_path / "project",
        {
            ".knowledge/active.yaml": "active_dataset: library\n",
            ".knowledge/datasets/library/schema.md": "# Loans\n",
            ".knowledge/datasets/library/quirks.md": "Returns are late.\n",
            ".knowledge/datasets/library/metrics/index.yaml": (
                "metrics:\n"
                "  - name: loans\n"
                "    description: Items lent out\n"
                "    sql: count(*)\n"
                "    source: loans\n"
            ),
        },
    )
