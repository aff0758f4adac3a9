"""YAML whose entries know their line."""

from collections.abc import Iterator, Mapping
from typing import Any

from goldsuite.suite.file import compose_yaml
from goldsuite.suite.findings import Path
from goldsuite.suite.importers.base import Source
from goldsuite.suite.importers.entry import Entry
from goldsuite.suite.nodes import Lines, Plain, read_nodes

__all__ = ["Document", "read_document"]


class Document:
    """One YAML document: plain data, and where each part of it stands."""

    def __init__(self, source: Source, data: Mapping[str, Plain], lines: Lines) -> None:
        self.data: Mapping[str, Any] = data
        self._source = source
        self._lines = lines

    def line(self, *path: str | int) -> int:
        """1-based line of the value at `path`."""
        return self._lines.of(path)

    def entries(self, *path: str | int) -> Iterator[Entry]:
        """Each mapping of the list at `path`; none where there is no such list.

        Raises:
            SuiteError: what is there is no list, or an item is no mapping.
        """
        found: Any = self.data
        for step in path:
            found = found[step] if isinstance(step, int) else found.get(step)
            if found is None:
                return
        name = _shown(path)
        if not isinstance(found, list):
            raise self._source.error(self.line(*path), f"{name!r} is a list of mappings.")
        for index, item in enumerate(found):
            line = self.line(*path, index)
            if not isinstance(item, dict):
                raise self._source.error(line, f"{name!r} holds mappings; this item is none.")
            yield Entry(place=f"line {line}", data=item)


def read_document(source: Source, *, what: str) -> Document:
    """The one document of the file.

    Args:
        what: names the file in messages, such as `a semantic model`.

    Raises:
        SuiteError: it is no YAML, or no mapping at its top.
    """
    root = compose_yaml(source.text, source.shown)
    if root is None:
        raise source.error(1, "the file is empty.")
    reading = read_nodes(root)
    lines = Lines(root)
    if reading.findings:
        first = reading.findings[0]
        raise source.error(first.line or lines.of(first.path), first.message)
    if not isinstance(reading.data, dict):
        raise source.error(lines.of(()), f"{what} is a mapping at its top, and this is none.")
    return Document(source, reading.data, lines)


def _shown(path: Path) -> str:
    return ".".join(str(step) for step in path)
