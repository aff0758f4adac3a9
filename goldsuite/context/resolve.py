"""Finding the context that the analyst reads.

The folder given holds `.knowledge/`, or is it. `.knowledge/active.yaml` names the dataset.

Without `.knowledge/context-source.yaml`, or with `source: local`, the dataset's folder is
`.knowledge/datasets/NAME/`. With `source: git` it stands in the repository: `dataset_path` where
that is given; else the first that exists, under `path` where that is given, of `datasets/NAME/`,
`.knowledge/datasets/NAME/`, `NAME/`, and the folder itself if it holds `metrics/`, `semantic/` or
`verified_queries.yaml`.

The analyst always sees the same layout, `.knowledge/datasets/NAME/...`, and gets the metric
dictionary, `semantic/` and the verified queries from the resolved folder only. With a git source,
`schema.md`, `quirks.md` and the manifest come from the local dataset folder where it has them,
since those describe the warehouse that this project is connected to.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from goldsuite.context.files import KNOWLEDGE, ContextFile, FileListing, list_files, may_be_read
from goldsuite.context.git_command import ALLOWED_SCHEMES
from goldsuite.context.git_source import CACHE_NAME, GIT_TIMEOUT_S, GitState, update_cache
from goldsuite.context.source import ContextSource, read_active, read_source
from goldsuite.errors import ContextError
from goldsuite.nearest import did_you_mean

ACTIVE_FILE = "active.yaml"
SOURCE_FILE = "context-source.yaml"

_URL_SCHEMES = frozenset(ALLOWED_SCHEMES)
_SESSION_FILES = frozenset({"schema.md", "quirks.md", "manifest.yaml", "manifest.yml"})
_MARKS_OF_A_DATASET = ("metrics", "semantic", "verified_queries.yaml")


@dataclass(frozen=True, kw_only=True, slots=True)
class ResolvedContext:
    """One context, found and listed; what it lists is all that an analyst may read."""

    root: Path
    """The folder that was given."""
    dataset: str
    directory: Path
    """The dataset's resolved folder."""
    source: Literal["local", "git"]
    git: GitState | None
    """None for a local source."""
    files: tuple[ContextFile, ...]
    """Sorted by name."""
    withheld: tuple[str, ...]
    """Names of files and folders that were found and are not handed out."""

    def dataset_files(self) -> dict[str, ContextFile]:
        """The dataset's files by their name within it, such as `metrics/index.yaml`."""
        prefix = f"{_shown(self.dataset)}/"
        return {
            file.name.removeprefix(prefix): file
            for file in self.files
            if file.name.startswith(prefix)
        }


def resolve_context(
    path: Path, *, refresh: bool = True, timeout_s: float = GIT_TIMEOUT_S
) -> ResolvedContext:
    """Find the context in `path`, and clone or pull its git source.

    With `refresh=False` a git source is used as it was last fetched, which is what a resumed run
    needs. `timeout_s` holds for each git command.

    Raises:
        ContextError: there is no context, no active dataset, or the git source fails.
    """
    knowledge = _knowledge_folder(path).resolve()
    dataset = read_active(knowledge / ACTIVE_FILE)
    source = read_source(knowledge / SOURCE_FILE)
    if source.kind == "git":
        git = update_cache(source, knowledge, refresh=refresh, timeout_s=timeout_s)
        directory, listing = _from_git(source, knowledge, dataset)
    else:
        git = None
        directory, listing = _from_local(source, knowledge, dataset)
    active = ContextFile(
        name=f"{KNOWLEDGE}/{ACTIVE_FILE}", path=(knowledge / ACTIVE_FILE).resolve()
    )
    return ResolvedContext(
        root=path,
        dataset=dataset,
        directory=directory,
        source=source.kind,
        git=git,
        files=tuple(sorted((active, *listing.files), key=lambda file: file.name)),
        withheld=listing.withheld,
    )


def _shown(dataset: str) -> str:
    return f"{KNOWLEDGE}/datasets/{dataset}"


def _knowledge_folder(path: Path) -> Path:
    if not path.exists() and any(
        part[-1:] == ":" and part[:-1] in _URL_SCHEMES for part in path.parts
    ):
        # Never shown: such a URL may hold a token.
        raise ContextError(
            "The context is a folder, and a URL is given. Name the folder that holds `.knowledge`, "
            f"and write the URL into its .knowledge/{SOURCE_FILE}: `source: git`, `repo: URL`."
        )
    if (path / KNOWLEDGE).is_dir():
        return path / KNOWLEDGE
    if path.is_dir() and (path.resolve().name == KNOWLEDGE or (path / ACTIVE_FILE).is_file()):
        return path
    what = "holds no `.knowledge` folder" if path.is_dir() else "is no folder"
    raise ContextError(
        f"{path}: {what}, so there is no context. Name the folder that holds `.knowledge`."
    )


def _from_local(source: ContextSource, knowledge: Path, dataset: str) -> tuple[Path, FileListing]:
    folder = knowledge / "datasets" / dataset
    if not folder.is_dir():
        raise ContextError(_no_dataset(dataset, knowledge / ACTIVE_FILE, knowledge / "datasets"))
    directory = folder.resolve()
    if source.dataset_path is not None:
        elsewhere = (knowledge.parent / source.dataset_path).resolve()
        if elsewhere != directory:
            raise ContextError(
                f"{source.place}: `source: local` reads {directory}, not {elsewhere}. "
                f"Remove `dataset_path`, or change {ACTIVE_FILE}."
            )
    boundaries = _local_boundaries(directory, knowledge)
    if not may_be_read(directory, boundaries):
        raise ContextError(f"{folder}: leads to {directory}, which no analyst may read. Unlink it.")
    return directory, list_files(directory, name=_shown(dataset), boundaries=boundaries)


def _local_boundaries(directory: Path, knowledge: Path) -> tuple[Path, ...]:
    """`.knowledge`, and the dataset's folder where its owner linked it to a place outside."""
    return (knowledge,) if directory.is_relative_to(knowledge) else (knowledge, directory)


def _from_git(source: ContextSource, knowledge: Path, dataset: str) -> tuple[Path, FileListing]:
    cache = (knowledge / CACHE_NAME).resolve()
    directory = _dataset_in_repository(source, cache, dataset)
    shared = list_files(directory, name=_shown(dataset), boundaries=(cache,))
    local = _session_files(knowledge, dataset)
    names = {file.name for file in local}
    kept = tuple(file for file in shared.files if file.name not in names)
    return directory, replace(shared, files=(*kept, *local))


def _session_files(knowledge: Path, dataset: str) -> tuple[ContextFile, ...]:
    folder = knowledge / "datasets" / dataset
    if not folder.is_dir():
        return ()
    boundaries = _local_boundaries(folder.resolve(), knowledge)
    listing = list_files(folder, name=_shown(dataset), boundaries=boundaries)
    wanted = {f"{_shown(dataset)}/{name}" for name in _SESSION_FILES}
    return tuple(file for file in listing.files if file.name in wanted)


def _dataset_in_repository(source: ContextSource, cache: Path, dataset: str) -> Path:
    for folder in _candidates(source, cache, dataset):
        if not folder.is_dir():
            continue
        resolved = folder.resolve()
        if not may_be_read(resolved, (cache,)):
            raise ContextError(
                f"{source.place}: {folder.relative_to(cache)} of the repository leads out of it. "
                "Put the dataset's files into the repository."
            )
        return resolved
    if source.dataset_path is not None:
        raise ContextError(
            f"{source.place}: the repository has no folder {str(source.dataset_path)!r} at "
            f"{source.ref!r}. Correct `dataset_path`."
        )
    base = cache / (source.path or "")
    datasets = base / "datasets"
    raise ContextError(_no_dataset(dataset, source.place, datasets if datasets.is_dir() else base))


def _candidates(source: ContextSource, cache: Path, dataset: str) -> list[Path]:
    if source.dataset_path is not None:
        return [cache / source.dataset_path]
    base = cache / (source.path or "")
    found = [base / "datasets" / dataset, base / KNOWLEDGE / "datasets" / dataset, base / dataset]
    if any((base / mark).exists() for mark in _MARKS_OF_A_DATASET):
        found.append(base)
    return found


def _no_dataset(dataset: str, place: object, datasets: Path) -> str:
    known = sorted(
        folder.name
        for folder in (datasets.iterdir() if datasets.is_dir() else ())
        if folder.is_dir() and not folder.name.startswith((".", "_"))
    )
    has = f" There is {', '.join(known)}." if known else " There is none yet."
    return (
        f"{place}: no dataset {dataset!r} in {datasets}.{did_you_mean(dataset, known)}{has} "
        f"Name one in {ACTIVE_FILE}."
    )
