"""Adding a case at the end of a gold file, of which every byte that was there stays."""

import io
import tempfile
import textwrap
from pathlib import Path
from typing import cast

from ruamel.yaml.comments import CommentedMap, CommentedSeq
from yaml.nodes import MappingNode, Node, SequenceNode

from goldsuite.durable import write_whole
from goldsuite.errors import Fault, SuiteError
from goldsuite.suite.authoring import CaseFields, case_node, writer
from goldsuite.suite.checked import CheckedFile, query_faults, read_checked
from goldsuite.suite.file import compose_yaml
from goldsuite.suite.place import shown_path

__all__ = ["append_case"]


def append_case(path: Path, fields: CaseFields, *, dialect: str | None) -> None:
    """Write the case below the others; comments, order and writing of the file stay.

    The file is checked before it takes the place of the old one.

    Raises:
        SuiteError: the file has faults, the new case has, or it does not fit in its place.
    """
    shown = shown_path(path)
    before = read_checked(path, shown=shown)
    if before.faults:
        raise SuiteError(before.faults)
    # As it is, with its own line ends.
    text = path.read_bytes().decode("utf-8")
    edited = _spliced(text, fields, shown)
    after = _checked(edited, shown)
    faults = (*after.faults, *query_faults(after, dialect))
    if faults:
        raise SuiteError(faults)
    kept = [entry.own for entry in after.entries[:-1]] == [entry.own for entry in before.entries]
    if not kept or after.entries[-1].own.id != fields["id"]:
        message = "a case cannot be added here for sure. Add it by hand."
        raise SuiteError([Fault(file=shown, line=None, message=message)])
    write_whole(path, edited)


def _checked(text: str, shown: str) -> CheckedFile:
    with tempfile.TemporaryDirectory(prefix="goldsuite-add-") as folder:
        path = Path(folder) / "suite.yaml"
        path.write_bytes(text.encode())
        return read_checked(path, shown=shown)


def _spliced(text: str, fields: CaseFields, shown: str) -> str:
    top = cast(MappingNode, compose_yaml(text, shown))
    keys = [key.value for key, _ in top.value]
    cases = cast(SequenceNode, top.value[keys.index("cases")][1])
    if cases.flow_style:
        message = "`cases` is written in brackets. Write it as lines that begin with `-`."
        raise SuiteError([Fault(file=shown, line=cases.start_mark.line + 1, message=message)])
    ending = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines(keepends=True)
    at = _end(lines, top, keys)
    head, rest = "".join(lines[:at]), "".join(lines[at:])
    if not head.endswith("\n"):
        head += ending
    gap = "" if not lines[at - 1].strip() else ending
    block = _block(fields, indent=cases.start_mark.column).replace("\n", ending)
    return head + gap + block + (ending if rest else "") + rest


def _end(lines: list[str], top: MappingNode, keys: list[str]) -> int:
    """The 0-based line before which the new case goes: the end, or the key below the cases."""
    below: list[tuple[Node, Node]] = top.value[keys.index("cases") + 1 :]
    if not below:
        return len(lines)
    at = cast(int, below[0][0].start_mark.line)
    # What is said right above the key is about the key.
    while at and (not lines[at - 1].strip() or lines[at - 1].startswith("#")):
        at -= 1
    return at


def _block(fields: CaseFields, *, indent: int) -> str:
    stream = io.StringIO()
    writer().dump(CommentedMap(cases=CommentedSeq([case_node(fields)])), stream)
    _, _, listed = stream.getvalue().partition("\n")
    return textwrap.indent(textwrap.dedent(listed), " " * indent)
