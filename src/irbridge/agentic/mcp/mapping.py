"""Results of any server read by the config, and held line by line against the corpus."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn
from urllib.parse import quote

from irbridge.agentic.adapters.base import ToolFailure
from irbridge.agentic.adapters.reading import Scope, lines_as_evidence
from irbridge.agentic.evidence import Source, line_span, lines_of
from irbridge.agentic.mcp.config import Config, Reading
from irbridge.agentic.records import Evidence
from irbridge.agentic.snapshot import CorpusSnapshot
from irbridge.agentic.strict_json import strict_json
from irbridge.errors import InputError

_ITEMS = 10_000


@dataclass(frozen=True)
class Item:
    """One thing that a server returned: its URI as the server writes it, its lines and text as far as it says them."""

    uri: str | None
    text: str | None = None
    start: int | None = None
    end: int | None = None
    source_hash: str | None = None


class Places:
    """The server's URIs and ours, both ways."""

    def __init__(self, snapshot: CorpusSnapshot, config: Config) -> None:
        self._ignored = re.compile(config.uri_ignore) if config.uri_ignore else None
        self._ours: dict[str, str] = {}
        self._theirs: dict[str, str] = {}
        for source in snapshot.sources:
            for template in reversed(config.uris):
                theirs = template.replace("{collection}", source.collection)
                theirs = theirs.replace("{quoted}", quote(source.path, safe="/")).replace("{path}", source.path)
                self._ours.setdefault(theirs, source.uri)
                self._theirs[source.uri] = theirs

    def asked(self, uri: str) -> str:
        """The server's name for one of our URIs."""
        return self._theirs[uri]

    def source(self, uri: str, scope: Scope) -> Source:
        """The source that a returned URI names.

        Raises:
            ToolFailure: scope_violation: it is not one of the task's; the message says nothing of it.
        """
        plain = self._ignored.sub("", uri) if self._ignored else uri
        found = scope.source(self._ours.get(plain, ""))
        if found is None:
            raise ToolFailure("scope_violation", "the server returned a source that is not the task's")
        return found


def items_of(result: Mapping[str, Any], how: Reading) -> list[Item]:
    """What a result holds.

    Raises:
        ToolFailure: invalid_tool_result: it is not shaped as the config says.
    """
    root = _root(result, how)
    found = root if how.source == "resources" else _at(root, how.items)
    rows = found if isinstance(found, list) else [found]
    if found is None:
        _invalid("nothing stands where its items should")
    if len(rows) > _ITEMS:
        _invalid(f"more than {_ITEMS:,} items")
    return [_item(row, how) for row in rows]


def exact_lines(items: Iterable[Item], asked: Source | None, places: Places, scope: Scope, first: int) -> Read:
    """The sources that items name, and their lines as far as the text is exactly the corpus's.

    Args:
        items: what the server returned.
        asked: the source that was asked for, for items that name none.
        places: URIs, both ways.
        scope: what the task may see.
        first: the first line that was asked for.

    Raises:
        ToolFailure: scope_violation; invalid_tool_result: a hash that is not the source's, or an item without a URI.
    """
    read = Read([], [])
    seen: set[tuple[str, int]] = set()
    for item in items:
        source = asked if item.uri is None else places.source(item.uri, scope)
        if source is None:
            _invalid("an item without a URI")
        if item.source_hash is not None and item.source_hash != source.source_hash:
            _invalid("its sourceHash is not that of the source")
        if source not in read.sources:
            read.sources.append(source)
        for number in _numbers(item, source, first):
            if (source.uri, number) not in seen:
                seen.add((source.uri, number))
                read.evidence.extend(lines_as_evidence(source, [number]))
    return read


@dataclass(frozen=True)
class Read:
    """Sources in the order in which they came, and the evidence."""

    sources: list[Source]
    evidence: list[Evidence]


def _numbers(item: Item, source: Source, first: int) -> Iterator[int]:
    """The lines that an item's text exactly is; none where it is not."""
    if not item.text:
        return
    start = first if item.start is None else item.start
    end = start + len(lines_of(item.text)) - 1 if item.end is None else item.end
    try:
        text = line_span(source.text, start, end)
    except InputError:
        return
    plain = item.text.replace("\r\n", "\n").replace("\r", "\n")
    if plain in {text, text + "\n"}:
        yield from range(start, end + 1)


def _root(result: Mapping[str, Any], how: Reading) -> Any:
    if how.source == "structured":
        return result.get("structuredContent")
    content = result.get("content")
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    if how.source == "resources":
        return [block.get("resource") for block in blocks if block.get("type") == "resource"]
    text = next((block.get("text") for block in blocks if block.get("type") == "text"), None)
    if text is None:
        _invalid("no text")
    if how.source == "text":
        return {"text": text}
    try:
        return strict_json(text)
    except InputError as error:
        _invalid(f"its text is no JSON: {error.message}")


def _at(value: Any, path: str) -> Any:
    for name in path.split(".") if path else ():
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _item(row: Any, how: Reading) -> Item:
    if not isinstance(row, dict):
        _invalid("an item that is no object")
    uri, text = _member(row, how.uri, str), _member(row, how.text, str)
    if how.uri and uri is None:
        _invalid("an item without a URI")
    start, end = _member(row, how.start, int), _member(row, how.end, int)
    item = Item(uri, text, start, end, _member(row, how.source_hash, str))
    return item if text is None else _unwrapped(item, text, how)


def _member(row: Mapping[str, Any], path: str, kind: type) -> Any:
    found = _at(row, path) if path else None
    if found is not None and type(found) is not kind:
        _invalid(f"{path} is a {type(found).__name__}")
    return found


def _unwrapped(item: Item, text: str, how: Reading) -> Item:
    """An item whose text is freed of line numbers and headings; one that has not the shape has no text."""
    if how.line_prefix:
        text = "\n".join(re.sub(rf"\A(?:{how.line_prefix})", "", line) for line in text.split("\n"))
    if not how.pattern:
        return replace(item, text=text)
    match = re.fullmatch(how.pattern, text, re.DOTALL)
    if match is None:
        return replace(item, text=None)
    groups = match.groupdict()
    start = int(groups["start"]) if groups.get("start") else item.start
    end = int(groups["end"]) if groups.get("end") else item.end
    if groups.get("count") and start is not None:
        end = start + int(groups["count"]) - 1
    return replace(item, text=groups["text"], start=start, end=end)


def _invalid(message: str) -> NoReturn:
    raise ToolFailure("invalid_tool_result", message, backend_invocations=1)
