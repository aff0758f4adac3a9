"""The pieces of a Markdown text: escaped words, tables, and parts that fold out and fit a limit."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from goldsuite.report.figures import printable

__all__ = ["Part", "fitting", "markdown_code", "markdown_table", "markdown_text"]

_SPECIAL = str.maketrans({c: f"\\{c}" for c in r"\`*_{}[]<>#|!~$@"})
_MORE = "and {count:,} more: `goldsuite report --format markdown --full`"


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """Something that folds out."""

    title: str
    head: str = ""
    """Markdown that stands there wholly or not at all."""
    entries: tuple[str, ...] = ()
    """Markdown, each of one or more lines; the last ones are left out where room is short."""


def fitting(text: str, parts: Iterable[Part], limit: int | None) -> str:
    """`text` and below it the parts, with a newline at the end, in at most `limit` bytes of UTF-8.

    Room is given to the parts in their order. `text` itself is never cut.
    """
    written = f"{text.rstrip()}\n"
    room = None if limit is None else limit - _size(written)
    for part in parts:
        folded = _folded(part, room)
        written += folded
        room = None if room is None else room - _size(folded)
    return written


def _folded(part: Part, room: int | None) -> str:
    """The part, as far as there is room; empty where not even a line about the rest fits."""
    frame = "\n".join(_frame(part, (), left_out=len(part.entries)))
    if room is None or room >= _size("\n".join(_frame(part, part.entries, left_out=0))):
        return "\n".join(_frame(part, part.entries, left_out=0))
    room -= _size(frame)
    if room < 0:
        return ""
    kept: list[str] = []
    for entry in part.entries:
        room -= _size(entry) + 1
        if room < 0:
            break
        kept.append(entry)
    return "\n".join(_frame(part, kept, left_out=len(part.entries) - len(kept)))


def _frame(part: Part, entries: Iterable[str], *, left_out: int) -> Iterator[str]:
    yield ""
    yield f"<details><summary>{markdown_text(part.title)}</summary>"
    yield ""
    if part.head:
        yield part.head
    listed = "\n".join(entries).rstrip("\n")
    if listed:
        yield listed
    if part.head or listed:
        yield ""
    if left_out:
        yield _MORE.format(count=left_out)
        yield ""
    yield "</details>"
    yield ""


def _size(text: str) -> int:
    return len(text.encode())


def markdown_table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A table of cells as they stand: what others wrote must have gone through `markdown_text`."""
    rules = tuple("---" for _ in head)
    return "".join(f"| {' | '.join(row)} |\n" for row in (head, rules, *rows))


def markdown_text(text: str) -> str:
    """`text` on one line, so that Markdown shows it as it stands."""
    return " ".join(printable(text).translate(_SPECIAL).split())


def markdown_code(language: str, text: str) -> Iterator[str]:
    """The lines of a block that shows `text` as it stands, and cannot be closed by it."""
    fence = "`" * max(3, 1 + _longest_run(text))
    yield f"{fence}{language}"
    yield from map(printable, text.strip().splitlines())
    yield fence


def _longest_run(text: str) -> int:
    longest = run = 0
    for character in text:
        run = run + 1 if character == "`" else 0
        longest = max(longest, run)
    return longest
