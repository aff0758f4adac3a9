"""A copy of a context with something written down in it, to be tried before anyone edits the files.

The copy has what an analyst may read and nothing else; the user's own files stay as they are.
"""

import shutil
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from goldsuite.context.files import KNOWLEDGE
from goldsuite.context.read_dictionary import load_dictionary
from goldsuite.context.resolve import ResolvedContext, resolve_context
from goldsuite.context.state import is_defined
from goldsuite.errors import ContextError

__all__ = ["Addition", "lay_over"]

_INDEXES = ("metrics/index.yaml", "metrics/index.yml")
_NAMES = ("id", "metric", "key", "name")


@dataclass(frozen=True, kw_only=True, slots=True)
class Addition:
    """Something to write down."""

    file: str
    """In the dataset's folder; it is made where it is not there."""
    entry: str
    """A list of one entry of the metric dictionary, as YAML; or text for the end of the file."""
    metric: str | None
    """The metric that the entry defines; None for text."""


def lay_over(context: ResolvedContext, destination: Path, addition: Addition) -> Path:
    """Copy `context` into the empty folder `destination`, with `addition` in it.

    Returns the folder, which is a context of its own.

    Raises:
        ContextError: a file cannot be copied or changed, or the entry does not define its metric.
    """
    try:
        for file in context.files:
            copy = destination / file.name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file.path, copy)
    except OSError as error:
        raise ContextError(
            f"{error.filename or destination}: the context cannot be copied ({error.strerror})."
        ) from error
    dataset = destination / KNOWLEDGE / "datasets" / context.dataset
    if addition.metric is None:
        _append(dataset / addition.file, addition.entry)
    else:
        _add_metric(dataset, addition.metric, addition.entry)
        _check_defined(destination, addition.metric)
    return destination


def _append(path: Path, text: str) -> None:
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    parted = "" if not before or before.endswith("\n") else "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{before}{parted}{text}", encoding="utf-8")


def _add_metric(dataset: Path, name: str, entry: str) -> None:
    index = next((dataset / file for file in _INDEXES if (dataset / file).is_file()), None)
    new = _load(entry, place=f"the entry of {name}")
    if not isinstance(new, list) or len(new) != 1 or not isinstance(new[0], dict):
        raise ContextError(f"the entry of {name!r} is no list of one mapping: {entry!r}")
    if index is None:
        path = dataset / "metrics" / f"{name}.yaml"
        known = _load(path.read_text(encoding="utf-8"), place=str(path)) if path.exists() else None
        _write(path, _merged(known, new[0]))
        return
    content = _load(index.read_text(encoding="utf-8"), place=str(index))
    _write(index, _with_entry(content, name, new[0]))


def _with_entry(content: Any, name: str, new: dict[str, Any]) -> Any:
    """The index with the entry, in the layout that the index has."""
    if isinstance(content, dict) and "metrics" in content:
        content["metrics"] = _with_entry(content["metrics"], name, new)
        return content
    if isinstance(content, dict):
        content[name] = _merged(
            content.get(name), {key: value for key, value in new.items() if key != "name"}
        )
        return content
    if content is None:
        return [new]
    for place, item in enumerate(content):
        if item == name:
            content[place] = new
            return content
        if isinstance(item, dict) and name in (item.get(key) for key in _NAMES):
            _merged(item, new)
            return content
    content.append(new)
    return content


def _merged(known: Any, new: dict[str, Any]) -> Any:
    """What is known of the metric with what the new entry says besides."""
    if not isinstance(known, dict):
        return new
    for key, value in new.items():
        if known.get(key) is None:
            known[key] = value
    return known


def _check_defined(folder: Path, name: str) -> None:
    metrics = load_dictionary(resolve_context(folder, refresh=False)).metrics
    if not any(metric.name == name and is_defined(metric) for metric in metrics):
        raise ContextError(
            f"the suggested entry does not define {name!r} in this layout of the dictionary; write "
            "it by hand, and run the cases again with `goldsuite eval train --failed-from RUN`"
        )


def _yaml() -> YAML:
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 4096
    return yaml


def _load(text: str, *, place: str) -> Any:
    try:
        return _yaml().load(text)
    except (YAMLError, RecursionError, ValueError) as error:
        raise ContextError(f"{place}: cannot be read as YAML: {error}") from None


def _write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    out = StringIO()
    _yaml().dump(content, out)
    path.write_text(out.getvalue(), encoding="utf-8")
