"""How a server is started and how its tools are those of the contract: a TOML or JSON file, closed.

    command = ["{python}", "-m", "irbridge", "mcp", "serve", "--fixture", "{corpus}"]
    uris = ["corpus://{collection}/{path}"]

    [tools.search]
    name = "search"
    arguments = { query = "query", collections = "collections", limit = "limit" }
    result = { source = "structured", items = "items", uri = "uri", start = "startLine", end = "endLine", text = "text" }

and tools.get, tools.multi_get alike. spec/agentic/README.md explains each member.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from irbridge.agentic.canonical_json import fingerprint
from irbridge.agentic.strict_json import strict_json
from irbridge.agentic.toolset import TOOLS
from irbridge.errors import InputError

Word = Annotated[str, Meta(min_length=1)]


class _Closed(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of the config: an unknown member is an error."""


class Reading(_Closed, frozen=True):
    """Where a result holds its items, and each item its place and its text; paths are dotted, "" is the whole.

    Attributes:
        source: the structured content, the first text as it is or as JSON, or the embedded resources (`uri`, `text`).
        items: the path to the list of items, or to the one item.
        uri: the path to an item's URI; without one it is the URI that was asked for.
        start, end: paths to 1-based line numbers; without them the first line asked for (or 1), and as many as the text has.
        text: the path to an item's text; an item without one is a candidate and no evidence.
        source_hash: the path to the SHA-256 of the source, which is held against the corpus.
        line_prefix: a pattern that is taken off the front of each line of the text.
        pattern: a pattern that the text matches whole; its groups `text`, `start`, and `end` or `count` say the rest.
    """

    source: Literal["structured", "json", "text", "resources"] = "structured"
    items: str = ""
    uri: str = ""
    start: str = ""
    end: str = ""
    text: str = "text"
    source_hash: str = ""
    line_prefix: str = ""
    pattern: str = ""


class MappedTool(_Closed, frozen=True):
    """A tool of the server in the place of one of the contract's.

    Attributes:
        name: the server's name for it.
        arguments: argument of the contract -> the server's; what is not there is not sent.
        constants: what is sent besides.
        join: put between the members of a list, for a server that takes one text.
        result: how its results are read.
    """

    name: Word
    arguments: dict[str, Word]
    constants: dict[str, Any] = {}
    join: str = ""
    result: Reading = Reading()


class Tools(_Closed, frozen=True):
    """All three; `multi_get` may be the server's `get`, called once a source, if it maps `uri` and not `uris`."""

    search: MappedTool
    get: MappedTool
    multi_get: MappedTool


class Config(_Closed, frozen=True):
    """A server. `{corpus}`, `{home}`, `{state}`, `{python}` stand for places of the run in commands and environment.

    Attributes:
        command: program and arguments, started without a shell.
        env: variables besides those that give it a home of its own.
        prepare: commands that build its index, run before anything is measured.
        protocol: begin with `initialize`, which every server knows, or ask first which version it speaks.
        uris: templates of the URIs it returns, with {collection} and {path} or {quoted} (percent-encoded); it is asked by
            the first of them.
        uri_ignore: a pattern that is taken out of the URIs it returns.
        state: `{state}` holds what the preparation built; each started server gets a copy of its own.
        probe: arguments besides, for the one search that makes a warm server ready.
        counts_calls: each call is one backend invocation; false where nobody knows what it does inside.
    """

    command: Annotated[list[Word], Meta(min_length=1)]
    tools: Tools
    env: dict[str, str] = {}
    prepare: list[Annotated[list[Word], Meta(min_length=1)]] = []
    protocol: Literal["initialize", "auto"] = "initialize"
    uris: Annotated[list[Word], Meta(min_length=1)] = msgspec.field(default_factory=lambda: ["{collection}/{path}"])
    uri_ignore: str = ""
    state: bool = False
    probe: dict[str, Any] = {}
    counts_calls: bool = True

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the config with its placeholders, so that it is the same on every machine."""
        return fingerprint(msgspec.to_builtins(self))

    def mapped(self) -> Mapping[str, MappedTool]:
        """Tool of the contract -> the server's."""
        return {"search": self.tools.search, "get": self.tools.get, "multi_get": self.tools.multi_get}


def load_config(path: str | os.PathLike[str]) -> Config:
    """The config in a .toml or .json file.

    Raises:
        InputError: it is not there, not closed, or maps what cannot be mapped.
    """
    label = os.fspath(path)
    try:
        with open(path, "rb") as stream:
            data = stream.read(1 << 20)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=label) from error
    return config_of(_toml(data, label) if label.lower().endswith(".toml") else strict_json(data, label), label)


def config_of(value: Any, where: str | None = None) -> Config:
    """The config that a value of JSON or TOML is.

    Raises:
        InputError: see `load_config`.
    """
    try:
        config = msgspec.convert(value, Config)
    except msgspec.ValidationError as error:
        raise InputError(f"no config of an MCP server: {error}", path=where) from error
    for problem in _problems(config):
        raise InputError(problem, path=where)
    return config


def filled(text: str, places: Mapping[str, str]) -> str:
    """A text with its placeholders filled in; other braces stay."""
    for name, place in {"python": sys.executable, **places}.items():
        text = text.replace("{" + name + "}", place)
    return text


def _problems(config: Config) -> list[str]:
    known = {tool.name: set(tool.input_schema["properties"]) for tool in TOOLS}
    needs = {"search": ({"query"},), "get": ({"uri"},), "multi_get": ({"uris"}, {"uri"})}
    found = []
    for name, tool in config.mapped().items():
        extra = {"uri"} if name == "multi_get" else set()
        unknown = sorted(set(tool.arguments) - known[name] - extra)
        if unknown:
            found.append(f"tools.{name}: the contract's {name} has no argument {unknown[0]}")
        if not any(need <= set(tool.arguments) for need in needs[name]):
            found.append(f"tools.{name}: maps no {' or '.join(sorted(needs[name][0]))}")
        if name != "get" and not tool.result.uri and not (name == "multi_get" and "uri" in tool.arguments):
            found.append(f"tools.{name}: says not where a result's URI stands")
        patterns = (("line_prefix", tool.result.line_prefix), ("pattern", tool.result.pattern))
        found += [
            f"tools.{name}.result.{what}: {problem}" for what, text in patterns for problem in _pattern_problems(text)
        ]
        if tool.result.pattern and "(?P<text>" not in tool.result.pattern:
            found.append(f"tools.{name}.result.pattern has no group named text")
    found += [f"uri_ignore: {problem}" for problem in _pattern_problems(config.uri_ignore)]
    found += [
        f"uris: {template} names no collection and path"
        for template in config.uris
        if "{collection}" not in template or not ("{path}" in template or "{quoted}" in template)
    ]
    return found


def _pattern_problems(text: str) -> list[str]:
    try:
        re.compile(text)
    except re.error as error:
        return [f"no regular expression: {error}"]
    return []


def _toml(data: bytes, label: str) -> Any:
    tomllib = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        return tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"not TOML: {error}", path=label) from error
