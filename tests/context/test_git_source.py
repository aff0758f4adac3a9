"""A context from git, with real repositories: clone, pull, refs, and everything that fails."""

import fcntl
import shutil
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeAlias

import pytest

from goldsuite.context.resolve import ResolvedContext, resolve_context
from goldsuite.errors import ContextError

Commit: TypeAlias = Callable[[Path, Mapping[str, str]], str]
RunGit: TypeAlias = Callable[..., str]
Use: TypeAlias = Callable[..., Path]

NAME = "datasets/library/metrics/index.yaml"
SHOWN = ".knowledge/datasets/library/metrics/index.yaml"


@pytest.fixture
def team(tmp_path: Path, commit: Commit) -> Path:
    """The team's repository with one commit on `main`."""
    repository = tmp_path / "team context"
    commit(repository, {NAME: "metrics: [{name: fines, sql: sum(fine)}]\n"})
    return repository


@pytest.fixture
def use(project: Path) -> Use:
    """Point the project's context at a repository; further keys as given."""

    def use_repository(repository: object, **keys: str) -> Path:
        lines = ["source: git", f"repo: {repository}", *(f"{k}: {v}" for k, v in keys.items())]
        (project / ".knowledge/context-source.yaml").write_text("\n".join(lines) + "\n")
        return project

    return use_repository


def _content(context: ResolvedContext, name: str = SHOWN) -> str:
    return next(file.path for file in context.files if file.name == name).read_text()


def _error(project: Path, *, refresh: bool = True) -> str:
    with pytest.raises(ContextError) as caught:
        resolve_context(project, refresh=refresh, timeout_s=20)
    return str(caught.value)


def test_a_repository_is_cloned_and_its_dictionary_replaces_the_local_one(
    team: Path, use: Use, run_git: RunGit
) -> None:
    project = use(team)
    context = resolve_context(project)
    assert context.source == "git"
    assert context.git is not None
    assert context.git.commit == run_git(team, "rev-parse", "HEAD")
    assert (context.git.ref, context.git.repo) == ("main", str(team))
    assert context.directory == project / ".knowledge/.context-cache/datasets/library"
    # schema.md and quirks.md are the project's own; its metrics are not the team's.
    assert [file.name for file in context.files] == [
        ".knowledge/active.yaml",
        SHOWN,
        ".knowledge/datasets/library/quirks.md",
        ".knowledge/datasets/library/schema.md",
    ]
    assert "fines" in _content(context)


def test_a_new_commit_is_pulled(team: Path, use: Use, commit: Commit) -> None:
    project = use(team)
    resolve_context(project)
    newest = commit(team, {NAME: "metrics: [{name: holds}]\n"})
    context = resolve_context(project)
    assert context.git is not None
    assert context.git.commit == newest
    assert "holds" in _content(context)


def test_without_refresh_the_clone_is_used_as_it_is(team: Path, use: Use, commit: Commit) -> None:
    project = use(team)
    first = resolve_context(project)
    commit(team, {NAME: "metrics: [{name: holds}]\n"})
    shutil.rmtree(team / ".git")
    again = resolve_context(project, refresh=False)
    assert again == first
    assert "fines" in _content(again)


@pytest.mark.parametrize("form", ["branch", "nested/branch", "v1", "v1-annotated", "full", "short"])
def test_a_ref_is_a_branch_a_tag_or_a_commit(
    form: str, team: Path, use: Use, commit: Commit, run_git: RunGit
) -> None:
    wanted = run_git(team, "rev-parse", "HEAD")
    run_git(team, "branch", "branch")
    run_git(team, "branch", "nested/branch")
    run_git(team, "tag", "v1")
    run_git(team, "tag", "--annotate", "--message", "x", "v1-annotated")
    commit(team, {NAME: "metrics: [{name: holds}]\n"})
    ref = {"full": wanted, "short": wanted[:8]}.get(form, form)
    context = resolve_context(use(team, ref=ref))
    assert context.git is not None
    assert context.git.commit == wanted
    assert "fines" in _content(context)


def test_a_changed_ref_is_followed_and_needs_a_refresh(
    team: Path, use: Use, commit: Commit, run_git: RunGit
) -> None:
    run_git(team, "tag", "v1")
    commit(team, {NAME: "metrics: [{name: holds}]\n"})
    resolve_context(use(team))
    project = use(team, ref="v1")
    assert "is not at 'v1' but at" in _error(project, refresh=False)
    assert "fines" in _content(resolve_context(project))


def test_a_force_pushed_branch_is_followed(
    team: Path, use: Use, commit: Commit, run_git: RunGit
) -> None:
    commit(team, {NAME: "metrics: [{name: wrong}]\n", "datasets/library/old.md": "x"})
    project = use(team)
    resolve_context(project)
    run_git(team, "reset", "--quiet", "--hard", "HEAD~1")
    rewritten = commit(team, {NAME: "metrics: [{name: right}]\n"})
    context = resolve_context(project)
    assert context.git is not None
    assert context.git.commit == rewritten
    assert "right" in _content(context)
    assert not any(file.name.endswith("old.md") for file in context.files)


def test_a_moved_tag_is_followed(team: Path, use: Use, commit: Commit, run_git: RunGit) -> None:
    run_git(team, "tag", "release")
    project = use(team, ref="release")
    resolve_context(project)
    newest = commit(team, {NAME: "metrics: [{name: holds}]\n"})
    run_git(team, "tag", "--force", "release")
    context = resolve_context(project)
    assert context.git is not None
    assert context.git.commit == newest


def test_what_was_edited_in_the_clone_is_overwritten(team: Path, use: Use) -> None:
    project = use(team)
    first = resolve_context(project)
    folder = first.directory
    (folder / "metrics/index.yaml").write_text("metrics: [{name: mine}]\n")
    (folder / "mine.md").write_text("x")
    assert resolve_context(project) == first
    assert "fines" in _content(first)


def test_another_repository_is_cloned_anew(
    team: Path, use: Use, commit: Commit, tmp_path: Path
) -> None:
    resolve_context(use(team))
    other = tmp_path / "other"
    newest = commit(other, {NAME: "metrics: [{name: visits}]\n"})
    project = use(other)
    assert "clone of another repository" in _error(project, refresh=False)
    context = resolve_context(project)
    assert context.git is not None
    assert context.git.commit == newest
    assert "visits" in _content(context)


def test_a_clone_that_another_tool_made_is_taken_over(
    team: Path, use: Use, commit: Commit, run_git: RunGit
) -> None:
    project = use(team)
    cache = project / ".knowledge/.context-cache"
    run_git(project, "clone", "--quiet", "--", str(team), str(cache))
    assert "fines" in _content(resolve_context(project, refresh=False))
    commit(team, {NAME: "metrics: [{name: holds}]\n"})
    assert "holds" in _content(resolve_context(project))


def test_a_relative_folder_is_read_from_where_the_knowledge_stands(team: Path, use: Use) -> None:
    assert "fines" in _content(resolve_context(use(f"../{team.name}")))


def test_a_missing_ref_is_an_error_that_says_what_there_is(
    team: Path, use: Use, run_git: RunGit
) -> None:
    run_git(team, "branch", "develop")
    project = use(team, ref="develp")
    message = _error(project)
    assert message.startswith(f"{project}/.knowledge/context-source.yaml:2: ")
    assert "no branch, tag or commit 'develp'. Did you mean 'develop'?" in message
    assert "It has develop, main." in message


def test_a_failed_first_clone_leaves_nothing_behind(team: Path, use: Use) -> None:
    project = use(team, ref="nowhere")
    _error(project)
    left = [path.name for path in (project / ".knowledge").iterdir() if "cache" in path.name]
    assert left == [".context-cache.lock"]


def test_an_empty_repository_is_an_error(tmp_path: Path, use: Use, run_git: RunGit) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    run_git(empty, "init", "--quiet")
    assert "It has no commits yet." in _error(use(empty))


def test_a_missing_repository_is_an_error(tmp_path: Path, use: Use) -> None:
    project = use(f"file://{tmp_path}/nowhere")
    message = _error(project)
    assert f"cannot fetch file://{tmp_path}/nowhere: " in message
    assert "Check `repo` and your access to it." in message


def test_an_unreachable_repository_is_an_error_although_a_clone_is_there(
    team: Path, use: Use
) -> None:
    project = use(f"file://{team}".replace(" ", "%20"))
    resolve_context(project)
    shutil.rmtree(team)
    assert "it may be out of date. Resume a run to use it as it is" in _error(project)
    assert "fines" in _content(resolve_context(project, refresh=False))


def test_without_refresh_and_without_a_clone_it_is_an_error(team: Path, use: Use) -> None:
    assert "is no git clone, and nothing was to be fetched" in _error(use(team), refresh=False)


def test_the_password_of_a_url_is_in_no_error_state_or_file(
    team: Path, use: Use, tmp_path: Path
) -> None:
    # Nothing listens on port 1, so git fails at once.
    project = use("http://ada:hunter22@127.0.0.1:1/context.git")
    message = _error(project)
    assert "http://***@127.0.0.1:1/context.git" in message
    assert "hunter22" not in message
    shutil.copytree(team, tmp_path / "copy")
    reachable = f"file://ada:hunter22@localhost{tmp_path}/copy"
    context = resolve_context(use(reachable))
    assert context.git is not None
    assert "hunter22" not in repr(context)
    cache = project / ".knowledge/.context-cache"
    stored = [path for path in cache.rglob("*") if path.is_file()]
    assert not [path for path in stored if b"hunter22" in path.read_bytes()]


@pytest.mark.parametrize(
    ("repo", "ref"),
    [
        ("--upload-pack=touch pwned", "main"),
        ("ext::touch pwned", "main"),
        ("fd::3", "main"),
        ("gopher://example.org/x", "main"),
        ('"https://example.org/\\nx"', "main"),
        ("https://example.org/x.git", "--upload-pack=x"),
    ],
)
def test_a_url_or_ref_that_could_run_something_is_refused(repo: str, ref: str, use: Use) -> None:
    project = use(repo, ref=ref)
    assert "is refused" in _error(project)
    assert not (project / ".knowledge/.context-cache").exists()


def test_hooks_of_the_user_are_not_run(
    team: Path, use: Use, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    hook = hooks / "post-checkout"
    hook.write_text(f"#!/bin/sh\ntouch '{tmp_path}/ran'\n")
    hook.chmod(0o755)
    settings = tmp_path / "gitconfig"
    settings.write_text(f"[core]\n\thooksPath = {hooks}\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    resolve_context(use(team))
    assert not (tmp_path / "ran").exists()


def test_a_damaged_clone_is_made_anew_and_the_project_around_it_stays_as_it_is(
    team: Path, use: Use, commit: Commit, run_git: RunGit
) -> None:
    project = use(team)
    commit(project, {"notes.md": "committed\n"})
    resolve_context(project)
    (project / "notes.md").write_text("not yet committed\n")
    (project / "new.md").write_text("x")
    (project / ".knowledge/.context-cache/.git/HEAD").unlink()
    assert "fines" in _content(resolve_context(project))
    assert (project / "notes.md").read_text() == "not yet committed\n"
    assert (project / "new.md").exists()


def test_a_lock_that_a_killed_git_left_does_not_stop_the_next_run(team: Path, use: Use) -> None:
    project = use(team)
    resolve_context(project)
    (project / ".knowledge/.context-cache/.git/index.lock").touch()
    assert "fines" in _content(resolve_context(project))


def test_files_that_are_no_clone_are_not_deleted(team: Path, use: Use) -> None:
    project = use(team)
    cache = project / ".knowledge/.context-cache"
    cache.mkdir()
    (cache / "thesis.md").write_text("x")
    assert "holds files but is no git clone" in _error(project)
    assert (cache / "thesis.md").exists()


def test_two_runs_do_not_update_one_clone_at_once(team: Path, use: Use) -> None:
    project = use(team)
    with (project / ".knowledge/.context-cache.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(ContextError, match="another run has been updating the context"):
            resolve_context(project, timeout_s=0.3)
    assert "fines" in _content(resolve_context(project))


def test_runs_that_start_together_get_the_same_clone(team: Path, use: Use) -> None:
    project = use(team)
    with ThreadPoolExecutor(3) as threads:
        found = list(threads.map(resolve_context, [project] * 3))
    assert found[0] == found[1] == found[2]
    assert "fines" in _content(found[0])
