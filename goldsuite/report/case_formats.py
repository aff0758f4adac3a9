"""The view of one case as text for terminals and pipes, as Markdown, and as JSON."""

import io
import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import IO, Any

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from goldsuite.report.case_view import CaseView, Line, Section, Tone
from goldsuite.report.figures import printable
from goldsuite.report.markdown import markdown_text

__all__ = ["case_json", "case_markdown", "print_case"]

_PIPED_WIDTH = 100
_STYLE = {
    Tone.PLAIN: "",
    Tone.DIM: "dim",
    # Yellow against cyan, not red against green: told apart by everyone, and the signs say it too.
    Tone.ANALYST: "bold yellow",
    Tone.GOLD: "bold cyan",
    Tone.SQL: "",
}


def print_case(view: CaseView, out: IO[str]) -> None:
    """Write the case on `out`: 80 columns are enough; plain text where it is piped."""
    console = Console(file=out, highlight=False, markup=False, emoji=False)
    if console.is_terminal:
        _draw(view, console)
        return
    plain = io.StringIO()
    _draw(view, Console(file=plain, width=_PIPED_WIDTH, highlight=False, markup=False, emoji=False))
    out.writelines(f"{line.rstrip()}\n" for line in plain.getvalue().splitlines())


def _draw(view: CaseView, console: Console) -> None:
    console.print(Text(printable(view.heading), style="bold"))
    for section in view.sections:
        console.print()
        console.print(Text(section.title, style="bold"))
        for line in section.lines:
            _draw_line(line, console)


def _draw_line(line: Line, console: Console) -> None:
    """Wrapped parts stand under the text, not under its sign."""
    text = printable(line.text)
    width = max(console.width - 2, 20)
    style = _STYLE[line.tone]
    first, *rest = Text(text, style=style).wrap(console, width) or [Text("")]
    console.print(Padding(first, (0, 0, 0, 2)), no_wrap=True)
    if rest:
        more = Text(text[len(first.plain) :].strip(), style=style)
        for part in more.wrap(console, max(width - line.indent, 20)):
            console.print(Padding(part, (0, 0, 0, 2 + line.indent)), no_wrap=True)


def case_markdown(view: CaseView) -> str:
    """The case as Markdown; queries and traces stand in blocks that no text inside can end."""
    return "".join(f"{line}\n" for line in _markdown(view))


def _markdown(view: CaseView) -> Iterator[str]:
    yield f"# {markdown_text(view.heading)}"
    yield ""
    for section in view.sections:
        yield f"## {section.title}"
        yield ""
        yield from _markdown_section(section)
        yield ""


def _markdown_section(section: Section) -> Iterator[str]:
    inside = False
    for line in section.lines:
        # Indented by four, a line is shown as it is; a list item or a sentence is escaped.
        block = line.tone in (Tone.SQL, Tone.ANALYST, Tone.GOLD) or section.title == "SQL"
        if block != inside:
            yield ""
        inside = block
        if block:
            yield f"    {printable(line.text)}"
        else:
            yield f"- {markdown_text(line.text.removeprefix('* '))}"


def case_json(view: CaseView) -> str:
    """The case as the record has it, with the difference of the queries and the trace."""
    case: dict[str, Any] = _plain_case(view)
    plain = {
        "case": case,
        "diff": None if view.diff is None else [asdict(block) for block in view.diff],
        "trace": [] if view.case.hidden else [asdict(event) for event in view.trace],
    }
    return json.dumps(plain, indent=2, ensure_ascii=False) + "\n"


def _plain_case(view: CaseView) -> dict[str, Any]:
    from pydantic import TypeAdapter

    from goldsuite.model.run import CaseRecord

    found = TypeAdapter(CaseRecord).dump_python(view.case, mode="json")
    assert isinstance(found, dict)  # noqa: S101 - a dataclass is an object
    return found
