"""What a function returned, as a reply: text, a number, rows, a mapping, or a Reply."""

import json
from collections.abc import Mapping
from datetime import date, time
from decimal import Decimal
from numbers import Number

from goldsuite.analysts.reply import find_reply, read_object
from goldsuite.analysts.row_fields import decode_json
from goldsuite.errors import AnalystError
from goldsuite.model.answer import Reply

__all__ = ["reply_from"]

_ENOUGH = frozenset({"analyst_value", "analyst_query", "declined", "error"})


def reply_from(returned: object, *, dialect: str | None = None) -> Reply:
    """The reply that `returned` means; None means that nothing was said.

    Text is an answer in one of the forms that programs print, else the value itself. A mapping has
    the words of `answers.jsonl`. Numbers keep the writing that Python gives them.

    Raises:
        AnalystError: it is nothing of the kind.
    """
    if isinstance(returned, Reply):
        return returned
    if returned is None:
        return Reply()
    if isinstance(returned, str):
        return _text(returned, dialect)
    if isinstance(returned, Mapping):
        return _mapping(returned)
    return Reply(value=_value(returned))


def _text(text: str, dialect: str | None) -> Reply:
    if not text.strip():
        return Reply()
    found = find_reply(text, dialect=dialect)
    return found if found is not None else Reply(value=text.strip())


def _mapping(fields: Mapping[object, object]) -> Reply:
    if _ENOUGH.isdisjoint(fields):
        keys = ", ".join(map(repr, list(fields)[:10])) or "none"
        raise AnalystError(
            "the function returned a mapping without 'analyst_value', 'analyst_query', 'declined' "
            f"or 'error'; its keys: {keys}"
        )
    # Through the writing, so that a mapping is read by the rules of every other answer.
    decoded, _ = decode_json(_json(dict(fields)))
    return read_object(decoded)


def _value(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Number | date | time):
        return str(value)
    return _json(value)


def _json(value: object) -> str:
    try:
        return json.dumps(value, default=_plain)
    except (TypeError, ValueError, RecursionError) as error:
        raise AnalystError(
            f"the function returned {type(value).__name__}, which is no answer: {error}. Expected "
            "are text, a number, a mapping with 'analyst_value', or a Reply"
        ) from None


def _plain(value: object) -> object:
    """What json does not know: exact numbers, times, and scalars of numpy or pandas."""
    if isinstance(value, Decimal | date | time):
        return str(value)
    item = getattr(value, "item", None)
    if callable(item):
        return item()
    raise TypeError(f"{type(value).__name__} is no JSON value")
