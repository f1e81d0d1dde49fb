"""Any MCP server, as a process over its standard input and output; without a config irbridge's own server."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from irbridge.agentic.adapters import fts
from irbridge.agentic.adapters.base import CAPABILITIES, Adapter, Unavailable
from irbridge.agentic.mcp.config import Config, config_of, load_config
from irbridge.agentic.mcp.session import Prepared
from irbridge.agentic.snapshot import CorpusSnapshot
from irbridge.errors import InputError

_RESULT: dict[str, Any] = {
    "source": "structured", "items": "items", "uri": "uri", "start": "startLine", "end": "endLine", "text": "text",
    "source_hash": "sourceHash",
}  # fmt: skip
OWN: dict[str, Any] = {
    "command": ["{python}", "-m", "irbridge", "mcp", "serve", "--fixture", "{corpus}", "--index", "{home}/data/index"],
    "env": {},
    "uris": ["corpus://{collection}/{path}"],
    "tools": {
        "search": {
            "name": "search",
            "arguments": {"query": "query", "collections": "collections", "limit": "limit"},
            "result": _RESULT,
        },
        "get": {
            "name": "get",
            "arguments": {"uri": "uri", "fromLine": "fromLine", "lineCount": "lineCount"},
            "result": _RESULT,
        },
        "multi_get": {"name": "multi_get", "arguments": {"uris": "uris", "maxBytes": "maxBytes"}, "result": _RESULT},
    },
}


def own_config() -> Config:
    """The config of irbridge's own server; it sees the modules that this process sees."""
    path = os.environ.get("PYTHONPATH")
    return config_of({**OWN, "env": {"PYTHONPATH": path}} if path else OWN)


def prepare(
    snapshot: CorpusSnapshot, home: str | os.PathLike[str], timeout: float, settings: Mapping[str, str]
) -> Prepared:
    """Write the corpus below `home`, build the server's index, and hold its tools against the config.

    Raises:
        Unavailable: mcp_config_invalid, or as `Prepared`.
    """
    if "config" not in settings:
        own = config_of(OWN)
        identity = {"config": own.fingerprint, "index": fts.VERSION}
        return Prepared(snapshot, home, timeout, own_config(), identity=identity)
    try:
        config = load_config(settings["config"])
    except InputError as error:
        raise Unavailable("mcp_config_invalid", str(error)) from error
    return Prepared(snapshot, home, timeout, config)


ADAPTER = Adapter(
    name="mcp",
    summary="an MCP server's process over real stdio; irbridge's own without a config",
    capabilities=CAPABILITIES,
    prepare=prepare,
    methodology="A real MCP server process over stdio in an isolated home; evidence where its text is exactly the corpus's.",
    settings={"config": "a TOML or JSON file: how the server is started and how its tools are mapped"},
)
