"""`irbridge mcp`: irbridge for programs that speak the Model Context Protocol."""

from __future__ import annotations

from irbridge.cli.group import CommandGroup

COMMAND = CommandGroup(
    "mcp",
    package=__name__,
    short_help="Serve a corpus to agents over MCP.",
    heading="Collections",
    help="irbridge for programs that speak the Model Context Protocol (extra mcp).",
    examples=("irbridge mcp serve my-collection/", "irbridge mcp serve --corpus notes/"),
)
