"""What every adapter over the frozen corpus does alike: the reads `get` and `multi_get`, line by line, within the scope."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from irbridge.agentic.adapters.base import ToolFailure
from irbridge.agentic.evidence import Source, evidence_of, lines_of
from irbridge.agentic.records import Evidence, Role
from irbridge.agentic.snapshot import CorpusSnapshot
from irbridge.agentic.trajectory import ToolResult


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
    found = {uri: scope.source(uri) for uri in arguments["uris"]}
    asked = [source for uri in arguments["uris"] if (source := found[uri]) is not None]
    read, skipped = within_bytes(asked, arguments.get("maxBytes"))
    missing = [uri for uri in arguments["uris"] if found[uri] is None]
    evidence = [each for source in read for each in lines_as_evidence(source, range(1, len(lines_of(source.text)) + 1))]
    if not read and not skipped:
        return problem("source", "not_found")
    return ok(
        "source",
        {
            "read": [source.uri for source in read],
            "notFound": missing,
            "overBudget": [source.uri for source in skipped],
        },
        evidence,
    )


def within_bytes(sources: Sequence[Source], room: int | None) -> tuple[list[Source], list[Source]]:
    """The sources whose texts fit into so many bytes one after the other, and the others."""
    kept: list[Source] = []
    left: list[Source] = []
    for source in sources:
        size = len(source.text.encode())
        if room is not None and size > room:
            left.append(source)
            continue
        room = None if room is None else room - size
        kept.append(source)
    return kept, left
