"""What the log of a run proves: that the SQL of an answer ran, and which value it gave then.

The SQL of an answer is executed again at grading. Where the data moved in between, the value said
is not what it returns now, though it is what it returned during the run.
"""

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

from goldsuite.grading.dates import read_date
from goldsuite.grading.written import read_boolean
from goldsuite.model.answer import LoggedQuery
from goldsuite.model.key import AnswerKind
from goldsuite.model.result_set import Cell
from goldsuite.sqltext.canonical import normal_form
from goldsuite.sqltext.chance import depends_on_chance
from goldsuite.sqltext.clock import asks_clock

__all__ = ["logged_cell", "logged_values", "runs_of"]


def runs_of(
    query: str, queries: Sequence[LoggedQuery], dialect: str | None
) -> tuple[LoggedQuery, ...]:
    """Those of the logged statements that are `query`, but for its writing."""
    return tuple(logged for logged in queries if _is_same(query, logged.sql, dialect))


def _is_same(query: str, other: str, dialect: str | None) -> bool:
    if query.strip() == other.strip():
        return True
    if dialect is None:
        return False
    return normal_form(query, dialect).text == normal_form(other, dialect).text


def logged_values(
    query: str | None, queries: Sequence[LoggedQuery] | None, dialect: str | None
) -> tuple[str, ...]:
    """The distinct single values that `query` gave during the run, as text.

    Empty where it asks the clock or leaves something to chance, since it may then give another
    value on the same data; and without a dialect, by which that could be seen.
    """
    if not query or not queries or dialect is None:
        return ()
    if asks_clock([query], dialect) or depends_on_chance(query, dialect):
        return ()
    values = [logged.value for logged in runs_of(query, queries, dialect)]
    return tuple(dict.fromkeys(value for value in values if value is not None))


def logged_cell(text: str, kind: AnswerKind) -> Cell:
    """A logged value as the warehouse had it; text where it is none of `kind`."""
    match kind:
        case "number":
            try:
                number = Decimal(text)
            except InvalidOperation:
                return text
            return int(number) if text.lstrip("-").isdecimal() else number
        case "boolean":
            said = read_boolean(text)
            return text if said is None else said
        case "date":
            return read_date(text) or text
        case _:
            return text
