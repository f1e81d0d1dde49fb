"""BM25 over whole documents, in SQLite's FTS5: candidates with their best lines; reads are a second call."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from irbridge.agentic.adapters import fts
from irbridge.agentic.adapters.base import CAPABILITIES, Adapter, Outcome, ToolFailure
from irbridge.agentic.adapters.reading import Scope, get, lines_as_evidence, multi_get, ok
from irbridge.agentic.canonical_json import fingerprint
from irbridge.agentic.records import AgentTask
from irbridge.agentic.snapshot import CorpusSnapshot
from irbridge.agentic.toolset import TOOLS, Tool
from irbridge.agentic.trajectory import ToolResult

_DOCUMENTS = 5
_LINES = 2
CONFIG = {"adapter": "lexical", "documents": _DOCUMENTS, "lines": _LINES, "index": fts.VERSION}


class Session:
    """An open index, and the task it is to answer within."""

    def __init__(self, snapshot: CorpusSnapshot, path: str) -> None:
        self.snapshot = snapshot
        self.index = fts.Index(path)
        self.scope: Scope | None = None

    def tools(self) -> Sequence[Tool]:
        return TOOLS

    def probe(self, task: AgentTask) -> None:
        self.index.search(task.brief.goal, task.corpus.collections, 1)

    def reset(self, task: AgentTask) -> None:
        self.scope = Scope(self.snapshot, task.corpus.collections)

    def call(self, tool: str, arguments: Mapping[str, Any], timeout: float) -> Outcome:
        if self.scope is None:
            raise ToolFailure("tool_call_failed", "called before it was given a task")
        reads = {"get": get, "multi_get": multi_get}
        if tool in reads:
            return Outcome(reads[tool](self.scope, arguments), 1)
        return Outcome(self.search(self.scope, arguments), 1)

    def search(self, scope: Scope, arguments: Mapping[str, Any]) -> ToolResult:
        """Candidates: the best documents, each with its best lines."""
        limit = min(arguments.get("limit", _DOCUMENTS), _DOCUMENTS)
        found = self.index.search(arguments["query"], scope.searched(arguments), limit)
        sources = [scope.by_uri[uri] for uri in found]
        evidence = [
            each
            for source in sources
            for each in lines_as_evidence(source, fts.best_lines(source, arguments["query"], _LINES))
        ]
        return ok("candidates", {"candidates": found}, evidence)

    def close(self) -> None:
        self.index.close()


class Prepared:
    """The built index; `session` makes the sessions, so that others may answer differently from the same index."""

    diagnostics: Sequence[str] = ()

    def __init__(
        self,
        snapshot: CorpusSnapshot,
        home: str | os.PathLike[str],
        config: Mapping[str, Any],
        session: type[Session] = Session,
    ) -> None:
        self._snapshot = snapshot
        self._path = os.path.join(home, "index.sqlite")
        self._session = session
        fts.build(snapshot, self._path)
        self.config_fingerprint = fingerprint(dict(config))
        # SQLite's bytes differ from release to release; what goes in and how it is ranked does not.
        self.index_fingerprint = fingerprint({"corpus": snapshot.fingerprint, "index": fts.VERSION})

    def attach(self, timeout: float) -> Session:
        return self._session(self._snapshot, self._path)

    def close(self) -> None:
        """Nothing runs between sessions."""


def prepare(
    snapshot: CorpusSnapshot, home: str | os.PathLike[str], timeout: float, settings: Mapping[str, str]
) -> Prepared:
    """Build the index below `home`."""
    return Prepared(snapshot, home, CONFIG)


ADAPTER = Adapter(
    name="lexical",
    summary="BM25 over documents (SQLite FTS5): search for candidates, then read",
    capabilities=CAPABILITIES,
    prepare=prepare,
    methodology="SQLite FTS5, BM25 over whole documents, any query term; each candidate with its two best lines.",
)
