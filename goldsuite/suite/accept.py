"""Writing a further gold into a suite file, which keeps its comments, its order and its writing."""

import io
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import CommentMark
from ruamel.yaml.scalarstring import (
    DoubleQuotedScalarString,
    FoldedScalarString,
    LiteralScalarString,
)
from ruamel.yaml.tokens import CommentToken

from goldsuite.durable import write_whole
from goldsuite.errors import Fault, SuiteError
from goldsuite.suite.checked import read_checked
from goldsuite.suite.place import shown_path

__all__ = ["add_gold"]

_BLOCK = (LiteralScalarString, FoldedScalarString)
_WRITINGS = ((2, 4, 2), (2, 2, 0), (4, 4, 2), (4, 4, 0), (4, 6, 4))
"""Indents of mappings and lists, and the offset of the dash, that people use."""


def add_gold(path: Path, case: str, sql: str, *, comment: str) -> None:
    """Make `sql` one more query of which any is right, with `comment` above it.

    The file is checked before it takes the place of the old one.

    Raises:
        SuiteError: the file has faults or no such case, or cannot be edited for sure.
    """
    text = path.read_text(encoding="utf-8")
    writer = _writer_of(text)
    data = writer.load(text)
    found = next((each for each in data["cases"] if str(each.get("id")) == case), None)
    if found is None:
        raise SuiteError([Fault(file=shown_path(path), line=None, message=f"no case {case!r}.")])
    before = _golds(path, case)
    _append(found, sql, comment, offset=writer.sequence_dash_offset)
    edited = _dumped(writer, data)
    _check(path, edited, case, (*before, sql.strip()))
    write_whole(path, edited)


def _append(case: CommentedMap, sql: str, comment: str, *, offset: int) -> None:
    golds = case["gold_sql"]
    if isinstance(golds, CommentedSeq):
        beside = _taken(golds.ca.items, len(golds) - 1, 0)
    else:
        golds = case["gold_sql"] = CommentedSeq([golds])
        beside = _taken(case.ca.items, "gold_sql", 2)
    golds.fa.set_block_style()
    text = sql.strip()
    golds.append(LiteralScalarString(text) if _is_literal(text) else DoubleQuotedScalarString(text))
    # Deeper it would be a part of the query above.
    indent = case.lc.col + offset
    golds.yaml_set_comment_before_after_key(len(golds) - 1, before=comment, indent=indent)
    # What stood in the line of the old gold stays there; what stood below goes below the new one.
    # Only the text of a block ends its own line.
    own, below = ("", beside) if isinstance(golds[-2], _BLOCK) else _parted(beside)
    if own:
        golds.ca.items[len(golds) - 2] = [_comment(f"{own}\n"), None, None, None]
    if below:
        end = "" if isinstance(golds[-1], _BLOCK) else "\n"
        golds.ca.items[len(golds) - 1][0] = _comment(end + below)


def _parted(text: str) -> tuple[str, str]:
    own, _, below = text.partition("\n")
    return own, below


def _taken(items: dict[Any, Any], key: Any, place: int) -> str:
    """The comment that stands behind a value, taken out of there; empty where there is none."""
    entry = items.get(key)
    if not entry or entry[place] is None:
        return ""
    token, entry[place] = entry[place], None
    return str(token.value)


def _comment(text: str) -> CommentToken:
    return CommentToken(text, CommentMark(0), None)


def _is_literal(text: str) -> bool:
    """Whether it can be written line by line: several lines without odd signs."""
    lines = text.split("\n")
    return len(lines) > 1 and all(line.isprintable() and line == line.rstrip() for line in lines)


def _writer_of(text: str) -> YAML:
    """A reader and writer that gives the file back as it stands, or as near to it as can be."""

    def difference(writer: YAML) -> float:
        written = _dumped(writer, writer.load(text))
        if written == text:
            return 0.0
        matcher = SequenceMatcher(None, text.splitlines(), written.splitlines(), autojunk=False)
        return 1 - matcher.quick_ratio()

    best: tuple[float, YAML] | None = None
    for writer in _writers():
        away = difference(writer)
        if not away:
            return writer
        if best is None or away < best[0]:
            best = (away, writer)
    return best[1] if best else YAML()


def _writers() -> Iterator[YAML]:
    for mapping, sequence, offset in _WRITINGS:
        writer = YAML(typ="rt")
        writer.preserve_quotes = True
        writer.width = 1_000_000
        writer.indent(mapping=mapping, sequence=sequence, offset=offset)
        yield writer


def _dumped(writer: YAML, data: Any) -> str:
    out = io.StringIO()
    writer.dump(data, out)
    return out.getvalue()


def _golds(path: Path, case: str) -> tuple[str, ...]:
    """The golds of a case, as the file is read for grading."""
    checked = read_checked(path, shown=shown_path(path))
    if checked.faults:
        raise SuiteError(checked.faults)
    found = (entry.case.gold_sql for entry in checked.entries if entry.case.id == case)
    return next(found, None) or ()


def _check(path: Path, text: str, case: str, golds: tuple[str, ...]) -> None:
    """That the new text is a suite without faults, in which the case has just these golds."""
    trial = path.with_name(f".{path.name}.new")
    try:
        trial.write_text(text, encoding="utf-8")
        found = _golds(trial, case)
    finally:
        trial.unlink(missing_ok=True)
    if tuple(map(str.strip, found)) != tuple(map(str.strip, golds)):
        message = (
            f"case {case!r}: the file is written in a way that cannot be edited for sure. Write "
            "the query into its `gold_sql` by hand."
        )
        raise SuiteError([Fault(file=shown_path(path), line=None, message=message)])
