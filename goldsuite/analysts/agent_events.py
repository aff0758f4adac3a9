"""What a headless agent tells of its work, one JSON object per line: the part that all share.

Such a stream is not under our user's control: what is missing or malformed in it is not measured,
and never an error. Only the end has to be there, or the agent was cut off.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from goldsuite.analysts.row_fields import NumberText, decode_json, json_text, optional
from goldsuite.model.answer import ErrorSource, Reply, ToolCall, TraceEvent, TraceKind

__all__ = [
    "Event",
    "Heard",
    "Work",
    "as_json",
    "decode_events",
    "error_source",
    "objects",
    "told",
    "words",
]

Event: TypeAlias = Mapping[str, Any]
"""One JSON object of a stream; numbers as `NumberText`."""

_T = TypeVar("_T")
_LONGEST = 20_000
"""Characters of one step of a trace; the middle of longer ones is left out."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Heard:
    """What a whole stream says."""

    reply: Reply
    """All but the answer itself: calls, usage, trace, and what broke or was declined."""
    said: str
    """The agent's last message, in which the answer is looked for."""


def decode_events(text: str) -> tuple[Event, ...]:
    """The events of a stream: JSON objects with a `type`, one per line or all in one list.

    Other lines are passed over: programs print warnings between them.
    """
    if text.lstrip().startswith("["):
        return tuple(_events_of_list(text.strip()))
    return tuple(event for line in text.split("\n") if (event := _event(line)) is not None)


def _events_of_list(text: str) -> Iterator[Event]:
    try:
        whole, _ = decode_json(text)
    except ValueError:
        return
    yield from (part for part in whole if _is_event(part))


def _event(line: str) -> Event | None:
    line = line.strip()
    if not line.startswith("{"):
        return None
    try:
        value, _ = decode_json(line)
    except ValueError:
        return None
    return value if _is_event(value) else None


def _is_event(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("type"), str)


class Work:
    """Gathers the steps and calls of an agent in the order in which they began."""

    def __init__(self) -> None:
        self.trace: list[TraceEvent] = []
        self.skills: list[str] = []
        self._names: list[str] = []
        self._arguments: list[str | None] = []
        self._accepted: list[bool | None] = []
        self._by_id: dict[str, int] = {}

    def note(self, kind: TraceKind, text: str, *, name: str | None = None) -> None:
        """Add a step that is no call; blank text is no step."""
        if text.strip():
            self.trace.append(TraceEvent(kind=kind, text=_shortened(text), name=name))

    @property
    def empty(self) -> bool:
        """True where nothing was told of the work."""
        return not self.trace

    def call(self, name: str, arguments: str | None, *, key: str | None) -> None:
        """A call begins; `key` finds it when its result comes. A known key is no second call."""
        if key is not None and key in self._by_id:
            return
        if key is not None:
            self._by_id[key] = len(self._names)
        self._names.append(name)
        self._arguments.append(arguments)
        self._accepted.append(None)
        self.trace.append(TraceEvent(kind="tool_call", text=_shortened(arguments or ""), name=name))

    def result(self, text: str, *, key: str, accepted: bool) -> None:
        """The call `key` ended."""
        place = self._by_id.get(key)
        if place is not None:
            self._accepted[place] = accepted
        name = None if place is None else self._names[place]
        self.trace.append(TraceEvent(kind="tool_result", text=_shortened(text), name=name))

    def reply(self, *, tells_calls: bool = True, tells_skills: bool = True, **rest: Any) -> Reply:
        """The reply that holds all of it, and the `rest`: what else was measured.

        `tells_calls` and `tells_skills` say whether the stream would have told of any.
        """
        calls = zip(self._names, self._arguments, self._accepted, strict=True)
        called = tuple(ToolCall(name=n, arguments=a, accepted=ok) for n, a, ok in calls)
        return Reply(
            tools=tuple(self._names) if tells_calls else None,
            calls=called if tells_calls else None,
            skills=tuple(self.skills) if tells_skills else None,
            trace=tuple(self.trace),
            **rest,
        )


def error_source(status: int | None) -> ErrorSource:
    """Whose fault an HTTP `status` is; without one, the agent's."""
    return "service" if status == 429 or (status is not None and status >= 500) else "analyst"


def told(event: Event, key: str, read: Callable[[Any], _T]) -> _T | None:
    """What `read` makes of `event[key]`; None where it is absent or no such thing."""
    try:
        return optional(event, key, read)
    except ValueError:
        return None


def words(event: Event, key: str) -> str:
    """The text at `key`; "" where there is none."""
    value = event.get(key)
    return value if isinstance(value, str) and not isinstance(value, NumberText) else ""


def objects(value: Any) -> tuple[Event, ...]:
    """The objects in a list; () for anything else."""
    parts = value if isinstance(value, list) else []
    return tuple(part for part in parts if isinstance(part, dict))


def as_json(value: Any) -> str | None:
    """Arguments as JSON text; None where none are told."""
    if value is None:
        return None
    try:
        return json_text(value)
    except RecursionError:
        return None


def _shortened(text: str) -> str:
    text = text.encode("utf-8", "replace").decode("utf-8")
    left_out = len(text) - _LONGEST
    if left_out <= 0:
        return text
    half = _LONGEST // 2
    return f"{text[:half]}\n... {left_out:,} characters left out ...\n{text[-half:]}"
