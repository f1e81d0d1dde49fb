"""The config of a server: closed, TOML or JSON, and refused with a reason before anything is started."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from irbridge.agentic.adapters.mcp import OWN
from irbridge.agentic.mcp.config import config_of, filled, load_config
from irbridge.errors import InputError

TOML = """
command = ["server", "{corpus}"]
uris = ["x://{collection}/{path}"]

[tools.search]
name = "find"
arguments = { query = "q" }
result = { source = "json", items = "hits", uri = "at.uri" }

[tools.get]
name = "read"
arguments = { uri = "ref" }

[tools.multi_get]
name = "read"
arguments = { uri = "ref" }
"""


def test_toml_and_json_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text(TOML)
    tools = {
        "search": {
            "name": "find",
            "arguments": {"query": "q"},
            "result": {"source": "json", "items": "hits", "uri": "at.uri"},
        },
        "get": {"name": "read", "arguments": {"uri": "ref"}},
        "multi_get": {"name": "read", "arguments": {"uri": "ref"}},
    }
    value = {"command": ["server", "{corpus}"], "uris": ["x://{collection}/{path}"], "tools": tools}
    (tmp_path / "c.json").write_text(json.dumps(value))
    toml, plain = load_config(tmp_path / "c.toml"), load_config(tmp_path / "c.json")
    assert toml == plain
    assert toml.fingerprint == plain.fingerprint
    assert toml.tools.search.result.items == "hits"
    assert toml.fingerprint != config_of({**value, "protocol": "auto"}).fingerprint


def test_placeholders_are_filled_and_other_braces_stay() -> None:
    assert filled('{"a": "{home}"} {other} {python}', {"home": "/h"}) == '{"a": "/h"} {other} ' + sys.executable


def changed(path: str, value: Any) -> Any:
    whole = json.loads(json.dumps(OWN))
    *folders, last = path.split(".")
    place = whole
    for name in folders:
        place = place[name]
    place[last] = value
    return whole


@pytest.mark.parametrize(
    "path, value, message",
    [
        ("command", [], "length >= 1"),
        ("extra", 1, "unknown field `extra`"),
        ("protocol", "http", "Invalid enum value"),
        ("uris", ["x://{path}"], "names no collection and path"),
        ("uri_ignore", "(", "no regular expression"),
        ("tools.search.arguments", {"limit": "n"}, "maps no query"),
        ("tools.get.arguments", {"uri": "u", "nonsense": "x"}, "get has no argument nonsense"),
        ("tools.multi_get.arguments", {"maxBytes": "n"}, "maps no uris"),
        ("tools.search.result", {}, "says not where a result's URI stands"),
        ("tools.get.result", {"pattern": "x"}, "no group named text"),
        ("tools.get.result", {"line_prefix": "["}, "no regular expression"),
        ("tools.get.result", {"source": "html"}, "Invalid enum value"),
    ],
)
def test_what_cannot_be_is_refused(path: str, value: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        config_of(changed(path, value))


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load_config(tmp_path / "nowhere.toml")
    (tmp_path / "bad.toml").write_text("command = [")
    with pytest.raises(InputError, match="not TOML"):
        load_config(tmp_path / "bad.toml")
    (tmp_path / "twice.json").write_text('{"command": ["a"], "command": ["b"]}')
    with pytest.raises(InputError, match="stands twice"):
        load_config(tmp_path / "twice.json")
