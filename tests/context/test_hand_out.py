"""The read-only copy that a program gets, and its removal."""

import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

import pytest

from goldsuite.context.hand_out import copy_context, without_files
from goldsuite.context.resolve import resolve_context
from goldsuite.errors import ContextError

Write: TypeAlias = Callable[[Path, Mapping[str, str]], Path]

DATASET = ".knowledge/datasets/library"


def _tree(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): f"{stat.S_IMODE(path.lstat().st_mode):o}"
        for path in sorted(folder.rglob("*"))
    }


def test_the_copy_holds_what_may_be_read_and_is_read_only(
    project: Path, write: Write, tmp_path: Path
) -> None:
    write(project / ".knowledge", {"reliability/log.jsonl": "{}", "context-source.yaml": ""})
    target = tmp_path / "trial"
    copy_context(resolve_context(project), target)
    assert _tree(target) == {
        ".knowledge": "555",
        ".knowledge/active.yaml": "444",
        ".knowledge/datasets": "555",
        DATASET: "555",
        f"{DATASET}/metrics": "555",
        f"{DATASET}/metrics/index.yaml": "444",
        f"{DATASET}/quirks.md": "444",
        f"{DATASET}/schema.md": "444",
    }
    assert (target / DATASET / "schema.md").read_text() == "# Loans\n"


def test_a_link_becomes_a_file_of_its_own(project: Path, write: Write, tmp_path: Path) -> None:
    write(project / ".knowledge", {"shared.md": "shared\n"})
    (project / DATASET / "link.md").symlink_to(project / ".knowledge/shared.md")
    copy_context(resolve_context(project), tmp_path / "trial")
    copy = tmp_path / "trial" / DATASET / "link.md"
    assert (copy.is_symlink(), copy.read_text()) == (False, "shared\n")


def test_the_suite_is_left_out_by_place_link_and_content(
    project: Path, write: Write, tmp_path: Path
) -> None:
    folder = project / DATASET
    write(folder, {"gold.yaml": "cases: []\n", "copy of gold.txt": "cases: []\n"})
    (folder / "linked.yaml").symlink_to("gold.yaml")
    write(folder, {"runs/1.json": "{}", "empty.md": ""})
    exclude = [folder / "gold.yaml", folder / "runs", tmp_path / "missing.yaml"]
    context = resolve_context(project)
    copy_context(context, tmp_path / "trial", exclude=exclude)
    copied = {path.name for path in (tmp_path / "trial").rglob("*") if path.is_file()}
    assert copied == {"active.yaml", "index.yaml", "quirks.md", "schema.md", "empty.md"}
    assert without_files(context, exclude).withheld == tuple(
        f"{DATASET}/{name}"
        for name in ("copy of gold.txt", "gold.yaml", "linked.yaml", "runs/1.json")
    )


def test_a_suite_outside_of_the_context_is_left_out_by_content(
    project: Path, write: Write, tmp_path: Path
) -> None:
    write(tmp_path, {"gold.yaml": "cases: []\n", "empty.yaml": ""})
    write(project / DATASET, {"notes.md": "cases: []\n", "empty.md": ""})
    exclude = [tmp_path / "gold.yaml", tmp_path / "empty.yaml"]
    context = without_files(resolve_context(project), exclude)
    assert context.withheld == (f"{DATASET}/notes.md",)


def test_a_folder_that_has_a_context_already_is_refused(project: Path, tmp_path: Path) -> None:
    (tmp_path / "trial/.knowledge").mkdir(parents=True)
    with pytest.raises(ContextError, match="exists already"):
        copy_context(resolve_context(project), tmp_path / "trial")


def test_a_file_that_is_gone_is_an_error(project: Path, tmp_path: Path) -> None:
    context = resolve_context(project)
    (project / DATASET / "quirks.md").unlink()
    with pytest.raises(ContextError, match=r"quirks\.md: the context cannot be copied"):
        copy_context(context, tmp_path / "trial")
