"""qmd, pinned to one commit, its tools and its models; without exactly those its lane is a matrix of harness errors."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

import msgspec

from irbridge.agentic.adapters.base import CAPABILITIES, Adapter
from irbridge.agentic.mcp.config import config_of
from irbridge.agentic.mcp.lock import Pinned, Product, check_locked_tools, copied_models, runtime
from irbridge.agentic.mcp.session import Prepared
from irbridge.agentic.snapshot import CorpusSnapshot

PRODUCT = Product("qmd", repo_variable="QMD_REPO", models_variable="QMD_MODEL_CACHE")
_NUMBERS = r"[0-9]+: ?"
_READ = {"source": "resources", "uri": "uri", "text": "text"}
CONFIG: dict[str, Any] = {
    "command": ["{bun}", "{repo}/bin/qmd", "mcp"],
    "prepare": [["{bun}", "{repo}/bin/qmd", "update"], ["{bun}", "{repo}/bin/qmd", "embed"]],
    "env": {
        "QMD_CONFIG_DIR": "{home}/config/qmd",
        "INDEX_PATH": "{state}/index.sqlite",
        "QMD_SOURCE_MODE": "1",
        "HF_HUB_OFFLINE": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
    },
    "state": True,
    "uris": ["{collection}/{path}", "qmd://{collection}/{quoted}", "qmd://{collection}/{path}"],
    "counts_calls": False,
    "probe": {"rerank": True, "intent": "readiness"},
    "tools": {
        "search": {
            "name": "query",
            "arguments": {
                "query": "query", "collections": "collections", "limit": "limit", "minScore": "minScore",
                "intent": "intent", "rerank": "rerank",
            },
            "result": {
                "source": "structured", "items": "results", "uri": "file", "text": "snippet",
                "line_prefix": _NUMBERS,
                "pattern": r"@@ -(?P<start>[0-9]+),(?P<count>[0-9]+) @@[^\n]*\n(?P<text>.*)",
            },
        },
        "get": {
            "name": "get",
            "arguments": {"uri": "file", "fromLine": "fromLine", "lineCount": "maxLines"},
            "constants": {"lineNumbers": False},
            "result": _READ,
        },
        "multi_get": {
            "name": "multi_get",
            "arguments": {"uris": "pattern", "maxBytes": "maxBytes"},
            "constants": {"lineNumbers": False},
            "join": ",",
            "result": _READ,
        },
    },
}  # fmt: skip


def prepare(
    snapshot: CorpusSnapshot, home: str | os.PathLike[str], timeout: float, settings: Mapping[str, str]
) -> Prepared:
    """Verify the checkout and the models, then build qmd's index of the corpus in `home`.

    Raises:
        Unavailable: see `mcp.lock` and `mcp.session`; qmd_tool_mismatch.
    """
    pinned = PRODUCT.verified(settings, timeout)
    bun = runtime("qmd", settings)
    place = os.path.realpath(home)
    copied_models(pinned, os.path.join(place, "cache", "qmd", "models"))
    _write_config(pinned, snapshot, place)
    env = {f"QMD_{model.role.upper()}_MODEL": model.uri for model in pinned.lock.models}
    config = config_of({**CONFIG, "env": {**CONFIG["env"], **env}})
    places = {"repo": pinned.repository, "bun": bun}
    prepared = Prepared(snapshot, home, timeout, config, identity={"lock": pinned.lock.fingerprint}, places=places)
    check_locked_tools(pinned.lock, prepared.listed)
    return prepared


def _write_config(pinned: Pinned, snapshot: CorpusSnapshot, home: str) -> None:
    """The configuration as qmd reads it; JSON is YAML."""
    folder = os.path.join(home, "config", "qmd")
    os.makedirs(folder, exist_ok=True)
    collections = {
        name: {"path": os.path.join(home, "corpus", name), "pattern": "**/*", "includeByDefault": True}
        for name in sorted(snapshot.owners)
    }
    models = {model.role: model.uri for model in pinned.lock.models}
    with open(os.path.join(folder, "index.yml"), "w", encoding="utf-8") as stream:
        json.dump({"models": models, "collections": collections}, stream, indent=1)


ADAPTER = Adapter(
    name="qmd",
    summary="qmd's MCP server, at a pinned commit with pinned tools and models",
    capabilities=msgspec.structs.replace(CAPABILITIES, backend_invocation_accounting=False),
    prepare=prepare,
    methodology="qmd at a pinned commit over stdio; index built in an isolated home, each process on a copy of it.",
    settings=PRODUCT.settings,
)
