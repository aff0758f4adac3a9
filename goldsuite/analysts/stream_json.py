"""Reads the streams of headless agents: one reply out of many events.

Which agent it is shows in its first events, so nobody has to say. The answer stands in the agent's
last message, in the form that every program prints.
"""

from dataclasses import replace

from goldsuite.analysts.agent_events import Heard, decode_events
from goldsuite.analysts.claude_code_events import hear_claude_code, is_claude_code
from goldsuite.analysts.codex_events import hear_codex, is_codex
from goldsuite.analysts.reply import read_reply
from goldsuite.errors import AnalystError
from goldsuite.model.answer import Reply

__all__ = ["read_stream"]

_FIRST_EVENTS = 5
"""Events of other kinds may come before the first that is known."""


def read_stream(text: str, *, dialect: str | None = None) -> Reply | None:
    """The reply in the output of a headless agent; None where `text` is no such stream.

    A fault is told in `Reply.error`, with what was measured before it.

    Args:
        text: all that the agent printed.
        dialect: sqlglot's name; helps to tell where SQL ends and prose goes on.
    """
    heard = _hear(text)
    if heard is None or heard.reply.error is not None or heard.reply.declined is not None:
        return None if heard is None else heard.reply
    try:
        answer = read_reply(heard.said, dialect=dialect)
    except AnalystError as error:
        return replace(heard.reply, error=str(error), error_source="analyst")
    return replace(
        heard.reply,
        value=answer.value,
        query=answer.query,
        definition_source=answer.definition_source,
        declined=answer.declined,
        error=answer.error,
    )


def _hear(text: str) -> Heard | None:
    events = decode_events(text)
    first = events[:_FIRST_EVENTS]
    if any(map(is_claude_code, first)):
        return hear_claude_code(events)
    return hear_codex(events) if any(map(is_codex, first)) else None
