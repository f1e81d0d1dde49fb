"""Whether a server has the tools that a config maps, with the arguments that it would be sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from irbridge.agentic.adapters.base import Unavailable
from irbridge.agentic.canonical_json import fingerprint
from irbridge.agentic.mcp.config import Config, MappedTool
from irbridge.errors import InputError

#: Arguments that every call of the contract's tool can give.
_ALWAYS = {"query", "uri", "uris", "collection", "collections"}


def check_tools(config: Config, listed: Sequence[Mapping[str, Any]]) -> str:
    """The fingerprint of the tools that are mapped, as the server announces them.

    Raises:
        Unavailable: mcp_tool_missing, mcp_schema_mismatch.
    """
    by_name: dict[str, Mapping[str, Any]] = {}
    for each in listed:
        if each["name"] in by_name:
            raise Unavailable("mcp_schema_mismatch", "the server lists a tool twice")
        by_name[each["name"]] = each
    mapped = config.mapped()
    for name, tool in mapped.items():
        if tool.name not in by_name:
            raise Unavailable("mcp_tool_missing", f"the server has no tool {tool.name}, which {name} is mapped to")
        problem = _problem(tool, by_name[tool.name].get("inputSchema"))
        if problem is not None:
            raise Unavailable("mcp_schema_mismatch", f"{tool.name}: {problem}")
    used = sorted({tool.name for tool in mapped.values()})
    try:
        return fingerprint([dict(by_name[name]) for name in used])
    except InputError as error:
        raise Unavailable("mcp_schema_mismatch", f"its tools have no canonical form: {error.message}") from error


def _problem(tool: MappedTool, schema: Any) -> str | None:
    if not isinstance(schema, Mapping) or schema.get("type") != "object":
        return "its input is no object"
    properties, required = schema.get("properties", {}), schema.get("required", [])
    if not isinstance(properties, Mapping) or not isinstance(required, list):
        return "its input schema is malformed"
    for name in [*tool.arguments.values(), *tool.constants]:
        if name not in properties:
            return f"it takes no {name}"
    given = {theirs for ours, theirs in tool.arguments.items() if ours in _ALWAYS} | set(tool.constants)
    missing = [name for name in required if name not in given]
    return f"it demands {missing[0]}, which nothing gives" if missing else None
