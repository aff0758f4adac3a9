"""Which folder the context is in, which files the analyst may read, and which he never may."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

import pytest

from goldsuite.context.resolve import ResolvedContext, resolve_context
from goldsuite.errors import ContextError

Write: TypeAlias = Callable[[Path, Mapping[str, str]], Path]
Commit: TypeAlias = Callable[[Path, Mapping[str, str]], str]

DATASET = ".knowledge/datasets/library"


def _names(context: ResolvedContext) -> list[str]:
    return [file.name.removeprefix(f"{DATASET}/") for file in context.files]


def _error(path: Path) -> str:
    with pytest.raises(ContextError) as caught:
        resolve_context(path)
    return str(caught.value)


def test_a_local_context_is_the_active_datasets_folder(project: Path) -> None:
    context = resolve_context(project)
    assert (context.dataset, context.source, context.git) == ("library", "local", None)
    assert context.directory == project / DATASET
    assert [file.name for file in context.files] == [
        ".knowledge/active.yaml",
        f"{DATASET}/metrics/index.yaml",
        f"{DATASET}/quirks.md",
        f"{DATASET}/schema.md",
    ]
    assert context.withheld == ()


def test_the_knowledge_folder_itself_may_be_given(project: Path) -> None:
    whole = resolve_context(project)
    assert resolve_context(project / ".knowledge").files == whole.files
    renamed = (project / ".knowledge").rename(project / "shared")
    names = [file.name for file in resolve_context(renamed).files]
    assert names == [file.name for file in whole.files]


@pytest.mark.parametrize(
    "content",
    [
        "active_dataset: library\nswitched_at: 2026-01-01\n",
        "active: library\n",
        "dataset: library\n",
        "active: {name: library}\n",
        "library\n",
        "'library'",
    ],
)
def test_the_active_dataset_may_be_told_in_several_ways(content: str, project: Path) -> None:
    (project / ".knowledge/active.yaml").write_text(content)
    assert resolve_context(project).dataset == "library"


def test_a_dataset_called_no_is_a_name(project: Path, write: Write) -> None:
    write(project / ".knowledge", {"active.yaml": "active: no\n", "datasets/no/schema.md": "x"})
    assert resolve_context(project).dataset == "no"


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        ("", 1, "names no dataset"),
        ("other: x\n", 1, "names no dataset"),
        ("- library\n", 1, "names no dataset"),
        ("use_remote: false\nactive: ../library\n", 2, "'../library' is no dataset name"),
        ("active: .context-cache\n", 1, "'.context-cache' is no dataset name"),
        ("active: [x\n", 2, "is not valid YAML"),
    ],
)
def test_an_active_file_without_a_name_is_an_error(
    content: str, line: int, reason: str, project: Path
) -> None:
    file = project / ".knowledge/active.yaml"
    file.write_text(content)
    assert _error(project).startswith(f"{file}:{line}: {reason}")


def test_a_missing_dataset_is_an_error_with_a_suggestion(project: Path) -> None:
    (project / ".knowledge/active.yaml").write_text("active: libary\n")
    message = _error(project)
    assert "no dataset 'libary'" in message
    assert "Did you mean 'library'? There is library." in message


def test_a_folder_without_a_context_is_an_error(tmp_path: Path, project: Path) -> None:
    assert "holds no `.knowledge` folder" in _error(tmp_path)
    assert "is no folder" in _error(tmp_path / "nowhere")
    (project / ".knowledge/active.yaml").unlink()
    assert "active.yaml: does not exist" in _error(project)


def test_a_url_in_place_of_the_folder_is_told_without_its_secret(tmp_path: Path) -> None:
    told = _error(tmp_path / "https://u:tok-4711@example.org/context.git")
    assert "a URL is given" in told
    assert "tok-4711" not in told


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("source: gti\n", "1: unknown source 'gti'"),
        ("ref: main\n", "1: no `source`"),
        ("- git\n", "1: is no mapping"),
        ("ref: main\nsource: git\n", "2: `source: git` without a repository"),
        ("source: git\nrepo: x\npath: ../../etc\n", "3: path '../../etc' leads out"),
        ("source: git\nrepo: x\ndataset_path: /etc\n", "3: dataset_path '/etc' leads out"),
        (
            "source: local\ndataset_path: .knowledge/datasets/clinic\n",
            "2: `source: local` reads",
        ),
    ],
)
def test_a_source_that_cannot_be_followed_is_an_error(
    content: str, reason: str, project: Path
) -> None:
    file = project / ".knowledge/context-source.yaml"
    file.write_text(content)
    assert _error(project).startswith(f"{file}:{reason}")


@pytest.mark.parametrize(
    "content", ["", "source: local\n", f"source: local\ndataset_path: {DATASET}\n"]
)
def test_a_local_source_may_be_written_down(content: str, project: Path) -> None:
    before = resolve_context(project)
    (project / ".knowledge/context-source.yaml").write_text(content)
    assert resolve_context(project) == before


@pytest.mark.parametrize(
    ("keys", "files", "found"),
    [
        ("", ["datasets/library", ".knowledge/datasets/library", "library"], "datasets/library"),
        ("", [".knowledge/datasets/library", "library"], ".knowledge/datasets/library"),
        ("", ["library", "."], "library"),
        ("", ["."], "."),
        ("path: team/data", ["datasets/library", "team/data/library"], "team/data/library"),
        ("path: team", ["team", "library"], "team"),
        ("dataset_path: deep/one", ["datasets/library", "deep/one"], "deep/one"),
    ],
)
def test_the_dataset_is_looked_for_in_the_repository(
    keys: str, files: list[str], found: str, project: Path, commit: Commit, tmp_path: Path
) -> None:
    team = tmp_path / "team"
    commit(team, {f"{folder}/metrics/index.yaml": f"# {folder}\n" for folder in files})
    (project / ".knowledge/context-source.yaml").write_text(f"source: git\nrepo: {team}\n{keys}\n")
    context = resolve_context(project)
    assert context.directory == (project / ".knowledge/.context-cache" / found).resolve()
    index = context.dataset_files()["metrics/index.yaml"]
    assert index.path.read_text() == f"# {found}\n"


def test_a_dataset_that_the_repository_lacks_is_an_error(
    project: Path, commit: Commit, tmp_path: Path
) -> None:
    commit(tmp_path / "team", {"datasets/libraries/metrics/index.yaml": "metrics: []\n"})
    source = project / ".knowledge/context-source.yaml"
    source.write_text(f"source: git\nrepo: {tmp_path}/team\n")
    assert "no dataset 'library'" in _error(project)
    assert "Did you mean 'libraries'?" in _error(project)
    source.write_text(f"source: git\nrepo: {tmp_path}/team\ndataset_path: datasets/x\n")
    assert "has no folder 'datasets/x' at 'main'" in _error(project)


def test_with_git_the_local_dictionary_is_never_read(
    project: Path, commit: Commit, write: Write, tmp_path: Path
) -> None:
    write(project / DATASET, {"semantic/d.yaml": "x", "verified_queries.yaml": "x"})
    commit(
        tmp_path / "team",
        {"datasets/library/schema.md": "# Of the team\n", "datasets/library/extra.md": "x"},
    )
    (project / ".knowledge/context-source.yaml").write_text(f"source: git\nrepo: {tmp_path}/team\n")
    context = resolve_context(project)
    # The project's own schema describes the warehouse that it is connected to.
    assert _names(context) == [".knowledge/active.yaml", "extra.md", "quirks.md", "schema.md"]
    assert context.dataset_files()["schema.md"].path.read_text() == "# Loans\n"


def test_the_reliability_history_is_never_handed_out(project: Path, write: Write) -> None:
    before = resolve_context(project)
    write(project / ".knowledge", {"reliability/log.jsonl": "{}"})
    assert resolve_context(project) == before
    write(project / DATASET, {"reliability/log.jsonl": "{}"})
    (project / DATASET / "history").symlink_to(project / ".knowledge/reliability")
    (project / DATASET / "last.jsonl").symlink_to(project / ".knowledge/reliability/log.jsonl")
    context = resolve_context(project)
    assert context.files == before.files
    assert [name.removeprefix(f"{DATASET}/") for name in context.withheld] == [
        "history",
        "last.jsonl",
        "reliability",
    ]


def test_the_history_in_a_repository_is_never_handed_out(
    project: Path, commit: Commit, tmp_path: Path
) -> None:
    team = tmp_path / "team"
    (team / ".knowledge/datasets/library").mkdir(parents=True)
    (team / ".knowledge/datasets/library/past").symlink_to("../../reliability")
    commit(
        team,
        {
            ".knowledge/datasets/library/extra.md": "x",
            ".knowledge/reliability/log.jsonl": "{}",
        },
    )
    (project / ".knowledge/context-source.yaml").write_text(f"source: git\nrepo: {team}\n")
    context = resolve_context(project)
    assert _names(context) == [".knowledge/active.yaml", "extra.md", "quirks.md", "schema.md"]
    assert context.withheld == (f"{DATASET}/past",)


def test_links_out_of_the_repository_are_not_followed(
    project: Path, commit: Commit, tmp_path: Path
) -> None:
    team, secret = tmp_path / "team", tmp_path / "gold-cases.yaml"
    secret.write_text("gold")
    folder = team / "datasets/library"
    folder.mkdir(parents=True)
    (folder / "file.md").symlink_to(secret)
    (folder / "folder").symlink_to(tmp_path)
    (folder / "up.md").symlink_to("../../../../../../gold-cases.yaml")
    (folder / "config").symlink_to("../../.git/config")
    (folder / "dangling").symlink_to("nowhere")
    (folder / "circle").symlink_to("circle")
    (folder / "self").symlink_to(".")
    (folder / "inside.md").symlink_to("../../notes.md")
    commit(team, {"notes.md": "shared\n"})
    (project / ".knowledge/context-source.yaml").write_text(f"source: git\nrepo: {team}\n")
    context = resolve_context(project)
    assert _names(context) == [".knowledge/active.yaml", "inside.md", "quirks.md", "schema.md"]
    assert context.dataset_files()["inside.md"].path.read_text() == "shared\n"
    withheld = ("circle", "config", "dangling", "file.md", "folder", "self", "up.md")
    assert context.withheld == tuple(f"{DATASET}/{name}" for name in withheld)


def test_a_dataset_that_is_a_link_out_of_the_repository_is_refused(
    project: Path, commit: Commit, tmp_path: Path
) -> None:
    team = tmp_path / "team"
    (team / "datasets").mkdir(parents=True)
    (team / "datasets/library").symlink_to(tmp_path)
    commit(team, {})
    (project / ".knowledge/context-source.yaml").write_text(f"source: git\nrepo: {team}\n")
    assert "leads out of it" in _error(project)


def test_a_local_dataset_may_be_a_link_to_another_place(
    project: Path, write: Write, tmp_path: Path
) -> None:
    place = write(tmp_path / "elsewhere", {"schema.md": "x"})
    (project / ".knowledge/datasets/clinic").symlink_to(place)
    (project / ".knowledge/active.yaml").write_text("active: clinic\n")
    context = resolve_context(project)
    assert list(context.dataset_files()) == ["schema.md"]


def test_a_local_dataset_that_is_a_link_to_the_history_is_refused(
    project: Path, write: Write
) -> None:
    write(project / ".knowledge", {"reliability/log.jsonl": "{}", "active.yaml": "active: x"})
    (project / ".knowledge/datasets/x").symlink_to("../reliability")
    assert "which no analyst may read" in _error(project)


def test_hidden_files_and_pipes_are_not_handed_out(project: Path, write: Write) -> None:
    before = resolve_context(project)
    write(project / DATASET, {".env": "PASSWORD=x", ".git/config": "x"})
    os.mkfifo(project / DATASET / "pipe")
    context = resolve_context(project)
    assert context.files == before.files
    assert context.withheld == (f"{DATASET}/pipe",)


def test_the_source_file_itself_is_not_handed_out(project: Path) -> None:
    (project / ".knowledge/context-source.yaml").write_text("source: local\n")
    assert not any("context-source" in file.name for file in resolve_context(project).files)
