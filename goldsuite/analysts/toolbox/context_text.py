"""The context's files as text: a list of them, and one of them in parts.

Only files that the resolved context lists can be named: a path is never built from what an agent
says.
"""

from collections.abc import Sequence
from pathlib import Path

from goldsuite.analysts.toolbox.result_text import one_line
from goldsuite.analysts.toolbox.tools import ToolResult, shown
from goldsuite.context.files import ContextFile
from goldsuite.nearest import did_you_mean

__all__ = ["list_context", "read_context"]

_CHUNK = 1_000_000


def list_context(files: Sequence[ContextFile], *, containing: str | None, max_text: int) -> str:
    """One line per file with its size, as many as the limit allows."""
    wanted = (containing or "").casefold()
    found = [file for file in files if wanted in file.name.casefold()]
    if not found:
        within = f" whose name contains {shown(containing)}" if wanted else ""
        return f"There is no context file{within}."
    lines: list[str] = []
    used = 0
    for file in found:
        line = f"{one_line(file.name)} ({_size(file)})"
        used += len(line) + 1
        if used > max_text and lines:
            left = len(found) - len(lines)
            lines.append(f"(TRUNCATED: {left:,} more files; ask with `containing`)")
            break
        lines.append(line)
    return "\n".join(lines)


def read_context(
    files: Sequence[ContextFile], name: str, *, offset: int, max_text: int
) -> ToolResult:
    """A part of the file called `name`, and where to go on."""
    file = _find(files, name)
    if file is None:
        hint = did_you_mean(name[:200], [file.name for file in files])
        why = f"there is no context file {shown(name)}.{hint} list_context gives their names."
        return ToolResult(text=why, ok=False)
    if offset < 0:
        return ToolResult(text=f"offset is {offset}, and 0 or more is expected", ok=False)
    try:
        text = _read(file.path, offset, max_text + 1)
    except (OSError, ValueError) as error:
        why = "is no text" if isinstance(error, ValueError) else "cannot be read"
        return ToolResult(text=f"{shown(file.name)}: the file {why}", ok=False)
    if not text and offset:
        return ToolResult(text=f"{shown(file.name)} ends before character {offset:,}", ok=False)
    if len(text) > max_text:
        end = offset + max_text
        text = f"{text[:max_text]}\n(TRUNCATED: the file goes on; read it with offset {end})"
    return ToolResult(text=text or "(the file is empty)", ok=True)


def _find(files: Sequence[ContextFile], name: str) -> ContextFile | None:
    wanted = name.removeprefix("./")
    return next((file for file in files if wanted in {file.name, one_line(file.name)}), None)


def _size(file: ContextFile) -> str:
    try:
        return f"{file.path.stat().st_size:,} bytes"
    except OSError:
        return "gone"


def _read(path: Path, offset: int, count: int) -> str:
    """`count` characters from `offset` on, at most.

    Raises:
        ValueError: the file is not UTF-8 text.
        OSError: it cannot be read, or is not what it was when it was listed.
    """
    if path.resolve(strict=True) != path or not path.is_file():
        raise OSError("replaced by something else")
    with path.open(encoding="utf-8", newline="") as file:
        while offset > 0 and (passed := file.read(min(offset, _CHUNK))):
            offset -= len(passed)
        text = file.read(count)
    if "\0" in text:
        raise ValueError("NUL")
    return text
