"""The one tool surface that every adapter has and every agent sees: search, get and multi_get, with closed arguments.

The schemas are written out, not made from the classes: their fingerprint is in every receipt and must not change with
the version of a library. A test holds that both accept the same arguments.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from irbridge.agentic.canonical_json import fingerprint

Text = Annotated[str, Meta(min_length=1, max_length=10_000)]
Uri = Annotated[str, Meta(min_length=1, max_length=2_000)]
Names = Annotated[list[Text], Meta(min_length=1, max_length=100)]
Positive = Annotated[int, Meta(ge=1, le=2**31)]
Share = Annotated[float, Meta(ge=0, le=1)]
Day = Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")]


class _Arguments(Struct, forbid_unknown_fields=True, rename="camel", kw_only=True):
    """Arguments of a tool; what is not there is left to the adapter."""


class Search(_Arguments):
    """Find candidates. What a system does not know of it ignores, but for the collections."""

    query: Text
    collection: Text | UnsetType = UNSET
    collections: Names | UnsetType = UNSET
    limit: Annotated[int, Meta(ge=1, le=1000)] | UnsetType = UNSET
    offset: Annotated[int, Meta(ge=0, le=2**31)] | UnsetType = UNSET
    min_score: Share | UnsetType = UNSET
    intent: Text | UnsetType = UNSET
    exclude: Names | UnsetType = UNSET
    filters: dict[str, str | float | bool] | UnsetType = UNSET
    tags_all: Names | UnsetType = UNSET
    tags_any: Names | UnsetType = UNSET
    since: Day | UnsetType = UNSET
    until: Day | UnsetType = UNSET
    author: Text | UnsetType = UNSET
    lang: Text | UnsetType = UNSET
    path_prefix: Text | UnsetType = UNSET
    content_type: Text | UnsetType = UNSET
    max_bytes: Positive | UnsetType = UNSET
    rerank: bool | UnsetType = UNSET
    fast: bool | UnsetType = UNSET
    explain: bool | UnsetType = UNSET


class Get(_Arguments):
    """Read lines of one source."""

    uri: Uri
    from_line: Positive | UnsetType = UNSET
    line_count: Positive | UnsetType = UNSET


class MultiGet(_Arguments):
    """Read several sources."""

    uris: Annotated[list[Uri], Meta(min_length=1, max_length=1000)]
    max_bytes: Positive | UnsetType = UNSET


@dataclass(frozen=True)
class Tool:
    """A tool as it is announced; `input_schema` is a JSON Schema."""

    name: str
    description: str
    input_schema: Mapping[str, Any]

    def visible(self) -> dict[str, Any]:
        """The tool as an agent is told of it, for the caller to keep."""
        return copy.deepcopy({"name": self.name, "description": self.description, "inputSchema": self.input_schema})


_ARGUMENTS: Mapping[str, type[_Arguments]] = {"get": Get, "multi_get": MultiGet, "search": Search}

_TEXT = {"type": "string", "minLength": 1, "maxLength": 10_000}
_URI = {"type": "string", "minLength": 1, "maxLength": 2_000}
_NAMES = {"type": "array", "items": _TEXT, "minItems": 1, "maxItems": 100}
_POSITIVE = {"type": "integer", "minimum": 1, "maximum": 2**31}
_DAY = {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
_FLAG = {"type": "boolean"}


def _closed(required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [required], "additionalProperties": False}


TOOLS: tuple[Tool, ...] = (
    Tool(
        "get",
        "Read lines of one source by its URI.",
        _closed("uri", uri=_URI, fromLine=_POSITIVE, lineCount=_POSITIVE),
    ),
    Tool(
        "multi_get",
        "Read several sources by their URIs.",
        _closed("uris", uris={"type": "array", "items": _URI, "minItems": 1, "maxItems": 1000}, maxBytes=_POSITIVE),
    ),
    Tool(
        "search",
        "Search the task's collections for candidates or an evidence bundle.",
        _closed(
            "query",
            query=_TEXT,
            collection=_TEXT,
            collections=_NAMES,
            limit={"type": "integer", "minimum": 1, "maximum": 1000},
            offset={"type": "integer", "minimum": 0, "maximum": 2**31},
            minScore={"type": "number", "minimum": 0, "maximum": 1},
            intent=_TEXT,
            exclude=_NAMES,
            filters={"type": "object", "additionalProperties": {"type": ["string", "number", "boolean"]}},
            tagsAll=_NAMES,
            tagsAny=_NAMES,
            since=_DAY,
            until=_DAY,
            author=_TEXT,
            lang=_TEXT,
            pathPrefix=_TEXT,
            contentType=_TEXT,
            maxBytes=_POSITIVE,
            rerank=_FLAG,
            fast=_FLAG,
            explain=_FLAG,
        ),
    ),
)


def tools_fingerprint(tools: Sequence[Tool]) -> str:
    """The SHA-256 of name, description and input schema of each tool, by name."""
    return fingerprint([tool.visible() for tool in sorted(tools, key=lambda tool: tool.name)])


def check_arguments(name: str, arguments: Any) -> str | None:
    """What is wrong with the arguments of a call; None where nothing is."""
    if name not in _ARGUMENTS:
        return f"no tool {name}"
    try:
        msgspec.convert(arguments, _ARGUMENTS[name])
    except msgspec.ValidationError as error:
        return str(error)
    return None
