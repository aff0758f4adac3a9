"""The tools by which an agent works: the tables, read-only SQL, and the context, and nothing else.

The same tools serve an agent of ours in this process and an outside one through `goldsuite mcp`.
"""

from goldsuite.analysts.toolbox.box import MAX_FETCHED_ROWS, Toolbox
from goldsuite.analysts.toolbox.tools import ToolResult, ToolSpec

__all__ = ["MAX_FETCHED_ROWS", "ToolResult", "ToolSpec", "Toolbox"]
