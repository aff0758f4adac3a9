"""Reading the bytes of a gold file: encoding, YAML syntax, and where everything stands."""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import yaml
from yaml.nodes import Node
from yaml.reader import Reader

from goldsuite.errors import Fault, SuiteError
from goldsuite.suite.findings import Finding
from goldsuite.suite.findings import Path as PlainPath
from goldsuite.suite.nodes import Lines, Plain, Trap, read_nodes

__all__ = ["GoldFile", "compose_yaml", "read_gold_file"]

_MAX_BYTES = 200_000_000
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_BOM = b"\xef\xbb\xbf"

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_ADVICE = (
    ("mapping values are not allowed", "Put a text that contains `: ` in quotes."),
    ("cannot start any token", "Put a text that starts with a special character in quotes."),
    ("undefined alias", "A `*` starts an alias: put the text in quotes."),
    ("end of stream", "A quote or bracket is not closed."),
    ("unknown escape", "Use single quotes, or double the backslash."),
    ("expected", "Look for a wrong indentation, or a quote or bracket that is not closed."),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class GoldFile:
    """One gold file as plain data; nothing is checked yet but its syntax."""

    shown: str
    """How messages name the file."""
    sha256: str
    """Of the file's bytes; hex."""
    data: dict[str, Plain]
    lines: Lines
    traps: dict[PlainPath, Trap]
    findings: tuple[Finding, ...]


def read_gold_file(path: Path, *, shown: str) -> GoldFile:
    """Read a gold file.

    Raises:
        SuiteError: it cannot be read, is no YAML, or is no mapping at its top.
    """
    raw = _bytes(path, shown)
    text = _decoded(raw, shown)
    root = compose_yaml(text, shown)
    if root is None:
        raise _error(shown, 1, "the file is empty. A gold file starts with `cases:`.")
    reading = read_nodes(root)
    if not isinstance(reading.data, dict):
        message = "the top of a gold file is a mapping. Start with `cases:`, with the list below."
        faults = [Fault(file=shown, line=f.line, message=f.message) for f in reading.findings]
        raise SuiteError(faults or [Fault(file=shown, line=Lines(root).of(()), message=message)])
    return GoldFile(
        shown=shown,
        sha256=hashlib.sha256(raw).hexdigest(),
        data=reading.data,
        lines=Lines(root),
        traps=reading.traps,
        findings=reading.findings,
    )


def _error(shown: str, line: int | None, message: str) -> SuiteError:
    return SuiteError([Fault(file=shown, line=line, message=message)])


def _bytes(path: Path, shown: str) -> bytes:
    try:
        if path.stat().st_size > _MAX_BYTES:
            limit = _MAX_BYTES // 1_000_000
            raise _error(shown, None, f"the file is larger than {limit} MB. Split the suite.")
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise _error(shown, None, f"the file cannot be read: {reason}.") from None


def _decoded(raw: bytes, shown: str) -> str:
    if raw.startswith(_UTF16):
        raise _error(shown, 1, "the file is UTF-16. Save it as UTF-8.")
    if raw.startswith(_BOM):
        raise _error(shown, 1, "a byte order mark stands first. Save as UTF-8 without BOM.")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        message = f"byte 0x{raw[error.start]:02X} is no UTF-8. Save the file as UTF-8."
        raise _error(shown, line, message) from None
    odd = Reader.NON_PRINTABLE.search(text)
    if odd:
        line = text.count("\n", 0, odd.start()) + 1
        message = f"the control character U+{ord(odd.group()):04X} is not allowed. Remove it."
        raise _error(shown, line, message)
    return text


def compose_yaml(text: str, shown: str) -> Node | None:
    """The one document of `text`; None where it is empty.

    Raises:
        SuiteError: it is no YAML; the message says in which line.
    """
    loader = _LOADER(text)
    try:
        return cast("Node | None", loader.get_single_node())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else None
        raise _error(shown, line, _syntax(error, text, line)) from None
    except (yaml.YAMLError, RecursionError) as error:
        raise _error(shown, None, f"the file is no YAML ({type(error).__name__}).") from None
    finally:
        loader.dispose()


def _syntax(error: yaml.MarkedYAMLError, text: str, line: int | None) -> str:
    problem = error.problem or "unreadable"
    if "another document" in problem:
        return "a second document starts here (`---`). A gold file is one document."
    if line is not None and _tab_indents(text, line):
        return "a tab indents this line. YAML takes spaces only."
    # The quoted parts of a problem repeat the file's text, which may be gold.
    told = re.sub(r"'[^']{2,}'", "...", problem)
    start = error.context_mark.line + 1 if error.context_mark else line
    begun = f" (in what starts in line {start})" if start != line else ""
    advice = next((fix for words, fix in _ADVICE if words in problem), "Check the line's syntax.")
    return f"no valid YAML: {told}{begun}. {advice}"


def _tab_indents(text: str, line: int) -> bool:
    lines = text.split("\n", line)
    if len(lines) < line:
        return False
    content = lines[line - 1]
    return "\t" in content[: len(content) - len(content.lstrip())]
