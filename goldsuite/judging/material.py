"""What a judge is shown of a trial: the question, the end of the trace, and the final answer.

All but the question was written by the agent or by what its tools returned. It goes to the judge as
one JSON document, so that no text in it can pass for the end of it, or for a word of ours.
"""

import json
from dataclasses import dataclass

from goldsuite.model.answer import Reply, TraceEvent

__all__ = ["LONGEST_MESSAGE", "Material", "material_of"]

LONGEST_MESSAGE = 4_000
"""Characters of one step or answer; the middle of a longer one is left out, and that is said."""
_CALLS = 200
"""Calls that are listed where there is no trace."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Material:
    """One trial as the judge sees it."""

    question: str
    """As it was asked; from the suite."""
    document: str
    """JSON: what the agent did and said."""
    left_out: int
    """Steps of the trace that are not in it, from its beginning."""


def material_of(question: str, reply: Reply, *, last: int) -> Material:
    """The material on `reply`, with the `last` steps of its trace at most."""
    shown = reply.trace[-last:] if last > 0 else ()
    left_out = len(reply.trace) - len(shown)
    document = {
        "steps_left_out_before_these": left_out,
        "steps": [_step(event) for event in shown],
        "calls": _calls(reply) if not reply.trace else None,
        "turns": reply.turns,
        "skills": reply.skills,
        "final_answer": {
            "value": _cut(reply.value),
            "sql": _cut(reply.query),
            "definition_source": _cut(reply.definition_source),
            "declined": _cut(reply.declined),
        },
    }
    told = {key: value for key, value in document.items() if value is not None}
    text = json.dumps(told, ensure_ascii=False, indent=1)
    return Material(question=question, document=text, left_out=left_out)


def _step(event: TraceEvent) -> dict[str, str | None]:
    named = {"tool": event.name} if event.name else {}
    return {"kind": event.kind, **named, "text": _cut(event.text)}


def _calls(reply: Reply) -> list[dict[str, object]] | None:
    if reply.calls is None:
        return None
    return [
        {"tool": call.name, "arguments": _cut(call.arguments), "accepted": call.accepted}
        for call in reply.calls[-_CALLS:]
    ]


def _cut(text: str | None) -> str | None:
    if text is None or len(text) <= LONGEST_MESSAGE:
        return text
    half = LONGEST_MESSAGE // 2
    return f"{text[:half]} [{len(text) - 2 * half:,} characters left out] {text[-half:]}"
