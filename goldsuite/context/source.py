"""`.knowledge/active.yaml` and `.knowledge/context-source.yaml`: which dataset, and from where."""

from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from goldsuite.context.entry import text_of
from goldsuite.context.yaml_file import YamlMapping, YamlValue, read_yaml
from goldsuite.errors import ContextError

ACTIVE_KEYS = ("active_dataset", "active", "dataset")
DEFAULT_REF = "main"

_REPO_KEYS = ("repo", "url", "repository")
_REF_KEYS = ("ref", "branch", "tag", "commit")


@dataclass(frozen=True, kw_only=True, slots=True)
class ContextSource:
    """Where the metric dictionary and the semantic notes come from."""

    kind: Literal["local", "git"]
    repo: str | None = None
    """As written, secrets included: never print it, mask it."""
    ref: str = DEFAULT_REF
    """Branch, tag or commit."""
    path: PurePosixPath | None = None
    """Folder of the repository under which the datasets are looked for."""
    dataset_path: PurePosixPath | None = None
    """The dataset's own folder in the repository; it is not looked for then."""
    place: str = ""
    """`file:line` that errors about this source name."""


def read_active(file: Path) -> str:
    """The active dataset's name.

    Accepted are `active_dataset: NAME`, `active: NAME`, `dataset: NAME`, and the name alone.

    Raises:
        ContextError: there is no such file, it names no dataset, or the name is a path.
    """
    if not file.is_file():
        raise ContextError(
            f"{file}: does not exist, so no dataset is active. Write `active_dataset: NAME` in it."
        )
    content = read_yaml(file)
    name, line = _active_name(content)
    if name is None:
        raise ContextError(f"{file}:{line}: names no dataset. Write `active_dataset: NAME`.")
    if name.startswith((".", "_")) or {"/", "\\", "\0"} & set(name):
        raise ContextError(
            f"{file}:{line}: {name!r} is no dataset name. Give the name of a folder in datasets/."
        )
    return name


def _active_name(content: YamlValue) -> tuple[str | None, int]:
    if isinstance(content, str):
        return content.strip() or None, 1
    if not isinstance(content, YamlMapping):
        return None, 1
    for key in ACTIVE_KEYS:
        value = content.get(key)
        name = text_of(value, "name", "id") if isinstance(value, YamlMapping) else None
        name = name or text_of(content, key)
        if name is not None:
            return name, content.line_of(key)
    return None, content.line


def read_source(file: Path) -> ContextSource:
    """The context's source; local where there is no such file.

    Raises:
        ContextError: the file says something that cannot be followed.
    """
    content = read_yaml(file) if file.is_file() else None
    if content is None:
        return ContextSource(kind="local", place=str(file))
    if not isinstance(content, YamlMapping):
        raise ContextError(f"{file}:1: is no mapping. Write `source: git` or `source: local`.")
    kind = text_of(content, "source")
    place = f"{file}:{content.line_of('source')}"
    if kind == "git":
        return _git_source(content, file)
    if kind == "local":
        return _local_source(content, file)
    said = "no `source`" if kind is None else f"unknown source {kind!r}"
    raise ContextError(f"{place}: {said}. Write `source: git` or `source: local`.")


def _git_source(content: YamlMapping, file: Path) -> ContextSource:
    repo = text_of(content, *_REPO_KEYS)
    if repo is None:
        raise ContextError(
            f"{file}:{content.line_of('source')}: `source: git` without a repository. "
            "Write `repo: URL`."
        )
    return ContextSource(
        kind="git",
        repo=repo,
        ref=text_of(content, *_REF_KEYS) or DEFAULT_REF,
        path=_inner_path(content, "path", file),
        dataset_path=_inner_path(content, "dataset_path", file),
        place=f"{file}:{_line_of_any(content, _REPO_KEYS)}",
    )


def _local_source(content: YamlMapping, file: Path) -> ContextSource:
    return ContextSource(
        kind="local",
        dataset_path=_inner_path(content, "dataset_path", file),
        place=f"{file}:{_line_of_any(content, ('dataset_path', 'source'))}",
    )


def _inner_path(content: YamlMapping, key: str, file: Path) -> PurePosixPath | None:
    text = text_of(content, key)
    if text is None:
        return None
    path = PurePosixPath(text)
    if path.is_absolute() or ".." in path.parts or "\0" in text:
        raise ContextError(
            f"{file}:{content.line_of(key)}: {key} {text!r} leads out of its folder. "
            "Give a relative path without `..`."
        )
    return path


def _line_of_any(content: YamlMapping, keys: tuple[str, ...]) -> int:
    return next((content.line_of(key) for key in keys if key in content), content.line)
