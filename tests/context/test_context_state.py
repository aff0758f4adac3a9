"""What the record says of a context, and what its hashes react to."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from goldsuite.context.read_dictionary import load_dictionary
from goldsuite.context.resolve import resolve_context
from goldsuite.context.state import context_state
from goldsuite.model.context_state import ContextState

Write: TypeAlias = Callable[[Path, Mapping[str, str]], Path]
Commit: TypeAlias = Callable[[Path, Mapping[str, str]], str]

INDEX = ".knowledge/datasets/library/metrics/index.yaml"


def _state(project: Path) -> ContextState:
    context = resolve_context(project)
    return context_state(context, load_dictionary(context))


def test_the_state_names_the_defined_metrics_in_order(project: Path, write: Write) -> None:
    write(
        project,
        {INDEX: "metrics:\n  loans: {sql: count(*)}\n  fines:\n  holds: Items waited for\n"},
    )
    state = _state(project)
    assert (state.dataset, state.source, state.commit) == ("library", "local", None)
    # `fines` is named, but nobody said what it means.
    assert (state.metrics, state.count) == (("holds", "loans"), 2)


def test_the_definitions_hash_sees_definitions_alone(project: Path, write: Write) -> None:
    write(project, {INDEX: "metrics:\n  a: {sql: sum(x), owner: me}\n  b: Words\n"})
    first = _state(project)
    write(
        project, {INDEX: "# reordered\n- {name: b, description: Words}\n- {id: a, expr: sum(x)}\n"}
    )
    reordered = _state(project)
    write(project, {INDEX: "metrics:\n  a: {sql: sum(y)}\n  b: Words\n"})
    changed = _state(project)
    assert first.sha256 == reordered.sha256
    assert first.files_sha256 != reordered.files_sha256
    assert changed.sha256 != first.sha256


def test_the_files_hash_sees_content_and_names_and_no_withheld_file(
    project: Path, write: Write
) -> None:
    first = _state(project)
    assert _state(project) == first
    write(
        project, {".knowledge/reliability/log.jsonl": "{}", ".knowledge/datasets/x/schema.md": ""}
    )
    assert _state(project) == first
    folder = project / ".knowledge/datasets/library"
    (folder / "quirks.md").rename(folder / "notes.md")
    renamed = _state(project)
    write(folder, {"notes.md": "Other.\n"})
    assert len({first.files_sha256, renamed.files_sha256, _state(project).files_sha256}) == 3
    assert renamed.sha256 == first.sha256


def test_the_same_context_from_git_has_the_same_hashes_and_a_commit(
    project: Path, write: Write, commit: Commit, tmp_path: Path
) -> None:
    local = _state(project)
    index = (project / INDEX).read_text()
    head = commit(tmp_path / "team", {"datasets/library/metrics/index.yaml": index})
    write(project, {".knowledge/context-source.yaml": f"source: git\nrepo: {tmp_path}/team\n"})
    shared = _state(project)
    assert (shared.source, shared.commit) == ("git", head)
    assert (shared.sha256, shared.files_sha256) == (local.sha256, local.files_sha256)
