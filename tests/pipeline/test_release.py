"""What a release is called: a name, a tag, a commit, or a fingerprint."""

import os
import subprocess
from pathlib import Path

import pytest

from goldsuite.model.context_state import ContextState
from goldsuite.pipeline.release import fingerprint_of, release_of
from goldsuite.records.ledger_entry import Release

FINGERPRINT = "f" * 64


class Project:
    """A git checkout with a suite, its ledger and runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ledger = folder / "suite" / "gold.ledger.jsonl"
        self.runs = folder / "runs"
        self.ledger.parent.mkdir()
        self.git("init", "-q")
        (folder / "agent.py").write_text("1")
        self.commit("first")

    def git(self, *arguments: str) -> str:
        who = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        names = {
            f"GIT_{role}_{what}": "x@example.com"
            for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
        }  # fmt: skip
        done = subprocess.run(
            ["git", "-C", self.folder, *arguments],
            env=os.environ | who | names, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout.strip()

    def commit(self, message: str) -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)
        return self.git("rev-parse", "HEAD")

    def release(self, name: str | None = None) -> Release:
        return release_of(
            name, project=self.folder, ignored=(self.ledger, self.runs), fingerprint=FINGERPRINT
        )


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_a_clean_checkout_is_called_by_its_commit(project: Project) -> None:
    commit = project.git("rev-parse", "HEAD")
    found = project.release()
    assert found == Release(
        name=commit[:12], basis="git commit", commit=commit, fingerprint=FINGERPRINT
    )


def test_a_tag_names_it(project: Project) -> None:
    project.git("tag", "v1.2")
    assert (project.release().name, project.release().basis) == ("v1.2", "git tag")


def test_a_given_name_comes_first(project: Project) -> None:
    project.git("tag", "v1.2")
    assert (project.release("spring").name, project.release("spring").basis) == ("spring", "option")


def test_a_tree_with_changes_is_called_by_its_fingerprint(project: Project) -> None:
    (project.folder / "agent.py").write_text("2")
    found = project.release()
    assert (found.name, found.basis, found.commit) == ("f" * 12, "fingerprint", None)


def test_looks_and_runs_make_no_new_release(project: Project) -> None:
    before = project.release()
    project.ledger.write_text("a look\n")
    project.runs.mkdir()
    (project.runs / "x.json").write_text("{}")
    assert project.release() == before
    project.commit("keep the ledger")
    assert project.release() == before
    (project.folder / "agent.py").write_text("2")
    project.commit("another agent")
    assert project.release().commit != before.commit


def test_outside_of_git_there_is_the_fingerprint(tmp_path: Path) -> None:
    found = release_of(None, project=tmp_path, ignored=(), fingerprint=FINGERPRINT)
    assert (found.name, found.basis) == ("f" * 12, "fingerprint")


def context(files: str) -> ContextState:
    return ContextState(
        dataset="d",
        source="local",
        commit=None,
        metrics=(),
        count=0,
        sha256="s",
        files_sha256=files,
    )


def test_context_model_and_analyst_each_make_another_fingerprint() -> None:
    prints = {
        fingerprint_of(analyst="a", model="m", context=context("1")),
        fingerprint_of(analyst="b", model="m", context=context("1")),
        fingerprint_of(analyst="a", model="n", context=context("1")),
        fingerprint_of(analyst="a", model="m", context=context("2")),
        fingerprint_of(analyst="a", model="m", context=None),
    }
    assert len(prints) == 5
