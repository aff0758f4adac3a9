"""Values as the report writes them; what was not measured is a dash, never 0."""

import unicodedata

from goldsuite.model.run import JsonValue

__all__ = [
    "ABSENT",
    "counted",
    "duration",
    "money",
    "percent",
    "printable",
    "printable_text",
    "shorten",
    "value_text",
]

ABSENT = "–"


def counted(number: int, noun: str) -> str:
    """`1 case`, `2 cases`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def percent(share: float | None) -> str:
    """`0.5714` as `57.1 %`."""
    return ABSENT if share is None else f"{100 * share:.1f} %"


def money(dollars: float | None) -> str:
    """US dollars; four places below one dollar, since a question may cost less than a cent."""
    if dollars is None:
        return ABSENT
    return f"${dollars:,.2f}" if dollars >= 1 else f"${dollars:.4f}"


def duration(milliseconds: float | None) -> str:
    """`830 ms`, `12.4 s` or `3 min 20 s`."""
    if milliseconds is None:
        return ABSENT
    if milliseconds < 1000:
        return f"{milliseconds:.0f} ms"
    seconds = milliseconds / 1000
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"


def value_text(value: JsonValue) -> str:
    """A gold value on one line; rows as `3 rows: (a, 1), (b, 2), ...`."""
    if value is None:
        return "NULL"
    if isinstance(value, list):
        shown = ", ".join(f"({', '.join(map(_scalar, row))})" for row in value[:3])
        more = ", ..." if len(value) > 3 else ""
        rows = "row" if len(value) == 1 else "rows"
        return f"{len(value)} {rows}: {shown}{more}"
    return _scalar(value)


def _scalar(value: float | str | None) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.2f}" if abs(value) >= 1000 else f"{value:.6g}"
    return value


def shorten(text: str, width: int) -> str:
    """`text` on one line, cut to `width` characters with an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: max(width - 1, 0)] + "…"


def printable(text: str) -> str:
    """`text` with control and direction-changing characters made visible."""
    return text if text.isprintable() else "".join(map(_visible, text))


def printable_text(text: str) -> str:
    """`printable` for text of several lines: its line ends and tabs stay."""
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join("\t".join(map(printable, line.split("\t"))) for line in lines)


def _visible(character: str) -> str:
    if character in "\n\t":
        return " "
    hidden = unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
    return f"\\u{ord(character):04x}" if hidden else character
