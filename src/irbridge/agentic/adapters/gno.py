"""GNO's shipped MCP server, pinned to one commit and its models; without exactly those its lane is harness errors."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from irbridge.agentic.adapters.base import CAPABILITIES, Adapter
from irbridge.agentic.mcp.config import config_of
from irbridge.agentic.mcp.lock import Pinned, Product, check_locked_tools, runtime
from irbridge.agentic.mcp.session import Prepared
from irbridge.agentic.snapshot import CorpusSnapshot

PRODUCT = Product("gno", repo_variable="GNO_REPO", models_variable="GNO_AGENTIC_GNO_MODEL_DIR")
_GNO = ["{bun}", "{repo}/src/index.ts", "--index", "agentic", "--config", "{home}/config/index.yml", "--offline"]
CONFIG: dict[str, Any] = {
    "command": [*_GNO, "mcp"],
    "prepare": [[*_GNO, "update"], [*_GNO, "embed"]],
    "env": {
        "GNO_CONFIG_DIR": "{home}/config",
        "GNO_DATA_DIR": "{home}/data",
        "GNO_CACHE_DIR": "{home}/cache",
        "HF_HUB_OFFLINE": "1",
    },
    "uris": ["gno://{collection}/{path}", "gno://{collection}/{quoted}"],
    "uri_ignore": r"\?index=agentic$",
    "counts_calls": False,
    "probe": {"fast": True},
    "tools": {
        "search": {
            "name": "gno_query",
            "arguments": {
                "query": "query", "collection": "collection", "limit": "limit", "minScore": "minScore",
                "lang": "lang", "intent": "intent", "exclude": "exclude", "since": "since", "until": "until",
                "author": "author", "fast": "fast", "rerank": "rerank", "tagsAll": "tagsAll", "tagsAny": "tagsAny",
            },
            "result": {
                "source": "structured", "items": "results", "uri": "uri", "text": "snippet",
                "start": "snippetRange.startLine", "end": "snippetRange.endLine", "source_hash": "source.sourceHash",
            },
        },
        "get": {
            "name": "gno_get",
            "arguments": {"uri": "ref", "fromLine": "fromLine", "lineCount": "lineCount"},
            "constants": {"lineNumbers": False},
            "result": {
                "source": "structured", "uri": "uri", "text": "content", "start": "returnedLines.start",
                "end": "returnedLines.end", "source_hash": "source.sourceHash",
            },
        },
        "multi_get": {
            "name": "gno_multi_get",
            "arguments": {"uris": "refs", "maxBytes": "maxBytes"},
            "constants": {"lineNumbers": False},
            "result": {"source": "structured", "items": "documents", "uri": "uri", "text": "content"},
        },
    },
}  # fmt: skip


def prepare(
    snapshot: CorpusSnapshot, home: str | os.PathLike[str], timeout: float, settings: Mapping[str, str]
) -> Prepared:
    """Verify the checkout and the models, then ingest and embed the corpus in `home`, offline.

    Raises:
        Unavailable: see `mcp.lock` and `mcp.session`.
    """
    pinned = PRODUCT.verified(settings, timeout)
    places = {"repo": pinned.repository, "bun": runtime("gno", settings)}
    _write_config(pinned, snapshot, os.path.realpath(home))
    config, identity = config_of(CONFIG), {"lock": pinned.lock.fingerprint}
    prepared = Prepared(snapshot, home, timeout, config, identity=identity, places=places)
    check_locked_tools(pinned.lock, prepared.listed)
    prepared.diagnostics = [pinned.lock.note] if pinned.lock.note else []
    return prepared


def _write_config(pinned: Pinned, snapshot: CorpusSnapshot, home: str) -> None:
    """GNO's own configuration, with the models as files; JSON is YAML."""
    os.makedirs(os.path.join(home, "config"), exist_ok=True)
    preset = {"id": "locked", "name": "locked models"}
    preset.update({role: Path(path).as_uri() for role, path in pinned.models.items()})
    collections = [
        {"name": name, "path": os.path.join(home, "corpus", name), "pattern": "**/*.md", "include": [], "exclude": []}
        for name in sorted(snapshot.owners)
    ]
    value = {
        "version": "1.0", "ftsTokenizer": "snowball english", "collections": collections, "contexts": [],
        "contentTypes": [], "models": {"activePreset": "locked", "presets": [preset]},
    }  # fmt: skip
    with open(os.path.join(home, "config", "index.yml"), "w", encoding="utf-8") as stream:
        json.dump(value, stream, indent=1)


ADAPTER = Adapter(
    name="gno",
    summary="GNO's MCP server, at a pinned commit with pinned models",
    capabilities=msgspec.structs.replace(CAPABILITIES, backend_invocation_accounting=False),
    prepare=prepare,
    methodology="GNO at a pinned commit over stdio, offline; index built and embedded in an isolated home.",
    settings=PRODUCT.settings,
)
