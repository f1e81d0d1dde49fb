"""The tool surface: closed, and the same fingerprint everywhere."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import jsonschema
import pytest

from irbridge.agentic.canonical_json import fingerprint
from irbridge.agentic.toolset import TOOLS, check_arguments, tools_fingerprint

SCHEMAS = {tool.name: tool.input_schema for tool in TOOLS}


def test_there_are_three_tools_with_closed_arguments():
    assert [tool.name for tool in TOOLS] == ["get", "multi_get", "search"]
    assert {name: sorted(schema["required"]) for name, schema in SCHEMAS.items()} == {
        "get": ["uri"],
        "multi_get": ["uris"],
        "search": ["query"],
    }
    assert sorted(SCHEMAS["get"]["properties"]) == ["fromLine", "lineCount", "uri"]
    assert sorted(SCHEMAS["multi_get"]["properties"]) == ["maxBytes", "uris"]
    assert len(SCHEMAS["search"]["properties"]) == 21
    assert all(schema["additionalProperties"] is False for schema in SCHEMAS.values())
    for schema in SCHEMAS.values():
        jsonschema.Draft7Validator.check_schema(schema)


CASES = [
    ("get", {"uri": "corpus://c0a1/n.md"}, True),
    ("get", {"uri": "corpus://c0a1/n.md", "fromLine": 3, "lineCount": 2}, True),
    ("get", {}, False),
    ("get", {"uri": ""}, False),
    ("get", {"uri": "x" * 2001}, False),
    ("get", {"uri": "a", "fromLine": 0}, False),
    ("get", {"uri": "a", "fromLine": "1"}, False),
    ("get", {"uri": "a", "fromLine": True}, False),
    ("get", {"uri": "a", "fromLine": 1.5}, False),
    ("get", {"uri": "a", "fromLine": None}, False),
    ("get", {"uri": "a", "path": "/etc/passwd"}, False),
    ("get", [], False),
    ("get", None, False),
    ("multi_get", {"uris": ["a", "b"], "maxBytes": 100}, True),
    ("multi_get", {"uris": []}, False),
    ("multi_get", {"uris": ["a", 1]}, False),
    ("multi_get", {"uris": "a"}, False),
    ("multi_get", {"uris": ["a"], "maxBytes": 0}, False),
    ("search", {"query": "a"}, True),
    ("search", {"query": "a", "collection": "c0a1", "limit": 5, "filters": {"a": 1, "b": "x", "c": True}}, True),
    ("search", {"query": "a", "minScore": 0, "since": "2026-01-01", "rerank": False, "tagsAny": ["x"]}, True),
    ("search", {"query": ""}, False),
    ("search", {"query": "a", "limit": 0}, False),
    ("search", {"query": "a", "limit": 1001}, False),
    ("search", {"query": "a", "minScore": 1.1}, False),
    ("search", {"query": "a", "since": "yesterday"}, False),
    ("search", {"query": "a", "filters": {"a": None}}, False),
    ("search", {"query": "a", "filters": {"a": [1]}}, False),
    ("search", {"query": "a", "collections": []}, False),
    ("search", {"query": "a", "depth": 3}, False),
]


@pytest.mark.parametrize("name, arguments, right", CASES, ids=str)
def test_arguments_are_checked_as_the_schema_says(name, arguments, right):
    assert (check_arguments(name, arguments) is None) == right
    assert jsonschema.Draft7Validator(SCHEMAS[name]).is_valid(arguments) == right


def test_what_is_wrong_is_said():
    assert "fromLine" in check_arguments("get", {"uri": "a", "fromLine": 0})
    assert check_arguments("grep", {}) == "no tool grep"


def test_the_fingerprint_is_that_of_the_tools_by_name():
    assert tools_fingerprint(TOOLS) == tools_fingerprint(list(reversed(TOOLS)))
    assert tools_fingerprint(TOOLS) == fingerprint([tool.visible() for tool in TOOLS])
    other = [dataclasses.replace(TOOLS[0], description="Reads."), *TOOLS[1:]]
    assert tools_fingerprint(other) != tools_fingerprint(TOOLS)


def test_the_fingerprint_stays():
    # It stands in every receipt: who changes a tool makes all earlier receipts incomparable, and says so in CHANGELOG.md.
    assert tools_fingerprint(TOOLS) == "2342eb1757fd1f78828f5d903140d51268912cad0eafe7d9484f81fd02d5148e"


def test_the_page_names_the_fingerprint_and_every_argument():
    page = (Path(__file__).resolve().parents[3] / "spec" / "agentic" / "README.md").read_text(encoding="utf-8")
    assert f"`{tools_fingerprint(TOOLS)}`" in page
    for name, schema in SCHEMAS.items():
        (row,) = [line for line in page.splitlines() if line.startswith(f"| `{name}` |")]
        assert set(re.findall(r"`(\w+)`", row)) == {name, *schema["properties"]}


def test_what_an_agent_is_told_is_its_own_copy():
    before = tools_fingerprint(TOOLS)
    TOOLS[0].visible()["inputSchema"]["properties"].clear()
    assert tools_fingerprint(TOOLS) == before
