"""Signs in what an analyst did that it had seen the key. Pure, and no proof: a person has to look.

Looked for in the trace, the calls and the queries: the name of the suite's file; the text of the
gold SQL in what a tool gave back, before the analyst wrote it itself; the gold value to full
precision before the query that yields it; and the gold value as a constant in the SQL.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from sqlglot.tokenizer_core import TokenType

from goldsuite.audit.context_text import SearchedFile, significant_digits, words_of
from goldsuite.audit.leaks import LEAST_DIGITS, rounded_forms
from goldsuite.model.answer import Reply, TraceEvent
from goldsuite.model.held_out import LeakKind
from goldsuite.model.key import GoldValue
from goldsuite.sqltext.parsing import tokenize

__all__ = ["SUSPICIOUS", "Sought", "sought_value", "suspicions"]

SUSPICIOUS = "suspicious_trace"
"""The flag of a trial with such a sign."""

_FULL_PRECISION = 10
"""Significant digits that nobody hits by chance, where the gold has more."""
_LEAST_WORDS = 8
"""Of a gold query: a shorter one is what anybody would write."""
_READERS = frozenset({"read", "grep", "glob", "ls", "read_context", "list_context", "notebookread"})
"""Tools, without case, whose results come from files alone; any other one may run a query."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sought:
    """What of the key is looked for in one trial."""

    suite_file: str
    """Its name without folders."""
    gold_sql: tuple[str, ...]
    values: tuple[Decimal, ...]
    """As the suite has it and as it was recomputed; empty where it is no long number."""
    leaked: frozenset[LeakKind] = frozenset()
    """What the context holds of the case anyway: seeing that is no sign of anything else."""


def sought_value(*values: GoldValue | float) -> tuple[Decimal, ...]:
    """The numbers among single values that are long enough to be told from chance."""
    found: dict[Decimal, None] = {}
    for value in values:
        if isinstance(value, (bool, tuple)) or not isinstance(value, (int, float, Decimal)):
            continue
        number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
        if number.is_finite() and significant_digits(number) >= LEAST_DIGITS:
            found[number] = None
    return tuple(found)


def suspicions(reply: Reply, sought: Sought, *, dialect: str) -> tuple[str, ...]:
    """One sentence for each sign; none holds anything of the gold."""
    found = [*_names_suite(reply, sought.suite_file)]
    if "gold SQL" not in sought.leaked:
        found += _reads_gold_sql(reply.trace, sought.gold_sql)
    if "gold value" not in sought.leaked and sought.values:
        forms = _full_forms(sought.values)
        found += _knows_value(reply, forms)
        found += _writes_value(reply.query, sought, forms, dialect)
    return tuple(dict.fromkeys(found))


def _names_suite(reply: Reply, name: str) -> Iterator[str]:
    for number, event in enumerate(reply.trace, 1):
        if name in event.text:
            yield f"Step {number} of the trace ({_called(event)}) names the suite's file {name!r}."
            return
    texts = [
        *(call.arguments or "" for call in reply.calls or ()),
        *(query.sql for query in reply.queries or ()),
        reply.query or "",
    ]
    if any(name in text for text in texts):
        yield f"A call or a query names the suite's file {name!r}."


def _reads_gold_sql(trace: Sequence[TraceEvent], golds: Sequence[str]) -> Iterator[str]:
    for gold in golds:
        # The text is looked for, not what it means: a copy is told by its writing.
        copy = _on_one_line(gold)
        if len(words_of(gold)) < _LEAST_WORDS:
            continue
        for number, event in enumerate(trace, 1):
            if copy in _on_one_line(event.text):
                if event.kind == "tool_result":
                    yield (
                        f"Step {number} of the trace ({_called(event)}) shows the text of a gold "
                        "query before the analyst wrote it."
                    )
                break


def _on_one_line(text: str) -> str:
    # A reply in JSON holds line breaks as two characters.
    return " ".join(text.replace("\\n", " ").replace("\\t", " ").split()).casefold()


def _full_forms(values: Sequence[Decimal]) -> frozenset[Decimal]:
    return frozenset(
        form
        for value in values
        for form in rounded_forms(value)
        if significant_digits(form) >= min(significant_digits(value), _FULL_PRECISION)
    )


def _knows_value(reply: Reply, forms: frozenset[Decimal]) -> Iterator[str]:
    trace = reply.trace
    if not trace:
        said = _holds(reply.value or "", forms)
        if said and reply.queries == ():
            yield "The gold value was said to full precision, and no query was run."
        return
    asked, yielded = _course(trace, forms)
    for number, event in enumerate(trace, 1):
        if yielded is not None and number >= yielded:
            return
        if not _holds(event.text, forms):
            continue
        if yielded is None and asked is not None and asked < number:
            # No result shows it, but it may have been worked out from those that there are.
            return
        yield (
            f"Step {number} of the trace ({_called(event)}) has the gold value to full precision "
            "before any query yields it."
        )
        return


def _course(
    trace: Sequence[TraceEvent], forms: frozenset[Decimal]
) -> tuple[int | None, int | None]:
    """The first step that may ask the warehouse, and the one whose result first has the value.

    The call itself must not have it: a constant that comes back is no result.
    """
    first: int | None = None
    call: int | None = None
    for number, event in enumerate(trace, 1):
        if event.kind == "tool_call":
            asks = (event.name or "").casefold() not in _READERS
            first = number if asks and first is None else first
            call = number if asks and not _holds(event.text, forms) else None
        elif event.kind == "tool_result" and call is not None and _holds(event.text, forms):
            return first, call
    return first, None


def _writes_value(
    query: str | None, sought: Sought, forms: frozenset[Decimal], dialect: str
) -> Iterator[str]:
    if not query or not _constants(query, dialect) & forms:
        return
    if any(_constants(gold, dialect) & forms for gold in sought.gold_sql):
        return
    yield "The SQL holds the gold value to full precision as a constant."


def _constants(sql: str, dialect: str) -> set[Decimal]:
    numbers = (t.text for t in tokenize(sql, dialect) or () if t.token_type is TokenType.NUMBER)
    return {form for text in numbers for form in SearchedFile(name="", text=text).numbers}


def _holds(text: str, forms: frozenset[Decimal]) -> bool:
    return not forms.isdisjoint(SearchedFile(name="", text=text).numbers)


def _called(event: TraceEvent) -> str:
    kind = event.kind.replace("_", " ")
    return f"{kind} of {event.name!r}" if event.name else kind
