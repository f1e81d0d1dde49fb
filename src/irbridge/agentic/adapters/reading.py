"""What every adapter over the frozen corpus does alike: the reads `get` and `multi_get`, line by line, within the scope."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from irbridge.agentic.adapters.base import ToolFailure
from irbridge.agentic.evidence import Source, evidence_of, lines_of
from irbridge.agentic.records import Evidence, Role, ToolResult
from irbridge.agentic.snapshot import CorpusSnapshot


class Scope:
    """The sources of some collections: what a task may see."""

    def __init__(self, snapshot: CorpusSnapshot, collections: Iterable[str]) -> None:
        self.collections = tuple(collections)
        self.by_uri = {source.uri: source for source in snapshot.in_collections(self.collections)}

    def searched(self, arguments: Mapping[str, Any]) -> tuple[str, ...]:
        """The collections that a search names, or all of the task's.

        Raises:
            ToolFailure: scope_violation: one that is not the task's.
        """
        named = arguments.get("collections") or ([arguments["collection"]] if arguments.get("collection") else [])
        foreign = sorted(set(named) - set(self.collections))
        if foreign:
            raise ToolFailure("scope_violation", f"the task has no collection {foreign[0]}")
        return tuple(named) or self.collections

    def source(self, uri: str) -> Source | None:
        """The source of that URI, if the task may see it."""
        return self.by_uri.get(uri)


def lines_as_evidence(source: Source, numbers: Iterable[int]) -> list[Evidence]:
    """One item of evidence a line, 1-based; blank lines say nothing and are left out."""
    lines = lines_of(source.text)
    return [evidence_of(source, number, number) for number in numbers if lines[number - 1].strip()]


def ok(role: Role, content: Any, evidence: Sequence[Evidence]) -> ToolResult:
    """A result that worked; `content` is a text, or a value written as JSON."""
    said = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return ToolResult(status="ok", result_role=role, content=said, evidence=list(evidence), error_code=None)


def problem(role: Role, code: str) -> ToolResult:
    """A result that says what is wrong; the agent sees it."""
    return ToolResult(status="error", result_role=role, content="", evidence=[], error_code=code)


def get(scope: Scope, arguments: Mapping[str, Any]) -> ToolResult:
    """The lines of one source, from `fromLine` (1), `lineCount` of them (all)."""
    source = scope.source(arguments["uri"])
    if source is None:
        return problem("source", "not_found")
    lines = lines_of(source.text)
    start = arguments.get("fromLine", 1)
    if start > len(lines):
        return problem("source", "line_out_of_range")
    end = min(len(lines), start + arguments.get("lineCount", len(lines)) - 1)
    return ok("source", {"uri": source.uri, "fromLine": start}, lines_as_evidence(source, range(start, end + 1)))


def multi_get(scope: Scope, arguments: Mapping[str, Any]) -> ToolResult:
    """Whole sources in the order asked for; with `maxBytes`, as many as their texts' bytes allow, the rest named."""
    left = arguments.get("maxBytes")
    read: list[str] = []
    skipped: list[str] = []
    missing: list[str] = []
    evidence: list[Evidence] = []
    for uri in arguments["uris"]:
        source = scope.source(uri)
        if source is None:
            missing.append(uri)
            continue
        size = len(source.text.encode())
        if left is not None and size > left:
            skipped.append(uri)
            continue
        left = None if left is None else left - size
        read.append(uri)
        evidence += lines_as_evidence(source, range(1, len(lines_of(source.text)) + 1))
    if not read and not skipped:
        return problem("source", "not_found")
    return ok("source", {"read": read, "notFound": missing, "overBudget": skipped}, evidence)
