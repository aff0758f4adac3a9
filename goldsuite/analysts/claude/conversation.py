"""One trial: the model asks for tools, gets what they give, and answers in the end.

Every fault ends in one reply that says what was used until then. The model's blocks go back to it
unchanged, and every call of a tool gets its result.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from goldsuite.analysts.base import Pace
from goldsuite.analysts.claude.answer_tool import GIVE_ANSWER, LAST_TURN, REMINDER, read_answer
from goldsuite.analysts.claude.meter import Meter
from goldsuite.analysts.claude.options import ClaudeOptions
from goldsuite.analysts.claude.service import Service, SharedPrompt
from goldsuite.analysts.claude.turn import Block, Turn
from goldsuite.analysts.reply import read_reply
from goldsuite.analysts.toolbox import Toolbox, ToolResult
from goldsuite.errors import AnalystError, ServiceError
from goldsuite.model.answer import Reply, ToolCall, TraceEvent, TraceKind

__all__ = ["Conversation"]

_TRUNCATED = {
    "max_tokens": "it ran out of tokens: a reply was cut at {max_tokens:,} (max_tokens)",
    "model_context_window_exceeded": "it ran out of tokens: the model's context window is full",
}
_COMPLETE = frozenset({"end_turn", "tool_use", "stop_sequence"})


class Conversation:
    """Holds one trial's messages and what is known of it; used once."""

    def __init__(
        self,
        service: Service,
        pace: Pace,
        toolbox: Toolbox,
        meter: Meter,
        *,
        prompt: SharedPrompt,
        options: ClaudeOptions,
        dialect: str,
    ) -> None:
        self._service = service
        self._pace = pace
        self._toolbox = toolbox
        self._meter = meter
        self._prompt = prompt
        self._max_turns = options.max_turns
        self._max_tokens = options.max_tokens
        self._dialect = dialect
        self._messages: list[Mapping[str, Any]] = []
        self._turns = 0
        self._calls: list[ToolCall] = []
        self._trace: list[TraceEvent] = []
        self._said: list[str] = []
        """What the model said in place of its answer."""

    async def hold(self, question: str) -> Reply:
        """Ask `question`, and go on until there is an answer or there will be none.

        Raises:
            SpendLimitError: the account can spend no more; nothing was answered.
        """
        try:
            reply = await self._converse(question)
        except ServiceError as error:
            reply = Reply(error=str(error), error_source="service")
        except AnalystError as error:
            reply = Reply(error=str(error), error_source="analyst")
        return replace(
            reply,
            usage=self._meter.usage,
            cost=self._meter.cost,
            turns=self._turns,
            tools=tuple(call.name for call in self._calls),
            calls=tuple(self._calls),
            queries=self._toolbox.queries,
            trace=tuple(self._trace),
        )

    async def _converse(self, question: str) -> Reply:
        self._tell([_text(question), *self._announced()])
        while self._turns < self._max_turns:
            turn = await self._pace.send(lambda: self._service.ask(self._prompt, self._messages))
            self._note(turn)
            if turn.stop_reason == "refusal":
                return Reply(declined=f"the model refused: {turn.refusal or 'it did not say why'}")
            if turn.stop_reason in _TRUNCATED:
                why = _TRUNCATED[turn.stop_reason].format(max_tokens=self._max_tokens)
                return Reply(declined=why)
            if turn.stop_reason == "pause_turn":
                self._take(turn)
                continue
            if turn.stop_reason not in _COMPLETE:
                raise AnalystError(
                    f"the model stopped for a reason that is not known: {turn.stop_reason!r}"
                )
            reply = await self._go_on(turn)
            if reply is not None:
                return reply
        return self._without_answer(f"it ran out of turns: {self._max_turns} (max_turns)")

    async def _go_on(self, turn: Turn) -> Reply | None:
        """The answer that `turn` gives, or None when what it asked for was added."""
        self._take(turn)
        if turn.calls:
            results, answer = await self._run(turn.calls)
            self._tell(results + self._announced())
            return answer
        self._said.append(turn.text)
        if len(self._said) > 1:
            return self._without_answer("it gave no answer, although it was asked for it twice")
        self._tell([_text(REMINDER)])
        return None

    def _announced(self) -> list[Mapping[str, Any]]:
        return [_text(LAST_TURN)] if self._turns == self._max_turns - 1 else []

    async def _run(self, calls: tuple[Block, ...]) -> tuple[list[Mapping[str, Any]], Reply | None]:
        """The result of each call, and the answer if one of them gave it; the last one counts."""
        results: list[Mapping[str, Any]] = []
        answer: Reply | None = None
        for call in calls:
            if call.name == GIVE_ANSWER:
                result, given = _answer(call)
                answer = given or answer
            else:
                result = await self._toolbox.call(call.name, cast(Any, call.input))
            self._calls.append(
                ToolCall(name=call.name, arguments=call.arguments, accepted=result.ok)
            )
            self._event("tool_result", result.text, call.name)
            results.append(_result(call, result))
        return results, answer

    def _without_answer(self, why: str) -> Reply:
        """What the model said in place of a call: the answer if it is one, else why there is none.

        A question back, or why the data cannot tell, is what it said.
        """
        said = "\n\n".join(text for text in self._said if text.strip())
        try:
            reply = read_reply(said, dialect=self._dialect)
        except AnalystError:
            return Reply(declined=said)
        return reply if reply.value or reply.query else Reply(declined=why)

    # -- Messages and trace ------------------------------------------------------------------------

    def _tell(self, content: list[Mapping[str, Any]]) -> None:
        self._messages.append({"role": "user", "content": content})

    def _take(self, turn: Turn) -> None:
        if content := turn.content():
            self._messages.append({"role": "assistant", "content": content})

    def _note(self, turn: Turn) -> None:
        self._turns += 1
        self._meter.add(turn.usage)
        for block in turn.blocks:
            if block.kind == "tool_use":
                self._event("tool_call", block.arguments, block.name)
            elif block.kind == "text":
                self._event("text", block.text)
            elif block.kind == "thinking":
                self._event("thinking", block.text)
            else:
                self._event("note", f"a block of the type {block.kind!r}")
        if turn.stop_reason not in {"tool_use", "end_turn"}:
            self._event("note", f"stopped: {turn.stop_reason}")

    def _event(self, kind: TraceKind, text: str, name: str | None = None) -> None:
        self._trace.append(TraceEvent(kind=kind, text=text, name=name))


def _text(text: str) -> Mapping[str, Any]:
    return {"type": "text", "text": text}


def _result(call: Block, result: ToolResult) -> Mapping[str, Any]:
    block = {"type": "tool_result", "tool_use_id": call.call_id, "content": result.text}
    return block if result.ok else {**block, "is_error": True}


def _answer(call: Block) -> tuple[ToolResult, Reply | None]:
    try:
        answer = read_answer(call.input)
    except AnalystError as error:
        return ToolResult(text=str(error), ok=False), None
    return ToolResult(text="The answer is taken.", ok=True), answer
