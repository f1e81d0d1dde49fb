"""A server as a system under test: prepared once in a home of its own, attached as a process, called within the scope."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from irbridge.agentic.adapters.base import Outcome, ToolFailure, Unavailable
from irbridge.agentic.adapters.reading import Scope, ok, problem, within_bytes
from irbridge.agentic.canonical_json import fingerprint
from irbridge.agentic.evidence import Source, lines_of
from irbridge.agentic.mcp.config import Config, filled
from irbridge.agentic.mcp.connection import Connection, require_sdk
from irbridge.agentic.mcp.mapping import Item, Places, exact_lines, items_of
from irbridge.agentic.mcp.preflight import check_tools
from irbridge.agentic.processes import ProcessFailure, environment, run_to_end
from irbridge.agentic.records import AgentTask
from irbridge.agentic.snapshot import CorpusSnapshot
from irbridge.agentic.toolset import TOOLS, Tool
from irbridge.agentic.trajectory import ToolResult

#: What is left of the time when our own limit is reached, so that it is ours that speaks, and cleans up.
_SHARE = 0.9


class Prepared:
    """A server whose index is built and whose tools are those of the config.

    Args:
        snapshot: the corpus, which is written to HOME/corpus/COLLECTION/PATH.
        home: an empty folder; all that the server keeps lies in it.
        timeout: seconds for all of it.
        config: how it is started and read.
        identity: what else the config's fingerprint is to cover, such as a lock.
        places: more placeholders, name -> text.

    Raises:
        Unavailable: mcp_prepare_failed, or as `Connection` and `check_tools`.
    """

    def __init__(
        self,
        snapshot: CorpusSnapshot,
        home: str | os.PathLike[str],
        timeout: float,
        config: Config,
        *,
        identity: Mapping[str, Any] | None = None,
        places: Mapping[str, str] | None = None,
    ) -> None:
        require_sdk()
        end = time.monotonic() + timeout * _SHARE
        self.snapshot = snapshot
        self.config = config
        self.diagnostics: Sequence[str] = ()
        self._home = os.path.realpath(home)
        self._attached = 0
        state = os.path.join(self._home, "state")
        corpus = os.path.join(self._home, "corpus")
        self._places = {"corpus": corpus, "home": self._home, "state": state, **(places or {})}
        for folder in ("config", "cache", "data", "state", "tmp", "corpus"):
            os.makedirs(os.path.join(self._home, folder), exist_ok=True)
        snapshot.materialize(corpus)
        self._run_commands(end)
        connection = self._connected(state, end - time.monotonic())
        try:
            self.listed = connection.tools(max(0.1, end - time.monotonic()))
            self.tools_fingerprint = check_tools(config, self.listed)
        finally:
            connection.close()
        self.config_fingerprint = fingerprint(
            {"config": config.fingerprint, "tools": self.tools_fingerprint, "identity": dict(identity or {})}
        )
        # A native index's bytes vary; what it was built from, and by what, does not.
        self.index_fingerprint = fingerprint({"corpus": snapshot.fingerprint, "config": self.config_fingerprint})

    def _filled(self, texts: Sequence[str], state: str) -> list[str]:
        return [filled(text, {**self._places, "state": state}) for text in texts]

    def _environment(self, state: str) -> dict[str, str]:
        temporary = os.path.join(self._home, "tmp")
        own = {"TMPDIR": temporary, "TEMP": temporary, "TMP": temporary}
        told = {name: self._filled([text], state)[0] for name, text in self.config.env.items()}
        return environment(self._home, {**own, **told})

    def _run_commands(self, end: float) -> None:
        state = self._places["state"]
        for command in self.config.prepare:
            try:
                left = max(0.1, end - time.monotonic())
                run_to_end(self._filled(command, state), left, cwd=self._home, env=self._environment(state))
            except ProcessFailure as error:
                raise Unavailable("mcp_prepare_failed", error.message) from error

    def _connected(self, state: str, timeout: float) -> Connection:
        return Connection(
            self._filled(self.config.command, state),
            env=self._environment(state),
            cwd=self._home,
            timeout=max(0.1, timeout),
            protocol=self.config.protocol,
        )

    def attach(self, timeout: float) -> Session:
        """A fresh process on the prepared index.

        Raises:
            Unavailable: as `Connection`; mcp_tools_changed.
        """
        end = time.monotonic() + timeout * _SHARE
        state = self._places["state"]
        if self.config.state:
            self._attached += 1
            pristine, state = state, f"{state}-{self._attached}"
            shutil.copytree(pristine, state)
        connection = self._connected(state, end - time.monotonic())
        with contextlib.ExitStack() as undone:
            undone.callback(connection.close)
            self._hold_to_tools(connection, end - time.monotonic())
            undone.pop_all()
        return Session(self, connection, state if self.config.state else None)

    def _hold_to_tools(self, connection: Connection, timeout: float) -> None:
        if check_tools(self.config, connection.tools(max(0.1, timeout))) != self.tools_fingerprint:
            raise Unavailable("mcp_tools_changed", "the server's tools are not those of the preparation")

    def close(self) -> None:
        """Nothing runs between sessions; the home is its owner's to remove."""


class Session:
    """A started server, and the task it is to answer within."""

    def __init__(self, prepared: Prepared, connection: Connection, state: str | None) -> None:
        self._snapshot = prepared.snapshot
        self._config = prepared.config
        self._places = Places(prepared.snapshot, prepared.config)
        self._connection = connection
        self._state = state
        self._scope: Scope | None = None

    def tools(self) -> Sequence[Tool]:
        return TOOLS

    def reset(self, task: AgentTask) -> None:
        self._scope = Scope(self._snapshot, task.corpus.collections)

    def probe(self, task: AgentTask) -> None:
        """One search that is thrown away, so that models are loaded; its time is the caller's to limit."""
        search = self._config.tools.search
        collections = self._collections(tuple(task.corpus.collections)) or self._collections(
            (task.corpus.collections[0],)
        )
        own = {search.arguments["query"]: task.brief.goal, **search.constants, **(collections or {})}
        self._connection.call(search.name, {**own, **self._config.probe}, timeout=3600)

    def call(self, tool: str, arguments: Mapping[str, Any], timeout: float) -> Outcome:
        """A call of the contract's tool, carried out by the server.

        Raises:
            ToolFailure: scope_violation, before anything is sent or when something foreign came back; as `Connection`.
        """
        if self._scope is None:
            raise ToolFailure("tool_call_failed", "called before it was given a task")
        call = _Call(self._connection, self._config, self._places, self._scope, time.monotonic() + timeout)
        if tool == "search":
            result = self._search(call, arguments)
        elif tool == "get":
            result = call.get(arguments)
        else:
            result = call.multi_get(arguments)
        return Outcome(result, call.count if self._config.counts_calls else 0)

    def _search(self, call: _Call, arguments: Mapping[str, Any]) -> ToolResult:
        named = self._collections(call.scope.searched(arguments))
        if named is None:
            return problem("candidates", "collection_required")
        return call.search(arguments, named)

    def _collections(self, names: tuple[str, ...]) -> dict[str, Any] | None:
        """How the server is told of collections; None where it takes one and these are more."""
        search = self._config.tools.search
        if "collections" in search.arguments:
            return {search.arguments["collections"]: search.join.join(names) if search.join else list(names)}
        if "collection" in search.arguments:
            return {search.arguments["collection"]: names[0]} if len(names) == 1 else None
        return {}

    def close(self) -> None:
        self._connection.close()
        if self._state is not None:
            shutil.rmtree(self._state, ignore_errors=True)


class _Call:
    """One call of the contract, which is one of the server's or several, all within one limit on the time."""

    def __init__(self, connection: Connection, config: Config, places: Places, scope: Scope, end: float) -> None:
        self.scope = scope
        self.count = 0
        self._connection = connection
        self._config = config
        self._places = places
        self._end = end

    def _items(self, name: str, arguments: Mapping[str, Any]) -> list[Item]:
        tool = self._config.mapped()[name]
        self.count += 1
        left = max(0.01, self._end - time.monotonic())
        return items_of(self._connection.call(tool.name, {**arguments, **tool.constants}, left), tool.result)

    def _renamed(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        tool = self._config.mapped()[name]
        return {
            theirs: tool.join.join(map(str, arguments[ours]))
            if tool.join and isinstance(arguments[ours], list)
            else arguments[ours]
            for ours, theirs in tool.arguments.items()
            if ours in arguments
        }

    def search(self, arguments: Mapping[str, Any], collections: Mapping[str, Any]) -> ToolResult:
        plain = {name: value for name, value in arguments.items() if name not in {"collection", "collections"}}
        items = self._items("search", {**self._renamed("search", plain), **collections})
        read = exact_lines(items, None, self._places, self.scope, 1)
        return ok("candidates", {"candidates": [source.uri for source in read.sources]}, read.evidence)

    def get(self, arguments: Mapping[str, Any]) -> ToolResult:
        source = self.scope.source(arguments["uri"])
        if source is None:
            return problem("source", "not_found")
        first = arguments.get("fromLine", 1)
        if first > len(lines_of(source.text)):
            return problem("source", "line_out_of_range")
        items = self._items("get", self._renamed("get", {**arguments, "uri": self._places.asked(source.uri)}))
        read = exact_lines(items, source, self._places, self.scope, first)
        return ok("source", {"uri": source.uri, "fromLine": first}, read.evidence)

    def multi_get(self, arguments: Mapping[str, Any]) -> ToolResult:
        found = [(uri, self.scope.source(uri)) for uri in dict.fromkeys(arguments["uris"])]
        known = [source for _, source in found if source is not None]
        missing = [uri for uri, source in found if source is None]
        if not known:
            return problem("source", "not_found")
        asked, over = within_bytes(known, arguments.get("maxBytes"))
        items = self._several(asked, arguments) if asked else []
        read = exact_lines(items, None, self._places, self.scope, 1)
        missing += [source.uri for source in asked if source not in read.sources]
        content = {
            "read": [source.uri for source in read.sources],
            "notFound": missing,
            "overBudget": [source.uri for source in over],
        }
        return ok("source", content, read.evidence)

    def _several(self, sources: Sequence[Source], arguments: Mapping[str, Any]) -> list[Item]:
        mapped = self._config.tools.multi_get.arguments
        theirs = [self._places.asked(source.uri) for source in sources]
        if "uris" in mapped:
            return self._items("multi_get", self._renamed("multi_get", {**arguments, "uris": theirs}))
        return [
            item if item.uri is not None else replace(item, uri=uri)
            for uri in theirs
            for item in self._items("multi_get", {mapped["uri"]: uri})
        ]
