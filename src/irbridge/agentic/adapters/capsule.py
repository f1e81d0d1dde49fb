"""The same index, answered in one call: a search returns all lines that the claims need, as an evidence bundle.

The bundle is planned from what the agent also sees, the task's claims, and from the query: for each of them the best
documents and their best lines, in the order of the documents. Its content is canonical JSON that carries each item of
evidence once, so that the passages are not charged twice.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from irbridge.agentic.adapters import fts, lexical
from irbridge.agentic.adapters.base import CAPABILITIES, Adapter
from irbridge.agentic.adapters.reading import Scope, lines_as_evidence, ok
from irbridge.agentic.canonical_json import canonical_json
from irbridge.agentic.projection import visible_evidence
from irbridge.agentic.records import AgentTask
from irbridge.agentic.snapshot import CorpusSnapshot
from irbridge.agentic.trajectory import ToolResult

VERSION = "irbridge-bundle@1"
_DOCUMENTS = 3
_LINES = 3
CONFIG = {"adapter": "capsule", "bundle": VERSION, "documents": _DOCUMENTS, "lines": _LINES, "index": fts.VERSION}


class Session(lexical.Session):
    """An open index whose searches answer with a bundle."""

    task: AgentTask | None = None

    def reset(self, task: AgentTask) -> None:
        super().reset(task)
        self.task = task

    def search(self, scope: Scope, arguments: Mapping[str, object]) -> ToolResult:
        """An evidence bundle for the query and the task's claims."""
        collections = scope.searched(arguments)
        numbers: dict[str, set[int]] = {}
        for query in self._queries(str(arguments["query"])):
            for uri in self.index.search(query, collections, _DOCUMENTS):
                numbers.setdefault(uri, set()).update(fts.best_lines(scope.by_uri[uri], query, _LINES))
        evidence = [
            each
            for uri, lines in sorted(numbers.items())
            for each in lines_as_evidence(scope.by_uri[uri], sorted(lines))
        ]
        content = canonical_json(
            {"v": VERSION, "taskId": self.task.task_id if self.task else "", "evidence": visible_evidence(evidence)}
        )
        return ok("evidence_bundle", content, evidence)

    def _queries(self, query: str) -> list[str]:
        keys = [claim.claim_key for claim in self.task.claims] if self.task else []
        words = [" ".join(re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", key)) for key in keys]
        return list(dict.fromkeys([query, *words]))


def prepare(
    snapshot: CorpusSnapshot, home: str | os.PathLike[str], timeout: float, settings: Mapping[str, str]
) -> lexical.Prepared:
    """Build the index below `home`."""
    return lexical.Prepared(snapshot, home, CONFIG, Session)


ADAPTER = Adapter(
    name="capsule",
    summary="an evidence bundle in one call, planned from the query and the claims",
    capabilities=CAPABILITIES,
    prepare=prepare,
    methodology="The lexical index; one search returns the best lines of the best documents for query and claims.",
)
