"""A toolbox as an MCP server on stdin and stdout, for agents outside of this process.

`stdio_server` of the `mcp` package points descriptor 1 at stderr while it serves, so that stdout
carries the protocol and nothing else.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from goldsuite import __version__
from goldsuite.analysts.toolbox import Toolbox, ToolResult
from goldsuite.analysts.toolbox.mcp_config import SERVER_NAME
from goldsuite.errors import ConfigurationError, GoldsuiteError

__all__ = ["serve"]

_INSTRUCTIONS = (
    "A data warehouse, read-only, and the team's notes on it. Read the context first: where it "
    "defines a metric, use that definition."
)


def serve(toolbox: Toolbox, *, on_end: Callable[[], None]) -> None:
    """Serve until the client ends its side.

    Args:
        on_end: called then, while queries may still run: they must not outlive their client.

    Raises:
        ConfigurationError: the `mcp` package is not installed.
    """
    try:
        import mcp  # noqa: F401
    except ImportError:
        raise ConfigurationError(
            "goldsuite mcp needs the package `mcp`: pip install 'goldsuite[mcp]'"
        ) from None
    asyncio.run(_serve(toolbox, on_end))


async def _serve(toolbox: Toolbox, on_end: Callable[[], None]) -> None:
    from mcp.server.stdio import stdio_server

    server = _server(toolbox)
    try:
        async with stdio_server() as (requests, replies):
            await server.run(requests, replies, server.create_initialization_options())
    except* OSError:
        pass  # The client went away while it was being written to.
    on_end()


def _server(toolbox: Toolbox) -> Any:
    import mcp_types as wire
    from mcp.server.lowlevel import Server

    async def list_tools(_context: Any, _request: Any) -> wire.ListToolsResult:
        hints = wire.ToolAnnotations(read_only_hint=True, open_world_hint=False)
        return wire.ListToolsResult(
            tools=[
                wire.Tool(
                    name=tool.name,
                    description=tool.description,
                    input_schema=dict(tool.input_schema),
                    annotations=hints,
                )
                for tool in toolbox.tools
            ]
        )

    async def call_tool(_context: Any, call: wire.CallToolRequestParams) -> wire.CallToolResult:
        try:
            result = await toolbox.call(call.name, call.arguments or {})
        except GoldsuiteError as error:
            result = ToolResult(text=str(error), ok=False)
        text = result.text.encode("utf-8", "replace").decode()
        return wire.CallToolResult(
            content=[wire.TextContent(type="text", text=text)], is_error=not result.ok
        )

    return Server(
        SERVER_NAME,
        version=__version__,
        instructions=_INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
