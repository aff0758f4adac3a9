"""Talking to a real `goldsuite mcp` process with the official client."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp_types import TextContent, Tool

__all__ = ["Call", "Conversation", "Said", "converse"]

Call = tuple[str, Mapping[str, object]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """What the server answered to one call."""

    text: str
    ok: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Conversation:
    """One whole session, from the start of the server to its end."""

    instructions: str
    tools: tuple[Tool, ...]
    said: tuple[Said, ...]
    """In the order of the calls."""
    stderr: str


def converse(
    command: Sequence[str],
    calls: Sequence[Call],
    *,
    cwd: Path,
    env: Mapping[str, str],
    errors: Path,
) -> Conversation:
    """Start the server, make the calls one after the other, and let it end.

    Args:
        env: in addition to the few variables that the client passes on.
        errors: a file for the server's stderr.
    """
    server = StdioServerParameters(
        command=command[0], args=list(command[1:]), cwd=cwd, env=dict(env)
    )

    async def talk() -> Conversation:
        with errors.open("w+") as log:
            async with (
                stdio_client(server, errlog=log) as (read, write),
                ClientSession(read, write) as session,
            ):
                start = await session.initialize()
                tools = await session.list_tools()
                said = [await _call(session, call) for call in calls]
        return Conversation(
            instructions=start.instructions or "",
            tools=tuple(tools.tools),
            said=tuple(said),
            stderr="",
        )

    return replace(asyncio.run(talk()), stderr=errors.read_text())


async def _call(session: ClientSession, call: Call) -> Said:
    name, arguments = call
    result = await session.call_tool(name, dict(arguments))
    (content,) = result.content
    assert isinstance(content, TextContent)
    return Said(text=content.text, ok=not result.is_error)
