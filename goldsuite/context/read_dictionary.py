"""The metric dictionary and the semantic notes of a resolved context.

`metrics/index.yaml` rules: a metric is defined if the index lists it, in the entry itself or in a
file that the entry names (`file:`, `path:`) or that has the metric's name. Without an index, every
`metrics/*.yaml` counts. Unknown keys are passed over, because the layout belongs to other tools.

The index is a list of entries or a mapping of name to entry, at the top or under `metrics:`. An
entry is a mapping, or a text: the definition in prose, or the name of a file.
"""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from goldsuite.context.dictionary import Metric, MetricDictionary
from goldsuite.context.entry import mapping_of, overlay, text_of, with_defaults
from goldsuite.context.files import ContextFile
from goldsuite.context.metric_entry import metric_name, read_metric
from goldsuite.context.resolve import ResolvedContext
from goldsuite.context.semantic import read_semantic
from goldsuite.context.yaml_file import YamlMapping, YamlValue, read_yaml
from goldsuite.errors import ContextError
from goldsuite.nearest import did_you_mean

_YAML = (".yaml", ".yml")
_INDEXES = ("metrics/index.yaml", "metrics/index.yml")
_VERIFIED = ("verified_queries.yaml", "verified_queries.yml")
_FILE_KEYS = ("file", "path")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Entry:
    """One metric's entry, and where an error about it points."""

    place: str
    content: YamlMapping


def load_dictionary(context: ResolvedContext) -> MetricDictionary:
    """All metrics, dimensions and relationships that the analyst's files define.

    A metric that is only named, without a word on what it means, is in the dictionary all the
    same; `goldsuite.context.state.is_defined` tells them apart.

    Raises:
        ContextError: a file is unreadable or missing, an entry has no name, or a metric is there
            twice.
    """
    files = context.dataset_files()
    notes = read_semantic(_yaml_files_in("semantic", files, without=_VERIFIED))
    metrics: dict[str, Metric] = {}
    places: dict[str, str] = {}
    for entry in _entries(files):
        name = metric_name(entry.content)
        if name is None:
            raise ContextError(f"{entry.place}: a metric without a name. Give it a `name`.")
        if name in metrics:
            raise ContextError(
                f"{entry.place}: metric {name!r} is defined already at {places[name]}. "
                "Remove one of the two."
            )
        metrics[name] = read_metric(entry.content, name, notes.measures)
        places[name] = entry.place
    return MetricDictionary(
        metrics=tuple(metrics.values()),
        dimensions=notes.dimensions,
        relationships=notes.relationships,
        fiscal_year_start_month=notes.fiscal_year_start_month,
    )


def _yaml_files_in(
    folder: str, files: dict[str, ContextFile], *, without: tuple[str, ...] = ()
) -> Iterator[ContextFile]:
    """The YAML files directly in `folder`, by name."""
    for name, file in sorted(files.items()):
        path = PurePosixPath(name)
        if str(path.parent) == folder and _is_yaml(name) and path.name not in without:
            yield file


def _is_yaml(name: str) -> bool:
    return name.endswith(_YAML)


def _entries(files: dict[str, ContextFile]) -> Iterator[_Entry]:
    index = next((files[name] for name in _INDEXES if name in files), None)
    if index is not None:
        yield from _listed(read_yaml(index.path), index, files)
        return
    for file in _yaml_files_in("metrics", files):
        stem = PurePosixPath(file.name).stem
        if not stem.startswith("_"):  # by custom a schema or a template
            yield from _unlisted(read_yaml(file.path), file, stem)


def _unlisted(content: YamlValue, file: ContextFile, stem: str) -> Iterator[_Entry]:
    """A file where no index is: one metric, named by the file if by nothing else, or several."""
    if isinstance(content, YamlMapping) and "metrics" not in content:
        named = content if metric_name(content) else with_defaults(content, {"name": stem})
        yield _Entry(place=f"{file.path}:{content.line}", content=named)
    elif content is not None:
        yield from _listed(content, file, {})


def _listed(
    content: YamlValue, index: ContextFile, files: dict[str, ContextFile]
) -> Iterator[_Entry]:
    listed = content
    if isinstance(content, YamlMapping):
        # Without `metrics:`, what is no entry (a version, a date) stands beside the entries.
        listed = content["metrics"] if "metrics" in content else _only_entries(content)
    if isinstance(listed, YamlMapping):
        for name, value in listed.items():
            line = listed.line_of(name)
            yield from _one_or_more(name, value, line, index, files)
    elif isinstance(listed, list):
        for value in listed:
            line = value.line if isinstance(value, YamlMapping) else 1
            yield from _one_or_more(None, value, line, index, files)
    elif listed is not None:
        raise ContextError(
            f"{index.path}:1: holds no metrics. Give a list of entries, or a mapping of name to "
            "entry, under `metrics:`."
        )


def _only_entries(content: YamlMapping) -> YamlMapping:
    kept = YamlMapping(line=content.line)
    kept.key_lines = content.key_lines
    kept.update((name, value) for name, value in content.items() if isinstance(value, YamlMapping))
    return kept


def _one_or_more(
    name: str | None,
    value: YamlValue,
    line: int,
    index: ContextFile,
    files: dict[str, ContextFile],
) -> Iterator[_Entry]:
    if isinstance(value, list):  # a group: `revenue: [..., ...]`
        for item in value:
            at = item.line if isinstance(item, YamlMapping) else line
            yield from _one_or_more(None, item, at, index, files)
        return
    entry = _as_mapping(name, value, line)
    place = f"{index.path}:{line}"
    reference = text_of(entry, *_FILE_KEYS)
    if reference is not None:
        yield _merged(entry, _referred(reference, place, files), place)
        return
    own = files.get(f"metrics/{metric_name(entry)}.yaml")
    yield _Entry(place=place, content=entry) if own is None else _merged(entry, own, place)


def _as_mapping(name: str | None, value: YamlValue, line: int) -> YamlMapping:
    """An entry as a mapping: a text is a file, a name in a list, or else the definition."""
    if isinstance(value, YamlMapping):
        return value if name is None else with_defaults(value, {"id": name})
    entry = YamlMapping(line=line)
    if name is not None:
        entry["id"] = name
    if isinstance(value, str) and _is_yaml(value.strip()) and len(value.split()) == 1:
        entry["file"] = value
        entry.setdefault("id", PurePosixPath(value.strip()).stem)
    elif isinstance(value, str):
        entry["id" if name is None else "description"] = value
    return entry


def _referred(reference: str, place: str, files: dict[str, ContextFile]) -> ContextFile:
    """The file that an entry names, relative to `metrics/`."""
    name = posixpath.normpath(posixpath.join("metrics", reference))
    if name in files:
        return files[name]
    known = [file.removeprefix("metrics/") for file in files if file.startswith("metrics/")]
    raise ContextError(
        f"{place}: there is no file {reference!r} in metrics/ that the analyst may read."
        f"{did_you_mean(reference, known)} Write the file, or correct the entry."
    )


def _merged(entry: YamlMapping, file: ContextFile, place: str) -> _Entry:
    """The entry with what its file adds. The file knows better; the index names it."""
    content = read_yaml(file.path)
    if content is None:
        return _Entry(place=place, content=entry)
    if not isinstance(content, YamlMapping):
        raise ContextError(f"{file.path}:1: is no mapping. Give the metric's keys, one a line.")
    inner = mapping_of(content, "metric") or content
    merged = overlay((_identity(entry), inner, entry), {})
    if metric_name(merged) is None:
        merged["id"] = PurePosixPath(file.name).stem
    return _Entry(place=place, content=merged)


def _identity(entry: YamlMapping) -> YamlMapping:
    kept = YamlMapping(line=entry.line)
    name = metric_name(entry)
    if name is not None:
        kept["id"] = name
    return kept
